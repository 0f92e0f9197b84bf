/* The part of a page's JSON on threads: what each did in all, and its part of each statistic. */
#include "formats/thread_table.h"
#include "html/column.h"
#include "html/data.h"

/* Those of the most expensive statistics come first. */
enum { PARTS_MOST = 10000 };

struct sums {
    const struct stint_thread_sum *all; /* by thread */
    size_t count;
};

static int next_sum(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct sums *sums = context;
    if (*next == sums->count)
        return 0;
    const struct stint_thread_sum *sum = &sums->all[(*next)++];
    stint_column_u64(sheet, 0, sum->ns);
    stint_column_u64(sheet, 1, sum->count);
    return 1;
}

static void put_sums(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column columns[] = {{.key = "recorded"}, {.key = "count"}};
    struct stint_arena arena = {0};
    struct sums sums = {.all = stint_thread_sums(data->snapshot, &arena), .count = data->snapshot->thread_count};
    struct stint_sheet sheet = {STINT_COLUMNS(columns), .next = next_sum, .context = &sums};
    if (!sums.all) {
        data->strings.failed = 1;
        sums.count = 0;
    }
    stint_column_put_table(json, &data->strings, "thread_sums", &sheet);
    stint_arena_free(&arena);
}

static size_t part_count(const struct stint_snapshot *snapshot)
{
    return snapshot->thread_stat_count < PARTS_MOST ? snapshot->thread_stat_count : PARTS_MOST;
}

static int next_part(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct stint_snapshot *snapshot = ((const struct stint_page_data *)context)->snapshot;
    if (*next == part_count(snapshot))
        return 0;
    const struct stint_thread_stat *part = &snapshot->thread_stats[(*next)++];
    size_t i = 0; /* in the order of the columns */
    stint_column_u64(sheet, i++, part->thread);
    stint_column_u64(sheet, i++, part->stat);
    stint_column_u64(sheet, i++, part->numbers.count);
    stint_column_u64(sheet, i++, part->numbers.running);
    stint_column_u64(sheet, i++, part->numbers.total_ns);
    stint_column_u64(sheet, i++, part->numbers.self_ns);
    stint_column_u64(sheet, i++, part->numbers.min_ns);
    stint_column_u64(sheet, i, part->numbers.max_ns);
    return 1;
}

static void put_parts(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column columns[] = {{.key = "thread"},  {.key = "stat"},  {.key = "count"},
                                                  {.key = "running"}, {.key = "total"}, {.key = "self"},
                                                  {.key = "min"},     {.key = "max"}};
    const struct stint_snapshot *snapshot = data->snapshot;
    struct stint_sheet sheet = {STINT_COLUMNS(columns), .next = next_part, .context = data};
    stint_column_put_table(json, &data->strings, "thread_parts", &sheet);
    stint_json_key_u64(json, "thread_parts_beyond", snapshot->thread_stat_count - part_count(snapshot));
}

void stint_data_put_threads(struct stint_page_data *data, struct stint_json *json)
{
    stint_json_rows(json, "threads", STINT_ROWS_THREADS, data->snapshot->threads, data->snapshot->thread_count);
    put_sums(data, json);
    put_parts(data, json);
}

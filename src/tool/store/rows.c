/* Gathers events as rows, sorts them by time, and inserts them, many with each statement. */
#include "store/rows.h"

#include <stdlib.h>
#include <string.h>

#include "model/call_names.h"
#include "store/nsys_numbers.h"

/* Number of rows that are gathered: enough to make runs few and long, and few enough to take only 10 MB. */
enum { RANGES = 1 << 18, GPU_ROWS = 1 << 15 };

void stint_rows_begin(struct stint_rows *rows, struct stint_sql *sql, struct stint_strings *strings)
{
    *rows = (struct stint_rows){.sql = sql, .strings = strings};
    rows->ranges = malloc(RANGES * sizeof *rows->ranges);
    rows->gpu = malloc(GPU_ROWS * sizeof *rows->gpu);
    if (!rows->ranges || !rows->gpu)
        (void)stint_sql_fail(sql, "there is not enough memory");
    for (int i = 0; i < STINT_STORE_TABLES; i++) {
        rows->tables[i].insert_one = stint_event_columns_insert(sql, (enum stint_store_table)i, 1);
        rows->tables[i].insert_many = stint_event_columns_insert(sql, (enum stint_store_table)i, STINT_ROWS_TOGETHER);
    }
    rows->insert_run = stint_sql_query(sql, "INSERT INTO stint_runs VALUES (?1, ?2, ?3, ?4)");
}

void stint_rows_end(struct stint_rows *rows)
{
    for (int i = 0; i < STINT_STORE_TABLES; i++) {
        stint_sql_end(&rows->tables[i].insert_one);
        stint_sql_end(&rows->tables[i].insert_many);
    }
    stint_sql_end(&rows->insert_run);
    free(rows->ranges);
    free(rows->gpu);
}

/* ------------------------------------------------------------------------------------------------------------ order */

/* Sorts by start; of rows that start together, the longer one, which contains the others, comes first. */
static int compare_times(uint64_t start_a, uint64_t end_a, uint64_t start_b, uint64_t end_b)
{
    if (start_a != start_b)
        return start_a < start_b ? -1 : 1;
    return end_a == end_b ? 0 : end_a > end_b ? -1 : 1;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct stint_range_row *x = a, *y = b;
    return compare_times(x->start_ns, x->end_ns, y->start_ns, y->end_ns);
}

static int compare_gpu(const void *a, const void *b)
{
    const struct stint_gpu_row *x = a, *y = b;
    return compare_times(x->event.start_ns, x->event.end_ns, y->event.start_ns, y->event.end_ns);
}

/* Events of a recording are in order already. */
static void sort(void *rows, size_t count, size_t size, int (*compare)(const void *a, const void *b))
{
    const char *row = rows;
    size_t sorted = 1;
    for (; sorted < count && compare(row, row + size) <= 0; sorted++)
        row += size;
    if (sorted < count)
        qsort(rows, count, size, compare);
}

/* ------------------------------------------------------------------------------------------------------------ write */

/* A statement that inserts several rows takes two thirds of the time of one for each. */
static void write_row(struct stint_rows *rows, enum stint_store_table table, const void *row, uint64_t start_ns)
{
    struct stint_rows_table *to = &rows->tables[table];
    if (to->count++ == to->before_run)
        to->run_ns = start_ns;
    to->waiting[to->waiting_count++] = row;
    if (to->waiting_count < STINT_ROWS_TOGETHER)
        return;
    for (int i = 0, bound = 0; i < STINT_ROWS_TOGETHER; i++)
        bound = stint_event_columns_bind(&to->insert_many, table, bound, to->waiting[i]);
    stint_sql_do(&to->insert_many);
    to->waiting_count = 0;
}

static void end_run(struct stint_rows *rows, enum stint_store_table table)
{
    struct stint_rows_table *to = &rows->tables[table];
    if (to->count == to->before_run)
        return;
    for (int i = 0; i < to->waiting_count; i++) {
        (void)stint_event_columns_bind(&to->insert_one, table, 0, to->waiting[i]);
        stint_sql_do(&to->insert_one);
    }
    stint_sql_bind_i64(&rows->insert_run, 1, table);
    stint_sql_bind_i64(&rows->insert_run, 2, to->before_run + 1);
    stint_sql_bind_i64(&rows->insert_run, 3, to->count);
    stint_sql_bind_i64(&rows->insert_run, 4, (int64_t)to->run_ns);
    stint_sql_do(&rows->insert_run);
    to->waiting_count = 0;
    to->before_run = to->count;
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

static void write_ranges(struct stint_rows *rows)
{
    sort(rows->ranges, rows->range_count, sizeof *rows->ranges, compare_ranges);
    for (size_t i = 0; i < rows->range_count; i++)
        write_row(rows, STINT_STORE_RANGES, &rows->ranges[i], rows->ranges[i].start_ns);
    rows->range_count = 0;
}

void stint_rows_add_range(struct stint_rows *rows, const struct stint_range_row *row)
{
    if (!rows->ranges || rows->sql->failed)
        return;
    rows->ranges[rows->range_count++] = *row;
    if (rows->range_count == RANGES)
        stint_rows_flush(rows);
}

/* -------------------------------------------------------------------------------------------------------------- GPU */

static enum stint_store_table table_of(const struct stint_gpu_row *row)
{
    static const enum stint_store_table tables[STINT_GPU_KINDS] = {
        [STINT_GPU_KERNEL] = STINT_STORE_KERNELS,    [STINT_GPU_COPY] = STINT_STORE_COPIES,
        [STINT_GPU_SET] = STINT_STORE_SETS,          [STINT_GPU_UNIFIED] = STINT_STORE_COPIES,
        [STINT_GPU_SPAN] = STINT_STORE_OTHERS,       [STINT_GPU_SYNC] = STINT_STORE_WAITS,
        [STINT_GPU_FAULT] = STINT_STORE_OTHERS,      [STINT_GPU_OVERHEAD] = STINT_STORE_OTHERS,
        [STINT_GPU_UNMEASURED] = STINT_STORE_OTHERS,
    };
    static const enum stint_store_table others[] = {[STINT_ROW_OF_OS_CALL] = STINT_STORE_OS,
                                                    [STINT_ROW_OF_VALUE] = STINT_STORE_VALUES,
                                                    [STINT_ROW_OF_MEMORY] = STINT_STORE_MEMORY,
                                                    [STINT_ROW_OF_SAMPLE] = STINT_STORE_SAMPLES};
    if (row->of != STINT_ROW_OF_GPU)
        return others[row->of];
    return row->event.api ? STINT_STORE_CALLS : tables[row->event.kind];
}

static uint32_t code_of(const struct stint_gpu_event *event, enum stint_store_table table)
{
    enum { OS_RUNTIME = 27 }; /* in ENUM_NSYS_EVENT_CLASS */
    if (table == STINT_STORE_OS)
        return OS_RUNTIME;
    if (table == STINT_STORE_CALLS)
        return (uint32_t)stint_call_is_driver(event->name);
    return table == STINT_STORE_COPIES ? stint_nsys_copy(event->kind, event->direction) : (uint32_t)event->wait;
}

static void write_gpu_row(struct stint_rows *rows, struct stint_gpu_row *row)
{
    enum stint_store_table table = table_of(row);
    if (table <= STINT_STORE_OS)
        row->code = code_of(&row->event, table);
    if (table == STINT_STORE_KERNELS)
        row->short_name = (uint32_t)stint_strings_short(rows->strings, row->name);
    write_row(rows, table, row, row->event.start_ns);
}

static void write_gpu(struct stint_rows *rows)
{
    sort(rows->gpu, rows->gpu_count, sizeof *rows->gpu, compare_gpu);
    for (size_t i = 0; i < rows->gpu_count; i++)
        write_gpu_row(rows, &rows->gpu[i]);
    rows->gpu_count = 0;
}

void stint_rows_add_gpu(struct stint_rows *rows, const struct stint_gpu_row *row)
{
    if (!rows->gpu || rows->sql->failed)
        return;
    rows->gpu[rows->gpu_count++] = *row;
    if (rows->gpu_count == GPU_ROWS)
        stint_rows_flush(rows);
}

void stint_rows_flush(struct stint_rows *rows)
{
    if (rows->range_count)
        write_ranges(rows);
    if (rows->gpu_count)
        write_gpu(rows);
    for (int i = 0; i < STINT_STORE_TABLES; i++)
        end_run(rows, (enum stint_store_table)i);
}

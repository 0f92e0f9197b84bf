/* CSV for programs: a header, and one row per statistic. Fields are quoted as in RFC 4180; lines end with "\n", as Unix
 * tools expect. */
#include <string.h>

#include "base/text.h"
#include "report/report.h"
#include "report/row_order.h"
#include "report/sheet.h"
#include "report/summary.h"

/* Whether a spreadsheet would compute the field rather than show it. A number is shown. */
static int is_formula(const char *field)
{
    if (*field == '+' || *field == '-')
        return field[1 + strspn(field + 1, "0123456789.eE+-")] != '\0';
    return *field == '=' || *field == '@' || *field == '\t';
}

void stint_csv_content(struct stint_text *text, const char *field)
{
    stint_text_string(text, is_formula(field) ? "'" : "");
    stint_escape_put(text, stint_escape_csv, field);
}

void stint_csv_quoted(struct stint_text *text, const char *field)
{
    stint_text_string(text, "\"");
    stint_csv_content(text, field);
    stint_text_string(text, "\"");
}

void stint_csv_field(struct stint_text *text, const char *field)
{
    if (field[strcspn(field, ",\"\n")])
        stint_csv_quoted(text, field);
    else
        stint_csv_content(text, field);
}

/* One after another, ended by an empty one: each pointer would cost a relocation. */
static const char s_keys[] = "set\0name\0count\0recursive\0total_ns\0self_ns\0min_ns\0max_ns\0avg_ns\0p50_ns\0"
                             "p90_ns\0p99_ns\0stddev_ns\0running\0running_ns\0file\0line\0gpu_ns\0gpu_self_ns\0"
                             "kernels\0copies\0copy_bytes\0launch_ns\0cpu_ns\0left_out\0error_ns\0";

struct rows {
    const struct stint_snapshot *snapshot;
    struct stint_gpu_sum gpu;
    const size_t *order; /* NULL: in the snapshot's order */
};

/* Values that need a histogram. Without one the fields are empty, which readers treat as missing. */
static void put_distribution(struct stint_sheet *sheet, size_t column, const struct stint_numbers *numbers)
{
    if (!numbers->bin_count)
        return;
    stint_sheet_value(sheet, column, stint_numbers_percentile_ns(numbers, 0.50));
    stint_sheet_value(sheet, column + 1, stint_numbers_percentile_ns(numbers, 0.90));
    stint_sheet_value(sheet, column + 2, stint_numbers_percentile_ns(numbers, 0.99));
    stint_number_fixed(stint_sheet_text(sheet, column + 3), stint_numbers_stddev_ns(numbers), 3);
}

static int next_stat_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct rows *rows = context;
    if (*next == rows->snapshot->stat_count)
        return 0;
    size_t position = (*next)++;
    const struct stint_stat *stat = &rows->snapshot->stats[rows->order ? rows->order[position] : position];
    const struct stint_numbers *numbers = &stat->numbers;
    size_t i = 0; /* in the order of the columns */
    stint_sheet_string(sheet, i++, stat->set);
    stint_sheet_string(sheet, i++, stat->name);
    stint_sheet_value(sheet, i++, numbers->count);
    stint_sheet_value(sheet, i++, numbers->recursive);
    stint_sheet_value(sheet, i++, numbers->total_ns);
    stint_sheet_value(sheet, i++, numbers->self_ns);
    stint_sheet_value(sheet, i++, numbers->min_ns);
    stint_sheet_value(sheet, i++, numbers->max_ns);
    stint_sheet_value(sheet, i++, stint_numbers_avg_ns(numbers));
    put_distribution(sheet, i, numbers);
    i += 4;
    stint_sheet_value(sheet, i++, numbers->running);
    stint_sheet_value(sheet, i++, numbers->running_ns);
    stint_sheet_string(sheet, i++, stat->file);
    stint_sheet_value(sheet, i++, stat->line);
    stint_sheet_value(sheet, i++, stint_gpu_shown_ns(&rows->gpu, &stat->gpu));
    stint_sheet_value(sheet, i++, stint_gpu_shown_ns(&rows->gpu, &stat->gpu_self));
    stint_sheet_value(sheet, i++, stat->gpu.kernels);
    stint_sheet_value(sheet, i++, stat->gpu.copies);
    stint_sheet_value(sheet, i++, stat->gpu.copy_bytes);
    stint_sheet_value(sheet, i++, stat->gpu.launch_ns);
    stint_sheet_value(sheet, i++, numbers->cpu_ns);
    stint_sheet_value(sheet, i++, numbers->left_out);
    stint_sheet_value(sheet, i, stint_whole_ns(numbers->error_ns));
    return 1;
}

void stint_report_csv(struct stint_text *text, const struct stint_snapshot *snapshot, const struct stint_layout *layout)
{
    struct stint_arena arena = {0};
    struct rows rows = {.snapshot = snapshot,
                        .gpu = stint_gpu_sum_of(snapshot),
                        .order = stint_stats_order(snapshot, layout->sort, &arena)};
    struct stint_column columns[STINT_SHEET_COLUMNS] = {{0}};
    struct stint_sheet sheet = {.columns = columns, .next = next_stat_row, .context = &rows};
    for (const char *key = s_keys; *key; key += strlen(key) + 1)
        columns[sheet.count++].key = key;
    if (!(snapshot->process.budget > 0))
        sheet.count -= 2;
    stint_sheet_put_csv(&sheet, text, layout);
    stint_arena_free(&arena);
}

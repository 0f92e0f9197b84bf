/* What programs read: one line per row and metric in CSV, as statistics programs prefer it. */
#include <math.h>

#include "base/exact.h"
#include "diff/diff_formats.h"

const struct stint_column stint_diff_columns[STINT_DIFF_COLUMNS] = {
    {.key = "kind"},        {.key = "set"},
    {.key = "name"},        {.key = "presence"},
    {.key = "metric"},      {.key = "unit"},
    {.key = "a"},           {.key = "b"},
    {.key = "change"},      {.key = "change_percent"},
    {.key = "low_percent"}, {.key = "high_percent"},
    {.key = "verdict"},
};

/* More than four decimals are not significant, and may differ between machines. Without a number the cell is empty. */
static void put_number(struct stint_sheet *sheet, size_t column, double value, int is_there)
{
    if (is_there && isfinite(value))
        stint_number_exact(stint_sheet_text(sheet, column), round(value * 1e4) / 1e4);
}

void stint_diff_put_change(struct stint_sheet *sheet, const struct stint_change *change)
{
    static const char *const verdicts[] = {[STINT_VERDICT_NONE] = NULL,
                                           [STINT_VERDICT_SAME] = "same",
                                           [STINT_VERDICT_NOISE] = "noise",
                                           [STINT_VERDICT_CHANGED] = "changed"};
    size_t i = STINT_DIFF_CHANGE;
    int a = change->files[STINT_DIFF_A] != 0, b = change->files[STINT_DIFF_B] != 0;
    int noise = change->noise != STINT_NOISE_UNKNOWN;
    put_number(sheet, i++, change->value[STINT_DIFF_A], a);
    put_number(sheet, i++, change->value[STINT_DIFF_B], b);
    put_number(sheet, i++, change->difference, a && b);
    put_number(sheet, i++, 100 * change->part, a && b);
    put_number(sheet, i++, 100 * change->part_in.low, noise);
    put_number(sheet, i++, 100 * change->part_in.high, noise);
    stint_sheet_string(sheet, i, verdicts[change->verdict]);
}

/* -------------------------------------------------------------------------------------------------------------- CSV */

struct changes {
    const struct stint_diff *diff;
    struct stint_diff_rows rows;
};

static const char *presence(const struct stint_diff_row *row)
{
    if (!row->files[STINT_DIFF_A])
        return "new";
    return row->files[STINT_DIFF_B] ? "both" : "gone";
}

static int next_change(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct changes *changes = context;
    while (*next < changes->rows.count * STINT_METRICS) {
        size_t position = changes->rows.position[*next / STINT_METRICS];
        enum stint_metric metric = (enum stint_metric)((*next)++ % STINT_METRICS);
        const struct stint_diff_row *row = stint_diff_row_at(changes->diff, position);
        struct stint_change change = stint_change_of(changes->diff, row, metric);
        if (!change.files[STINT_DIFF_A] && !change.files[STINT_DIFF_B])
            continue;
        size_t i = 0; /* in the order of the columns */
        stint_sheet_string(sheet, i++, stint_diff_kind_name(row->kind));
        stint_sheet_string(sheet, i++, row->set);
        stint_sheet_string(sheet, i++, row->path);
        stint_sheet_string(sheet, i++, presence(row));
        stint_sheet_string(sheet, i++, stint_metric_name(metric));
        stint_sheet_string(sheet, i, stint_metric_unit_name(metric));
        stint_diff_put_change(sheet, &change);
        return 1;
    }
    return 0;
}

void stint_diff_write_csv(struct stint_text *text, const struct stint_diff_report *report)
{
    struct stint_arena arena = {0};
    struct changes changes = {report->diff, stint_diff_rows_of(report, report->kinds, &arena)};
    struct stint_sheet sheet = {STINT_COLUMNS(stint_diff_columns), .next = next_change, .context = &changes};
    stint_sheet_put_csv(&sheet, text, &(struct stint_layout){0});
    stint_arena_free(&arena);
}

/* One row per scope, kernel, … in groups; the largest change comes first. */
#include <math.h>
#include <string.h>

#include "diff/diff.h"
#include "diff/metric.h"
#include "report/sheet.h"

enum { COLUMN_A, COLUMN_B, COLUMN_CHANGE, COLUMN_NOISE, COLUMN_OTHERS, COLUMN_NAME = 10, COLUMNS, LEAST = 8 };

/* From COLUMN_OTHERS on, the value is the metric whose change is shown. */
static const struct stint_column s_columns[COLUMNS] = {
    [COLUMN_A] = {.title = "A", .unit = STINT_COLUMN_SUM, .least = LEAST},
    [COLUMN_B] = {.title = "B", .unit = STINT_COLUMN_SUM, .least = LEAST},
    [COLUMN_CHANGE] = {.title = "Change", .unit = STINT_COLUMN_SHARE, .least = LEAST},
    [COLUMN_NOISE] = {.title = "Noise", .unit = STINT_COLUMN_SHARE, .least = LEAST},
    {.title = "Count", .unit = STINT_COLUMN_SHARE, .least = LEAST, .hide = 6, .value = STINT_METRIC_COUNT},
    {.title = "Avg", .unit = STINT_COLUMN_SHARE, .least = LEAST, .hide = 5, .value = STINT_METRIC_AVG},
    {.title = "p50", .unit = STINT_COLUMN_SHARE, .least = LEAST, .hide = 3, .value = STINT_METRIC_P50},
    {.title = "p99", .unit = STINT_COLUMN_SHARE, .least = LEAST, .hide = 2, .value = STINT_METRIC_P99},
    {.title = "Self", .unit = STINT_COLUMN_SHARE, .least = LEAST, .hide = 1, .value = STINT_METRIC_SELF},
    {.title = "GPU", .unit = STINT_COLUMN_SHARE, .least = LEAST, .hide = 4, .value = STINT_METRIC_GPU},
    [COLUMN_NAME] = {.unit = STINT_COLUMN_NAME},
};

struct table {
    const struct stint_diff_report *report;
    struct stint_text *text;
    struct stint_layout layout; /* its columns alone */
    struct stint_diff_rows rows;
};

/* ------------------------------------------------------------------------------------------------------------ cells */

/* A star: more than noise. */
static void put_part(char *cell, const struct stint_change *change)
{
    if (!change->files[STINT_DIFF_A] || !change->files[STINT_DIFF_B]) {
        memcpy(cell, "-", 2);
        return;
    }
    if (!isfinite(change->part)) {
        struct stint_amount text = stint_amount_of_part(change->part);
        memcpy(cell, text.text, strlen(text.text) + 1);
        return;
    }
    size_t length = stint_amount_percent(cell, change->part);
    memcpy(cell + length, change->verdict == STINT_VERDICT_CHANGED ? "*" : " ", 2);
}

/* How much of the change may be noise: all of it, unless it has a star. */
static void put_noise(char *cell, const struct stint_change *change)
{
    double reach = change->part > 0 ? change->part - change->part_in.low : change->part_in.high - change->part;
    if (change->verdict == STINT_VERDICT_SAME || !change->files[STINT_DIFF_A] || !change->files[STINT_DIFF_B])
        memcpy(cell, "", 1);
    else if (change->noise == STINT_NOISE_UNKNOWN || !isfinite(reach))
        memcpy(cell, "?", 2);
    else
        stint_number_fixed(cell, 100 * reach, 1);
}

static const struct stint_diff_row *row_at(const struct table *table, size_t i)
{
    return stint_diff_row_at(table->report->diff, table->rows.position[i]);
}

/* Sums that do not fit are shown as the largest number that does. */
static uint64_t whole(double value)
{
    return value < 0x1p64 ? (uint64_t)(value + 0.5) : UINT64_MAX;
}

/* Counters have a unit in each row. */
static void put_amount(char *cell, enum stint_metric metric, double value)
{
    struct stint_amount amount = stint_amount(metric, value);
    memcpy(cell, amount.text, STINT_NUMBER_SIZE);
    cell[STINT_NUMBER_SIZE - 1] = '\0';
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct table *table = context;
    if (*next == table->rows.count)
        return 0;
    const struct stint_diff_row *row = row_at(table, (*next)++);
    enum stint_metric metric = stint_diff_main_metric(row);
    struct stint_change total = stint_change_of(table->report->diff, row, metric);
    for (int side = 0; side < STINT_DIFF_SIDES; side++) {
        size_t column = side ? COLUMN_B : COLUMN_A;
        if (total.files[side] && !stint_diff_kind_is_counter(row->kind))
            stint_sheet_value(sheet, column, whole(total.value[side]));
        else if (total.files[side])
            put_amount(stint_sheet_text(sheet, column), metric, total.value[side]);
    }
    put_part(stint_sheet_text(sheet, COLUMN_CHANGE), &total);
    put_noise(stint_sheet_text(sheet, COLUMN_NOISE), &total);
    if (!row->files[STINT_DIFF_A] || !row->files[STINT_DIFF_B]) {
        stint_sheet_string(sheet, COLUMN_CHANGE, row->files[STINT_DIFF_B] ? "new " : "gone ");
        stint_sheet_string(sheet, COLUMN_NOISE, "");
    }
    for (size_t i = COLUMN_OTHERS; i < COLUMN_NAME; i++) {
        if (!stint_sheet_shows(sheet, i))
            continue;
        struct stint_change change = stint_change_of(table->report->diff, row, sheet->columns[i].value);
        put_part(stint_sheet_text(sheet, i), &change);
    }
    sheet->cell[COLUMN_NAME].label = stint_diff_label(row);
    return 1;
}

/* Columns that are empty in all rows are left out. */
static int is_measured(const struct table *table, enum stint_metric metric)
{
    for (size_t i = 0; i < table->rows.count; i++)
        if (stint_change_is_known(table->report->diff, row_at(table, i), metric))
            return 1;
    return 0;
}

static int has_one_metric(enum stint_diff_kind kind)
{
    return stint_diff_kind_is_counter(kind) || kind == STINT_DIFF_FUNCTION;
}

static void put_rows(struct table *table, enum stint_diff_kind kind)
{
    enum { NAME_LEAST = 24 };
    const char *title = stint_diff_kind_title(kind);
    struct stint_column columns[COLUMNS];
    struct stint_sheet sheet = {.columns = columns,
                                .count = COLUMNS,
                                .next = next_row,
                                .context = table,
                                .name_floor = 1,
                                .name_least = NAME_LEAST};
    memcpy(columns, s_columns, sizeof columns);
    if (stint_diff_kind_is_counter(kind))
        columns[COLUMN_A].unit = columns[COLUMN_B].unit = STINT_COLUMN_PLAIN;
    columns[COLUMN_NAME].title = title;
    columns[COLUMN_NAME].least = (unsigned char)strlen(title);
    for (size_t i = COLUMN_OTHERS; i < COLUMN_NAME; i++)
        if (has_one_metric(kind) || !is_measured(table, columns[i].value))
            sheet.hidden |= 1U << i;
    stint_sheet_fit(&sheet, &table->layout);
    stint_sheet_put(&sheet, table->text);
}

/* ------------------------------------------------------------------------------------------------------------ parts */

static void put_line(const struct table *table, struct stint_line *line)
{
    stint_line_put(line, table->text, &table->layout, STINT_LINE_PLAIN);
}

static void put_files(const struct table *table, int side)
{
    const struct stint_diff *diff = table->report->diff;
    struct stint_line line = {0};
    size_t first = side ? diff->side[STINT_DIFF_A].count : 0;
    stint_line_string(&line, side ? "B: " : "A: ");
    if (diff->side[side].count > 1)
        stint_line_say(&line, "%zu files: ", diff->side[side].count);
    for (size_t i = 0; i < diff->side[side].count; i++) {
        stint_line_string(&line, i ? " " : "");
        stint_line_escaped(&line, table->report->names[first + i], 200);
    }
    put_line(table, &line);
}

static void put_head(const struct table *table)
{
    struct stint_line line = {0};
    put_files(table, STINT_DIFF_A);
    put_files(table, STINT_DIFF_B);
    stint_diff_put_noise(&line, table->report->diff);
    put_line(table, &line);
    for (size_t i = 0; i < table->report->notes->count; i++) {
        stint_line_string(&line, "note: ");
        stint_line_escaped(&line, ((const char *const *)table->report->notes->items)[i], SIZE_MAX);
        put_line(table, &line);
    }
}

static void put_rest(const struct table *table, size_t rest)
{
    struct stint_line line = {0};
    stint_line_say(&line, "… %zu more row%s (--top 0 shows all)", rest, rest == 1 ? "" : "s");
    put_line(table, &line);
}

static void put_group(struct table *table, enum stint_diff_kind kind)
{
    struct stint_arena arena = {0};
    table->rows = stint_diff_rows_of(table->report, 1U << kind, &arena);
    size_t all = table->rows.count, top = table->report->top;
    table->rows.count = top && top < all ? top : all;
    if (all) {
        stint_text_string(table->text, "\n");
        put_rows(table, kind);
        if (all > table->rows.count)
            put_rest(table, all - table->rows.count);
    }
    stint_arena_free(&arena);
}

/* "FAIL  scope:forward:p50 < +5%: forward: A 3.1 ms, ..." */
static void put_check(const struct table *table, const struct stint_check *check)
{
    struct stint_line line = {0};
    size_t length = strlen(stint_outcome_name(check->outcome));
    stint_line_string(&line, stint_outcome_name(check->outcome));
    stint_line_bytes(&line, "              ", 14 - length);
    stint_line_escaped(&line, check->rule->text, 80);
    if (check->row) {
        stint_line_string(&line, "  ");
        stint_line_escaped(&line, check->row->path, 80);
    }
    stint_line_string(&line, ": ");
    stint_check_explain(&line, check);
    put_line(table, &line);
}

/* Shows all checks that did not pass, and at most as many passed ones as there may be rows. */
static void put_checks(const struct table *table)
{
    const struct stint_array *checks = table->report->checks;
    struct stint_line line = {0};
    size_t passed = 0;
    stint_text_string(table->text, "\n");
    for (size_t i = 0; i < checks->count; i++) {
        const struct stint_check *check = (const struct stint_check *)checks->items + i;
        passed += check->outcome == STINT_OUTCOME_PASS;
        if (check->outcome != STINT_OUTCOME_PASS || !table->report->top || passed <= table->report->top)
            put_check(table, check);
    }
    stint_diff_put_outcome(&line, checks);
    put_line(table, &line);
}

void stint_diff_write_table(struct stint_text *text, const struct stint_diff_report *report, unsigned columns)
{
    struct table table = {.report = report, .text = text, .layout = {.columns = columns}};
    put_head(&table);
    for (int kind = 0; kind < STINT_DIFF_KINDS; kind++)
        put_group(&table, (enum stint_diff_kind)kind);
    if (report->checks)
        put_checks(&table);
}

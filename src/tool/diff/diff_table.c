/* One row per scope, kernel, … in groups; what changed most stands first. */
#include <math.h>
#include <string.h>

#include "diff/amount.h"
#include "diff/diff_formats.h"
#include "report/grid.h"
#include "report/units.h"

/* The changes of other metrics, in the order in which they stand. */
static const struct {
    enum stint_metric metric;
    const char *title;
} s_changes[] = {
    {STINT_METRIC_COUNT, "Count"}, {STINT_METRIC_AVG, "Avg"},   {STINT_METRIC_P50, "p50"},
    {STINT_METRIC_P99, "p99"},     {STINT_METRIC_SELF, "Self"}, {STINT_METRIC_GPU, "GPU"},
};

/* Their positions, the first to go where the screen is too narrow. */
static const size_t s_drop[] = {4, 3, 2, 5, 1, 0};

enum { CHANGES = sizeof s_changes / sizeof s_changes[0], NAME_LEAST = 24, COLUMN_LEAST = 8, FIXED = 4 };

struct table {
    const struct stint_diff_report *report;
    struct stint_text *text;
    struct stint_layout layout; /* of notes: its columns alone */
    struct stint_diff_rows rows;
    enum stint_time_unit unit;
    int shown[CHANGES];
    size_t name_columns;
    size_t name_wanted;
};

/* -------------------------------------------------------------------------------------------------------------- cells */

/* A star: more than noise. */
static void put_part(char *cell, const struct stint_change *change)
{
    if (!change->files[STINT_DIFF_A] || !change->files[STINT_DIFF_B]) {
        memcpy(cell, "-", 2);
        return;
    }
    if (!isfinite(change->part)) {
        memcpy(cell, "from 0", 7);
        return;
    }
    size_t length = stint_amount_percent(cell, change->part);
    memcpy(cell + length, change->verdict == STINT_VERDICT_CHANGED ? "*" : " ", 2);
}

/* How much of the change may be noise: all of it, unless it has a star. */
static void put_noise(char *cell, const struct stint_change *change)
{
    double reach = change->part > 0 ? change->part - change->part_in.low : change->part_in.high - change->part;
    if (change->verdict == STINT_VERDICT_SAME)
        memcpy(cell, "", 1);
    else if (change->noise == STINT_NOISE_UNKNOWN || !isfinite(reach))
        memcpy(cell, "?", 2);
    else
        stint_number_fixed(cell, 100 * reach, 1);
}

static void put_time(char *cell, const struct table *table, const struct stint_change *change, int side)
{
    if (change->files[side])
        stint_unit_format(cell, table->unit, (uint64_t)(change->value[side] + 0.5));
    else
        memcpy(cell, "-", 2);
}

static struct stint_cells cells_of(const struct table *table, const struct stint_diff_row *row)
{
    struct stint_cells cells = {0};
    struct stint_change total = stint_change_of(table->report->diff, row, STINT_METRIC_TOTAL);
    put_time(stint_cells_next(&cells), table, &total, STINT_DIFF_A);
    put_time(stint_cells_next(&cells), table, &total, STINT_DIFF_B);
    if (!row->files[STINT_DIFF_A] || !row->files[STINT_DIFF_B]) {
        stint_cells_string(&cells, row->files[STINT_DIFF_B] ? "new " : "gone ");
        stint_cells_string(&cells, "");
    } else {
        put_part(stint_cells_next(&cells), &total);
        put_noise(stint_cells_next(&cells), &total);
    }
    for (size_t i = 0; i < CHANGES; i++) {
        if (!table->shown[i])
            continue;
        struct stint_change change = stint_change_of(table->report->diff, row, s_changes[i].metric);
        put_part(stint_cells_next(&cells), &change);
    }
    return cells;
}

/* ------------------------------------------------------------------------------------------------------------- layout */

static void begin_grid(const struct table *table, struct stint_grid *grid)
{
    *grid = (struct stint_grid){0};
    stint_grid_column(grid, "A", stint_unit_name(table->unit), COLUMN_LEAST);
    stint_grid_column(grid, "B", stint_unit_name(table->unit), COLUMN_LEAST);
    stint_grid_column(grid, "Change", "%", COLUMN_LEAST);
    stint_grid_column(grid, "Noise", "%", COLUMN_LEAST);
    for (size_t i = 0; i < CHANGES; i++)
        if (table->shown[i])
            stint_grid_column(grid, s_changes[i].title, "%", COLUMN_LEAST);
}

static const struct stint_diff_row *row_at(const struct table *table, size_t i)
{
    return stint_diff_row_at(table->report->diff, table->rows.position[i]);
}

static void measure(const struct table *table, struct stint_grid *grid)
{
    begin_grid(table, grid);
    for (size_t i = 0; i < table->rows.count; i++) {
        struct stint_cells cells = cells_of(table, row_at(table, i));
        stint_grid_measure(grid, &cells);
    }
}

/* A column that no row has anything in is left out. */
static int is_measured(const struct table *table, enum stint_metric metric)
{
    for (size_t i = 0; i < table->rows.count; i++)
        if (stint_change_is_known(table->report->diff, row_at(table, i), metric))
            return 1;
    return 0;
}

static void drop(struct table *table, struct stint_grid *grid, size_t change)
{
    size_t column = FIXED;
    if (!table->shown[change])
        return;
    for (size_t i = 0; i < change; i++)
        column += table->shown[i] != 0;
    table->shown[change] = 0;
    grid->count--;
    memmove(&grid->column[column], &grid->column[column + 1], (grid->count - column) * sizeof grid->column[0]);
}

static void fit(struct table *table, struct stint_grid *grid)
{
    size_t least = table->name_wanted < NAME_LEAST ? table->name_wanted : NAME_LEAST;
    size_t columns = table->layout.columns;
    for (size_t i = 0; i < CHANGES; i++)
        table->shown[i] = is_measured(table, s_changes[i].metric);
    measure(table, grid);
    for (size_t i = 0; columns && stint_grid_width(grid) + least > columns && i < CHANGES; i++)
        drop(table, grid, s_drop[i]);
    size_t width = stint_grid_width(grid);
    table->name_columns = !columns ? SIZE_MAX : columns > width + 1 ? columns - width : 1;
}

static void choose_unit(struct table *table)
{
    double least = INFINITY, greatest = 0;
    for (size_t i = 0; i < table->rows.count; i++) {
        for (int side = 0; side < STINT_DIFF_SIDES; side++) {
            double ns = stint_change_mean(table->report->diff, row_at(table, i), side, STINT_METRIC_TOTAL);
            least = ns >= 1 && ns < least ? ns : least;
            greatest = fmax(greatest, ns);
        }
        size_t wanted = stint_label_columns(stint_diff_label(row_at(table, i)));
        table->name_wanted = wanted > table->name_wanted ? wanted : table->name_wanted;
    }
    table->unit = stint_unit_choose(isfinite(least) ? (uint64_t)least : 0, (uint64_t)greatest);
}

/* -------------------------------------------------------------------------------------------------------------- parts */

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
    if (diff->side[side].count > 1) {
        stint_line_count(&line, diff->side[side].count, "file", "files");
        stint_line_string(&line, ": ");
    }
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
    stint_line_string(&line, "… ");
    stint_line_count(&line, rest, "more row", "more rows");
    stint_line_string(&line, " (--top 0 shows all)");
    put_line(table, &line);
}

static void put_group(struct table *table, enum stint_diff_kind kind)
{
    struct stint_arena arena = {0};
    struct stint_grid grid;
    table->rows = stint_diff_rows_of(table->report, kind, &arena);
    size_t all = table->rows.count, top = table->report->top;
    table->rows.count = top && top < all ? top : all;
    if (all) {
        table->name_wanted = strlen(stint_diff_kind_title(kind));
        choose_unit(table);
        fit(table, &grid);
        stint_text_string(table->text, "\n");
        stint_grid_header(&grid, table->text, stint_diff_kind_title(kind));
        stint_text_string(table->text, "\n");
        for (size_t i = 0; i < table->rows.count; i++) {
            struct stint_cells cells = cells_of(table, row_at(table, i));
            stint_grid_row(&grid, table->text, &cells);
            stint_label_put(table->text, stint_diff_label(row_at(table, i)), table->name_columns);
            stint_text_string(table->text, "\n");
        }
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

/* All that did not pass, and as many of those that did as there are rows. */
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
        if (report->kinds & 1U << kind)
            put_group(&table, (enum stint_diff_kind)kind);
    if (report->checks)
        put_checks(&table);
}

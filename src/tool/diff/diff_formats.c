/* What the writers of a comparison share: the order of rows, words, and the columns for programs. And the short ones:
 * CSV has a line per row and metric, as statistics programs prefer it; JUnit a test case per check, for servers that
 * show tests. */
#include "diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

struct key {
    double size;
    const struct stint_diff_row *row;
};

static int by_name(const struct stint_diff_row *a, const struct stint_diff_row *b)
{
    int order = strcmp(a->path, b->path);
    return order ? order : strcmp(a->set, b->set);
}

static int compare_keys(const void *left, const void *right)
{
    const struct key *a = left, *b = right;
    if (a->row->kind != b->row->kind)
        return a->row->kind < b->row->kind ? -1 : 1;
    if (a->size > b->size || a->size < b->size)
        return a->size > b->size ? -1 : 1;
    int order = by_name(a->row, b->row);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Counters have different units: their changes are compared as parts. */
static double part_of(const struct stint_diff_row *row, double a, double b)
{
    if (!row->files[STINT_DIFF_A] || !row->files[STINT_DIFF_B] || !(fabs(b - a) > 0))
        return 0;
    return a > 0 ? fabs(b - a) / a : INFINITY;
}

static double size_of(const struct stint_diff_report *report, const struct stint_diff_row *row)
{
    double a = stint_change_mean(report->diff, row, STINT_DIFF_A, stint_diff_main_metric(row));
    double b = stint_change_mean(report->diff, row, STINT_DIFF_B, stint_diff_main_metric(row));
    if (report->sort == STINT_DIFF_SORT_NAME)
        return 0;
    if (stint_diff_kind_is_counter(row->kind))
        return part_of(row, a, b);
    return report->sort == STINT_DIFF_SORT_TOTAL ? fmax(a, b) : fabs(b - a);
}

struct stint_diff_rows stint_diff_rows_of(const struct stint_diff_report *report, unsigned kinds,
                                          struct stint_arena *arena)
{
    size_t all = report->diff->rows.count, count = 0;
    struct key *keys = stint_arena_alloc(arena, (all + 1) * sizeof *keys);
    size_t *position = stint_arena_alloc(arena, (all + 1) * sizeof *position);
    if (!keys || !position)
        return (struct stint_diff_rows){0};
    for (size_t i = 0; i < all; i++) {
        const struct stint_diff_row *row = stint_diff_row_at(report->diff, i);
        if (report->kinds & kinds & 1U << row->kind)
            keys[count++] = (struct key){.size = size_of(report, row), .row = row};
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++)
        position[i] = (size_t)(keys[i].row - stint_diff_row_at(report->diff, 0));
    return (struct stint_diff_rows){.position = position, .count = count};
}

/* ------------------------------------------------------------------------------------------------------------ words */

enum { ENOUGH_FILES = 4 };

void stint_diff_put_noise(struct stint_line *line, const struct stint_diff *diff)
{
    size_t a = diff->side[STINT_DIFF_A].count, b = diff->side[STINT_DIFF_B].count;
    size_t fewest = a < b ? a : b;
    if (stint_noise_of(diff) == STINT_NOISE_WITHIN) {
        stint_line_string(
            line, "noise: with 1 file on a side, estimated only from the spread within the runs, not between runs; "
                  "* marks changes beyond it");
        return;
    }
    stint_line_say(line, "noise: 95 %% intervals from %zu and %zu runs; * marks changes beyond them", a, b);
    if (fewest < ENOUGH_FILES)
        stint_line_say(line, "; with so few, 1 in %s unchanged rows is marked, too: take 5 runs per side",
                       fewest == 2 ? "3" : "10");
}

static void put_part(struct stint_line *line, size_t count, const char *singular, const char *plural)
{
    if (count)
        stint_line_say(line, ", %zu%s", count, count == 1 ? singular : plural);
}

void stint_diff_put_outcome(struct stint_line *line, const struct stint_array *checks)
{
    stint_line_say(line, "%zu of %zu check%s failed", stint_checks_count(checks, STINT_OUTCOME_FAIL), checks->count,
                   checks->count == 1 ? "" : "s");
    put_part(line, stint_checks_count(checks, STINT_OUTCOME_UNSURE), " is inconclusive", " are inconclusive");
    put_part(line, stint_checks_count(checks, STINT_OUTCOME_SKIP), " had nothing to compare",
             " had nothing to compare");
    put_part(line, stint_checks_count(checks, STINT_OUTCOME_PASS), " passed", " passed");
}

/* ---------------------------------------------------------------------------------------------------------- columns */

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

/* ------------------------------------------------------------------------------------------------------------ JUnit */

static void put_attribute(struct stint_text *text, const char *name, const char *value)
{
    stint_text_say(text, " %s=\"", name);
    stint_escape_put(text, stint_escape_xml, value);
    stint_text_string(text, "\"");
}

/* "forward (scope:*:p50 < +5%)" */
static void put_name(struct stint_text *text, const struct stint_check *check)
{
    stint_text_string(text, " name=\"");
    if (check->row) {
        stint_escape_put(text, stint_escape_xml, check->row->path);
        stint_text_string(text, " (");
    }
    stint_escape_put(text, stint_escape_xml, check->rule->text);
    stint_text_string(text, check->row ? ")\"" : "\"");
}

static void put_explanation(struct stint_text *text, const struct stint_check *check, const char *before)
{
    struct stint_line line = {0};
    stint_line_string(&line, before);
    stint_check_explain(&line, check);
    put_attribute(text, "message", line.text);
}

static void put_case(struct stint_text *text, const struct stint_check *check)
{
    stint_text_say(text, "  <testcase classname=\"stint.%s\"",
                   check->row ? stint_diff_kind_name(check->row->kind) : "rule");
    put_name(text, check);
    if (check->outcome == STINT_OUTCOME_PASS) {
        stint_text_string(text, "/>\n");
        return;
    }
    stint_text_string(text, check->outcome == STINT_OUTCOME_FAIL ? "><failure" : "><skipped");
    put_explanation(text, check, check->outcome == STINT_OUTCOME_UNSURE ? "inconclusive: " : "");
    stint_text_string(text, "/></testcase>\n");
}

void stint_diff_write_junit(struct stint_text *text, const struct stint_diff_report *report)
{
    const struct stint_array *checks = report->checks;
    stint_text_say(text,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"stint diff\" tests=\"%zu\" "
                   "failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n",
                   checks->count, stint_checks_count(checks, STINT_OUTCOME_FAIL),
                   stint_checks_count(checks, STINT_OUTCOME_SKIP) + stint_checks_count(checks, STINT_OUTCOME_UNSURE));
    for (size_t i = 0; i < checks->count; i++)
        put_case(text, (const struct stint_check *)checks->items + i);
    stint_text_string(text, "</testsuite>\n");
}

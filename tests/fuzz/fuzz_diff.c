/* Takes two reports in JSON and rules, with a form feed between them, and compares the reports by the
 * rules. What is written for programs is well-formed. */
#include "diff/diff.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fuzz.h"
#include "import/import.h"

static void write_programs_formats(const struct stint_diff_report *report)
{
    static void (*const writers[])(struct stint_text *, const struct stint_diff_report *) = {
        stint_diff_write_json, stint_diff_write_csv, stint_diff_write_junit, stint_diff_write_markdown};
    static void (*const checks[])(const struct output *) = {check_json, check_csv, check_xml, NULL};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        struct output output = {0};
        struct stint_text text;
        if (writers[i] == stint_diff_write_junit && !report->checks)
            continue;
        stint_text_begin(&text, keep, &output);
        writers[i](&text, report);
        require(stint_text_end(&text) == STINT_OK, "a comparison cannot be written");
        if (checks[i])
            checks[i](&output);
        free(output.text);
    }
}

static void write_tables(const struct stint_diff_report *report)
{
    static const unsigned columns[] = {0, 20, 80, 200};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct stint_text text;
        stint_text_begin(&text, discard, NULL);
        stint_diff_write_table(&text, report, columns[i]);
        (void)stint_text_end(&text);
    }
}

static void check_outcomes(const struct stint_array *checks)
{
    size_t sum = 0;
    for (int i = STINT_OUTCOME_PASS; i <= (int)STINT_OUTCOME_FAIL; i++)
        sum += stint_checks_count(checks, (enum stint_outcome)i);
    require(sum == checks->count, "a check has no outcome");
}

static void compare(struct stint_diff *diff, const char *rules, struct stint_arena *arena)
{
    static const char *const names[] = {"a1", "a2", "b1", "b2", "b3"};
    struct stint_array all = {0}, notes = {0}, checks = {0};
    struct stint_gate_error error;
    if (stint_gate_read(&all, arena, rules, &error))
        all.count = 0;
    require(stint_diff_note(diff, &notes, arena) == 0 && stint_gate_check(diff, &all, &checks, arena) == 0,
            "no memory");
    check_outcomes(&checks);
    struct stint_diff_report report = {
        .diff = diff, .names = names, .notes = &notes, .checks = all.count ? &checks : NULL, .kinds = ~0U, .top = 5};
    for (int sort = STINT_DIFF_SORT_CHANGE; sort <= (int)STINT_DIFF_SORT_TOTAL; sort++) {
        report.sort = (enum stint_diff_sort)sort;
        write_tables(&report);
    }
    write_programs_formats(&report);
}

/* Each report is a repetition of its side as well. */
static void compare_reports(const struct stint_snapshot *a, const struct stint_snapshot *b, const char *rules)
{
    const struct stint_snapshot *const of_a[] = {a, b}, *const of_b[] = {b, a, b};
    for (size_t times = 1; times <= 2; times++) {
        const struct stint_diff_side sides[] = {{of_a, times, NULL}, {of_b, times + 1, NULL}};
        struct stint_diff diff = {0};
        struct stint_arena arena = {0};
        require(stint_diff_begin(&diff, &sides[0], &sides[1]) == 0, "no memory");
        compare(&diff, rules, &arena);
        stint_diff_free(&diff);
        stint_arena_free(&arena);
    }
}

static struct stint_snapshot *read_part(const char *text)
{
    struct stint_import_error error;
    struct stint_snapshot *snapshot = NULL;
    (void)stint_import_json(text, strlen(text), &snapshot, &error);
    return snapshot;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = copy_text(data, size);
    char *rest = text;
    const char *first = strsep(&rest, "\f"), *second = strsep(&rest, "\f"), *rules = strsep(&rest, "\f");
    struct stint_snapshot *a = read_part(first), *b = read_part(second ? second : first);
    if (a && b)
        compare_reports(a, b, rules ? rules : "");
    stint_snapshot_free(a);
    stint_snapshot_free(b);
    free(text);
    return 0;
}

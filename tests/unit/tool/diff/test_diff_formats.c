#include <stdio.h>
#include <string.h>

#include "diff/diff_formats.h"
#include "diff/fixture.h"
#include "report/golden.h"
#include "stint_test.h"

typedef void write_fn(struct stint_text *text, const struct stint_diff_report *report);

static const char *const s_names[] = {"before.json", "after.json"};

static const char s_rules[] = "scope:forward:avg < +5%; scope:*ward:p50 < +20%; scope:backward:avg < +0.1%; "
                              "scope:prefetch:avg < +5% ?; total:wall:total < +5%";

static void write_table_80(struct stint_text *text, const struct stint_diff_report *report)
{
    stint_diff_write_table(text, report, 80);
}

static void write_table_200(struct stint_text *text, const struct stint_diff_report *report)
{
    stint_diff_write_table(text, report, 200);
}

/* Writes the comparison with everything in it. `change` may be NULL. */
static struct capture write_pair(const struct fixture *pair, const char *rules, write_fn *write,
                                 void (*change)(struct stint_diff_report *report))
{
    struct capture out = {0};
    struct fixture_diff both;
    struct stint_arena arena = {0};
    struct stint_array notes = {0}, gate = {0}, checks = {0};
    struct stint_gate_error error;
    struct stint_text text;
    fixture_compare(&both, pair, 1, 1);
    struct stint_diff_report report = {
        .diff = &both.diff, .names = s_names, .notes = &notes, .kinds = (1U << STINT_DIFF_KINDS) - 1, .top = 20};
    const char **note = stint_array_add(&notes, &arena, sizeof *note);
    *note = "A ran on the host node07, B on node08";
    if (rules) {
        assert_int_equal(stint_gate_read(&gate, &arena, rules, &error), 0);
        assert_int_equal(stint_gate_check(&both.diff, &gate, &checks, &arena), 0);
        report.checks = &checks;
    }
    if (change)
        change(&report);
    stint_text_begin(&text, capture_write, &out);
    write(&text, &report);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    stint_arena_free(&arena);
    fixture_forget(&both);
    return out;
}

static const struct fixture *training(void)
{
    static struct fixture pair[2];
    pair[0] = fixture_before;
    pair[1] = fixture_after;
    return pair;
}

static const struct fixture *nasty(void)
{
    static struct fixture pair[2];
    pair[0] = pair[1] = fixture_names;
    pair[1].scopes[1].ns = 2500;
    return pair;
}

static void assert_written(const struct fixture *pair, const char *rules, write_fn *write, const char *golden)
{
    struct capture out = write_pair(pair, rules, write, NULL);
    assert_golden(&out, golden);
    capture_free(&out);
}

static void table_fits_narrow_and_wide_screens(void **state)
{
    (void)state;
    struct capture out = write_pair(training(), s_rules, write_table_80, NULL);
    assert_true(capture_width(&out) <= 80);
    assert_golden(&out, "diff_table_80.txt");
    capture_free(&out);
    assert_written(training(), s_rules, write_table_200, "diff_table_200.txt");
}

static void names_cannot_break_the_table(void **state)
{
    (void)state;
    assert_written(nasty(), NULL, write_table_80, "diff_table_nasty.txt");
}

static void sums_beyond_64_bits_are_shown_as_the_largest_number(void **state)
{
    (void)state;
    struct fixture pair[2] = {fixture_names, fixture_names};
    pair[0].scopes[1].ns = pair[1].scopes[1].ns = UINT64_MAX;
    struct capture out = write_pair(pair, NULL, write_table_80, NULL);
    assert_non_null(strstr(out.text, "18446744073.7 s  18446744073.7 s         =             Set|with <ba"));
    capture_free(&out);
}

static void csv_has_a_line_per_row_and_metric(void **state)
{
    (void)state;
    assert_written(nasty(), NULL, stint_diff_write_csv, "diff_nasty.csv");
}

/* A line's last ten fields, in which no comma is. */
enum { FIELDS = 10, PRESENCE = 0, METRIC, UNIT, FIRST_NUMBER, VERDICT = 9 };

static void split_line(char *line, char *fields[FIELDS])
{
    for (int i = FIELDS - 1; i >= 0; i--) {
        char *comma = strrchr(line, ',');
        assert_non_null(comma);
        *comma = '\0';
        fields[i] = comma + 1;
    }
}

/* "total_ns":{"a":1,"b":2, … ,"verdict":null} */
static void member_of(char *out, size_t size, char *const fields[FIELDS])
{
    static const char *const keys[] = {"a", "b", "change", "change_percent", "low_percent", "high_percent"};
    int used = snprintf(out, size, "\"%s%s\":{", fields[METRIC], strcmp(fields[UNIT], "ns") == 0 ? "_ns" : "");
    for (size_t i = 0; i < 6; i++) {
        const char *number = fields[FIRST_NUMBER + i];
        used += snprintf(out + used, size - (size_t)used, "\"%s\":%s,", keys[i], *number ? number : "null");
    }
    const char *quote = *fields[VERDICT] ? "\"" : "";
    (void)snprintf(out + used, size - (size_t)used, "\"verdict\":%s%s%s}", quote,
                   *fields[VERDICT] ? fields[VERDICT] : "null", quote);
}

/* {"kind":"scope","set":"Set","name":"step","files_a":1,"files_b":0, of what precedes these fields: scope,Set,"step" */
static void row_of(char *out, size_t size, const char *line, const char *presence)
{
    const char *set = strchr(line, ',') + 1, *name = strchr(set, ',') + 1;
    int quoted = *name == '"';
    (void)snprintf(out, size, "{\"kind\":\"%.*s\",\"set\":\"%.*s\",\"name\":\"%.*s\",\"files_a\":%d,\"files_b\":%d,",
                   (int)(set - 1 - line), line, (int)(name - 1 - set), set, (int)strlen(name) - 2 * quoted,
                   name + quoted, strcmp(presence, "new") != 0, strcmp(presence, "gone") != 0);
}

static void csv_and_json_have_the_same_changes_in_the_same_order(void **state)
{
    struct capture csv = write_pair(training(), NULL, stint_diff_write_csv, NULL);
    struct capture json = write_pair(training(), NULL, stint_diff_write_json, NULL);
    const char *at = json.text;
    size_t lines = 0, members = 0;
    char *rest, *line = strtok_r(csv.text, "\n", &rest); /* the titles */
    (void)state;
    while ((line = strtok_r(NULL, "\n", &rest))) {
        char *fields[FIELDS], expected[400], row[400];
        split_line(line, fields);
        member_of(expected, sizeof expected, fields);
        at = strstr(at, expected);
        if (!at)
            fail_msg("JSON lacks %s", expected);
        const char *start = at;
        while (start[-1] != '\n')
            start--;
        row_of(row, sizeof row, line, fields[PRESENCE]);
        assert_memory_equal(start, row, strlen(row));
        at += strlen(expected);
        lines++;
    }
    for (at = json.text; (at = strstr(at, "\"verdict\":")); at++)
        members++;
    assert_int_equal(lines, members);
    assert_true(lines > 100);
    capture_free(&csv);
    capture_free(&json);
}

static void json_has_everything(void **state)
{
    (void)state;
    assert_written(training(), s_rules, stint_diff_write_json, "diff_training.json");
    assert_written(nasty(), NULL, stint_diff_write_json, "diff_nasty.json");
}

static void junit_has_a_case_per_check(void **state)
{
    (void)state;
    assert_written(training(), s_rules, stint_diff_write_junit, "diff_training.xml");
}

static void junit_is_xml_whatever_the_names(void **state)
{
    (void)state;
    assert_written(nasty(), "scope:*:avg < +1%", stint_diff_write_junit, "diff_nasty.xml");
}

static void markdown_is_a_table_whatever_the_names(void **state)
{
    (void)state;
    assert_written(training(), s_rules, stint_diff_write_markdown, "diff_training.md");
    assert_written(nasty(), "scope:*:avg < +1%", stint_diff_write_markdown, "diff_nasty.md");
}

static void by_name(struct stint_diff_report *report)
{
    report->sort = STINT_DIFF_SORT_NAME;
    report->kinds = 1U << STINT_DIFF_SCOPE;
}

static void by_total(struct stint_diff_report *report)
{
    report->sort = STINT_DIFF_SORT_TOTAL;
    report->kinds = 1U << STINT_DIFF_SCOPE;
}

static void top_2(struct stint_diff_report *report)
{
    report->top = 2;
}

/* Asserts that the text has these words in this order. */
static void assert_order(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *at = strstr(text, words[i]);
        if (!at)
            fail_msg("there is no '%s' here: %s", words[i], text);
        text = at + 1;
    }
}

static void rows_are_in_the_order_asked_for(void **state)
{
    (void)state;
    static const char *const names[] = {" backward\n", " checkpoint\n", " Layers/convolution\n",
                                        " forward\n",  " prefetch\n",   " train\n"};
    static const char *const totals[] = {" train\n", " backward\n", " forward\n", " checkpoint\n", " prefetch\n"};
    struct capture out = write_pair(training(), NULL, write_table_200, by_name);
    assert_order(out.text, names, TEST_COUNT(names));
    capture_free(&out);
    out = write_pair(training(), NULL, write_table_200, by_total);
    assert_order(out.text, totals, TEST_COUNT(totals));
    capture_free(&out);
}

static void top_limits_rows_and_passed_checks(void **state)
{
    (void)state;
    struct capture out = write_pair(training(), "scope:*:avg < +1000%", write_table_200, top_2);
    assert_non_null(strstr(out.text, "… 4 more rows (--top 0 shows all)\n"));
    size_t passed = 0;
    for (const char *at = out.text; (at = strstr(at, "\npass ")); at++)
        passed++;
    assert_int_equal(passed, 2);
    capture_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_fits_narrow_and_wide_screens),
        cmocka_unit_test(names_cannot_break_the_table),
        cmocka_unit_test(sums_beyond_64_bits_are_shown_as_the_largest_number),
        cmocka_unit_test(csv_has_a_line_per_row_and_metric),
        cmocka_unit_test(csv_and_json_have_the_same_changes_in_the_same_order),
        cmocka_unit_test(json_has_everything),
        cmocka_unit_test(junit_has_a_case_per_check),
        cmocka_unit_test(junit_is_xml_whatever_the_names),
        cmocka_unit_test(markdown_is_a_table_whatever_the_names),
        cmocka_unit_test(rows_are_in_the_order_asked_for),
        cmocka_unit_test(top_limits_rows_and_passed_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

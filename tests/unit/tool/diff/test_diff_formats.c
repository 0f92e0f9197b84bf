#include <string.h>

#include "diff/diff.h"
#include "diff/written.h"
#include "report/golden.h"
#include "stint_test.h"

TEST(csv_has_a_line_per_row_and_metric)
{
    assert_written_diff(written_nasty(), NULL, stint_diff_write_csv, "diff_nasty.csv");
}

TEST(junit_has_a_case_per_check)
{
    assert_written_diff(written_training(), written_rules, stint_diff_write_junit, "diff_training.xml");
}

TEST(junit_is_xml_whatever_the_names)
{
    assert_written_diff(written_nasty(), "scope:*:avg < +1%", stint_diff_write_junit, "diff_nasty.xml");
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

TEST(rows_are_in_the_order_asked_for)
{
    static const char *const names[] = {" backward\n", " checkpoint\n", " Layers/convolution\n",
                                        " forward\n",  " prefetch\n",   " train\n"};
    static const char *const totals[] = {" train\n", " backward\n", " forward\n", " checkpoint\n", " prefetch\n"};
    assert_order(write_diff(written_training(), NULL, write_table_200, by_name).text, names, TEST_COUNT(names));
    assert_order(write_diff(written_training(), NULL, write_table_200, by_total).text, totals, TEST_COUNT(totals));
}

TEST(top_limits_rows_and_passed_checks)
{
    struct capture out = write_diff(written_training(), "scope:*:avg < +1000%", write_table_200, top_2);
    assert_non_null(strstr(out.text, "… 4 more rows (--top 0 shows all)\n"));
    size_t passed = 0;
    for (const char *at = out.text; (at = strstr(at, "\npass ")); at++)
        passed++;
    assert_int_equal(passed, 2);
}

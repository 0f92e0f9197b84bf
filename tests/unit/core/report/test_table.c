#include <stdio.h>
#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static void check_golden(const struct stint_snapshot *snapshot, unsigned columns, const char *file)
{
    assert_golden(write_table(snapshot, columns, 0), file);
}

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(table_of_a_training_program)
{
    check_golden(fixture_training(), 0, "report_table_training.txt");
    check_golden(fixture_training(), 120, "report_table_training.txt");
}

TEST(table_of_a_running_program_marks_and_explains)
{
    check_golden(fixture_running(), 80, "report_table_running_80.txt");
}

TEST(table_marks_what_is_estimated)
{
    check_golden(fixture_budget(), 120, "report_table_budget.txt");
}

TEST(table_survives_nasty_names)
{
    check_golden(fixture_nasty(), 0, "report_table_nasty.txt");
    check_golden(fixture_nasty(), 80, "report_table_nasty_80.txt");
}

TEST(table_of_nothing_is_one_line)
{
    struct capture out = write_table(fixture_empty(), 80, 0);
    assert_string_equal(out.text, "stint: idle (pid 4711): no scope was entered in 1.500 ms\n");
}

TEST(table_of_the_largest_numbers)
{
    check_golden(fixture_extreme(), 0, "report_table_extreme.txt");
}

/* Several threads launch for a scope at the same time. */
TEST(share_of_launches_is_never_more_than_the_scopes_time)
{
    struct stint_snapshot snapshot = *fixture_gpu();
    struct stint_stat stats[64];
    assert_in_range(snapshot.stat_count, 1, TEST_COUNT(stats));
    memcpy(stats, snapshot.stats, snapshot.stat_count * sizeof *stats);
    snapshot.stats = stats;
    for (size_t i = 0; i < snapshot.stat_count; i++)
        if (stats[i].gpu.launches)
            stats[i].gpu.launch_ns = stats[i].numbers.total_ns + (strcmp(stats[i].name, "backward") == 0);
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "     100.00  forward\n"));
    assert_non_null(strstr(out.text, "          -  backward\n"));
}

static void check_fits(const struct stint_snapshot *snapshot, unsigned columns, int color)
{
    struct capture out = write_table(snapshot, columns, color);
    if (capture_width(&out) > columns)
        fail_msg("%u columns: the widest line has %zu\n%s", columns, capture_width(&out), out.text);
}

TEST(table_fits_in_80_columns)
{
    check_fits(fixture_training(), 80, 0);
    check_fits(fixture_nasty(), 80, 0);
    check_fits(fixture_running(), 80, 0);
    check_fits(fixture_deep(), 80, 0);
    check_fits(fixture_extreme(), 80, 0);
}

TEST(table_fits_in_every_width_from_40)
{
    for (unsigned columns = 40; columns <= 250; columns++) {
        check_fits(fixture_training(), columns, 1);
        check_fits(fixture_nasty(), columns, 0);
        check_fits(fixture_running(), columns, 1);
    }
}

TEST(unlimited_table_drops_and_shortens_nothing)
{
    struct capture out = write_table(fixture_nasty(), 0, 0);
    assert_null(strstr(out.text, "…"));
    assert_non_null(strstr(out.text, "p50(us)  p90(us)  p99(us)  Name\n"));
}

TEST(narrow_table_keeps_total_count_and_name)
{
    assert_non_null(strstr(write_table(fixture_training(), 30, 0).text, "\nTotal(ms)    Count  Name\n"));
}

TEST(table_without_histograms_has_no_percentiles)
{
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_stat only = snapshot.stats[snapshot.stat_count - 1];
    assert_int_equal(only.numbers.bin_count, 0);
    snapshot.stats = &only;
    snapshot.stat_count = 1;
    snapshot.context_count = 0;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_null(strstr(out.text, "p50"));
    assert_non_null(strstr(out.text, "Max(ms)  Name\n"));
}

/* Without its colors the golden file is the table of a screen of 80 columns. */
static void check_color(const struct stint_snapshot *snapshot, const char *file)
{
    struct capture plain = write_table(snapshot, 80, 0), color = write_table(snapshot, 80, 1);
    assert_golden(color, file);
    assert_only_colors(&plain, &color);
}

TEST(color_is_bold_header_and_dim_footer_only)
{
    check_color(fixture_training(), "report_table_training_color.txt");
    check_color(fixture_gpu(), "report_table_gpu_color.txt");
}

TEST(share_is_of_the_roots_time_with_what_still_runs)
{
    struct capture out = write_table(fixture_running(), 0, 0);
    char expected[32]; /* fibonacci's total of main's time so far and poll's */
    snprintf(expected, sizeof expected, "%7.2f  ", 100.0 * 729876536 / (1234567890 + 1050));
    assert_non_null(strstr(out.text, expected));
}

/* -------------------------------------------------------------------------------------------------------------- GPU */

TEST(table_of_a_gpu_program)
{
    check_golden(fixture_gpu(), 0, "report_table_gpu.txt");
    check_golden(fixture_gpu(), 200, "report_table_gpu.txt");
}

TEST(table_without_a_collector_shows_the_time_of_gpu_scopes)
{
    check_golden(fixture_gpu_spans(), 80, "report_table_gpu_spans_80.txt");
}

TEST(table_of_the_largest_gpu_numbers_and_every_loss)
{
    check_golden(fixture_gpu_extreme(), 80, "report_table_gpu_extreme_80.txt");
}

TEST(gpu_time_of_no_scope_completes_the_column)
{
    struct capture out = write_table(fixture_gpu(), 0, 0);
    assert_non_null(strstr(out.text, "  (no scope)\n"));
    assert_non_null(strstr(out.text, "  (unattributed)\n"));
    assert_non_null(strstr(out.text, "  804.587  100.00     1808          -  (all GPUs)\n"));
    out = write_table(fixture_gpu_streams(), 0, 0);
    assert_null(strstr(out.text, "(no scope)"));
    assert_null(strstr(out.text, "(unattributed)"));
}

TEST(gpu_time_outlives_percentiles_on_narrow_screens)
{
    struct capture out = write_table(fixture_gpu(), 70, 0);
    assert_non_null(strstr(out.text, "  GPU(ms)  GPU(%)  Name\n"));
    *strstr(out.text, "CUDA API calls") = '\0';
    assert_null(strstr(out.text, "p50"));
    assert_null(strstr(out.text, "Avg"));
}

TEST(table_of_gpus_fits_in_every_width_from_40)
{
    for (unsigned columns = 40; columns <= 200; columns++) {
        check_fits(fixture_gpu(), columns, 1);
        check_fits(fixture_gpu_nasty(), columns, 0);
    }
    check_fits(fixture_gpu_extreme(), 80, 0);
}

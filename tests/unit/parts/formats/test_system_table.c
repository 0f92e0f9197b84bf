#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "stint/nvtx_stats.h"
#include "stint_test.h"

static const struct stint_nvtx_value s_values[] = {
    {STINT_SYSTEM_SET, "GPU 0", "SM clock (MHz)", .count = 4, .sum = 7200, .min = 1700, .max = 1900},
    {STINT_SYSTEM_SET, "GPU 0", "power (W)", .count = 4, .sum = 2000, .min = 400, .max = 600},
    {STINT_SYSTEM_SET, "GPU 0", "slowed by heat (%)", .count = 4, .sum = 40, .min = 0, .max = 100},
    {STINT_SYSTEM_SET, "GPU 0", "slowed by power cap (%)", .count = 4, .sum = 100, .min = 0, .max = 100},
    {"Queue", "depth", "", .count = 1, .sum = 3, .min = 3, .max = 3},
    {STINT_SYSTEM_SET, "GPU 1", "power (W)", .count = 2, .sum = 201, .min = 100, .max = 101},
};

static struct stint_snapshot sampled(void)
{
    struct stint_snapshot snapshot = *fixture_empty();
    snapshot.nvtx_values = s_values;
    snapshot.nvtx_value_count = TEST_COUNT(s_values);
    return snapshot;
}

TEST(report_has_a_row_for_each_number_of_a_gpu)
{
    const struct stint_snapshot snapshot = sampled();
    struct capture out = capture_report(&snapshot, STINT_FORMAT_SYSTEM, NULL);
    assert_non_null(strstr(out.text, "== System profiling result:\n"));
    assert_int_equal(count_words(out.text, "GPU 0"), 4);
    assert_null(strstr(out.text, "depth"));
    out = capture_report(&snapshot, STINT_FORMAT_SYSTEM_CSV, NULL);
    assert_string_equal(out.text, "samples,avg,min,max,device,metric\n"
                                  "4,1800.00,1700.00,1900.00,GPU 0,SM clock (MHz)\n"
                                  "4,500.00,400.00,600.00,GPU 0,power (W)\n"
                                  "4,10.00,0.00,100.00,GPU 0,slowed by heat (%)\n"
                                  "4,25.00,0.00,100.00,GPU 0,slowed by power cap (%)\n"
                                  "2,100.50,100.00,101.00,GPU 1,power (W)\n");
}

/* Reasons to be slow may hold together: the summary has the one that held longest. */
TEST(summary_has_a_row_for_each_gpu)
{
    const struct stint_snapshot snapshot = sampled();
    struct capture out = capture_report(&snapshot, STINT_FORMAT_SUMMARY, NULL);
    const char *row = strstr(out.text, "500.0");
    assert_non_null(row);
    assert_non_null(strstr(row, "600.0"));
    assert_non_null(strstr(row, " 25.0  GPU 0\n"));
    assert_null(strstr(out.text, "10.0"));
    assert_non_null(strstr(out.text, "  GPU 1\n"));
}

TEST(without_samples_it_says_how_to_get_them)
{
    struct capture out = capture_report(fixture_empty(), STINT_FORMAT_SYSTEM, NULL);
    assert_non_null(strstr(out.text, "Nothing was sampled: stint run --system-profiling on samples GPUs.\n"));
}

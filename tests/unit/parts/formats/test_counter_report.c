#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "stint/nvtx_stats.h"
#include "stint_test.h"

#define VALUE(of, kernel, metric, n, total)                                                                            \
    {                                                                                                                  \
        .set = of, .name = kernel, .field = metric, .count = n, .sum = total, .min = total / n, .max = total / n       \
    }

/* Two of five launches of a kernel, in a scope, and a metric that the device lacks. */
static const struct stint_nvtx_value s_values[] = {
    VALUE(STINT_COUNTER_SET, STINT_COUNTER_ABSENT, "sm__no_such_metric.sum", 1, 0.0),
    VALUE(STINT_COUNTER_SET, "gemm(float*)", STINT_COUNTER_LAUNCHES, 1, 5.0),
    VALUE(STINT_COUNTER_SET, "gemm(float*)", "dram__bytes_read.sum", 2, 3e9),
    VALUE(STINT_COUNTER_SET, "gemm(float*)", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 2, 180.0),
    VALUE(STINT_COUNTER_SET, "gemm(float*)", "gpu__time_duration.sum", 2, 2e6),
    VALUE(STINT_COUNTER_SET, "gemm(float*)", "launch__grid_size", 2, 512.0),
    VALUE(STINT_COUNTER_SET, "gemm(float*)", "profiler__replayer_passes", 2, 6.0),
    VALUE(STINT_COUNTER_SCOPE_SET, "train/step", "dram__bytes_read.sum", 2, 3e9),
};

static struct stint_snapshot counted(void)
{
    struct stint_snapshot snapshot = *fixture_empty();
    snapshot.nvtx_values = s_values;
    snapshot.nvtx_value_count = TEST_COUNT(s_values);
    return snapshot;
}

TEST(each_kernel_has_a_section_with_what_was_counted)
{
    const struct stint_snapshot snapshot = counted();
    struct capture out = capture_report(&snapshot, STINT_FORMAT_COUNTERS, NULL);
    assert_non_null(
        strstr(out.text, "GPU counters: 1 kernel; each launch that is counted runs several times, alone\n"));
    assert_non_null(strstr(out.text, "\ngemm(float*)\n"
                                     "  launches   5, counted 2, each replayed in 3 passes; 1.000 ms each\n"
                                     "  bound by   DRAM, surely: 90.0 % of its peak\n"));
    assert_non_null(strstr(out.text, "\n  peak       DRAM 90.0 %\n"));
    assert_non_null(strstr(out.text, "\n  memory     DRAM read 1.50 GB\n"));
    assert_non_null(strstr(out.text, "\n  occupancy  blocks 256\n"));
}

TEST(scopes_have_sums_over_launches)
{
    const struct stint_snapshot snapshot = counted();
    struct capture out = capture_report(&snapshot, STINT_FORMAT_COUNTERS, NULL);
    assert_non_null(strstr(out.text, "By scope, sums over the launches that were counted:\n"
                                     "  train/step: 2 launches, DRAM read 3.00 GB\n"));
    assert_non_null(strstr(out.text, "The device has no such metric: sm__no_such_metric.sum\n"));
}

TEST(csv_has_a_row_for_each_kernel_and_metric)
{
    const struct stint_snapshot snapshot = counted();
    struct capture out = capture_report(&snapshot, STINT_FORMAT_COUNTERS_CSV, NULL);
    assert_int_equal(count_words(out.text, "\n"), 1 + TEST_COUNT(s_values));
    assert_non_null(strstr(out.text, "\ngemm(float*),launch__grid_size,2,256,256,256,\n"));
    assert_non_null(strstr(out.text, "\n,dram__bytes_read.sum,2,1500000000,1500000000,1500000000,train/step\n"));
}

TEST(without_counters_it_says_how_to_get_them)
{
    struct capture out = capture_report(fixture_empty(), STINT_FORMAT_COUNTERS, NULL);
    assert_string_equal(out.text, "GPU counters: none (stint run --counters GROUP reads them)\n");
}

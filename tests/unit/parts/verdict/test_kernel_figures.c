#include "verdict/verdict.h"

#include <math.h>

#include "stint/nvtx_stats.h"
#include "stint_test.h"

#define VALUE(of, kernel, metric, n, total)                                                                            \
    {                                                                                                                  \
        .set = of, .name = kernel, .field = metric, .count = n, .sum = total                                           \
    }

static const struct stint_nvtx_value s_values[] = {
    VALUE("Queue", "depth", "", 1, 1.0),
    VALUE(STINT_COUNTER_SET, "a", STINT_COUNTER_LAUNCHES, 1, 9.0),
    VALUE(STINT_COUNTER_SET, "a", STINT_COUNTER_SKIPPED "in a graph", 4, 4.0),
    VALUE(STINT_COUNTER_SET, "a", "gpu__time_duration.sum", 5, 1000.0),
    VALUE(STINT_COUNTER_SET, "a", "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 5, 10.0),
    VALUE(STINT_COUNTER_SET, "a", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 5, 20.0),
    VALUE(STINT_COUNTER_SET, "a", "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 5, 5.0),
    VALUE(STINT_COUNTER_SET, "b", "gpu__time_duration.sum", 1, 7.0),
    VALUE(STINT_COUNTER_SCOPE_SET, "train/step", "dram__bytes_read.sum", 2, 6.0),
};

static const struct stint_snapshot s_snapshot = {.nvtx_values = s_values, .nvtx_value_count = TEST_COUNT(s_values)};

TEST(values_are_means_over_the_launches_that_were_counted)
{
    struct stint_kernel_figures figures;
    size_t next = 0;
    assert_true(stint_kernel_figures_next(&figures, &s_snapshot, &next));
    assert_string_equal(figures.kernel, "a");
    assert_int_equal(figures.launches, 9);
    assert_int_equal(figures.counted, 5);
    assert_int_equal(figures.skipped, 4);
    assert_string_equal(figures.why_skipped, "in a graph");
    assert_true(figures.time_ns == 200);
    assert_true(isnan(figures.dram));
    assert_true(stint_fp64_instructions(&figures) == 7);
    assert_true(stint_fp64_flops(&figures) == 11);
    assert_true(isnan(stint_fp32_flops(&figures)));
    assert_true(stint_kernel_figures_next(&figures, &s_snapshot, &next));
    assert_string_equal(figures.kernel, "b");
    assert_int_equal(figures.launches, 0);
    assert_false(stint_kernel_figures_next(&figures, &s_snapshot, &next));
}

TEST(scopes_are_apart_from_kernels)
{
    struct stint_kernel_figures figures;
    size_t next = 0;
    assert_true(stint_scope_figures_next(&figures, &s_snapshot, &next));
    assert_string_equal(figures.kernel, "train/step");
    assert_true(figures.dram_read == 3);
    assert_false(stint_scope_figures_next(&figures, &s_snapshot, &next));
}

#include "diff/metric.h"

#include <string.h>

#include "diff/fixture.h"
#include "stint_test.h"

#define THREADS(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum"

static const struct fixture s_counted = {
    .counters = {{"copy", "(launches)", 1, 3, 3, 3},
                 {"copy", "dram__bytes_read.sum", 2, 3000, 1000, 2000},
                 {"copy", "dram__bytes_write.sum", 2, 1000, 500, 500},
                 {"copy", "gpu__time_duration.sum", 1, 7000, 7000, 7000},
                 {"gemm", THREADS("fadd"), 1, 1, 1, 1},
                 {"gemm", THREADS("ffma"), 1, 100, 100, 100},
                 {"gemm", THREADS("fmul"), 1, 10, 10, 10},
                 {"(no such metric)", "sm__ops", 1, 0, 0, 0}},
    .wall_ns = 1000,
};

/* Returns the counter of that kernel and name, or one without a kernel. */
static struct stint_counter counter_of(const char *kernel, const char *name)
{
    struct stint_snapshot *snapshot = fixture_take(&s_counted);
    struct stint_counter counter, found = {0};
    for (size_t next = 0; stint_counter_next(&counter, snapshot, &next);) {
        if (strcmp(counter.kernel, kernel) != 0 || strcmp(counter.name, name) != 0)
            continue;
        assert_null(found.kernel);
        found = counter;
    }
    stint_snapshot_free(snapshot);
    found.kernel = found.kernel ? kernel : NULL;
    return found;
}

TEST(values_are_means_over_launches)
{
    assert_near(counter_of("copy", "dram__bytes_read.sum").value, 1500, 0);
    assert_near(counter_of("copy", "gpu__time_duration.sum").value, 7000, 0);
}

/* Of two launches with 1000 and 2000 bytes, the standard deviation is 707.1, and the mean's error 500. */
TEST(the_error_is_the_greatest_that_the_extremes_allow)
{
    assert_near(counter_of("copy", "dram__bytes_read.sum").error, 500, 1e-9);
    assert_near(counter_of("copy", "dram__bytes_write.sum").error, 0, 0);
    assert_true(isnan(counter_of("copy", "gpu__time_duration.sum").error));
}

TEST(short_names_are_sums)
{
    assert_near(counter_of("copy", "dram_bytes").value, 2000, 0);
    assert_near(counter_of("copy", "dram_bytes").error, 500, 1e-9);
    assert_near(counter_of("gemm", "fp32_flops").value, 1 + 10 + 2 * 100, 0);
}

TEST(what_was_not_counted_has_no_sum)
{
    assert_null(counter_of("gemm", "dram_bytes").kernel);
    assert_null(counter_of("copy", "fp32_flops").kernel);
    assert_null(counter_of("copy", "l2_bytes").kernel);
}

TEST(what_is_no_counter_is_left_out)
{
    assert_null(counter_of("copy", "(launches)").kernel);
    assert_null(counter_of("(no such metric)", "sm__ops").kernel);
}

/* Ratios do not add up over the launches of a scope. */
TEST(counters_of_scopes_are_sums)
{
    static const struct fixture scopes = {
        .counters = {{"scope:step/forward", "dram__bytes_read.sum", 2, 3000, 1000, 2000},
                     {"scope:step/forward", "dram__bytes_write.sum", 2, 1000, 500, 500},
                     {"scope:step/forward", "lts__t_sector_hit_rate.pct", 2, 100, 50, 50},
                     {"copy", "dram__bytes_read.sum", 2, 3000, 1000, 2000}},
        .wall_ns = 1000};
    static const struct {
        const char *name;
        double value;
    } expected[] = {{"dram__bytes_read.sum", 3000}, {"dram__bytes_write.sum", 1000}, {"dram_bytes", 4000}};
    struct stint_snapshot *snapshot = fixture_take(&scopes);
    struct stint_counter counter;
    size_t count = 0;

    for (size_t next = 0; stint_scope_counter_next(&counter, snapshot, &next); count++) {
        assert_true(count < sizeof expected / sizeof *expected);
        assert_string_equal(counter.kernel, "step/forward");
        assert_string_equal(counter.name, expected[count].name);
        assert_near(counter.value, expected[count].value, 0);
    }
    assert_int_equal(count, sizeof expected / sizeof *expected);
    stint_snapshot_free(snapshot);
}

TEST(a_name_may_lack_the_suffix_of_sums)
{
    assert_true(stint_counter_is("dram__bytes_read", "dram__bytes_read.sum"));
    assert_true(stint_counter_is("dram__bytes_read.sum", "dram__bytes_read.sum"));
    assert_true(stint_counter_is("launch__grid_size", "launch__grid_size"));
    assert_false(stint_counter_is("dram__bytes", "dram__bytes_read.sum"));
    assert_false(stint_counter_is("dram__bytes_read", "dram__bytes_read.sum.per_second"));
}

TEST(units_follow_from_names)
{
    assert_int_equal(stint_counter_metric("dram_bytes"), STINT_METRIC_BYTES);
    assert_int_equal(stint_counter_metric("lts__t_bytes.sum"), STINT_METRIC_BYTES);
    assert_int_equal(stint_counter_metric("dram__bytes_read.sum.per_second"), STINT_METRIC_VALUE);
    assert_int_equal(stint_counter_metric("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"),
                     STINT_METRIC_VALUE);
    assert_int_equal(stint_counter_metric("gpu__time_duration.sum"), STINT_METRIC_AVG);
    assert_int_equal(stint_counter_metric("fp64_flops"), STINT_METRIC_VALUE);
}

/* How rows of NVTX are merged. */
#include <float.h>
#include <string.h>

#include "memory.h"
#include "stat/builder.h"
#include "stint_test.h"

static const struct stint_process s_process = {.command = "", .host = "", .clock = "monotonic"};
static const struct stint_dropped s_dropped = {0};

static struct stint_snapshot *of_values(const struct stint_nvtx_value *values, size_t count)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (size_t i = 0; i < count; ++i)
        stint_builder_add(&builder, STINT_ROWS_NVTX_VALUES, &values[i]);
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &s_process, &s_dropped);
    assert_non_null(snapshot);
    return snapshot;
}

static struct stint_snapshot *of_names(const struct stint_nvtx_name *names, size_t count)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (size_t i = 0; i < count; ++i)
        stint_builder_add(&builder, STINT_ROWS_NVTX_NAMES, &names[i]);
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &s_process, &s_dropped);
    assert_non_null(snapshot);
    return snapshot;
}

static void check_value(const struct stint_nvtx_value *value, const char *set, const char *name, const char *field,
                        uint64_t count, double sum)
{
    assert_string_equal(value->set, set);
    assert_string_equal(value->name, name);
    assert_string_equal(value->field, field);
    assert_int_equal(value->count, count);
    assert_true(value->sum == sum);
}

TEST(values_are_by_set_name_and_field)
{
    static const struct stint_nvtx_value values[] = {
        {"NVTX", "b", "y", 1, 1, 1, 1},      {"NVTX", "b", "x", 1, 2, 2, 2},   {"NVTX", "a", "z", 1, 3, 3, 3},
        {"NVTX marks", "a", "", 1, 4, 4, 4}, {"NVTX", "none", "", 0, 5, 5, 5},
    };
    struct stint_snapshot *snapshot = of_values(values, 5);
    assert_int_equal(snapshot->nvtx_value_count, 4);
    check_value(&snapshot->nvtx_values[0], "NVTX", "a", "z", 1, 3);
    check_value(&snapshot->nvtx_values[1], "NVTX", "b", "x", 1, 2);
    check_value(&snapshot->nvtx_values[2], "NVTX", "b", "y", 1, 1);
    check_value(&snapshot->nvtx_values[3], "NVTX marks", "a", "", 1, 4);
    stint_snapshot_free(snapshot);
}

TEST(merged_values_add_up)
{
    static const struct stint_nvtx_value x = {"NVTX", "request", "bytes", 2, 30, 10, 20};
    static const struct stint_nvtx_value y[] = {{"NVTX", "request", "bytes", 3, 6, -1, 5},
                                                {"NVTX", "request", "count", 1, 1, 1, 1}};
    struct stint_snapshot *a = of_values(&x, 1), *b = of_values(y, 2), *merged;
    for (int swapped = 0; swapped < 2; ++swapped) {
        assert_int_equal(stint_snapshot_merge(swapped ? b : a, swapped ? a : b, &merged), STINT_OK);
        assert_int_equal(merged->nvtx_value_count, 2);
        check_value(&merged->nvtx_values[0], "NVTX", "request", "bytes", 5, 36);
        assert_true(merged->nvtx_values[0].min == -1 && merged->nvtx_values[0].max == 20);
        check_value(&merged->nvtx_values[1], "NVTX", "request", "count", 1, 1);
        stint_snapshot_free(merged);
    }
    stint_snapshot_free(a);
    stint_snapshot_free(b);
}

TEST(sums_stay_finite)
{
    static const struct stint_nvtx_value values[] = {{"NVTX", "r", "", 1, DBL_MAX, DBL_MAX, DBL_MAX},
                                                     {"NVTX", "r", "", 1, DBL_MAX, DBL_MAX, DBL_MAX}};
    struct stint_snapshot *snapshot = of_values(values, 2);
    check_value(&snapshot->nvtx_values[0], "NVTX", "r", "", 2, DBL_MAX);
    stint_snapshot_free(snapshot);
}

TEST(names_of_two_processes_stay_apart)
{
    static const struct stint_nvtx_name x = {7, STINT_NVTX_CUDA_STREAM, "", 99, "copies"};
    static const struct stint_nvtx_name y[] = {{8, STINT_NVTX_CUDA_STREAM, "", 99, "compute"},
                                               {7, STINT_NVTX_CATEGORY, "io", 1, "disk"}};
    struct stint_snapshot *a = of_names(&x, 1), *b = of_names(y, 2), *merged;
    assert_int_equal(stint_snapshot_merge(a, b, &merged), STINT_OK);
    assert_int_equal(merged->nvtx_name_count, 3);
    assert_string_equal(merged->nvtx_names[0].name, "disk");
    assert_string_equal(merged->nvtx_names[1].name, "copies");
    assert_string_equal(merged->nvtx_names[2].name, "compute");
    stint_snapshot_free(merged);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
}

TEST(of_two_names_of_one_thing_the_first_in_order_stays)
{
    static const struct stint_nvtx_name names[] = {
        {7, STINT_NVTX_THREAD, "", 9, "b"}, {7, STINT_NVTX_THREAD, "", 9, "a"}, {7, STINT_NVTX_THREAD, "", 9, "c"}};
    struct stint_snapshot *snapshot = of_names(names, 3);
    assert_int_equal(snapshot->nvtx_name_count, 1);
    assert_string_equal(snapshot->nvtx_names[0].name, "a");
    stint_snapshot_free(snapshot);
}

/* Fails unless this is the range that is named of the two. */
static void check_outlived(const struct stint_nvtx_info *a, const struct stint_nvtx_info *b, const char *set,
                           const char *name)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_add(&builder, STINT_ROWS_NVTX, a);
    stint_builder_add(&builder, STINT_ROWS_NVTX, b);
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &s_process, &(struct stint_dropped){0});
    assert_string_equal(snapshot->nvtx.outlived_set, set);
    assert_string_equal(snapshot->nvtx.outlived_name, name);
    stint_snapshot_free(snapshot);
}

TEST(of_ranges_that_outlived_others_one_is_named_whatever_the_order)
{
    const struct stint_nvtx_info none = {0}, first = {.outlived_set = "NVTX", .outlived_name = "b"},
                                 second = {.outlived_set = "NVTX", .outlived_name = "c"},
                                 third = {.outlived_set = "NVTX:a", .outlived_name = "a"};
    check_outlived(&none, &none, "", "");
    check_outlived(&none, &first, "NVTX", "b");
    check_outlived(&first, &second, "NVTX", "b");
    check_outlived(&second, &first, "NVTX", "b");
    check_outlived(&third, &second, "NVTX", "c");
}

TEST(how_it_went_adds_up)
{
    const struct stint_nvtx_info info = {1, 2, 3, 4, 5, 6, "set", "range", {0}};
    const struct stint_dropped dropped = {.nvtx_events = 1,
                                          .nvtx_unknown = 2,
                                          .nvtx_domains = 3,
                                          .nvtx_strings = 4,
                                          .nvtx_schemas = 5,
                                          .nvtx_counters = 6,
                                          .nvtx_values = 7,
                                          .nvtx_names = 8,
                                          .nvtx_depth = 9,
                                          .nvtx_ranges = 10};
    struct stint_builder builder;
    struct stint_snapshot *snapshot, *merged;
    stint_builder_begin(&builder);
    stint_builder_add(&builder, STINT_ROWS_NVTX, &info);
    snapshot = stint_builder_end(&builder, &s_process, &dropped);
    assert_int_equal(stint_snapshot_merge(snapshot, snapshot, &merged), STINT_OK);
    assert_memory_equal(&merged->nvtx, (&(struct stint_nvtx_info){2, 4, 6, 8, 10, 12, NULL, NULL, {0}}),
                        offsetof(struct stint_nvtx_info, outlived_set));
    assert_string_equal(merged->nvtx.outlived_set, "set");
    assert_string_equal(merged->nvtx.outlived_name, "range");
    assert_int_equal(merged->dropped.nvtx_events, 2);
    assert_int_equal(merged->dropped.nvtx_unknown, 4);
    assert_int_equal(merged->dropped.nvtx_domains, 6);
    assert_int_equal(merged->dropped.nvtx_strings, 8);
    assert_int_equal(merged->dropped.nvtx_schemas, 10);
    assert_int_equal(merged->dropped.nvtx_counters, 12);
    assert_int_equal(merged->dropped.nvtx_values, 14);
    assert_int_equal(merged->dropped.nvtx_names, 16);
    assert_int_equal(merged->dropped.nvtx_depth, 18);
    assert_int_equal(merged->dropped.nvtx_ranges, 20);
    stint_snapshot_free(merged);
    stint_snapshot_free(snapshot);
}

TEST(without_memory_there_is_no_snapshot)
{
    static const struct stint_nvtx_value value = {"NVTX", "request", "bytes", 2, 30, 10, 20};
    static const struct stint_nvtx_name name = {7, STINT_NVTX_CATEGORY, "io", 1, "disk"};
    struct stint_snapshot *snapshot = NULL;
    for (long calls = 0; !snapshot && calls < 50; ++calls) {
        struct stint_builder builder;
        memory_fail_after(calls);
        stint_builder_begin(&builder);
        stint_builder_add(&builder, STINT_ROWS_NVTX_VALUES, &value);
        stint_builder_add(&builder, STINT_ROWS_NVTX_NAMES, &name);
        snapshot = stint_builder_end(&builder, &s_process, &s_dropped);
        if (memory_recover())
            assert_null(snapshot);
    }
    assert_non_null(snapshot);
    assert_int_equal(snapshot->nvtx_value_count + snapshot->nvtx_name_count, 2);
    stint_snapshot_free(snapshot);
}

#include <string.h>

#include "diff/diff.h"
#include "diff/fixture.h"
#include "stint_test.h"

static double value_of(const struct stint_diff *diff, const struct stint_diff_row *row, int side,
                       enum stint_metric metric)
{
    const struct stint_metric_value *value = stint_diff_value(diff, row, side, 0, metric);
    assert_true(value->known);
    return value->value;
}

static const struct fixture s_pair[2] = {
    {.scopes = {{"GlobalStatInfo", "main", -1, 1, 1000, 0},
                {"GlobalStatInfo", "step", 0, 10, 50, 0},
                {"NVTX", "step", 0, 5, 20, 0},
                {"CUDA API", "cudaMalloc", 0, 2, 30, 0}},
     .works = {{STINT_GPU_KERNEL, "k", 1, 10, 7, 0},
               {STINT_GPU_KERNEL, "k", 2, 20, 8, 0},
               {STINT_GPU_COPY, "[CUDA memcpy HtoD]", 1, 3, 9, 4096},
               {STINT_GPU_SYNC, "[CUDA stream synchronize]", 1, 1, 5, 0}},
     .gpu = "NVIDIA H200",
     .wall_ns = 2000},
    {.scopes = {{"GlobalStatInfo", "step", -1, 10, 60, 0}, {"GlobalStatInfo", "step", 0, 10, 6, 0}}, .wall_ns = 3000},
};

TEST(rows_are_matched_by_set_and_name)
{
    const struct stint_diff *diff = fixture_compare(s_pair, 1, 1);
    const struct stint_diff_row *row = fixture_row(diff, STINT_DIFF_SCOPE, "step");
    assert_string_equal(row->set, "GlobalStatInfo");
    assert_int_equal(row->files[STINT_DIFF_A], 1);
    assert_int_equal(row->files[STINT_DIFF_B], 1);
    assert_near(value_of(diff, row, STINT_DIFF_A, STINT_METRIC_TOTAL), 500, 0);
}

TEST(contexts_are_matched_by_all_around_them)
{
    const struct stint_diff *diff = fixture_compare(s_pair, 1, 1);
    const struct stint_diff_row *row = fixture_row(diff, STINT_DIFF_CONTEXT, "main/step");
    assert_int_equal(row->files[STINT_DIFF_B], 0);
    row = fixture_row(diff, STINT_DIFF_CONTEXT, "step/step");
    assert_int_equal(row->files[STINT_DIFF_A], 0);
    assert_near(value_of(diff, row, STINT_DIFF_B, STINT_METRIC_AVG), 6, 0);
    fixture_row(diff, STINT_DIFF_CONTEXT, "main/NVTX/step");
}

/* What is counted in a scope is in all around it, once in one that runs within itself. */
TEST(counters_of_scopes_add_up_by_name)
{
    static const struct fixture pair[2] = {
        {.counters = {{"scope:step", "dram__bytes_read.sum", 1, 5, 5, 5},
                      {"scope:step/forward", "dram__bytes_read.sum", 2, 30, 10, 20},
                      {"scope:test/forward/forward", "dram__bytes_read.sum", 1, 100, 100, 100}},
         .wall_ns = 1000},
        {.counters = {{"scope:step/forward", "dram__bytes_read.sum", 2, 60, 10, 20}}, .wall_ns = 1000},
    };
    const struct stint_diff *diff = fixture_compare(pair, 1, 1);
    const struct stint_diff_row *row = fixture_row(diff, STINT_DIFF_SCOPE_COUNTER, "forward");
    assert_string_equal(row->set, "dram__bytes_read.sum");
    assert_int_equal(row->files[STINT_DIFF_A], 1);
    assert_near(value_of(diff, row, STINT_DIFF_A, STINT_METRIC_BYTES), 130, 0);
    assert_near(value_of(diff, row, STINT_DIFF_B, STINT_METRIC_BYTES), 60, 0);
    row = fixture_row(diff, STINT_DIFF_SCOPE_COUNTER, "step");
    assert_near(value_of(diff, row, STINT_DIFF_A, STINT_METRIC_BYTES), 35, 0);
    row = fixture_row(diff, STINT_DIFF_SCOPE_COUNTER, "test");
    assert_int_equal(row->files[STINT_DIFF_B], 0);
}

TEST(a_kernel_is_one_row_over_all_streams)
{
    const struct stint_diff *diff = fixture_compare(s_pair, 1, 1);
    const struct stint_diff_row *row = fixture_row(diff, STINT_DIFF_KERNEL, "k");
    assert_int_equal(row->files[STINT_DIFF_A], 1);
    assert_near(value_of(diff, row, STINT_DIFF_A, STINT_METRIC_COUNT), 30, 0);
    assert_near(value_of(diff, row, STINT_DIFF_A, STINT_METRIC_GPU), 230, 0);
    assert_near(value_of(diff, row, STINT_DIFF_A, STINT_METRIC_MIN), 7, 0);
    assert_near(value_of(diff, row, STINT_DIFF_A, STINT_METRIC_MAX), 8, 0);
}

TEST(copies_have_bytes_and_waits_are_none)
{
    const struct stint_diff *diff = fixture_compare(s_pair, 1, 1);
    const struct stint_diff_row *row = fixture_row(diff, STINT_DIFF_COPY, "[CUDA memcpy HtoD]");
    assert_near(value_of(diff, row, STINT_DIFF_A, STINT_METRIC_BYTES), 4096, 0);
    for (size_t i = 0; i < diff->rows.count; i++)
        assert_null(strstr(stint_diff_row_at(diff, i)->name, "synchronize"));
}

TEST(calls_are_no_scopes)
{
    const struct stint_diff *diff = fixture_compare(s_pair, 1, 1);
    fixture_row(diff, STINT_DIFF_API, "cudaMalloc");
    for (size_t i = 0; i < diff->rows.count; i++) {
        const struct stint_diff_row *row = stint_diff_row_at(diff, i);
        assert_false(row->kind == STINT_DIFF_SCOPE && strcmp(row->name, "cudaMalloc") == 0);
    }
}

TEST(totals_are_of_the_whole_recording)
{
    const struct stint_diff *diff = fixture_compare(s_pair, 1, 1);
    const struct stint_diff_row *wall = fixture_row(diff, STINT_DIFF_TOTAL, "wall");
    assert_near(value_of(diff, wall, STINT_DIFF_B, STINT_METRIC_TOTAL), 3000, 0);
    const struct stint_diff_row *gpu = fixture_row(diff, STINT_DIFF_TOTAL, "gpu");
    assert_near(value_of(diff, gpu, STINT_DIFF_A, STINT_METRIC_TOTAL), 70 + 160 + 27, 0);
    assert_near(value_of(diff, gpu, STINT_DIFF_A, STINT_METRIC_KERNELS), 30, 0);
    assert_near(value_of(diff, gpu, STINT_DIFF_A, STINT_METRIC_BYTES), 4096, 0);
    assert_int_equal(gpu->files[STINT_DIFF_B], 0);
    const struct stint_diff_row *api = fixture_row(diff, STINT_DIFF_TOTAL, "api");
    assert_near(value_of(diff, api, STINT_DIFF_A, STINT_METRIC_TOTAL), 60, 0);
}

TEST(scopes_have_the_gpu_time_of_what_they_launched)
{
    const struct stint_diff *diff = fixture_compare(s_pair, 1, 1);
    const struct stint_diff_row *row = fixture_row(diff, STINT_DIFF_SCOPE, "main");
    assert_near(value_of(diff, row, STINT_DIFF_A, STINT_METRIC_GPU), 257, 0);
    assert_near(value_of(diff, row, STINT_DIFF_A, STINT_METRIC_KERNELS), 30, 0);
}

TEST(a_file_without_gpus_says_nothing_of_them)
{
    const struct stint_diff *diff = fixture_compare(s_pair, 1, 1);
    const struct stint_diff_row *row = fixture_row(diff, STINT_DIFF_SCOPE, "step");
    assert_false(stint_diff_value(diff, row, STINT_DIFF_B, 0, STINT_METRIC_GPU)->known);
}

/* What stint nvprof prints about a process. */
#include "cli/command_line.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "captured_output.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static void print(const struct stint_nvprof_asked *asked, unsigned modes, const struct stint_snapshot *snapshot)
{
    captured_output_begin();
    assert_int_equal(stint_nvprof_print(asked, modes, snapshot, STDOUT_FILENO), 0);
    captured_output_end();
}

TEST(modes_choose_reports)
{
    struct stint_nvprof_asked asked = {.csv = 0};
    const struct stint_snapshot *gpu = fixture_gpu();
    print(&asked, STINT_NVPROF_SUMMARY, gpu);
    assert_non_null(strstr(captured_output.out, "GPU activities:"));
    assert_non_null(strstr(captured_output.out, "API calls:"));
    print(&asked, STINT_NVPROF_GPU_SUMMARY, gpu);
    assert_null(strstr(captured_output.out, "API calls:"));
    print(&asked, STINT_NVPROF_GPU_TRACE, gpu);
    assert_non_null(strstr(captured_output.out, "Grid Size"));
    asked.csv = 1;
    print(&asked, STINT_NVPROF_SUMMARY, gpu);
    assert_non_null(strstr(captured_output.out, "\"Type\",\"Time(%)\""));
    fixture_gpu_free();
}

TEST(names_may_be_as_object_files_have_them)
{
    struct stint_gpu_activity activity = {.kind = STINT_GPU_KERNEL,
                                          .name = "convolve(int)",
                                          .mangled = "_Z8convolvei",
                                          .numbers = {.count = 1, .total_ns = 5, .min_ns = 5, .max_ns = 5}};
    struct stint_snapshot snapshot = *fixture_empty();
    TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activity);
    print(&(struct stint_nvprof_asked){.mangled = 0}, STINT_NVPROF_GPU_SUMMARY, &snapshot);
    assert_non_null(strstr(captured_output.out, "convolve(int)"));
    print(&(struct stint_nvprof_asked){.mangled = 1}, STINT_NVPROF_GPU_SUMMARY, &snapshot);
    assert_non_null(strstr(captured_output.out, "_Z8convolvei"));
}

TEST(a_process_without_gpu_has_no_profile)
{
    assert_false(stint_nvprof_has_profile(fixture_empty()));
    assert_true(stint_nvprof_has_profile(fixture_gpu()));
    fixture_gpu_free();
}

TEST(counters_are_in_a_table_or_in_csv)
{
    const struct stint_nvtx_value values[] = {
        {.set = STINT_COUNTER_SET,
         .name = "gemm",
         .field = "lts__t_sectors_op_read.sum.per_second",
         .count = 2,
         .sum = 4,
         .min = 1,
         .max = 3},
        {.set = STINT_COUNTER_SET,
         .name = "gemm",
         .field = "sm__inst_executed.avg.per_cycle_active",
         .count = 2,
         .sum = 3,
         .min = 1,
         .max = 2},
    };
    const struct stint_snapshot snapshot = {.process = {.pid = 7}, .nvtx_values = values, .nvtx_value_count = 2};
    struct stint_nvprof_counters counters = {.words = "ipc,l2_read_throughput,dram_read_bytes"};
    captured_output_begin();
    assert_int_equal(stint_nvprof_counters_print(&counters, &snapshot, 0, STDOUT_FILENO), 0);
    captured_output_end();
    assert_memory_equal(captured_output.out, "==7== Metric result:\n", 21);
    assert_non_null(strstr(captured_output.out, "    Kernel: gemm\n"));
    assert_null(strstr(captured_output.out, "dram_read_bytes"));
    captured_output_begin();
    assert_int_equal(stint_nvprof_counters_print(&counters, &snapshot, 1, STDOUT_FILENO), 0);
    captured_output_end();
    assert_non_null(
        strstr(captured_output.out, "\"gemm\",2,\"ipc\",\"instructions in a cycle\",1.000000,2.000000,1.500000\n"));
    assert_non_null(strstr(captured_output.out, ",32.000000,96.000000,64.000000\n"));
}

TEST(kernels_of_counters_have_any_name)
{
    const struct stint_nvtx_value values[] = {{.set = STINT_COUNTER_SET,
                                               .name = "a \"b\"\33",
                                               .field = "sm__inst_executed.avg.per_cycle_active",
                                               .count = 1}};
    const struct stint_snapshot snapshot = {.nvtx_values = values, .nvtx_value_count = 1};
    struct stint_nvprof_counters counters = {.words = "ipc"};
    captured_output_begin();
    (void)stint_nvprof_counters_print(&counters, &snapshot, 0, STDOUT_FILENO);
    captured_output_end();
    assert_non_null(strstr(captured_output.out, "    Kernel: a \"b\"\\x1b\n"));
    captured_output_begin();
    (void)stint_nvprof_counters_print(&counters, &snapshot, 1, STDOUT_FILENO);
    captured_output_end();
    assert_non_null(strstr(captured_output.out, "\"a \"\"b\"\"\\x1b\",1,\"ipc\","));
}

TEST(counters_that_cannot_be_written_are_told)
{
    const struct stint_snapshot snapshot = {.process = {.pid = 7}};
    struct stint_nvprof_counters counters = {.words = "ipc"};
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    captured_output_begin();
    int failed = stint_nvprof_counters_print(&counters, &snapshot, 0, full);
    captured_output_end();
    assert_int_equal(failed, -1);
    assert_non_null(strstr(captured_output.err, "the metrics cannot be written: No space left on device"));
    (void)close(full);
}

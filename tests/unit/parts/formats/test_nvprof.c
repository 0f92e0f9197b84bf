#include <string.h>

#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

/* -------------------------------------------------------------------------------------- against nvprof's own output */

static struct stint_numbers numbers(uint64_t count, uint64_t total_ns, uint64_t min_ns, uint64_t max_ns)
{
    return (struct stint_numbers){.count = count, .total_ns = total_ns, .min_ns = min_ns, .max_ns = max_ns};
}

TEST_ONCE(NULL, fixture_gpu_teardown)

/* What nvprof printed of a program that convolves, with its times in ns. */
TEST(summary_is_nvprofs_byte_for_byte)
{
    const struct stint_gpu_activity activities[] = {
        {.kind = STINT_GPU_KERNEL,
         .name = "convolution_layer_cuda(float*, float*, float*)",
         .numbers = numbers(1, UINT64_C(34175900000), UINT64_C(34175900000), UINT64_C(34175900000))},
        {.kind = STINT_GPU_COPY,
         .name = "[CUDA memcpy HtoD]",
         .numbers = numbers(2, UINT64_C(5286700000), 13792, UINT64_C(5286690000))},
        {.kind = STINT_GPU_COPY, .name = "[CUDA memcpy DtoH]", .numbers = numbers(1, 2768900, 2768900, 2768900)},
    };
    const struct stint_stat stats[] = {
        {.set = STINT_API_SET,
         .name = "cudaDeviceSynchronize",
         .numbers = numbers(1, UINT64_C(34176100000), UINT64_C(34176100000), UINT64_C(34176100000))},
        {.set = STINT_API_SET, .name = "cudaMalloc", .numbers = numbers(4, 160194900, 670300, 158110000)},
        {.set = STINT_API_SET, .name = "cuDeviceGet", .numbers = numbers(2, 601, 107, 494)},
        {.set = "GlobalStatInfo", .name = "main", .numbers = numbers(1, 1, 1, 1)},
    };
    const struct stint_snapshot snapshot = {
        .size = sizeof snapshot,
        .process = {.pid = 4212, .command = "conv.exe", .host = "", .clock = ""},
        .stats = stats,
        .stat_count = 4,
        .gpu = {.collected = 1, .reason = ""},
        .gpu_activities = activities,
        .gpu_activity_count = 3,
    };
    struct capture out = capture_report(&snapshot, STINT_FORMAT_NVPROF, NULL);
    assert_string_equal(
        out.text, "==4212== Profiling application: conv.exe\n"
                  "==4212== Profiling result:\n"
                  "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
                  " GPU activities:   86.60%  34.1759s         1  34.1759s  34.1759s  34.1759s  "
                  "convolution_layer_cuda(float*, float*, float*)\n"
                  "                   13.40%  5.28670s         2  2.64335s  13.792us  5.28669s  [CUDA memcpy HtoD]\n"
                  "                    0.01%  2.7689ms         1  2.7689ms  2.7689ms  2.7689ms  [CUDA memcpy DtoH]\n"
                  "      API calls:   99.53%  34.1761s         1  34.1761s  34.1761s  34.1761s  cudaDeviceSynchronize\n"
                  "                    0.47%  160.19ms         4  40.049ms  670.30us  158.11ms  cudaMalloc\n"
                  "                    0.00%     601ns         2     300ns     107ns     494ns  cuDeviceGet\n");
}

TEST(unified_memory_is_nvprofs_byte_for_byte)
{
    const struct stint_gpu_activity activities[] = {
        {.kind = STINT_GPU_FAULT,
         .name = "[CUDA Unified Memory GPU page faults]",
         .numbers = numbers(145, 12247350, 1, 1),
         .bytes = 145},
        {.kind = STINT_GPU_UNIFIED,
         .direction = STINT_GPU_HTOD,
         .name = "[CUDA Unified Memory memcpy HtoD]",
         .numbers = numbers(141, 1635900, 1, 1),
         .bytes = 16777216,
         .min_bytes = 4096,
         .max_bytes = 1016 * 1024},
        {.kind = STINT_GPU_UNIFIED,
         .direction = STINT_GPU_DTOH,
         .name = "[CUDA Unified Memory memcpy DtoH]",
         .numbers = numbers(48, 699179, 1, 1),
         .bytes = 8388608,
         .min_bytes = 4096,
         .max_bytes = 1020 * 1024},
        {.kind = STINT_GPU_FAULT,
         .name = "[CUDA Unified Memory CPU page faults]",
         .numbers = numbers(72, 0, 0, 0),
         .bytes = 72},
    };
    const struct stint_gpu_device device = {.name = "Tesla P100-SXM2-16GB"};
    const struct stint_snapshot snapshot = {
        .size = sizeof snapshot,
        .process = {.pid = 26325, .command = "./MonteCarlo", .host = "", .clock = ""},
        .gpu = {.collected = 1, .reason = ""},
        .gpu_devices = &device,
        .gpu_device_count = 1,
        .gpu_activities = activities,
        .gpu_activity_count = 4,
    };
    struct capture out = capture_report(&snapshot, STINT_FORMAT_NVPROF, NULL);
    assert_string_equal(out.text,
                        "==26325== Profiling application: ./MonteCarlo\n"
                        "==26325== Profiling result:\n"
                        "No kernels were profiled.\n"
                        "No API activities were profiled.\n"
                        "\n"
                        "==26325== Unified Memory profiling result:\n"
                        "Device \"Tesla P100-SXM2-16GB (0)\"\n"
                        "   Count  Avg Size  Min Size  Max Size  Total Size  Total Time  Name\n"
                        "     145         -         -         -           -  12.24735ms  Gpu page fault groups\n"
                        "     141  116.20KB  4.0000KB  0.9922MB  16.00000MB  1.635900ms  Host To Device\n"
                        "      48  170.67KB  4.0000KB  0.9961MB  8.000000MB  699.1790us  Device To Host\n"
                        "Total CPU Page faults: 72\n");
}

/* ------------------------------------------------------------------------------------------------------------ whole */

TEST(summary_of_a_training_program)
{
    assert_report(fixture_gpu(), STINT_FORMAT_NVPROF, 0, "report_nvprof_gpu.txt");
    assert_report(fixture_gpu(), STINT_FORMAT_NVPROF_CSV, 0, "report_nvprof_gpu.csv");
}

TEST(summary_survives_nasty_names_and_cuts_none)
{
    assert_report(fixture_gpu_nasty(), STINT_FORMAT_NVPROF, 0, "report_nvprof_nasty.txt");
    assert_report(fixture_gpu_nasty(), STINT_FORMAT_NVPROF_CSV, 0, "report_nvprof_nasty.csv");
}

TEST(summary_of_the_largest_numbers_and_every_loss)
{
    assert_report(fixture_gpu_extreme(), STINT_FORMAT_NVPROF, 0, "report_nvprof_extreme.txt");
    assert_report(fixture_gpu_extreme(), STINT_FORMAT_NVPROF_CSV, 0, "report_nvprof_extreme.csv");
}

/* ----------------------------------------------------------------------------------------------------------- groups */

TEST(group_alone_has_its_rows_of_the_summary)
{
    static const struct {
        enum stint_format format;
        const char *label, *other, *row;
    } groups[] = {
        {STINT_FORMAT_NVPROF_GPU,
         " GPU activities:", "API calls:", "%  644.44ms       800  805.55us  798.76us  812.35us  void"},
        {STINT_FORMAT_NVPROF_API,
         "      API calls:", "GPU activities:", "  124.94ms         4  31.235ms  31.235ms  31.235ms  cuda"},
    };
    for (size_t i = 0; i < 2; i++) {
        struct capture all = capture_report(fixture_gpu(), STINT_FORMAT_NVPROF, NULL);
        struct capture out = capture_report(fixture_gpu(), groups[i].format, NULL);
        assert_non_null(strstr(out.text, groups[i].label));
        assert_non_null(strstr(all.text, groups[i].row));
        assert_non_null(strstr(out.text, groups[i].row));
        assert_null(strstr(out.text, groups[i].other));
        assert_null(strstr(out.text, "Unified"));
    }
}

TEST(group_alone_as_csv_has_its_rows_alone)
{
    struct capture gpu = capture_report(fixture_gpu(), STINT_FORMAT_NVPROF_GPU_CSV, NULL);
    struct capture api = capture_report(fixture_gpu(), STINT_FORMAT_NVPROF_API_CSV, NULL);
    assert_non_null(strstr(gpu.text, "\n\"GPU activities\","));
    assert_null(strstr(gpu.text, "\"API calls\","));
    assert_non_null(strstr(api.text, "\n\"API calls\","));
    assert_null(strstr(api.text, "\"GPU activities\","));
}

TEST(empty_group_alone_says_only_that)
{
    struct capture gpu = capture_report(fixture_gpu_calls(), STINT_FORMAT_NVPROF_GPU, NULL);
    struct capture api = capture_report(fixture_gpu_calls(), STINT_FORMAT_NVPROF_API, NULL);
    assert_non_null(strstr(gpu.text, "== Profiling result:\nNo kernels were profiled.\n"));
    assert_null(strstr(gpu.text, "API"));
    assert_null(strstr(api.text, "No "));
}

/* ---------------------------------------------------------------------------------------------------------- devices */

TEST(each_device_has_a_table)
{
    assert_report(fixture_gpu(), STINT_FORMAT_NVPROF_PER_GPU, 0, "report_nvprof_per_gpu_gpu.txt");
    assert_report(fixture_gpu(), STINT_FORMAT_NVPROF_PER_GPU_CSV, 0, "report_nvprof_per_gpu_gpu.csv");
}

TEST(without_devices_there_is_the_line)
{
    struct capture out = capture_report(fixture_gpu_calls(), STINT_FORMAT_NVPROF_PER_GPU, NULL);
    assert_non_null(strstr(out.text, "== Profiling result:\nNo kernels were profiled.\n==4711== API calls:\n"));
}

TEST(rows_of_a_device_are_by_its_own_time)
{
    static const struct stint_gpu_activity activities[] = {
        {.name = "a()",
         .mangled = "",
         .device = 0,
         .numbers = {.count = 1, .total_ns = 900, .min_ns = 900, .max_ns = 900}},
        {.name = "a()",
         .mangled = "",
         .device = 1,
         .numbers = {.count = 1, .total_ns = 100, .min_ns = 100, .max_ns = 100}},
        {.name = "b()",
         .mangled = "",
         .device = 1,
         .numbers = {.count = 2, .total_ns = 300, .min_ns = 100, .max_ns = 200}},
    };
    const struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                            .process = {.pid = 1, .command = "x", .host = "", .clock = ""},
                                            .gpu = {.collected = 1, .reason = ""},
                                            .gpu_activities = activities,
                                            .gpu_activity_count = 3};
    struct capture out = capture_report(&snapshot, STINT_FORMAT_NVPROF_PER_GPU, NULL);
    assert_non_null(strstr(out.text,
                           "==1== Device \"Device (1)\"\n"
                           "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
                           " GPU activities:   75.00%     300ns         2     150ns     100ns     200ns  b()\n"
                           "                   25.00%     100ns         1     100ns     100ns     100ns  a()\n"));
}

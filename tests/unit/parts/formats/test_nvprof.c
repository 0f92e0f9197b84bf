#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/nvprof.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint/gpu.h"
#include "stint/report.h"

static struct capture write_as(const struct stint_snapshot *snapshot, enum stint_format format)
{
    struct capture out = {0};
    assert_int_equal(stint_report_write(snapshot, format, NULL, capture_write, &out), STINT_OK);
    return out;
}

static void check_golden(const struct stint_snapshot *snapshot, enum stint_format format, const char *file)
{
    struct capture out = write_as(snapshot, format);
    assert_golden(&out, file);
    capture_free(&out);
}

/* ------------------------------------------------------------------------------------------------------------ cells */

static void times_read_as_nvprof_printed_them(void **state)
{
    static const struct {
        uint64_t ns;
        unsigned digits;
        const char *text;
    } samples[] = {
        {136140000, 5, "136.14ms"},
        {9630500, 5, "9.6305ms"},
        {1252, 5, "1.2520us"},
        {830, 5, "830ns"},
        {0, 5, "0ns"},
        {115446, 5, "115.45us"}, /* rounded, not cut */
        {UINT64_C(34175900000), 5, "34.1759s"},
        {UINT64_C(5286700000), 5, "5.28670s"},
        {12247350, 7, "12.24735ms"},
        {699179, 7, "699.1790us"},
        {UINT64_C(1360747000), 7, "1.360747s"},
    };
    char text[STINT_NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_int_equal(stint_nvprof_time(text, samples[i].ns, samples[i].digits), strlen(samples[i].text));
        assert_string_equal(text, samples[i].text);
    }
}

static void sizes_read_as_nvprof_printed_them(void **state)
{
    static const struct {
        uint64_t bytes;
        unsigned digits;
        const char *text;
    } samples[] = {
        {0, 5, "0B"},
        {16, 5, "16B"},
        {4096, 5, "4.0000KB"},
        {1142, 5, "1.1152KB"},
        {996 * 1024, 5, "996.00KB"},
        {1020 * 1024, 5, "0.9961MB"},
        {80000000, 5, "76.294MB"},
        {16777216, 7, "16.00000MB"},
        {8388608, 7, "8.000000MB"},
        {UINT64_C(5476753244), 7, "5.100624GB"},
    };
    char text[STINT_NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_int_equal(stint_nvprof_size(text, samples[i].bytes, samples[i].digits), strlen(samples[i].text));
        assert_string_equal(text, samples[i].text);
    }
}

static void rates_read_as_nvprof_printed_them(void **state)
{
    static const struct {
        uint64_t bytes;
        uint64_t ns;
        const char *text;
    } samples[] = {
        {262144, 26016, "9.3842GB/s"}, {262144, 22016, "11.089GB/s"}, {1, 1280, "762.94KB/s"},
        {4, 640, "5.9605MB/s"},        {8, 1344, "5.6766MB/s"},       {8, 0, "-"},
    };
    char text[STINT_NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_int_equal(stint_nvprof_rate(text, samples[i].bytes, samples[i].ns), strlen(samples[i].text));
        assert_string_equal(text, samples[i].text);
    }
}

static void no_time_is_wider_than_its_column(void **state)
{
    char text[STINT_NUMBER_SIZE];
    (void)state;
    for (unsigned shift = 0; shift < 64; shift++) {
        for (uint64_t ns = UINT64_MAX >> shift; ns; ns = ns / 10 * 9 / 3) {
            assert_true(stint_nvprof_time(text, ns, 5) <= 8);
            assert_true(stint_nvprof_time(text, ns, 7) <= 10);
            assert_true(stint_nvprof_size(text, ns, 5) <= 9); /* more TB than have room */
        }
    }
    assert_int_equal(stint_nvprof_time(text, 999996, 5), 8);
    assert_string_equal(text, "1000.0us");
}

static void times_from_1000_s_keep_their_digits(void **state)
{
    char text[STINT_NUMBER_SIZE];
    (void)state;
    stint_nvprof_time(text, UINT64_C(2400760000000), 5);
    assert_string_equal(text, "2400.76s");
    stint_nvprof_time(text, UINT64_MAX, 5);
    assert_string_equal(text, "1.8e+10s");
}

static void device_keeps_its_number_when_its_name_is_cut(void **state)
{
    struct stint_gpu_device device = {.id = 7, .name = "NVIDIA H100 80GB HBM3"};
    char text[STINT_NUMBER_SIZE];
    (void)state;
    assert_int_equal(stint_nvprof_device(text, &device, 15), 15);
    assert_string_equal(text, "NVIDIA H100 (7)");
    device.name = "NVIDIA H200";
    device.id = 0;
    stint_nvprof_device(text, &device, 15);
    assert_string_equal(text, "NVIDIA H200 (0)");
    device.name = "";
    stint_nvprof_device(text, &device, 15);
    assert_string_equal(text, "Device (0)");
}

/* -------------------------------------------------------------------------------------- against nvprof's own output */

static struct stint_numbers numbers(uint64_t count, uint64_t total_ns, uint64_t min_ns, uint64_t max_ns)
{
    return (struct stint_numbers){.count = count, .total_ns = total_ns, .min_ns = min_ns, .max_ns = max_ns};
}

/* What nvprof printed of a program that convolves, with its times in ns. */
static void summary_is_nvprofs_byte_for_byte(void **state)
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
    struct capture out = write_as(&snapshot, STINT_FORMAT_NVPROF);
    (void)state;
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
    capture_free(&out);
}

static void unified_memory_is_nvprofs_byte_for_byte(void **state)
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
    struct capture out = write_as(&snapshot, STINT_FORMAT_NVPROF);
    (void)state;
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
    capture_free(&out);
}

/* ------------------------------------------------------------------------------------------------------------ whole */

static void summary_of_a_training_program(void **state)
{
    (void)state;
    check_golden(fixture_gpu(), STINT_FORMAT_NVPROF, "report_nvprof_gpu.txt");
    check_golden(fixture_gpu(), STINT_FORMAT_NVPROF_CSV, "report_nvprof_gpu.csv");
}

static void summary_survives_nasty_names_and_cuts_none(void **state)
{
    (void)state;
    check_golden(fixture_gpu_nasty(), STINT_FORMAT_NVPROF, "report_nvprof_nasty.txt");
    check_golden(fixture_gpu_nasty(), STINT_FORMAT_NVPROF_CSV, "report_nvprof_nasty.csv");
}

static void summary_of_the_largest_numbers_and_every_loss(void **state)
{
    (void)state;
    check_golden(fixture_gpu_extreme(), STINT_FORMAT_NVPROF, "report_nvprof_extreme.txt");
    check_golden(fixture_gpu_extreme(), STINT_FORMAT_NVPROF_CSV, "report_nvprof_extreme.csv");
}

static void group_without_rows_says_so(void **state)
{
    (void)state;
    check_golden(fixture_gpu_calls(), STINT_FORMAT_NVPROF, "report_nvprof_calls.txt");
    check_golden(fixture_gpu_calls(), STINT_FORMAT_NVPROF_CSV, "report_nvprof_calls.csv");
}

static void without_a_collector_it_says_how_to_get_one(void **state)
{
    struct capture out = write_as(fixture_empty(), STINT_FORMAT_NVPROF);
    (void)state;
    assert_string_equal(out.text, "==4711== Profiling application: ./idle\n"
                                  "==4711== Warning: GPU activity was not collected. Set STINT_GPU=on, or call "
                                  "stint_gpu_start().\n"
                                  "==4711== Profiling result:\n"
                                  "No kernels were profiled.\n"
                                  "No API activities were profiled.\n");
    capture_free(&out);
}

static void collector_that_failed_says_why(void **state)
{
    struct capture out = write_as(fixture_gpu_spans(), STINT_FORMAT_NVPROF);
    (void)state;
    assert_non_null(strstr(out.text, "== Warning: CUPTI is in use by another profiler: stop it, or collect without\n"));
    assert_null(strstr(out.text, "was not collected"));
    capture_free(&out);
}

static void head_names_what_is_missing(void **state)
{
    struct stint_gpu_activity lost = {
        .kind = STINT_GPU_UNMEASURED, .name = "forward(float *)", .mangled = "", .numbers = {.count = 2}};
    struct stint_snapshot snapshot = *fixture_gpu_calls();
    (void)state;
    snapshot.gpu_activities = &lost;
    snapshot.gpu_activity_count = 1;
    struct capture out = write_as(&snapshot, STINT_FORMAT_NVPROF);
    assert_non_null(strstr(out.text, "== Warning: GPU: 2 launches were not measured: 2 forward(float *)\n"));
    assert_null(strstr(out.text, "not recorded"));
    capture_free(&out);
    snapshot.gpu.what = STINT_GPU_DEFAULT;
    out = write_as(&snapshot, STINT_FORMAT_NVPROF);
    assert_non_null(strstr(out.text, "== Warning: GPU: not recorded: queries and other short calls of CUDA ("));
    capture_free(&out);
    snapshot.gpu.what = STINT_GPU_ACTIVITIES; /* as with --profile-api-trace none */
    out = write_as(&snapshot, STINT_FORMAT_NVPROF);
    assert_null(strstr(out.text, "not recorded"));
    capture_free(&out);
}

static void each_group_adds_up_to_100_percent(void **state)
{
    struct capture out = write_as(fixture_gpu(), STINT_FORMAT_NVPROF_CSV);
    static const char *const groups[] = {"\n\"GPU activities\",", "\n\"API calls\","};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        double sum = 0;
        for (const char *at = out.text; (at = strstr(at, groups[i])); at++)
            sum += strtod(at + strlen(groups[i]), NULL);
        assert_true(sum > 99.9999 && sum < 100.0001);
    }
    capture_free(&out);
}

static void streams_and_devices_of_a_name_are_one_row(void **state)
{
    struct capture out = write_as(fixture_gpu(), STINT_FORMAT_NVPROF);
    const char *row = strstr(out.text, "void convolve");
    (void)state;
    assert_non_null(row);
    assert_null(strstr(row + 1, "void convolve"));
    assert_non_null(strstr(out.text, "  644.44ms       800  805.55us  798.76us  812.35us  void convolve"));
    capture_free(&out);
}

static int free_fixture(void **state)
{
    (void)state;
    fixture_gpu_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_read_as_nvprof_printed_them),
        cmocka_unit_test(sizes_read_as_nvprof_printed_them),
        cmocka_unit_test(rates_read_as_nvprof_printed_them),
        cmocka_unit_test(no_time_is_wider_than_its_column),
        cmocka_unit_test(times_from_1000_s_keep_their_digits),
        cmocka_unit_test(device_keeps_its_number_when_its_name_is_cut),
        cmocka_unit_test(summary_is_nvprofs_byte_for_byte),
        cmocka_unit_test(unified_memory_is_nvprofs_byte_for_byte),
        cmocka_unit_test(summary_of_a_training_program),
        cmocka_unit_test(summary_survives_nasty_names_and_cuts_none),
        cmocka_unit_test(summary_of_the_largest_numbers_and_every_loss),
        cmocka_unit_test(group_without_rows_says_so),
        cmocka_unit_test(without_a_collector_it_says_how_to_get_one),
        cmocka_unit_test(collector_that_failed_says_why),
        cmocka_unit_test(head_names_what_is_missing),
        cmocka_unit_test(each_group_adds_up_to_100_percent),
        cmocka_unit_test(streams_and_devices_of_a_name_are_one_row),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixture);
}

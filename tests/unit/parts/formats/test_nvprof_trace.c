#include <string.h>

#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

/* -------------------------------------------------------------------------------------- against nvprof's own output */

static const struct stint_gpu_device s_device = {.name = "Tesla T4"};

/* Of adding two vectors. */
static const struct stint_gpu_event s_events[] = {
    {.api = 1, .name = "cuDeviceGetCount", .start_ns = 1000, .end_ns = 3415, .correlation = 1},
    {.kind = STINT_GPU_COPY,
     .name = "[CUDA memcpy HtoD]",
     .start_ns = 465871000,
     .end_ns = 465897016,
     .correlation = 120,
     .device_context = 1,
     .stream = 7,
     .bytes = 262144,
     .source = STINT_GPU_MEMORY_PAGEABLE,
     .destination = STINT_GPU_MEMORY_DEVICE},
    {.api = 1, .name = "cudaLaunchKernel", .start_ns = 466101000, .end_ns = 466141939, .correlation = 130},
    {.kind = STINT_GPU_KERNEL,
     .name = "vectorAdd(int const *, int const *, int*, int)",
     .start_ns = 466211000,
     .end_ns = 466215992,
     .correlation = 130,
     .device_context = 1,
     .stream = 7,
     .grid = {64, 1, 1},
     .block = {1024, 1, 1},
     .registers = 16},
    {.kind = STINT_GPU_SET,
     .name = "[CUDA memset]",
     .start_ns = 466301000,
     .end_ns = 466302344,
     .correlation = 131,
     .device_context = 1,
     .stream = 7,
     .bytes = 8,
     .destination = STINT_GPU_MEMORY_DEVICE},
};

static const struct stint_snapshot s_vectors = {
    .size = sizeof s_vectors,
    .process = {.pid = 38262, .command = "./cu_vector_add.bin", .host = "", .clock = ""},
    .gpu = {.collected = 1, .reason = ""},
    .gpu_devices = &s_device,
    .gpu_device_count = 1,
    .gpu_events = s_events,
    .gpu_event_count = sizeof s_events / sizeof s_events[0],
};

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(gpu_trace_is_nvprofs_byte_for_byte)
{
    struct capture out = capture_report(&s_vectors, STINT_FORMAT_GPU_TRACE, NULL);
    assert_string_equal(
        out.text,
        "==38262== Profiling application: ./cu_vector_add.bin\n"
        "==38262== Profiling result:\n"
        "   Start  Duration            Grid Size      Block Size     Regs*    SSMem*    DSMem*      Size  Throughput  "
        "SrcMemType  DstMemType           Device   Context    Stream  Name\n"
        "465.87ms  26.016us                    -               -         -         -         -  256.00KB  9.3842GB/s  "
        "  Pageable      Device     Tesla T4 (0)         1         7  [CUDA memcpy HtoD]\n"
        "466.21ms  4.9920us             (64 1 1)      (1024 1 1)        16        0B        0B         -           -  "
        "         -           -     Tesla T4 (0)         1         7  vectorAdd(int const *, int const *, int*, int) "
        "[130]\n"
        "466.30ms  1.3440us                    -               -         -         -         -        8B  5.6766MB/s  "
        "    Device           -     Tesla T4 (0)         1         7  [CUDA memset]\n"
        "\n"
        "Regs: Number of registers used per CUDA thread. This number includes registers used internally by the CUDA "
        "driver and/or tools and can be more than what the compiler shows.\n"
        "SSMem: Static shared memory allocated per CUDA block.\n"
        "DSMem: Dynamic shared memory allocated per CUDA block.\n"
        "SrcMemType: The type of source memory accessed by memory operation/copy\n"
        "DstMemType: The type of destination memory accessed by memory operation/copy\n");
}

TEST(gpu_trace_csv_is_nvprofs_dialect)
{
    struct capture out = capture_report(&s_vectors, STINT_FORMAT_GPU_TRACE_CSV, NULL);
    assert_string_equal(
        out.text,
        "==38262== Profiling application: ./cu_vector_add.bin\n"
        "==38262== Profiling result:\n"
        "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\","
        "\"Registers Per Thread\",\"Static SMem\",\"Dynamic SMem\",\"Size\",\"Throughput\",\"SrcMemType\","
        "\"DstMemType\",\"Device\",\"Context\",\"Stream\",\"Name\",\"Correlation_ID\"\n"
        "ms,us,,,,,,,,B,B,KB,GB/s,,,,,,,\n"
        "465.870000,26.016000,,,,,,,,,,256.000000,9.384249,\"Pageable\",\"Device\",\"Tesla T4 (0)\",\"1\",\"7\","
        "\"[CUDA memcpy HtoD]\",120\n"
        "466.210000,4.992000,64,1,1,1024,1,1,16,0.000000,0.000000,,,,,\"Tesla T4 (0)\",\"1\",\"7\","
        "\"vectorAdd(int const *, int const *, int*, int)\",130\n"
        "466.300000,1.344000,,,,,,,,,,0.007812,0.005544,\"Device\",,\"Tesla T4 (0)\",\"1\",\"7\","
        "\"[CUDA memset]\",131\n");
}

TEST(api_trace_names_what_was_launched)
{
    struct capture out = capture_report(&s_vectors, STINT_FORMAT_API_TRACE, NULL);
    assert_string_equal(
        out.text, "==38262== Profiling application: ./cu_vector_add.bin\n"
                  "==38262== Profiling result:\n"
                  "   Start  Duration  Name\n"
                  "     0ns  2.4150us  cuDeviceGetCount [1]\n"
                  "466.10ms  40.939us  cudaLaunchKernel (vectorAdd(int const *, int const *, int*, int) [130])\n");
}

TEST(api_trace_tells_processes_apart)
{
    const struct stint_gpu_event events[] = {
        {.api = 1, .name = "cudaLaunchKernel", .end_ns = 10, .correlation = 1, .pid = 5},
        {.api = 1, .name = "cudaLaunchKernel", .end_ns = 10, .correlation = 1, .pid = 6},
        {.kind = STINT_GPU_KERNEL, .name = "a", .start_ns = 10, .end_ns = 20, .correlation = 1, .pid = 5},
        {.kind = STINT_GPU_KERNEL, .name = "b", .start_ns = 10, .end_ns = 20, .correlation = 1, .pid = 6},
    };
    struct stint_snapshot snapshot = s_vectors;
    snapshot.gpu_events = events;
    snapshot.gpu_event_count = sizeof events / sizeof events[0];
    struct capture out = capture_report(&snapshot, STINT_FORMAT_API_TRACE, NULL);
    assert_non_null(strstr(out.text, "cudaLaunchKernel (a [1])\n"));
    assert_non_null(strstr(out.text, "cudaLaunchKernel (b [1])\n"));
}

TEST(api_trace_csv_is_nvprofs_dialect)
{
    struct capture out = capture_report(&s_vectors, STINT_FORMAT_API_TRACE_CSV, NULL);
    assert_string_equal(out.text, "==38262== Profiling application: ./cu_vector_add.bin\n"
                                  "==38262== Profiling result:\n"
                                  "\"Start\",\"Duration\",\"Name\",\"Correlation_ID\"\n"
                                  "ms,us,,\n"
                                  "0.000000,2.415000,\"cuDeviceGetCount\",1\n"
                                  "466.100000,40.939000,\"cudaLaunchKernel\",130\n");
}

/* ------------------------------------------------------------------------------------------------------------ whole */

TEST(traces_of_a_training_program)
{
    assert_report(fixture_gpu(), STINT_FORMAT_GPU_TRACE, 0, "report_gpu_trace_gpu.txt");
    assert_report(fixture_gpu(), STINT_FORMAT_GPU_TRACE_CSV, 0, "report_gpu_trace_gpu.csv");
    assert_report(fixture_gpu(), STINT_FORMAT_API_TRACE, 0, "report_api_trace_gpu.txt");
    assert_report(fixture_gpu(), STINT_FORMAT_API_TRACE_CSV, 0, "report_api_trace_gpu.csv");
}

TEST(traces_survive_nasty_names_and_cut_none)
{
    assert_report(fixture_gpu_nasty(), STINT_FORMAT_GPU_TRACE, 0, "report_gpu_trace_nasty.txt");
    assert_report(fixture_gpu_nasty(), STINT_FORMAT_GPU_TRACE_CSV, 0, "report_gpu_trace_nasty.csv");
    assert_report(fixture_gpu_nasty(), STINT_FORMAT_API_TRACE, 0, "report_api_trace_nasty.txt");
}

TEST(traces_of_the_largest_numbers_keep_their_columns)
{
    assert_report(fixture_gpu_extreme(), STINT_FORMAT_GPU_TRACE, 0, "report_gpu_trace_extreme.txt");
    assert_report(fixture_gpu_extreme(), STINT_FORMAT_GPU_TRACE_CSV, 0, "report_gpu_trace_extreme.csv");
}

TEST(trace_without_rows_says_so)
{
    struct capture out = capture_report(fixture_gpu_calls(), STINT_FORMAT_GPU_TRACE, NULL);
    assert_non_null(strstr(out.text, "== Profiling result:\nNo kernels were profiled.\n"));
    assert_null(strstr(out.text, "Start"));
}

TEST(without_a_trace_it_says_how_to_get_one)
{
    static const enum stint_format formats[] = {STINT_FORMAT_GPU_TRACE, STINT_FORMAT_GPU_TRACE_CSV,
                                                STINT_FORMAT_API_TRACE, STINT_FORMAT_API_TRACE_CSV};
    for (size_t i = 0; i < 4; i++) {
        struct capture out = capture_report(fixture_gpu_streams(), formats[i], NULL);
        assert_string_equal(out.text, "==4711== Profiling application: ./serve\n"
                                      "==4711== Warning: No trace was kept. Set STINT_GPU_TRACE=100000 to keep the "
                                      "first 100000 events.\n");
    }
}

TEST(trace_says_how_far_clocks_may_be_apart)
{
    struct capture out = capture_report(fixture_gpu(), STINT_FORMAT_API_TRACE, NULL);
    assert_non_null(strstr(out.text,
                           "\n==4711== Clock: times of host and GPUs are within 412 ns of each other.\n"
                           "==4711== Warning: 2 events seemed to begin before their launch, and were moved to it.\n"));
    out = capture_report(&s_vectors, STINT_FORMAT_API_TRACE, NULL);
    assert_null(strstr(out.text, "Clock"));
    assert_null(strstr(out.text, "Warning"));
}

/* 128 registers of 256 threads: two blocks, 16 of 64 warps; and a grid of as many blocks as multiprocessors. */
TEST(traces_tell_the_occupancy_of_kernels_and_what_limits_it)
{
    const struct stint_gpu_device device = {
        .name = "NVIDIA H200", .compute_major = 9, .multiprocessors = 132, .memory_bytes = 1};
    const struct stint_gpu_event events[] = {
        {.name = "large", .end_ns = 5, .grid = {9000, 1, 1}, .block = {256, 1, 1}, .registers = 128},
        {.name = "small", .start_ns = 5, .end_ns = 9, .grid = {132, 1, 1}, .block = {64, 1, 1}, .registers = 16}};
    const struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                            .process = {.pid = 5, .command = "", .host = "", .clock = ""},
                                            .gpu = {.collected = 1},
                                            .gpu_devices = &device,
                                            .gpu_device_count = 1,
                                            .gpu_events = events,
                                            .gpu_event_count = 2};
    struct capture out = capture_report(&snapshot, STINT_FORMAT_GPU_TRACE_CSV, NULL);
    assert_non_null(strstr(out.text, "\"Correlation_ID\",\"Occupancy\",\"Limited By\"\n"));
    assert_non_null(strstr(out.text, "\"large\",,25.000000,\"registers\"\n"));
    assert_non_null(strstr(out.text, "\"small\",,3.125000,\"grid\"\n"));
    out = capture_report(&snapshot, STINT_FORMAT_GPU_TRACE, NULL);
    assert_non_null(strstr(out.text, "  Occupancy  Limited By  Name\n"));
    assert_non_null(strstr(out.text, "     25.00%   registers  large\n"));
}

/* ------------------------------------------------------------------------------------------------------------- both */

TEST(both_traces_are_merged_by_start)
{
    assert_report(fixture_gpu(), STINT_FORMAT_GPU_API_TRACE, 0, "report_gpu_api_trace_gpu.txt");
    assert_report(fixture_gpu(), STINT_FORMAT_GPU_API_TRACE_CSV, 0, "report_gpu_api_trace_gpu.csv");
}

static size_t rows_of(enum stint_format format)
{
    const char *units = strstr(capture_report(fixture_gpu(), format, NULL).text, ",,\n");
    size_t rows = count_words(units, "\n") - 1;
    return rows;
}

TEST(merged_trace_has_the_rows_of_both)
{
    assert_int_equal(rows_of(STINT_FORMAT_GPU_API_TRACE_CSV),
                     rows_of(STINT_FORMAT_GPU_TRACE_CSV) + rows_of(STINT_FORMAT_API_TRACE_CSV));
}

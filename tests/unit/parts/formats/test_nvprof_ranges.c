#include <string.h>

#include "formats/formats.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

#define NUMBERS(n, total, least, most)                                                                                 \
    {                                                                                                                  \
        .count = n, .total_ns = total, .min_ns = least, .max_ns = most                                                 \
    }

enum { RANGE, LAUNCH, OTHER };

static const struct stint_stat s_stats[] = {
    [RANGE] =
        {.set = "NVTX", .name = "myKernel", .file = "", .function = "", .numbers = NUMBERS(1, 32868, 32868, 32868)},
    [LAUNCH] = {.set = STINT_API_SET,
                .name = "cudaLaunchKernel",
                .file = "",
                .function = "",
                .numbers = NUMBERS(1, 27030, 27030, 27030)},
    [OTHER] = {.set = "NVTX:lib", .name = "idle", .file = "", .function = "", .numbers = NUMBERS(1, 5, 5, 5)},
};

static const struct stint_gpu_activity s_kernel = {
    .name = "_ZN4RAJA4expt17launch_global_fcnEv", .mangled = "", .numbers = NUMBERS(1, 2030700, 2030700, 2030700)};

static const struct stint_thread s_threads[] = {{.pid = 73220, .tid = 290832}, {.pid = 73220, .tid = 290833}};

/* A program with these contexts, and one kernel charged to the second. */
static struct stint_snapshot with(const struct stint_context *contexts, size_t count,
                                  const struct stint_gpu_charge *charge, size_t threads)
{
    return (struct stint_snapshot){
        .size = sizeof(struct stint_snapshot),
        .process = {.pid = 73220, .command = "./a.out", .host = "", .clock = ""},
        .stats = s_stats,
        .stat_count = 3,
        .contexts = contexts,
        .context_count = count,
        .threads = s_threads,
        .thread_count = threads,
        .gpu = {.collected = 1, .reason = ""},
        .gpu_activities = &s_kernel,
        .gpu_activity_count = 1,
        .gpu_charges = charge,
        .gpu_charge_count = 1,
    };
}

TEST_ONCE(NULL, fixture_gpu_teardown)

/* What nvprof printed of a kernel within a range. */
TEST(ranges_are_nvprofs_byte_for_byte)
{
    static const struct stint_context contexts[] = {
        {.stat = RANGE, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 32868, 32868, 32868)},
        {.stat = LAUNCH, .parent = 0, .depth = 1, .numbers = NUMBERS(1, 27030, 27030, 27030)},
        {.stat = OTHER, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 5, 5, 5)},
    };
    static const struct stint_gpu_charge charge = {
        .context = 0, .count = 1, .total_ns = 2030700, .min_ns = 2030700, .max_ns = 2030700};
    const struct stint_snapshot snapshot = with(contexts, 3, &charge, 1);
    struct capture out = capture_report(&snapshot, STINT_FORMAT_NVPROF_NVTX, NULL);
    assert_string_equal(out.text,
                        "==73220== NVTX result:\n"
                        "==73220==   Thread \"<unnamed>\" (id = 290832)\n"
                        "==73220==     Domain \"<unnamed>\"\n"
                        "==73220==       Range \"myKernel\"\n"
                        "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
                        "          Range:  100.00%  32.868us         1  32.868us  32.868us  32.868us  myKernel\n"
                        " GPU activities:  100.00%  2.0307ms         1  2.0307ms  2.0307ms  2.0307ms  "
                        "_ZN4RAJA4expt17launch_global_fcnEv\n"
                        "      API calls:  100.00%  27.030us         1  27.030us  27.030us  27.030us  "
                        "cudaLaunchKernel\n"
                        "\n");
}

TEST(what_is_within_a_range_within_itself_counts_once)
{
    static const struct stint_context contexts[] = {
        {.stat = RANGE, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 32868, 32868, 32868)},
        {.stat = RANGE, .parent = 0, .depth = 1, .numbers = NUMBERS(1, 30000, 30000, 30000)},
        {.stat = LAUNCH, .parent = 1, .depth = 2, .numbers = NUMBERS(1, 27030, 27030, 27030)},
    };
    static const struct stint_gpu_charge charge = {
        .context = 1, .count = 1, .total_ns = 2030700, .min_ns = 2030700, .max_ns = 2030700};
    const struct stint_snapshot snapshot = with(contexts, 3, &charge, 1);
    struct capture out = capture_report(&snapshot, STINT_FORMAT_NVPROF_NVTX, NULL);
    assert_int_equal(count_words(out.text, "100.00%  2.0307ms         1  "), 1);
    assert_int_equal(count_words(out.text, "100.00%  27.030us         1  "), 1);
}

TEST(work_without_a_range_is_in_none)
{
    static const struct stint_context contexts[] = {
        {.stat = RANGE, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 32868, 32868, 32868)},
        {.stat = LAUNCH, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 27030, 27030, 27030)},
    };
    static const struct stint_gpu_charge charge = {
        .context = STINT_GPU_NO_SCOPE, .count = 1, .total_ns = 2030700, .min_ns = 2030700, .max_ns = 2030700};
    const struct stint_snapshot snapshot = with(contexts, 2, &charge, 1);
    struct capture out = capture_report(&snapshot, STINT_FORMAT_NVPROF_NVTX, NULL);
    assert_string_equal(out.text, "==73220== NVTX result:\nNo ranges with GPU work or calls were profiled.\n");
    assert_false(stint_nvprof_has_ranges(&snapshot));
}

TEST(range_of_several_threads_has_no_thread)
{
    static const struct stint_context contexts[] = {
        {.stat = RANGE, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 32868, 32868, 32868)},
        {.stat = LAUNCH, .parent = 0, .depth = 1, .numbers = NUMBERS(1, 27030, 27030, 27030)},
    };
    static const struct stint_thread_stat parts[] = {{.thread = 0, .stat = RANGE}, {.thread = 1, .stat = RANGE}};
    static const struct stint_gpu_charge charge = {.context = STINT_GPU_NO_SCOPE, .count = 1};
    struct stint_snapshot snapshot = with(contexts, 2, &charge, 2);
    snapshot.thread_stats = parts;
    snapshot.thread_stat_count = 2;
    assert_true(stint_nvprof_has_ranges(&snapshot));
    struct capture out = capture_report(&snapshot, STINT_FORMAT_NVPROF_NVTX, NULL);
    assert_non_null(strstr(out.text, "  Thread \"<several>\" (id = 0)\n"));
    snapshot.thread_stat_count = 1;
    out = capture_report(&snapshot, STINT_FORMAT_NVPROF_NVTX, NULL);
    assert_non_null(strstr(out.text, "  Thread \"<unnamed>\" (id = 290832)\n"));
}

TEST(ranges_of_a_training_program)
{
    assert_report(fixture_gpu_nvtx(), STINT_FORMAT_NVPROF_NVTX, 0, "report_nvprof_nvtx_nvtx.txt");
    assert_report(fixture_gpu_nvtx(), STINT_FORMAT_NVPROF_NVTX_CSV, 0, "report_nvprof_nvtx_nvtx.csv");
}

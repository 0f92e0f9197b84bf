#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "formats/formats.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint/nvtx_stats.h"

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

/* Returns how often `word` is in the text. */
static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    while ((text = strstr(text, word))) {
        found++;
        text++;
    }
    return found;
}

/* ----------------------------------------------------------------------------------------------------------- groups */

static void group_alone_has_its_rows_of_the_summary(void **state)
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
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct capture all = write_as(fixture_gpu(), STINT_FORMAT_NVPROF);
        struct capture out = write_as(fixture_gpu(), groups[i].format);
        assert_non_null(strstr(out.text, groups[i].label));
        assert_non_null(strstr(all.text, groups[i].row));
        assert_non_null(strstr(out.text, groups[i].row));
        assert_null(strstr(out.text, groups[i].other));
        assert_null(strstr(out.text, "Unified"));
        capture_free(&all);
        capture_free(&out);
    }
}

static void group_alone_as_csv_has_its_rows_alone(void **state)
{
    struct capture gpu = write_as(fixture_gpu(), STINT_FORMAT_NVPROF_GPU_CSV);
    struct capture api = write_as(fixture_gpu(), STINT_FORMAT_NVPROF_API_CSV);
    (void)state;
    assert_non_null(strstr(gpu.text, "\n\"GPU activities\","));
    assert_null(strstr(gpu.text, "\"API calls\","));
    assert_non_null(strstr(api.text, "\n\"API calls\","));
    assert_null(strstr(api.text, "\"GPU activities\","));
    capture_free(&gpu);
    capture_free(&api);
}

static void empty_group_alone_says_only_that(void **state)
{
    struct capture gpu = write_as(fixture_gpu_calls(), STINT_FORMAT_NVPROF_GPU);
    struct capture api = write_as(fixture_gpu_calls(), STINT_FORMAT_NVPROF_API);
    (void)state;
    assert_non_null(strstr(gpu.text, "== Profiling result:\nNo kernels were profiled.\n"));
    assert_null(strstr(gpu.text, "API"));
    assert_null(strstr(api.text, "No "));
    capture_free(&gpu);
    capture_free(&api);
}

/* ---------------------------------------------------------------------------------------------------------- devices */

static void each_device_has_a_table(void **state)
{
    (void)state;
    check_golden(fixture_gpu(), STINT_FORMAT_NVPROF_PER_GPU, "report_nvprof_per_gpu_gpu.txt");
    check_golden(fixture_gpu(), STINT_FORMAT_NVPROF_PER_GPU_CSV, "report_nvprof_per_gpu_gpu.csv");
}

static void without_devices_there_is_the_line(void **state)
{
    struct capture out = write_as(fixture_gpu_calls(), STINT_FORMAT_NVPROF_PER_GPU);
    (void)state;
    assert_non_null(strstr(out.text, "== Profiling result:\nNo kernels were profiled.\n==4711== API calls:\n"));
    capture_free(&out);
}

static void rows_of_a_device_are_by_its_own_time(void **state)
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
    struct capture out = write_as(&snapshot, STINT_FORMAT_NVPROF_PER_GPU);
    (void)state;
    assert_non_null(strstr(out.text,
                           "==1== Device \"Device (1)\"\n"
                           "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
                           " GPU activities:   75.00%     300ns         2     150ns     100ns     200ns  b()\n"
                           "                   25.00%     100ns         1     100ns     100ns     100ns  a()\n"));
    capture_free(&out);
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

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

/* What nvprof printed of a kernel within a range. */
static void ranges_are_nvprofs_byte_for_byte(void **state)
{
    static const struct stint_context contexts[] = {
        {.stat = RANGE, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 32868, 32868, 32868)},
        {.stat = LAUNCH, .parent = 0, .depth = 1, .numbers = NUMBERS(1, 27030, 27030, 27030)},
        {.stat = OTHER, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 5, 5, 5)},
    };
    static const struct stint_gpu_charge charge = {
        .context = 0, .count = 1, .total_ns = 2030700, .min_ns = 2030700, .max_ns = 2030700};
    const struct stint_snapshot snapshot = with(contexts, 3, &charge, 1);
    struct capture out = write_as(&snapshot, STINT_FORMAT_NVPROF_NVTX);
    (void)state;
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
    capture_free(&out);
}

static void what_is_within_a_range_within_itself_counts_once(void **state)
{
    static const struct stint_context contexts[] = {
        {.stat = RANGE, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 32868, 32868, 32868)},
        {.stat = RANGE, .parent = 0, .depth = 1, .numbers = NUMBERS(1, 30000, 30000, 30000)},
        {.stat = LAUNCH, .parent = 1, .depth = 2, .numbers = NUMBERS(1, 27030, 27030, 27030)},
    };
    static const struct stint_gpu_charge charge = {
        .context = 1, .count = 1, .total_ns = 2030700, .min_ns = 2030700, .max_ns = 2030700};
    const struct stint_snapshot snapshot = with(contexts, 3, &charge, 1);
    struct capture out = write_as(&snapshot, STINT_FORMAT_NVPROF_NVTX);
    (void)state;
    assert_int_equal(count(out.text, "100.00%  2.0307ms         1  "), 1);
    assert_int_equal(count(out.text, "100.00%  27.030us         1  "), 1);
    capture_free(&out);
}

static void work_without_a_range_is_in_none(void **state)
{
    static const struct stint_context contexts[] = {
        {.stat = RANGE, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 32868, 32868, 32868)},
        {.stat = LAUNCH, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 27030, 27030, 27030)},
    };
    static const struct stint_gpu_charge charge = {
        .context = STINT_GPU_NO_SCOPE, .count = 1, .total_ns = 2030700, .min_ns = 2030700, .max_ns = 2030700};
    const struct stint_snapshot snapshot = with(contexts, 2, &charge, 1);
    struct capture out = write_as(&snapshot, STINT_FORMAT_NVPROF_NVTX);
    (void)state;
    assert_string_equal(out.text, "==73220== NVTX result:\nNo ranges with GPU work or calls were profiled.\n");
    assert_false(stint_nvprof_has_ranges(&snapshot));
    capture_free(&out);
}

static void range_of_several_threads_has_no_thread(void **state)
{
    static const struct stint_context contexts[] = {
        {.stat = RANGE, .parent = STINT_NO_PARENT, .numbers = NUMBERS(1, 32868, 32868, 32868)},
        {.stat = LAUNCH, .parent = 0, .depth = 1, .numbers = NUMBERS(1, 27030, 27030, 27030)},
    };
    static const struct stint_thread_stat parts[] = {{.thread = 0, .stat = RANGE}, {.thread = 1, .stat = RANGE}};
    static const struct stint_gpu_charge charge = {.context = STINT_GPU_NO_SCOPE, .count = 1};
    struct stint_snapshot snapshot = with(contexts, 2, &charge, 2);
    struct capture out;
    (void)state;
    snapshot.thread_stats = parts;
    snapshot.thread_stat_count = 2;
    assert_true(stint_nvprof_has_ranges(&snapshot));
    out = write_as(&snapshot, STINT_FORMAT_NVPROF_NVTX);
    assert_non_null(strstr(out.text, "  Thread \"<several>\" (id = 0)\n"));
    capture_free(&out);
    snapshot.thread_stat_count = 1;
    out = write_as(&snapshot, STINT_FORMAT_NVPROF_NVTX);
    assert_non_null(strstr(out.text, "  Thread \"<unnamed>\" (id = 290832)\n"));
    capture_free(&out);
}

static void ranges_of_a_training_program(void **state)
{
    (void)state;
    check_golden(fixture_gpu_nvtx(), STINT_FORMAT_NVPROF_NVTX, "report_nvprof_nvtx_nvtx.txt");
    check_golden(fixture_gpu_nvtx(), STINT_FORMAT_NVPROF_NVTX_CSV, "report_nvprof_nvtx_nvtx.csv");
}

/* ----------------------------------------------------------------------------------------------------------- traces */

static void both_traces_are_merged_by_start(void **state)
{
    (void)state;
    check_golden(fixture_gpu(), STINT_FORMAT_GPU_API_TRACE, "report_gpu_api_trace_gpu.txt");
    check_golden(fixture_gpu(), STINT_FORMAT_GPU_API_TRACE_CSV, "report_gpu_api_trace_gpu.csv");
}

static size_t rows_of(enum stint_format format)
{
    struct capture out = write_as(fixture_gpu(), format);
    const char *units = strstr(out.text, ",,\n");
    size_t rows = count(units, "\n") - 1;
    capture_free(&out);
    return rows;
}

static void merged_trace_has_the_rows_of_both(void **state)
{
    (void)state;
    assert_int_equal(rows_of(STINT_FORMAT_GPU_API_TRACE_CSV),
                     rows_of(STINT_FORMAT_GPU_TRACE_CSV) + rows_of(STINT_FORMAT_API_TRACE_CSV));
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
        cmocka_unit_test(group_alone_has_its_rows_of_the_summary),
        cmocka_unit_test(group_alone_as_csv_has_its_rows_alone),
        cmocka_unit_test(empty_group_alone_says_only_that),
        cmocka_unit_test(each_device_has_a_table),
        cmocka_unit_test(without_devices_there_is_the_line),
        cmocka_unit_test(rows_of_a_device_are_by_its_own_time),
        cmocka_unit_test(ranges_are_nvprofs_byte_for_byte),
        cmocka_unit_test(what_is_within_a_range_within_itself_counts_once),
        cmocka_unit_test(work_without_a_range_is_in_none),
        cmocka_unit_test(range_of_several_threads_has_no_thread),
        cmocka_unit_test(ranges_of_a_training_program),
        cmocka_unit_test(both_traces_are_merged_by_start),
        cmocka_unit_test(merged_trace_has_the_rows_of_both),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixture);
}

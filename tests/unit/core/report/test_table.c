#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/summary.h"
#include "stint/report.h"

static struct capture write_table(const struct stint_snapshot *snapshot, unsigned columns, int color)
{
    struct capture out = {0};
    struct stint_layout layout = {.columns = columns, .color = color};
    assert_int_equal(stint_report_write(snapshot, STINT_FORMAT_TABLE, &layout, capture_write, &out), STINT_OK);
    return out;
}

static void check_golden(const struct stint_snapshot *snapshot, unsigned columns, const char *file)
{
    struct capture out = write_table(snapshot, columns, 0);
    assert_golden(&out, file);
    capture_free(&out);
}

static void table_of_a_training_program(void **state)
{
    (void)state;
    check_golden(fixture_training(), 0, "report_table_training.txt");
    check_golden(fixture_training(), 120, "report_table_training_120.txt");
}

static void table_of_a_running_program_marks_and_explains(void **state)
{
    (void)state;
    check_golden(fixture_running(), 80, "report_table_running_80.txt");
}

static void what_nvtx_did_not_get_recorded_or_swallows_the_rest_is_told(void **state)
{
    struct stint_snapshot snapshot = *fixture_running();
    struct capture out;

    (void)state;
    snapshot.nvtx.refused = 2;
    snapshot.nvtx.outlived = 1;
    out = write_table(&snapshot, 0, 0);
    assert_non_null(
        strstr(out.text, "NVTX: 2 extensions of an unknown kind or version not recorded (use a newer stint)"));
    assert_non_null(strstr(out.text, "NVTX: 1 range is still open although what was around has ended: "));
    capture_free(&out);
    snapshot.nvtx.outlived_set = "NVTX:NCCL";
    snapshot.nvtx.outlived_name = "init";
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "NVTX: NVTX:NCCL/init is still open although what was around has ended: "));
    capture_free(&out);
    snapshot.nvtx.outlived = 3;
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "NVTX: NVTX:NCCL/init and 2 other ranges are still open although what was "));
    capture_free(&out);
}

static void table_survives_nasty_names(void **state)
{
    (void)state;
    check_golden(fixture_nasty(), 0, "report_table_nasty.txt");
    check_golden(fixture_nasty(), 80, "report_table_nasty_80.txt");
}

static void table_of_nothing_is_one_line(void **state)
{
    (void)state;
    struct capture out = write_table(fixture_empty(), 80, 0);
    assert_string_equal(out.text, "stint: idle (pid 4711): no scope was entered in 1.500 ms\n");
    capture_free(&out);
}

static void table_of_nothing_still_says_what_was_dropped(void **state)
{
    (void)state;
    struct stint_snapshot snapshot = *fixture_empty();
    snapshot.dropped.threads = 1;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(
        strstr(out.text, "\ndropped: 1 scope of a thread beyond the thread limit (raise STINT_MAX_THREADS)\n"));
    capture_free(&out);
}

static void table_of_the_largest_numbers(void **state)
{
    (void)state;
    check_golden(fixture_extreme(), 0, "report_table_extreme.txt");
}

static void check_fits(const struct stint_snapshot *snapshot, unsigned columns, int color)
{
    struct capture out = write_table(snapshot, columns, color);
    if (capture_width(&out) > columns)
        fail_msg("%u columns: the widest line has %zu\n%s", columns, capture_width(&out), out.text);
    capture_free(&out);
}

static void table_fits_in_80_columns(void **state)
{
    (void)state;
    check_fits(fixture_training(), 80, 0);
    check_fits(fixture_nasty(), 80, 0);
    check_fits(fixture_running(), 80, 0);
    check_fits(fixture_deep(), 80, 0);
    check_fits(fixture_extreme(), 80, 0);
}

static void table_fits_in_every_width_from_40(void **state)
{
    (void)state;
    for (unsigned columns = 40; columns <= 250; columns++) {
        check_fits(fixture_training(), columns, 1);
        check_fits(fixture_nasty(), columns, 0);
        check_fits(fixture_running(), columns, 1);
    }
}

static void unlimited_table_drops_and_shortens_nothing(void **state)
{
    (void)state;
    struct capture out = write_table(fixture_nasty(), 0, 0);
    assert_null(strstr(out.text, "…"));
    assert_non_null(strstr(out.text, "p50(us)  p90(us)  p99(us)  Name\n"));
    capture_free(&out);
}

static void narrow_table_keeps_total_count_and_name(void **state)
{
    (void)state;
    struct capture out = write_table(fixture_training(), 30, 0);
    assert_non_null(strstr(out.text, "\nTotal(ms)    Count  Name\n"));
    capture_free(&out);
}

static void table_without_histograms_has_no_percentiles(void **state)
{
    (void)state;
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_stat only = snapshot.stats[snapshot.stat_count - 1];
    assert_int_equal(only.numbers.bin_count, 0);
    snapshot.stats = &only;
    snapshot.stat_count = 1;
    snapshot.context_count = 0;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_null(strstr(out.text, "p50"));
    assert_non_null(strstr(out.text, "Max(ms)  Name\n"));
    capture_free(&out);
}

/* Without its colors the golden file is the table of a screen of 80 columns. */
static void check_color(const struct stint_snapshot *snapshot, const char *file)
{
    struct capture plain = write_table(snapshot, 80, 0), color = write_table(snapshot, 80, 1);
    assert_golden(&color, file);
    assert_only_colors(&plain, &color);
    capture_free(&plain);
    capture_free(&color);
}

static void color_is_bold_header_and_dim_footer_only(void **state)
{
    (void)state;
    check_color(fixture_training(), "report_table_training_color.txt");
    check_color(fixture_gpu(), "report_table_gpu_color.txt");
}

static void share_is_of_the_roots_time_with_what_still_runs(void **state)
{
    (void)state;
    struct capture out = write_table(fixture_running(), 0, 0);
    char expected[32]; /* fibonacci's total of main's time so far and poll's */
    snprintf(expected, sizeof expected, "%7.2f  ", 100.0 * 729876536 / (1234567890 + 1050));
    assert_non_null(strstr(out.text, expected));
    capture_free(&out);
}

static void footer_leaves_out_what_was_not_measured(void **state)
{
    (void)state;
    struct stint_snapshot snapshot = *fixture_training();
    snapshot.process.clock_read_ns = 0;
    snapshot.process.scope_ns = 0;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\nclock: tsc, 2.494 GHz\n"));
    assert_non_null(strstr(out.text, "\noverhead: not measured\n"));
    assert_null(strstr(out.text, "dropped"));
    assert_null(strstr(out.text, "running"));
    capture_free(&out);
}

static void footer_adds_up_what_each_way_of_recording_costs(void **state)
{
    (void)state;
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_stat function = {.set = snapshot.sets[0], .name = "f", .file = "train", .function = "f"};
    function.numbers.count = 1000;
    snapshot.stats = &function;
    snapshot.stat_count = 1;
    snapshot.context_count = 0;
    snapshot.process.function.whole_ns = 25;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\noverhead: 25.0 ns per function, about 25.00 us in all"));
    capture_free(&out);
    snapshot.process.function.whole_ns = 0;
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\noverhead: 19.2 ns per scope, about 19.20 us in all"));
    capture_free(&out);
}

/* Of 1000 activations that no function, range or call made, 400 are samples. */
static void overhead_of_added_samples_is_their_own(void **state)
{
    (void)state;
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_stat both = {.set = snapshot.sets[0], .name = "b", .file = "train", .function = "f", .line = 1};
    both.numbers.count = 1000;
    snapshot.stats = &both;
    snapshot.stat_count = 1;
    snapshot.context_count = 0;
    snapshot.process.added_samples = 400;
    snapshot.process.added_ns = 50;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\noverhead: 19.2 ns per scope, 50.0 ns per added sample, about 31.52 us in all"));
    capture_free(&out);
    snapshot.process.added_samples = 2000; /* those of the whole recording, of which this is a part */
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\noverhead: 50.0 ns per added sample, about 50.00 us in all"));
    capture_free(&out);
}

static void overhead_has_the_time_in_which_records_were_read(void **state)
{
    (void)state;
    struct stint_snapshot snapshot = *fixture_training();
    double without = stint_summarize(&snapshot).overhead_ns;
    snapshot.gpu.reading_ns = 1200000;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, " per scope, 1.200 ms for GPU records, at least "));
    assert_non_null(strstr(out.text, " of the run; without what CUPTI takes, which stint run and stint stats add after "
                                     "stint doctor --measure\n"));
    assert_true(stint_summarize(&snapshot).overhead_ns == without + 1200000);
    capture_free(&out);
}

/* 3 kernels, and 10 calls: 4 launches by the runtime, which the driver's are reported with, and 6 queries. */
static void overhead_has_what_cupti_takes_if_that_was_measured(void **state)
{
    const struct stint_gpu_activity kernel = {.kind = STINT_GPU_KERNEL, .name = "k", .numbers.count = 3};
    const struct stint_stat calls[] = {
        {.set = STINT_API_SET, .name = "cudaLaunchKernel", .file = "", .function = "", .numbers.count = 4},
        {.set = STINT_API_SET, .name = "cudaGetDevice", .file = "", .function = "", .numbers.count = 5},
        {.set = STINT_API_SET, .name = "cuCtxGetDevice", .file = "", .function = "", .numbers.count = 1},
    };
    (void)state;
    struct stint_snapshot snapshot = *fixture_training();
    snapshot.stats = calls;
    snapshot.stat_count = sizeof calls / sizeof calls[0];
    snapshot.contexts = NULL;
    snapshot.context_count = 0;
    snapshot.gpu_activities = &kernel;
    snapshot.gpu_activity_count = 1;
    snapshot.gpu.reading_ns = 1000;
    snapshot.process.call = (struct stint_cost){50, 10};
    snapshot.process.inside_ns = 5;
    snapshot.gpu.cupti_kernel_ns = 2000;
    snapshot.gpu.cupti_call_ns = 100;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\noverhead: 50.0 ns per call, 1.000 us for GPU records, 7.100 us in CUPTI, "
                                     "at least 8.600 us in all"));
    assert_non_null(strstr(out.text, " taken off the times above except for GPU records and CUPTI\n"));
    capture_free(&out);
    snapshot.stat_count = 0; /* calls are not recorded */
    assert_true(stint_summarize(&snapshot).cupti_ns == 6000);
}

static void footer_says_which_calls_of_functions_were_left_out(void **state)
{
    (void)state;
    struct stint_snapshot snapshot = *fixture_training();
    snapshot.process.tiny_calls = 1000;
    snapshot.process.tiny_functions = 37;
    snapshot.process.left_out_ns = 5;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\nfunctions: 1000 calls of 37 functions not recorded, which took less time than "
                                     "recording them\n"));
    capture_free(&out);
    snapshot.process.excluded_calls = 1;
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "recording them; 1 call of functions excluded by name\n"));
    capture_free(&out);
    snapshot.process.tiny_functions = 0;
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\nfunctions: 1 call of functions excluded by name\n"));
    capture_free(&out);
    uint64_t ns = (uint64_t)stint_summarize(&snapshot).overhead_ns;
    snapshot.process.left_out_ns = 0;
    assert_int_equal(ns - (uint64_t)stint_summarize(&snapshot).overhead_ns, 1001 * 5);
}

static void footer_says_what_an_unordered_clock_does(void **state)
{
    (void)state;
    struct stint_snapshot snapshot = *fixture_training();
    struct capture out = write_table(&snapshot, 0, 0);
    assert_null(strstr(out.text, "does not wait"));
    capture_free(&out);
    snapshot.process.clock = "unordered tsc";
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\nclock: unordered tsc, 2.494 GHz, 8.3 ns per read\n"));
    assert_non_null(strstr(out.text, "\nthe clock does not wait for the work of a scope"));
    capture_free(&out);
}

/* -------------------------------------------------------------------------------------------------------------- GPU */

static void table_of_a_gpu_program(void **state)
{
    (void)state;
    check_golden(fixture_gpu(), 0, "report_table_gpu.txt");
    check_golden(fixture_gpu(), 200, "report_table_gpu.txt");
}

static void table_without_a_collector_shows_the_time_of_gpu_scopes(void **state)
{
    (void)state;
    check_golden(fixture_gpu_spans(), 80, "report_table_gpu_spans_80.txt");
}

static void table_of_the_largest_gpu_numbers_and_every_loss(void **state)
{
    (void)state;
    check_golden(fixture_gpu_extreme(), 80, "report_table_gpu_extreme_80.txt");
}

static void calls_of_cuda_are_no_scopes(void **state)
{
    (void)state;
    struct capture out = write_table(fixture_gpu_calls(), 0, 0);
    assert_golden(&out, "report_table_gpu_calls.txt");
    assert_non_null(strstr(out.text, ", 2 scopes, "));            /* main, and one that a call made */
    assert_non_null(strstr(out.text, "\n  99.90   1000.000 "));   /* of these two */
    assert_non_null(strstr(out.text, " about 38.4 ns in all, ")); /* likewise */
    assert_null(strstr(out.text, "GPU"));
    capture_free(&out);
}

static void launches_outside_of_scopes_have_an_overhead(void **state)
{
    (void)state;
    struct stint_snapshot snapshot = *fixture_gpu();
    snapshot.context_count = snapshot.stat_count = snapshot.gpu_charge_count = 0;
    snapshot.process.call = (struct stint_cost){100, 50};
    struct capture out = write_table(&snapshot, 120, 0);
    assert_non_null(strstr(out.text, "\noverhead: "));
    snapshot.process.call = (struct stint_cost){0, 0};
    capture_free(&out);
    out = write_table(&snapshot, 120, 0);
    assert_null(strstr(out.text, "\noverhead: "));
    capture_free(&out);
}

static void gpu_time_of_no_scope_completes_the_column(void **state)
{
    (void)state;
    struct capture out = write_table(fixture_gpu(), 0, 0);
    assert_non_null(strstr(out.text, "  (no scope)\n"));
    assert_non_null(strstr(out.text, "  (unattributed)\n"));
    assert_non_null(strstr(out.text, "  804.587  100.00     1808          -  (all GPUs)\n"));
    capture_free(&out);
    out = write_table(fixture_gpu_streams(), 0, 0);
    assert_null(strstr(out.text, "(no scope)"));
    assert_null(strstr(out.text, "(unattributed)"));
    capture_free(&out);
}

static void gpu_time_outlives_percentiles_on_narrow_screens(void **state)
{
    (void)state;
    struct capture out = write_table(fixture_gpu(), 70, 0);
    assert_non_null(strstr(out.text, "  GPU(ms)  GPU(%)  Name\n"));
    *strstr(out.text, "CUDA API calls") = '\0';
    assert_null(strstr(out.text, "p50"));
    assert_null(strstr(out.text, "Avg"));
    capture_free(&out);
}

static void table_of_gpus_fits_in_every_width_from_40(void **state)
{
    (void)state;
    for (unsigned columns = 40; columns <= 200; columns++) {
        check_fits(fixture_gpu(), columns, 1);
        check_fits(fixture_gpu_nasty(), columns, 0);
    }
    check_fits(fixture_gpu_extreme(), 80, 0);
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
        cmocka_unit_test(table_of_a_training_program),
        cmocka_unit_test(table_of_a_running_program_marks_and_explains),
        cmocka_unit_test(what_nvtx_did_not_get_recorded_or_swallows_the_rest_is_told),
        cmocka_unit_test(table_survives_nasty_names),
        cmocka_unit_test(table_of_nothing_is_one_line),
        cmocka_unit_test(table_of_nothing_still_says_what_was_dropped),
        cmocka_unit_test(table_of_the_largest_numbers),
        cmocka_unit_test(table_fits_in_80_columns),
        cmocka_unit_test(table_fits_in_every_width_from_40),
        cmocka_unit_test(unlimited_table_drops_and_shortens_nothing),
        cmocka_unit_test(narrow_table_keeps_total_count_and_name),
        cmocka_unit_test(table_without_histograms_has_no_percentiles),
        cmocka_unit_test(color_is_bold_header_and_dim_footer_only),
        cmocka_unit_test(share_is_of_the_roots_time_with_what_still_runs),
        cmocka_unit_test(footer_leaves_out_what_was_not_measured),
        cmocka_unit_test(footer_adds_up_what_each_way_of_recording_costs),
        cmocka_unit_test(overhead_of_added_samples_is_their_own),
        cmocka_unit_test(overhead_has_the_time_in_which_records_were_read),
        cmocka_unit_test(overhead_has_what_cupti_takes_if_that_was_measured),
        cmocka_unit_test(footer_says_which_calls_of_functions_were_left_out),
        cmocka_unit_test(footer_says_what_an_unordered_clock_does),
        cmocka_unit_test(table_of_a_gpu_program),
        cmocka_unit_test(table_without_a_collector_shows_the_time_of_gpu_scopes),
        cmocka_unit_test(table_of_the_largest_gpu_numbers_and_every_loss),
        cmocka_unit_test(calls_of_cuda_are_no_scopes),
        cmocka_unit_test(launches_outside_of_scopes_have_an_overhead),
        cmocka_unit_test(gpu_time_of_no_scope_completes_the_column),
        cmocka_unit_test(gpu_time_outlives_percentiles_on_narrow_screens),
        cmocka_unit_test(table_of_gpus_fits_in_every_width_from_40),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixture);
}

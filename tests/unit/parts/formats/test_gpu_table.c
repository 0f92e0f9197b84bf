#include <stdlib.h>
#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint/gpu.h"
#include "stint/report.h"
#include "stint_test.h"

static struct capture write_gpu(const struct stint_snapshot *snapshot, unsigned columns, int color)
{
    struct capture out = {0};
    struct stint_layout layout = {.columns = columns, .color = color};
    assert_int_equal(stint_report_write(snapshot, STINT_FORMAT_GPU, &layout, capture_write, &out), STINT_OK);
    return out;
}

static void check_golden(const struct stint_snapshot *snapshot, unsigned columns, const char *file)
{
    assert_golden(write_gpu(snapshot, columns, 0), file);
}

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(gpus_of_a_training_program)
{
    check_golden(fixture_gpu(), 0, "report_gpu_gpu.txt");
}

/* Without its colors the golden file is the report of a screen of 80 columns. */
TEST(color_is_bold_headers_and_dim_notes_only)
{
    struct capture plain = write_gpu(fixture_gpu(), 80, 0), color = write_gpu(fixture_gpu(), 80, 1);
    assert_golden(color, "report_gpu_gpu_color.txt");
    assert_only_colors(&plain, &color);
}

TEST(gpus_survive_nasty_names)
{
    check_golden(fixture_gpu_nasty(), 80, "report_gpu_nasty_80.txt");
}

TEST(gpus_with_the_largest_numbers_and_every_loss)
{
    check_golden(fixture_gpu_extreme(), 80, "report_gpu_extreme_80.txt");
}

TEST(without_a_collector_there_are_its_scopes_and_why)
{
    check_golden(fixture_gpu_spans(), 80, "report_gpu_spans_80.txt");
}

TEST(streams_beyond_32_are_one_row)
{
    struct capture out = write_gpu(fixture_gpu_streams(), 0, 0);
    assert_non_null(strstr(out.text, "stream 131\n"));
    assert_null(strstr(out.text, "stream 132\n"));
    assert_non_null(strstr(out.text, "\n     16      16.000       0     0.000          0  (all others)\n"));
}

TEST(nothing_to_show_says_what_to_do)
{
    struct capture out = write_gpu(fixture_empty(), 0, 0);
    assert_string_equal(out.text, "stint: idle (pid 4711): no scope was entered in 1.500 ms\n"
                                  "GPU: activity was not collected; set STINT_GPU=on, or call stint_gpu_start()\n");
    out = write_gpu(fixture_gpu_calls(), 0, 0);
    assert_non_null(strstr(out.text, "\nGPU: nothing ran on a device while activity was collected\n"));
}

TEST(launches_that_were_not_measured_are_named)
{
    static const char *const names[] = {"forward(float *)", "backward(float *)", "third", "fourth", "fifth"};
    struct stint_gpu_activity rows[5] = {0};
    struct stint_snapshot snapshot = *fixture_gpu_calls();
    for (size_t i = 0; i < 5; i++) {
        rows[i].kind = STINT_GPU_UNMEASURED;
        rows[i].name = names[i];
        rows[i].mangled = "";
        rows[i].numbers.count = 5 - i;
    }
    snapshot.gpu_activities = rows;
    snapshot.gpu_activity_count = 2;
    struct capture out = write_gpu(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "Not measured, because there is no record with times\n"));
    assert_non_null(strstr(out.text, "GPU: 9 launches were not measured: 5 forward(float *), 4 backward(float *)\n"));
    snapshot.gpu_activity_count = 5;
    out = write_gpu(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, ": 5 forward(float *), 4 backward(float *), 3 third, 2 fourth, and 1 other\n"));
}

static void check_left_out(unsigned what, const char *expected)
{
    struct stint_snapshot snapshot = *fixture_gpu();
    snapshot.gpu.what = what;
    struct capture out = write_gpu(&snapshot, 0, 0);
    if (!expected)
        assert_null(strstr(out.text, "not recorded"));
    else
        assert_non_null(strstr(out.text, expected));
}

TEST(parts_that_were_not_recorded_are_named)
{
    check_left_out(STINT_GPU_EVERYTHING, NULL);
    check_left_out(STINT_GPU_EVERYTHING | STINT_GPU_FEWER_QUERIES,
                   "\nGPU: not recorded: some queries that the program made of the driver (STINT_GPU=all ");
    check_left_out(STINT_GPU_DEFAULT, "\nGPU: not recorded: queries and other short calls of CUDA (STINT_GPU=all ");
    check_left_out(STINT_GPU_ACTIVITIES | STINT_GPU_API, "short calls of CUDA, waits, allocations, moves of managed ");
    check_left_out(
        STINT_GPU_ACTIVITIES,
        "\nGPU: not recorded: calls of CUDA, waits, allocations, moves of managed memory, CUPTI's own cost (");
}

static uint64_t charge_of(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    assert_non_null(at);
    while (at[-1] != '\n')
        at--;
    at += strcspn(at, ".") + 3; /* beyond the share */
    return strtoull(at, NULL, 10);
}

TEST(charges_are_seen_to_add_up)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct capture out = write_gpu(snapshot, 0, 0);
    uint64_t total_ns = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (snapshot->gpu_activities[i].kind <= STINT_GPU_UNIFIED)
            total_ns += snapshot->gpu_activities[i].numbers.total_ns;
    assert_int_equal(charge_of(out.text, "  (all GPUs)\n"), total_ns);
    assert_int_equal(charge_of(out.text, "  scopes\n") + charge_of(out.text, "  (no scope)\n") +
                         charge_of(out.text, "  (unattributed)\n"),
                     total_ns);
    assert_true(charge_of(out.text, "  (unattributed)\n") > 0);
}

TEST(copies_reach_a_share_of_the_peak)
{
    struct capture out = write_gpu(fixture_gpu(), 0, 0);
    /* 8388608 bytes in 172345 ns over a link of 63.015 GB/s; read and written at 4814.592 GB/s; unknown */
    assert_non_null(strstr(out.text, "    48.673    77.24  GPU 0 [CUDA memcpy HtoD]\n"));
    assert_non_null(strstr(out.text, "  2148.584    89.25  GPU 0 [CUDA memcpy DtoD]\n"));
    assert_non_null(strstr(out.text, "   316.037        -  GPU 0 [CUDA memcpy PtoP]\n"));
}

static void check_fits(const struct stint_snapshot *snapshot, unsigned columns, int color)
{
    struct capture out = write_gpu(snapshot, columns, color);
    if (capture_width(&out) > columns)
        fail_msg("%u columns: the widest line has %zu\n%s", columns, capture_width(&out), out.text);
}

TEST(gpus_fit_in_every_width_from_60)
{
    for (unsigned columns = 60; columns <= 140; columns++) {
        check_fits(fixture_gpu(), columns, 1);
        check_fits(fixture_gpu_nasty(), columns, 0);
        check_fits(fixture_gpu_extreme(), columns, 0);
        check_fits(fixture_gpu_spans(), columns, 1);
    }
}

TEST(narrow_screens_keep_what_matters)
{
    struct capture out = write_gpu(fixture_gpu(), 20, 0);
    assert_non_null(strstr(out.text, "\nKernels  Kernel(ms)  Stream\n"));
    assert_non_null(strstr(out.text, "      GB/s  Copy\n"));
}

TEST(collector_that_was_stopped_has_not_failed)
{
    struct stint_snapshot snapshot = *fixture_gpu();
    snapshot.gpu.status = STINT_ERROR_NOT_STARTED;
    snapshot.gpu.reason = "collecting was stopped";
    assert_null(strstr(write_gpu(&snapshot, 0, 0).text, "stopped"));
    snapshot.gpu.status = STINT_ERROR_CUDA;
    assert_non_null(strstr(write_gpu(&snapshot, 0, 0).text, "\nGPU: collecting was stopped\n"));
}

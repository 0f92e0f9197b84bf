#include "transform/name_filter.h"

#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint/report.h"
#include "stint_test.h"

static struct stint_filter filter_of(const char *const *rules, size_t count)
{
    struct stint_filter filter = {0};
    for (size_t i = 0; i < count; i++)
        assert_int_equal(stint_filter_add(&filter, rules[i] + 1, rules[i][0] == '+'), 0);
    return filter;
}

#define FILTER(...)                                                                                                    \
    filter_of((const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

/* ------------------------------------------------------------------------------------------------------------ names */

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(last_pattern_that_matches_decides)
{
    const struct stint_filter filter = FILTER("-cuda*", "+cudaMem*", "-*Async");
    assert_true(stint_filter_keeps(&filter, NULL, "forward"));
    assert_false(stint_filter_keeps(&filter, NULL, "cudaMalloc"));
    assert_true(stint_filter_keeps(&filter, NULL, "cudaMemcpy"));
    assert_false(stint_filter_keeps(&filter, NULL, "cudaMemcpyAsync"));
}

TEST(including_first_means_nothing_else)
{
    const struct stint_filter filter = FILTER("+gemm*");
    assert_true(stint_filter_keeps(&filter, NULL, "void gemm<float, 3>(float*)"));
    assert_false(stint_filter_keeps(&filter, NULL, "relu"));
}

TEST(commas_belong_to_patterns)
{
    const struct stint_filter filter = FILTER("-gemm<float, 3>");
    assert_false(stint_filter_keeps(&filter, NULL, "void gemm<float, 3>(float*)"));
    assert_true(stint_filter_keeps(&filter, NULL, "void gemm<float, 4>(float*)"));
}

TEST(sets_may_be_named_as_reports_show_them)
{
    const struct stint_filter filter = FILTER("-NVTX:cuDF/read_*");
    assert_false(stint_filter_keeps(&filter, "NVTX:cuDF", "read_csv"));
    assert_true(stint_filter_keeps(&filter, "NVTX", "read_csv"));
    assert_true(stint_filter_keeps(&filter, "NVTX:cuDF", "write"));
}

TEST(there_is_an_end_to_patterns)
{
    struct stint_filter filter = {0};
    for (size_t i = 0; i < STINT_FILTER_MOST; i++)
        assert_int_equal(stint_filter_add(&filter, "x", 0), 0);
    assert_int_equal(stint_filter_add(&filter, "x", 0), -1);
}

/* -------------------------------------------------------------------------------------------------------- snapshots */

static struct capture write_as(const struct stint_snapshot *snapshot, enum stint_format format)
{
    return capture_report(snapshot, format, NULL);
}

TEST(nothing_left_out_is_the_same_snapshot)
{
    const struct stint_snapshot *(*const fixtures[])(void) = {fixture_gpu, fixture_gpu_nvtx, fixture_gpu_extreme};
    const struct stint_filter filter = FILTER("-no such name");
    for (size_t i = 0; i < sizeof fixtures / sizeof fixtures[0]; i++) {
        const struct stint_snapshot *snapshot = fixtures[i]();
        struct stint_filtered filtered = stint_filter_apply(&filter, snapshot);
        struct capture before = write_as(snapshot, STINT_FORMAT_JSON);
        struct capture after = write_as(filtered.snapshot, STINT_FORMAT_JSON);
        assert_string_equal(after.text, before.text);
        assert_int_equal(filtered.scopes.rows + filtered.calls.rows + filtered.gpu.rows, 0);
        stint_snapshot_free(filtered.snapshot);
    }
}

static void check_golden(const struct stint_filter *filter, const struct stint_snapshot *snapshot, const char *file)
{
    struct stint_filtered filtered = stint_filter_apply(filter, snapshot);
    struct capture out = write_as(filtered.snapshot, STINT_FORMAT_TREE);
    assert_int_equal(stint_report_write(filtered.snapshot, STINT_FORMAT_NVPROF, NULL, capture_write, &out), STINT_OK);
    assert_golden(out, file);
    stint_snapshot_free(filtered.snapshot);
}

TEST(what_is_below_moves_up)
{
    const struct stint_filter scopes = FILTER("-forward*", "-Layers/*"), kernels = FILTER("-relu", "-cuda*", "-cu*");
    check_golden(&scopes, fixture_gpu(), "cli_filter_scopes.txt");
    check_golden(&kernels, fixture_gpu(), "cli_filter_kernels.txt");
    check_golden(&scopes, fixture_training(), "cli_filter_training.txt");
}

static uint64_t self_of_all(const struct stint_snapshot *snapshot)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < snapshot->context_count; i++)
        sum += snapshot->contexts[i].numbers.self_ns;
    return sum;
}

/* Whether each context's total is its own time and that of the contexts directly below. */
static void check_totals(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->context_count; i++) {
        uint64_t sum = snapshot->contexts[i].numbers.self_ns;
        for (size_t j = i + 1; j < snapshot->context_count; j++)
            sum += snapshot->contexts[j].parent == i ? snapshot->contexts[j].numbers.total_ns : 0;
        assert_int_equal(snapshot->contexts[i].numbers.total_ns, sum);
    }
}

TEST(own_times_still_add_up)
{
    const struct stint_filter filter = FILTER("-forward*", "-Bw*", "-decode", "-BackwardTimer");
    const struct stint_snapshot *snapshot = fixture_training();
    struct stint_filtered filtered = stint_filter_apply(&filter, snapshot);
    check_totals(snapshot);
    check_totals(filtered.snapshot);
    assert_int_equal(self_of_all(filtered.snapshot), self_of_all(snapshot));
    stint_snapshot_free(filtered.snapshot);
}

/* Of the inner one, costs would have left less than nothing. */
TEST(own_time_of_a_scope_is_not_more_than_its_whole_time)
{
    const struct stint_filter filter = FILTER("+outer");
    const struct stint_stat stats[] = {{.set = "s",
                                        .name = "outer",
                                        .file = "",
                                        .function = "",
                                        .numbers = {.count = 1, .total_ns = 90, .self_ns = 60}},
                                       {.set = "s",
                                        .name = "inner",
                                        .file = "",
                                        .function = "",
                                        .numbers = {.count = 9, .total_ns = 40, .self_ns = 40}}};
    const struct stint_context contexts[] = {{.parent = STINT_NO_PARENT, .stat = 0, .numbers = stats[0].numbers},
                                             {.parent = 0, .stat = 1, .numbers = stats[1].numbers}};
    const struct stint_snapshot snapshot = {.process = {.command = "", .host = "", .clock = ""},
                                            .stats = stats,
                                            .stat_count = 2,
                                            .contexts = contexts,
                                            .context_count = 2};
    struct stint_filtered filtered = stint_filter_apply(&filter, &snapshot);
    assert_int_equal(filtered.snapshot->stats[0].numbers.self_ns, 90);
    assert_int_equal(filtered.snapshot->contexts[0].numbers.self_ns, 90);
    stint_snapshot_free(filtered.snapshot);
}

static uint64_t charged_to(const struct stint_snapshot *snapshot, size_t context)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++)
        sum += snapshot->gpu_charges[i].context == context ? snapshot->gpu_charges[i].total_ns : 0;
    return sum;
}

static uint64_t charged(const struct stint_snapshot *snapshot)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++)
        sum += snapshot->gpu_charges[i].total_ns;
    return sum;
}

static uint64_t activities_of(const struct stint_snapshot *snapshot)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        sum += snapshot->gpu_activities[i].numbers.total_ns;
    return sum;
}

TEST(work_of_ranges_that_are_left_out_is_the_ones_around_them)
{
    const struct stint_filter some = FILTER("-forward", "-Layers/*"), all = FILTER("+*(*", "+[[]*", "+library_kernel");
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct stint_filtered filtered = stint_filter_apply(&some, snapshot);
    assert_int_equal(charged(filtered.snapshot), charged(snapshot));
    assert_int_equal(charged_to(filtered.snapshot, STINT_GPU_NO_SCOPE), charged_to(snapshot, STINT_GPU_NO_SCOPE));
    stint_snapshot_free(filtered.snapshot);
    filtered = stint_filter_apply(&all, snapshot); /* no scope is left */
    assert_int_equal(filtered.snapshot->context_count, 0);
    assert_int_equal(charged(filtered.snapshot), activities_of(filtered.snapshot));
    assert_int_equal(charged_to(filtered.snapshot, STINT_GPU_NO_SCOPE) +
                         charged_to(filtered.snapshot, STINT_GPU_UNATTRIBUTED),
                     charged(filtered.snapshot));
    assert_true(charged_to(filtered.snapshot, STINT_GPU_NO_SCOPE) > charged_to(snapshot, STINT_GPU_NO_SCOPE));
    stint_snapshot_free(filtered.snapshot);
}

TEST(what_is_left_out_is_counted)
{
    const struct stint_filter filter = FILTER("-relu*", "-cudaMemcpy", "-evaluate");
    struct stint_filtered filtered = stint_filter_apply(&filter, fixture_gpu());
    assert_int_equal(filtered.gpu.rows, 1);
    assert_int_equal(filtered.gpu.ns, 18370200);
    assert_int_equal(filtered.calls.rows, 1);
    assert_int_equal(filtered.calls.ns, 30002460);
    assert_int_equal(filtered.calls.all, 15);
    assert_int_equal(filtered.scopes.rows, 1);
    assert_true(filtered.scopes.ns > 0);
    stint_snapshot_free(filtered.snapshot);
}

TEST(events_of_kernels_that_are_left_out_are_in_no_trace)
{
    const struct stint_filter filter = FILTER("-cuda*", "-gemm*");
    struct stint_filtered filtered = stint_filter_apply(&filter, fixture_gpu_nvtx());
    assert_true(filtered.snapshot->gpu_event_count > 0);
    for (size_t i = 0; i < filtered.snapshot->gpu_event_count; i++) {
        assert_null(strstr(filtered.snapshot->gpu_events[i].name, "gemm"));
        assert_int_equal(filtered.snapshot->gpu_events[i].api, 0);
    }
    stint_snapshot_free(filtered.snapshot);
}

/* STINT_GPU_SCOPE in whole processes: with and without a collector, and when the driver ends before the report. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/gpu/launches.h"

enum { SPANS = 5 };

static void measure(const char *name, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        struct stint_gpu_span span;
        (void)stint_gpu_span_begin(&span, name, NULL);
        launch(&forward, 10);
        (void)stint_gpu_span_end(&span);
    }
}

/* A driver rounds times, and the mock's device may start late, but work takes at least its time. */
static void assert_measured(const struct result *result, const char *name, uint64_t count)
{
    assert_good(result);
    assert_int_equal(use_number(result->report, name, "spans"), count);
    assert_true(use_number(result->report, name, "span_ns") >= count * 10 * FORWARD_NS - count);
    assert_int_equal(dropped(result->report, "gpu_spans"), 0);
}

/* ------------------------------------------------------------------------------------------------------------ alone */

/* No snapshot is taken before; when the report is written, the driver has ended. */
MODE(returns)
{
    launch(&forward, 1); /* creates the context */
    measure("span", SPANS);
    return cudaDeviceSynchronize();
}

MODE(leaves_fast)
{
    _exit(returns());
}

TEST(test_report_at_exit_has_spans)
{
    static const char *const modes[] = {"returns", "leaves_fast"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        const struct result result = run(modes[i], NULL);
        assert_measured(&result, "span", SPANS);
        assert_int_equal(stat_number(result.report, "span", "count"), SPANS);
        assert_int_equal(activity_number(result.report, "span", "count"), SPANS);
    }
}

/* The device is still working when the driver ends. */
MODE(leaves_work)
{
    static const struct mock_kernel s_slow = {"slow", 2000000000};
    launch(&s_slow, 1);
    measure("late", SPANS);
    return 0;
}

TEST(test_spans_that_the_device_never_finished_are_counted)
{
    const struct result result = run("leaves_work", NULL);
    assert_good(&result);
    assert_int_equal(stat_number(result.report, "late", "count"), SPANS);
    assert_int_equal(dropped(result.report, "gpu_spans"), SPANS);
}

static void *measure_in_thread(void *unused)
{
    measure("in a thread", SPANS);
    return unused;
}

MODE(ends_threads)
{
    launch(&forward, 1);
    for (int i = 0; i < 3; ++i)
        on_thread(measure_in_thread, NULL);
    return cudaDeviceSynchronize();
}

TEST(test_spans_of_threads_that_have_ended_are_reported)
{
    const struct result result = run("ends_threads", NULL);
    assert_measured(&result, "in a thread", 3 * SPANS);
}

/* A reset destroys the context with its events, and the next call makes another. */
MODE(resets_device)
{
    launch(&forward, 1);
    measure("before the reset", SPANS);
    REQUIRE(!cudaDeviceReset());
    launch(&forward, 1);
    measure("after the reset", SPANS);
    REQUIRE(!cudaDeviceSynchronize());
    REQUIRE(seen_use("after the reset").spans == SPANS);
    return 0;
}

TEST(test_device_may_be_reset)
{
    const struct result result = run("resets_device", NULL);
    assert_good(&result);
}

MODE(resets_numbers)
{
    launch(&forward, 1);
    measure("early", SPANS);
    REQUIRE(!cudaDeviceSynchronize());
    REQUIRE(!stint_reset(STINT_RESET_ALL));
    measure("later", SPANS);
    REQUIRE(!cudaDeviceSynchronize());
    REQUIRE(seen_activity("early").count == 0);
    REQUIRE(seen_activity("later").count == SPANS);
    return 0;
}

TEST(test_resetting_all_resets_spans)
{
    const struct result result = run("resets_numbers", NULL);
    assert_good(&result);
}

/* ----------------------------------------------------------------------------------------------- beside a collector */

MODE(collects)
{
    REQUIRE(!stint_gpu_start(NULL));
    launch(&forward, 1);
    measure("both", SPANS);
    REQUIRE(!cudaDeviceSynchronize());
    REQUIRE(seen_use("both").spans == SPANS);
    REQUIRE(seen_self_use("both").kernels == SPANS * 10);
    REQUIRE(seen_activity("both").count == SPANS);
    REQUIRE(seen_activity("forward").count == SPANS * 10 + 1);
    REQUIRE(seen_calls("cuLaunchKernel") == SPANS * 10 + 1);
    REQUIRE(charges_add_up());
    return 0;
}

TEST(test_spans_and_kernels_are_charged_to_the_same_scope)
{
    const struct result result = run("collects", WITH_CUPTI, NULL);
    assert_measured(&result, "both", SPANS);
}

/* ------------------------------------------------------------------------------------------------------------- fork */

MODE(forks)
{
    struct stint_gpu_span span;
    int status = -1;
    launch(&forward, 1);
    measure("span", SPANS);
    (void)stint_gpu_span_begin(&span, "over the fork", NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)stint_gpu_span_end(&span);
        exit(seen_activity("span").count != 0 || seen_activity("over the fork").count != 0);
    }
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    (void)stint_gpu_span_end(&span);
    return cudaDeviceSynchronize();
}

TEST(test_child_leaves_its_parents_spans_alone)
{
    const struct result result = run("forks", NULL);
    assert_measured(&result, "span", SPANS);
}

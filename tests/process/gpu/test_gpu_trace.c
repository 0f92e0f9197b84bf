/* STINT_TRACE with GPUs: calls of CUDA's API and device activities are also events, with the scopes that launched
 * them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/event.h"
#include "process/gpu/launches.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

MODE(trains)
{
    for (int step = 0; step < 3; ++step) {
        STINT_SCOPE("step");

        launch_in("forward pass", &forward, 2);
    }
    launch(&forward, 4);
    (void)cudaDeviceSynchronize();
    return 0;
}

/* More events than a chunk has room for. */
MODE(trains_long)
{
    launch(&forward, 1000);
    (void)cudaDeviceSynchronize();
    return 0;
}

MODE(resets)
{
    launch(&forward, 3);
    (void)cudaDeviceSynchronize();
    REQUIRE(stint_gpu_flush() == STINT_OK);
    REQUIRE(stint_reset(STINT_RESET_ALL) == STINT_OK);
    launch(&backward, 2);
    (void)cudaDeviceSynchronize();
    return 0;
}

/* The graph is launched outside of the scopes in which it was captured, and twice. */
MODE(captures)
{
    struct mock_graph graph, copy, copy_of_copy;
    REQUIRE(!cudaStreamBeginCapture(NULL, 0));
    launch_in("captured", &forward, 1);
    launch_in("captured", &backward, 1);
    REQUIRE(!cudaStreamEndCapture(NULL, &graph));
    REQUIRE(!cudaGraphInstantiate(&copy, &graph) && !cudaGraphInstantiate(&copy_of_copy, &copy));
    (void)cudaGraphLaunch(&copy, NULL);
    (void)cudaGraphLaunch(&copy_of_copy, NULL);
    copy.node = 0;
    (void)cudaGraphLaunch(&copy, NULL);
    (void)cudaDeviceSynchronize();
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- helpers */

static const char *trace_of(const char *mode, const char *gpu)
{
    char trace[4096];
    snprintf(trace, sizeof trace, "STINT_TRACE=%s", scratch("trace.stint"));
    struct result result = run(mode, trace, "STINT_MODULE=" FAKE_STORE, gpu, WITH_CUPTI, NULL);
    assert_int_equal(result.status, 0);
    assert_int_equal(dropped(result.report, "events"), 0);
    return read_file(scratch("trace.stint"));
}

struct gpu_event {
    int kind, activity;
    uint64_t start, end;
    long path;
    uint64_t correlation, captured;
    char name[64];
};

/* Finds the next event of this name; returns whether there is one, and advances `at`. */
static int next_event(const char **at, const char *name, struct gpu_event *event)
{
    for (*at = strstr(*at, "\ngpu "); *at; *at = strstr(*at, "\ngpu ")) {
        const char *const line = *at;
        ++*at;
        if (sscanf(line, "\ngpu %d %d %" SCNu64 " %" SCNu64 " %ld %" SCNu64 " %" SCNu64 " %63s", &event->kind,
                   &event->activity, &event->start, &event->end, &event->path, &event->correlation, &event->captured,
                   event->name) == 8 &&
            !strcmp(event->name, name))
            return 1;
    }
    return 0;
}

static int count_of(const char *text, const char *name)
{
    struct gpu_event event;
    int count = 0;
    for (const char *at = text; next_event(&at, name, &event);)
        ++count;
    return count;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST(kernels_know_the_scope_that_launched_them)
{
    const char *const text = trace_of("trains", "STINT_GPU=on");
    int launched = 0, outside = 0;
    struct gpu_event event;
    char line[128];
    for (const char *at = text; next_event(&at, "forward", &event);) {
        assert_int_equal(event.kind, STINT_EVENT_DEVICE);
        assert_int_equal(event.activity, STINT_GPU_KERNEL);
        assert_int_equal(event.end - event.start, FORWARD_NS);
        snprintf(line, sizeof line, "GlobalStatInfo forward pass\n");
        if (event.path) {
            snprintf(line, sizeof line, "\ncontext %ld ", event.path);
            assert_non_null(strstr(text, line));
            ++launched;
        } else {
            ++outside;
        }
    }
    assert_int_equal(launched, 6);
    assert_int_equal(outside, 4);
}

/* Nothing is known of nodes that nobody has seen being made, as those of the last launch. */
TEST(kernels_of_graphs_know_the_launch_that_was_captured)
{
    const char *const text = trace_of("captures", "STINT_GPU=on");
    const char *at = text;
    struct gpu_event first, second, kernel;
    assert_true(next_event(&at, "cuLaunchKernel", &first) && next_event(&at, "cuLaunchKernel", &second));
    assert_true(first.path && first.correlation != second.correlation);
    for (int i = 0; i < 3; i++) {
        assert_true(next_event(&at, "forward", &kernel));
        assert_int_equal(kernel.captured, i < 2 ? first.correlation : 0);
        assert_true(next_event(&at, "backward", &kernel));
        assert_int_equal(kernel.captured, i < 2 ? second.correlation : 0);
        assert_int_equal(kernel.path, 0);
    }
}

TEST(a_call_and_its_kernel_are_joined_and_in_order)
{
    const char *const text = trace_of("trains", "STINT_GPU=on");
    struct gpu_event kernel, call;
    int joined = 0;
    for (const char *at = text; next_event(&at, "forward", &kernel);)
        for (const char *from = text; next_event(&from, "cuLaunchKernel", &call);)
            if (call.correlation == kernel.correlation) {
                assert_int_equal(call.kind, STINT_EVENT_CALL);
                assert_int_equal(call.path, kernel.path);
                assert_true(call.start <= kernel.start);
                ++joined;
            }
    assert_int_equal(joined, 10);
}

TEST(without_calls_there_are_kernels_all_the_same)
{
    const char *const text = trace_of("trains", "STINT_GPU=kernels");
    assert_int_equal(count_of(text, "forward"), 10);
    assert_int_equal(count_of(text, "cuLaunchKernel"), 0);
}

TEST(many_are_all_there)
{
    const char *const text = trace_of("trains_long", "STINT_GPU=on");
    assert_int_equal(count_of(text, "forward"), 1000);
    assert_int_equal(count_of(text, "cuLaunchKernel"), 1000);
}

TEST(a_reset_forgets_no_event)
{
    const char *const text = trace_of("resets", "STINT_GPU=on");
    assert_int_equal(count_of(text, "forward"), 3);
    assert_int_equal(count_of(text, "backward"), 2);
}

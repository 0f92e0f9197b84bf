/* The GPU collector in whole processes: what is collected, and for which scope; starting, stopping, failing. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpu/cupti.h"
#include "process/gpu/launches.h"

/* -------------------------------------------------------------------------------------------------- what is charged */

/* 3 steps; each launches 2 forward and 1 backward, and copies 500 bytes to the device; then 4 launches outside. */
static void train(void)
{
    char *memory, host[500];
    (void)cudaMalloc((void **)&memory, 4096);
    for (int step = 0; step < 3; ++step) {
        STINT_SCOPE("step");

        launch_in("forward pass", &forward, 2);
        launch_in("backward pass", &backward, 1);
        (void)cudaMemcpy(memory, host, sizeof host, 1);
    }
    launch(&forward, 4);
    STINT_SCOPE("wait");
    (void)cudaDeviceSynchronize();
}

/* Returns how often scopes of that name waited for a device. */
static uint64_t seen_waits_in(const char *scope)
{
    struct stint_snapshot *snapshot;
    uint64_t waits = 0;
    if (stint_snapshot_take(&snapshot))
        abort();
    for (size_t i = 0; i < snapshot->gpu_charge_count; ++i) {
        const struct stint_gpu_charge *const charge = &snapshot->gpu_charges[i];
        if (snapshot->gpu_activities[charge->activity].kind == STINT_GPU_SYNC &&
            charge->context < snapshot->context_count &&
            !strcmp(snapshot->stats[snapshot->contexts[charge->context].stat].name, scope))
            waits += charge->count;
    }
    stint_snapshot_free(snapshot);
    return waits;
}

MODE(trains)
{
    train();
    struct stint_gpu_use use = seen_use("step");
    REQUIRE(use.kernels == 9 && use.kernel_ns == 6 * FORWARD_NS + 3 * BACKWARD_NS);
    REQUIRE(use.copies == 3 && use.copy_bytes == 1500 && use.copy_ns == 1500);
    use = seen_self_use("step");
    REQUIRE(use.kernels == 0 && use.copies == 3);
    use = seen_use("forward pass");
    REQUIRE(use.kernels == 6 && use.kernel_ns == 6 * FORWARD_NS && use.copies == 0);
    REQUIRE(seen_activity("forward").count == 10 && seen_activity("forward").total_ns == 10 * FORWARD_NS);
    REQUIRE(seen_charge(STINT_GPU_NO_SCOPE).count == 4);
    REQUIRE(seen_charge(STINT_GPU_UNATTRIBUTED).count == 0);
    REQUIRE(seen_waits_in("step") == 3 && seen_waits_in("wait") == 1);
    REQUIRE(charges_add_up());
    return 0;
}

/* Compares the whole report exactly; it must not depend on how CUPTI hands over records. */
static void assert_trained(const struct result *result)
{
    assert_good(result);
    assert_int_equal(activity_number(result->report, "forward", "count"), 10);
    assert_int_equal(activity_number(result->report, "forward", "total_ns"), 10 * FORWARD_NS);
    assert_int_equal(activity_number(result->report, "backward", "total_ns"), 3 * BACKWARD_NS);
    assert_int_equal(use_number(result->report, "step", "kernels"), 9);
    assert_int_equal(use_number(result->report, "step", "copy_bytes"), 1500);
    assert_int_equal(dropped(result->report, "gpu_records"), 0);
    assert_int_equal(dropped(result->report, "gpu_invalid"), 0);
    assert_int_equal(dropped(result->report, "gpu_unknown"), 0);
}

TEST(test_report_charges_work_to_the_scope_that_launched_it)
{
    const struct result result = run("trains", WITH_CUPTI, "STINT_GPU=on", NULL);
    assert_trained(&result);
    assert_int_equal(occurrences(result.report, "\"status\":\"STINT_OK\""), 1);
    assert_int_equal(use_number(result.report, "forward pass", "launches"), 6);
    assert_int_equal(occurrences(result.report, "\"name\":\"Mock GPU\""), 1);
}

TEST(test_records_may_come_out_of_order_and_on_the_thread_that_flushes)
{
    const struct result result = run("trains", WITH_CUPTI, "STINT_GPU=on", "MOCK_CUPTI=swap=1,inline=1", NULL);
    assert_trained(&result);
}

TEST(test_old_cupti_will_do)
{
    const struct result result = run("trains", "STINT_CUPTI_PATH=" OLD_CUPTI, "STINT_GPU=on", NULL);
    assert_trained(&result);
}

/* 11.1 to 11.8, 12.0 to 12.9 update 1, and 13.0 to 13.3, as cupti_version.h numbers them: from 12.9 on CUPTI may be
 * given no buffer, and from 13.0 on it reports other calls. */
TEST(test_each_later_cupti_will_do)
{
    static const unsigned versions[] = {14, 15, 16, 17, 18,     19,     20,     21,     22,    23,
                                        24, 26, 27, 28, 130000, 130001, 130100, 130200, 130300};
    char how[40];
    for (size_t i = 0; i < sizeof versions / sizeof *versions; ++i) {
        snprintf(how, sizeof how, "MOCK_CUPTI=version=%u", versions[i]);
        const struct result result = run("trains", WITH_CUPTI, "STINT_GPU=on", how, NULL);
        assert_trained(&result);
    }
}

TEST(test_cupti_is_found_in_a_folder)
{
    const struct result result = run("trains", "STINT_CUPTI_PATH=" CUPTI_FOLDER, "STINT_GPU=auto", NULL);
    assert_trained(&result);
}

/* -------------------------------------------------------------------------------------------------------- API calls */

static const struct stint_context *context_of(const struct stint_snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->context_count; ++i)
        if (!strcmp(snapshot->stats[snapshot->contexts[i].stat].name, name))
            return &snapshot->contexts[i];
    return NULL;
}

/* One call of the runtime, and one of the driver that the program makes itself. */
MODE(calls)
{
    const struct stint_gpu_options options = {.what = STINT_GPU_EVERY_CALL};
    struct stint_snapshot *snapshot;
    REQUIRE(!stint_gpu_start(&options));
    launch_in("pass", &forward, 5);
    {
        STINT_SCOPE("driver");

        (void)cuLaunchKernel(&backward, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL);
    }
    REQUIRE(seen_calls("cudaLaunchKernel") == 5);
    REQUIRE(seen_calls("cuLaunchKernel") == 1);
    REQUIRE(seen_use("pass").launches == 5 && seen_use("pass").launch_ns > 0);
    REQUIRE(seen_use("driver").kernels == 1 && seen_use("driver").launches == 1);
    REQUIRE(!stint_snapshot_take(&snapshot));
    const struct stint_context *call = context_of(snapshot, "cudaLaunchKernel");
    REQUIRE(call && call->parent != STINT_NO_PARENT);
    REQUIRE(!strcmp(snapshot->stats[snapshot->contexts[call->parent].stat].name, "pass"));
    REQUIRE(snapshot->contexts[call->parent].numbers.self_ns + call->numbers.total_ns <=
            snapshot->contexts[call->parent].numbers.total_ns + 1);
    REQUIRE(snapshot->gpu.what == (STINT_GPU_ACTIVITIES | STINT_GPU_API | STINT_GPU_EVERY_CALL));
    stint_snapshot_free(snapshot);
    REQUIRE(seen_activity("[CUDA stream synchronize]").count == 0);
    return 0;
}

TEST(test_api_calls_stand_below_their_scope_and_nested_ones_are_not_counted)
{
    const struct result result = run("calls", WITH_CUPTI, NULL);
    assert_good(&result);
}

/* Everything but queries is recorded, launches and allocations as calls of the driver. */
MODE(calls_that_matter)
{
    struct mock_stream *stream;
    void *block;
    char host[8];
    REQUIRE(!stint_gpu_start(NULL));
    launch_in("pass", &forward, 5);
    REQUIRE(!cudaStreamCreate(&stream) && !cudaMalloc(&block, 4096) && !cudaMemcpy(block, host, sizeof host, 1));
    REQUIRE(!cudaMemset(block, 0, 4096) && !cudaDeviceSynchronize() && !cudaFree(block));
    REQUIRE(seen_calls("cuLaunchKernel") == 5 && seen_calls("cudaLaunchKernel") == 0);
    REQUIRE(seen_calls("cuMemAlloc") == 1 && seen_calls("cuMemFree") == 1 && seen_calls("cudaMalloc") == 0);
    REQUIRE(seen_calls("cudaMemcpy") == 1 && seen_calls("cuMemcpyAsync") == 0);
    REQUIRE(seen_calls("cudaMemset") == 1 && seen_calls("cudaDeviceSynchronize") == 1);
    REQUIRE(seen_calls("cudaStreamCreate") == 0);
    REQUIRE(seen_use("pass").kernels == 5 && seen_use("pass").launches == 5 && charges_add_up());
    return 0;
}

/* Older versions of CUPTI report the driver's call within the runtime's for some functions only. */
MODE(calls_of_the_runtime)
{
    struct mock_stream *stream;
    void *block;
    REQUIRE(!stint_gpu_start(NULL));
    launch_in("pass", &forward, 5);
    REQUIRE(!cudaStreamCreate(&stream) && !cudaMalloc(&block, 4096) && !cudaDeviceSynchronize());
    REQUIRE(seen_calls("cudaLaunchKernel") == 5 && seen_calls("cudaMalloc") == 1);
    REQUIRE(seen_calls("cuLaunchKernel") == 0 && seen_calls("cudaStreamCreate") == 0);
    return 0;
}

TEST(test_by_default_only_calls_that_matter_are_recorded)
{
    const struct result now = run("calls_that_matter", WITH_CUPTI, NULL);
    const struct result before = run("calls_of_the_runtime", WITH_CUPTI, "MOCK_CUPTI=version=28", NULL);
    assert_good(&now);
    assert_good(&before);
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Makes queries until CUPTI has not reported one of the driver's for a while, for ten seconds at most. Returns how
 * many, 0 if none was left out. */
static uint64_t ask_until_silent(void)
{
    const double end = seconds() + 10;
    uint64_t asked = 0;
    for (; seconds() < end; asked += 1000) {
        const long told = mock_told(MOCK_DRIVER);
        int registers;
        for (int i = 0; i < 1000; i++)
            (void)cudaFuncGetAttributes(&registers, &forward);
        if (asked && mock_told(MOCK_DRIVER) == told)
            return asked + 1000;
    }
    return 0;
}

static unsigned what_was_recorded(void)
{
    struct stint_snapshot *snapshot;
    if (stint_snapshot_take(&snapshot))
        return 0;
    const unsigned what = snapshot->gpu.what;
    stint_snapshot_free(snapshot);
    return what;
}

/* All calls of the runtime are there, whatever CUPTI reports of those that it makes of the driver. */
MODE(fewer_queries)
{
    const struct stint_gpu_options options = {.what = STINT_GPU_EVERYTHING | STINT_GPU_FEWER_QUERIES};
    int registers;
    REQUIRE(!stint_gpu_start(&options));
    REQUIRE(!cuKernelGetAttribute(&registers, 4, &forward, 0) && seen_calls("cuKernelGetAttribute") == 1);
    REQUIRE(!(what_was_recorded() & STINT_GPU_FEWER_QUERIES));
    const uint64_t asked = ask_until_silent();
    REQUIRE(asked && seen_calls("cudaFuncGetAttributes") == asked);
    REQUIRE(seen_calls("cuKernelGetAttribute") == 1);
    REQUIRE(what_was_recorded() & STINT_GPU_FEWER_QUERIES);
    launch_in("pass", &forward, 5);
    REQUIRE(seen_calls("cudaLaunchKernel") == 5 && seen_use("pass").launches == 5);
    REQUIRE(!stint_gpu_stop() && !stint_gpu_start(NULL) && !stint_gpu_stop());
    REQUIRE(!stint_gpu_start(&options) && !cuKernelGetAttribute(&registers, 4, &forward, 0));
    REQUIRE(seen_calls("cuKernelGetAttribute") == 2);
    return 0;
}

MODE(every_query)
{
    const struct stint_gpu_options options = {.what = STINT_GPU_EVERYTHING};
    const double end = seconds() + 0.5;
    int registers, calls = 0;
    REQUIRE(!stint_gpu_start(&options));
    for (; seconds() < end; calls++)
        (void)cudaFuncGetAttributes(&registers, &forward);
    REQUIRE(mock_told(MOCK_DRIVER) >= 2L * calls && !(what_was_recorded() & STINT_GPU_FEWER_QUERIES));
    return 0;
}

TEST(test_queries_of_the_runtime_are_left_out_only_if_asked_for)
{
    const struct result fewer = run("fewer_queries", WITH_CUPTI, NULL);
    const struct result every = run("every_query", WITH_CUPTI, NULL);
    assert_good(&fewer);
    assert_good(&every);
}

static const struct stint_gpu_options s_everything = {.what = STINT_GPU_EVERYTHING};

/* Starts within a call: its inner call counts as a call, and its end is ignored. */
MODE(starts_inside)
{
    struct mock_call outer;
    STINT_SCOPE("outer");

    mock_enter(&outer, MOCK_RUNTIME, 211, "cudaLaunchKernel", "forward");
    REQUIRE(!stint_gpu_start(&s_everything));
    (void)cuLaunchKernel(&forward, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL);
    (void)mock_leave(&outer);
    REQUIRE(seen_calls("cuLaunchKernel") == 1 && seen_calls("cudaLaunchKernel") == 0);
    REQUIRE(seen_use("outer").kernels == 1);

    mock_enter(&outer, MOCK_RUNTIME, 211, "cudaLaunchKernel", "forward");
    REQUIRE(!stint_gpu_stop());
    (void)mock_leave(&outer);
    REQUIRE(!stint_gpu_start(&s_everything));
    launch(&forward, 2);
    REQUIRE(seen_calls("cudaLaunchKernel") == 2);
    return 0;
}

TEST(test_calls_may_be_under_way_at_a_start_and_a_stop)
{
    const struct result result = run("starts_inside", WITH_CUPTI, NULL);
    assert_good(&result);
    assert_int_equal(stat_number(result.report, "outer", "count"), 1);
}

/* ------------------------------------------------------------------------------------------------------------ parts */

MODE(kernels_only)
{
    train();
    REQUIRE(seen_activity("forward").count == 10);
    REQUIRE(seen_calls("cudaLaunchKernel") == 0);
    REQUIRE(seen_activity("[CUDA stream synchronize]").count == 0);
    REQUIRE(seen_activity("[CUDA memcpy HtoD]").count == 3);
    return 0;
}

TEST(test_environment_may_ask_for_kernels_alone)
{
    const struct result result = run("kernels_only", WITH_CUPTI, "STINT_GPU=kernels", NULL);
    assert_good(&result);
    assert_non_null(strstr(result.report, "\"what\":1,"));
}

/* The driver's call is enough, so the runtime's is not reported as well. */
MODE(tells_once)
{
    launch_in("told", &forward, 5);
    REQUIRE(mock_told(MOCK_DRIVER) == 10 && mock_told(MOCK_RUNTIME) == 0);
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_use("told").kernels == 5 && seen_charge(STINT_GPU_UNATTRIBUTED).count == 0);
    REQUIRE(!stint_gpu_stop() && !stint_gpu_start(&s_everything));
    launch(&forward, 1);
    REQUIRE(seen_calls("cudaLaunchKernel") == 1 && seen_calls("cuLaunchKernel") == 0);
    return 0;
}

/* It is not known which driver calls older versions of CUPTI report, so both kinds of calls are requested. */
MODE(tells_twice)
{
    launch_in("told", &forward, 5);
    REQUIRE(mock_told(MOCK_DRIVER) == 10 && mock_told(MOCK_RUNTIME) == 10);
    return 0;
}

TEST(test_launches_are_told_once_unless_every_call_is_collected)
{
    const struct result now = run("tells_once", WITH_CUPTI, "STINT_GPU=kernels", NULL);
    const struct result before = run("tells_twice", WITH_CUPTI, "STINT_GPU=kernels", "MOCK_CUPTI=version=28", NULL);
    assert_good(&now);
    assert_good(&before);
}

/* The same if the driver's calls within the runtime's are also reported. */
MODE(allocates)
{
    struct stint_snapshot *snapshot;
    void *blocks[2];
    REQUIRE(!stint_gpu_start(NULL));
    REQUIRE(!cudaMalloc(&blocks[0], 4096) && !cudaMalloc(&blocks[1], 1000) && !cudaFree(blocks[0]));
    REQUIRE(!stint_snapshot_take(&snapshot));
    REQUIRE(snapshot->gpu_memory_count == 1);
    REQUIRE(snapshot->gpu_memory->kind == STINT_GPU_MEMORY_DEVICE && !snapshot->gpu_memory->pool);
    REQUIRE(snapshot->gpu_memory->allocations == 2 && snapshot->gpu_memory->frees == 1);
    REQUIRE(snapshot->gpu_memory->current_bytes == 1000 && snapshot->gpu_memory->peak_bytes == 5096);
    stint_snapshot_free(snapshot);
    return 0;
}

TEST(test_allocations_are_known_from_their_calls)
{
    const struct result now = run("allocates", WITH_CUPTI, NULL);
    const struct result before = run("allocates", WITH_CUPTI, "MOCK_CUPTI=version=28", NULL);
    assert_good(&now);
    assert_good(&before);
}

MODE(leaves_out)
{
    struct stint_snapshot *snapshot;
    REQUIRE(!stint_gpu_start(NULL));
    train();
    REQUIRE(!stint_snapshot_take(&snapshot));
    /* Memory and waits are known from calls. */
    REQUIRE(snapshot->gpu.what == (STINT_GPU_ACTIVITIES | STINT_GPU_API | STINT_GPU_SYNCS | STINT_GPU_MEMORY));
    REQUIRE(snapshot->gpu_device_count == 1); /* known through the driver */
    REQUIRE(!strcmp(snapshot->gpu_devices->name, "Mock GPU"));
    REQUIRE(snapshot->gpu_devices->compute_major == 75 && snapshot->gpu_devices->compute_minor == 76);
    REQUIRE(snapshot->gpu_devices->multiprocessors == 16 && snapshot->gpu_devices->core_clock_khz == 13);
    REQUIRE(snapshot->gpu_devices->memory_bytes == 1 << 30);
    REQUIRE(snapshot->gpu_devices->memory_bytes_per_s == UINT64_C(64000000000));
    stint_snapshot_free(snapshot);
    REQUIRE(seen_activity("forward").count == 10);
    return 0;
}

TEST(test_what_cupti_cannot_collect_is_left_out)
{
    const struct result result = run("leaves_out", WITH_CUPTI, "MOCK_CUPTI=optional=28", NULL);
    assert_good(&result);
    assert_int_equal(occurrences(result.err, "GPU activity"), 0);
}

/* ------------------------------------------------------------------------------------------------- graphs, contexts */

MODE(graphs)
{
    const struct mock_kernel kernels[] = {forward, backward, forward};
    const struct mock_graph graph = {kernels, 3, 0};
    REQUIRE(!stint_gpu_start(NULL));
    for (int i = 0; i < 2; ++i) {
        STINT_SCOPE("graph");

        (void)cudaGraphLaunch(&graph, NULL);
    }
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_use("graph").kernels == 6 && seen_use("graph").launches == 2);
    REQUIRE(seen_use("graph").kernel_ns == 4 * FORWARD_NS + 2 * BACKWARD_NS);
    REQUIRE(seen_calls("cuGraphLaunch") == 2 && charges_add_up());
    return 0;
}

TEST(test_what_a_graph_does_belongs_to_the_scope_of_its_launch)
{
    const struct result result = run("graphs", WITH_CUPTI, NULL);
    assert_good(&result);
}

MODE(resets_device)
{
    REQUIRE(!stint_gpu_start(NULL));
    for (int i = 0; i < 3; ++i) {
        launch_in("pass", &forward, 7);
        (void)cudaDeviceReset();
    }
    REQUIRE(seen_use("pass").kernels == 21);
    return 0;
}

TEST(test_contexts_may_be_destroyed_early)
{
    const struct result result = run("resets_device", WITH_CUPTI, NULL);
    assert_good(&result);
}

/* The last launches have the same ids as the first. */
MODE(reuses_ids)
{
    REQUIRE(!stint_gpu_start(NULL));
    for (int i = 0; i < 10; ++i) {
        launch_in("a", &forward, 20);
        (void)cudaDeviceSynchronize();
        REQUIRE(!stint_gpu_flush());
        launch_in("b", &forward, 20);
        (void)cudaDeviceSynchronize();
        REQUIRE(!stint_gpu_flush());
    }
    REQUIRE(seen_use("a").kernels == 200 && seen_use("b").kernels == 200);
    return 0;
}

TEST(test_correlation_ids_may_come_again)
{
    const struct result result = run("reuses_ids", WITH_CUPTI, "MOCK_CUPTI=wrap=50", NULL);
    assert_good(&result);
}

/* ----------------------------------------------------------------------------------------------------------- losses */

/* Ten kernels: the device's record and two of the kernels' are dropped, two kernels have no times, two end before they
 * begin. */
MODE(loses)
{
    launch_in("pass", &forward, 10);
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_use("pass").kernels == 4 && charges_add_up());
    return 0;
}

TEST(test_what_cupti_loses_or_spoils_is_counted)
{
    const struct result result =
        run("loses", WITH_CUPTI, "STINT_GPU=kernels", "MOCK_CUPTI=drop=3,zero=4,inverted=2", NULL);
    assert_good(&result);
    assert_int_equal(dropped(result.report, "gpu_records"), 3);
    assert_int_equal(dropped(result.report, "gpu_invalid"), 0);
    assert_int_equal(occurrences(result.report, "{\"kind\":\"unmeasured\",\"name\":\"forward\""), 1);
}

/* As after a kernel's assertion has failed: of one kernel there is a record without times, of two there is none.
 * Launches that are captured make no difference. */
MODE(fails_on_device)
{
    struct mock_graph graph;
    launch_in("pass", &forward, 3);
    REQUIRE(!cudaStreamBeginCapture(NULL, 0) && cudaStreamBeginCapture(NULL, 0));
    launch_in("captured", &backward, 5);
    REQUIRE(!cudaStreamEndCapture(NULL, &graph));
    launch_in("last", &backward, 2);
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_activity("[launch without a record]").count == 0); /* not before the end: one may still come */
    return 0;
}

static void assert_failed_on_device(const char *what, long unrecorded)
{
    char mishaps[64];
    (void)snprintf(mishaps, sizeof mishaps, "MOCK_CUPTI=zero=1,lose=%ld", unrecorded);
    const struct result json = run("fails_on_device", WITH_CUPTI, what, mishaps, NULL);

    assert_good(&json);
    assert_int_equal(use_number(json.report, "last", "kernels"), 4 - unrecorded);
    assert_int_equal(occurrences(json.report, "{\"kind\":\"unmeasured\",\"name\":\"forward\""), 1);
    assert_int_equal(activity_number(json.report, "[launch without a record]", "count"), unrecorded);
}

TEST(test_launches_without_a_record_are_counted)
{
    assert_failed_on_device("STINT_GPU=kernels", 2);
    assert_failed_on_device("STINT_GPU=on", 3); /* a launch after the capture */
}

/* --------------------------------------------------------------------------------------------------- stop and start */

MODE(cycles)
{
    const struct mock_kernel slow = {"slow", 30000000};
    REQUIRE(stint_gpu_status() == STINT_ERROR_NOT_STARTED && stint_gpu_stop() == STINT_ERROR_NOT_STARTED);
    REQUIRE(stint_gpu_reason()[0]);
    for (int i = 0; i < 5; ++i) {
        launch_in("unseen", &forward, 3);
        REQUIRE(!stint_gpu_start(NULL) && !stint_gpu_start(NULL));
        REQUIRE(stint_gpu_status() == STINT_OK && !stint_gpu_reason()[0]);
        launch_in("seen", &forward, 4);
        (void)cudaDeviceSynchronize();
        REQUIRE(!stint_gpu_stop());
        REQUIRE(stint_gpu_status() == STINT_ERROR_NOT_STARTED && stint_gpu_flush() == STINT_ERROR_NOT_STARTED);
    }
    REQUIRE(seen_use("seen").kernels == 20 && seen_use("unseen").kernels == 0);
    REQUIRE(seen_calls("cuLaunchKernel") == 20);

    REQUIRE(!stint_gpu_start(NULL));
    launch_in("late", &slow, 1);
    REQUIRE(!stint_gpu_stop());
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_use("late").kernels == 1);
    return 0;
}

TEST(test_collecting_may_stop_and_start_again)
{
    const struct result result = run("cycles", WITH_CUPTI, NULL);
    assert_good(&result);
    assert_int_equal(use_number(result.report, "seen", "kernels"), 20);
}

MODE(resets)
{
    REQUIRE(!stint_gpu_start(NULL));
    launch_in("pass", &forward, 3);
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_use("pass").kernels == 3);
    REQUIRE(!stint_statset_reset(stint_statset_get("other"), STINT_RESET_ALL));
    REQUIRE(seen_use("pass").kernels == 3);
    launch_in("pass", &forward, 5);
    (void)cudaDeviceSynchronize();
    REQUIRE(!stint_reset(STINT_RESET_ALL));
    launch_in("pass", &forward, 2);
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_use("pass").kernels == 2 && seen_activity("forward").count == 2 && charges_add_up());
    REQUIRE(seen_calls("cuLaunchKernel") == 2);
    return 0;
}

TEST(test_resetting_all_resets_what_gpus_did)
{
    const struct result result = run("resets", WITH_CUPTI, NULL);
    assert_good(&result);
}

/* ------------------------------------------------------------------------------------------------------------ trace */

static int is_launch_of(const struct stint_gpu_event *call, const struct stint_gpu_event *work)
{
    return call->api && call->correlation == work->correlation;
}

MODE(traces)
{
    const struct stint_gpu_options options = {.trace_events = 100};
    struct stint_snapshot *snapshot;
    unsigned kernels = 0, launches = 0;
    REQUIRE(!stint_gpu_start(&options));
    launch_in("pass", &forward, 5);
    (void)cudaDeviceSynchronize();
    REQUIRE(!stint_snapshot_take(&snapshot));
    for (size_t i = 0; i < snapshot->gpu_event_count; ++i) {
        const struct stint_gpu_event *const event = &snapshot->gpu_events[i];
        if (event->api || event->kind != STINT_GPU_KERNEL)
            continue;
        ++kernels;
        REQUIRE(event->end_ns - event->start_ns == FORWARD_NS && event->grid[0] == 4 && event->block[0] == 128);
        for (size_t j = 0; j < snapshot->gpu_event_count; ++j)
            if (is_launch_of(&snapshot->gpu_events[j], event)) {
                ++launches;
                REQUIRE(!strcmp(snapshot->gpu_events[j].name, "cuLaunchKernel") && snapshot->gpu_events[j].tid);
                REQUIRE(snapshot->gpu_events[j].start_ns <= event->start_ns);
                REQUIRE(snapshot->gpu_events[j].context == event->context);
            }
    }
    stint_snapshot_free(snapshot);
    REQUIRE(kernels == 5 && launches == 5);
    return 0;
}

MODE(traces_unified_memory)
{
    const struct stint_gpu_options options = {.trace_events = 100};
    struct stint_snapshot *snapshot;
    unsigned moves = 0, faults = 0, groups = 0;
    REQUIRE(!stint_gpu_start(&options)); /* before CUDA is in use, when CUPTI refuses these records */
    launch(&forward, 1);
    mock_unified_memory(STINT_CUPTI_UM_HTOD, UINT64_C(0x7f0000200000), 4096);
    mock_unified_memory(STINT_CUPTI_UM_CPU_PAGE_FAULT, UINT64_C(0x7f0000201000), 1);
    mock_unified_memory(STINT_CUPTI_UM_GPU_PAGE_FAULT, UINT64_C(0x7f0000202000), 9);
    (void)cudaDeviceSynchronize();
    REQUIRE(!stint_snapshot_take(&snapshot));
    for (size_t i = 0; i < snapshot->gpu_event_count; ++i) {
        const struct stint_gpu_event *const event = &snapshot->gpu_events[i];
        if (event->api || (event->kind != STINT_GPU_UNIFIED && event->kind != STINT_GPU_FAULT)) {
            REQUIRE(event->address == 0);
            continue;
        }
        moves += event->kind == STINT_GPU_UNIFIED && event->bytes == 4096 && event->address == 0x7f0000200000;
        faults += event->kind == STINT_GPU_FAULT && event->bytes == 1 && event->address == 0x7f0000201000;
        groups += event->kind == STINT_GPU_FAULT && event->bytes == 9 && event->end_ns > event->start_ns;
    }
    stint_snapshot_free(snapshot);
    REQUIRE(moves == 1 && faults == 1 && groups == 1);
    return 0;
}

static unsigned seen_moves(void)
{
    struct stint_snapshot *snapshot;
    unsigned moves = 0;
    if (stint_snapshot_take(&snapshot))
        return 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; ++i)
        if (snapshot->gpu_activities[i].kind == STINT_GPU_UNIFIED)
            moves += (unsigned)snapshot->gpu_activities[i].numbers.count;
    stint_snapshot_free(snapshot);
    return moves;
}

/* Their records may stay enabled, but count only while collecting. */
MODE(moves_count_until_the_stop)
{
    for (unsigned i = 0; i < 3; ++i) {
        REQUIRE(!stint_gpu_start(NULL));
        launch(&forward, 1);
        if (i == 2)
            mock_unified_memory(STINT_CUPTI_UM_HTOD, UINT64_C(0x7f0000200000), 4096);
        (void)cudaDeviceSynchronize();
        REQUIRE(!stint_gpu_stop());
        if (i == 1)
            mock_unified_memory(STINT_CUPTI_UM_DTOH, UINT64_C(0x7f0000200000), 4096);
        (void)cudaDeviceSynchronize();
        REQUIRE(seen_moves() == i / 2);
    }
    return 0;
}

/* Returns the instance of the n-th kernel in the trace. */
static size_t instance_of(const struct stint_snapshot *snapshot, unsigned n)
{
    for (size_t i = 0; i < snapshot->gpu_event_count; ++i)
        if (!snapshot->gpu_events[i].api && snapshot->gpu_events[i].kind == STINT_GPU_KERNEL && !n--)
            return snapshot->gpu_events[i].instance;
    return STINT_GPU_NO_INSTANCE;
}

/* A scope around two activations of another, which launch one kernel and two; then a kernel in no scope. */
MODE(traces_instances)
{
    const struct stint_gpu_options options = {.trace_events = 100};
    struct stint_snapshot *snapshot;
    size_t first, second;
    REQUIRE(!stint_gpu_start(&options));
    {
        STINT_SCOPE("around");
        launch_in("pass", &forward, 1);
        launch_in("pass", &forward, 2);
    }
    launch(&forward, 1);
    (void)cudaDeviceSynchronize();
    REQUIRE(!stint_snapshot_take(&snapshot));
    first = instance_of(snapshot, 0);
    second = instance_of(snapshot, 1);
    REQUIRE(snapshot->gpu_instance_count == 3 && first < 3 && second < 3 && first != second);
    REQUIRE(instance_of(snapshot, 2) == second && instance_of(snapshot, 3) == STINT_GPU_NO_INSTANCE);
    REQUIRE(snapshot->gpu_instances[first].context == snapshot->gpu_instances[second].context);
    REQUIRE(snapshot->gpu_instances[first].parent == 0 && snapshot->gpu_instances[second].parent == 0);
    REQUIRE(!strcmp(snapshot->stats[snapshot->contexts[snapshot->gpu_instances[0].context].stat].name, "around"));
    REQUIRE(snapshot->gpu_instances[0].parent == STINT_GPU_NO_INSTANCE);
    stint_snapshot_free(snapshot);
    return 0;
}

TEST(test_unified_memory_in_a_trace_has_addresses)
{
    const struct result result = run("traces_unified_memory", WITH_CUPTI, NULL);
    assert_good(&result);
}

TEST(test_moves_of_unified_memory_count_until_the_stop)
{
    const struct result result = run("moves_count_until_the_stop", WITH_CUPTI, NULL);
    assert_good(&result);
}

TEST(test_trace_tells_activations_apart)
{
    const struct result result = run("traces_instances", WITH_CUPTI, NULL);
    assert_good(&result);
}

TEST(test_trace_has_calls_and_what_they_launched)
{
    const struct result result = run("traces", WITH_CUPTI, NULL);
    assert_good(&result);
}

/* --------------------------------------------------------------------------------------------------------- failures */

/* Tries twice, prints the results, and goes on normally. */
MODE(tries)
{
    const enum stint_status first = stint_gpu_start(NULL), second = stint_gpu_start(NULL);
    launch_in("pass", &forward, 3);
    (void)cudaDeviceSynchronize();
    printf("%s %s %s: %s\n", stint_status_name(first), stint_status_name(second), stint_status_name(stint_gpu_status()),
           stint_gpu_reason());
    return 0;
}

static void assert_fails(const char *status, const char *reason, const char *cupti, const char *how)
{
    const struct result result = run("tries", cupti, how, NULL);
    char expected[256];
    assert_good(&result);
    snprintf(expected, sizeof expected, "%s %s %s: ", status, status, status);
    if (strncmp(result.out, expected, strlen(expected)) || !strstr(result.out, reason))
        fail_msg("\"%s\" instead of %s%s", result.out, expected, reason);
    if (strstr(how, "STINT_GPU=off")) { /* as requested, so nothing is logged */
        assert_int_equal(occurrences(result.err, "GPU activity"), 0);
    } else {
        assert_int_equal(occurrences(result.err, "GPU activity is not collected: "), 1);
        assert_non_null(strstr(result.err, reason));
    }
    assert_int_equal(stat_number(result.report, "pass", "count"), 1);
    snprintf(expected, sizeof expected, "\"gpu\":{\"collected\":false,\"status\":\"%s\"", status);
    assert_non_null(strstr(result.report, expected));
}

TEST(test_failures_have_a_status_and_one_line)
{
    assert_fails("STINT_ERROR_TAKEN", "another", WITH_CUPTI, "MOCK_CUPTI=subscribe=39");
    assert_fails("STINT_ERROR_PERMISSION", "NVreg_RestrictProfilingToAdminUsers", WITH_CUPTI, "MOCK_CUPTI=enable=35");
    assert_fails("STINT_ERROR_UNAVAILABLE", "does not support this MIG device: use one", WITH_CUPTI,
                 "MOCK_CUPTI=enable=43");
    assert_fails("STINT_ERROR_UNAVAILABLE", "no GPU", WITH_CUPTI, "MOCK_CUPTI=subscribe=15");
    assert_fails("STINT_ERROR_CUDA", "cuptiActivityEnable", WITH_CUPTI, "MOCK_CUPTI=enable=7");
    assert_fails("STINT_ERROR_UNAVAILABLE", "too old", WITH_CUPTI, "MOCK_CUPTI=version=12");
    assert_fails("STINT_ERROR_UNAVAILABLE", "cuptiGetCallbackName", "STINT_CUPTI_PATH=" BROKEN_CUPTI, "MOCK_CUPTI=");
    assert_fails("STINT_ERROR_UNAVAILABLE", "/nowhere", "STINT_CUPTI_PATH=/nowhere", "MOCK_CUPTI=");
    assert_fails("STINT_ERROR_UNAVAILABLE", "CUDA_VISIBLE_DEVICES", WITH_CUPTI, "CUDA_VISIBLE_DEVICES=");
    assert_fails("STINT_ERROR_UNAVAILABLE", "CUDA_VISIBLE_DEVICES", WITH_CUPTI, "CUDA_VISIBLE_DEVICES=-1");
    assert_fails("STINT_ERROR_UNAVAILABLE", "STINT_GPU=off", WITH_CUPTI, "STINT_GPU=off");
}

#define NO_GPU "\"gpu\":{\"collected\":false,\"status\":\"STINT_OK\",\"reason\":\"\""

MODE(passes)
{
    launch_in("pass", &forward, 1);
    return 0;
}

MODE(nothing)
{
    return 0;
}

/* With "auto", a missing GPU is not worth a warning, but another tool that uses CUPTI is. */
TEST(test_start_by_the_environment_warns_where_it_should)
{
    const struct result on = run("passes", "STINT_GPU=on", WITH_CUPTI, "MOCK_CUPTI=subscribe=15", NULL);
    const struct result automatic = run("passes", "STINT_GPU=auto", WITH_CUPTI, "MOCK_CUPTI=subscribe=15", NULL);
    const struct result taken = run("passes", "STINT_GPU=auto", WITH_CUPTI, "MOCK_CUPTI=subscribe=39", NULL);
    assert_good(&on);
    assert_int_equal(occurrences(on.err, "GPU activity is not collected: "), 1);
    assert_good(&automatic);
    assert_string_equal(automatic.err, "");
    assert_non_null(strstr(automatic.report, NO_GPU));
    assert_good(&taken);
    assert_int_equal(occurrences(taken.err, "GPU activity is not collected: "), 1);
}

/* CUPTI ends itself at the fifth record. */
MODE(goes_on)
{
    REQUIRE(!stint_gpu_start(NULL));
    launch_in("pass", &forward, 20);
    (void)cudaDeviceSynchronize();
    REQUIRE(stint_gpu_status() == STINT_ERROR_CUDA && strstr(stint_gpu_reason(), "the mock's end"));
    REQUIRE(stint_gpu_flush() == STINT_ERROR_NOT_STARTED);
    return 0;
}

TEST(test_cupti_may_end_itself)
{
    const struct result result = run("goes_on", WITH_CUPTI, "MOCK_CUPTI=fatal=5", NULL);
    assert_good(&result);
    assert_non_null(strstr(result.report, "\"status\":\"STINT_ERROR_CUDA\",\"reason\":\"CUPTI has given up"));
    assert_int_equal(stat_number(result.report, "pass", "count"), 1);
}

/* Another user of CUPTI in the same process: before stint, after it, and refused while stint uses CUPTI. */
MODE(shares)
{
    int (*subscribe)(struct stint_cupti_subscriber **, stint_cupti_callback *, void *);
    int (*unsubscribe)(struct stint_cupti_subscriber *);
    struct stint_cupti_subscriber *other;
    void *const cupti = dlopen(CUPTI, RTLD_NOW);
    memcpy(&subscribe, &(void *){dlsym(cupti, "cuptiSubscribe")}, sizeof subscribe);
    memcpy(&unsubscribe, &(void *){dlsym(cupti, "cuptiUnsubscribe")}, sizeof unsubscribe);
    REQUIRE(!subscribe(&other, NULL, NULL));
    REQUIRE(stint_gpu_start(NULL) == STINT_ERROR_TAKEN);
    REQUIRE(strstr(stint_gpu_reason(), "CUPTI for another"));
    REQUIRE(!unsubscribe(other));
    REQUIRE(!stint_gpu_start(NULL));
    REQUIRE(subscribe(&other, NULL, NULL) == STINT_CUPTI_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    launch_in("pass", &forward, 2);
    (void)cudaDeviceSynchronize();
    REQUIRE(!stint_gpu_stop());
    REQUIRE(!subscribe(&other, NULL, NULL));
    REQUIRE(seen_use("pass").kernels == 2);
    return 0;
}

TEST(test_cupti_is_left_to_others_and_taken_back)
{
    const struct result result = run("shares", WITH_CUPTI, NULL);
    assert_good(&result);
}

MODE(refuses)
{
    const struct stint_gpu_options options = {.what = 2 * STINT_GPU_FEWER_QUERIES};
    REQUIRE(stint_gpu_start(&options) == STINT_ERROR_INVALID_ARGUMENT);
    REQUIRE(stint_gpu_status() == STINT_ERROR_NOT_STARTED);
    return 0;
}

TEST(test_unknown_parts_are_refused)
{
    const struct result result = run("refuses", WITH_CUPTI, NULL);
    assert_good(&result);
    assert_string_equal(result.err, "");
}

/* ----------------------------------------------------------------------------------------------- without collecting */

static int is_mapped(const char *name)
{
    const char *maps = read_file("/proc/self/maps");
    return maps && strstr(maps, name);
}

MODE(uses_no_collector)
{
    launch_in("pass", &forward, 3);
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_use("pass").kernels == 0);
    REQUIRE(!is_mapped("libcupti"));
    return 0;
}

TEST(test_without_a_start_nothing_is_opened)
{
    const struct result result = run("uses_no_collector", WITH_CUPTI, NULL);
    assert_good(&result);
    assert_non_null(strstr(result.report, NO_GPU));
}

MODE(launches_only)
{
    launch(&forward, 3);
    return 0;
}

TEST(test_work_without_scopes_is_worth_a_report)
{
    const struct result result = run("launches_only", WITH_CUPTI, "STINT_GPU=kernels", NULL);
    assert_good(&result);
    assert_int_equal(activity_number(result.report, "forward", "count"), 3);
    assert_int_equal(occurrences(result.report, "\"context\":\"(no scope)\""), 1);
}

TEST(test_collecting_alone_is_not_worth_a_report)
{
    const struct result result = run("nothing", WITH_CUPTI, "STINT_GPU=on", NULL);
    assert_good(&result);
    assert_null(result.report);
}

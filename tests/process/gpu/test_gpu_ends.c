/* The GPU collector when processes end or fork, and when threads come and go. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/gpu/launches.h"

/* ------------------------------------------------------------------------------------------------------------- ends */

static const struct mock_kernel s_slow = {"slow", 50000000};
static const struct mock_kernel s_endless = {"endless", MOCK_FOREVER};

/* Ends while the device is working. */
static void leave_behind(void)
{
    launch_in("pass", &forward, 5);
    launch_in("pass", &s_slow, 1);
}

MODE(returns)
{
    leave_behind();
    return 3;
}

MODE(exits)
{
    leave_behind();
    exit(3);
}

MODE(exits_fast)
{
    leave_behind();
    _exit(3);
}

MODE(exits_quick)
{
    leave_behind();
    quick_exit(3);
}

/* The collector is started late, when the driver has been in use for a while. */
MODE(exits_after_late_start)
{
    launch(&forward, 1);
    if (stint_gpu_start(NULL))
        return 1;
    leave_behind();
    exit(3);
}

static void launch_at_exit(void)
{
    launch_in("at exit", &forward, 2);
}

/* Work of exit handlers that run before the collector ends still counts. */
MODE(launches_at_exit)
{
    leave_behind();
    (void)atexit(launch_at_exit);
    return 3;
}

static void assert_complete(const struct result *result)
{
    assert_no_misuse(result);
    assert_exit(result, 3);
    assert_int_equal(use_number(result->report, "pass", "kernels"), 6);
    assert_int_equal(use_number(result->report, "pass", "kernel_ns"), 5 * FORWARD_NS + s_slow.ns);
    assert_int_equal(dropped(result->report, "gpu_invalid"), 0);
    assert_null(strstr(result->report, "[CUDA context synchronize]")); /* this would be stint's own */
}

TEST(test_every_end_waits_for_the_device_and_reports_all)
{
    static const char *const modes[] = {"returns", "exits", "exits_fast", "exits_quick"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        const struct result result = run(modes[i], WITH_CUPTI, "STINT_GPU=on", NULL);
        assert_complete(&result);
    }
}

TEST(test_late_start_is_finished_in_time)
{
    const struct result result = run("exits_after_late_start", WITH_CUPTI, NULL);
    assert_complete(&result);
}

TEST(test_work_launched_at_exit_counts)
{
    const struct result result = run("launches_at_exit", WITH_CUPTI, "STINT_GPU=on", NULL);
    assert_complete(&result);
    assert_int_equal(use_number(result.report, "at exit", "kernels"), 2);
}

MODE(leaves_endless)
{
    launch_in("pass", &forward, 5);
    (void)cudaDeviceSynchronize();
    launch_in("pass", &s_endless, 1);
    return 3;
}

/* A kernel that never ends and a CUPTI that never answers cost some seconds each; both together cost them only once. */
TEST(test_nothing_keeps_the_process_from_ending)
{
    char output[128];
    struct child endless, silent;
    snprintf(output, sizeof output, "STINT_OUTPUT=%s", scratch("silent"));
    endless = begin("leaves_endless", WITH_CUPTI, "STINT_GPU=on", NULL);
    silent = begin("returns", WITH_CUPTI, "STINT_GPU=on", "MOCK_CUPTI=hang=1", output, NULL);

    struct result result = finish(&endless);
    assert_no_misuse(&result);
    assert_exit(&result, 3);
    assert_int_equal(occurrences(result.err, "GPU work was still running"), 1);
    assert_int_equal(use_number(result.report, "pass", "kernels"), 5);
    assert_int_equal(occurrences(result.report, "{\"kind\":\"unmeasured\",\"name\":\"endless\""), 1);

    result = finish(&silent);
    assert_exit(&result, 3);
    assert_int_equal(occurrences(result.err, "CUPTI does not answer"), 1);
    assert_int_equal(stat_number(read_file(scratch("silent")), "pass", "count"), 2);
}

/* ----------------------------------------------------------------------------------------------------- lost devices */

/* Goes on after the device has gone, as programs do that do not look at errors. */
MODE(loses_the_device)
{
    launch_in("pass", &forward, 5);
    REQUIRE(cudaDeviceSynchronize() == 0);
    launch_in("late", &backward, 3);
    REQUIRE(cudaDeviceSynchronize() != 0);
    return 3;
}

TEST(test_what_a_lost_device_did_is_kept_and_one_line_says_so)
{
    const struct result result = run("loses_the_device", WITH_CUPTI, "STINT_GPU=on", "MOCK_CUPTI=lost=6", NULL);
    const struct result table =
        run("loses_the_device", WITH_CUPTI, "STINT_GPU=on", "MOCK_CUPTI=lost=6", "STINT_REPORT=table", NULL);
    assert_no_misuse(&result);
    assert_exit(&result, 3);
    assert_int_equal(use_number(result.report, "pass", "kernels"), 5);
    assert_int_equal(use_number(result.report, "late", "kernels"), 1);
    assert_non_null(strstr(result.report, "\"status\":\"STINT_ERROR_CUDA\",\"reason\":\"a GPU failed"));
    assert_exit(&table, 3);
    assert_int_equal(occurrences(table.report, "GPU: a GPU failed while the program ran (error 999 of CUDA"), 1);
}

/* ---------------------------------------------------------------------------------------------------------- crashes */

/* Records of five kernels have been handed over; CUPTI still has those of three that have ended; one never ends. */
static void crash(int signal)
{
    launch_in("pass", &forward, 5);
    (void)cudaDeviceSynchronize();
    (void)stint_gpu_flush();
    launch_in("late", &backward, 3);
    (void)cudaDeviceSynchronize();
    {
        STINT_SCOPE("last");

        launch(&s_endless, 1);
        raise(signal);
    }
}

MODE(terminates)
{
    crash(SIGTERM);
    return 0;
}

MODE(faults)
{
    crash(SIGSEGV);
    return 0;
}

static void assert_crashed(const struct result *result, int signal)
{
    assert_no_misuse(result);
    assert_signal(result, signal);
    assert_int_equal(use_number(result->report, "pass", "kernels"), 5);
    assert_int_equal(use_number(result->report, "late", "kernels"), 3);
    assert_int_equal(stat_number(result->report, "last", "running"), 1);
    assert_int_equal(occurrences(result->report, "{\"kind\":\"unmeasured\",\"name\":\"endless\""), 1);
}

TEST(test_crash_reports_what_has_ended)
{
    const struct result terminated = run("terminates", WITH_CUPTI, "STINT_GPU=on", NULL);
    const struct result faulted = run("faults", WITH_CUPTI, "STINT_GPU=on", NULL);
    assert_crashed(&terminated, SIGTERM);
    assert_crashed(&faulted, SIGSEGV);
}

/* CUPTI never answers, and in another run it crashes: in both, what had been added up by then is reported. */
MODE(crashes_silent)
{
    launch_in("pass", &forward, 2);
    raise(SIGABRT);
    return 0;
}

TEST(test_crash_reports_what_was_there_if_cupti_cannot)
{
    const struct result silent = run("crashes_silent", WITH_CUPTI, "STINT_GPU=on", "MOCK_CUPTI=hang=1", NULL);
    const struct result worse = run("crashes_silent", WITH_CUPTI, "STINT_GPU=on", "MOCK_CUPTI=crash=1", NULL);
    assert_signal(&silent, SIGABRT);
    assert_int_equal(stat_number(silent.report, "pass", "count"), 1);
    assert_int_equal(occurrences(silent.err, "CUPTI does not answer"), 1);
    assert_signal(&worse, SIGABRT);
    assert_int_equal(stat_number(worse.report, "pass", "count"), 1);
}

static void leave_from_handler(int signal)
{
    _exit(3);
}

/* Ends in a signal handler that interrupts a launch at any point. */
MODE(exits_in_handler)
{
    const struct itimerval soon = {{0, 0}, {0, 30000}};
    signal(SIGALRM, leave_from_handler);
    setitimer(ITIMER_REAL, &soon, NULL);
    for (;;)
        launch_in("pass", &forward, 1);
    return 0;
}

TEST(test_exit_in_a_signal_handler_reports)
{
    const struct result result = run("exits_in_handler", WITH_CUPTI, "STINT_GPU=on", NULL);
    assert_exit(&result, 3);
    assert_true(stat_number(result.report, "pass", "count") > 0);
}

/* ------------------------------------------------------------------------------------------------------------- fork */

enum { CHILDREN = 8 };

static int s_over;

static void *keep_launching(void *unused)
{
    while (!__atomic_load_n(&s_over, __ATOMIC_RELAXED)) {
        launch_in("busy", &forward, 10);
        (void)cudaStreamSynchronize(NULL);
    }
    return unused;
}

static int is_child_right(void)
{
    struct stint_snapshot *snapshot;
    launch_in("child", &forward, 2);
    REQUIRE(stint_gpu_status() == STINT_ERROR_UNAVAILABLE && strstr(stint_gpu_reason(), "forked"));
    REQUIRE(stint_gpu_start(NULL) == STINT_ERROR_UNAVAILABLE);
    REQUIRE(stint_gpu_flush() == STINT_ERROR_NOT_STARTED && stint_gpu_stop() == STINT_ERROR_NOT_STARTED);
    REQUIRE(!stint_snapshot_take(&snapshot));
    REQUIRE(!snapshot->gpu_activity_count && !snapshot->gpu.collected);
    stint_snapshot_free(snapshot);
    REQUIRE(!seen_calls("cuLaunchKernel"));
    return 0;
}

/* Children end in each of the ways that have handlers. */
static int await_child(int i)
{
    const pid_t child = fork();
    int status;
    if (!child && i % 2)
        _exit(is_child_right());
    if (!child)
        exit(is_child_right());
    return waitpid(child, &status, 0) != child || status;
}

MODE(forks)
{
    pthread_t thread;
    int wrong = 0;
    REQUIRE(!stint_gpu_start(NULL));
    REQUIRE(!pthread_create(&thread, NULL, keep_launching, NULL));
    for (int i = 0; i < CHILDREN; ++i) {
        launch_in("parent", &backward, 3);
        wrong |= await_child(i);
    }
    __atomic_store_n(&s_over, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    REQUIRE(!wrong);
    REQUIRE(seen_activity("backward").count == 3 * CHILDREN && charges_add_up());
    return 0;
}

TEST(test_forked_child_leaves_the_gpu_alone)
{
    const struct result result = run("forks", WITH_CUPTI, NULL);
    assert_good(&result);
    assert_int_equal(use_number(result.report, "parent", "kernels"), 3 * CHILDREN);
    assert_int_equal(for_each_scratch("report.", NULL), CHILDREN);
}

static int is_fresh_child_right(void)
{
    REQUIRE(!stint_gpu_start(NULL));
    launch_in("child", &forward, 2);
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_use("child").kernels == 2);
    return 0;
}

/* The parent has not used the GPU, so its children may. */
MODE(forks_first)
{
    int status;
    scopes("parent", 1);
    pid_t child = fork();
    if (!child)
        exit(is_fresh_child_right());
    REQUIRE(waitpid(child, &status, 0) == child && !status);
    REQUIRE(stint_gpu_status() == STINT_ERROR_NOT_STARTED);
    return 0;
}

TEST(test_child_may_collect_where_the_parent_did_not)
{
    const struct result result = run("forks_first", WITH_CUPTI, NULL);
    assert_good(&result);
}

/* The child shares the parent's memory; its end is not the parent's end. */
UNSANITIZED MODE(shares_memory)
{
    int status;
    REQUIRE(!stint_gpu_start(NULL));
    pid_t child = vfork();
    if (!child)
        _exit(0);
    REQUIRE(waitpid(child, &status, 0) == child && !status);
    launch_in("pass", &forward, 2);
    return 0;
}

TEST(test_child_of_vfork_does_not_end_collecting)
{
    const struct result result = run("shares_memory", WITH_CUPTI, NULL);
    assert_good(&result);
    assert_int_equal(use_number(result.report, "pass", "kernels"), 2);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

enum { THREADS = 30, ROUNDS = 100 };

static void *launch_some(void *unused)
{
    struct mock_stream *stream;
    const struct mock_dim one = {1, 1, 1};
    (void)cudaStreamCreate(&stream);
    for (int i = 0; i < ROUNDS; ++i) {
        STINT_SCOPE("round");

        launch_in("inner", &forward, 1);
        (void)cudaLaunchKernel(&backward, one, one, NULL, 0, stream);
    }
    return unused;
}

/* Their records arrive after the threads have ended. */
MODE(ends_threads)
{
    pthread_t threads[THREADS];
    REQUIRE(!stint_gpu_start(NULL));
    for (int i = 0; i < THREADS; ++i)
        REQUIRE(!pthread_create(&threads[i], NULL, launch_some, NULL));
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_use("inner").kernels == THREADS * ROUNDS);
    REQUIRE(seen_use("round").kernels == 2 * THREADS * ROUNDS);
    REQUIRE(seen_self_use("round").kernel_ns == (uint64_t)THREADS * ROUNDS * BACKWARD_NS);
    REQUIRE(seen_charge(STINT_GPU_UNATTRIBUTED).count == 0 && seen_charge(STINT_GPU_NO_SCOPE).count == 0);
    REQUIRE(seen_calls("cuLaunchKernel") == 2 * THREADS * ROUNDS && charges_add_up());
    return 0;
}

TEST(test_work_of_threads_that_have_ended_is_charged_to_their_scopes)
{
    const struct result result = run("ends_threads", WITH_CUPTI, NULL);
    assert_good(&result);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
}

/* While other threads launch, reports are written, everything is reset, and collecting stops and starts. */
MODE(disturbs)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i)
        REQUIRE(!pthread_create(&threads[i], NULL, keep_launching, NULL));
    for (int i = 0; i < 40; ++i) {
        REQUIRE(!stint_gpu_start(NULL));
        REQUIRE(!stint_gpu_flush());
        REQUIRE(charges_add_up());
        if (i % 4 == 3)
            REQUIRE(!stint_reset(STINT_RESET_ALL));
        REQUIRE(!stint_gpu_stop());
    }
    __atomic_store_n(&s_over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
    REQUIRE(!stint_gpu_start(NULL));
    launch_in("after", &backward, 5);
    (void)cudaDeviceSynchronize();
    REQUIRE(seen_use("after").kernels == 5 && charges_add_up());
    return 0;
}

TEST(test_collecting_stops_and_starts_while_threads_launch)
{
    const struct result result = run("disturbs", WITH_CUPTI, NULL);
    assert_good(&result);
}

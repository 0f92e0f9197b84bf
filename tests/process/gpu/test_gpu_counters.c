/* STINT_COUNTERS in whole processes: libstint_module.so has the mock's range profiler count what kernels do. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/gpu/launches.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

static const struct mock_kernel s_nccl = {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1000};

MODE(trains)
{
    for (int step = 0; step < 3; ++step) {
        STINT_SCOPE("step");

        launch_in("forward pass", &forward, 2);
        launch_in("backward pass", &backward, 1);
    }
    launch(&forward, 4);
    (void)cudaDeviceSynchronize();
    return 0;
}

MODE(waits_for_others)
{
    launch(&s_nccl, 2);
    launch(&forward, 1);
    return 0;
}

MODE(replays_graphs)
{
    const struct mock_graph graph = {&forward, 1, 0};
    struct mock_stream *stream;
    (void)cudaStreamCreate(&stream);
    (void)cudaStreamBeginCapture(stream, 0);
    launch(&forward, 1);
    (void)cudaStreamEndCapture(stream, NULL);
    for (int i = 0; i < 3; ++i)
        (void)cudaGraphLaunch(&graph, stream);
    (void)cudaDeviceSynchronize();
    return 0;
}

/* Other threads launch in scopes of their own, at the same time; the main one's outer scope is open at the exit. */
static void *launch_in_scope(void *name)
{
    STINT_SCOPE_DYNAMIC((const char *)name);
    launch(&forward, 5);
    return NULL;
}

MODE(scopes_of_threads)
{
    static char names[2][8] = {"left", "right"};
    pthread_t threads[2];
    STINT_SCOPE("outer");
    launch(&backward, 1);
    for (int i = 0; i < 2; ++i)
        REQUIRE(pthread_create(&threads[i], NULL, launch_in_scope, names[i]) == 0);
    {
        STINT_SCOPE("inner");
        launch(&backward, 2);
    }
    {
        STINT_SCOPE("idle");
    }
    for (int i = 0; i < 2; ++i)
        (void)pthread_join(threads[i], NULL);
    exit(0);
}

MODE(resets)
{
    launch(&forward, 3);
    REQUIRE(stint_reset(STINT_RESET_ALL) == STINT_OK);
    launch(&forward, 1);
    return 0;
}

static void *launch_many(void *unused)
{
    launch(&forward, 20);
    return unused;
}

MODE(launches_on_threads)
{
    pthread_t threads[4];
    launch(&forward, 1);
    for (int i = 0; i < 4; ++i)
        REQUIRE(pthread_create(&threads[i], NULL, launch_many, NULL) == 0);
    for (int i = 0; i < 4; ++i)
        (void)pthread_join(threads[i], NULL);
    return 0;
}

/* The child's report has nothing of the parent's counters. */
MODE(forks)
{
    int status = 0;
    launch(&forward, 2);
    const pid_t child = fork();
    if (!child) {
        STINT_SCOPE("child");
        return 0;
    }
    return waitpid(child, &status, 0) == child ? status : 1;
}

/* ---------------------------------------------------------------------------------------------------------- helpers */

/* Finds the row of a kernel and metric; its numbers are all zero if there is none. */
static struct stint_nvtx_value value_of(const char *report, const char *set, const char *kernel, const char *metric)
{
    struct stint_nvtx_value value = {0};
    char begin[512];
    unsigned long long count;
    snprintf(begin, sizeof begin, "{\"set\":\"%s\",\"name\":\"%s\",\"field\":\"%s\",", set, kernel, metric);
    const char *at = strstr(report, begin);
    if (!at || sscanf(at + strlen(begin), "\"count\":%llu,\"sum\":%lf,\"min\":%lf,\"max\":%lf", &count, &value.sum,
                      &value.min, &value.max) != 4)
        return value;
    value.count = count;
    return value;
}

static struct stint_nvtx_value counter(const struct result *result, const char *kernel, const char *metric)
{
    assert_good(result);
    assert_non_null(result->report);
    return value_of(result->report, STINT_COUNTER_SET, kernel, metric);
}

static struct result count_in(const char *mode, const char *metrics, const char *variable)
{
    return run(mode, metrics, "STINT_GPU=on", "STINT_MODULE=" MODULE, WITH_CUPTI, variable, NULL);
}

#define SKIPPED(why) STINT_COUNTER_SKIPPED why

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST(each_launch_of_a_kernel_is_counted)
{
    const struct result result = count_in("trains", "STINT_COUNTERS=dram__bytes_read.sum, gpu__time_duration.sum",
                                          "MOCK_COUNTERS=dram__bytes_read.sum=512");
    const struct stint_nvtx_value bytes = counter(&result, "forward", "dram__bytes_read.sum");
    const struct stint_nvtx_value time = counter(&result, "backward", "gpu__time_duration.sum");
    assert_int_equal(bytes.count, 8); /* of the 10 launches, as no more are asked for */
    assert_true(bytes.sum == 8 * 512 && bytes.min == 512 && bytes.max == 512);
    assert_true(counter(&result, "forward", "(launches)").sum == 10);
    assert_int_equal(time.count, 3);
    assert_true(time.sum == 3 * BACKWARD_NS);
    assert_true(counter(&result, "forward", "profiler__replayer_passes").max == 1);
    assert_int_equal(activity_number(result.report, "forward", "count"), 10); /* all else is as without counters */
}

TEST(groups_stand_for_their_metrics)
{
    const struct result result = count_in("trains", "STINT_COUNTERS=occupancy,dram__bytes", "MOCK_COUNTERS=");
    assert_int_equal(counter(&result, "forward", "sm__cycles_active.avg").count, 8);
    assert_int_equal(counter(&result, "forward", "dram__bytes.sum").count, 8);
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 0);
    assert_true(counter(&result, "forward", "profiler__replayer_passes").max == 2);
    assert_true(counter(&result, "forward", "launch__block_size").max == 128);
    assert_true(counter(&result, "forward", "launch__registers_per_thread").max == 40);
}

TEST(scopes_have_the_counters_of_their_kernels)
{
    const struct result result =
        count_in("trains", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_COUNTERS_LAUNCHES=all");
    const struct stint_nvtx_value in_scope =
        value_of(result.report, STINT_COUNTER_SCOPE_SET, "step/forward pass", "dram__bytes_read.sum");
    assert_int_equal(in_scope.count, 6);
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 10);
}

TEST(what_is_counted_is_chosen_by_name_number_and_scope)
{
    struct result result = count_in("trains", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_COUNTERS_KERNELS=back*");
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 0);
    assert_int_equal(counter(&result, "backward", "dram__bytes_read.sum").count, 3);
    result = count_in("trains", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_COUNTERS_KERNELS=!forw*");
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 0);
    assert_int_equal(counter(&result, "backward", "dram__bytes_read.sum").count, 3);
    result = count_in("trains", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_COUNTERS_LAUNCHES=2-4");
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 3);
    assert_int_equal(counter(&result, "backward", "dram__bytes_read.sum").count, 2);
    result = count_in("trains", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_COUNTERS_SCOPES=forward pass");
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 6);
    assert_int_equal(counter(&result, "backward", "dram__bytes_read.sum").count, 0);
}

#define GRAPH_SKIPPED                                                                                                  \
    SKIPPED("kernels of CUDA graphs are not replayed one by one: --replay-mode application counts each launch of a "   \
            "graph as a whole")

TEST(what_cannot_be_replayed_is_skipped_with_its_reason)
{
    struct result result = count_in("waits_for_others", "STINT_COUNTERS=dram__bytes_read.sum", NULL);
    assert_int_equal(
        counter(&result, s_nccl.name, SKIPPED("it waits for other devices, and would wait forever in a replay")).count,
        2);
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 1);
    result = count_in("replays_graphs", "STINT_COUNTERS=dram__bytes_read.sum", NULL);
    assert_int_equal(counter(&result, "forward", GRAPH_SKIPPED).count, 1);
    assert_int_equal(counter(&result, "(graph)", GRAPH_SKIPPED).count, 3);
}

TEST(failures_are_told_and_everything_else_works)
{
    static const struct {
        const char *mock, *why;
    } failures[] = {
        {"MOCK_CUPTI=range_enable=35",
         SKIPPED("the NVIDIA driver lets only administrators read hardware counters: run as root or with CAP_SYS_ADMIN "
                 "(a container: --cap-add=SYS_ADMIN), or load its module with NVreg_RestrictProfilingToAdminUsers=0")},
        {"MOCK_CUPTI=range_enable=43",
         SKIPPED(
             "this CUPTI counts nothing on this MIG device: use one whose compute instance is all of its GPU instance, "
             "a whole GPU, or a newer CUPTI (STINT_CUPTI_PATH)")},
        {"MOCK_CUPTI=range_enable=8", SKIPPED("cuptiRangeProfilerEnable failed with 8, CUPTI_ERROR_MOCK")},
        {"MOCK_CUPTI=range_config=1", SKIPPED("cuptiRangeProfilerSetConfig failed with 1, CUPTI_ERROR_MOCK")},
        {"MOCK_CUPTI=range_initialize=2", SKIPPED("cuptiProfilerInitialize failed with 2, CUPTI_ERROR_MOCK")},
        {"MOCK_CUPTI=range_start=8", SKIPPED("cuptiRangeProfilerStart failed with 8, CUPTI_ERROR_MOCK")},
        {"MOCK_CUPTI=range_decode=999", SKIPPED("cuptiRangeProfilerDecodeData failed with 999, CUPTI_ERROR_MOCK")},
        {"MOCK_CUPTI=unsupported=1",
         SKIPPED("the device is too old for CUPTI's range profiler: it needs compute capability 7.0")},
    };

    for (size_t i = 0; i < sizeof failures / sizeof *failures; ++i) {
        const struct result result = count_in("trains", "STINT_COUNTERS=dram__bytes_read.sum", failures[i].mock);
        assert_int_equal(counter(&result, "backward", failures[i].why).count, 3);
        assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 0);
        assert_int_equal(activity_number(result.report, "forward", "count"), 10);
    }
}

TEST(a_failed_launch_does_not_stop_later_ones)
{
    const struct result result = count_in("trains", "STINT_COUNTERS=dram__bytes_read.sum", "MOCK_CUPTI=range_stops=3");
    assert_int_equal(
        counter(&result, "forward", SKIPPED("cuptiRangeProfilerStop failed with 999, CUPTI_ERROR_MOCK")).count, 2);
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 6);
    assert_int_equal(counter(&result, "backward", "dram__bytes_read.sum").count, 2);
}

TEST(metrics_that_the_device_lacks_are_named)
{
    struct result result = count_in("trains", "STINT_COUNTERS=no__such.sum,dram__bytes_read.sum", NULL);
    assert_int_equal(counter(&result, "(no such metric)", "no__such.sum").count, 1);
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 8);
    result = count_in("trains", "STINT_COUNTERS=no__such.sum", NULL);
    assert_int_equal(
        counter(&result, "backward",
                SKIPPED("the device has none of the metrics that were asked for, or each needs several passes"))
            .count,
        3);
}

TEST(a_cupti_without_a_range_profiler_is_told)
{
    const struct result result = run("trains", "STINT_COUNTERS=all", "STINT_GPU=on", "STINT_MODULE=" MODULE,
                                     "STINT_CUPTI_PATH=" OLD_CUPTI, NULL);
    assert_int_equal(
        counter(&result, "backward", SKIPPED("this CUPTI has no range profiler: counters need CUPTI 12.6 or later"))
            .count,
        3);
}

TEST(threads_are_counted_one_after_another)
{
    const struct result result =
        count_in("launches_on_threads", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_COUNTERS_LAUNCHES=all");
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 81);
}

static struct stint_nvtx_value in_scope(const struct result *result, const char *path)
{
    return value_of(result->report, STINT_COUNTER_SCOPE_SET, path, "dram__bytes_read.sum");
}

TEST(scopes_of_threads_and_open_ones_are_counted_apart)
{
    static const char *const runs[] = {NULL, "STINT_COUNTERS_RUN=1"};
    for (size_t i = 0; i < 2; ++i) {
        const struct result result = count_in("scopes_of_threads", "STINT_COUNTERS=dram__bytes_read.sum", runs[i]);
        assert_good(&result);
        assert_int_equal(in_scope(&result, "outer").count, 1);
        assert_int_equal(in_scope(&result, "outer/inner").count, 2);
        assert_int_equal(in_scope(&result, "outer/idle").count, 0);
        assert_int_equal(in_scope(&result, "left").count + in_scope(&result, "right").count, 8); /* the first 8 */
    }
}

TEST(each_run_counts_what_one_pass_can)
{
    static const char metrics[] = "STINT_COUNTERS=a__1.sum,a__2.sum,a__3.sum,a__4.sum,a__5.sum,wide__1.sum,a__6.sum";
    struct result result = count_in("trains", metrics, "STINT_COUNTERS_RUN=1");
    assert_int_equal(counter(&result, "forward", "a__1.sum").count, 8);
    assert_int_equal(counter(&result, "forward", "a__5.sum").count, 8);
    assert_int_equal(counter(&result, "forward", "a__6.sum").count, 0);
    assert_true(counter(&result, "forward", STINT_COUNTER_RUNS).max == 2);
    assert_int_equal(counter(&result, "forward", "profiler__replayer_passes").count, 0);
    assert_true(counter(&result, "forward", "(launches)").sum == 10);
    assert_int_equal(counter(&result, STINT_COUNTER_ABSENT, STINT_COUNTER_WIDE "wide__1.sum").count, 1);
    result = count_in("trains", metrics, "STINT_COUNTERS_RUN=2");
    assert_int_equal(counter(&result, "forward", "a__1.sum").count, 0);
    assert_int_equal(counter(&result, "forward", "a__6.sum").count, 8);
    assert_int_equal(counter(&result, "forward", "(launches)").count, 0); /* the first run has them */
    assert_int_equal(value_of(result.report, STINT_COUNTER_SCOPE_SET, "step/forward pass", "a__6.sum").count, 6);
    result = count_in("trains", metrics, "STINT_COUNTERS_RUN=3");
    assert_int_equal(counter(&result, "forward", SKIPPED("all metrics were counted in earlier runs")).count, 8);
}

TEST(each_launch_of_a_graph_is_counted_as_a_whole_without_replay)
{
    const struct result result =
        count_in("replays_graphs", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_COUNTERS_RUN=1");
    assert_int_equal(counter(&result, "(graph)", "dram__bytes_read.sum").count, 3);
    assert_int_equal(
        counter(&result, "forward", SKIPPED("it is captured into a CUDA graph, and runs when that is launched")).count,
        1);
}

TEST(a_range_that_fails_does_not_stop_later_ones)
{
    struct result result = run("trains", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_GPU=on", "STINT_MODULE=" MODULE,
                               WITH_CUPTI, "STINT_COUNTERS_RUN=1", "MOCK_CUPTI=range_push=8", NULL);
    assert_int_equal(
        counter(&result, "backward", SKIPPED("cuptiRangeProfilerPushRange failed with 8, CUPTI_ERROR_MOCK")).count, 3);
    result = run("trains", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_GPU=on", "STINT_MODULE=" MODULE, WITH_CUPTI,
                 "STINT_COUNTERS_RUN=1", "MOCK_CUPTI=range_stops=3", NULL);
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 6);
}

TEST(a_kernel_that_never_ends_is_named_and_ends_the_program)
{
    const struct result result =
        run("trains", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_GPU=on", "STINT_MODULE=" MODULE, WITH_CUPTI,
            "MOCK_CUPTI=range_hang=1", "STINT_COUNTERS_TIMEOUT=1", NULL);
    assert_no_misuse(&result);
    assert_exit(&result, 124);
    assert_non_null(strstr(result.err, "the kernel forward has not ended in 1 s of being counted"));
    assert_non_null(strstr(result.err, "--kernels '!forward*'"));
}

TEST(a_kernel_without_room_for_its_memory_is_skipped)
{
    static const char five[] = "STINT_COUNTERS=a__1.sum,a__2.sum,a__3.sum,a__4.sum,a__5.sum",
                      six[] = "STINT_COUNTERS=a__1.sum,a__2.sum,a__3.sum,a__4.sum,a__5.sum,a__6.sum";
    struct result result = count_in("trains", six, "MOCK_CUPTI=used_gb=1000000");
    assert_good(&result);
    assert_non_null(strstr(result.report, "a replay may have to save the 1073741.8 GB of the device that are in use"));
    assert_int_equal(counter(&result, "forward", "a__1.sum").count, 0);
    result = count_in("trains", five, "MOCK_CUPTI=used_gb=1000000"); /* of one pass */
    assert_int_equal(counter(&result, "forward", "a__1.sum").count, 8);
    result = count_in("trains", six, "MOCK_CUPTI=used_gb=1");
    assert_int_equal(counter(&result, "forward", "a__1.sum").count, 8);
}

TEST(counting_for_a_report_without_counters_is_told)
{
    static const char warning[] =
        "no report that is printed at the end shows counters; set STINT_REPORT=table,counters";
    struct result result = count_in("trains", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_REPORT=table");
    assert_int_equal(occurrences(result.err, warning), 1);
    result = count_in("trains", "STINT_COUNTERS=dram__bytes_read.sum", "STINT_REPORT=table,counters");
    assert_int_equal(occurrences(result.err, warning), 0);
    assert_non_null(strstr(result.report, "DRAM read 20 B"));
}

TEST(reset_and_fork_forget)
{
    struct result result = count_in("resets", "STINT_COUNTERS=dram__bytes_read.sum", NULL);
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 1);
    assert_true(counter(&result, "forward", "(launches)").sum == 1);
    result = count_in("forks", "STINT_COUNTERS=dram__bytes_read.sum", NULL);
    assert_int_equal(counter(&result, "forward", "dram__bytes_read.sum").count, 2);
}

TEST(without_the_module_nothing_is_collected)
{
    const struct result result =
        run("trains", "STINT_COUNTERS=all", "STINT_GPU=on", "STINT_MODULE=/nowhere.so", WITH_CUPTI, NULL);
    assert_good(&result);
    assert_non_null(strstr(result.err, "/nowhere.so: cannot open shared object file"));
    assert_non_null(strstr(result.err, "install it beside stint's library, or set STINT_MODULE to its path"));
    assert_null(strstr(result.report, "\"name\":\"forward\""));
}

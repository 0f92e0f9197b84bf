/* counters.h in whole processes: programs that count their own kernels, with the mock's range profiler. */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/gpu/launches.h"

#define METRIC "dram__bytes_read.sum"

/* ------------------------------------------------------------------------------------------------------------ modes */

static const struct stint_counters_options s_bytes = {.metrics = METRIC};

/* How many launches of these kernels, or in these scopes, were counted. */
static uint64_t counted(enum stint_counters_of of, const char *names)
{
    struct stint_counter counter;
    const enum stint_status status = stint_counters_read(of, names, METRIC, &counter);
    return status == STINT_OK ? counter.launches : 0;
}

static uint64_t kernels(const char *names)
{
    return counted(STINT_COUNTERS_OF_KERNELS, names);
}

static int says(const char *text)
{
    if (strstr(stint_counters_reason(), text))
        return 1;
    return not_as_required(__LINE__, stint_counters_reason()) - 1;
}

MODE(counts_a_region)
{
    struct stint_counter bytes;
    launch(&forward, 3);
    REQUIRE(stint_counters_status() == STINT_ERROR_NOT_STARTED);
    REQUIRE(stint_counters_stop() == STINT_ERROR_NOT_STARTED);
    REQUIRE(stint_counters_start(&s_bytes) == STINT_OK);
    REQUIRE(stint_counters_status() == STINT_OK && !*stint_counters_reason());
    REQUIRE(stint_counters_start(&s_bytes) == STINT_ERROR_BUSY && says("stop it first"));
    launch_in("step", &forward, 20);
    launch(&backward, 1);
    REQUIRE(stint_counters_stop() == STINT_OK);
    REQUIRE(stint_counters_status() == STINT_ERROR_NOT_STARTED);
    launch(&forward, 5);
    REQUIRE(stint_counters_read(STINT_COUNTERS_OF_KERNELS, "forward", "dram__bytes_read", &bytes) == STINT_OK);
    REQUIRE(bytes.launches == 20 && bytes.sum == 20 * 512 && bytes.min == 512 && bytes.max == 512);
    REQUIRE(kernels(NULL) == 21 && kernels("*ward,!back*") == 20);
    REQUIRE(counted(STINT_COUNTERS_OF_SCOPES, "step") == 20);
    REQUIRE(stint_counters_read(STINT_COUNTERS_OF_KERNELS, NULL, "dram__bytes", &bytes) == STINT_ERROR_NOT_FOUND);
    REQUIRE(bytes.launches == 0);
    return 0;
}

MODE(counts_again_something_else)
{
    const struct stint_counters_options second = {sizeof second, "gpu__time_duration.sum", "forw*", "inner", "2-3"};
    struct stint_counter time;
    REQUIRE(stint_counters_start(&s_bytes) == STINT_OK);
    launch(&forward, 1);
    REQUIRE(stint_counters_stop() == STINT_OK);
    REQUIRE(stint_counters_start(&second) == STINT_OK);
    launch_in("inner", &forward, 5);
    launch_in("inner", &backward, 5);
    launch(&forward, 5);
    REQUIRE(stint_counters_read(STINT_COUNTERS_OF_KERNELS, NULL, "gpu__time_duration", &time) == STINT_OK);
    REQUIRE(time.launches == 2 && time.sum == 2 * FORWARD_NS);
    REQUIRE(kernels(NULL) == 1);
    REQUIRE(stint_reset(STINT_RESET_ALL) == STINT_OK && kernels(NULL) == 0);
    REQUIRE(stint_counters_stop() == STINT_OK);
    return 0;
}

MODE(counts_to_the_end_of_a_block)
{
    {
        STINT_COUNTERS(METRIC);
        {
            STINT_COUNTERS("gpu__time_duration.sum"); /* counting has begun before */
        }
        launch(&forward, 2);
    }
    launch(&forward, 2);
    REQUIRE(kernels(NULL) == 2);
    return 0;
}

MODE(asks_for_nonsense)
{
    const struct stint_counters_options empty = {.metrics = ""}, none = {.kernels = "forward"},
                                        launches = {.metrics = METRIC, .launches = "3-2"},
                                        absent = {.metrics = METRIC ",no__such.sum"};
    struct stint_counter counter;
    REQUIRE(stint_counters_start(NULL) == STINT_ERROR_INVALID_ARGUMENT);
    REQUIRE(stint_counters_start(&empty) == STINT_ERROR_INVALID_ARGUMENT);
    REQUIRE(stint_counters_start(&none) == STINT_ERROR_INVALID_ARGUMENT);
    REQUIRE(stint_counters_start(&launches) == STINT_ERROR_INVALID_ARGUMENT && says("launches are not understood"));
    launch(&forward, 1); /* makes the context */
    REQUIRE(stint_counters_start(&absent) == STINT_ERROR_INVALID_ARGUMENT);
    REQUIRE(says("the device has no metric no__such.sum; stint nvprof --query-metrics"));
    REQUIRE(stint_counters_status() == STINT_ERROR_INVALID_ARGUMENT);
    REQUIRE(stint_counters_read(STINT_COUNTERS_OF_KERNELS, NULL, NULL, &counter) == STINT_ERROR_INVALID_ARGUMENT);
    REQUIRE(stint_counters_read(STINT_COUNTERS_OF_KERNELS, NULL, METRIC, NULL) == STINT_ERROR_INVALID_ARGUMENT);
    REQUIRE(stint_counters_start(&s_bytes) == STINT_OK);
    launch(&forward, 1);
    REQUIRE(kernels("forward") == 1);
    return 0;
}

/* The device is asked at the first launch. */
MODE(learns_at_the_first_launch)
{
    const struct stint_counters_options absent = {.metrics = METRIC ",no__such.sum"};
    REQUIRE(stint_counters_start(&absent) == STINT_OK);
    launch(&forward, 1);
    REQUIRE(stint_counters_status() == STINT_ERROR_INVALID_ARGUMENT);
    REQUIRE(says("forward: the device has no metric no__such.sum") && kernels(NULL) == 0);
    REQUIRE(stint_counters_stop() == STINT_OK && stint_counters_start(&s_bytes) == STINT_OK);
    launch(&forward, 1);
    REQUIRE(kernels(NULL) == 1);
    return 0;
}

MODE(has_no_permission)
{
    launch(&forward, 1);
    REQUIRE(stint_counters_start(&s_bytes) == STINT_ERROR_PERMISSION);
    REQUIRE(stint_counters_status() == STINT_ERROR_PERMISSION && says("NVreg_RestrictProfilingToAdminUsers=0"));
    launch(&forward, 1);
    REQUIRE(kernels(NULL) == 0);
    return 0;
}

MODE(has_a_device_that_fails)
{
    launch(&forward, 1);
    REQUIRE(stint_counters_start(&s_bytes) == STINT_ERROR_CUDA);
    REQUIRE(says("cuptiRangeProfilerSetConfig failed with 1"));
    return 0;
}

MODE(has_no_module)
{
    REQUIRE(stint_counters_start(&s_bytes) == STINT_ERROR_UNAVAILABLE);
    REQUIRE(stint_counters_status() == STINT_ERROR_UNAVAILABLE && says("/nowhere.so"));
    launch(&forward, 1);
    return 0;
}

MODE(may_not_collect)
{
    REQUIRE(stint_counters_start(&s_bytes) == STINT_ERROR_UNAVAILABLE);
    REQUIRE(stint_counters_status() == STINT_ERROR_UNAVAILABLE && says("STINT_GPU=off"));
    return 0;
}

MODE(skips_a_kernel)
{
    static const struct mock_kernel nccl = {"ncclDevKernel_AllReduce", 1000};
    REQUIRE(stint_counters_start(&s_bytes) == STINT_OK);
    launch(&nccl, 1);
    REQUIRE(stint_counters_status() == STINT_OK && says("ncclDevKernel_AllReduce: it waits for other devices"));
    launch(&forward, 1);
    REQUIRE(kernels(NULL) == 1);
    return 0;
}

MODE(counts_by_short_names)
{
    static const struct mock_kernel scale = {"_ZN12_GLOBAL__N_15scaleEPff", 1000};
    struct stint_counters_options options = {.metrics = METRIC, .kernels = "scales"};
    struct stint_counter counter;
    REQUIRE(stint_counters_start(&options) == STINT_OK && kernels(NULL) == 0);
    REQUIRE(says("no kernel was launched while counting"));
    launch(&scale, 1);
    REQUIRE(kernels("scale") == 0 && says("none of the kernels that were launched was selected; one of them is"));
    REQUIRE(says("(anonymous namespace)::scale(float*, float)"));
    REQUIRE(stint_counters_stop() == STINT_OK);
    options.kernels = "scale*";
    REQUIRE(stint_counters_start(&options) == STINT_OK);
    launch(&scale, 1);
    REQUIRE(kernels("scale") == 1 && kernels("(anonymous namespace)::scale") == 1);
    REQUIRE(stint_counters_read(STINT_COUNTERS_OF_KERNELS, "scale", "no__such", &counter) == STINT_ERROR_NOT_FOUND);
    REQUIRE(says("of scale no no__such was counted; one kernel that was launched is (anonymous namespace)::scale"));
    return 0;
}

/* `stint run --counters` says what is counted. */
MODE(is_counted_from_outside)
{
    launch(&forward, 1);
    REQUIRE(stint_counters_start(&(struct stint_counters_options){.metrics = "other__metric.sum"}) == STINT_OK);
    launch(&forward, 1);
    REQUIRE(stint_counters_stop() == STINT_OK);
    launch(&forward, 1);
    REQUIRE(stint_counters_status() == STINT_OK && kernels(NULL) == 3);
    return 0;
}

static void *launch_many(void *unused)
{
    launch(&forward, 200);
    return unused;
}

MODE(starts_and_stops_while_threads_launch)
{
    pthread_t threads[3];
    launch(&forward, 1);
    for (int i = 0; i < 3; ++i)
        REQUIRE(pthread_create(&threads[i], NULL, launch_many, NULL) == 0);
    for (int i = 0; i < 20; ++i) {
        REQUIRE(stint_counters_start(&s_bytes) == STINT_OK);
        REQUIRE(stint_counters_stop() == STINT_OK);
    }
    for (int i = 0; i < 3; ++i)
        (void)pthread_join(threads[i], NULL);
    const uint64_t before = kernels(NULL);
    REQUIRE(stint_counters_start(&s_bytes) == STINT_OK);
    launch(&forward, 2);
    REQUIRE(stint_counters_stop() == STINT_OK);
    REQUIRE(kernels(NULL) == before + 2);
    return 0;
}

MODE(forks)
{
    int status = 0;
    REQUIRE(stint_counters_start(&s_bytes) == STINT_OK);
    launch(&forward, 1);
    const pid_t child = fork();
    if (!child) {
        REQUIRE(kernels(NULL) == 0 && stint_counters_stop() == STINT_ERROR_NOT_STARTED);
        REQUIRE(stint_counters_start(&s_bytes) == STINT_ERROR_UNAVAILABLE && says("forked"));
        return 0;
    }
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    REQUIRE(kernels(NULL) == 1);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

/* The mode fails where something is not as required. */
static struct result assert_passes(const char *mode, const char *variable)
{
    const struct result result = run(mode, "STINT_MODULE=" MODULE, WITH_CUPTI, variable, NULL);
    if (result.status)
        print_error("%s: %s\n", mode, result.err);
    assert_good(&result);
    return result;
}

TEST(a_region_is_counted_and_read)
{
    const struct result result = assert_passes("counts_a_region", "MOCK_COUNTERS=" METRIC "=512");
    assert_non_null(strstr(result.report, "{\"set\":\"GPU counters\",\"name\":\"forward\",\"field\":\"" METRIC
                                          "\",\"count\":20,\"sum\":10240"));
    assert_int_equal(activity_number(result.report, "forward", "count"), 25); /* collecting began at the start */
    (void)assert_passes("counts_again_something_else", NULL);
    (void)assert_passes("counts_to_the_end_of_a_block", NULL);
    (void)assert_passes("counts_by_short_names", NULL);
}

TEST(failures_have_a_status_and_a_reason)
{
    (void)assert_passes("asks_for_nonsense", NULL);
    (void)assert_passes("learns_at_the_first_launch", NULL);
    (void)assert_passes("has_no_permission", "MOCK_CUPTI=range_enable=35");
    (void)assert_passes("has_a_device_that_fails", "MOCK_CUPTI=range_config=1");
    (void)assert_passes("has_no_module", "STINT_MODULE=/nowhere.so");
    (void)assert_passes("may_not_collect", "STINT_GPU=off");
    (void)assert_passes("skips_a_kernel", NULL);
}

TEST(the_environment_has_precedence)
{
    const struct result result = run("is_counted_from_outside", "STINT_MODULE=" MODULE, WITH_CUPTI, "STINT_GPU=on",
                                     "STINT_COUNTERS=" METRIC, NULL);
    assert_good(&result);
}

TEST(threads_and_forks_do_no_harm)
{
    (void)assert_passes("starts_and_stops_while_threads_launch", NULL);
    (void)assert_passes("forks", NULL);
}

/* REGISTER_GPU_PROFILER and its functions in a program: with a shared runtime, with only a driver, without any CUDA,
 * and with a CUDA that fails. */
#define STINT_WITH_PROFILER 1

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/profiler/calls.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

static int work(void)
{
    REGISTER_GPU_PROFILER("work", "batch = 64");
    say("work");
    return 0;
}

MODE(with_driver)
{
    load_driver();
    return work();
}

MODE(with_runtime)
{
    if (!dlopen(FAKE_RUNTIME, RTLD_NOW | RTLD_GLOBAL))
        return 1;
    return work();
}

MODE(nests)
{
    load_driver();
    REGISTER_GPU_PROFILER("RecursiveProfilingTest", "the outermost");
    STINT_PROFILE("in the same block");
    STINT_PROFILE("and on");
    STINT_PROFILE("one line"); /* clang-format off */
    work();
    work();
    return 0; /* clang-format on */
}

/* Each iteration leaves its block in another way. */
MODE(leaves)
{
    load_driver();
    for (int i = 0; i < 4; ++i) {
        REGISTER_GPU_PROFILER("iteration");
        if (i == 0)
            continue;
        if (i == 1)
            goto again;
        if (i == 2)
            break;
    again:;
    }
    say("left");
    {
        STINT_PROFILE("block");
        return work();
    }
}

MODE(infos)
{
    const char *const computed = "computed";
    load_driver();
    {
        REGISTER_GPU_PROFILER("none");
    }
    {
        REGISTER_GPU_PROFILER(computed, "a, b", computed, 1 + 2);
    }
    {
        REGISTER_GPU_PROFILER(NULL, "nobody");
    }
    stint_profiler_start("by function", "plain");
    stint_profiler_stop();
    stint_profiler_start(NULL, NULL);
    stint_profiler_stop();
    return 0;
}

MODE(functions)
{
    load_driver();
    printf("%d ", stint_profiler_start("a", "b"));
    printf("%d ", stint_profiler_start("a", "b"));
    say("inside");
    printf("%d ", stint_profiler_stop());
    printf("%d ", stint_profiler_stop());
    printf("%d %d\n", stint_profiler_stop(), stint_profiler_stop());
    return 0;
}

MODE(ten_iterations)
{
    load_driver();
    for (int i = 0; i < 10; ++i) {
        REGISTER_GPU_PROFILER("iteration");
        REGISTER_GPU_PROFILER("nested");
        say((const char[]){(char)('0' + i), 0});
    }
    return 0;
}

MODE(api_window)
{
    stint_profiler_set_window(3, 1);
    return ten_iterations();
}

MODE(ten_steps)
{
    load_driver();
    say("set-up");
    for (int i = 0; i < 10; ++i) {
        stint_profiler_step();
        say((const char[]){(char)('0' + i), 0});
    }
    return 0;
}

/* Prints the last status, CUDA's code, and what the program itself gets as CUDA's last error. */
static int tells(int (*body)(void))
{
    int (*last_error)(void) = NULL;
    body();
    void *found = dlsym(RTLD_DEFAULT, "cudaGetLastError");
    memcpy(&last_error, &found, sizeof found);
    printf("status %s, code %d, last error %d\n", stint_status_name(stint_profiler_status()),
           stint_profiler_cuda_code(), last_error ? last_error() : 0);
    return 0;
}

MODE(tells_runtime)
{
    return tells(with_runtime);
}

MODE(tells_driver)
{
    return tells(with_driver);
}

/* Nothing is loaded before, and nothing after. */
MODE(tells_nothing)
{
    const char *maps;
    tells(work);
    maps = read_file("/proc/self/maps");
    printf("libcuda %s\n", maps && !strstr(maps, "libcuda") ? "absent" : "present");
    return 0;
}

/* CUDA is loaded by the first of its calls, as in a program with the static runtime. */
MODE(loads_later)
{
    work();
    say("loads");
    load_driver();
    work();
    return 0;
}

MODE(forks)
{
    int status = -1;
    pid_t child;
    load_driver();
    {
        REGISTER_GPU_PROFILER("parent");
        child = fork();
        if (child)
            waitpid(child, &status, 0);
    }
    if (!child)
        return 0;
    say("parent");
    return status;
}

MODE(forks_before)
{
    int status = -1;
    load_driver();
    stint_profiler_set_window(1, 1);
    work();
    pid_t child = fork();
    if (!child) {
        work();
        return work();
    }
    waitpid(child, &status, 0);
    return status;
}

static void *work_on_thread(void *argument)
{
    work();
    return NULL;
}

/* Forks while another thread is in CUDA. */
MODE(forks_beside)
{
    pthread_t thread;
    int status = -1;
    load_driver();
    if (pthread_create(&thread, NULL, work_on_thread, NULL))
        return 1;
    while (!read_file(getenv("FAKE_CUDA_CALLS")))
        usleep(1000);
    unsetenv("FAKE_CUDA_UNTIL");
    pid_t child = fork();
    if (!child)
        return work();
    waitpid(child, &status, 0);
    say("waited");
    pthread_join(thread, NULL);
    return status;
}

static void *hammer(void *argument)
{
    for (int i = 0; i < 200; ++i) {
        REGISTER_GPU_PROFILER("thread");
    }
    return NULL;
}

MODE(threads)
{
    pthread_t threads[8];
    load_driver();
    for (int i = 0; i < 8; ++i)
        if (pthread_create(&threads[i], NULL, hammer, NULL))
            return 1;
    for (int i = 0; i < 8; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST(a_driver_alone_is_started_and_stopped)
{
    const struct result result = run_with_calls("with_driver");
    assert_calls(&result, "start\nwork\nstop\n");
}

TEST(a_shared_runtime_is_started_and_stopped)
{
    const struct result result = run_with_calls("with_runtime");
    assert_calls(&result, "start\nwork\nstop\n");
}

TEST(only_the_outermost_of_many_acts)
{
    const struct result result = run_with_calls("nests");
    assert_calls(&result, "start\nwork\nwork\nstop\n");
    assert_int_equal(occurrences(result.err, "Enable GPU Profiler Stat:"), 1);
    assert_non_null(strstr(result.err, "] Enable GPU Profiler Stat: [RecursiveProfilingTest] \"the outermost\"\n"));
}

TEST(every_way_out_of_a_block_stops)
{
    const struct result result = run_with_calls("leaves");
    assert_calls(&result, "start\nstop\nstart\nstop\nstart\nstop\nleft\nstart\nwork\nstop\n");
}

TEST(the_info_is_logged_as_it_is_written)
{
    const struct result result = run_with_calls("infos");
    assert_exit(&result, 0);
    assert_non_null(strstr(result.err, " test_profiler.c:"));
    assert_non_null(strstr(result.err, "] Enable GPU Profiler Stat: [none] \n"));
    assert_non_null(strstr(result.err, "] Enable GPU Profiler Stat: [computed] \"a, b\", computed, 1 + 2\n"));
    assert_non_null(strstr(result.err, "] Enable GPU Profiler Stat: [(unnamed)] \"nobody\"\n"));
    assert_non_null(strstr(result.err, "] Enable GPU Profiler Stat: [by function] plain\n"));
    assert_non_null(strstr(result.err, "] Enable GPU Profiler Stat: [(unnamed)] \n"));
}

TEST(functions_nest_and_a_stop_too_many_is_reported)
{
    const struct result result = run_with_calls("functions");
    assert_calls(&result, "start\ninside\nstop\n");
    assert_string_equal(result.out, "0 0 0 0 3 3\n");
    assert_int_equal(occurrences(result.err, "stint_profiler_stop was called more often"), 1);
}

TEST(the_environment_sets_the_window)
{
    struct result result = run_with_calls("ten_iterations", "STINT_PROFILE_WINDOW=2:3");
    assert_calls(&result, "0\n1\nstart\n2\nstop\nstart\n3\nstop\nstart\n4\nstop\n5\n6\n7\n8\n9\n");
    unlink(scratch("calls"));
    result = run_with_calls("ten_iterations", "STINT_PROFILE_WINDOW=8");
    assert_calls(&result, "0\n1\n2\n3\n4\n5\n6\n7\nstart\n8\nstop\nstart\n9\nstop\n");
}

TEST(the_program_sets_the_window)
{
    const struct result result = run_with_calls("api_window", "STINT_PROFILE_WINDOW=0:9");
    assert_calls(&result, "0\n1\n2\nstart\n3\nstop\n4\n5\n6\n7\n8\n9\n");
}

TEST(a_window_of_nonsense_is_reported_and_ignored)
{
    const struct result result = run_with_calls("with_driver", "STINT_PROFILE_WINDOW=ten");
    assert_calls(&result, "start\nwork\nstop\n");
    assert_non_null(strstr(result.err, "STINT_PROFILE_WINDOW=ten is not understood: expected first:count"));
}

TEST(steps_are_iterations_too)
{
    const struct result result = run_with_calls("ten_steps", "STINT_PROFILE_WINDOW=2:3");
    assert_calls(&result, "set-up\n0\n1\nstart\n2\n3\n4\nstop\n5\n6\n7\n8\n9\n");
}

TEST(success_is_a_status_too)
{
    const struct result result = run_with_calls("tells_runtime");
    assert_exit(&result, 0);
    assert_string_equal(result.out, "status STINT_OK, code 0, last error 0\n");
}

TEST(a_failing_runtime_fails_nothing_else)
{
    const struct result result = run_with_calls("tells_runtime", "FAKE_CUDA_CODE=999");
    assert_calls(&result, "start\nwork\n");
    assert_string_equal(result.out, "status STINT_ERROR_CUDA, code 999, last error 0\n");
    assert_int_equal(occurrences(result.err, "GPU Profiler Stat: [work] is not profiled"), 1);
    assert_non_null(strstr(result.err, "code 999"));
    assert_null(strstr(result.err, "Enable GPU Profiler"));
}

TEST(a_driver_in_error_fails_nothing_else)
{
    const struct result result = run_with_calls("tells_driver", "FAKE_CUDA_CODE=201");
    assert_calls(&result, "start\nwork\n");
    assert_string_equal(result.out, "status STINT_ERROR_CUDA, code 201, last error 0\n");
}

TEST(no_device_is_unavailable)
{
    const struct result result = run_with_calls("tells_runtime", "FAKE_CUDA_CODE=100");
    assert_calls(&result, "start\nwork\n");
    assert_string_equal(result.out, "status STINT_ERROR_UNAVAILABLE, code 100, last error 0\n");
    assert_int_equal(occurrences(result.err, "CUDA_VISIBLE_DEVICES"), 1);
}

TEST(no_cuda_is_unavailable_and_none_is_loaded)
{
    const struct result result = run_with_calls("tells_nothing");
    assert_calls(&result, "work\n");
    assert_string_equal(result.out, "status STINT_ERROR_UNAVAILABLE, code 0, last error 0\nlibcuda absent\n");
    assert_int_equal(occurrences(result.err, "loaded no CUDA runtime or driver"), 1);
}

TEST(a_driver_that_comes_later_is_found_then)
{
    const struct result result = run_with_calls("loads_later");
    assert_calls(&result, "work\nloads\nstart\nwork\nstop\n");
}

TEST(a_child_does_not_stop_its_parents_window)
{
    const struct result result = run_with_calls("forks");
    assert_calls(&result, "start\nstop\nparent\n");
}

TEST(a_child_counts_its_own_iterations)
{
    const struct result result = run_with_calls("forks_before");
    assert_calls(&result, "work\nwork\nstart\nwork\nstop\n");
}

/* CUDA returns to the parent's thread only when the child has ended. */
TEST(a_child_does_not_wait_for_its_parents_threads)
{
    const struct result result = run_with_calls("forks_beside", "FAKE_CUDA_UNTIL=waited");
    assert_calls(&result, "start\nstart\nwork\nstop\nwaited\nwork\nstop\n");
}

/* Starts and stops alternate strictly, however many threads there are. */
TEST(threads_start_and_stop_in_turns)
{
    const struct result result = run_with_calls("threads");
    const char *const calls = read_file(scratch("calls"));
    const char *at = calls;
    assert_exit(&result, 0);
    assert_non_null(calls);
    while (*at) {
        assert_memory_equal(at, "start\nstop\n", 11);
        at += 11;
    }
    assert_true(at > calls);
    assert_int_equal(occurrences(calls, "start\n"), occurrences(result.err, "Enable GPU Profiler Stat: [thread] \n"));
}

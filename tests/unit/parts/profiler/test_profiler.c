/* Activations, with a CUDA that does what each test wants. */
#include "profiler/profiler.h"

#include <pthread.h>
#include <string.h>

#include "captured_log.h"
#include "record/registry.h"
#include "stint_test.h"

static const struct stint_activation s_work = {"work.c", 12, "work", "\"work\", \"batch = 64\"", NULL};

/* ------------------------------------------------------------------------------------------------------------- CUDA */

static struct {
    int missing;
    int code;   /* of the next calls */
    int sticky; /* cudaGetLastError's */
    unsigned starts;
    unsigned stops;
    int running;
    int wrong_order;
    int reenters; /* CUDA's call is interrupted by code that begins and ends an activation */
    enum stint_status reentered[3];
} s_cuda;

static void reenter(void)
{
    s_cuda.reentered[0] = stint_activation_begin(&s_work);
    s_cuda.reentered[1] = stint_activation_step();
    s_cuda.reentered[2] = stint_activation_end();
    stint_activation_set_window(7, 7);
}

static int act(int on)
{
    if (s_cuda.reenters)
        reenter();
    if (s_cuda.code) {
        if (!s_cuda.sticky)
            s_cuda.sticky = s_cuda.code;
        return s_cuda.code;
    }
    s_cuda.wrong_order |= s_cuda.running == on;
    s_cuda.running = on;
    ++*(on ? &s_cuda.starts : &s_cuda.stops);
    return 0;
}

static int cuda_start(void)
{
    return act(1);
}

static int cuda_stop(void)
{
    return act(0);
}

static int cuda_peek(void)
{
    return s_cuda.sticky;
}

static int cuda_clear(void)
{
    const int sticky = s_cuda.sticky;
    s_cuda.sticky = 0;
    return sticky;
}

int __wrap_stint_cuda_find(struct stint_i_cuda_runtime *runtime)
{
    *runtime = (struct stint_i_cuda_runtime){cuda_start, cuda_stop, cuda_peek, cuda_clear};
    return s_cuda.missing ? -1 : 0;
}

static int begin_test(void **state)
{
    memset(&s_cuda, 0, sizeof s_cuda);
    stint_activation_set_window(0, 0);
    captured_log_begin();
    return 0;
}

#define assert_calls(started, stopped)                                                                                 \
    do {                                                                                                               \
        assert_int_equal(s_cuda.starts, started);                                                                      \
        assert_int_equal(s_cuda.stops, stopped);                                                                       \
        assert_false(s_cuda.wrong_order);                                                                              \
    } while (0)

static void iterate(unsigned times)
{
    for (unsigned i = 0; i < times; ++i) {
        assert_int_equal(stint_activation_begin(&s_work), STINT_OK);
        assert_int_equal(stint_activation_end(), STINT_OK);
    }
}

/* ---------------------------------------------------------------------------------------------------------- nesting */

TEST_EACH(begin_test, NULL)

TEST(an_activation_starts_and_stops)
{
    assert_int_equal(stint_activation_begin(&s_work), STINT_OK);
    assert_calls(1, 0);
    assert_int_equal(stint_activation_end(), STINT_OK);
    assert_calls(1, 1);
}

TEST(only_the_outermost_acts)
{
    for (int i = 0; i < 5; ++i)
        assert_int_equal(stint_activation_begin(&s_work), STINT_OK);
    for (int i = 0; i < 4; ++i)
        assert_int_equal(stint_activation_end(), STINT_OK);
    assert_calls(1, 0);
    assert_int_equal(stint_activation_end(), STINT_OK);
    assert_calls(1, 1);
}

/* Paddle's line, at the call site's place. */
TEST(the_line_is_paddles)
{
    iterate(1);
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(captured_log.level, STINT_LOG_INFO);
    assert_string_equal(captured_log.message, "Enable GPU Profiler Stat: [work] \"batch = 64\"");
    assert_string_equal(captured_log.file, "work.c");
    assert_int_equal(captured_log.line, 12);
}

TEST(only_the_outermost_logs)
{
    stint_activation_begin(&s_work);
    iterate(3);
    stint_activation_end();
    assert_int_equal(captured_log.lines, 1);
}

TEST(a_stop_too_many_is_a_status_a_count_and_one_line)
{
    const uint64_t mismatched = stint_dropped.mismatched;
    assert_int_equal(stint_activation_end(), STINT_ERROR_NOT_STARTED);
    assert_int_equal(stint_activation_status(), STINT_ERROR_NOT_STARTED);
    assert_int_equal(stint_activation_end(), STINT_ERROR_NOT_STARTED);
    assert_int_equal(stint_dropped.mismatched, mismatched + 2);
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    iterate(1);
    assert_calls(1, 1);
    assert_int_equal(stint_activation_status(), STINT_OK);
}

TEST(inside_of_cudas_call_everything_is_busy)
{
    s_cuda.reenters = 1;
    stint_activation_begin(&s_work);
    s_cuda.reenters = 0;
    for (size_t i = 0; i < TEST_COUNT(s_cuda.reentered); ++i)
        assert_int_equal(s_cuda.reentered[i], STINT_ERROR_BUSY);
    stint_activation_end();
    assert_calls(1, 1);
    iterate(1);
    assert_calls(2, 2);
}

/* ------------------------------------------------------------------------------------------------------- iterations */

TEST(a_window_of_activations)
{
    stint_activation_set_window(2, 3);
    iterate(2);
    assert_calls(0, 0);
    iterate(1);
    assert_calls(1, 1);
    iterate(2);
    assert_calls(3, 3);
    iterate(10);
    assert_calls(3, 3);
    assert_int_equal(captured_log.lines, 3);
}

TEST(a_nested_activation_is_no_iteration)
{
    stint_activation_set_window(1, 1);
    stint_activation_begin(&s_work);
    iterate(5);
    stint_activation_end();
    assert_calls(0, 0);
    iterate(1);
    assert_calls(1, 1);
}

TEST(count_0_goes_to_the_end)
{
    stint_activation_set_window(2, 0);
    iterate(10);
    assert_calls(8, 8);
}

TEST(a_new_window_counts_from_here)
{
    iterate(7);
    stint_activation_set_window(1, 1);
    iterate(7);
    assert_calls(8, 8);
}

TEST(an_iteration_under_way_ends_as_it_began)
{
    stint_activation_begin(&s_work);
    stint_activation_set_window(100, 1);
    assert_calls(1, 0);
    stint_activation_end();
    assert_calls(1, 1);
    stint_activation_begin(&s_work);
    stint_activation_set_window(0, 1);
    assert_calls(1, 1);
    stint_activation_end();
    assert_calls(1, 1);
    iterate(3);
    assert_calls(2, 2);
}

static void step(unsigned times)
{
    for (unsigned i = 0; i < times; ++i)
        assert_int_equal(stint_activation_step(), STINT_OK);
}

TEST(steps_in_the_window_are_profiled_in_one_go)
{
    stint_activation_set_window(2, 3);
    step(2);
    assert_calls(0, 0);
    step(1);
    assert_calls(1, 0);
    step(2);
    assert_calls(1, 0);
    step(1);
    assert_calls(1, 1);
    step(10);
    assert_calls(1, 1);
    assert_int_equal(stint_activation_end(), STINT_OK);
    assert_int_equal(stint_activation_end(), STINT_ERROR_NOT_STARTED);
}

TEST(a_stop_ends_the_last_step)
{
    step(3);
    assert_calls(1, 0);
    assert_int_equal(stint_activation_end(), STINT_OK);
    assert_calls(1, 1);
}

TEST(a_scope_in_a_step_is_nested)
{
    stint_activation_set_window(1, 1);
    step(1);
    iterate(3);
    assert_calls(0, 0);
    step(1);
    iterate(3);
    assert_calls(1, 0);
    step(1);
    assert_calls(1, 1);
    stint_activation_end();
}

TEST(a_step_in_a_scope_begins_the_next_iteration)
{
    stint_activation_set_window(1, 1);
    stint_activation_begin(&s_work);
    assert_calls(0, 0);
    step(1);
    assert_calls(1, 0);
    step(1);
    assert_calls(1, 1);
    assert_int_equal(stint_activation_end(), STINT_OK);
    assert_int_equal(stint_activation_end(), STINT_ERROR_NOT_STARTED);
}

/* --------------------------------------------------------------------------------------------------------- failures */

/* The first failure of this process: the line that it logs is the only one. */
TEST(no_cuda_is_a_status_and_one_warning)
{
    s_cuda.missing = 1;
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(stint_activation_begin(&s_work), STINT_ERROR_UNAVAILABLE);
        assert_int_equal(stint_activation_status(), STINT_ERROR_UNAVAILABLE);
        assert_int_equal(stint_activation_cuda_code(), 0);
        assert_int_equal(stint_activation_end(), STINT_OK);
    }
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    assert_non_null(strstr(captured_log.message, "[work] is not profiled: this program has loaded no CUDA"));
    assert_string_equal(captured_log.file, "work.c");
}

TEST(no_driver_and_no_device_are_unavailable)
{
    static const int codes[] = {STINT_CUDA_STUB_LIBRARY, STINT_CUDA_INSUFFICIENT_DRIVER, STINT_CUDA_NO_DEVICE};
    for (size_t i = 0; i < TEST_COUNT(codes); ++i) {
        s_cuda.code = codes[i];
        assert_int_equal(stint_activation_begin(&s_work), STINT_ERROR_UNAVAILABLE);
        assert_int_equal(stint_activation_cuda_code(), codes[i]);
        assert_int_equal(stint_activation_end(), STINT_OK);
    }
}

TEST(another_failure_has_its_code)
{
    s_cuda.code = 999;
    assert_int_equal(stint_activation_begin(&s_work), STINT_ERROR_CUDA);
    assert_int_equal(stint_activation_status(), STINT_ERROR_CUDA);
    assert_int_equal(stint_activation_cuda_code(), 999);
    assert_int_equal(stint_activation_end(), STINT_OK);
}

TEST(what_did_not_start_is_not_stopped)
{
    s_cuda.code = 999;
    stint_activation_begin(&s_work);
    s_cuda.code = 0;
    stint_activation_end();
    assert_calls(0, 0);
    iterate(1);
    assert_calls(1, 1);
    assert_int_equal(stint_activation_status(), STINT_OK);
    assert_int_equal(stint_activation_cuda_code(), 0);
}

TEST(a_failing_stop_ends_the_activation)
{
    stint_activation_begin(&s_work);
    s_cuda.code = 999;
    assert_int_equal(stint_activation_end(), STINT_ERROR_CUDA);
    s_cuda.code = 0;
    s_cuda.running = 0;
    iterate(1);
    assert_calls(2, 1);
}

TEST(a_failure_of_ours_is_not_left_for_the_program)
{
    s_cuda.code = 999;
    stint_activation_begin(&s_work);
    assert_int_equal(cuda_clear(), 0);
    stint_activation_end();
}

TEST(an_error_of_the_programs_is_left_to_it)
{
    s_cuda.sticky = 700;
    s_cuda.code = 999;
    stint_activation_begin(&s_work);
    assert_int_equal(cuda_clear(), 700);
    stint_activation_end();
    s_cuda.sticky = 701;
    s_cuda.code = 0;
    iterate(1);
    assert_int_equal(cuda_clear(), 701);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

enum { THREADS = 8, ROUNDS = 5000 };

static pthread_barrier_t s_inside;

/* Passes only while all threads are inside of their activations. */
static void *meet_inside(void *argument)
{
    stint_activation_begin(&s_work);
    pthread_barrier_wait(&s_inside);
    stint_activation_end();
    return NULL;
}

static void *come_and_go(void *argument)
{
    unsigned *const outside = argument;
    for (unsigned i = 0; i < ROUNDS; ++i) {
        stint_activation_begin(&s_work);
        *outside += !__atomic_load_n(&s_cuda.running, __ATOMIC_RELAXED);
        stint_activation_end();
    }
    return NULL;
}

static void run_threads(void *(*body)(void *), unsigned *arguments)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, body, arguments ? &arguments[i] : NULL), 0);
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

TEST(threads_are_inside_together)
{
    pthread_barrier_init(&s_inside, NULL, THREADS);
    run_threads(meet_inside, NULL);
    pthread_barrier_destroy(&s_inside);
    assert_calls(1, 1);
}

static void ignore(void *context, enum stint_log_level level, const char *file, int line, const char *message) {}

/* Whoever is inside of an activation is inside of CUDA's window, whoever else comes and goes. */
TEST(nobody_inside_is_outside_of_the_window)
{
    unsigned outside[THREADS] = {0};
    stint_log_set_sink(ignore, NULL);
    run_threads(come_and_go, outside);
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(outside[i], 0);
    assert_true(s_cuda.starts >= 1);
    assert_int_equal(s_cuda.starts, s_cuda.stops);
    assert_false(s_cuda.wrong_order);
    assert_int_equal(stint_activation_end(), STINT_ERROR_NOT_STARTED);
}

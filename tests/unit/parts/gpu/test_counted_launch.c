/* The functions of counters.h, and launches, with a module that notes what it is told, and without one. */
#include <stdlib.h>
#include <string.h>

#include "captured_log.h"
#include "gpu/callback.h"
#include "model/counting.h"
#include "stint/counters.h"
#include "stint_test.h"

static int s_has_module, s_calls, s_ends, s_failed, s_own;

static void take_call(const struct stint_counted_call *call)
{
    s_calls++;
    s_ends += call->ends;
    s_failed += call->failed;
    s_own = stint_driver_own;
}

static void collect(stint_counting_put_fn *put, void *context) {}

static void reset(void) {}

static enum stint_status start(const struct stint_counters_options *options)
{
    return STINT_OK;
}

static enum stint_status stop(void)
{
    return STINT_OK;
}

static enum stint_status status(void)
{
    return STINT_OK;
}

static const char *reason(void)
{
    return "none";
}

static enum stint_status read_sum(enum stint_counters_of of, const char *names, const char *metric,
                                  struct stint_counter *counter)
{
    counter->launches = of == STINT_COUNTERS_OF_KERNELS ? 7 : 8;
    return STINT_OK;
}

static const struct stint_counting *open_module(int version, const char *metrics,
                                                const struct stint_counting_host *host)
{
    static const struct stint_counting module = {take_call, collect, reset, start, stop, status, reason, read_sum};
    assert_int_equal(version, STINT_COUNTING_VERSION);
    assert_string_equal(metrics, "dram__bytes_read");
    assert_non_null(host->scope);
    return &module;
}

void *__wrap_stint_module_find(const char *function, char *why, size_t size)
{
    stint_counting_open_fn *open = open_module;
    void *found;
    assert_string_equal(function, STINT_COUNTING_SYMBOL);
    if (!s_has_module) {
        (void)strncpy(why, "it is not there", size);
        return NULL;
    }
    memcpy(&found, &open, sizeof found);
    return found;
}

static void launch(uint32_t correlation, int is_end, int result)
{
    struct stint_cupti_call call = {.site = is_end ? STINT_CUPTI_EXIT : STINT_CUPTI_ENTER,
                                    .function = "cuLaunchKernel",
                                    .symbol = "_Z4workPf",
                                    .result = &result,
                                    .correlation = correlation};
    stint_counting_call(&call, 0, 0);
}

TEST(arguments_are_checked_first)
{
    static const struct stint_counters_options without = {.metrics = ""};
    struct stint_counter counter;
    assert_int_equal(stint_counters_start(NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_counters_start(&without), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_counters_read(STINT_COUNTERS_OF_KERNELS, NULL, "", &counter), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_counters_read(STINT_COUNTERS_OF_KERNELS, NULL, "m", NULL), STINT_ERROR_INVALID_ARGUMENT);
}

TEST(nothing_is_counted_unless_it_is_asked_for)
{
    static const struct stint_cupti cupti = {0};
    struct stint_counter counter = {.launches = 5};
    (void)unsetenv("STINT_COUNTERS");
    assert_false(stint_counting_start(&cupti));
    launch(1, 0, 0);
    assert_int_equal(stint_counters_stop(), STINT_ERROR_NOT_STARTED);
    assert_int_equal(stint_counters_read(STINT_COUNTERS_OF_KERNELS, NULL, "m", &counter), STINT_ERROR_NOT_FOUND);
    assert_int_equal(counter.launches, 0);
    assert_null(stint_counting());
}

TEST(a_missing_module_is_told)
{
    static const struct stint_cupti cupti = {0};
    captured_log_begin();
    (void)setenv("STINT_COUNTERS", "dram__bytes_read", 1);
    assert_false(stint_counting_start(&cupti));
    assert_string_equal(captured_log.message, "STINT_COUNTERS: nothing is counted: it is not there");
}

TEST(launches_are_passed_on_as_none_of_the_programs)
{
    static const struct stint_cupti cupti = {0};
    struct stint_counter counter;
    s_has_module = 1;
    assert_true(stint_counting_start(&cupti));
    launch(1, 0, 0);
    launch(1, 1, 0);
    launch(2, 1, 700);
    launch(0, 0, 0); /* one that only measures what launches cost */
    assert_int_equal(s_calls, 3);
    assert_int_equal(s_ends, 2);
    assert_int_equal(s_failed, 1);
    assert_int_equal(s_own, 1);
    assert_int_equal(stint_driver_own, 0);
    assert_int_equal(stint_counters_read(STINT_COUNTERS_OF_SCOPES, NULL, "m", &counter), STINT_OK);
    assert_int_equal(counter.launches, 8);
}

TEST(a_forked_child_counts_nothing)
{
    stint_counting_after_fork();
    assert_null(stint_counting());
    launch(3, 0, 0);
    assert_int_equal(s_calls, 3);
}

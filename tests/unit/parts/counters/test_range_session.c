/* What happens around a kernel, but for the kernel: without one the mock has no range to evaluate. */
#include <string.h>

#include "counters/mock_range.h"

#include "stint_test.h"

static struct stint_counter_plan s_plan;
static struct stint_range_api s_api;
static struct stint_range_session s_session;

static int begin(const char *options, size_t run)
{
    static int s_context;
    s_api = mock_range(options);
    assert_int_equal(stint_counter_plan(&s_plan, &s_api, "GH100", "a__one.sum", run), 0);
    return stint_range_session(&s_session, &s_plan, &s_context);
}

static int end(void **state)
{
    if (s_session.profiler)
        stint_range_close(&s_session, &s_plan);
    stint_arena_free(&s_plan.arena);
    return 0;
}

TEST(a_missing_function_is_named)
{
    struct stint_range_api api;
    assert_string_equal(stint_range_open(&api, dlopen(NULL, RTLD_NOW)), "cuptiProfilerInitialize");
}

TEST_TEARDOWN(the_call_that_failed_is_told, end)
{
    char text[512];
    assert_int_equal(begin("range_config=7", STINT_PLAN_WHOLE), -1);
    assert_null(s_session.profiler); /* it is disabled again, and yet */
    stint_range_explain(&s_api, text, sizeof text);
    assert_non_null(strstr(text, "cuptiRangeProfilerSetConfig failed with 7"));
}

TEST_TEARDOWN(missing_permission_names_the_remedy, end)
{
    char text[512];
    assert_int_equal(begin("range_enable=35", STINT_PLAN_WHOLE), -1);
    stint_range_explain(&s_api, text, sizeof text);
    assert_non_null(strstr(text, "--cap-add=SYS_ADMIN"));
}

TEST_TEARDOWN(a_range_begins_and_ends, end)
{
    double value;
    assert_int_equal(begin("", STINT_PLAN_WHOLE), 0);
    assert_int_equal(stint_range_begin(&s_session, &s_plan), 0);
    assert_int_equal(stint_range_end(&s_session, &s_plan, &value), -1); /* there was no kernel */
    assert_int_equal(stint_range_begin(&s_session, &s_plan), 0);        /* the next one is not in its way */
    (void)stint_range_end(&s_session, &s_plan, &value);
}

TEST_TEARDOWN(a_range_that_cannot_be_pushed_is_stopped, end)
{
    double value;
    assert_int_equal(begin("range_push=7", 1), 0);
    assert_int_equal(stint_range_begin(&s_session, &s_plan), -1);
    assert_int_equal(s_api.last_call, STINT_RANGE_PUSH);
    assert_int_equal(setenv("MOCK_CUPTI", "", 1), 0);
    assert_int_equal(stint_range_begin(&s_session, &s_plan), 0);
    (void)stint_range_end(&s_session, &s_plan, &value);
}

TEST(functions_of_a_driver_that_is_not_there_are_null)
{
    int (*function)(void) = rand;
    stint_driver_function("cuNoSuchFunction", &function);
    assert_null(function);
}

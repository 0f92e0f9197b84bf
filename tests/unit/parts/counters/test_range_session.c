/* What happens around a kernel, but for the kernel: without one the mock has no range to evaluate. */
#include <string.h>

#include "counters/mock_range.h"

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

static void a_missing_function_is_named(void **state)
{
    struct stint_range_api api;
    assert_string_equal(stint_range_open(&api, dlopen(NULL, RTLD_NOW)), "cuptiProfilerInitialize");
}

static void the_call_that_failed_is_told(void **state)
{
    char text[512];
    assert_int_equal(begin("range_config=7", STINT_PLAN_WHOLE), -1);
    assert_null(s_session.profiler); /* it is disabled again, and yet */
    stint_range_explain(&s_api, text, sizeof text);
    assert_non_null(strstr(text, "cuptiRangeProfilerSetConfig failed with 7"));
}

static void missing_permission_names_the_remedy(void **state)
{
    char text[512];
    assert_int_equal(begin("range_enable=35", STINT_PLAN_WHOLE), -1);
    stint_range_explain(&s_api, text, sizeof text);
    assert_non_null(strstr(text, "--cap-add=SYS_ADMIN"));
}

static void a_range_begins_and_ends(void **state)
{
    double value;
    assert_int_equal(begin("", STINT_PLAN_WHOLE), 0);
    assert_int_equal(stint_range_begin(&s_session, &s_plan), 0);
    assert_int_equal(stint_range_end(&s_session, &s_plan, &value), -1); /* there was no kernel */
    assert_int_equal(stint_range_begin(&s_session, &s_plan), 0);        /* the next one is not in its way */
    (void)stint_range_end(&s_session, &s_plan, &value);
}

static void a_range_that_cannot_be_pushed_is_stopped(void **state)
{
    double value;
    assert_int_equal(begin("range_push=7", 1), 0);
    assert_int_equal(stint_range_begin(&s_session, &s_plan), -1);
    assert_int_equal(s_api.last_call, STINT_RANGE_PUSH);
    assert_int_equal(setenv("MOCK_CUPTI", "", 1), 0);
    assert_int_equal(stint_range_begin(&s_session, &s_plan), 0);
    (void)stint_range_end(&s_session, &s_plan, &value);
}

static void functions_of_a_driver_that_is_not_there_are_null(void **state)
{
    int (*function)(void) = rand;
    stint_driver_function("cuNoSuchFunction", &function);
    assert_null(function);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_function_is_named),
        cmocka_unit_test_teardown(the_call_that_failed_is_told, end),
        cmocka_unit_test_teardown(missing_permission_names_the_remedy, end),
        cmocka_unit_test_teardown(a_range_begins_and_ends, end),
        cmocka_unit_test_teardown(a_range_that_cannot_be_pushed_is_stopped, end),
        cmocka_unit_test(functions_of_a_driver_that_is_not_there_are_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

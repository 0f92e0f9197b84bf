#include "counters/counted_device.h"

#include <string.h>

#include "counters/mock_range.h"
#include "stint_test.h"

static struct stint_counted_device s_device;

static int clean_up(void **state)
{
    stint_arena_free(&s_device.plan.arena);
    return 0;
}

static struct stint_range_session *open_session(const char *metrics, const char *options, void *context)
{
    s_device = (struct stint_counted_device){.cupti = mock_cupti(options), .wanted = metrics};
    return stint_counted_session(&s_device, context);
}

TEST_TEARDOWN(a_context_is_prepared_once, clean_up)
{
    int context;
    struct stint_range_session *session = open_session("a__one.sum", "", &context);
    assert_non_null(session);
    assert_ptr_equal(stint_counted_session(&s_device, &context), session);
    assert_string_equal(s_device.reason, "");
    assert_int_equal(s_device.plan.names.count, 1);
    stint_counted_close(&s_device, session);
    stint_counted_forget(&s_device);
    assert_false(s_device.is_planned);
    s_device.wanted = "b__two.sum";
    session = stint_counted_session(&s_device, &context); /* for other metrics */
    assert_non_null(session);
    assert_string_equal(*(const char **)s_device.plan.names.items, "b__two.sum");
    stint_counted_close(&s_device, session);
    stint_counted_forget(&s_device);
}

static void check_refused(const char *metrics, const char *options, enum stint_status status, const char *why)
{
    int context;
    assert_null(open_session(metrics, options, &context));
    assert_int_equal(s_device.status, status);
    if (!strstr(s_device.reason, why))
        fail_msg("the reason is \"%s\"", s_device.reason);
    assert_null(stint_counted_session(&s_device, &context)); /* nothing is tried again */
    clean_up(NULL);
}

TEST(every_no_has_a_reason)
{
    check_refused("a__one.sum", "unsupported=1", STINT_ERROR_UNAVAILABLE, "too old for CUPTI's range profiler");
    check_refused("nothing__at_all", "", STINT_ERROR_UNAVAILABLE, "none of the metrics that were asked for");
    check_refused("a__one.sum", "range_enable=35", STINT_ERROR_PERMISSION, "lets only administrators read");
    check_refused("a__one.sum", "range_config=7", STINT_ERROR_CUDA, "cuptiRangeProfilerSetConfig failed with 7");
}

TEST_TEARDOWN(a_program_that_asks_for_what_is_not_there_is_told, clean_up)
{
    int context;
    s_device =
        (struct stint_counted_device){.cupti = mock_cupti(""), .wanted = "a__one.sum,nothing__at_all", .is_strict = 1};
    assert_null(stint_counted_session(&s_device, &context));
    assert_int_equal(s_device.status, STINT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(s_device.reason, "the device has no metric nothing__at_all"));
}

TEST_TEARDOWN(an_old_cupti_counts_nothing, clean_up)
{
    int context;
    s_device = (struct stint_counted_device){.cupti = dlopen(NULL, RTLD_NOW), .wanted = "a__one.sum"};
    assert_null(stint_counted_session(&s_device, &context));
    assert_non_null(strstr(s_device.reason, "counters need CUPTI 12.6 or later"));
}

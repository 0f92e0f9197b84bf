#include "stint/detail/paddle.h"

#include "captured_log.h"
#include "record/fixture.h"
#include "stint_test.h"

#define TEST(name) cmocka_unit_test_setup(name, fixture_reset)

static void what_is_registered_is_known_without_samples(void **state)
{
    assert_int_equal(stint_i_paddle_reset(NULL, "registered"), STINT_ERROR_NOT_FOUND);
    assert_int_equal(stint_i_paddle_register(NULL, "registered"), STINT_OK);
    assert_int_equal(stint_i_paddle_reset(NULL, "registered"), STINT_OK);
    assert_int_equal(captured_log.lines, 0);
}

static void a_statistic_is_reset_alone(void **state)
{
    run("one", 10);
    run("other", 20);
    assert_int_equal(stint_i_paddle_reset(NULL, "one"), STINT_OK);
    assert_int_equal(now_of("one").count, 0);
    assert_int_equal(now_of("other").total_ns, 20);
}

static void a_slow_line_has_milliseconds_and_microseconds(void **state)
{
    stint_i_paddle_log_slow("slow", "batch 7", 12034);
    assert_int_equal(captured_log.level, STINT_LOG_INFO);
    assert_string_equal(captured_log.message, "Stat: [slow] batch 7 [Span:12ms34us] ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_registered_is_known_without_samples),
        TEST(a_statistic_is_reset_alone),
        TEST(a_slow_line_has_milliseconds_and_microseconds),
    };

    return cmocka_run_group_tests(tests, fixture_start, NULL);
}

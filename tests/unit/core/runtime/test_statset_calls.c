#include "stint/statset.h"

#include "captured_log.h"
#include "record/fixture.h"
#include "runtime/runtime.h"
#include "stint/detail/paddle.h"
#include "stint_test.h"

TEST_ONCE(fixture_start, NULL)
TEST_EACH(fixture_reset, NULL)

TEST(a_set_is_made_once)
{
    struct stint_statset *set = stint_statset_get("a set");
    assert_ptr_equal(stint_statset_get("a set"), set);
    assert_string_equal(stint_statset_name(set), "a set");
    assert_ptr_equal(stint_statset_get(NULL), stint_statset_global());
    assert_ptr_equal(stint_statset_get(""), stint_statset_global());
    assert_string_equal(stint_statset_name(NULL), stint_statset_name(stint_statset_global()));
}

TEST(a_statistic_is_known_once_it_has_samples)
{
    assert_int_equal(stint_statset_require(NULL, "unknown"), STINT_ERROR_NOT_FOUND);
    assert_int_equal(captured_log.lines, 1);
    assert_string_equal(captured_log.message, "unknown is not registed in GlobalStatInfo");
    assert_int_equal(stint_statset_add(NULL, "known", 7), STINT_OK);
    assert_int_equal(stint_statset_require(NULL, "known"), STINT_OK);
    assert_int_equal(stint_statset_require(stint_statset_get("another set"), "known"), STINT_ERROR_NOT_FOUND);
}

TEST(what_is_deleted_is_unknown_until_it_has_samples_again)
{
    run("deleted", 30);
    assert_int_equal(stint_statset_delete(NULL, "deleted"), STINT_OK);
    assert_int_equal(stint_statset_delete(NULL, "deleted"), STINT_ERROR_NOT_FOUND);
    assert_int_equal(now_of("deleted").count, 0);
    run("deleted", 40);
    assert_int_equal(now_of("deleted").total_ns, 40);
    assert_int_equal(stint_statset_require(NULL, "deleted"), STINT_OK);
    assert_int_equal(stint_statset_delete(NULL, NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_statset_delete(NULL, ""), STINT_ERROR_INVALID_ARGUMENT);
}

TEST(a_reset_of_a_set_leaves_others_alone)
{
    struct stint_statset *set = stint_statset_get("reset set");
    assert_int_equal(stint_statset_add(set, "in the set", 5), STINT_OK);
    run("outside the set", 30);
    assert_int_equal(stint_statset_reset(set, STINT_RESET_ALL), STINT_OK);
    struct stint_snapshot *snapshot = take();
    assert_null(stint_snapshot_find(snapshot, "reset set", "in the set"));
    stint_snapshot_free(snapshot);
    assert_int_equal(now_of("outside the set").total_ns, 30);
    assert_int_equal(stint_reset(STINT_RESET_ALL), STINT_OK);
    assert_int_equal(now_of("outside the set").count, 0);
}

static int is_by_thread(const char *name)
{
    struct stint_snapshot *snapshot = take();
    int by_thread = stint_snapshot_find(snapshot, "threads", name)->by_thread;
    stint_snapshot_free(snapshot);
    return by_thread;
}

TEST(threads_are_told_apart_for_one_statistic_or_the_whole_set)
{
    struct stint_statset *set = stint_statset_get("threads");
    stint_statset_add(set, "one", 1);
    stint_statset_add(set, "two", 1);
    assert_int_equal(stint_statset_set_thread_info(set, "one", 1), STINT_OK);
    assert_true(is_by_thread("one"));
    assert_false(is_by_thread("two"));
    assert_int_equal(stint_statset_set_thread_info(set, NULL, 2), STINT_OK);
    stint_statset_add(set, "later", 1);
    assert_true(is_by_thread("two"));
    assert_true(is_by_thread("later"));
    assert_int_equal(stint_statset_set_thread_info(set, "none", 1), STINT_ERROR_NOT_FOUND);
}

TEST(a_snapshot_needs_a_place)
{
    assert_int_equal(stint_snapshot_take(NULL), STINT_ERROR_INVALID_ARGUMENT);
}

TEST(what_is_registered_is_known_without_samples)
{
    assert_int_equal(stint_i_paddle_reset(NULL, "registered"), STINT_ERROR_NOT_FOUND);
    assert_int_equal(stint_i_paddle_register(NULL, "registered"), STINT_OK);
    assert_int_equal(stint_i_paddle_reset(NULL, "registered"), STINT_OK);
    assert_int_equal(captured_log.lines, 0);
}

TEST(a_statistic_is_reset_alone)
{
    run("one", 10);
    run("other", 20);
    assert_int_equal(stint_i_paddle_reset(NULL, "one"), STINT_OK);
    assert_int_equal(now_of("one").count, 0);
    assert_int_equal(now_of("other").total_ns, 20);
}

TEST(a_slow_line_has_milliseconds_and_microseconds)
{
    stint_i_paddle_log_slow("slow", "batch 7", 12034);
    assert_int_equal(captured_log.level, STINT_LOG_INFO);
    assert_string_equal(captured_log.message, "Stat: [slow] batch 7 [Span:12ms34us] ");
}

/* Ranges, and timers, that end in another order than that of the tree. After each: every time is whole, and the self
 * times add up to the time that passed, so that no moment is charged twice or to nobody. */
#include "nvtx/range.h"

#include <string.h>

#include "contexts/contexts.h"
#include "nvtx/client.h"
#include "record/fixture.h"
#include "stint_test.h"

static nvtx_handle s_one, s_two, s_three;
static uint64_t s_began;

static int reset(void **state)
{
    const int failed = client_reset(state);
    s_one = create("one");
    s_two = create("two");
    s_three = create("three");
    s_began = clock_now();
    return failed;
}

TEST_ONCE(client_start, NULL)
TEST_EACH(reset, NULL)

TEST(the_inner_range_goes_on_when_the_outer_one_ends_first)
{
    push("outer");
    clock_advance(1);
    push_in(s_one, "a");
    clock_advance(10);
    push_in(s_two, "b");
    clock_advance(100);
    assert_int_equal(pop_in(s_one), 0);
    clock_advance(1000);
    assert_int_equal(pop_in(s_two), 0);
    clock_advance(10000);
    assert_int_equal(pop(), 0);
    check_range("NVTX:one", "a", 1, 110);
    check_range("NVTX:two", "b", 1, 1100);
    check_range("NVTX", "outer", 1, 11111);
    assert_int_equal(of("NVTX:one", "a").self_ns, 10);
    assert_int_equal(of("NVTX:two", "b").self_ns, 1100);
    assert_int_equal(of("NVTX", "outer").self_ns, 10001);
    check_self_times(s_began);
    check_dropped((struct stint_dropped){0});
}

static int has_outlived(void)
{
    return stint_nvtx_has_outlived(stint_thread_self()->extension);
}

TEST(a_range_that_outlives_the_one_around_it_is_known_until_it_ends)
{
    push("outer");
    push_in(s_one, "a");
    clock_advance(1);
    push_in(s_two, "never ends");
    assert_false(has_outlived());
    clock_advance(1);
    pop_in(s_one);
    assert_true(has_outlived());
    clock_advance(1);
    push_in(s_three, "below it");
    clock_advance(1);
    pop();
    assert_true(has_outlived()); /* moved once more */
    pop_in(s_three);
    range("what follows", 1);
    assert_true(has_outlived());
    assert_int_equal(now_at("never ends/what follows").count, 1);
    pop_in(s_two);
    assert_false(has_outlived());
    push_in(s_two, "another in the same place");
    assert_false(has_outlived());
    pop_in(s_two);
    check_self_times(s_began);
    check_dropped((struct stint_dropped){0});
}

TEST(it_counts_where_it_ends)
{
    push("place");
    push_in(s_one, "a");
    push_in(s_two, "b");
    pop_in(s_one);
    clock_advance(5);
    pop_in(s_two);
    pop();
    assert_int_equal(now_at("place/b").count, 1);
    assert_int_equal(now_at("place/a/b").count, 0);
}

TEST(the_path_says_what_runs_at_each_moment)
{
    uint32_t both, alone;
    push_in(s_one, "path a");
    push_in(s_two, "path b");
    both = stint_path_current();
    pop_in(s_one);
    alone = stint_path_current();
    pop_in(s_two);
    assert_string_equal(stint_registry_entry(stint_path_at(both).id)->name, "path b");
    assert_string_equal(stint_registry_entry(stint_path_at(stint_path_at(both).parent).id)->name, "path a");
    assert_string_equal(stint_registry_entry(stint_path_at(alone).id)->name, "path b");
    assert_int_equal(stint_path_at(alone).parent, STINT_PATH_ROOT);
}

TEST(where_it_was_nothing_runs_any_more)
{
    push_in(s_one, "a");
    push_in(s_two, "b");
    const struct stint_i_node *before = stint_i_self->current;
    pop_in(s_one);
    assert_ptr_not_equal(stint_i_self->current, before);
    assert_int_equal(before->start, 0);
    assert_int_equal(before->parent->start, 0);
    pop_in(s_two);
}

TEST(several_inner_ranges_go_on_in_their_order)
{
    push("outer");
    push_in(s_one, "a");
    clock_advance(1);
    push_in(s_two, "b");
    clock_advance(2);
    push_in(s_three, "c");
    clock_advance(4);
    pop_in(s_one);
    clock_advance(8);
    assert_int_equal(pop_in(s_three), 0);
    clock_advance(16);
    assert_int_equal(pop_in(s_two), 0);
    pop();
    check_range("NVTX:one", "a", 1, 7);
    check_range("NVTX:two", "b", 1, 30);
    check_range("NVTX:three", "c", 1, 12);
    assert_int_equal(of("NVTX:two", "b").self_ns, 18);
    assert_int_equal(now_at("outer/b/c").count, 1);
    check_self_times(s_began);
    check_dropped((struct stint_dropped){0});
}

/* Neither the tree nor a flat row suffers from a program that never comes to rest. */
TEST(ranges_that_overlap_in_turns_are_neither_recursive_nor_ever_deeper)
{
    push("turns");
    push_in(s_one, "a");
    for (int i = 0; i < 100; ++i) {
        clock_advance(1);
        push_in(s_two, "b");
        clock_advance(1);
        pop_in(s_one);
        clock_advance(1);
        push_in(s_one, "a");
        clock_advance(1);
        pop_in(s_two);
    }
    pop_in(s_one);
    pop();
    check_range("NVTX:one", "a", 101, 100 * 3);
    check_range("NVTX:two", "b", 100, 100 * 3);
    struct stint_snapshot *snapshot = take();
    assert_true(snapshot->context_count <= 5);
    stint_snapshot_free(snapshot);
    check_self_times(s_began);
    check_dropped((struct stint_dropped){0});
}

TEST(what_moved_may_move_again)
{
    push("outer");
    push_in(s_one, "a");
    clock_advance(1);
    push_in(s_two, "b");
    clock_advance(2);
    push_in(s_three, "c");
    clock_advance(4);
    pop_in(s_one);
    clock_advance(8);
    pop_in(s_two);
    clock_advance(16);
    pop_in(s_three);
    pop();
    check_range("NVTX:one", "a", 1, 7);
    check_range("NVTX:two", "b", 1, 14);
    check_range("NVTX:three", "c", 1, 28);
    check_self_times(s_began);
}

TEST(children_that_ended_stay_where_they_were)
{
    push("outer");
    push_in(s_one, "a");
    push_in(s_two, "b");
    clock_advance(1);
    run("child", 10);
    pop_in(s_one);
    run("child", 100);
    pop_in(s_two);
    pop();
    assert_int_equal(now_at("outer/a/b/child").total_ns, 10);
    assert_int_equal(now_at("outer/b/child").total_ns, 100);
    assert_int_equal(of("NVTX:two", "b").total_ns, 111);
    assert_int_equal(of("NVTX:two", "b").self_ns, 1);
    check_self_times(s_began);
}

TEST(what_moved_gives_its_time_back_when_it_is_abandoned)
{
    struct stint_i_node *timer = enter("timer around");
    push_in(s_one, "a");
    clock_advance(1);
    push_in(s_two, "b");
    clock_advance(2);
    pop_in(s_one);
    clock_advance(4);
    stint_i_leave(timer);
    assert_int_equal(now_of("timer around").total_ns, 7);
    assert_int_equal(now_of("timer around").self_ns, 4);
    assert_int_equal(of("NVTX:one", "a").total_ns, 3);
    check_dropped((struct stint_dropped){.abandoned = 1});
    assert_int_equal(pop_in(s_two), 0);
    check_dropped((struct stint_dropped){.abandoned = 1});
    assert_int_equal(of("NVTX:two", "b").count, 0);
}

TEST(a_reset_between_counts_the_rest_from_there)
{
    push_in(s_one, "a");
    clock_advance(1);
    push_in(s_two, "b");
    clock_advance(2);
    pop_in(s_one);
    clock_advance(4);
    reset_set(NULL, STINT_RESET_ALL);
    clock_advance(8);
    pop_in(s_two);
    check_range("NVTX:two", "b", 1, 8);
    assert_int_equal(of("NVTX:one", "a").count, 0);
}

/* Ranges that end while a timer runs below them, and timers that end around ranges (nvtx/range.h). */

TEST(a_timer_below_a_range_that_ends_stays_whole)
{
    struct stint_i_node *timer;
    push("outer");
    clock_advance(1);
    push_in(s_one, "a");
    clock_advance(10);
    timer = enter("timer");
    clock_advance(100);
    assert_int_equal(pop_in(s_one), 0);
    clock_advance(1000);
    stint_i_leave(timer);
    clock_advance(10000);
    pop();
    check_range("NVTX:one", "a", 1, 110);
    check_range("NVTX", "outer", 1, 11111);
    assert_int_equal(now_of("timer").total_ns, 1100);
    assert_int_equal(of("NVTX:one", "a").self_ns, 10);
    assert_int_equal(of("NVTX", "outer").self_ns, 10001);
    check_self_times(s_began);
    check_dropped((struct stint_dropped){0});
}

TEST(what_is_pushed_when_the_timer_has_ended_is_not_in_the_shell)
{
    struct stint_i_node *timer;
    push("outer");
    push_in(s_one, "a");
    timer = enter("timer");
    pop_in(s_one);
    stint_i_leave(timer);
    assert_int_equal(push_in(s_one, "next"), 0);
    clock_advance(3);
    pop_in(s_one);
    pop();
    assert_int_equal(now_at("outer/next").count, 1);
    check_self_times(s_began);
    check_dropped((struct stint_dropped){0});
}

TEST(ranges_in_a_timer_end_before_the_shell_around_it)
{
    struct stint_i_node *timer;
    push("outer");
    push_in(s_one, "a");
    clock_advance(1);
    timer = enter("timer");
    clock_advance(2);
    assert_int_equal(push_in(s_two, "b"), 0);
    clock_advance(4);
    assert_int_equal(pop_in(s_one), 0);
    clock_advance(8);
    assert_int_equal(push_in(s_one, "c"), 0);
    clock_advance(16);
    assert_int_equal(pop_in(s_one), 0);
    assert_int_equal(pop_in(s_two), 0);
    clock_advance(32);
    stint_i_leave(timer);
    clock_advance(64);
    pop();
    check_range("NVTX:one", "a", 1, 7);
    check_range("NVTX:two", "b", 1, 28);
    check_range("NVTX:one", "c", 1, 16);
    assert_int_equal(now_of("timer").total_ns, 62);
    check_range("NVTX", "outer", 1, 127);
    check_self_times(s_began);
    check_dropped((struct stint_dropped){0});
}

TEST(ranges_on_both_sides_of_a_timer_stay_whole)
{
    struct stint_i_node *timer;
    push("outer");
    push_in(s_one, "a");
    clock_advance(1);
    push_in(s_two, "b");
    clock_advance(2);
    timer = enter("timer");
    clock_advance(4);
    push_in(s_three, "c");
    clock_advance(8);
    pop_in(s_one);
    clock_advance(16);
    pop_in(s_three);
    stint_i_leave(timer);
    clock_advance(32);
    assert_int_equal(pop_in(s_two), 0);
    pop();
    check_range("NVTX:one", "a", 1, 15);
    check_range("NVTX:two", "b", 1, 62);
    check_range("NVTX:three", "c", 1, 24);
    assert_int_equal(now_of("timer").total_ns, 28);
    check_self_times(s_began);
    check_dropped((struct stint_dropped){0});
}

TEST(a_timer_that_ends_around_a_range_abandons_it)
{
    struct stint_i_node *timer = enter("timer");
    clock_advance(1);
    push("cut short");
    clock_advance(2);
    stint_i_leave(timer);
    clock_advance(4);
    assert_int_equal(pop(), 0);
    assert_int_equal(of("NVTX", "cut short").count, 0);
    assert_int_equal(now_of("timer").total_ns, 3);
    check_dropped((struct stint_dropped){.abandoned = 1});
}

TEST(a_range_that_lost_its_place_does_not_take_that_of_the_next)
{
    struct stint_i_node *timer = enter("timer");
    push_in(s_one, "lost");
    stint_i_leave(timer);
    push_in(s_one, "a");
    clock_advance(1);
    push_in(s_two, "b");
    clock_advance(2);
    assert_int_equal(pop_in(s_one), 1);
    clock_advance(4);
    assert_int_equal(pop_in(s_one), 0);
    assert_int_equal(pop_in(s_two), 0);
    check_range("NVTX:one", "a", 1, 3);
    check_range("NVTX:two", "b", 1, 6);
    assert_int_equal(of("NVTX:one", "lost").count, 0);
}

TEST(a_range_that_lost_its_place_does_not_move)
{
    struct stint_i_node *timer;
    push_in(s_one, "a");
    timer = enter("timer");
    push_in(s_two, "lost");
    stint_i_leave(timer);
    push_in(s_three, "c");
    clock_advance(2);
    pop_in(s_one);
    clock_advance(4);
    assert_int_equal(pop_in(s_two), 0);
    assert_int_equal(pop_in(s_three), 0);
    check_range("NVTX:three", "c", 1, 6);
    assert_int_equal(now_at("c").count, 1);
    assert_int_equal(of("NVTX:two", "lost").count, 0);
    check_dropped((struct stint_dropped){.abandoned = 1});
}

TEST(without_room_to_move_the_inner_range_stays_whole)
{
    push("outer");
    push_in(s_one, "no room a");
    clock_advance(1);
    push_in(s_two, "no room b");
    stint_limits.nodes = 0;
    clock_advance(2);
    assert_int_equal(pop_in(s_one), 0);
    clock_advance(4);
    assert_int_equal(pop_in(s_two), 0);
    clock_advance(8);
    pop();
    check_range("NVTX:one", "no room a", 1, 3);
    check_range("NVTX:two", "no room b", 1, 6);
    check_range("NVTX", "outer", 1, 15);
    check_self_times(s_began);
}

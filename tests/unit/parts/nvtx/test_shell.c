/* Ranges that end while a timer runs below them, and timers that end around ranges (nvtx/range.h). */
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

static void a_timer_below_a_range_that_ends_stays_whole(void **state)
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

static void what_is_pushed_when_the_timer_has_ended_is_not_in_the_shell(void **state)
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

static void ranges_in_a_timer_end_before_the_shell_around_it(void **state)
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

static void ranges_on_both_sides_of_a_timer_stay_whole(void **state)
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

static void a_timer_that_ends_around_a_range_abandons_it(void **state)
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

static void a_range_that_lost_its_place_does_not_take_that_of_the_next(void **state)
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

static void a_range_that_lost_its_place_does_not_move(void **state)
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

static void without_room_to_move_the_inner_range_stays_whole(void **state)
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

#define test(function) cmocka_unit_test_setup(function, reset)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_timer_below_a_range_that_ends_stays_whole),
        test(what_is_pushed_when_the_timer_has_ended_is_not_in_the_shell),
        test(ranges_in_a_timer_end_before_the_shell_around_it),
        test(ranges_on_both_sides_of_a_timer_stay_whole),
        test(a_timer_that_ends_around_a_range_abandons_it),
        test(a_range_that_lost_its_place_does_not_take_that_of_the_next),
        test(a_range_that_lost_its_place_does_not_move),
        test(without_room_to_move_the_inner_range_stays_whole),
    };
    return cmocka_run_group_tests(tests, client_start, NULL);
}

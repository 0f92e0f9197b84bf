/* CPU time that ended threads leave: src/parts/sample/unsampled_time.c. */
#include "sample/call_tree.h"

#include "stint_test.h"

static uint64_t take_all(void)
{
    uint64_t sum_ns = 0, taken_ns;
    while ((taken_ns = stint_unsampled_time_take()))
        sum_ns += taken_ns;
    return sum_ns;
}

TEST(rest_of_threads_is_taken_once_in_several_parts)
{
    stint_unsampled_time_begin(1000);
    stint_unsampled_time_end(500, 200);
    stint_unsampled_time_end(51, 51);
    assert_int_equal(stint_unsampled_time_take(), 126);
    assert_int_equal(stint_unsampled_time_take(), 63);
    assert_int_equal(take_all(), 62);
    assert_int_equal(stint_unsampled_time_take(), 0);
}

TEST(rest_is_left_until_it_is_taken)
{
    uint32_t node;
    stint_unsampled_time_begin(1000);
    stint_unsampled_time_end(500, 200);
    assert_int_equal(stint_unsampled_time_left(&node), 0); /* no sample has taken any */
    assert_int_equal(node, 0);
    stint_unsampled_time_goes_to(7);
    assert_int_equal(stint_unsampled_time_left(&node), 200);
    assert_int_equal(node, 7);
    assert_int_equal(take_all(), 200);
    assert_int_equal(stint_unsampled_time_left(&node), 0);
    stint_unsampled_time_begin(1000);
    stint_unsampled_time_end(500, 200);
    assert_int_equal(stint_unsampled_time_left(&node), 0);
}

TEST(what_threads_did_not_say_is_found)
{
    stint_unsampled_time_begin(1000);
    stint_unsampled_time_end(200, 200);
    stint_unsampled_time_end(200, 200);
    stint_unsampled_time_compare(1000 + 400 + 60 + 70, 70); /* each has used 30 more */
    assert_int_equal(take_all(), 460);
    stint_unsampled_time_compare(1000 + 400 + 60 + 90, 90);
    assert_int_equal(take_all(), 0);
    stint_unsampled_time_end(200, 200);
    assert_int_equal(take_all(), 230); /* as those before */
}

/* Whatever the guess was. */
TEST(all_of_it_adds_up)
{
    uint64_t process_ns = 0, taken_ns = 0;
    stint_unsampled_time_begin(0);
    for (uint64_t i = 0; i < 1000; i++) {
        process_ns += i < 500 ? 280 : 210;
        stint_unsampled_time_end(200, 200);
        if (i % 10 == 9)
            stint_unsampled_time_compare(process_ns, 0);
        if (i % 7 == 6)
            taken_ns += stint_unsampled_time_take();
    }
    taken_ns += take_all();
    assert_in_range(taken_ns, process_ns * 98 / 100, process_ns * 102 / 100);
}

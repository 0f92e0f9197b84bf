#include "functions/activation.h"

#include <pthread.h>

#include "memory.h"
#include "stint_test.h"

/* Takes `count` entries, one above the other. Returns how many there were before memory was short. */
static int take(int count)
{
    for (int i = 0; i < count; i++) {
        struct stint_activation *above = stint_tl_activation->above;
        if (!above)
            above = stint_activation_more();
        if (!above)
            return i;
        if (above->below != stint_tl_activation || above->frame != STINT_NO_FRAME)
            return -1;
        stint_tl_activation = above;
    }
    return count;
}

static void *take_many(void *taken)
{
    *(int *)taken = take(100000);
    return NULL;
}

TEST(the_list_grows_as_functions_call_each_other)
{
    size_t before = memory_mapped();
    pthread_t thread;
    int taken = 0;
    assert_int_equal(stint_activation_start(), 0);
    assert_int_equal(pthread_create(&thread, NULL, take_many, &taken), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(taken, 100000);
    assert_int_equal(memory_mapped(), before); /* the thread's memory ends with it */
}

TEST(without_memory_no_entry_is_there)
{
    memory_fail_after(0);
    assert_null(stint_activation_more());
    assert_int_equal(memory_recover(), 1);
    assert_int_equal(take(10), 10);
}

static void *count_excluded(void *unused)
{
    stint_tally_begin();
    stint_tally_count(stint_tl_tally, STINT_FUNCTION_EXCLUDED);
    stint_tally_count(stint_tl_tally, STINT_FUNCTION_TINY);
    stint_tally_count(stint_tl_tally, STINT_FUNCTION_TINY);
    (void)take(1); /* so that the thread's end is noticed */
    return unused;
}

TEST(what_threads_left_out_is_added_up_after_they_ended)
{
    struct stint_i_left_out sum;
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, count_excluded, NULL), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    stint_tally_tiny();
    stint_tally_sum(&sum);
    assert_int_equal(sum.excluded_calls, 3);
    assert_int_equal(sum.tiny_calls, 6);
    assert_int_equal(sum.tiny_functions, 1);
}

TEST(a_forked_child_has_left_nothing_out)
{
    struct stint_i_left_out sum;
    stint_tally_after_fork();
    stint_tally_sum(&sum);
    assert_int_equal(sum.excluded_calls + sum.tiny_calls, 0);
}

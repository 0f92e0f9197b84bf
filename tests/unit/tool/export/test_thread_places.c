#include "export/thread_places.h"

#include "stint_test.h"

static void threads_have_places_in_the_order_of_first_sight(void **state)
{
    struct stint_arena arena = {0};
    struct stint_thread_places places = {.index = {.slots = NULL}};
    (void)state;
    assert_int_equal(stint_thread_place(&places, &arena, 10, 11), 0);
    assert_int_equal(stint_thread_place(&places, &arena, 11, 10), 1);
    assert_int_equal(stint_thread_place(&places, &arena, 10, 10), 2);
    for (int64_t tid = 12; tid < 5000; tid++)
        assert_int_equal(stint_thread_place(&places, &arena, 10, tid), tid - 9);
    assert_int_equal(stint_thread_place(&places, &arena, 11, 10), 1);
    assert_int_equal(stint_thread_place(&places, &arena, 10, 11), 0);
    assert_int_equal(stint_thread_place(&places, &arena, 10, 4999), 4990);
    stint_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_have_places_in_the_order_of_first_sight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

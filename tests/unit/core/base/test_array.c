#include "base/array.h"

#include <string.h>

#include "memory.h"
#include "stint_test.h"

struct item {
    uint64_t value;
    char more[16];
};

static struct item *add(struct stint_array *array, struct stint_arena *arena)
{
    return stint_array_add(array, arena, sizeof(struct item));
}

static void items_keep_their_content_as_the_array_grows(void **state)
{
    enum { ITEMS = 10000 };
    struct stint_arena arena = {0};
    struct stint_array array = {0};
    uint64_t seed = 1;

    for (int i = 0; i < ITEMS; ++i)
        add(&array, &arena)->value = test_random(&seed);
    assert_int_equal(array.count, ITEMS);
    seed = 1;
    for (int i = 0; i < ITEMS; ++i)
        assert_int_equal(((struct item *)array.items)[i].value, test_random(&seed));
    stint_arena_free(&arena);
}

static void every_new_item_is_zeroed(void **state)
{
    const struct item zero = {0};
    struct stint_arena arena = {0};
    struct stint_array array = {0};

    for (int i = 0; i < 1000; ++i) {
        struct item *item = add(&array, &arena);

        assert_memory_equal(item, &zero, sizeof zero);
        memset(item, 0xA5, sizeof *item);
    }
    stint_arena_free(&arena);
}

static void a_new_item_is_the_last(void **state)
{
    struct stint_arena arena = {0};
    struct stint_array array = {0};

    for (int i = 0; i < 100; ++i) {
        const struct item *added = add(&array, &arena);

        assert_ptr_equal(added, (struct item *)array.items + i);
    }
    stint_arena_free(&arena);
}

static void without_memory_the_array_stays_as_it_is(void **state)
{
    struct stint_arena arena = {0};
    struct stint_array array = {0};
    struct item *item;

    memory_fail_after(0);
    assert_null(add(&array, &arena));
    assert_int_equal(array.count, 0);
    memory_fail_after(3);
    while ((item = add(&array, &arena)))
        item->value = array.count;
    assert_int_equal(memory_recover(), 1);
    assert_true(array.count > 100);
    for (size_t i = 0; i < array.count; ++i)
        assert_int_equal(((struct item *)array.items)[i].value, i + 1);
    stint_arena_free(&arena);
}

static void after_a_failure_the_array_grows_on(void **state)
{
    struct stint_arena arena = {0};
    struct stint_array array = {0};
    size_t before;

    memory_fail_after(2);
    while (add(&array, &arena))
        continue;
    memory_recover();
    before = array.count;
    assert_non_null(add(&array, &arena));
    assert_int_equal(array.count, before + 1);
    stint_arena_free(&arena);
}

/* ------------------------------------------------------------------------------------------------------------- sort */

enum { MOST = 3000 };

static size_t s_comparisons;

static int less(const void *array, size_t a, size_t b)
{
    const uint64_t *keys = array;

    ++s_comparisons;
    return keys[a] < keys[b];
}

/* Sorts positions 0 to count - 1 and checks that they are all there still, in order. */
static void check_sort(const uint64_t *keys, size_t count)
{
    size_t order[MOST];
    char seen[MOST] = {0};

    for (size_t i = 0; i < count; ++i)
        order[i] = i;
    stint_sort(order, count, less, keys);
    for (size_t i = 0; i < count; ++i) {
        assert_in_range(order[i], 0, count - 1);
        assert_false(seen[order[i]]);
        seen[order[i]] = 1;
        if (i)
            assert_true(keys[order[i - 1]] <= keys[order[i]]);
    }
}

static void fill(uint64_t *keys, size_t count, uint64_t range, uint64_t seed)
{
    for (size_t i = 0; i < count; ++i)
        keys[i] = test_random(&seed) % range;
}

static void nothing_to_sort_touches_nothing(void **state)
{
    size_t order[1] = {7};

    stint_sort(order, 0, less, NULL);
    stint_sort(order, 1, less, NULL);
    assert_int_equal(order[0], 7);
}

static void two_come_in_order(void **state)
{
    check_sort((const uint64_t[]){1, 2}, 2);
    check_sort((const uint64_t[]){2, 1}, 2);
    check_sort((const uint64_t[]){1, 1}, 2);
}

static void every_permutation_of_a_few_is_sorted(void **state)
{
    for (unsigned code = 0; code < 5 * 5 * 5 * 5 * 5; ++code)
        check_sort((const uint64_t[]){code % 5, code / 5 % 5, code / 25 % 5, code / 125 % 5, code / 625}, 5);
}

static void many_random_ones_are_sorted(void **state)
{
    uint64_t keys[MOST];

    for (size_t count = 3; count <= MOST; count = count * 2 + 1) {
        fill(keys, count, UINT64_MAX, count);
        check_sort(keys, count);
    }
}

static void equal_keys_are_all_kept(void **state)
{
    uint64_t keys[MOST];

    for (uint64_t range = 1; range < 20; ++range) {
        fill(keys, 500, range, range);
        check_sort(keys, 500);
    }
}

static void sorted_input_takes_n_log_n_too(void **state)
{
    uint64_t keys[MOST];

    for (int falling = 0; falling < 2; ++falling) {
        for (size_t i = 0; i < MOST; ++i)
            keys[i] = falling ? MOST - i : i;
        s_comparisons = 0;
        check_sort(keys, MOST);
        assert_in_range(s_comparisons, MOST, 3 * MOST * 12); /* log2(3000) < 12 */
    }
}

static void positions_need_not_begin_at_zero(void **state)
{
    const uint64_t keys[] = {50, 40, 30, 20, 10};
    size_t order[] = {1, 4, 2};

    stint_sort(order, 3, less, keys);
    assert_int_equal(order[0], 4);
    assert_int_equal(order[1], 2);
    assert_int_equal(order[2], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_keep_their_content_as_the_array_grows),
        cmocka_unit_test(every_new_item_is_zeroed),
        cmocka_unit_test(a_new_item_is_the_last),
        cmocka_unit_test(without_memory_the_array_stays_as_it_is),
        cmocka_unit_test(after_a_failure_the_array_grows_on),
        cmocka_unit_test(nothing_to_sort_touches_nothing),
        cmocka_unit_test(two_come_in_order),
        cmocka_unit_test(every_permutation_of_a_few_is_sorted),
        cmocka_unit_test(many_random_ones_are_sorted),
        cmocka_unit_test(equal_keys_are_all_kept),
        cmocka_unit_test(sorted_input_takes_n_log_n_too),
        cmocka_unit_test(positions_need_not_begin_at_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

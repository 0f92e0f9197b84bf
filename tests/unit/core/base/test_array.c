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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_keep_their_content_as_the_array_grows),
        cmocka_unit_test(every_new_item_is_zeroed),
        cmocka_unit_test(a_new_item_is_the_last),
        cmocka_unit_test(without_memory_the_array_stays_as_it_is),
        cmocka_unit_test(after_a_failure_the_array_grows_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

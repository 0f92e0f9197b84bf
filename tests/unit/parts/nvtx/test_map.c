#include "nvtx/string.h"

#include <pthread.h>

#include "memory.h"
#include "stint_test.h"

struct item {
    uint64_t key;
    uint64_t data;
};

enum { LIMIT = 1000 };

static struct stint_arena s_arena;
static struct stint_nvtx_map s_map;

static int begin(void **state)
{
    return stint_nvtx_map_begin(&s_map, &s_arena, sizeof(struct item), LIMIT);
}

static int finish(void **state)
{
    stint_arena_free(&s_arena);
    return 0;
}

TEST_EACH(begin, finish)

TEST(what_was_added_is_found_and_nothing_else)
{
    struct item *item = stint_nvtx_map_add(&s_map, 7);
    assert_non_null(item);
    assert_int_equal(item->key, 7);
    assert_int_equal(item->data, 0);
    item->data = 70;
    assert_ptr_equal(stint_nvtx_map_find(&s_map, 7), item);
    assert_ptr_equal(stint_nvtx_map_add(&s_map, 7), item);
    assert_int_equal(item->data, 70);
    assert_null(stint_nvtx_map_find(&s_map, 8));
}

TEST(the_limit_holds_for_new_items_only)
{
    for (uint64_t key = 1; key <= LIMIT; ++key)
        assert_non_null(stint_nvtx_map_add(&s_map, key));
    assert_null(stint_nvtx_map_add(&s_map, LIMIT + 1));
    assert_null(stint_nvtx_map_find(&s_map, LIMIT + 1));
    for (uint64_t key = 1; key <= LIMIT; ++key)
        assert_int_equal(((struct item *)stint_nvtx_map_add(&s_map, key))->key, key);
}

TEST(positions_reach_every_item_once)
{
    const struct item *item;
    uint64_t sum = 0, count = 0;
    for (uint64_t key = 1; key <= 100; ++key)
        stint_nvtx_map_add(&s_map, key << 32);
    for (size_t i = 0; (item = stint_nvtx_map_at(&s_map, i)); ++i) {
        sum += item->key >> 32;
        count += item->key != 0;
    }
    assert_int_equal(count, 100);
    assert_int_equal(sum, 5050);
}

TEST(a_map_that_has_not_begun_has_no_positions)
{
    const struct stint_nvtx_map map = {0};
    assert_null(stint_nvtx_map_at(&map, 0));
}

TEST(no_memory_is_an_error)
{
    struct stint_arena arena = {0};
    struct stint_nvtx_map map;
    memory_fail_after(0);
    assert_int_equal(stint_nvtx_map_begin(&map, &arena, sizeof(struct item), LIMIT), -1);
    memory_recover();
}

enum { THREADS = 4, KEYS = LIMIT / 2 }; /* near the limit threads may be refused early */

static void *add_all(void *first)
{
    uint64_t at = (uint64_t)(uintptr_t)first;
    for (int i = 0; i < KEYS; ++i, ++at) {
        struct item *item = stint_nvtx_map_add(&s_map, at % KEYS + 1);
        if (item)
            __atomic_add_fetch(&item->data, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

TEST(threads_that_add_the_same_get_the_same)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, add_all, (void *)(uintptr_t)(i * 125)), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    for (uint64_t key = 1; key <= KEYS; ++key)
        assert_int_equal(((struct item *)stint_nvtx_map_find(&s_map, key))->data, THREADS);
}

#include "base/arena.h"

#include <stdio.h>
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

TEST(items_keep_their_content_as_the_array_grows)
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

TEST(items_stay_up_to_what_was_reserved)
{
    enum { ITEMS = 1000 };
    struct stint_arena arena = {0};
    struct stint_array array = {0};
    add(&array, &arena)->value = 7;
    assert_int_equal(stint_array_reserve(&array, &arena, sizeof(struct item), ITEMS), 0);
    const void *first = array.items;
    while (array.count < ITEMS)
        (void)add(&array, &arena);
    assert_ptr_equal(array.items, first);
    assert_int_equal(((struct item *)array.items)[0].value, 7);
    stint_arena_free(&arena);
}

TEST(every_new_item_is_zeroed)
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

TEST(a_new_item_is_the_last)
{
    struct stint_arena arena = {0};
    struct stint_array array = {0};
    for (int i = 0; i < 100; ++i) {
        const struct item *added = add(&array, &arena);
        assert_ptr_equal(added, (struct item *)array.items + i);
    }
    stint_arena_free(&arena);
}

TEST(without_memory_the_array_stays_as_it_is)
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

TEST(after_a_failure_the_array_grows_on)
{
    struct stint_arena arena = {0};
    struct stint_array array = {0};
    memory_fail_after(2);
    while (add(&array, &arena))
        continue;
    memory_recover();
    size_t before = array.count;
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
    size_t order[MOST], spare[MOST];
    char seen[MOST] = {0};
    for (size_t i = 0; i < count; ++i)
        order[i] = i;
    stint_sort(order, count, less, keys, spare);
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

TEST(nothing_to_sort_touches_nothing)
{
    size_t order[1] = {7};
    stint_sort(order, 0, less, NULL, NULL);
    stint_sort(order, 1, less, NULL, NULL);
    assert_int_equal(order[0], 7);
}

TEST(two_come_in_order)
{
    check_sort((const uint64_t[]){1, 2}, 2);
    check_sort((const uint64_t[]){2, 1}, 2);
    check_sort((const uint64_t[]){1, 1}, 2);
}

TEST(every_permutation_of_a_few_is_sorted)
{
    for (unsigned code = 0; code < 5 * 5 * 5 * 5 * 5; ++code)
        check_sort((const uint64_t[]){code % 5, code / 5 % 5, code / 25 % 5, code / 125 % 5, code / 625}, 5);
}

TEST(many_random_ones_are_sorted)
{
    uint64_t keys[MOST];
    for (size_t count = 3; count <= MOST; count = count * 2 + 1) {
        fill(keys, count, UINT64_MAX, count);
        check_sort(keys, count);
    }
}

TEST(equal_keys_are_all_kept)
{
    uint64_t keys[MOST];
    for (uint64_t range = 1; range < 20; ++range) {
        fill(keys, 500, range, range);
        check_sort(keys, 500);
    }
}

TEST(n_take_less_than_n_log_n_comparisons)
{
    uint64_t keys[MOST];
    s_comparisons = 0;
    fill(keys, MOST, UINT64_MAX, 1);
    check_sort(keys, MOST);
    assert_in_range(s_comparisons, MOST, 12 * MOST); /* log2(3000) < 12 */
}

TEST(sorted_input_takes_two_comparisons_each_at_most)
{
    uint64_t keys[MOST];
    for (size_t i = 0; i < MOST; ++i)
        keys[i] = i;
    s_comparisons = 0;
    check_sort(keys, MOST);
    assert_in_range(s_comparisons, MOST - 1, 2 * MOST);
}

TEST(positions_need_not_begin_at_zero)
{
    const uint64_t keys[] = {50, 40, 30, 20, 10};
    size_t order[] = {1, 4, 2}, spare[3];
    stint_sort(order, 3, less, keys, spare);
    assert_int_equal(order[0], 4);
    assert_int_equal(order[1], 2);
    assert_int_equal(order[2], 1);
}

static int same(const void *array, size_t position, const void *key)
{
    return ((const uint64_t *)array)[position] == *(const uint64_t *)key;
}

/* What the index must answer. */
static size_t naive_find(const uint64_t *array, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; ++i)
        if (array[i] == key)
            return i;
    return STINT_INDEX_NONE;
}

/* Inserts random keys below `range`, hashed by `hash_of`, and asks for each of the range as the naive search does. */
static void compare_with_naive(uint64_t range, uint64_t (*hash_of)(uint64_t))
{
    enum { STEPS = 2000 };
    struct stint_arena arena = {0};
    struct stint_index index = {0};
    uint64_t array[STEPS], seed = range;
    size_t count = 0;

    for (int step = 0; step < STEPS; ++step) {
        const uint64_t key = test_random(&seed) % range;
        const size_t expected = naive_find(array, count, key);
        assert_int_equal(stint_index_find(&index, hash_of(key), same, array, &key), expected);
        if (expected == STINT_INDEX_NONE) {
            array[count] = key;
            assert_int_equal(stint_index_add(&index, &arena, hash_of(key), count++), 0);
        }
    }
    for (uint64_t key = 0; key < range; ++key)
        assert_int_equal(stint_index_find(&index, hash_of(key), same, array, &key), naive_find(array, count, key));
    stint_arena_free(&arena);
}

static uint64_t good_hash(uint64_t key)
{
    return stint_hash(&key, sizeof key, 0);
}

static uint64_t four_hashes(uint64_t key)
{
    return key % 4;
}

static uint64_t high_bits_only(uint64_t key)
{
    return key << 40;
}

TEST(finds_what_a_naive_search_finds)
{
    compare_with_naive(100, good_hash);
    compare_with_naive(3000, good_hash);
}

TEST(equal_hashes_are_told_apart_by_content)
{
    compare_with_naive(300, four_hashes);
}

TEST(hashes_that_differ_in_high_bits_only_are_found)
{
    compare_with_naive(300, high_bits_only);
}

TEST(an_empty_index_finds_nothing)
{
    const struct stint_index index = {0};
    const uint64_t key = 1;
    assert_int_equal(stint_index_find(&index, 0, same, &key, &key), STINT_INDEX_NONE);
}

TEST(without_memory_add_fails_and_the_index_keeps_all)
{
    enum { STEPS = 5000 };
    struct stint_arena arena = {0};
    struct stint_index index = {0};
    static uint64_t array[STEPS];
    size_t count = 0;

    memory_fail_after(3);
    for (; count < STEPS; ++count) {
        array[count] = count * 7;
        if (stint_index_add(&index, &arena, good_hash(array[count]), count))
            break;
    }
    assert_true(memory_recover() > 0);
    assert_in_range(count, 64, STEPS - 1);
    for (size_t i = 0; i <= count; ++i)
        assert_int_equal(stint_index_find(&index, good_hash(array[i]), same, array, &array[i]),
                         i < count ? i : STINT_INDEX_NONE);
    assert_int_equal(stint_index_add(&index, &arena, good_hash(array[count]), count), 0);
    assert_int_equal(stint_index_find(&index, good_hash(array[count]), same, array, &array[count]), count);
    stint_arena_free(&arena);
}

TEST(the_hash_depends_on_every_bit)
{
    char bytes[37];
    uint64_t seed = 1, whole;
    for (size_t i = 0; i < sizeof bytes; ++i)
        bytes[i] = (char)test_random(&seed);
    whole = stint_hash(bytes, sizeof bytes, 0);
    for (size_t bit = 0; bit < 8 * sizeof bytes; ++bit) {
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
        assert_int_not_equal(stint_hash(bytes, sizeof bytes, 0), whole);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
    }
    assert_int_equal(stint_hash(bytes, sizeof bytes, 0), whole);
}

TEST(the_hash_depends_on_length_and_seed)
{
    const char zeroes[16] = {0};
    for (size_t length = 0; length < sizeof zeroes; ++length)
        assert_int_not_equal(stint_hash(zeroes, length, 0), stint_hash(zeroes, length + 1, 0));
    assert_int_not_equal(stint_hash("a", 1, 0), stint_hash("a", 1, 1));
}

TEST(the_hash_reads_no_byte_behind_the_last)
{
    char bytes[32] = "abcdefghijk";
    for (size_t length = 0; length < 11; ++length) {
        const uint64_t hash = stint_hash(bytes, length, 0);
        bytes[length] = (char)~bytes[length];
        assert_int_equal(stint_hash(bytes, length, 0), hash);
        bytes[length] = (char)~bytes[length];
    }
}

/* Fails if of 2560 names that differ in the `digits` at `at` alone, too many share their low 8 bits: tables are indexed
 * by them. */
static void check_spread(size_t length, size_t at)
{
    unsigned hits[256] = {0};
    for (unsigned i = 0; i < 2560; ++i) {
        char name[64], digits[8];
        memset(name, 'x', sizeof name);
        (void)snprintf(digits, sizeof digits, "%04u", i);
        memcpy(name + at, digits, 4);
        ++hits[stint_hash(name, length, 42) & 255];
    }
    for (unsigned i = 0; i < 256; ++i)
        assert_in_range(hits[i], 0, 60); /* 10 on average */
}

TEST(the_hash_spreads_numbered_names_over_the_low_bits)
{
    for (size_t length = 4; length <= 40; ++length)
        for (size_t at = 0; at + 4 <= length; ++at)
            check_spread(length, at);
}

#include "base/index.h"

#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "stint_test.h"

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
    enum { MOST = 2000 };
    struct stint_arena arena = {0};
    struct stint_index index = {0};
    uint64_t array[MOST], seed = range;
    size_t count = 0;

    for (int step = 0; step < MOST; ++step) {
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

static void finds_what_a_naive_search_finds(void **state)
{
    compare_with_naive(100, good_hash);
    compare_with_naive(3000, good_hash);
}

static void equal_hashes_are_told_apart_by_content(void **state)
{
    compare_with_naive(300, four_hashes);
}

static void hashes_that_differ_in_high_bits_only_are_found(void **state)
{
    compare_with_naive(300, high_bits_only);
}

static void an_empty_index_finds_nothing(void **state)
{
    const struct stint_index index = {0};
    const uint64_t key = 1;

    assert_int_equal(stint_index_find(&index, 0, same, &key, &key), STINT_INDEX_NONE);
}

static void without_memory_add_fails_and_the_index_keeps_all(void **state)
{
    enum { MOST = 5000 };
    struct stint_arena arena = {0};
    struct stint_index index = {0};
    static uint64_t array[MOST];
    size_t count = 0;

    memory_fail_after(3);
    for (; count < MOST; ++count) {
        array[count] = count * 7;
        if (stint_index_add(&index, &arena, good_hash(array[count]), count))
            break;
    }
    assert_true(memory_recover() > 0);
    assert_in_range(count, 64, MOST - 1);
    for (size_t i = 0; i <= count; ++i)
        assert_int_equal(stint_index_find(&index, good_hash(array[i]), same, array, &array[i]),
                         i < count ? i : STINT_INDEX_NONE);
    assert_int_equal(stint_index_add(&index, &arena, good_hash(array[count]), count), 0);
    assert_int_equal(stint_index_find(&index, good_hash(array[count]), same, array, &array[count]), count);
    stint_arena_free(&arena);
}

static void the_hash_depends_on_every_bit(void **state)
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

static void the_hash_depends_on_length_and_seed(void **state)
{
    const char zeroes[16] = {0};

    for (size_t length = 0; length < sizeof zeroes; ++length)
        assert_int_not_equal(stint_hash(zeroes, length, 0), stint_hash(zeroes, length + 1, 0));
    assert_int_not_equal(stint_hash("a", 1, 0), stint_hash("a", 1, 1));
}

static void the_hash_reads_no_byte_behind_the_last(void **state)
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

static void the_hash_spreads_numbered_names_over_the_low_bits(void **state)
{
    for (size_t length = 4; length <= 40; ++length)
        for (size_t at = 0; at + 4 <= length; ++at)
            check_spread(length, at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_a_naive_search_finds),
        cmocka_unit_test(equal_hashes_are_told_apart_by_content),
        cmocka_unit_test(hashes_that_differ_in_high_bits_only_are_found),
        cmocka_unit_test(an_empty_index_finds_nothing),
        cmocka_unit_test(without_memory_add_fails_and_the_index_keeps_all),
        cmocka_unit_test(the_hash_depends_on_every_bit),
        cmocka_unit_test(the_hash_depends_on_length_and_seed),
        cmocka_unit_test(the_hash_reads_no_byte_behind_the_last),
        cmocka_unit_test(the_hash_spreads_numbered_names_over_the_low_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

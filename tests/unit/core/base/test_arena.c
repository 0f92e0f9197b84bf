#include "base/arena.h"

#include <errno.h>
#include <string.h>

#include "memory.h"
#include "stint_test.h"

enum { CACHE_LINE = 64 };

/* Allocates `count` blocks of sizes up to `most`, the same for the same seed. */
static void allocate_many(struct stint_arena *arena, size_t count, size_t most, uint64_t seed)
{
    for (size_t i = 0; i < count; ++i) {
        const size_t size = test_random(&seed) % most + 1;
        char *block = stint_arena_alloc(arena, size);
        assert_non_null(block);
        memset(block, 0xA5, size);
    }
}

static size_t s_before; /* is mapped before main */

static int note_mapped(void **state)
{
    s_before = memory_mapped();
    return 0;
}

TEST_ONCE(note_mapped, NULL)

static int is_zeroed(const char *block, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        if (block[i])
            return 0;
    return 1;
}

TEST(every_block_starts_a_cache_line)
{
    struct stint_arena arena = {0};
    uint64_t seed = 1;
    for (int i = 0; i < 1000; ++i)
        assert_int_equal((uintptr_t)stint_arena_alloc(&arena, test_random(&seed) % 5000) % CACHE_LINE, 0);
    stint_arena_free(&arena);
}

TEST(packed_blocks_stand_close_together)
{
    struct stint_arena arena = {0};
    const char *text = stint_arena_copy(&arena, "text", 4), *first = stint_arena_pack(&arena, 24);
    const char *second = stint_arena_pack(&arena, 8);
    assert_string_equal(text, "text");
    assert_int_equal((uintptr_t)first % 16, 0);
    assert_in_range(first - text, 5, 5 + 15);
    assert_int_equal(second - first, 32);
    assert_true(is_zeroed(first, 24) && is_zeroed(second, 8));
    stint_arena_free(&arena);
}

TEST(blocks_are_zeroed)
{
    struct stint_arena arena = {0};
    for (size_t size = 1; size < 100000; size = size * 3 / 2 + 1) {
        char *block = stint_arena_alloc(&arena, size);
        assert_true(is_zeroed(block, size));
        memset(block, 0xA5, size);
    }
    stint_arena_free(&arena);
}

TEST(blocks_do_not_overlap)
{
    enum { BLOCKS = 500 };
    struct stint_arena arena = {0};
    char *blocks[BLOCKS];
    size_t sizes[BLOCKS];
    uint64_t seed = 2;

    for (int i = 0; i < BLOCKS; ++i) {
        sizes[i] = test_random(&seed) % 3000 + 1;
        blocks[i] = stint_arena_alloc(&arena, sizes[i]);
        memset(blocks[i], i % 251, sizes[i]);
    }
    for (int i = 0; i < BLOCKS; ++i)
        for (size_t at = 0; at < sizes[i]; ++at)
            assert_int_equal((unsigned char)blocks[i][at], i % 251);
    stint_arena_free(&arena);
}

TEST(few_blocks_take_few_pages)
{
    struct stint_arena arena = {0};
    allocate_many(&arena, 10, 64, 3);
    assert_true(arena.mapped <= 16384);
    assert_int_equal(arena.mapped, memory_mapped() - s_before);
    stint_arena_free(&arena);
}

TEST(memory_mapped_is_at_most_twice_what_is_used)
{
    struct stint_arena arena = {0};
    size_t used = 0;
    for (int i = 0; i < 20000; ++i, used += 1024)
        assert_non_null(stint_arena_alloc(&arena, 1024));
    assert_true(arena.mapped < 2 * used);
    stint_arena_free(&arena);
}

TEST(a_block_may_be_larger_than_any_chunk)
{
    const size_t size = (size_t)5 << 20;
    struct stint_arena arena = {0};
    char *block = stint_arena_alloc(&arena, size);
    assert_non_null(block);
    block[0] = block[size - 1] = 1;
    assert_non_null(stint_arena_alloc(&arena, 1));
    stint_arena_free(&arena);
}

TEST(brief_memory_is_mapped_in_large_pages_many_at_once)
{
    const size_t large_page = (size_t)2 << 20;
    struct stint_arena arena = {.is_brief = 1};
    for (int i = 0; i < 5000; ++i)
        assert_non_null(stint_arena_alloc(&arena, 1024));
    assert_int_equal(arena.mapped % large_page, 0);
    assert_true(arena.mapped > 5000 * 1024 && arena.mapped < 10 * large_page);
    const size_t mapped = arena.mapped;
    assert_non_null(stint_arena_alloc(&arena, 4 * large_page));
    assert_int_equal(arena.mapped, mapped); /* there was room */
    stint_arena_free(&arena);
}

TEST(an_absurd_size_gives_null_and_maps_nothing)
{
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX / 2 + 1, SIZE_MAX / 2, SIZE_MAX / 4};
    struct stint_arena arena = {0};
    for (size_t i = 0; i < TEST_COUNT(sizes); ++i)
        assert_null(stint_arena_alloc(&arena, sizes[i]));
    assert_int_equal(arena.mapped, 0);
    assert_int_equal(memory_mapped() - s_before, 0);
}

TEST(without_memory_alloc_and_copy_give_null)
{
    struct stint_arena arena = {0};
    memory_fail_after(0);
    errno = EINTR; /* a scope may begin between a call of the program and its check of errno */
    assert_null(stint_arena_alloc(&arena, 1));
    assert_null(stint_arena_copy(&arena, "text", 4));
    assert_int_equal(errno, EINTR);
    assert_int_equal(memory_recover(), 2);
    assert_int_equal(arena.mapped, 0);
}

TEST(after_a_failure_the_arena_goes_on)
{
    struct stint_arena arena = {0};
    char *first = stint_arena_copy(&arena, "first", 5);
    memory_fail_after(0);
    assert_null(stint_arena_alloc(&arena, 1 << 20));
    memory_recover();
    assert_non_null(stint_arena_alloc(&arena, 1 << 20));
    assert_string_equal(first, "first");
    stint_arena_free(&arena);
}

TEST(a_copy_is_the_bytes_and_a_nul)
{
    struct stint_arena arena = {0};
    assert_memory_equal(stint_arena_copy(&arena, "a\0b!", 3), "a\0b", 4);
    assert_string_equal(stint_arena_copy(&arena, "", 0), "");
    stint_arena_free(&arena);
}

TEST(reused_memory_is_zeroed)
{
    struct stint_arena arena = {0};
    allocate_many(&arena, 300, 2000, 4);
    stint_arena_reuse(&arena);
    for (int i = 0; i < 300; ++i)
        assert_true(is_zeroed(stint_arena_alloc(&arena, 900), 900));
    stint_arena_free(&arena);
}

TEST(reuse_maps_nothing_new_for_the_same_work)
{
    struct stint_arena arena = {0};
    allocate_many(&arena, 300, 20000, 5);
    long calls = memory_calls();
    for (int round = 0; round < 50; ++round) {
        stint_arena_reuse(&arena);
        allocate_many(&arena, 300, 20000, 5);
    }
    assert_int_equal(memory_calls(), calls);
    assert_int_equal(arena.mapped, memory_mapped() - s_before);
    stint_arena_free(&arena);
}

TEST(reuse_of_an_empty_arena_does_nothing)
{
    struct stint_arena arena = {0};
    stint_arena_reuse(&arena);
    assert_non_null(stint_arena_alloc(&arena, 1));
    stint_arena_free(&arena);
}

TEST(free_unmaps_everything_spare_chunks_too)
{
    struct stint_arena arena = {0};
    allocate_many(&arena, 300, 20000, 6);
    stint_arena_reuse(&arena);
    allocate_many(&arena, 10, 100, 7);
    assert_true(memory_mapped() - s_before > 0);
    stint_arena_free(&arena);
    assert_int_equal(memory_mapped() - s_before, 0);
}

TEST(a_freed_arena_is_empty_again)
{
    struct stint_arena arena = {0};
    stint_arena_free(&arena);
    assert_non_null(stint_arena_alloc(&arena, 1));
    stint_arena_free(&arena);
    assert_int_equal(arena.mapped, 0);
    assert_non_null(stint_arena_alloc(&arena, 1));
    stint_arena_free(&arena);
}

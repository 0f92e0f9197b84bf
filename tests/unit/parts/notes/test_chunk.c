#include "notes/note.h"

#include "stint_test.h"

enum { CHUNKS = 4 };

static int start(void **state)
{
    return stint_chunks_start(CHUNKS);
}

static int begin(void **state)
{
    stint_chunks_after_fork(); /* all are free */
    return 0;
}

TEST_ONCE(start, NULL)
TEST_EACH(begin, NULL)

TEST(there_are_so_many_and_no_more)
{
    struct stint_chunk *chunks[CHUNKS];
    for (int i = 0; i < CHUNKS; ++i) {
        chunks[i] = stint_chunks_get();
        assert_non_null(chunks[i]);
    }
    assert_null(stint_chunks_get());
    stint_chunks_give_back(chunks[1]);
    assert_ptr_equal(stint_chunks_get(), chunks[1]);
    assert_null(stint_chunks_get());
}

TEST(one_that_was_used_is_empty_again)
{
    struct stint_chunk *chunk = stint_chunks_get();
    chunk->count = 7;
    chunk->rows[sizeof chunk->rows - 1] = 1;
    stint_chunks_give_back(chunk);
    assert_ptr_equal(stint_chunks_get(), chunk);
    assert_int_equal(chunk->count, 0);
    assert_int_equal(chunk->rows[sizeof chunk->rows - 1], 0);
}

TEST(what_is_handed_over_first_is_taken_first)
{
    struct stint_chunk *const first = stint_chunks_get(), *const second = stint_chunks_get();
    stint_chunks_put(first);
    stint_chunks_put(second);
    assert_int_equal(stint_chunks_waiting(), 2);
    assert_ptr_equal(stint_chunks_take(), first);
    assert_ptr_equal(stint_chunks_take(), second);
    assert_null(stint_chunks_take());
    assert_int_equal(stint_chunks_waiting(), 0);
    stint_chunks_put(first);
    assert_ptr_equal(stint_chunks_take(), first);
}

TEST(after_a_fork_nothing_waits_and_all_are_free)
{
    stint_chunks_put(stint_chunks_get());
    (void)stint_chunks_get();
    stint_chunks_after_fork();
    assert_null(stint_chunks_take());
    for (int i = 0; i < CHUNKS; ++i)
        assert_non_null(stint_chunks_get());
}

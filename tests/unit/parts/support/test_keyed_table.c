#include "support/keyed_table.h"

#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "stint_test.h"

struct row {
    const char *set;
    int64_t line;
    uint32_t shape[3];
    uint32_t kind;
    struct stint_piece name;
    uint64_t sum;
};

static const struct stint_table_key s_key = STINT_TABLE_KEY(struct row, set, line, shape, kind, name);
static const struct stint_table_key s_copying = STINT_TABLE_KEY_COPYING(struct row, set, name);
static const struct stint_table_key s_address = STINT_TABLE_KEY_BY_ADDRESS(struct row, set);
static const struct stint_table_key s_texts = STINT_TABLE_KEY_WHOLE_COPYING(const char *);
static const struct stint_table_key s_numbers = STINT_TABLE_KEY_WHOLE(int64_t);
static const struct stint_table_key s_line = STINT_TABLE_KEY(struct row, line);

static struct row row_of(const char *set, int64_t line, const char *name)
{
    return (struct row){.set = set, .line = line, .name = {name, strlen(name)}};
}

static size_t take(struct stint_table *table, const struct stint_table_key *key, struct stint_arena *arena,
                   struct row like)
{
    return stint_table_position(table, key, stint_table_take(table, key, arena, &like));
}

static const struct row *row_at(const struct stint_table *table, size_t position)
{
    return (const struct row *)table->items + position;
}

TEST(an_empty_table_has_no_row)
{
    const struct stint_table table = {0};
    const struct row like = row_of("", 0, "");
    assert_null(stint_table_find(&table, &s_key, &like));
    assert_int_equal(stint_table_position(&table, &s_key, NULL), STINT_INDEX_NONE);
}

TEST(a_row_is_found_again_and_keeps_what_it_was_added_with)
{
    struct stint_arena arena = {0};
    struct stint_table table = {0};
    char set[] = "set";
    struct row like = row_of("set", 7, "name"), again = row_of(set, 7, "name");
    like.sum = 5;
    struct row *row = stint_table_take(&table, &s_key, &arena, &like);
    assert_non_null(row);
    assert_int_equal(row->sum, 5);
    row->sum++;
    assert_ptr_equal(stint_table_take(&table, &s_key, &arena, &again), row);
    assert_ptr_equal(stint_table_find(&table, &s_key, &again), row);
    assert_int_equal(row->sum, 6);
    assert_int_equal(table.count, 1);
    stint_arena_free(&arena);
}

TEST(every_member_of_the_key_tells_rows_apart)
{
    struct stint_arena arena = {0};
    struct stint_table table = {0};
    struct row likes[7];
    for (size_t i = 0; i < 7; i++)
        likes[i] = row_of("set", 7, "name");
    likes[1].set = "Set";
    likes[2].line = 8;
    likes[3].shape[2] = 1;
    likes[4].kind = 1;
    likes[5].name.length = 3;
    likes[6].name.text = "nama";
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < 7; i++)
            assert_int_equal(take(&table, &s_key, &arena, likes[i]), i);
    assert_int_equal(table.count, 7);
    stint_arena_free(&arena);
}

TEST(rows_stay_in_the_order_in_which_they_were_added)
{
    enum { ROWS = 10000 };
    struct stint_arena arena = {0};
    struct stint_table table = {0};

    for (int64_t i = 0; i < ROWS; i++)
        assert_int_equal(take(&table, &s_line, &arena, row_of("", i * 77 % 10007, "")), i);
    for (int64_t i = 0; i < ROWS; i++) {
        assert_int_equal(row_at(&table, (size_t)i)->line, i * 77 % 10007);
        assert_int_equal(take(&table, &s_line, &arena, row_of("", i * 77 % 10007, "")), i);
    }
    assert_int_equal(table.count, ROWS);
    stint_arena_free(&arena);
}

TEST(texts_are_the_callers_unless_the_key_copies)
{
    struct stint_arena arena = {0};
    struct stint_table plain = {0}, copying = {0};
    char set[] = "set", name[] = "name of it";
    struct row like = {.set = set, .name = {name, 4}};
    assert_int_equal(take(&plain, &s_key, &arena, like), 0);
    assert_ptr_equal(row_at(&plain, 0)->set, set);
    assert_int_equal(take(&copying, &s_copying, &arena, like), 0);
    memset(set, 'x', 3);
    memset(name, 'x', 4);
    assert_string_equal(row_at(&copying, 0)->set, "set");
    assert_string_equal(row_at(&copying, 0)->name.text, "name");
    assert_int_equal((uintptr_t)row_at(&copying, 0)->name.text % sizeof(int64_t), 0); /* pieces may be of numbers */
    assert_int_equal(take(&copying, &s_copying, &arena, row_of("set", 1, "name")), 0);
    stint_arena_free(&arena);
}

TEST(texts_by_address_are_not_read)
{
    struct stint_arena arena = {0};
    struct stint_table table = {0};
    char a[] = "same", b[] = "same";
    assert_int_equal(take(&table, &s_address, &arena, row_of(a, 0, "")), 0);
    assert_int_equal(take(&table, &s_address, &arena, row_of(b, 0, "")), 1);
    memset(a, 'x', sizeof a);
    assert_int_equal(take(&table, &s_address, &arena, row_of(a, 0, "")), 0);
    stint_arena_free(&arena);
}

TEST(a_row_may_be_its_key)
{
    struct stint_arena arena = {0};
    struct stint_table texts = {0}, numbers = {0};
    char text[] = "text";
    const char *like = text, *again = "text";
    const int64_t many[] = {7, -7, 7};
    const char **row = stint_table_take(&texts, &s_texts, &arena, &like);
    assert_non_null(row);
    memset(text, 'x', 4);
    assert_string_equal(*row, "text");
    assert_ptr_equal(stint_table_take(&texts, &s_texts, &arena, &again), row);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(*(int64_t *)stint_table_take(&numbers, &s_numbers, &arena, &many[i]), many[i]);
    assert_int_equal(numbers.count, 2);
    stint_arena_free(&arena);
}

TEST(pieces_may_be_empty_and_have_no_text)
{
    struct stint_arena arena = {0};
    struct stint_table table = {0};
    struct row like = {.set = "", .name = {"", 0}};
    assert_int_equal(take(&table, &s_key, &arena, like), 0);
    assert_int_equal(take(&table, &s_key, &arena, like), 0);
    stint_arena_free(&arena);
}

/* Of the rows that were there, all are found; the one that could not be added is not there, and can be added later. */
static void check_without_memory(const struct stint_table_key *key, unsigned mappings)
{
    enum { MOST = 5000 };
    struct stint_arena arena = {0};
    struct stint_table table = {0};
    static char names[MOST][1200];
    size_t count = 0;

    memory_fail_after(mappings);
    for (; count < MOST; count++) {
        (void)snprintf(names[count], sizeof names[count], "%01199zu", count);
        if (take(&table, key, &arena, row_of(names[count], (int64_t)count, "")) == STINT_INDEX_NONE)
            break;
    }
    assert_true(memory_recover() > 0);
    assert_in_range(count, 1, MOST - 1);
    assert_int_equal(table.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(take(&table, key, &arena, row_of(names[i], (int64_t)i, "")), i);
    assert_int_equal(take(&table, key, &arena, row_of(names[count], (int64_t)count, "")), count);
    assert_string_equal(row_at(&table, count)->set, names[count]);
    stint_arena_free(&arena);
}

TEST(without_memory_nothing_is_added_and_all_is_kept)
{
    for (unsigned mappings = 1; mappings < 6; mappings++) {
        check_without_memory(&s_line, mappings);
        check_without_memory(&s_copying, mappings);
    }
}

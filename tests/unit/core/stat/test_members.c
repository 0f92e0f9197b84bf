#include "stat/members.h"

#include <string.h>

#include "stint_test.h"

static const struct stint_member *find(enum stint_row_kind kind, const char *key)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->members[i].key, key) == 0)
            return &table->members[i];
    fail_msg("no row has the member %s", key);
    return NULL;
}

static struct stint_value value_of(enum stint_row_kind kind, const char *key, const void *row)
{
    return stint_member_value(stint_row_tables[kind], find(kind, key), row);
}

TEST(each_type_has_its_value)
{
    const struct stint_process process = {.pid = -3, .rank = "7", .ranks = 8, .wall_ns = 9};
    const struct stint_thread thread = {.exited = 2};
    const struct stint_context root = {.stat = 4, .parent = STINT_NO_PARENT};
    assert_int_equal(value_of(STINT_ROWS_PROCESS, "pid", &process).kind, STINT_VALUE_SIGNED);
    assert_int_equal(value_of(STINT_ROWS_PROCESS, "pid", &process).integer, -3);
    assert_string_equal(value_of(STINT_ROWS_PROCESS, "rank", &process).text, "7");
    assert_string_equal(value_of(STINT_ROWS_PROCESS, "command", &process).text, ""); /* NULL */
    assert_int_equal(value_of(STINT_ROWS_PROCESS, "ranks", &process).number, 8);
    assert_int_equal(value_of(STINT_ROWS_PROCESS, "wall_ns", &process).number, 9);
    assert_int_equal(value_of(STINT_ROWS_THREADS, "exited", &thread).kind, STINT_VALUE_SWITCH);
    assert_int_equal(value_of(STINT_ROWS_THREADS, "exited", &thread).number, 1);
    assert_int_equal(value_of(STINT_ROWS_CONTEXTS, "stat", &root).number, 4);
    assert_int_equal(value_of(STINT_ROWS_CONTEXTS, "parent", &root).kind, STINT_VALUE_NONE);
    assert_int_equal(value_of(STINT_ROWS_CONTEXTS, "bins", &root).kind, STINT_VALUE_SEVERAL);
}

TEST(percentiles_need_a_histogram)
{
    const struct stint_bin bins[] = {{10, 1}, {20, 1}};
    struct stint_stat stat = {.numbers = {.count = 2, .total_ns = 30, .min_ns = 10, .max_ns = 20}};
    assert_int_equal(value_of(STINT_ROWS_STATS, "avg_ns", &stat).number, 15);
    assert_int_equal(value_of(STINT_ROWS_STATS, "p50_ns", &stat).kind, STINT_VALUE_NONE);
    assert_int_equal(value_of(STINT_ROWS_STATS, "stddev_ns", &stat).kind, STINT_VALUE_NONE);
    stat.numbers.bins = bins;
    stat.numbers.bin_count = 2;
    assert_int_equal(value_of(STINT_ROWS_STATS, "p50_ns", &stat).number, 10);
    assert_int_equal(value_of(STINT_ROWS_STATS, "p99_ns", &stat).number, 20);
    assert_int_equal(value_of(STINT_ROWS_STATS, "stddev_ns", &stat).kind, STINT_VALUE_REAL);
}

TEST(without_the_part_there_are_no_rows_of_it)
{
    assert_null(stint_row_tables[STINT_ROWS_GPU_EVENTS]);
    assert_non_null(stint_row_tables[STINT_ROWS_STATS]);
}

TEST(a_key_is_among_others_as_a_whole_word)
{
    const struct stint_member *member = find(STINT_ROWS_PROCESS, "rank");
    assert_true(stint_member_is_among(member, " pid rank "));
    assert_false(stint_member_is_among(member, " pid ranks "));
}

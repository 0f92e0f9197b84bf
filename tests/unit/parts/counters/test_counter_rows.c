#include <string.h>

#include "counters/counted_device.h"
#include "stint_test.h"

static struct stint_counter_rows s_rows;

static int clean_up(void **state)
{
    stint_arena_free(&s_rows.arena);
    s_rows = (struct stint_counter_rows){0};
    return 0;
}

static void add_kernel(const char *name, const char *metric, double value)
{
    stint_counter_rows_add(&s_rows, STINT_COUNTER_SET, name, metric, value);
}

static struct stint_counter sum(const char *patterns, const char *metric)
{
    return stint_counter_rows_sum(&s_rows, STINT_COUNTER_SET, patterns, metric);
}

static void count_row(void *rows, const struct stint_nvtx_value *row)
{
    (*(size_t *)rows)++;
    assert_string_equal(row->set, STINT_COUNTER_SET);
    assert_true(row->sum == 12);
    assert_true(row->min == 2);
    assert_true(row->max == 6);
    assert_int_equal(row->count, 3);
}

TEST_EACH(NULL, clean_up)

TEST(values_of_a_kernel_and_a_metric_are_one_row)
{
    char name[] = "work(float *, int)";
    size_t rows = 0;
    add_kernel(name, "dram__bytes_read.sum", 4);
    add_kernel(name, "dram__bytes_read.sum", 2);
    add_kernel(name, "dram__bytes_read.sum", 6);
    memset(name, 'x', sizeof name - 1); /* the row has a copy */
    stint_counter_rows_put(&s_rows, count_row, &rows);
    assert_int_equal(rows, 1);
    assert_int_equal(sum("work", "dram__bytes_read.sum").launches, 3);
}

TEST(a_sum_is_over_all_kernels_that_match)
{
    add_kernel("net::forward(int)", "inst.sum", 1);
    add_kernel("net::backward(int)", "inst.sum", 10);
    add_kernel("other(int)", "inst.sum", 100);
    struct stint_counter found = sum("net::*", "inst.sum");
    assert_int_equal(found.launches, 2);
    assert_true(found.sum == 11);
    assert_true(found.min == 1);
    assert_true(found.max == 10);
    assert_int_equal(sum("nothing", "inst.sum").launches, 0);
    assert_int_equal(sum(NULL, "inst.sum").launches, 3);
}

TEST(a_metric_may_be_named_without_its_suffix)
{
    add_kernel("work", "dram__bytes_read.sum", 8);
    assert_true(sum("work", "dram__bytes_read").sum == 8);
    assert_int_equal(sum("work", "dram__bytes").launches, 0);
}

TEST(scopes_are_apart_from_kernels_of_the_same_name)
{
    add_kernel("step", "inst.sum", 1);
    stint_counter_rows_add(&s_rows, STINT_COUNTER_SCOPE_SET, "step", "inst.sum", 5);
    assert_true(sum("step", "inst.sum").sum == 1);
    assert_true(stint_counter_rows_sum(&s_rows, STINT_COUNTER_SCOPE_SET, "step", "inst.sum").sum == 5);
}

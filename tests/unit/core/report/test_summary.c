

#include "report/summary.h"

#include "stint_test.h"

/* main, which had not ended, around two steps; and a scope of another thread. */
static struct stint_summary sum_up(struct stint_numbers outer)
{
    const struct stint_stat stats[] = {
        {.set = "", .name = "main"}, {.set = "", .name = "step"}, {.set = "", .name = "load"}};
    const struct stint_context contexts[] = {
        {.parent = STINT_NO_PARENT, .stat = 0, .numbers = outer},
        {.parent = 0, .stat = 1, .numbers = {.count = 2, .total_ns = 70}},
        {.parent = 1, .stat = 2, .numbers = {.count = 2, .total_ns = 60}},
        {.parent = STINT_NO_PARENT, .stat = 2, .numbers = {.count = 1, .total_ns = 5}},
    };
    const struct stint_snapshot snapshot = {
        .stats = stats, .stat_count = 3, .contexts = contexts, .context_count = sizeof contexts / sizeof contexts[0]};
    return stint_summarize(&snapshot);
}

TEST(time_of_the_outermost_is_all_there_is)
{
    assert_int_equal(sum_up((struct stint_numbers){.count = 1, .total_ns = 100}).measured_ns, 105);
    assert_int_equal(sum_up((struct stint_numbers){.running = 1, .running_ns = 90}).measured_ns, 95);
}

TEST(scopes_without_a_time_have_that_of_what_is_in_them)
{
    assert_int_equal(sum_up((struct stint_numbers){.count = 0}).measured_ns, 75);
}

TEST(counts_beyond_64_bits_stay_at_the_largest_number)
{
    const struct stint_stat stats[] = {{.set = "", .name = "a", .numbers = {.count = UINT64_MAX, .running = 2}}};
    const struct stint_thread threads[] = {{.exited = 1, .exits = UINT64_MAX}, {.exited = 1, .exits = 2}};
    const struct stint_snapshot snapshot = {
        .stats = stats, .stat_count = 1, .threads = threads, .thread_count = sizeof threads / sizeof threads[0]};
    assert_int_equal(stint_summarize(&snapshot).recorded[STINT_COST_SCOPE], UINT64_MAX);
    assert_int_equal(stint_summarize(&snapshot).exits, UINT64_MAX);
}

TEST(no_scope_takes_more_than_all)
{
    assert_int_equal(sum_up((struct stint_numbers){.count = 1, .total_ns = 40}).measured_ns, 75);
}

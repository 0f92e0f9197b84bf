/* What recording is measured to cost, on a clock of which every read takes the same time. */
#include "memory.h"
#include "record/collect.h"
#include "record/fixture.h"
#include "stint_test.h"

enum { READ_NS = 10 };

static int is_near(double value, double expected)
{
    return value > expected * 0.97 && value < expected * 1.03;
}

TEST_ONCE(fixture_start, NULL)
TEST_EACH(fixture_reset, NULL)

TEST(a_clock_read_costs_what_it_takes)
{
    clock_set_step(READ_NS);
    assert_true(is_near(stint_measure_costs().clock_read_ns, READ_NS));
}

TEST(a_scope_costs_its_two_clock_reads)
{
    clock_set_step(READ_NS);
    assert_true(is_near(stint_measure_costs().way[STINT_COST_SCOPE].whole_ns, 2 * READ_NS));
}

/* From when one reading is taken to when the other is. */
TEST(an_empty_scope_shows_one_clock_read)
{
    clock_set_step(READ_NS);
    assert_true(is_near(stint_measure_costs().empty_ns[STINT_COST_SCOPE], READ_NS));
}

TEST(costs_are_in_ns_not_in_ticks)
{
    clock_set_step(READ_NS);
    clock_set_ns_per_tick(0.5);
    assert_true(is_near(stint_measure_costs().clock_read_ns, READ_NS * 0.5));
    assert_true(is_near(stint_measure_costs().way[STINT_COST_SCOPE].whole_ns, READ_NS));
}

TEST(a_clock_that_stands_still_costs_nothing)
{
    const struct stint_costs costs = stint_measure_costs();
    assert_true(costs.clock_read_ns == 0);
    assert_true(costs.way[STINT_COST_SCOPE].whole_ns == 0);
}

TEST(measuring_records_nothing)
{

    run("measured", 1);
    (void)stint_measure_costs();
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->stat_count, 1);
    assert_int_equal(snapshot->context_count, 1);
    stint_snapshot_free(snapshot);
    check_dropped((struct stint_dropped){0});
}

TEST(measuring_inside_a_scope_leaves_it_running)
{
    struct stint_i_node *node = enter("measuring inside");
    (void)stint_measure_costs();
    clock_advance(5);
    assert_int_equal(stint_i_leave(node), 5);
}

TEST(measuring_gives_its_memory_back)
{
    const size_t before = memory_mapped();
    (void)stint_measure_costs();
    assert_int_equal(memory_mapped(), before);
}

TEST(without_memory_costs_are_unknown)
{

    clock_set_step(READ_NS);
    memory_fail_after(0);
    struct stint_costs costs = stint_measure_costs();
    assert_int_not_equal(memory_recover(), 0);
    assert_true(costs.clock_read_ns == 0);
    assert_true(costs.way[STINT_COST_SCOPE].whole_ns == 0);
}

TEST(measuring_without_memory_drops_no_scope)
{
    for (long calls = 0; calls < 3; ++calls) {
        memory_fail_after(calls);
        (void)stint_measure_costs();
        memory_recover();
    }
    check_dropped((struct stint_dropped){0});
}

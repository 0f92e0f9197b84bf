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

static void a_clock_read_costs_what_it_takes(void **state)
{
    clock_set_step(READ_NS);
    assert_true(is_near(stint_measure_costs().clock_read_ns, READ_NS));
}

static void a_scope_costs_its_two_clock_reads(void **state)
{
    clock_set_step(READ_NS);
    assert_true(is_near(stint_measure_costs().way[STINT_COST_SCOPE].whole_ns, 2 * READ_NS));
}

/* From when one reading is taken to when the other is. */
static void an_empty_scope_shows_one_clock_read(void **state)
{
    clock_set_step(READ_NS);
    assert_true(is_near(stint_measure_costs().empty_ns[STINT_COST_SCOPE], READ_NS));
}

static void costs_are_in_ns_not_in_ticks(void **state)
{
    clock_set_step(READ_NS);
    clock_set_ns_per_tick(0.5);
    assert_true(is_near(stint_measure_costs().clock_read_ns, READ_NS * 0.5));
    assert_true(is_near(stint_measure_costs().way[STINT_COST_SCOPE].whole_ns, READ_NS));
}

static void a_clock_that_stands_still_costs_nothing(void **state)
{
    const struct stint_costs costs = stint_measure_costs();

    assert_true(costs.clock_read_ns == 0);
    assert_true(costs.way[STINT_COST_SCOPE].whole_ns == 0);
}

static void measuring_records_nothing(void **state)
{
    struct stint_snapshot *snapshot;

    run("measured", 1);
    (void)stint_measure_costs();
    snapshot = take();
    assert_int_equal(snapshot->stat_count, 1);
    assert_int_equal(snapshot->context_count, 1);
    stint_snapshot_free(snapshot);
    check_dropped((struct stint_dropped){0});
}

static void measuring_inside_a_scope_leaves_it_running(void **state)
{
    struct stint_i_node *node = enter("measuring inside");

    (void)stint_measure_costs();
    clock_advance(5);
    assert_int_equal(stint_i_leave(node), 5);
}

static void measuring_gives_its_memory_back(void **state)
{
    const size_t before = memory_mapped();

    (void)stint_measure_costs();
    assert_int_equal(memory_mapped(), before);
}

static void without_memory_costs_are_unknown(void **state)
{
    struct stint_costs costs;

    clock_set_step(READ_NS);
    memory_fail_after(0);
    costs = stint_measure_costs();
    assert_int_not_equal(memory_recover(), 0);
    assert_true(costs.clock_read_ns == 0);
    assert_true(costs.way[STINT_COST_SCOPE].whole_ns == 0);
}

static void measuring_without_memory_drops_no_scope(void **state)
{
    for (long calls = 0; calls < 3; ++calls) {
        memory_fail_after(calls);
        (void)stint_measure_costs();
        memory_recover();
    }
    check_dropped((struct stint_dropped){0});
}

#define TEST(name) cmocka_unit_test_setup(name, fixture_reset)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_clock_read_costs_what_it_takes),           TEST(a_scope_costs_its_two_clock_reads),
        TEST(an_empty_scope_shows_one_clock_read),        TEST(costs_are_in_ns_not_in_ticks),
        TEST(a_clock_that_stands_still_costs_nothing),    TEST(measuring_records_nothing),
        TEST(measuring_inside_a_scope_leaves_it_running), TEST(measuring_gives_its_memory_back),
        TEST(without_memory_costs_are_unknown),           TEST(measuring_without_memory_drops_no_scope),
    };

    return cmocka_run_group_tests(tests, fixture_start, NULL);
}

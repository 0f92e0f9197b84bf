/* Activations that are left out, on a clock of the test's own: what is counted, and what is estimated. */
#include "budget/budget.h"

#include <math.h>
#include <stdlib.h>

#include "record/fixture.h"
#include "record/thread.h"
#include "stint_test.h"

enum { WORK_NS = 100, COST_NS = 40, MANY = 200000 };

uint64_t __wrap_stint_clock_cpu_ns(void);

/* The thread runs all the time. */
uint64_t __wrap_stint_clock_cpu_ns(void)
{
    return clock_now();
}

stint_budget_fn stint_budget_open;

static int s_started;

/* While costs are measured, at the start, each reading of the clock takes half of COST_NS. */
static uint64_t ticks(void)
{
    if (!s_started)
        clock_advance(COST_NS / 2);
    return clock_now();
}

static struct stint_budget_host s_host = {
    .version = STINT_BUDGET_VERSION, .entries = &stint_entries, .ticks = ticks, .ticks_per_ns = 1};

static int start(void **state)
{
    const char *reason;
    if (fixture_start(state))
        return -1;
    stint_budget = stint_budget_open(&s_host, "2%", &reason);
    s_started = 1;
    return stint_budget ? 0 : -1;
}

/* What a call site does, where the clock can be read inline: the test's cannot. */
static struct stint_i_node *begin(const char *name)
{
    struct stint_thread_record *record = stint_thread_self();
    struct stint_name key = stint_registry_name(NULL, name);
    uint32_t id = record ? stint_thread_cached_id(record, &key) : 0;
    struct stint_i_node *node = id ? stint_i_leave_out(&record->tree.hot, id) : NULL;
    return node ? node : enter(name);
}

/* One that is recorded costs COST_NS, which are in its parent's time. */
static void end(struct stint_i_node *node)
{
    if (stint_i_end_left_out(stint_i_self, node))
        return;
    stint_i_leave(node);
    clock_advance(COST_NS);
}

static void run_one(const char *name, uint64_t ns)
{
    struct stint_i_node *node = begin(name);
    clock_advance(ns);
    end(node);
}

/* Runs some whose mean is WORK_NS. */
static uint64_t run_many(const char *name, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; ++i) {
        const uint64_t ns = WORK_NS / 2 + (uint64_t)(rand() % (WORK_NS + 1));
        run_one(name, ns);
        sum += ns;
    }
    return sum;
}

static void assert_within(const struct stint_numbers *numbers, uint64_t total_ns)
{
    const double difference = fabs((double)numbers->total_ns - (double)total_ns);
    if (difference > 2 * numbers->error_ns) /* twice 1.96: in one case of 10000 */
        fail_msg("%.0f instead of %.0f, with an error of %.0f", (double)numbers->total_ns, (double)total_ns,
                 numbers->error_ns);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST_ONCE(start, NULL)

TEST(a_budget_has_to_be_a_share)
{
    static const char *const texts[] = {"", "x", "0", "-1%", "101%", "2%x", "nan", "inf"};
    struct stint_budget_host host = s_host, older = {.version = 1};
    const char *reason;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        assert_null(stint_budget_open(&host, texts[i], &reason));
    assert_non_null(strstr(reason, "2%"));
    assert_null(stint_budget_open(&older, "2%", &reason));
    assert_non_null(strstr(reason, "version"));
}

TEST_SETUP(counts_are_exact_and_totals_within_their_error, fixture_reset)
{
    const uint64_t total = run_many("left out", MANY);
    const struct stint_numbers numbers = now_of("left out");
    assert_int_equal(numbers.count, MANY);
    assert_in_range(numbers.left_out, MANY / 2, MANY - 1);
    assert_in_range(numbers.min_ns, WORK_NS / 2, WORK_NS);
    assert_true(numbers.error_ns < 0.3 * (double)total);
    assert_within(&numbers, total);
    assert_int_equal(numbers.self_ns, numbers.total_ns);
}

/* However many samples there are, all of them contain the cost of a sample, which is not known exactly. */
TEST_SETUP(the_error_has_a_reading_of_the_clock_for_each_activation, fixture_reset)
{
    for (int i = 0; i < MANY; ++i)
        run_one("all the same", WORK_NS);
    const struct stint_numbers numbers = now_of("all the same");
    assert_true(numbers.error_ns > 0.99 * COST_NS / 2 * (double)numbers.count);
    assert_true(numbers.error_ns < 1.1 * COST_NS / 2 * (double)numbers.count);
}

TEST_SETUP(what_is_rare_is_recorded_in_full, fixture_reset)
{
    for (int i = 0; i < MANY; ++i) {
        run_one("frequent", WORK_NS);
        if (i % 1000 == 0)
            run_one("rare", WORK_NS);
    }
    assert_int_equal(now_of("rare").left_out, 0);
    assert_int_equal(now_of("rare").total_ns, MANY / 1000 * WORK_NS);
    assert_int_equal(now_of("rare").error_ns, 0);
}

/* A program with a period, which samples at equal distances would meet. */
TEST_SETUP(a_period_of_the_program_does_not_matter, fixture_reset)
{
    uint64_t total = 0;
    for (int i = 0; i < MANY; ++i) {
        const uint64_t ns = i % 16 ? 10 : 2000;
        run_one("periodic", ns);
        total += ns;
    }
    const struct stint_numbers numbers = now_of("periodic");
    assert_int_equal(numbers.count, MANY);
    assert_within(&numbers, total);
}

/* One in a thousand takes as long as all others together. It is known although its parent is left out. */
TEST_SETUP(what_is_recorded_in_one_that_is_left_out_is_known, fixture_reset)
{
    struct stint_i_node *const around = begin("around");
    const uint64_t began = clock_now();
    for (int i = 0; i < MANY; ++i) {
        struct stint_i_node *const parent = begin("parent");
        clock_advance(WORK_NS);
        if (i % 1000 == 0)
            run_one("long child", 1000 * WORK_NS);
        end(parent);
    }
    const uint64_t ended = clock_now();
    end(around);
    const struct stint_numbers parent = now_of("parent"), child = now_of("long child"), outer = now_of("around");
    assert_true(parent.left_out > MANY / 2);
    assert_int_equal(child.left_out, 0);
    assert_int_equal(child.total_ns, (uint64_t)MANY * WORK_NS);
    assert_int_equal(parent.total_ns, parent.self_ns + child.total_ns);
    assert_in_range(parent.self_ns, (uint64_t)MANY * WORK_NS, (uint64_t)MANY * WORK_NS * 102 / 100);
    assert_int_equal(outer.total_ns, ended - began);
    assert_int_equal(outer.error_ns, 0);
}

/* The time of children that are left out is not their parent's own. */
TEST_SETUP(self_time_is_without_children_that_were_left_out, fixture_reset)
{
    struct stint_i_node *const parent = begin("with children");
    const uint64_t began = clock_now();
    for (int i = 0; i < MANY; ++i) {
        clock_advance(WORK_NS);
        run_one("child", 2 * WORK_NS);
    }
    const uint64_t ended = clock_now();
    end(parent);
    const struct stint_numbers numbers = now_of("with children"), child = now_of("child");
    assert_int_equal(numbers.total_ns, ended - began);
    assert_true(child.left_out > MANY / 2);
    assert_int_equal(numbers.total_ns, numbers.self_ns + child.total_ns);
    assert_in_range(numbers.self_ns, (uint64_t)MANY * WORK_NS, (uint64_t)MANY * WORK_NS * 115 / 100);
}

TEST_SETUP(a_reset_begins_anew, fixture_reset)
{
    (void)run_many("reset", MANY);
    assert_true(now_of("reset").left_out > 0);
    reset_set(NULL, STINT_RESET_ALL);
    assert_int_equal(now_of("reset").count, 0);
    run("after the reset", 1); /* call sites see the reset, and so does what these call */
    const uint64_t total = run_many("reset", MANY);
    const struct stint_numbers numbers = now_of("reset");
    assert_int_equal(numbers.count, MANY);
    assert_within(&numbers, total);
}

TEST_SETUP(a_reset_within_one_that_is_left_out_keeps_the_parents_time, fixture_reset)
{
    (void)run_many("inner", MANY);
    struct stint_i_node *const outer = enter("outer");
    struct stint_i_node *inner = begin("inner of outer");
    end(inner);
    stint_i_thinning_of(inner)->limit += 1; /* the next one is left out */
    inner = begin("inner of outer");
    assert_int_equal(inner->start, 0);
    run_one("innermost", 30);
    reset_set(NULL, STINT_RESET_ALL);
    run_one("innermost", 50);
    end(inner);
    clock_advance(7);
    end(outer);
    assert_int_equal(now_of("innermost").total_ns, 50);
    assert_int_equal(now_of("outer").total_ns, 57 + COST_NS);
}

static void *run_in_thread(void *total)
{
    *(uint64_t *)total = run_many("in a thread", MANY);
    return NULL;
}

TEST_SETUP(threads_are_added_up, fixture_reset)
{
    uint64_t first, second;
    in_thread(run_in_thread, &first);
    in_thread(run_in_thread, &second);
    const struct stint_numbers numbers = now_of("in a thread");
    assert_int_equal(numbers.count, 2 * MANY);
    assert_true(numbers.left_out > 0);
    assert_within(&numbers, first + second);
}

/* Measured at the start, it is half as much again, as the slow path's part is only guessed. */
TEST_SETUP(what_a_sample_costs_is_learnt_from_the_program, fixture_reset)
{
    struct stint_costs costs = {.way[STINT_COST_SCOPE].whole_ns = 1};
    struct stint_i_node *const parent = begin("learning");
    (void)run_many("learnt", 20 * MANY);
    end(parent);
    stint_budget->costs(&costs);
    assert_true(costs.way[STINT_COST_SCOPE].whole_ns > 0.8 * COST_NS);
    assert_true(costs.way[STINT_COST_SCOPE].whole_ns < 1.2 * COST_NS);
    assert_true(costs.thinned_ns[STINT_COST_SCOPE] < 1);
}

/* As where longjmp leaves the inner ones. */
TEST_SETUP(the_end_of_one_that_is_left_out_ends_those_within, fixture_reset)
{
    struct stint_i_node *inner, *outer = begin("jumped to");
    end(outer);
    stint_i_thinning_of(outer)->limit += 1;
    outer = begin("jumped to");
    assert_int_equal(outer->start, 0);
    inner = begin("jumped from");
    assert_non_null(inner);
    end(outer);
    assert_ptr_equal(stint_i_self->current, outer->parent);
    assert_int_equal(stint_dropped.abandoned, 1);
    assert_int_equal(now_of("jumped to").count, 2);
}

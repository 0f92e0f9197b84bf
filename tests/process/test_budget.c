/* STINT_BUDGET in whole programs: counts are exact, totals within their error, and what cannot be is said. */
#include <string.h>

#include "process/harness.h"
#include "stint/stint.h"

enum { CALLS = 400000, RARE = 100 };

static uint64_t work(uint64_t value, int steps)
{
    for (int i = 0; i < steps; ++i) {
        value = value * value + 3;
        __asm__ volatile("" : "+r"(value));
    }
    return value;
}

/* ------------------------------------------------------------------------------------------------------------ modes */

static uint64_t leaf(uint64_t value)
{
    STINT_SCOPE("leaf");
    return work(value, 150);
}

static uint64_t inner(uint64_t value)
{
    STINT_SCOPE("inner");
    return leaf(leaf(value));
}

static uint64_t dynamic(uint64_t value)
{
    STINT_SCOPE_DYNAMIC("dynamic");
    return work(value, 150);
}

static int run_all(void)
{
    uint64_t value = 3;
    STINT_SCOPE("all");
    for (int i = 0; i < CALLS; ++i) {
        value = dynamic(inner(value));
        if (i % (CALLS / RARE) == 0) {
            STINT_SCOPE("rare");
            value = work(value, 1000);
        }
    }
    return value == 0;
}

MODE(runs_scopes)
{
    return run_all();
}

MODE(resets)
{
    run_all();
    stint_reset(STINT_RESET_ALL);
    return run_all();
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void assert_counts(const struct result *result)
{
    assert_int_equal(stat_number(result->report, "leaf", "count"), 2 * CALLS);
    assert_int_equal(stat_number(result->report, "inner", "count"), CALLS);
    assert_int_equal(stat_number(result->report, "dynamic", "count"), CALLS);
    assert_int_equal(stat_number(result->report, "rare", "count"), RARE);
    assert_int_equal(stat_number(result->report, "all", "count"), 1);
}

TEST(counts_are_exact_and_totals_are_estimated)
{
    const struct result result = run("runs_scopes", "STINT_BUDGET=2%", NULL);
    assert_exit(&result, 0);
    assert_counts(&result);
    assert_true(stat_number(result.report, "leaf", "left_out") > CALLS);
    assert_true(stat_number(result.report, "dynamic", "left_out") > CALLS / 2);
    assert_true(stat_number(result.report, "leaf", "error_ns") > 0);
    assert_null(strstr(result.err, "STINT_BUDGET"));
}

/* As in many virtual machines: there the slow path is taken by what is recorded, and by nothing else. */
TEST(a_clock_that_cannot_be_read_inline_does_not_matter)
{
    const struct result result = run("runs_scopes", "STINT_BUDGET=2%", "STINT_CLOCK=monotonic", NULL);
    assert_exit(&result, 0);
    assert_counts(&result);
    assert_true(stat_number(result.report, "leaf", "left_out") > CALLS);
    assert_true(stat_number(result.report, "inner", "left_out") > CALLS / 2);
    assert_true(stat_number(result.report, "dynamic", "left_out") > CALLS / 2);
}

TEST(what_needs_every_activation_has_no_budget)
{
    const struct result result = run("runs_scopes", "STINT_BUDGET=2%", "STINT_CPU=on", NULL);
    assert_counts(&result);
    assert_non_null(strstr(result.err, "STINT_BUDGET=2% is ignored: STINT_TRACE, STINT_CPU and STINT_NVTX need all "
                                       "activations"));
    assert_null(strstr(result.report, "\"left_out\""));
}

/* As two runs differ, a fifth: each of the leaves is as long in both. */
TEST(totals_are_those_of_a_run_that_records_everything)
{
    const struct result all = run("runs_scopes", NULL), few = run("runs_scopes", "STINT_BUDGET=2%", NULL);
    const double whole = (double)stat_number(all.report, "leaf", "p50_ns");
    const double estimated = (double)stat_number(few.report, "leaf", "p50_ns");
    assert_counts(&all);
    if (!WITH_SANITIZER)
        assert_true(estimated > 0.7 * whole && estimated < 1.5 * whole);
}

TEST(a_reset_begins_anew)
{
    const struct result result = run("resets", "STINT_BUDGET=2%", NULL);
    assert_exit(&result, 0);
    assert_counts(&result);
}

TEST(without_a_budget_nothing_is_left_out)
{
    const struct result result = run("runs_scopes", NULL);
    assert_counts(&result);
    assert_null(strstr(result.report, "\"left_out\""));
    assert_null(strstr(result.report, "\"error_ns\""));
}

TEST(a_table_marks_what_is_estimated)
{
    const struct result result = run("runs_scopes", "STINT_BUDGET=2%", "STINT_REPORT=table", NULL);
    assert_non_null(strstr(result.report, "+/-"));
    assert_non_null(strstr(result.report, "activations left out (STINT_BUDGET)"));
    assert_non_null(strstr(result.report, " ~"));
}

TEST(csv_has_columns_for_it)
{
    const struct result result = run("runs_scopes", "STINT_BUDGET=2%", "STINT_REPORT=csv", NULL);
    assert_non_null(strstr(result.report, ",left_out,error_ns\n"));
}

TEST(what_is_no_share_is_ignored)
{
    const struct result result = run("runs_scopes", "STINT_BUDGET=much", NULL);
    assert_counts(&result);
    assert_non_null(strstr(result.err, "STINT_BUDGET=much is ignored: expected a share of the time, such as 2%"));
    assert_null(strstr(result.report, "\"left_out\""));
}

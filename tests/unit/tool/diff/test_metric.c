/* Functions by samples: what is noise, and what is more. */
#include <string.h>

#include "diff/diff.h"
#include "diff/fixture.h"
#include "stint_test.h"

enum { MS = 1000000 };

/* 1000 samples, of which 400 met "hot"; then more, within the error and beyond it. */
static const struct fixture s_before = {
    .functions = {{"main", 0, 1000 * (uint64_t)MS}, {"hot", 400 * MS, 400 * MS}, {"cold", 2 * MS, 2 * MS}},
    .samples = 1000};
static const struct fixture s_same = {.functions = {{"hot", 420 * MS, 420 * MS}, {"main", 0, 1000 * (uint64_t)MS}},
                                      .samples = 1000};
static const struct fixture s_slower = {
    .functions = {{"hot", 300 * MS, 300 * MS}, {"hot", 300 * MS, 300 * MS}, {"main", 0, 1200 * (uint64_t)MS}},
    .samples = 1200};
static const struct fixture s_unsampled = {.wall_ns = 5};

/* Returns the change of a function's time. */
static struct stint_change change_of(const struct fixture *a, const struct fixture *b, const char *name,
                                     enum stint_metric metric)
{
    const struct fixture pair[] = {*a, *b};
    const struct stint_diff *diff = fixture_compare(pair, 1, 1);
    return stint_change_of(diff, fixture_row(diff, STINT_DIFF_FUNCTION, name), metric);
}

static enum stint_outcome outcome_of(const struct fixture *a, const struct fixture *b, const char *rule)
{
    const struct fixture pair[] = {*a, *b};
    return ((const struct stint_check *)fixture_checks(fixture_compare(pair, 1, 1), rule)->items)->outcome;
}

/* Of 1000 samples with a probability of 0.4, the standard deviation is 15.5. */
TEST(the_error_is_that_of_a_binomial_distribution)
{
    struct stint_change change = change_of(&s_before, &s_before, "hot", STINT_METRIC_SELF);
    assert_near(change.b_in.high - 400 * MS, 1.96 * 15.49 * MS, 0.01 * MS);
    assert_int_equal(change.verdict, STINT_VERDICT_SAME);
}

TEST(a_change_within_the_error_is_noise)
{
    assert_int_equal(change_of(&s_before, &s_same, "hot", STINT_METRIC_SELF).verdict, STINT_VERDICT_NOISE);
    assert_int_equal(change_of(&s_before, &s_slower, "hot", STINT_METRIC_SELF).verdict, STINT_VERDICT_CHANGED);
}

TEST(functions_of_one_name_are_added_up)
{
    assert_near(change_of(&s_before, &s_slower, "hot", STINT_METRIC_SELF).part, 0.5, 1e-9);
}

TEST(a_function_that_no_sample_met_took_next_to_no_time)
{
    struct stint_change change = change_of(&s_before, &s_same, "cold", STINT_METRIC_SELF);
    assert_int_equal(change.files[STINT_DIFF_B], 1);
    assert_near(change.value[STINT_DIFF_B], 0, 0);
    assert_int_equal(change.verdict, STINT_VERDICT_NOISE);
    assert_int_equal(change_of(&s_same, &s_before, "cold", STINT_METRIC_SELF).verdict, STINT_VERDICT_NOISE);
}

TEST(a_file_without_samples_says_nothing_of_functions)
{
    assert_int_equal(change_of(&s_before, &s_unsampled, "hot", STINT_METRIC_SELF).files[STINT_DIFF_B], 0);
    assert_int_equal(outcome_of(&s_before, &s_unsampled, "function:hot:self < +10% ?"), STINT_OUTCOME_SKIP);
}

TEST(what_only_calls_has_a_total_alone)
{
    assert_int_equal(change_of(&s_before, &s_slower, "main", STINT_METRIC_SELF).files[STINT_DIFF_A], 0);
    assert_near(change_of(&s_before, &s_slower, "main", STINT_METRIC_TOTAL).part, 0.2, 1e-9);
}

TEST(rules_know_the_error)
{
    assert_int_equal(outcome_of(&s_before, &s_slower, "function:hot:self < +10%"), STINT_OUTCOME_FAIL);
    assert_int_equal(outcome_of(&s_before, &s_same, "function:hot:self < +10%"), STINT_OUTCOME_UNSURE);
    assert_int_equal(outcome_of(&s_before, &s_same, "function:hot:self < +30%"), STINT_OUTCOME_PASS);
    assert_int_equal(outcome_of(&s_before, &s_slower, "function:main:total < 2s"), STINT_OUTCOME_PASS);
    assert_int_equal(outcome_of(&s_same, &s_before, "function:cold:self < +10%"), STINT_OUTCOME_UNSURE);
    assert_int_equal(outcome_of(&s_same, &s_before, "function:cold:self < 50ms"), STINT_OUTCOME_PASS);
}

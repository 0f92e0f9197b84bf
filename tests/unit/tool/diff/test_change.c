#include <math.h>

#include "diff/diff.h"
#include "diff/fixture.h"
#include "stint_test.h"

/* A recording of one scope that ran once. */
static struct fixture run_of(uint64_t ns)
{
    return (struct fixture){.scopes = {{"GlobalStatInfo", "s", -1, 1, ns, 0}}, .wall_ns = ns};
}

/* The change of the total from the first `a` runs to the others. */
static struct stint_change change_of(const uint64_t *ns, size_t a, size_t b)
{
    struct fixture fixtures[12];
    for (size_t i = 0; i < a + b; i++)
        fixtures[i] = run_of(ns[i]);
    const struct stint_diff *diff = fixture_compare(fixtures, a, b);
    return stint_change_of(diff, fixture_row(diff, STINT_DIFF_SCOPE, "s"), STINT_METRIC_TOTAL);
}

static struct stint_change metric_of(const struct fixture *fixtures, const char *path, enum stint_metric metric)
{
    const struct stint_diff *diff = fixture_compare(fixtures, 1, 1);
    return stint_change_of(diff, fixture_row(diff, STINT_DIFF_SCOPE, path), metric);
}

TEST(change_is_that_of_the_means)
{
    struct stint_change change = change_of((const uint64_t[]){90, 110, 100, 140}, 3, 1);
    assert_int_equal(change.files[STINT_DIFF_A], 3);
    assert_near(change.value[STINT_DIFF_A], 100, 0);
    assert_near(change.difference, 40, 0);
    assert_near(change.part, 0.4, 1e-15);
}

TEST(runs_that_do_not_overlap_have_changed)
{
    struct stint_change change = change_of((const uint64_t[]){100, 102, 101, 99, 98, 110, 112, 111, 109, 108}, 5, 5);
    assert_int_equal(change.noise, STINT_NOISE_BETWEEN);
    assert_int_equal(change.verdict, STINT_VERDICT_CHANGED);
    assert_true(change.part_in.low > 0.06 && change.part_in.low < 0.10);
    assert_true(change.part_in.high > 0.10 && change.part_in.high < 0.14);
    assert_true(change.difference_in.low > 6 && change.difference_in.high < 14);
    assert_true(change.b_in.low >= 108 && change.b_in.high <= 112);
}

TEST(runs_that_overlap_have_not)
{
    struct stint_change change = change_of((const uint64_t[]){100, 112, 101, 99, 98, 110, 97, 111, 99, 108}, 5, 5);
    assert_int_equal(change.verdict, STINT_VERDICT_NOISE);
    assert_true(change.part_in.low < 0 && change.part_in.high > 0);
}

/* All activations took as long, so that their spread is 0. An error of 20 is one of 95 %. */
TEST(what_is_estimated_has_changed_only_beyond_its_error)
{
    static const enum stint_metric metrics[] = {STINT_METRIC_TOTAL, STINT_METRIC_SELF, STINT_METRIC_AVG};
    struct fixture fixtures[2] = {{.scopes = {{"GlobalStatInfo", "s", -1, 10, 100, 0, 20}}},
                                  {.scopes = {{"GlobalStatInfo", "s", -1, 10, 102, 0, 20}}}};
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        fixtures[1].scopes[0].ns = 102;
        assert_int_equal(metric_of(fixtures, "s", metrics[i]).verdict, STINT_VERDICT_NOISE);
        fixtures[1].scopes[0].ns = 103;
        assert_int_equal(metric_of(fixtures, "s", metrics[i]).verdict, STINT_VERDICT_CHANGED);
    }
    assert_near(metric_of(fixtures, "s", STINT_METRIC_TOTAL).b_in.high, 1050, 0.1);
}

TEST(the_same_runs_give_the_same_interval)
{
    const uint64_t ns[] = {100, 112, 101, 99, 98, 110, 97, 111, 99, 108};
    struct stint_change once = change_of(ns, 5, 5), again = change_of(ns, 5, 5);
    assert_memory_equal(&once.part_in, &again.part_in, sizeof once.part_in);
    assert_memory_equal(&once.b_in, &again.b_in, sizeof once.b_in);
}

/* Of 400 comparisons of equal things, 5 % may look like a change; the seed is fixed, so the number is always the
 * same. */
TEST(equal_things_seldom_look_changed)
{
    uint64_t random = 7;
    int changed = 0;
    for (int trial = 0; trial < 400; trial++) {
        uint64_t ns[10];
        for (size_t i = 0; i < TEST_COUNT(ns); i++) {
            ns[i] = 1000000;
            for (int part = 0; part < 12; part++) /* a sum of many is about normal */
                ns[i] += test_random(&random) % 10000;
        }
        changed += change_of(ns, 5, 5).verdict == STINT_VERDICT_CHANGED;
    }
    assert_in_range(changed, 1, 24);
}

TEST(few_runs_span_all_that_they_might_be)
{
    struct stint_change change = change_of((const uint64_t[]){100, 200, 150, 300}, 2, 2);
    assert_near(change.part_in.low, 150.0 / 200 - 1, 1e-12);
    assert_near(change.part_in.high, 300.0 / 100 - 1, 1e-12);
    assert_near(change.b_in.low, 150, 0);
}

TEST(equal_numbers_are_the_same)
{
    struct stint_change change = change_of((const uint64_t[]){100, 100, 100, 100, 100, 100}, 3, 3);
    assert_int_equal(change.verdict, STINT_VERDICT_SAME);
    assert_near(change.part_in.low, 0, 0);
    assert_near(change.part_in.high, 0, 0);
}

TEST(one_run_of_one_activation_has_unknown_noise)
{
    struct stint_change change = change_of((const uint64_t[]){100, 150}, 1, 1);
    assert_int_equal(change.noise, STINT_NOISE_UNKNOWN);
    assert_int_equal(change.verdict, STINT_VERDICT_NONE);
}

/* 100 activations of 1000 and 2000 ns, half and half: their mean has a standard error of 500 / sqrt(100) = 50. */
TEST(within_a_run_noise_follows_from_the_spread)
{
    const struct fixture pair[] = {{.scopes = {{"GlobalStatInfo", "s", -1, 100, 1000, 50}}},
                                   {.scopes = {{"GlobalStatInfo", "s", -1, 100, 1000, 50}}}};
    struct stint_change change = metric_of(pair, "s", STINT_METRIC_AVG);
    assert_int_equal(change.noise, STINT_NOISE_WITHIN);
    assert_near(change.b_in.high, 1500 + 1.96 * 50, 1e-6);
    assert_near(change.difference_in.high, 1.96 * 50 * sqrt(2), 1e-6);
    assert_near(change.part_in.high, 1.96 * 50 * sqrt(2) / 1500, 1e-9);
}

/* The mean of two files has an error of 50 / sqrt(2), that of one 50. */
TEST(several_files_against_one_have_less_noise)
{
    const struct fixture files[] = {{.scopes = {{"GlobalStatInfo", "s", -1, 100, 1000, 50}}},
                                    {.scopes = {{"GlobalStatInfo", "s", -1, 100, 1000, 50}}},
                                    {.scopes = {{"GlobalStatInfo", "s", -1, 100, 1000, 50}}}};
    const struct stint_diff *diff = fixture_compare(files, 2, 1);
    struct stint_change change = stint_change_of(diff, fixture_row(diff, STINT_DIFF_SCOPE, "s"), STINT_METRIC_AVG);
    assert_int_equal(change.noise, STINT_NOISE_WITHIN);
    assert_near(change.difference_in.high, 1.96 * 50 * sqrt(1.5), 1e-6);
}

/* One of two activations takes 100 times as long: the error is more than the mean. */
TEST(nothing_can_be_less_than_nothing)
{
    const struct fixture pair[] = {{.scopes = {{"GlobalStatInfo", "s", -1, 2, 100, 1}}, .slow_times = 100},
                                   {.scopes = {{"GlobalStatInfo", "s", -1, 2, 100, 1}}, .slow_times = 100}};
    struct stint_change change = metric_of(pair, "s", STINT_METRIC_TOTAL);
    assert_near(change.part_in.low, -1, 0);
    assert_near(change.difference_in.low, -change.value[STINT_DIFF_A], 0);
    assert_near(change.b_in.low, 0, 0);
}

TEST(a_count_has_no_noise)
{
    const struct fixture pair[] = {{.scopes = {{"GlobalStatInfo", "s", -1, 100, 1000, 0}}},
                                   {.scopes = {{"GlobalStatInfo", "s", -1, 101, 1000, 0}}}};
    struct stint_change change = metric_of(pair, "s", STINT_METRIC_COUNT);
    assert_int_equal(change.verdict, STINT_VERDICT_CHANGED);
    assert_near(change.part_in.low, 0.01, 1e-12);
    assert_near(change.part_in.high, 0.01, 1e-12);
}

/* All samples are in one bar of the histogram, which may be 6.25 % off, but between minimum and maximum. */
TEST(percentiles_are_as_vague_as_the_histogram)
{
    const struct fixture pair[] = {{.scopes = {{"GlobalStatInfo", "s", -1, 1000, 1000, 1}}},
                                   {.scopes = {{"GlobalStatInfo", "s", -1, 1000, 1010, 1}}}};
    struct stint_change change = metric_of(pair, "s", STINT_METRIC_P50);
    assert_near(change.part, 0.01, 1e-12);
    assert_int_equal(change.verdict, STINT_VERDICT_NOISE);
    assert_near(change.b_in.high, 1010 * (1 + 1.0 / 128), 1e-6);
    assert_near(change.part_in.high, 1.01 * (1 + 1.0 / 128) / (1 - 1.0 / 128) - 1, 1e-9);
}

TEST(percentiles_of_equal_durations_are_exact)
{
    const struct fixture pair[] = {{.scopes = {{"GlobalStatInfo", "s", -1, 1000, 1000, 0}}},
                                   {.scopes = {{"GlobalStatInfo", "s", -1, 1000, 1050, 0}}}};
    struct stint_change change = metric_of(pair, "s", STINT_METRIC_P50);
    assert_int_equal(change.verdict, STINT_VERDICT_CHANGED);
    assert_near(change.part_in.low, 0.05, 1e-12);
}

TEST(what_one_side_lacks_has_not_changed)
{
    const struct fixture pair[] = {{.scopes = {{"GlobalStatInfo", "a", -1, 1, 1000, 0}}},
                                   {.scopes = {{"GlobalStatInfo", "b", -1, 1, 1000, 0}}}};
    struct stint_change change = metric_of(pair, "b", STINT_METRIC_TOTAL);
    assert_int_equal(change.files[STINT_DIFF_A], 0);
    assert_near(change.value[STINT_DIFF_B], 1000, 0);
    assert_int_equal(change.verdict, STINT_VERDICT_NONE);
}

TEST(how_sums_beyond_64_bits_differ_is_not_known)
{
    struct stint_change change = change_of((const uint64_t[]){UINT64_MAX, UINT64_MAX}, 1, 1);
    assert_true(isinf(change.part) && isinf(change.difference));
    assert_int_equal(change.verdict, STINT_VERDICT_NONE);
    assert_string_equal(stint_amount_of_part(change.part).text, "?");
}

TEST(from_nothing_to_something_is_no_percentage)
{
    struct stint_change change = change_of((const uint64_t[]){0, 150}, 1, 1);
    assert_true(isnan(change.part));
    assert_near(change.difference, 150, 0);
}

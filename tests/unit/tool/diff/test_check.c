#include <string.h>

#include "diff/diff.h"
#include "diff/fixture.h"
#include "stint_test.h"

/* Checks rules against fixture_before and fixture_after. */
static const struct stint_array *check(const char *rules)
{
    const struct fixture pair[] = {fixture_before, fixture_after};
    return fixture_checks(fixture_compare(pair, 1, 1), rules);
}

static const struct stint_check *check_at(const struct stint_array *checks, size_t i)
{
    assert_true(i < checks->count);
    return (const struct stint_check *)checks->items + i;
}

/* The outcome of a rule that is about one row, or none. */
static enum stint_outcome outcome_of(const char *rule)
{
    const struct stint_array *checks = check(rule);
    assert_int_equal(checks->count, 1);
    return check_at(checks, 0)->outcome;
}

TEST(what_is_beyond_the_limit_fails)
{
    assert_int_equal(outcome_of("scope:forward:avg < +5%"), STINT_OUTCOME_FAIL);
    assert_int_equal(outcome_of("scope:forward:p50 < +5%"), STINT_OUTCOME_FAIL);
    assert_int_equal(outcome_of("scope:forward:avg < +50%"), STINT_OUTCOME_PASS);
}

TEST(what_noise_may_have_done_neither_passes_nor_fails)
{
    assert_int_equal(outcome_of("scope:backward:avg < +0.1%"), STINT_OUTCOME_UNSURE);
    assert_int_equal(outcome_of("scope:backward:avg < +0.3%"), STINT_OUTCOME_UNSURE);
    assert_int_equal(outcome_of("scope:backward:avg < +50%"), STINT_OUTCOME_PASS);
}

TEST(a_limit_may_be_the_change_or_the_value)
{
    assert_int_equal(outcome_of("total:wall:total < +50ms"), STINT_OUTCOME_FAIL);
    assert_int_equal(outcome_of("total:wall:total < +100ms"), STINT_OUTCOME_PASS);
    assert_int_equal(outcome_of("total:wall:total <= 1040ms"), STINT_OUTCOME_PASS);
    assert_int_equal(outcome_of("total:wall:total < 1040ms"), STINT_OUTCOME_FAIL);
}

TEST(every_relation_holds_where_it_should)
{
    assert_int_equal(outcome_of("api:cudaLaunchKernel:count == 810"), STINT_OUTCOME_PASS);
    assert_int_equal(outcome_of("api:cudaLaunchKernel:count == 809"), STINT_OUTCOME_FAIL);
    assert_int_equal(outcome_of("api:cudaLaunchKernel:count >= 810"), STINT_OUTCOME_PASS);
    assert_int_equal(outcome_of("api:cudaLaunchKernel:count > 810"), STINT_OUTCOME_FAIL);
    assert_int_equal(outcome_of("api:cudaLaunchKernel:count <= +1.25%"), STINT_OUTCOME_PASS);
    assert_int_equal(outcome_of("copy:*:bytes == 104.8576MB"), STINT_OUTCOME_PASS);
}

TEST(kernels_are_found_without_what_cpp_has_around_their_name)
{
    assert_int_equal(outcome_of("kernel:gemm<float, 128>:avg < +5%"), STINT_OUTCOME_FAIL);
    assert_int_equal(outcome_of("kernel:*gemm*:kernels == +0"), STINT_OUTCOME_PASS);
}

TEST(scopes_are_found_with_their_set_too)
{
    assert_int_equal(outcome_of("scope:Layers/conv*:avg < +50%"), STINT_OUTCOME_PASS);
    assert_int_equal(outcome_of("scope:GlobalStatInfo/forward:avg < +1%"), STINT_OUTCOME_FAIL);
}

TEST(contexts_are_found_by_their_path)
{
    assert_int_equal(outcome_of("context:train/forward:avg < +1%"), STINT_OUTCOME_FAIL);
}

TEST(gpu_is_about_kernels_and_copies)
{
    const struct stint_array *checks = check("gpu:*:gpu < +1%");
    assert_int_equal(checks->count, 2);
    assert_int_equal(stint_checks_count(checks, STINT_OUTCOME_FAIL), 1);
}

TEST(a_rule_about_nothing_fails_unless_it_may_be)
{
    assert_int_equal(outcome_of("scope:forwards:avg < +5%"), STINT_OUTCOME_FAIL);
    assert_int_equal(outcome_of("scope:forwards:avg < +5% ?"), STINT_OUTCOME_SKIP);
    assert_int_equal(outcome_of("scope:train:avg < +50%"), STINT_OUTCOME_PASS);
}

/* The row is there, and cannot be compared: that is a check of its own, behind it the one of the rule. */
TEST(what_is_gone_fails_its_rule)
{
    const struct stint_array *checks = check("scope:prefetch:avg < +5%");
    assert_int_equal(checks->count, 2);
    assert_int_equal(check_at(checks, 0)->outcome, STINT_OUTCOME_SKIP);
    assert_int_equal(check_at(checks, 1)->outcome, STINT_OUTCOME_FAIL);
    assert_null(check_at(checks, 1)->row);
}

TEST(what_is_new_has_no_change_but_a_value)
{
    const struct stint_array *checks = check("scope:*:avg < +1000%");
    assert_int_equal(stint_checks_count(checks, STINT_OUTCOME_SKIP), 2); /* new, gone */
    assert_int_equal(stint_checks_count(checks, STINT_OUTCOME_FAIL), 0);
    assert_int_equal(outcome_of("scope:checkpoint:avg < 8ms"), STINT_OUTCOME_FAIL);
}

TEST(something_from_nothing_is_beyond_any_percentage)
{
    const struct fixture pair[] = {
        {.scopes = {{"GlobalStatInfo", "s", -1, 1, 0, 0}}},
        {.scopes = {{"GlobalStatInfo", "s", -1, 1, 9, 0}}},
    };
    const struct stint_array *checks = fixture_checks(fixture_compare(pair, 1, 1), "scope:s:total < +100000%");
    assert_int_equal(check_at(checks, 0)->outcome, STINT_OUTCOME_FAIL);
}

TEST(explanations_say_what_was_measured)
{
    static const struct {
        const char *rule;
        const char *words;
    } cases[] = {
        {"total:wall:total < +5%", "A 950.0 ms, B 1.040 s: +9.5%, noise unknown"},
        {"total:wall:total < +5ms", "A 950.0 ms, B 1.040 s: +90.00 ms, noise unknown"},
        {"api:cudaLaunchKernel:count < +1%", "A 800, B 810: +1.2%"},
        {"scope:backward:avg < +5%", "A 4.400 ms, B 4.411 ms: +0.2%, interval from -7.3% to +7.8%"},
        {"scope:backward:avg < +1ms", "A 4.400 ms, B 4.411 ms: +11.00 us, interval from -322.0 us to +344.0 us"},
        {"scope:forwards:avg < +5%", "none of the rows that it matches could be compared"},
        {"copy:*:bytes < 1MB", "A 104.858 MB, B 104.858 MB: 0%"},
    };
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        struct stint_line line = {0};
        const struct stint_array *checks = check(cases[i].rule);
        stint_check_explain(&line, check_at(checks, 0));
        line.text[line.used] = '\0';
        assert_string_equal(line.text, cases[i].words);
    }
}

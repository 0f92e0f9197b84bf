#include <string.h>

#include "diff/diff.h"
#include "diff/fixture.h"
#include "stint_test.h"

static struct stint_arena s_arena;

static int forget(void **state)
{
    stint_arena_free(&s_arena);
    return 0;
}

/* Reads one rule. */
static struct stint_gate_rule rule_of(const char *text)
{
    struct stint_array rules = {0};
    struct stint_gate_error error;
    if (stint_gate_read(&rules, &s_arena, text, &error))
        fail_msg("%s: column %zu: %s", text, error.column, error.reason);
    assert_int_equal(rules.count, 1);
    return *(const struct stint_gate_rule *)rules.items;
}

static void assert_refused(const char *text, size_t line, size_t column, const char *reason)
{
    struct stint_array rules = {0};
    struct stint_gate_error error;
    assert_int_equal(stint_gate_read(&rules, &s_arena, text, &error), -1);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    if (!strstr(error.reason, reason))
        fail_msg("%s: '%s' has no '%s'", text, error.reason, reason);
}

TEST_ONCE(NULL, forget)

TEST(a_rule_has_kind_pattern_metric_relation_and_limit)
{
    struct stint_gate_rule rule = rule_of("  scope:forward:p50 < +5% ");
    assert_string_equal(rule.text, "scope:forward:p50 < +5%");
    assert_int_equal(rule.kinds, 1U << STINT_DIFF_SCOPE);
    assert_string_equal(rule.pattern, "forward");
    assert_int_equal(rule.metric, STINT_METRIC_P50);
    assert_int_equal(rule.relation, STINT_GATE_LESS);
    assert_int_equal(rule.limit, STINT_LIMIT_PERCENT);
    assert_near(rule.bound, 0.05, 1e-15);
    assert_false(rule.optional);
}

TEST(blanks_around_the_relation_are_optional)
{
    struct stint_gate_rule rule = rule_of("kernel:*gemm*:avg<=+5%?");
    assert_int_equal(rule.relation, STINT_GATE_AT_MOST);
    assert_true(rule.optional);
}

TEST(every_relation_is_read)
{
    assert_int_equal(rule_of("api:*:count < 5").relation, STINT_GATE_LESS);
    assert_int_equal(rule_of("api:*:count <= 5").relation, STINT_GATE_AT_MOST);
    assert_int_equal(rule_of("api:*:count > 5").relation, STINT_GATE_GREATER);
    assert_int_equal(rule_of("api:*:count >= 5").relation, STINT_GATE_AT_LEAST);
    assert_int_equal(rule_of("api:*:count == 5").relation, STINT_GATE_EQUAL);
}

TEST(a_sign_makes_a_limit_one_of_the_change)
{
    struct stint_gate_rule rule = rule_of("total:wall:total < -2.5ms");
    assert_int_equal(rule.limit, STINT_LIMIT_CHANGE);
    assert_near(rule.bound, -2500000, 1e-6);
    rule = rule_of("total:wall:total < 2.5ms");
    assert_int_equal(rule.limit, STINT_LIMIT_VALUE);
    assert_near(rule.bound, 2500000, 1e-6);
}

TEST(units_belong_to_the_metric)
{
    assert_near(rule_of("scope:a:max < 3us").bound, 3e3, 1e-9);
    assert_near(rule_of("scope:a:max < 3 s").bound, 3e9, 1e-3);
    assert_near(rule_of("copy:*:bytes < 12KB").bound, 12e3, 1e-9);
    assert_near(rule_of("copy:*:bytes < 12GB").bound, 12e9, 1e-3);
    assert_refused("scope:a:max < 3MB", 1, 16, "expected ns, us, ms or s");
    assert_refused("scope:a:count < 3ms", 1, 18, "expected no unit");
    assert_refused("scope:a:bytes < 3", 1, 18, "expected B, KB, MB or GB");
}

TEST(the_metric_follows_the_last_colon)
{
    struct stint_gate_rule rule = rule_of("kernel:void at::native::add<float>(int):avg < +1%");
    assert_string_equal(rule.pattern, "void at::native::add<float>(int)");
    assert_int_equal(rule.metric, STINT_METRIC_AVG);
}

TEST(gpu_is_kernels_and_copies)
{
    assert_int_equal(rule_of("gpu:*:total < +1%").kinds, 1U << STINT_DIFF_KERNEL | 1U << STINT_DIFF_COPY);
}

TEST(a_kernel_has_counters)
{
    struct stint_gate_rule rule = rule_of("kernel:*:dram_bytes < +5%");
    assert_int_equal(rule.kinds, 1U << STINT_DIFF_COUNTER);
    assert_string_equal(rule.counter, "dram_bytes");
    assert_string_equal(stint_gate_metric(&rule), "dram_bytes");
    assert_null(rule_of("kernel:*:bytes < 1GB").counter);
    assert_near(rule_of("kernel:*:dram__bytes_read < 3MB").bound, 3e6, 1e-9);
    assert_near(rule_of("kernel:*:gpu__time_duration.sum < 3us").bound, 3e3, 1e-9);
    assert_near(rule_of("kernel:*:fp64_flops == 0").bound, 0, 0);
    assert_near(rule_of("kernel:*:lts__t_sector_hit_rate.pct > 80").bound, 80, 0);
    assert_refused("kernel:*:dram_bytes < 3", 1, 24, "dram_bytes: expected B, KB, MB or GB");
    assert_int_equal(rule_of("scope:forward:dram_bytes < +5%").kinds, 1U << STINT_DIFF_SCOPE_COUNTER);
    assert_refused("copy:*:dram_bytes < +5%", 1, 8, "only kernels and scopes have counters: kernel:*:dram_bytes");
}

TEST(rules_are_separated_by_semicolons_and_lines)
{
    struct stint_array rules = {0};
    struct stint_gate_error error;
    assert_int_equal(stint_gate_read(&rules, &s_arena,
                                     "# a comment; with a semicolon\n"
                                     "scope:a:avg < +1%; scope:b:avg < +2% ;\r\n"
                                     "\n"
                                     "  # another\n"
                                     "scope:#c:avg < +3%\n",
                                     &error),
                     0);
    const struct stint_gate_rule *rule = rules.items;
    assert_int_equal(rules.count, 3);
    assert_string_equal(rule[0].pattern, "a");
    assert_string_equal(rule[1].pattern, "b");
    assert_string_equal(rule[2].pattern, "#c");
}

TEST(a_semicolon_in_a_pattern_is_escaped)
{
    assert_string_equal(rule_of("scope:a\\;b:avg < +1%").pattern, "a\\;b");
}

TEST(mistakes_are_told_with_their_place)
{
    assert_refused("", 1, 1, "there is no rule");
    assert_refused(" ; # nothing", 1, 1, "there is no rule");
    assert_refused("forward", 1, 1, "expected a rule such as scope:forward:p50 < +5%");
    assert_refused("scopes:a:avg < +1%", 1, 1, "expected total, scope, context");
    assert_refused("scope:a", 1, 7, "a colon and a metric");
    assert_refused("scope::avg < +1%", 1, 7, "expected a name or pattern, such as");
    assert_refused("kernel:a:dram_byte < +1%", 1, 10, "of kernels and scopes, a counter such as dram_bytes");
    assert_refused("counter:a:dram_bytes < +1%", 1, 1, "expected total, scope, context");
    assert_refused("kernel:a:value < +1%", 1, 10, "expected count, total");
    assert_refused("scope:a:mean < +1%", 1, 9, "expected count, total");
    assert_refused("scope:a:avg +1%", 1, 13, "expected <, <=");
    assert_refused("scope:a:avg < fast", 1, 15, "expected a number");
    assert_refused("scope:a:avg < 5%", 1, 15, "a change needs a sign: +5%");
    assert_refused("scope:a:avg < +5% !", 1, 19, "expected the end of the rule");
    assert_refused("scope:a:avg < +5%\n scope:a:avg", 2, 13, "expected <, <=");
}

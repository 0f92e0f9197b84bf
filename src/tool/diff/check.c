/* Applies rules to the rows of a comparison. A rule passes or fails only if noise cannot explain it; else it is
 * undecided. */
#include "diff/diff.h"

#include <math.h>
#include <string.h>

#include "diff/metric.h"
#include "support/annotation.h"

/* --------------------------------------------------------------------------------------------------------- matching */

/* Compares the name, with or without C++'s return type and parameters, or with its set in front as in tables. */
static int is_about(const struct stint_gate_rule *rule, const struct stint_diff_row *row)
{
    char joined[4096];
    size_t length = strlen(rule->pattern);
    if (!(rule->kinds & 1U << row->kind))
        return 0;
    if (rule->counter && !stint_counter_is(rule->counter, row->set))
        return 0;
    if (stint_pattern_matches_name(rule->pattern, length, row->path))
        return 1;
    size_t set = strlen(row->set), name = strlen(row->name);
    if (row->kind != STINT_DIFF_SCOPE || set + name + 2 > sizeof joined)
        return 0;
    memcpy(joined, row->set, set);
    joined[set] = '/';
    memcpy(joined + set + 1, row->name, name + 1);
    return stint_pattern_matches(rule->pattern, length, joined);
}

/* ---------------------------------------------------------------------------------------------------------- judging */

static int holds(enum stint_gate_relation relation, double value, double bound)
{
    switch (relation) {
    case STINT_GATE_LESS:
        return value < bound;
    case STINT_GATE_AT_MOST:
        return value <= bound;
    case STINT_GATE_GREATER:
        return value > bound;
    case STINT_GATE_AT_LEAST:
        return value >= bound;
    default:
        return value >= bound && value <= bound;
    }
}

/* Whether the interval has values that satisfy the limit and values that do not. */
static int is_undecided(enum stint_gate_relation relation, const struct stint_interval *in, double bound)
{
    if (relation == STINT_GATE_EQUAL)
        return in->low <= bound && bound <= in->high && in->low < in->high;
    return holds(relation, in->low, bound) != holds(relation, in->high, bound);
}

static const struct stint_interval *interval_of(const struct stint_gate_rule *rule, const struct stint_change *change)
{
    switch (rule->limit) {
    case STINT_LIMIT_PERCENT:
        return &change->part_in;
    case STINT_LIMIT_CHANGE:
        return &change->difference_in;
    default:
        return &change->b_in;
    }
}

static enum stint_outcome judge(const struct stint_gate_rule *rule, const struct stint_change *change)
{
    double values[] = {[STINT_LIMIT_PERCENT] = change->part,
                       [STINT_LIMIT_CHANGE] = change->difference,
                       [STINT_LIMIT_VALUE] = change->value[STINT_DIFF_B]};
    if (!change->files[STINT_DIFF_B] || (rule->limit != STINT_LIMIT_VALUE && !change->files[STINT_DIFF_A]))
        return STINT_OUTCOME_SKIP;
    /* A change from 0 exceeds any percentage, unless it may be noise. */
    double value = isnan(values[rule->limit]) ? INFINITY : values[rule->limit];
    if (rule->limit == STINT_LIMIT_PERCENT && isnan(change->part) && change->verdict == STINT_VERDICT_NOISE)
        return STINT_OUTCOME_UNSURE;
    if (change->noise != STINT_NOISE_UNKNOWN && is_undecided(rule->relation, interval_of(rule, change), rule->bound))
        return STINT_OUTCOME_UNSURE;
    return holds(rule->relation, value, rule->bound) ? STINT_OUTCOME_PASS : STINT_OUTCOME_FAIL;
}

static int add_check(struct stint_array *checks, struct stint_arena *arena, const struct stint_check *check)
{
    struct stint_check *added = stint_array_add(checks, arena, sizeof *added);
    if (!added)
        return -1;
    *added = *check;
    return 0;
}

/* A rule that compares nothing would always pass, so it fails unless it is marked as optional. */
static int check_rule(const struct stint_diff *diff, const struct stint_gate_rule *rule, struct stint_array *checks,
                      struct stint_arena *arena)
{
    size_t compared = 0, before = checks->count;
    for (size_t i = 0; i < diff->rows.count; i++) {
        const struct stint_diff_row *row = stint_diff_row_at(diff, i);
        if (!is_about(rule, row))
            continue;
        struct stint_check check = {.rule = rule, .row = row, .change = stint_change_of(diff, row, rule->metric)};
        check.outcome = judge(rule, &check.change);
        compared += check.outcome != STINT_OUTCOME_SKIP;
        if (add_check(checks, arena, &check))
            return -1;
    }
    if (compared || (rule->optional && checks->count > before))
        return 0;
    struct stint_check none = {.rule = rule, .outcome = rule->optional ? STINT_OUTCOME_SKIP : STINT_OUTCOME_FAIL};
    return add_check(checks, arena, &none);
}

int stint_gate_check(const struct stint_diff *diff, const struct stint_array *rules, struct stint_array *checks,
                     struct stint_arena *arena)
{
    for (size_t i = 0; i < rules->count; i++)
        if (check_rule(diff, (const struct stint_gate_rule *)rules->items + i, checks, arena))
            return -1;
    return 0;
}

size_t stint_checks_count(const struct stint_array *checks, enum stint_outcome outcome)
{
    size_t count = 0;
    for (size_t i = 0; i < checks->count; i++)
        count += ((const struct stint_check *)checks->items)[i].outcome == outcome;
    return count;
}

/* ------------------------------------------------------------------------------------------------------------ words */

const char *stint_outcome_name(enum stint_outcome outcome)
{
    static const char *const names[] = {[STINT_OUTCOME_PASS] = "pass",
                                        [STINT_OUTCOME_UNSURE] = "inconclusive",
                                        [STINT_OUTCOME_SKIP] = "skipped",
                                        [STINT_OUTCOME_FAIL] = "FAIL"};
    return names[outcome];
}

static const char *why_absent(const struct stint_diff_row *row)
{
    return !row                        ? "none of the rows that it matches could be compared"
           : !row->files[STINT_DIFF_B] ? "only in A"
           : !row->files[STINT_DIFF_A] ? "only in B"
                                       : "not measured";
}

/* What the rule limits: a percentage, a change, or a value. */
static struct stint_amount limited(enum stint_limit limit, enum stint_metric metric, double value)
{
    return limit == STINT_LIMIT_PERCENT  ? stint_amount_of_part(value)
           : limit == STINT_LIMIT_CHANGE ? stint_amount_of_change(metric, value)
                                         : stint_amount(metric, value);
}

/* For a value without noise, such as a count, nothing is written. */
static void put_interval(struct stint_line *line, const struct stint_check *check)
{
    enum stint_metric metric = check->rule->metric;
    const struct stint_interval *in = interval_of(check->rule, &check->change);
    if (check->change.noise == STINT_NOISE_UNKNOWN) {
        stint_line_string(line, ", noise unknown");
        return;
    }
    if (isfinite(in->low) && isfinite(in->high) && in->low < in->high)
        stint_line_say(line, ", interval from %s to %s", limited(check->rule->limit, metric, in->low).text,
                       limited(check->rule->limit, metric, in->high).text);
}

void stint_check_explain(struct stint_line *line, const struct stint_check *check)
{
    const struct stint_change *change = &check->change;
    enum stint_metric metric = check->rule->metric;
    if (!check->row || check->outcome == STINT_OUTCOME_SKIP) {
        stint_line_string(line, why_absent(check->row));
        return;
    }
    if (change->files[STINT_DIFF_A])
        stint_line_say(line, "A %s, ", stint_amount(metric, change->value[STINT_DIFF_A]).text);
    stint_line_say(line, "B %s", stint_amount(metric, change->value[STINT_DIFF_B]).text);
    if (change->files[STINT_DIFF_A] && check->rule->limit == STINT_LIMIT_CHANGE)
        stint_line_say(line, ": %s", stint_amount_of_change(metric, change->difference).text);
    else if (change->files[STINT_DIFF_A])
        stint_line_say(line, ": %s", stint_amount_of_part(change->part).text);
    put_interval(line, check);
}

/* Parses the rules of stint diff --gate, with a position for each mistake. */
#include "diff/diff.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "diff/metric.h"

/* rule    = kind ":" pattern ":" metric operator limit [ "?" ]
 * limit   = ( "+" | "-" ) number "%"  |  [ "+" | "-" ] number [ unit ]
 *
 * A pattern may have colons, as C++ names do: the metric follows the last one. A ";" in it is written as "\;". */
struct reader {
    const char *text;
    const char *at;
    const char *end; /* of the rule */
    struct stint_gate_error *error;
};

__attribute__((format(printf, 3, 4))) static int fail(struct reader *reader, const char *at, const char *format, ...)
{
    struct stint_gate_error *error = reader->error;
    va_list arguments;
    error->line = error->column = 1;
    for (const char *before = reader->text; before < at; before++) {
        error->column = *before == '\n' ? 1 : error->column + 1;
        error->line += *before == '\n';
    }
    va_start(arguments, format);
    (void)vsnprintf(error->reason, sizeof error->reason, format, arguments);
    va_end(arguments);
    return -1;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && is_blank(*reader->at))
        reader->at++;
}

static int is_in(char c, const char *set)
{
    return c && strchr(set, c);
}

/* ------------------------------------------------------------------------------------------------------- kind, name */

static int read_kind(struct reader *reader, struct stint_gate_rule *rule)
{
    enum stint_diff_kind kind;
    const char *colon = memchr(reader->at, ':', (size_t)(reader->end - reader->at));
    if (!colon)
        return fail(reader, reader->at, "expected a rule such as scope:forward:p50 < +5%%");
    size_t length = (size_t)(colon - reader->at);
    if (length == 3 && memcmp(reader->at, "gpu", 3) == 0)
        rule->kinds = 1U << STINT_DIFF_KERNEL | 1U << STINT_DIFF_COPY;
    else if (stint_diff_kind_read(reader->at, length, &kind) == 0 && !stint_diff_kind_is_counter(kind))
        rule->kinds = 1U << kind;
    else
        return fail(reader, reader->at,
                    "expected total, scope, context, kernel, copy, gpu, api or function before the colon");
    reader->at = colon + 1;
    return 0;
}

static int read_pattern(struct reader *reader, struct stint_gate_rule *rule, struct stint_arena *arena)
{
    const char *colon = reader->end;
    while (colon > reader->at && colon[-1] != ':')
        colon--;
    if (colon == reader->at)
        return fail(reader, reader->at, "expected a name or pattern, a colon and a metric");
    colon--;
    if (colon == reader->at)
        return fail(reader, reader->at, "expected a name or pattern, such as forward or *gemm*");
    rule->pattern = stint_arena_copy(arena, reader->at, (size_t)(colon - reader->at));
    reader->at = colon + 1;
    return rule->pattern ? 0 : fail(reader, reader->at, "there is not enough memory");
}

static int read_counter(struct reader *reader, struct stint_gate_rule *rule, struct stint_arena *arena,
                        const char *begin)
{
    rule->counter = stint_arena_copy(arena, begin, (size_t)(reader->at - begin));
    if (!rule->counter)
        return fail(reader, begin, "there is not enough memory");
    if (rule->kinds == 1U << STINT_DIFF_SCOPE)
        rule->kinds = 1U << STINT_DIFF_SCOPE_COUNTER;
    else if (rule->kinds == 1U << STINT_DIFF_KERNEL)
        rule->kinds = 1U << STINT_DIFF_COUNTER;
    else
        return fail(reader, begin, "only kernels and scopes have counters: kernel:*:%.80s", rule->counter);
    rule->metric = stint_counter_metric(rule->counter);
    return 0;
}

static int read_metric(struct reader *reader, struct stint_gate_rule *rule, struct stint_arena *arena)
{
    const char *begin = reader->at;
    while (reader->at < reader->end && !is_blank(*reader->at) && !is_in(*reader->at, "<>="))
        reader->at++;
    size_t length = (size_t)(reader->at - begin);
    if (stint_counter_is_name(begin, length))
        return read_counter(reader, rule, arena, begin);
    if (stint_metric_read(begin, length, &rule->metric) == 0 && rule->metric != STINT_METRIC_VALUE)
        return 0;
    return fail(reader, begin,
                "expected count, total, self, min, max, avg, p50, p90, p99, gpu, kernels, bytes or, of kernels and "
                "scopes, a counter such as dram_bytes after the last colon");
}

static int read_relation(struct reader *reader, struct stint_gate_rule *rule)
{
    static const struct {
        char text[3];
        enum stint_gate_relation relation;
    } relations[] = {
        {"<=", STINT_GATE_AT_MOST}, {">=", STINT_GATE_AT_LEAST}, {"==", STINT_GATE_EQUAL},
        {"<", STINT_GATE_LESS},     {">", STINT_GATE_GREATER},
    };
    skip_blanks(reader);
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++) {
        size_t length = strlen(relations[i].text);
        if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, relations[i].text, length) != 0)
            continue;
        rule->relation = relations[i].relation;
        reader->at += length;
        return 0;
    }
    return fail(reader, reader->at, "expected <, <=, >, >= or ==");
}

const char *stint_gate_metric(const struct stint_gate_rule *rule)
{
    return rule->counter ? rule->counter : stint_metric_name(rule->metric);
}

/* ------------------------------------------------------------------------------------------------------------ limit */

/* Returns -1 without a digit. */
static int read_number(struct reader *reader, double *number)
{
    const char *begin = reader->at;
    double scale = 1;
    int digits = 0, point = 0;
    *number = 0;
    for (; reader->at < reader->end; reader->at++) {
        char c = *reader->at;
        if (c == '.' && !point) {
            point = 1;
        } else if (c >= '0' && c <= '9' && digits < 18) {
            *number = *number * 10 + (c - '0');
            scale *= point ? 10 : 1;
            digits++;
        } else {
            break;
        }
    }
    *number /= scale;
    return digits ? 0 : fail(reader, begin, "expected a number, such as +5%%, +2ms or 3ms");
}

static const struct unit {
    char name[4];
    enum stint_metric_unit of;
    double factor;
} s_units[] = {
    {"ns", STINT_METRIC_NS, 1},         {"us", STINT_METRIC_NS, 1e3},       {"ms", STINT_METRIC_NS, 1e6},
    {"s", STINT_METRIC_NS, 1e9},        {"", STINT_METRIC_NUMBER, 1},       {"B", STINT_METRIC_OF_BYTES, 1},
    {"KB", STINT_METRIC_OF_BYTES, 1e3}, {"MB", STINT_METRIC_OF_BYTES, 1e6}, {"GB", STINT_METRIC_OF_BYTES, 1e9},
};

static int read_unit(struct reader *reader, struct stint_gate_rule *rule)
{
    static const char *const expected[] = {[STINT_METRIC_NUMBER] = "no unit",
                                           [STINT_METRIC_NS] = "ns, us, ms or s",
                                           [STINT_METRIC_OF_BYTES] = "B, KB, MB or GB"};
    enum stint_metric_unit unit = stint_metric_unit(rule->metric);
    const char *begin = reader->at;
    while (reader->at < reader->end && !is_blank(*reader->at) && *reader->at != '?')
        reader->at++;
    size_t length = (size_t)(reader->at - begin);
    for (size_t i = 0; i < sizeof s_units / sizeof s_units[0]; i++) {
        if (s_units[i].of != unit || strlen(s_units[i].name) != length || memcmp(s_units[i].name, begin, length) != 0)
            continue;
        rule->bound *= s_units[i].factor;
        return 0;
    }
    return fail(reader, begin, "%.80s: expected %s after the number, or %%", stint_gate_metric(rule), expected[unit]);
}

static int read_limit(struct reader *reader, struct stint_gate_rule *rule)
{
    skip_blanks(reader);
    const char *begin = reader->at;
    char sign = '\0';
    if (reader->at < reader->end && is_in(*reader->at, "+-"))
        sign = *reader->at++;
    if (read_number(reader, &rule->bound))
        return -1;
    rule->bound *= sign == '-' ? -1 : 1;
    skip_blanks(reader);
    if (reader->at < reader->end && *reader->at == '%') {
        if (!sign)
            return fail(reader, begin, "a change needs a sign: +%.*s", (int)(reader->at + 1 - begin), begin);
        reader->at++;
        rule->limit = STINT_LIMIT_PERCENT;
        rule->bound /= 100;
        return 0;
    }
    rule->limit = sign ? STINT_LIMIT_CHANGE : STINT_LIMIT_VALUE;
    return read_unit(reader, rule);
}

/* ------------------------------------------------------------------------------------------------------------ rules */

static int read_end(struct reader *reader, struct stint_gate_rule *rule)
{
    skip_blanks(reader);
    if (reader->at < reader->end && *reader->at == '?') {
        rule->optional = 1;
        reader->at++;
    }
    skip_blanks(reader);
    if (reader->at == reader->end)
        return 0;
    return fail(reader, reader->at, "expected the end of the rule: rules are separated by \";\"");
}

static int read_rule(struct reader *reader, struct stint_array *rules, struct stint_arena *arena)
{
    struct stint_gate_rule rule = {.text = stint_arena_copy(arena, reader->at, (size_t)(reader->end - reader->at))};
    if (!rule.text)
        return fail(reader, reader->at, "there is not enough memory");
    if (read_kind(reader, &rule) || read_pattern(reader, &rule, arena) || read_metric(reader, &rule, arena) ||
        read_relation(reader, &rule) || read_limit(reader, &rule) || read_end(reader, &rule))
        return -1;
    struct stint_gate_rule *added = stint_array_add(rules, arena, sizeof *added);
    if (!added)
        return fail(reader, reader->at, "there is not enough memory");
    *added = rule;
    return 0;
}

/* Returns where the rule at `at` ends. */
static const char *end_of(const char *at)
{
    if (*at == '#')
        return at + strcspn(at, "\n");
    while (*at && *at != ';' && *at != '\n')
        at += at[0] == '\\' && at[1] && at[1] != '\n' ? 2 : 1;
    return at;
}

int stint_gate_read(struct stint_array *rules, struct stint_arena *arena, const char *text,
                    struct stint_gate_error *error)
{
    struct reader reader = {.text = text, .error = error};
    size_t before = rules->count;
    for (const char *at = text;; at++) {
        while (is_blank(*at))
            at++;
        const char *end = end_of(at), *last = end;
        while (last > at && is_blank(last[-1]))
            last--;
        reader.at = at;
        reader.end = last;
        if (last > at && *at != '#' && read_rule(&reader, rules, arena))
            return -1;
        at = end;
        if (!*at)
            break;
    }
    reader.at = text;
    return rules->count > before ? 0 : fail(&reader, text, "there is no rule");
}

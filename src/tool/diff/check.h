/* Rules on what may change, "scope:forward:p50 < +5%", and checks of the rows that they match. */
#ifndef STINT_DIFF_CHECK_H
#define STINT_DIFF_CHECK_H

#include "base/array.h"
#include "diff/diff.h"
#include "diff/metric.h"
#include "report/line.h"

/* --------------------------------------------------------------------------------------------------- rules (gate.c) */

/* What a limit limits. */
enum stint_limit {
    STINT_LIMIT_PERCENT, /* "+5%": the change, as a part of A */
    STINT_LIMIT_CHANGE,  /* "+2ms": B - A */
    STINT_LIMIT_VALUE    /* "3ms": B */
};

enum stint_gate_relation {
    STINT_GATE_LESS,
    STINT_GATE_AT_MOST,
    STINT_GATE_GREATER,
    STINT_GATE_AT_LEAST,
    STINT_GATE_EQUAL
};

struct stint_gate_rule {
    const char *text;    /* as it was written, without blanks around it */
    unsigned kinds;      /* 1 << enum stint_diff_kind, of each */
    const char *pattern; /* of support/pattern.h */
    enum stint_metric metric;
    const char *counter; /* of kernels (kernel_counter.h): `metric` says its unit; NULL: no counter */
    enum stint_gate_relation relation;
    enum stint_limit limit;
    double bound; /* parts of A, ns, bytes, or a number */
    int optional; /* may match nothing */
};

/* Returns the name of the metric or counter that the rule is about. */
const char *stint_gate_metric(const struct stint_gate_rule *rule);

struct stint_gate_error {
    size_t line;   /* from 1 on */
    size_t column; /* from 1 on, in bytes */
    char reason[160];
};

/* Reads rules, separated by ";" or line feeds; a line whose first character is "#" is a comment. Adds them to `rules`,
 * an array of struct stint_gate_rule in the arena. Returns 0, or -1: `error` says what is wrong, and where. */
int stint_gate_read(struct stint_array *rules, struct stint_arena *arena, const char *text,
                    struct stint_gate_error *error);

/* ----------------------------------------------------------------------------------------------------------- checks */

enum stint_outcome {
    STINT_OUTCOME_PASS,
    STINT_OUTCOME_UNSURE, /* noise exceeds the distance to the limit: neither passed nor failed */
    STINT_OUTCOME_SKIP,   /* nothing to compare: one side lacks the row, or the metric was not measured */
    STINT_OUTCOME_FAIL
};

struct stint_check {
    const struct stint_gate_rule *rule;
    const struct stint_diff_row *row; /* NULL: the rule matches no row that could be compared */
    enum stint_outcome outcome;
    struct stint_change change;
};

/* Checks every rule against every row that it matches; a rule without rows gets one check. Fills `checks`, an array of
 * struct stint_check in the arena, by rule. Returns 0, or -1 without memory. */
int stint_gate_check(const struct stint_diff *diff, const struct stint_array *rules, struct stint_array *checks,
                     struct stint_arena *arena);

size_t stint_checks_count(const struct stint_array *checks, enum stint_outcome outcome);

/* "pass" */
const char *stint_outcome_name(enum stint_outcome outcome);

/* Adds why: "A 3.100 ms, B 3.500 ms: +12.9%, interval from +10.1% to +15.2%". */
void stint_check_explain(struct stint_line *line, const struct stint_check *check);

#endif

/* Rules on what may change: "scope:forward:p50 < +5%". */
#ifndef STINT_DIFF_GATE_H
#define STINT_DIFF_GATE_H

#include "base/array.h"
#include "diff/metric.h"

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
    const char *pattern; /* of base/pattern.h */
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

#endif

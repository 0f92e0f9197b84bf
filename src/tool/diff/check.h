/* Checks rules against the rows that they match. */
#ifndef STINT_DIFF_CHECK_H
#define STINT_DIFF_CHECK_H

#include "diff/change.h"
#include "diff/gate.h"
#include "report/line.h"

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

/* Which part of the reports is shown, and how: units, order, number of rows, names. */
#ifndef STINT_CLI_SELECT_H
#define STINT_CLI_SELECT_H

#include "stint/report.h"
#include "transform/name_filter.h"

struct stint_select {
    struct stint_layout layout; /* unit, sort, top and min_percent */
    struct stint_filter filter;
    int quiet; /* 1: print no message about what the filter leaves out */
};

/* The options, as getopt_long has them: --unit, --sort, --top, --min-percent, --fold-recursion, --include,
 * --exclude. */
enum {
    STINT_SELECT_UNIT = 512,
    STINT_SELECT_SORT,
    STINT_SELECT_TOP,
    STINT_SELECT_MIN_PERCENT,
    STINT_SELECT_FOLD_RECURSION,
    STINT_SELECT_INCLUDE,
    STINT_SELECT_EXCLUDE
};

extern const char *const stint_select_sorts[];
extern const char *const stint_select_units[];

/* All of them in a table of options. */
#define STINT_SELECT_OPTIONS                                                                                           \
    {"include", STINT_SELECT_INCLUDE, "PAT", "names to show; --exclude PAT; trees: --min-percent P", NULL},            \
        {"exclude", STINT_SELECT_EXCLUDE, "PAT", "", NULL}, {"min-percent", STINT_SELECT_MIN_PERCENT, "P", "", NULL},  \
        {"fold-recursion", STINT_SELECT_FOLD_RECURSION, NULL, "", NULL}, {"top", STINT_SELECT_TOP, "N", NULL, NULL},   \
        {"sort", STINT_SELECT_SORT, "KEY", "N rows or 0; total calls avg min max self name cpu", stint_select_sorts},  \
    {                                                                                                                  \
        "unit", STINT_SELECT_UNIT, "U", "of times: auto, s, ms, us, ns; col: one per column", stint_select_units       \
    }

/* Reads one of these. Returns 0, or -1 after saying what is wrong; -1 without a message for other options. */
int stint_select_read(struct stint_select *select, int option, const char *text);

/* Returns how a report is laid out on this screen. */
struct stint_layout stint_select_layout(const struct stint_select *select, const struct stint_layout *screen);

/* Returns what is kept of a snapshot, and says what is left out; returns `snapshot` itself without a filter or without
 * memory. Any other result is to be freed. */
const struct stint_snapshot *stint_select_apply(const struct stint_select *select,
                                                const struct stint_snapshot *snapshot);

#endif

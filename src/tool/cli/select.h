/* Which part of the reports is shown, and how: units, order, number of rows, names. */
#ifndef STINT_CLI_SELECT_H
#define STINT_CLI_SELECT_H

#include "cli/name_filter.h"
#include "stint/report.h"

struct stint_select {
    struct stint_layout layout; /* unit, sort and top */
    int has_top;                /* top was asked for */
    struct stint_filter filter;
    int quiet; /* 1: print no message about what the filter leaves out */
};

/* The options, as getopt_long has them: --unit, --sort, --top, --include, --exclude. */
enum { STINT_SELECT_UNIT = 512, STINT_SELECT_SORT, STINT_SELECT_TOP, STINT_SELECT_INCLUDE, STINT_SELECT_EXCLUDE };

/* Reads one of these. Returns 0, or -1 after saying what is wrong; -1 without a message for other options. */
int stint_select_read(struct stint_select *select, int option, const char *text);

/* Returns how a report is laid out on this screen. A report that was not asked for has only the first rows, unless
 * their number was given. */
struct stint_layout stint_select_layout(const struct stint_select *select, const struct stint_layout *screen,
                                        int is_asked_for);

/* Returns what is kept of a snapshot, and says what is left out; returns `snapshot` itself without a filter or without
 * memory. Any other result is to be freed. */
const struct stint_snapshot *stint_select_apply(const struct stint_select *select,
                                                const struct stint_snapshot *snapshot);

#endif

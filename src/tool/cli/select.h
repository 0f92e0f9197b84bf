/* What of the reports is shown, and how: units, order, number of rows, names. */
#ifndef STINT_CLI_SELECT_H
#define STINT_CLI_SELECT_H

#include "cli/name_filter.h"
#include "stint/report.h"

struct stint_select {
    struct stint_layout layout; /* unit, sort and top */
    int has_top;                /* top was asked for */
    struct stint_filter filter;
    int quiet; /* 1: nothing is said of what the filter leaves out */
};

/* The options, as getopt_long has them: --unit, --sort, --top, --include, --exclude. */
enum { STINT_SELECT_UNIT = 512, STINT_SELECT_SORT, STINT_SELECT_TOP, STINT_SELECT_INCLUDE, STINT_SELECT_EXCLUDE };

/* Reads one of these. Returns 0, or -1 after saying what is wrong; also for another option, which is not told. */
int stint_select_read(struct stint_select *select, int option, const char *text);

/* How a report is laid out, on a screen like this. One that nobody asked for has the first rows only, unless their
 * number was asked for. */
struct stint_layout stint_select_layout(const struct stint_select *select, const struct stint_layout *screen,
                                        int is_asked_for);

/* Returns what is kept of a snapshot, and says what is left out; `snapshot` itself if nothing is, or without memory.
 * What is another is to be freed. */
const struct stint_snapshot *stint_select_apply(const struct stint_select *select,
                                                const struct stint_snapshot *snapshot);

#endif

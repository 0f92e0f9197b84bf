/* From the threads' trees to a snapshot. */
#ifndef STINT_RECORD_COLLECT_H
#define STINT_RECORD_COLLECT_H

#include "stint/statset.h"

struct stint_costs {
    double clock_read_ns;
    double scope_ns;
};

/* Takes a snapshot; `costs` go into its process.
 *
 * `emergency` is for a signal handler about to end the process: it waits for no lock longer than a moment, because the
 * interrupted thread may hold it; lists and nodes stay readable without. */
enum stint_status stint_collect(struct stint_snapshot **snapshot, const struct stint_costs *costs, int emergency);

/* Measures what a clock read and a scope cost here and now: the minimum of a few short runs on a tree of their own. */
struct stint_costs stint_measure_costs(void);

#endif

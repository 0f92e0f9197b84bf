/* Counters in what a run's processes recorded. */
#ifndef STINT_CLI_STORED_COUNTERS_H
#define STINT_CLI_STORED_COUNTERS_H

#include "cli/stores.h"

/* Whether that is a hardware counter's value, of a kernel or a scope. */
int stint_is_counter(const struct stint_nvtx_value *value);

/* Adds the counters of a snapshot to another one. Returns 0, or -1 without memory. */
int stint_counters_add(struct stint_snapshot **to, const struct stint_snapshot *from);

/* Adds the counters that the processes have in the results to their recordings in the folder. Says what failed. */
void stint_stored_counters_add(const struct stint_stores *stores, const struct stint_results *results);

#endif

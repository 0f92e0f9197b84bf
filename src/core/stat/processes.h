/* The processes that a merged snapshot is of. */
#ifndef STINT_STAT_PROCESSES_H
#define STINT_STAT_PROCESSES_H

#include "stint/snapshot.h"

/* Sums up the snapshot of one process. */
struct stint_merged_process stint_process_sum(const struct stint_snapshot *snapshot);

#endif

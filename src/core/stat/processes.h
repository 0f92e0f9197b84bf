/* The processes that a merged snapshot is of. */
#ifndef STINT_STAT_PROCESSES_H
#define STINT_STAT_PROCESSES_H

#include "stat/builder.h"

/* Sums up the snapshot of one process. */
struct stint_merged_process stint_process_sum(const struct stint_snapshot *snapshot);

/* Adds the processes that a snapshot is of. */
void stint_builder_processes_of(struct stint_builder *builder, const struct stint_snapshot *snapshot);

/* Fills the snapshot's processes, if there are several. Returns 0, or -1 if there is no memory. */
int stint_processes_order(struct stint_snapshot *snapshot, struct stint_builder *builder);

#endif

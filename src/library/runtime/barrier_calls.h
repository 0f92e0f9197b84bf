/* What other files here need of the barrier statistics. */
#ifndef STINT_RUNTIME_BARRIER_CALLS_H
#define STINT_RUNTIME_BARRIER_CALLS_H

#include "stint/statset.h"

/* Reads STINT_BARRIER_SHOW and STINT_BARRIER_LOWEST, and has snapshots hold the barrier statistics. */
void stint_runtime_barrier_start(void);

/* In a forked child: the parent's numbers are the parent's. */
void stint_runtime_barrier_after_fork(void);

/* Zeroes the barrier statistics of a set; NULL: of all. Inside the guard. */
void stint_runtime_barrier_zero(const struct stint_statset *set, enum stint_reset how);

/* Recording was switched on or off: calls are missing from rounds under way. */
void stint_runtime_barrier_drop_rounds(void);

#endif

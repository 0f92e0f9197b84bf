/* The functions of barrier statistics that other files of this stage need. */
#ifndef STINT_RUNTIME_BARRIER_CALLS_H
#define STINT_RUNTIME_BARRIER_CALLS_H

#include "stint/statset.h"

/* Reads STINT_BARRIER_SHOW and STINT_BARRIER_LOWEST, and has the barrier statistics added to snapshots. */
void stint_runtime_barrier_start(void);

/* In a forked child: discards the parent's numbers. */
void stint_runtime_barrier_after_fork(void);

/* Zeroes the barrier statistics of a set, or all if `set` is NULL. Inside the guard. */
void stint_runtime_barrier_zero(const struct stint_statset *set, enum stint_reset how);

/* To be called when recording was switched on or off: drops the rounds in progress, because calls are missing from
 * them. */
void stint_runtime_barrier_drop_rounds(void);

#endif

/* The end of a range that does not run innermost.
 *
 * Push A in one domain and B in another, then pop A, then B: the tree's own rule, that what runs below a scope ends
 * with it, would cut B short. Instead A ends now, and B goes on beside it: as one activation, of its whole length, that
 * counts where it ends, below what A was below. So what is charged to B while A runs is charged to A/B, what comes
 * later to B alone; and every moment is in the self time of one node only.
 *
 * That cannot be done to a timer of the program, which knows its node. Where one runs below A, A is counted now and
 * stays in the tree, as a shell whose remaining time is that of what it was below, until the thread's first call of
 * NVTX after the timer has ended. A shell runs in snapshots; the same range below it is recursive; and it is abandoned
 * if a timer around it ends first. */
#ifndef STINT_NVTX_OVERLAP_H
#define STINT_NVTX_OVERLAP_H

#include <stdint.h>

#include "nvtx/range.h"

/* Ends the open range at that position, which has not ended, in whatever way its place in the tree wants. Inside the
 * guard; the tree has caught up. Levels are the caller's business. */
void stint_nvtx_end_range(struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at, uint64_t now);

/* Removes the shells below which nothing runs any more. Likewise. */
void stint_nvtx_settle(struct stint_tree *tree, struct stint_nvtx_ranges *ranges);

/* Returns whether a range is open although the range around it has ended. Such a range may be meant so, but if its end
 * never comes, all that the thread does from then on is below it. From any thread, under the lock. */
int stint_nvtx_has_outlived(const struct stint_nvtx_ranges *ranges);

#endif

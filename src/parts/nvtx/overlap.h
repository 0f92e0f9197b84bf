/* The end of a range that is not the innermost.
 *
 * Push A in one domain and B in another, then pop A, then B. The tree's own rule, by which everything below a scope
 * ends with it, would cut B short. Instead A ends, and B goes on as a sibling of A: as one activation of its whole
 * length, which is counted where it ends, below A's parent. So time of B's children while A runs is charged to A/B,
 * later time to B alone; and every moment is in the self time of only one node.
 *
 * This is impossible for a timer of the program, because the timer holds a pointer to its node. If a timer runs below
 * A, A is counted now and stays in the tree as a shell, whose further time belongs to its parent, until the thread's
 * first call of NVTX after the timer has ended. In snapshots a shell is a running scope; another range of the same name
 * below it is recursive; and it is abandoned if a timer around it ends first. */
#ifndef STINT_NVTX_OVERLAP_H
#define STINT_NVTX_OVERLAP_H

#include <stdint.h>

#include "nvtx/range.h"

/* Ends the open range at that position, which has not ended, in the way that its place in the tree requires. Inside the
 * guard, after the tree has caught up. The caller updates levels. */
void stint_nvtx_end_range(struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at, uint64_t now);

/* Removes the shells below which nothing runs any more. Inside the guard. */
void stint_nvtx_settle(struct stint_tree *tree, struct stint_nvtx_ranges *ranges);

/* Returns whether a range is open although the range around it has ended. This may be intended, but if the range never
 * ends, everything that the thread does from then on is below it. Any thread may call this, under the lock. */
int stint_nvtx_has_outlived(const struct stint_nvtx_ranges *ranges);

#endif

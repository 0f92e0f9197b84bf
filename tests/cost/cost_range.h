/* Ranges of stint/annotate.h without a tool. Separate from cost_paths.c, because annotate.h includes CUDA's headers if
 * they are installed, and those conflict with the mock's. */
#ifndef STINT_TESTS_COST_RANGE_H
#define STINT_TESTS_COST_RANGE_H

/* Returns 0 if NVTX's header was not found; the other functions then do nothing. */
int stint_cost_has_nvtx(void);
void stint_cost_range(int steps);

#endif

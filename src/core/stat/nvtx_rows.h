/* Orders the rows that NVTX's events leave in a snapshot. The functions that add them are declared in
 * stat/builder.h. */
#ifndef STINT_STAT_NVTX_ROWS_H
#define STINT_STAT_NVTX_ROWS_H

#include "stat/builder.h"

/* Fills the snapshot's rows from the builder's. Returns 0, or -1 without memory. */
int stint_nvtx_order(struct stint_snapshot *snapshot, struct stint_builder *builder);

#endif

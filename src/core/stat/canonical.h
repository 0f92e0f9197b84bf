/* The order of rows in a snapshot, which does not depend on the order in which they were added. */
#ifndef STINT_STAT_CANONICAL_H
#define STINT_STAT_CANONICAL_H

#include "stat/builder.h"

/* Fills the snapshot's arrays from the builder's rows, in the order that statset.h documents. Returns 0, or -1 if there
 * is no memory. */
int stint_canonical_rows(struct stint_snapshot *snapshot, struct stint_builder *builder);

#endif

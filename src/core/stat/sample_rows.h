/* The samples in a snapshot, for canonical.c. */
#ifndef STINT_STAT_SAMPLE_ROWS_H
#define STINT_STAT_SAMPLE_ROWS_H

#include "stat/builder.h"

/* Marks the contexts in which samples were taken: these are kept, whether they ran or not. */
void stint_samples_mark_contexts(const struct stint_builder *builder, char *needed);

/* Fills the snapshot's lists from the builder's rows, which stay in their order. `contexts` has the new position of
 * each of the builder's contexts. */
void stint_samples_take(struct stint_snapshot *snapshot, const struct stint_builder *builder, const size_t *contexts);

#endif

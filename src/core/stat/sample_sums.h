/* Adds up samples in a builder: each place, call chain, thread, and sum of samples is a row once. */
#ifndef STINT_STAT_SAMPLE_SUMS_H
#define STINT_STAT_SAMPLE_SUMS_H

#include "base/index.h"
#include "stat/builder.h"

/* Zero all but `builder` to begin; all rows of these kinds in the builder are added by these functions. */
struct stint_sample_sums {
    struct stint_builder *builder;
    struct stint_arena arena; /* the caller frees it */
    struct stint_index frames, stacks, threads, counts;
};

/* Each returns the position of the row that says the same, which is added if it is missing. Of a thread's row, process,
 * number, and whether it has exited count. */
size_t stint_sample_sums_frame(struct stint_sample_sums *sums, const struct stint_sample_frame *like);
size_t stint_sample_sums_stack(struct stint_sample_sums *sums, const struct stint_sample_stack *like);
size_t stint_sample_sums_thread(struct stint_sample_sums *sums, const struct stint_sample_thread *like);

/* Adds the samples and the time to the row of that thread, context and call chain. */
void stint_sample_sums_count(struct stint_sample_sums *sums, const struct stint_sample_count *more);

#endif

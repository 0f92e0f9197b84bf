/* A table of the threads that recorded something. */
#ifndef STINT_FORMATS_THREAD_TABLE_H
#define STINT_FORMATS_THREAD_TABLE_H

#include "base/arena.h"
#include "base/text.h"
#include "stint/report.h"
#include "stint/snapshot.h"

/* What a thread recorded. */
struct stint_thread_sum {
    uint64_t ns; /* within scopes and calls */
    uint64_t count;
};

/* Returns the sums of all threads, in the snapshot's order; NULL without memory. */
const struct stint_thread_sum *stint_thread_sums(const struct stint_snapshot *snapshot, struct stint_arena *arena);

/* Writes a row for each thread, by falling CPU time or, if that was not measured, time within scopes and calls: as many
 * as the layout says, and a line about the others. */
void stint_thread_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout);

/* Whether the CPU time of threads was measured. */
int stint_thread_table_has_cpu(const struct stint_snapshot *snapshot);

#endif

/* Adds up snapshots of ranks, so that each row knows how the ranks differ (stint/rank_stats.h).
 *
 * First the processes of one rank are added up, by stint_reduction_add_process, until stint_reduction_close_rank. Then
 * snapshots of other ranks, and sums of them, are added by stint_reduction_add_ranks, in any order and in any groups:
 * all the whole numbers of the result, and so everything that a report on ranks shows, do not depend on it.
 *
 * What would grow with the number of ranks is left out: threads, processes, events, and names of things in one
 * process. Devices, contexts and streams of GPUs have other numbers in each process, so their activities are added
 * up by name. */
#ifndef STINT_RANKS_REDUCTION_H
#define STINT_RANKS_REDUCTION_H

#include "ranks/history.h"
#include "stat/builder.h"

/* Memory of snapshots that were freed, for others: where many are made one after the other, mapping memory anew would
 * take longer than filling it. Zeroed, there is none. */
struct stint_spare_memory {
    struct stint_arena arenas[16];
    size_t count;
};

/* Frees the snapshot, which may be NULL; its memory becomes spare, if there is not much yet. */
void stint_snapshot_recycle(struct stint_snapshot *snapshot, struct stint_spare_memory *spare);

void stint_spare_memory_free(struct stint_spare_memory *spare);

struct stint_reduction {
    struct stint_builder builder;
    struct stint_process process; /* of the lowest rank, except for what is added up */
    uint32_t lowest;              /* that rank */
    size_t added;                 /* since the builder began */
    struct stint_spare_memory *spare;
};

/* `spare`, which may be NULL, is memory for this sum and others. */
void stint_reduction_begin(struct stint_reduction *reduction, struct stint_spare_memory *spare);

/* Adds a process of a rank. What is added has to live until the end. */
void stint_reduction_add_process(struct stint_reduction *reduction, const struct stint_snapshot *process);

/* Ends the sum of the processes of a rank, to which others may then be added; `history` may be NULL. */
void stint_reduction_close_rank(struct stint_reduction *reduction, uint32_t rank, const struct stint_history *history);

/* Adds a rank, or a sum of ranks. */
void stint_reduction_add_ranks(struct stint_reduction *reduction, const struct stint_snapshot *ranks);

/* Ends the sum. Returns it, or NULL if there is no memory. */
struct stint_snapshot *stint_reduction_end(struct stint_reduction *reduction);

/* Returns the rank that a process' launcher gave it, or -1 if it has none. */
int64_t stint_rank_number(const struct stint_process *process);

#endif

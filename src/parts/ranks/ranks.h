/* The ranks of a parallel job: what each did in the course of time, snapshots as messages, and the sum of all. */
#ifndef STINT_RANKS_RANKS_H
#define STINT_RANKS_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "stat/builder.h"
#include "stat/members.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"

/* ---------------------------------------------------------------------------------------------------------- history */

/* What each statistic of a process did in the course of time, in little memory, and since when one is slower than it
 * was.
 *
 * From time to time the numbers of all statistics are noted. If there is no room left, every other note is dropped,
 * and from then on notes are taken half as often: so a run of a day takes some hundred notes, and the time since
 * when something is slow is known to within 1/16 of the run. */

enum { STINT_HISTORY_NOTES = 64, STINT_HISTORY_SERIES = 4096 };

/* A zeroed struct is an empty history. */
struct stint_history {
    struct stint_arena arena;
    struct stint_table series;             /* one for each statistic */
    uint64_t time_ns[STINT_HISTORY_NOTES]; /* when the notes were taken, since the process began */
    size_t count;                          /* of notes */
    uint64_t interval_ns;                  /* between notes */
    uint64_t offset_ns;                    /* of activations' times: since the process began */
};

/* Notes the numbers of the snapshot, at its time. Statistics beyond STINT_HISTORY_SERIES, and for which there is no
 * memory, have no history. */
void stint_history_note(struct stint_history *history, const struct stint_snapshot *snapshot);

/* For what is known of single activations: windows of a statistic are of as many activations each, so that it does not
 * matter how long they took. All of a history is made by notes, or by these. */

/* Returns the position of a statistic in `series`, which is added if it is new; STINT_INDEX_NONE without room. */
size_t stint_history_series(struct stint_history *history, const char *set, const char *name);

/* Adds an activation, in the order of their beginnings, and returns its number in the series. Without memory its window
 * begins at 0. */
uint64_t stint_history_add(struct stint_history *history, size_t series, uint64_t start_ns, uint64_t self_ns);

/* Takes off what was not its self time. */
void stint_history_take_off(struct stint_history *history, size_t series, uint64_t number, uint64_t ns);

/* How a statistic became slower: its self time by activation, before and since. */
struct stint_drift {
    uint64_t since_ns;  /* since the process began */
    uint64_t before_ns; /* medians */
    uint64_t after_ns;
    uint64_t lost_ns; /* what it took more since then than it would have taken as before */
};

/* Returns 0 if the statistic became slower and has remained so, which is hardly by chance; else -1. */
int stint_history_drift(const struct stint_history *history, const char *set, const char *name,
                        struct stint_drift *drift);

void stint_history_free(struct stint_history *history);

/* --------------------------------------------------------------------------------------------------------- messages */

/* Snapshots as few bytes, to be sent from rank to rank: all members that stat/members.c lists, but for those that
 * follow from others. For processes of one job, which have the same stint; files have stint's JSON. */

/* Bytes, in memory of malloc. A zeroed struct is empty. */
struct stint_packed {
    unsigned char *bytes;
    size_t size;
    size_t room;
    int failed; /* for want of memory */
};

/* Appends the snapshot. Returns 0, or -1 if there is no memory. */
int stint_pack(struct stint_packed *packed, const struct stint_snapshot *snapshot);

void stint_packed_free(struct stint_packed *packed);

/* A snapshot that was read from bytes: for reading, and not to be freed by stint_snapshot_free. A zeroed struct is
 * empty; one that was used may be used again, and keeps its memory for that. */
struct stint_unpacked {
    struct stint_snapshot snapshot;
    struct stint_arena arena;
};

/* Reads a snapshot. Returns 0, or -1 if the bytes are not one, or there is no memory. Free it in either case. */
int stint_unpack(struct stint_unpacked *unpacked, const unsigned char *bytes, size_t size);

void stint_unpacked_free(struct stint_unpacked *unpacked);

/* ------------------------------------------------------------------------------------------------------------- sums */

/* Adds up snapshots of ranks, so that each row knows how the ranks differ (stint/rank_stats.h).
 *
 * First the processes of one rank are added up, by stint_reduction_add_process, until stint_reduction_close_rank. Then
 * snapshots of other ranks, and sums of them, are added by stint_reduction_add_ranks, in any order and in any groups:
 * all the whole numbers of the result, and so everything that a report on ranks shows, do not depend on it.
 *
 * What would grow with the number of ranks is left out: threads, processes, events, and names of things in one
 * process. Devices, contexts and streams of GPUs have other numbers in each process, so their activities are added
 * up by name. */

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

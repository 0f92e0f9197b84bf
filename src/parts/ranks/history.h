/* What each statistic of a process did in the course of time, in little memory, and since when one is slower than it
 * was.
 *
 * From time to time the numbers of all statistics are noted. If there is no room left, every other note is dropped,
 * and from then on notes are taken half as often: so a run of a day takes some hundred notes, and the time since
 * when something is slow is known to within 1/16 of the run. */
#ifndef STINT_RANKS_HISTORY_H
#define STINT_RANKS_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "stint/snapshot.h"
#include "support/keyed_table.h"

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

#endif

/* Several recordings as one: the sum of their snapshots, and the events of all. */
#ifndef STINT_TRANSFORM_COMBINE_H
#define STINT_TRANSFORM_COMBINE_H

#include "replay/join.h"
#include "transform/align.h"

/* Zeroed, it is of none. */
struct stint_combined {
    struct stint_snapshot *sum;
    struct stint_joined_events events;
    struct stint_joined_input *inputs;
    char command[4096];
};

/* Adds recordings up, of which there is at least one, with clocks aligned. Puts the one that began first in front. A
 * process that has the number of an earlier one, as in another container, gets a number from STINT_COMBINED_PID on,
 * which Linux gives to no process, so that the two stay apart. The parts have to outlive the sum. Returns 0, or -1
 * without memory; to be freed in either case. */
int stint_combine(struct stint_combined *combined, struct stint_recorded *parts, size_t count,
                  stint_alignment_fn *tell);

enum { STINT_COMBINED_PID = 1 << 22 };

void stint_combined_free(struct stint_combined *combined);

#endif

/* Several recordings as one: the sum of their snapshots, and the events of all. */
#ifndef STINT_CLI_COMBINED_H
#define STINT_CLI_COMBINED_H

#include "cli/file_kind.h"
#include "replay/join.h"

struct stint_combined {
    struct stint_profile *profiles; /* in the order in which they were given */
    struct stint_profile **order;   /* the one that began first in front */
    size_t count;
    struct stint_snapshot *sum;
    struct stint_joined_input *inputs;
    struct stint_joined_events events;
    char command[4096];
};

/* Opens the recordings, of which there is at least one, and adds them up. A process that has the number of an earlier
 * one, as in another container, gets a number from STINT_COMBINED_PID on, which Linux gives to no process, so that the
 * two stay apart. Returns NULL after saying why one cannot be read. */
struct stint_combined *stint_combined_open(const struct stint_place *places, size_t count);

enum { STINT_COMBINED_PID = 1 << 22 };

void stint_combined_close(struct stint_combined *combined);

#endif

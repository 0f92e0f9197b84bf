/* Threads that help others, in a recording of another tool: what they do while nothing is open on them is charged to
 * the scope that waits for it, as while a program runs (contexts/adopt.h), and STINT_ADOPT says whose work that is. */
#ifndef STINT_REPLAY_HELPERS_H
#define STINT_REPLAY_HELPERS_H

#include "replay/open.h"

struct stint_replay;

struct stint_helpers {
    int rule;                /* enum stint_adopt_rule */
    struct stint_array rows; /* struct stint_helper: PyTorch's threads for backward passes */
};

/* Finds them among the threads that have names in the replay. Returns 0, or -1 if there is no memory. */
int stint_helpers_find(struct stint_helpers *helpers, struct stint_arena *arena, const struct stint_replay *replay);

/* To be called at each launch of a thread: others may help it. */
void stint_helpers_see_launch(struct stint_open_thread *thread);

/* Returns the scope that waits for what begins on the thread at that time, on which no scope is open; NULL: none. */
const struct stint_open *stint_helpers_waiting(const struct stint_helpers *helpers, struct stint_open_threads *threads,
                                               const struct stint_open_thread *thread, uint64_t ns, int is_scope);

#endif

/* Says on a terminal how far something is that takes longer than a second: passes events on, and counts them. */
#ifndef STINT_CLI_PROGRESS_H
#define STINT_CLI_PROGRESS_H

#include "stat/event.h"

struct stint_progress {
    struct stint_event_source source; /* has to be the first member */
    struct stint_event_source *events;
    const char *what;
    uint64_t count, done;
    uint64_t next;     /* when so many are done, look at the clock */
    uint64_t shown_ns; /* when the line was written last; at first when it began */
    int is_shown;
};

/* Returns a source with the same events, `count` of them, of which `what` is made. */
struct stint_event_source *stint_progress_begin(struct stint_progress *progress, const char *what,
                                                struct stint_event_source *events, uint64_t count);

/* Removes the line. */
void stint_progress_end(struct stint_progress *progress);

#endif

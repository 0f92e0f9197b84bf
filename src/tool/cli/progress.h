/* Says on a terminal how far something is that takes longer than a second: passes events on, and counts them. */
#ifndef STINT_CLI_PROGRESS_H
#define STINT_CLI_PROGRESS_H

#include "model/event.h"

struct stint_progress {
    struct stint_event_source source; /* has to be the first member */
    struct stint_event_source *events;
    const char *what;
    int is_shown;
    uint64_t count, done;
    uint64_t next;     /* when so many are done, look at the clock */
    uint64_t shown_ns; /* when the line was written last; at first when it began */
};

/* Returns a source with the same events, `count` of them; 0: it is not known how many. `what` is what they are of, or
 * what is made of them. The line is removed after the last event. */
struct stint_event_source *stint_progress_begin(struct stint_progress *progress, const char *what,
                                                struct stint_event_source *events, uint64_t count);

/* Removes the line, so that something else can be written. */
void stint_progress_hide(void);

/* From the first of these calls on, sources that are made after it fail when a signal comes that would end the program,
 * so that nothing is left of a file that is being made of their events; a second such signal ends it at once. From the
 * other call on, signals do what they did before, and one that has come does so, too. */
void stint_progress_catch(void);
void stint_progress_release(void);

#endif

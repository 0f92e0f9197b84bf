/* The history of a rank from the events of its recordings, where nobody took notes while it ran. */
#ifndef STINT_CLI_EVENT_HISTORY_H
#define STINT_CLI_EVENT_HISTORY_H

#include "ranks/history.h"
#include "replay/open.h"

/* A zeroed struct is of no process. */
struct stint_event_history {
    struct stint_history history;
    struct stint_open_threads open; /* activations: `cell` is the series, `instance` the number in it */
    uint64_t begin_unix_ns;         /* when the process began */
    int is_over;                    /* what follows is of another process */
};

/* Begins with the events of a process. Of a rank's processes only the first one that has scopes has a history. */
void stint_event_history_begin(struct stint_event_history *events, const struct stint_snapshot *process);

/* Adds an event of that process. To be called in the order of their starts. */
void stint_event_history_add(struct stint_event_history *events, const struct stint_event *event);

/* Returns the history of a rank that began at `start_unix_ns`; NULL if there were no activations of scopes. */
const struct stint_history *stint_event_history_end(struct stint_event_history *events, uint64_t start_unix_ns);

void stint_event_history_free(struct stint_event_history *events);

#endif

/* Ends programs whose kernel does not end while it is counted. */
#ifndef STINT_COUNTERS_REPLAY_WATCH_H
#define STINT_COUNTERS_REPLAY_WATCH_H

#include <stddef.h>

/* The exit code, which timeout(1) has as well. */
enum { STINT_REPLAY_TIMEOUT = 124 };

/* Around each kernel that is counted, one at a time. If STINT_COUNTERS_TIMEOUT seconds pass in between, says which
 * kernel it is and what to do, and ends the process: a kernel cannot be cancelled otherwise. `name` has to stay. */
void stint_replay_watch_begin(const char *name);
void stint_replay_watch_end(void);

/* Whether there is room for what a replay has to save. */

/* In the context that is current: returns 0 if the memory of the device that is in use fits into that which is free on
 * the device and the host; else -1, and `why` says what is missing. Of memory that nobody knows enough is taken for
 * granted. */
int stint_replay_room(char *why, size_t size);

#endif

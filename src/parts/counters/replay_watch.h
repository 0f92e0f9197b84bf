/* Ends programs whose kernel does not end while it is counted. */
#ifndef STINT_COUNTERS_REPLAY_WATCH_H
#define STINT_COUNTERS_REPLAY_WATCH_H

/* The exit code, which timeout(1) has as well. */
enum { STINT_REPLAY_TIMEOUT = 124 };

/* Around each kernel that is counted, one at a time. If STINT_COUNTERS_TIMEOUT seconds pass in between, says which
 * kernel it is and what to do, and ends the process: a kernel cannot be cancelled otherwise. `name` has to stay. */
void stint_replay_watch_begin(const char *name);
void stint_replay_watch_end(void);

#endif

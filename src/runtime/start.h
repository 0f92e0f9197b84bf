/* Set-up at first use, and what a fork changes. */
#ifndef STINT_RUNTIME_START_H
#define STINT_RUNTIME_START_H

/* Makes the library ready. Every public function that needs more than its arguments calls it first; after the first
 * time it is one load. Returns 0, or -1 if there is no memory (recording then is off for good), or if a signal handler
 * interrupted the set-up. */
int stint_runtime_start(void);

/* Returns whether this process is the one that was set up, or a child that fork prepared: not one of vfork or clone,
 * which shares or copies memory behind our back. */
int stint_runtime_is_ours(void);

#endif

/* Fatal signals: what was recorded is reported, then the signal takes its default action. */
#ifndef STINT_RUNTIME_FATAL_H
#define STINT_RUNTIME_FATAL_H

#include <signal.h>

/* Handles every signal whose default action ends the process and that nobody handles or ignores yet. A handler that
 * the program installs later replaces ours. */
void stint_fatal_start(void);

/* If what the program is about to be told of a signal is that handler, makes it the default action, which it stands
 * for: programs install handlers of their own only where they find that. */
void stint_fatal_hide(struct sigaction *seen);

#endif

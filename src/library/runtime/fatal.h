/* Fatal signals: what was recorded is reported, then the signal takes its default action. */
#ifndef STINT_RUNTIME_FATAL_H
#define STINT_RUNTIME_FATAL_H

/* Handles every signal whose default action ends the process and that nobody handles or ignores yet. A handler that
 * the program installs later replaces ours. */
void stint_fatal_start(void);

#endif

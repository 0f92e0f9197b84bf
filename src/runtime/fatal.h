/* Fatal signals: what was recorded is reported, then the signal has its way. */
#ifndef STINT_RUNTIME_FATAL_H
#define STINT_RUNTIME_FATAL_H

/* Handles every signal whose default action ends the process and that nobody handles or ignores yet. A handler that
 * the program installs later replaces ours. */
void stint_fatal_start(void);

/* Gives the calling thread a signal stack, if it has none, so that a stack overflow can be reported too. Once per
 * thread; later calls are one load. */
void stint_fatal_cover_thread(void);

#endif

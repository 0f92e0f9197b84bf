/* The report at exit. It is written once, however the process ends, if anything happened since the last full print. */
#ifndef STINT_RUNTIME_EXIT_H
#define STINT_RUNTIME_EXIT_H

#include <signal.h>

#include "stint/statset.h"

/* Registers for quick_exit; exit and return from main need no registration, _exit is interposed. */
void stint_exit_start(void);

/* In a forked child: forgets what the parent printed. */
void stint_exit_after_fork(void);

/* Writes the final report if something happened since the last full print. With `emergency`, it does only what a signal
 * handler may do. */
void stint_exit_report(int emergency);

/* Does the same before the process executes another program, whose report must not overwrite this one. A child of
 * vfork, which shares the memory of its parent, may call it; it then does nothing. */
void stint_exit_before_exec(void);

/* Writes the report to where the final one goes. May be called at any time. Without further activity there is then no
 * final report. */
enum stint_status stint_exit_print(void);

/* Writes that report to the file that it goes to, if anything has happened. The final report comes nevertheless. */
void stint_exit_checkpoint(void);

/* Has _exit also call `report`, which is that of another stint, in case this stint's _exit takes precedence over the
 * one of that stint. There are few. */
void stint_exit_also(void (*report)(void));

/* A snapshot was printed in full: without further activity, the final report is left out, unless it goes to a file. */
void stint_exit_note_print(const struct stint_snapshot *snapshot);

/* ---------------------------------------------------------------------------------------------------------- fatal.c */

/* Handles every signal whose default action ends the process and that nobody handles or ignores yet. A handler that
 * the program installs later replaces ours. */
void stint_fatal_start(void);

/* If what the program is about to be told of a signal is that handler, makes it the default action, which it stands
 * for: programs install handlers of their own only where they find that. */
void stint_fatal_hide(struct sigaction *seen);

#endif

/* The report at exit: once, however the process ends, if anything happened since the last full print. */
#ifndef STINT_RUNTIME_EXIT_H
#define STINT_RUNTIME_EXIT_H

#include "stint/statset.h"

/* Registers for quick_exit; exit and return from main need no registration, _exit is interposed. */
void stint_exit_start(void);

/* What the parent printed, or not, is the parent's. */
void stint_exit_after_fork(void);

/* Writes the final report if something happened since the last full print. `emergency` keeps to what a signal handler
 * may do. */
void stint_exit_report(int emergency);

/* Likewise, where the process is about to become another program, whose report must not overwrite it. A child of vfork,
 * which shares its parent's memory, may call it, and nothing happens. */
void stint_exit_before_exec(void);

/* Writes the report to where the final one goes. Any time; without further activity there is no final one then. */
enum stint_status stint_exit_print(void);

/* Has _exit, where this stint's stands before that of another, have that one report, too. */
void stint_exit_also(void (*report)(void));

/* A snapshot was printed in full: without further activity, the final report is left out, unless it goes to a file. */
void stint_exit_note_print(const struct stint_snapshot *snapshot);

#endif

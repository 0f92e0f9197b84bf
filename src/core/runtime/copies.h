/* Several stints in one process: each plugin may have one linked statically, and one may have been injected
 * (src/parts/inject), which then finds the one that the program contains, and hands over to it: one process, one
 * recording.
 *
 * An ELF note in the object that contains a stint says where the functions below are. A note needs no exported name,
 * survives stripping, and is seen whichever way the object was loaded. */
#ifndef STINT_RUNTIME_COPIES_H
#define STINT_RUNTIME_COPIES_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "stint/status.h"

#define STINT_INJECT_NOTE "stint" /* the note's owner */
#define STINT_INJECT_VERSION 6    /* the note's type: of the structure and all it refers to */

/* The functions of a stint. Each starts it if necessary. */
struct stint_inject_core {
    /* Whether the calling thread is about to start it, or is in a signal handler that interrupted the start. The other
     * functions then do nothing. */
    int (*is_starting)(void);
    /* Offers something to the part of that name (record/part.h). Returns whether it is accepted. */
    int (*attach)(const char *part, const void *offer);
    void (*report)(void);                         /* the process ends by _exit */
    void (*before_exec)(void);                    /* the process is about to execute another program */
    void (*hide_handler)(struct sigaction *seen); /* runtime/exit.h */
    void (*exit_also)(void (*report)(void));      /* runtime/exit.h */
    const int *number; /* of this stint among those that have started, from 1 on; 0: it has not */
};

/* The functions of this stint. The content of the note is their distance from the note. */
extern const struct stint_inject_core stint_i_inject;

/* Set before any other constructor runs, if this stint is the injected one: it then starts to collect from GPUs when
 * CUDA is initialised, not when the library is loaded. */
extern int stint_runtime_is_injected;

/* Calls `visit` for each stint that the process has loaded, this one too; `core` may be used if `version` is
 * STINT_INJECT_VERSION. Not for signal handlers. */
typedef void stint_copies_visit_fn(void *context, uint32_t version, const struct stint_inject_core *core);
void stint_copies_visit(stint_copies_visit_fn *visit, void *context);

/* Gives this stint, which starts, a number among those that have started in the process. */
void stint_copies_start(void);

/* As stint_path_prepare_here, for files that this stint writes: from the second on, "run.json" is "run.copy2.json". */
enum stint_status stint_copies_prepare(char *out, size_t size, const char *pattern);

#endif

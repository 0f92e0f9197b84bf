/* One process, one recording: how a stint that was injected into a program (src/parts/inject) finds the one that the
 * program contains, linked statically or dynamically, and hands over to it.
 *
 * An ELF note in the object that contains this stint says where the functions below are. A note needs no exported name,
 * survives stripping, and is seen whichever way the object was loaded. */
#ifndef STINT_RUNTIME_HANDOVER_H
#define STINT_RUNTIME_HANDOVER_H

#include <signal.h>

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
    void (*hide_handler)(struct sigaction *seen); /* runtime/fatal.h */
    void (*exit_also)(void (*report)(void));      /* runtime/exit.h */
    const int *number; /* of this stint among those that have started, from 1 on; 0: it has not (runtime/copies.h) */
};

/* The functions of this stint. The content of the note is their distance from the note. */
extern const struct stint_inject_core stint_i_inject;

/* Set before any other constructor runs, if this stint is the injected one: it then starts to collect from GPUs when
 * CUDA is initialised, not when the library is loaded. */
extern int stint_runtime_is_injected;

extern int stint_copies_number; /* 0: this stint has not started */

#endif

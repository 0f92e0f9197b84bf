/* One process, one recording: how a stint that was injected into a program (src/inject) finds the one that the program
 * brought along, linked in either way, and hands over to it.
 *
 * A note of the object that has this stint says where the functions below are. A note needs no exported name, survives
 * stripping, and is seen whichever way the object was loaded. */
#ifndef STINT_RUNTIME_HANDOVER_H
#define STINT_RUNTIME_HANDOVER_H

#include "nvtx/abi.h"

#define STINT_INJECT_NOTE "stint" /* the note's owner */
#define STINT_INJECT_VERSION 1    /* the note's type: of the structure and all it refers to */

/* Functions of a stint. Each starts it if need be. */
struct stint_inject_core {
    /* Whether the calling thread is about to start it, or is in a signal handler that interrupted that: then the others
     * do nothing. */
    int (*is_starting)(void);
    int (*nvtx)(stint_nvtx_get_table_fn *get_table); /* nvtx/handler.h */
    int (*nvtx_extension)(struct stint_nvtx_module *module);
    void (*cuda)(void);        /* CUDA is being initialised: collects what GPUs do, unless STINT_GPU=off */
    void (*report)(void);      /* the process ends by _exit */
    void (*before_exec)(void); /* it is about to become another program */
};

/* This stint's. The note's content is its distance from there. */
extern const struct stint_inject_core stint_i_inject;

/* Set, before any other constructor, where this stint is the injected one: it then collects from GPUs when CUDA is
 * initialised, and not because the library was loaded. */
extern int stint_runtime_is_injected;

#endif

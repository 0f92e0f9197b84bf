/* The functions that run on each thread, innermost last.
 *
 * Beside the calling-context tree, because leaving a function by longjmp(), or by an exception where the compiler is
 * clang, calls no hook. Where the stack was when a function was entered tells whether it can still be running.
 * Activations that were not recorded are here too, so that the end of one is not taken for that of another.
 *
 * One thread-local pointer is all that changes hands: a signal handler that interrupts a hook anywhere leaves
 * everything as it was. */
#ifndef STINT_FUNCTIONS_ACTIVATION_H
#define STINT_FUNCTIONS_ACTIVATION_H

#include <stdint.h>

#include "stint/detail/record.h"

#define STINT_NO_FRAME UINTPTR_MAX

struct stint_activation {
    struct stint_activation *below; /* fixed; NULL: this is the lowest, and none */
    struct stint_activation *above; /* fixed once there is one */
    uintptr_t function;
    uintptr_t frame;           /* of the hook that was called; STINT_NO_FRAME: the entry is free, or being filled */
    uintptr_t call_site;       /* where the function returns to */
    uintptr_t from;            /* where the hook returned to */
    struct stint_i_node *node; /* NULL: not recorded */
};

/* What a thread begins with. */
extern struct stint_activation stint_no_activation;

extern STINT_I_THREAD_LOCAL struct stint_activation *stint_tl_activation __attribute__((tls_model("initial-exec")));

/* Sees to it that an entry above the innermost exists, and returns it; NULL without memory. The caller blocks
 * signals. */
struct stint_activation *stint_activation_more(void);

/* Frees the memory of each thread at its end, from now on. Returns 0, or -1 if that cannot be. */
int stint_activation_start(void);

#endif

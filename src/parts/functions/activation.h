/* The functions that are running on each thread, innermost last.
 *
 * This list is kept in addition to the calling-context tree, because leaving a function by longjmp(), or by an
 * exception in code compiled with clang, calls no hook. The stack pointer at the time a function was entered tells
 * whether it can still be running. Activations that are not recorded are in the list, too, so that the end of one is
 * not taken for that of another.
 *
 * Only one thread-local pointer changes: a signal handler that interrupts a hook anywhere leaves everything as it
 * was. */
#ifndef STINT_FUNCTIONS_ACTIVATION_H
#define STINT_FUNCTIONS_ACTIVATION_H

#include <stdint.h>

#include "stint/detail/record.h"

#define STINT_NO_FRAME UINTPTR_MAX

struct stint_activation {
    struct stint_activation *below; /* fixed; NULL: this is the lowest entry, which is no activation */
    struct stint_activation *above; /* fixed once it is set */
    uintptr_t function;
    uintptr_t frame;           /* of the hook that was called; STINT_NO_FRAME: the entry is free or being filled */
    uintptr_t call_site;       /* the return address of the function */
    uintptr_t from;            /* the return address of the hook */
    struct stint_i_node *node; /* NULL: not recorded */
};

/* The list of a new thread. */
extern struct stint_activation stint_no_activation;

extern STINT_I_THREAD_LOCAL struct stint_activation *stint_tl_activation __attribute__((tls_model("initial-exec")));

/* Returns the entry above the innermost, which is allocated if it does not exist; NULL without memory. The caller
 * blocks signals. */
struct stint_activation *stint_activation_more(void);

/* From now on each thread's memory is freed when the thread ends. Returns 0, or -1 if that is impossible. */
int stint_activation_start(void);

#endif

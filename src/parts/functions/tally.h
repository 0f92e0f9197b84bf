/* Counts the calls of functions that are not recorded, by thread. */
#ifndef STINT_FUNCTIONS_TALLY_H
#define STINT_FUNCTIONS_TALLY_H

#include <stdint.h>

#include "functions/function.h"

/* What a thread has not recorded. A record outlives its thread, and is used again. */
struct stint_tally {
    uint64_t calls[STINT_FUNCTION_KINDS];
    struct stint_tally *next;
    int taken;
};

/* NULL before the thread's first call that is left out. */
extern STINT_I_THREAD_LOCAL struct stint_tally *stint_tl_tally __attribute__((tls_model("initial-exec")));

/* Begins the calling thread's tally; without memory there is none. It has to end before the thread does. The caller
 * blocks signals. */
void stint_tally_begin(void);
void stint_tally_end(void);

/* In a forked child: nothing has been left out yet, and only the calling thread exists. */
void stint_tally_after_fork(void);

/* Counts a function as one that is tiny. */
void stint_tally_tiny(void);

/* Adds up what has been left out. Takes no lock. */
void stint_tally_sum(struct stint_i_left_out *sum);

static inline void stint_tally_count(struct stint_tally *tally, enum stint_function_kind kind)
{
    STINT_I_ADD(&tally->calls[kind], 1u);
}

#endif

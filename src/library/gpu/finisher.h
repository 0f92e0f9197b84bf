/* A thread that waits for the end of the process, and then does what has to be done with CUPTI. The one that ends the
 * process cannot: it may be in a signal handler that interrupted CUPTI, and would wait for itself. */
#ifndef STINT_GPU_FINISHER_H
#define STINT_GPU_FINISHER_H

#include <stdint.h>

/* Makes it, unless it is there. When asked, it calls `finish` once. Returns 0, or -1. */
int stint_finisher_make(void (*finish)(void));

/* Asks it, or waits with who has asked already. Returns 0, or -1 if it has not finished within the limit. Also in a
 * signal handler. */
int stint_finisher_ask(uint64_t limit_ns);

/* Whether it is the calling thread. */
int stint_finisher_is_self(void);

/* By itself, where it cannot go on: has those who wait go on. Does not return. */
void stint_finisher_give_up(void);

#endif

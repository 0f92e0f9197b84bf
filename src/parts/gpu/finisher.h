/* A thread that waits for the end of the process, and then shuts CUPTI down. The thread that ends the process cannot do
 * it: it may be in a signal handler that interrupted CUPTI, and would wait for itself. Meanwhile it does what must not
 * be done within a callback of CUPTI's. */
#ifndef STINT_GPU_FINISHER_H
#define STINT_GPU_FINISHER_H

#include <stdint.h>

/* Creates the thread, unless it exists. When asked, it calls `finish` once. Returns 0, or -1 if it cannot be
 * created. */
int stint_finisher_make(void (*finish)(void));

/* From now on, the thread calls `look` every tenth of a second. */
void stint_finisher_look(void (*look)(void));

/* Asks the thread to finish, or waits along with those who have asked already. Returns 0, or -1 if it has not finished
 * within the limit. May be called in a signal handler. */
int stint_finisher_ask(uint64_t limit_ns);

/* Whether the calling thread is this thread. */
int stint_finisher_is_self(void);

/* Called by the thread itself if it cannot continue: those who wait for it continue. Does not return. */
void stint_finisher_give_up(void);

#endif

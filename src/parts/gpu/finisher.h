/* The end: waiting for devices when the program ends without having done so, and a thread that then shuts CUPTI down.
 * */
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

/* Waiting for devices when the program ends without having done so. */

/* Waits until the devices have done all work launched in the contexts that the runtime uses, or until `limit_ns` has
 * passed. Returns 0, or -1 if they have not finished: some programs leave kernels running that never end. A separate
 * thread does the waiting, and stays behind if they have not finished. */
int stint_wait_for_devices(uint64_t limit_ns);

/* Waits until another thread has set a flag: returns 0, or -1 if the limit has passed. May be called in a signal
 * handler. */
int stint_wait_for_flag(const int *flag, uint64_t limit_ns);

#endif

/* The library's own threads. Only parts have threads: a static program without them then has nothing of what libc needs
 * for threads. */
#ifndef STINT_SUPPORT_OWN_THREAD_H
#define STINT_SUPPORT_OWN_THREAD_H

#include <pthread.h>
#include <semaphore.h>

/* To be called by a thread of the library as it begins. */
void stint_own_thread(const char *name);

/* Starts a detached thread of the library. The thread takes no signals, because these are for the program. `thread`
 * receives its id, unless NULL. Returns 0, or -1. */
int stint_detach(void *(*run)(void *argument), void *argument, pthread_t *thread);

/* Waits until a semaphore is posted, `ms` at most. Returns 0, or -1 if it was not posted in that time. */
int stint_wait_for_post(sem_t *semaphore, unsigned ms);

#endif

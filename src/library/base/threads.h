/* The library's own threads, and locks that are not waited for forever. */
#ifndef STINT_BASE_THREADS_H
#define STINT_BASE_THREADS_H

#include <pthread.h>

/* Starts a detached thread of the library. The thread takes no signals, because these are for the program. `thread`
 * receives its id, unless NULL. Returns 0, or -1. */
int stint_detach(void *(*run)(void *argument), void *argument, pthread_t *thread);

/* Waits for a lock. In an `emergency`, when the process is about to end, waits for a tenth of a second at most: reading
 * without the lock is then better than not reading at all. Returns 1 if the lock is held, 0 if it has not become free
 * in that time. */
int stint_lock_for(pthread_mutex_t *lock, int emergency);

#endif

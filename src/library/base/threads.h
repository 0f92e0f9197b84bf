/* What the library needs of threads: some of its own, and locks that it may have to do without. */
#ifndef STINT_BASE_THREADS_H
#define STINT_BASE_THREADS_H

#include <pthread.h>

/* Starts a thread of the library's own, for which nobody waits. It takes no signals, which are the program's. `thread`
 * receives its id, unless NULL. Returns 0, or -1. */
int stint_detach(void *(*run)(void *argument), void *argument, pthread_t *thread);

/* Waits for a lock, or in an `emergency` only for a moment: who is about to end the process reads without it, rather
 * than never. Returns 1 with the lock; 0 if it has not become free within a tenth of a second. */
int stint_lock_for(pthread_mutex_t *lock, int emergency);

#endif

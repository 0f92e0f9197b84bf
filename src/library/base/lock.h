/* Waiting for a lock, or only a moment: who is about to end the process reads without it, rather than never. */
#ifndef STINT_BASE_LOCK_H
#define STINT_BASE_LOCK_H

#include <pthread.h>

/* Returns 1 with the lock, 0 without it: `emergency`, and it has not become free within a tenth of a second. */
int stint_lock_for(pthread_mutex_t *lock, int emergency);

#endif

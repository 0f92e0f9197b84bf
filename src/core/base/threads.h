/* Work of the library itself, and locks that are not waited for forever. */
#ifndef STINT_BASE_THREADS_H
#define STINT_BASE_THREADS_H

#include <pthread.h>

#include "stint/detail/api.h"

/* Not 0 while the calling thread works for the library itself: what it does then is none of the program's. */
extern STINT_I_THREAD_LOCAL int stint_is_own_work __attribute__((tls_model("initial-exec")));

/* Begin and end such work. The first returns what the second has to be given. */
static inline int stint_own_work_begin(void)
{
    int before = stint_is_own_work;
    stint_is_own_work = 1;
    return before;
}

static inline void stint_own_work_end(int before)
{
    stint_is_own_work = before;
}

/* Waits for a lock. In an `emergency`, when the process is about to end, waits for a tenth of a second at most: reading
 * without the lock is then better than not reading at all. Returns 1 if the lock is held, 0 if it has not become free
 * in that time. */
int stint_lock_for(pthread_mutex_t *lock, int emergency);

#endif

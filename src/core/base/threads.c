/* Marks threads while they work for the library itself, and takes locks that are not waited for forever. */
#include "base/threads.h"

#include <time.h>

STINT_I_THREAD_LOCAL int stint_is_own_work __attribute__((tls_model("initial-exec")));

enum { TRIES = 100, PAUSE_NS = 1000000 };

int stint_lock_for(pthread_mutex_t *lock, int emergency)
{
    struct timespec pause = {0, PAUSE_NS};
    if (!emergency)
        return !pthread_mutex_lock(lock);
    for (int i = 0; i < TRIES; i++) {
        if (!pthread_mutex_trylock(lock))
            return 1;
        nanosleep(&pause, NULL);
    }
    return 0;
}

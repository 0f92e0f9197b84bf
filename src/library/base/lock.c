#include "base/lock.h"

#include <time.h>

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

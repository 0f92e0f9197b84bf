/* The library's own threads as others see them, and locks that are not waited for forever. */
#include "base/threads.h"

#include <errno.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <time.h>

STINT_I_THREAD_LOCAL int stint_is_own_work __attribute__((tls_model("initial-exec")));

void stint_own_thread(const char *name)
{
    stint_is_own_work = 1;
    (void)prctl(PR_SET_NAME, name);
}

int stint_wait_for_post(sem_t *semaphore, unsigned ms)
{
    enum { MS_PER_S = 1000, NS_PER_MS = 1000000, NS_PER_S = 1000000000 };
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ms / MS_PER_S;
    until.tv_nsec += (long)(ms % MS_PER_S) * NS_PER_MS;
    if (until.tv_nsec >= NS_PER_S) {
        until.tv_nsec -= NS_PER_S;
        until.tv_sec++;
    }
    while (sem_timedwait(semaphore, &until))
        if (errno != EINTR)
            return -1;
    return 0;
}

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

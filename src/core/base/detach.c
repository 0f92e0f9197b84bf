/* Makes threads of the library. In a file of its own, because only parts have threads: a static program without them
 * then has nothing of what libc needs for threads. */
#include <signal.h>
#include <stddef.h>

#include "base/threads.h"

int stint_detach(void *(*run)(void *argument), void *argument, pthread_t *thread)
{
    sigset_t all, before;
    pthread_t id;

    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before))
        return -1;
    int error = pthread_create(&id, NULL, run, argument);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        return -1;
    if (thread)
        *thread = id;
    (void)pthread_detach(id);
    return 0;
}

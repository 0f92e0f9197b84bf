/* Locks. A lock that is free is taken without being recorded, as nsys does it: that is not waiting, and there would be
 * more of it than of everything else. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include "osrt/wrap.h"

#define LOCK(name, try, parameters, arguments)                                                                         \
    STINT_OS_DEFINE(int, name, parameters)                                                                             \
    {                                                                                                                  \
        int(*const real) parameters = STINT_OS_REAL(int, name, parameters);                                            \
        struct stint_os_call call;                                                                                     \
        int value = STINT_OS_REAL(int, try, parameters) arguments;                                                     \
        if (value != EBUSY)                                                                                            \
            return value;                                                                                              \
        if (!stint_os_begin(&call))                                                                                    \
            return real arguments;                                                                                     \
        value = real arguments;                                                                                        \
        stint_os_end_wait(&call, STINT_OS_##name);                                                                     \
        return value;                                                                                                  \
    }

#define NOTHING(...)

STINT_OS_CALLS(NOTHING, LOCK, NOTHING)

STINT_OS_DEFINE(int, mtx_lock, (mtx_t * lock))
{
    int (*const real)(mtx_t *) = STINT_OS_REAL(int, mtx_lock, (mtx_t *));
    int (*const try)(mtx_t *) = STINT_OS_REAL(int, mtx_trylock, (mtx_t *));
    struct stint_os_call call;

    int value = try(lock);
    if (value != thrd_busy)
        return value;
    if (!stint_os_begin(&call))
        return real(lock);
    value = real(lock);
    stint_os_end_wait(&call, STINT_OS_mtx_lock);
    return value;
}

/* A cancellation point, whether it waits or not. */
STINT_OS_DEFINE(int, sem_wait, (sem_t * semaphore))
{
    int (*const real)(sem_t *) = STINT_OS_REAL(int, sem_wait, (sem_t *));
    int (*const try)(sem_t *) = STINT_OS_REAL(int, sem_trywait, (sem_t *));
    int error = errno;
    struct stint_os_call call;

    pthread_testcancel();
    int value = try(semaphore);
    if (!value || errno != EAGAIN)
        return value;
    errno = error;
    if (!stint_os_begin(&call))
        return real(semaphore);
    value = real(semaphore);
    stint_os_end_wait(&call, STINT_OS_sem_wait);
    return value;
}

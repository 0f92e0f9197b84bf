/* The wrappers of the C library's functions in which threads wait: they pass on their arguments and record the call. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>

#include "osrt/os_call_list.h"

/* ------------------------------------------------------------------------------------------------------ plain calls */

/* A function that this C library does not have fails as a system call does that the kernel does not have. */
#define PLAIN(result, name, shown, parameters, arguments)                                                              \
    STINT_OS_DEFINE(result, name, parameters)                                                                          \
    {                                                                                                                  \
        result(*const real) parameters = STINT_OS_REAL(result, name, parameters);                                      \
        struct stint_os_call call;                                                                                     \
        if (STINT_I_UNLIKELY(!real)) {                                                                                 \
            errno = ENOSYS;                                                                                            \
            return (result)-1;                                                                                         \
        }                                                                                                              \
        if (!stint_os_begin(&call))                                                                                    \
            return real arguments;                                                                                     \
        result value = real arguments;                                                                                 \
        stint_os_end(&call, STINT_OS_##name);                                                                          \
        return value;                                                                                                  \
    }

/* ------------------------------------------------------------------------------------------------------------ locks */

/* A lock that is free is taken without being recorded, as nsys does it: that is not waiting, and there would be more of
 * it than of everything else. */
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

/* By hand, below. */
#define NOTHING(...)

STINT_OS_CALLS(PLAIN, LOCK, NOTHING)

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

/* ---------------------------------------------------------------------------------------------- handlers of signals */

/* Recording starts before main, and with it come handlers of the signals that end processes. Many programs install
 * their own only where they find the default action, as Python does for SIGINT: they are told of that. */
STINT_OS_DEFINE(int, sigaction, (int signal, const struct sigaction *action, struct sigaction *before))
{
    int result =
        STINT_OS_REAL(int, sigaction, (int, const struct sigaction *, struct sigaction *))(signal, action, before);

    if (!result && before)
        stint_os_hide_handler(before);
    return result;
}

typedef void handler_fn(int signal);

STINT_OS_DEFINE(handler_fn *, signal, (int signal, handler_fn *handler))
{
    struct sigaction before;

    if (stint_os_sigaction(signal, NULL, &before))
        return SIG_ERR;
    if (STINT_OS_REAL(handler_fn *, signal, (int, handler_fn *))(signal, handler) == SIG_ERR)
        return SIG_ERR;
    return before.sa_handler;
}

/* ------------------------------------------------------------------------------------------------ missing arguments */

/* Functions whose last arguments may be missing. Those that they have are passed on as the C library reads them: as
 * words of the machine, whether the caller gave them or not. */
#define LAST(type, after)                                                                                              \
    va_list list;                                                                                                      \
    va_start(list, after);                                                                                             \
    type last = va_arg(list, type);                                                                                    \
    va_end(list)

#define WRAP(result, name, parameters, first, after, type)                                                             \
    STINT_OS_DEFINE(result, name, parameters)                                                                          \
    {                                                                                                                  \
        result(*const real) parameters = STINT_OS_REAL(result, name, parameters);                                      \
        struct stint_os_call call;                                                                                     \
        LAST(type, after);                                                                                             \
        if (!stint_os_begin(&call))                                                                                    \
            return real(STINT_OS_UNPACK first, last);                                                                  \
        result value = real(STINT_OS_UNPACK first, last);                                                              \
        stint_os_end(&call, STINT_OS_##name);                                                                          \
        return value;                                                                                                  \
    }
#define STINT_OS_UNPACK(...) __VA_ARGS__

WRAP(int, open, (const char *path, int flags, ...), (path, flags), flags, mode_t)
WRAP(int, open64, (const char *path, int flags, ...), (path, flags), flags, mode_t)
WRAP(int, openat, (int folder, const char *path, int flags, ...), (folder, path, flags), flags, mode_t)
WRAP(int, openat64, (int folder, const char *path, int flags, ...), (folder, path, flags), flags, mode_t)
WRAP(int, fcntl, (int file, int command, ...), (file, command), command, void *)
WRAP(int, fcntl64, (int file, int command, ...), (file, command), command, void *)
WRAP(int, ioctl, (int file, unsigned long command, ...), (file, command), command, void *)

/* Operations of futex that wait (linux/futex.h), without their flags. */
static int waits(long operation)
{
    enum { WAIT = 0, LOCK_PI = 6, WAIT_BITSET = 9, WAIT_REQUEUE_PI = 11, LOCK_PI2 = 13, FLAGS = 128 | 256 };

    switch (operation & ~(long)FLAGS) {
    case WAIT:
    case LOCK_PI:
    case WAIT_BITSET:
    case WAIT_REQUEUE_PI:
    case LOCK_PI2:
        return 1;
    default:
        return 0;
    }
}

/* Locks of Rust's and C++'s libraries, among others, ask the kernel themselves. Other system calls that are made this
 * way are not recorded. */
STINT_OS_DEFINE(long, syscall, (long number, long a, long b, long c, long d, long e, long f))
{
    long (*const real)(long, long, long, long, long, long, long) =
        STINT_OS_REAL(long, syscall, (long, long, long, long, long, long, long));
    struct stint_os_call call;

    if (number != SYS_futex || !waits(b) || !stint_os_begin(&call))
        return real(number, a, b, c, d, e, f);
    long value = real(number, a, b, c, d, e, f);
    stint_os_end(&call, STINT_OS_FUTEX);
    return value;
}

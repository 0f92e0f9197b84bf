/* The wrappers that only pass their arguments on. */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>

#include "osrt/wrap.h"

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

/* By hand, in other files. */
#define NOTHING(...)

STINT_OS_CALLS(PLAIN, NOTHING, NOTHING)

/* Functions whose last arguments may be missing. Those that they have are passed on as the C library reads them: as
 * words of the machine, whether the caller gave them or not. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "osrt/wrap.h"

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

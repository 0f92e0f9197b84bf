/* Looks up the C library's functions that are wrapped, and times their calls as scopes, without changing anything else
 * that the caller can see. */
#include <aio.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>

#include "contexts/contexts.h"
#include "guest/guest.h"
#include "inject/inject.h"
#include "stint/detail/api.h"
#include "support/os_call_list.h"

#define PLAIN_NUMBER(result, name, shown, parameters, arguments) NUMBER_##name,
#define LOCK_NUMBER(name, try, parameters, arguments) NUMBER_##name,
#define OTHER_NUMBER(name) NUMBER_##name,

enum number { STINT_OS_CALLS(PLAIN_NUMBER, LOCK_NUMBER, OTHER_NUMBER) NUMBER_FUTEX, NUMBERS };

#define PLAIN_NAME(result, name, shown, parameters, arguments) [NUMBER_##name] = {#name, #shown},
#define LOCK_NAME(name, try, parameters, arguments) OTHER_NAME(name)
#define OTHER_NAME(name) [NUMBER_##name] = {#name, #name},

static const struct {
    const char *name;  /* the symbol */
    const char *shown; /* the name in reports */
} s_names[NUMBERS] = {STINT_OS_CALLS(PLAIN_NAME, LOCK_NAME, OTHER_NAME)[NUMBER_FUTEX] = {"syscall", "futex"}};

typedef void any_fn(void);

static any_fn *s_real[NUMBERS];

/* Statistics' ids, by number. Those with the same name have the same id. */
static uint32_t s_ids[NUMBERS];

/* NULL: nothing is recorded, because the process is just beginning, or because recording could not be started. */
static const struct stint_os_functions *s_functions;

/* Constructors of other libraries may call a wrapper before the one below has run. dlsym finds the newest version of a
 * function, as the linker does. */
static any_fn *find(enum number number)
{
    void *found = dlsym(RTLD_NEXT, s_names[number].name);
    any_fn *function;
    memcpy(&function, &found, sizeof function);
    __atomic_store_n(&s_real[number], function, __ATOMIC_RELAXED);
    return function;
}

/* Returns the function of the C library, or of the next library that wraps it. NULL: this C library does not have it;
 * then a program can have found only the wrapper, by dlsym. */
static any_fn *real_of(enum number number)
{
    any_fn *function = STINT_I_LOAD(&s_real[number]);
    return STINT_I_LIKELY(function != NULL) ? function : find(number);
}

#define REAL(result, name, parameters) ((result(*) parameters)real_of(NUMBER_##name))

/* Defines the function `name` of the C library, which headers may have declared as a macro or with other types, under a
 * name of its own for the compiler. */
#define DEFINE(result, name, parameters)                                                                               \
    STINT_API result stint_os_##name parameters __asm__(#name);                                                        \
    result stint_os_##name parameters

/* Begins a call. Returns 0 if it is not recorded; then there is nothing to end. Neither this nor the functions that end
 * it change errno. Nothing is held in between: the call may never return. */
static int begin_call(struct stint_os_call *call)
{
    const struct stint_os_functions *functions = __atomic_load_n(&s_functions, __ATOMIC_ACQUIRE);
    if (!functions)
        return 0;
    functions->begin(call);
    return call->start != 0;
}

static void end_call(const struct stint_os_call *call, enum number number)
{
    s_functions->end(call, &s_ids[number], s_names[number].shown, 0);
}

/* Ends a call that was about to wait, however soon it returned. */
static void end_wait(const struct stint_os_call *call, enum number number)
{
    s_functions->end(call, &s_ids[number], s_names[number].shown, 1);
}

/* After the constructor of inject/inject.c. Recording starts here and not with the first call, which may come from a
 * signal handler or from within malloc. The functions are found here for the same reason. */
__attribute__((constructor(103))) static void on_load(void)
{
    for (int number = 0; number < NUMBERS; number++)
        (void)real_of((enum number)number);
    (void)stint_inject_core()->attach("contexts", &(struct stint_os_offer){&s_functions});
}

/* The wrappers of the C library's functions in which threads wait: they pass on their arguments and record the call. */

/* ------------------------------------------------------------------------------------------------------ plain calls */

/* A function that this C library does not have fails as a system call does that the kernel does not have. */
#define PLAIN(result, name, shown, parameters, arguments)                                                              \
    DEFINE(result, name, parameters)                                                                                   \
    {                                                                                                                  \
        result(*const real) parameters = REAL(result, name, parameters);                                               \
        struct stint_os_call call;                                                                                     \
        if (STINT_I_UNLIKELY(!real)) {                                                                                 \
            errno = ENOSYS;                                                                                            \
            return (result)-1;                                                                                         \
        }                                                                                                              \
        if (!begin_call(&call))                                                                                        \
            return real arguments;                                                                                     \
        result value = real arguments;                                                                                 \
        end_call(&call, NUMBER_##name);                                                                                \
        return value;                                                                                                  \
    }

/* ------------------------------------------------------------------------------------------------------------ locks */

/* A lock that is free is taken without being recorded, as nsys does it: that is not waiting, and there would be more of
 * it than of everything else. */
#define LOCK(name, try, parameters, arguments)                                                                         \
    DEFINE(int, name, parameters)                                                                                      \
    {                                                                                                                  \
        int(*const real) parameters = REAL(int, name, parameters);                                                     \
        struct stint_os_call call;                                                                                     \
        int value = REAL(int, try, parameters) arguments;                                                              \
        if (value != EBUSY)                                                                                            \
            return value;                                                                                              \
        if (!begin_call(&call))                                                                                        \
            return real arguments;                                                                                     \
        value = real arguments;                                                                                        \
        end_wait(&call, NUMBER_##name);                                                                                \
        return value;                                                                                                  \
    }

/* By hand, below. */
#define NOTHING(...)

STINT_OS_CALLS(PLAIN, LOCK, NOTHING)

DEFINE(int, mtx_lock, (mtx_t * lock))
{
    int (*const real)(mtx_t *) = REAL(int, mtx_lock, (mtx_t *));
    int (*const try)(mtx_t *) = REAL(int, mtx_trylock, (mtx_t *));
    struct stint_os_call call;
    int value = try(lock);
    if (value != thrd_busy)
        return value;
    if (!begin_call(&call))
        return real(lock);
    value = real(lock);
    end_wait(&call, NUMBER_mtx_lock);
    return value;
}

/* A cancellation point, whether it waits or not. */
DEFINE(int, sem_wait, (sem_t * semaphore))
{
    int (*const real)(sem_t *) = REAL(int, sem_wait, (sem_t *));
    int (*const try)(sem_t *) = REAL(int, sem_trywait, (sem_t *));
    int error = errno;
    struct stint_os_call call;
    pthread_testcancel();
    int value = try(semaphore);
    if (!value || errno != EAGAIN)
        return value;
    errno = error;
    if (!begin_call(&call))
        return real(semaphore);
    value = real(semaphore);
    end_wait(&call, NUMBER_sem_wait);
    return value;
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
    DEFINE(result, name, parameters)                                                                                   \
    {                                                                                                                  \
        result(*const real) parameters = REAL(result, name, parameters);                                               \
        struct stint_os_call call;                                                                                     \
        LAST(type, after);                                                                                             \
        if (!begin_call(&call))                                                                                        \
            return real(NUMBER_UNPACK first, last);                                                                    \
        result value = real(NUMBER_UNPACK first, last);                                                                \
        end_call(&call, NUMBER_##name);                                                                                \
        return value;                                                                                                  \
    }
#define NUMBER_UNPACK(...) __VA_ARGS__

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
DEFINE(long, syscall, (long number, long a, long b, long c, long d, long e, long f))
{
    long (*const real)(long, long, long, long, long, long, long) =
        REAL(long, syscall, (long, long, long, long, long, long, long));
    struct stint_os_call call;
    stint_guest_filters(number, a, b, (const void *)c); // NOLINT(performance-no-int-to-ptr)
    if (stint_inject_is_refused(number))
        return stint_inject_call_alone(number, a, b);
    if (number != SYS_futex || !waits(b) || !begin_call(&call))
        return real(number, a, b, c, d, e, f);
    long value = real(number, a, b, c, d, e, f);
    end_call(&call, NUMBER_FUTEX);
    return value;
}

/* Shares signals with the program: takes a real-time signal that is free, moves to another if the program wants that
 * one, and wraps functions of the C library with which a program would otherwise see signals of timers. */
#include "sample/sampling.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "stint/detail/api.h"

enum { NS_PER_S = 1000000000 };

static struct {
    int number; /* 0: none has been taken */
    stint_timer_signal_fn *see;
} s_signal;

/* If this library is preloaded, the program calls the functions below. These are the C library's. */
static struct {
    int (*sigtimedwait)(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);
    int (*sigwait)(const sigset_t *set, int *number);
    int (*sigpending)(sigset_t *set);
    int (*signalfd)(int file, const sigset_t *set, int flags);
} s_real;

#define REAL(name) __atomic_load_n(&s_real.name, __ATOMIC_ACQUIRE)

static void find(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    __atomic_store_n((void **)function, found, __ATOMIC_RELEASE);
}

/* Also before each use: constructors of other libraries that run before this one may start threads. Several may find
 * them at once, and a handler while its thread does: all find the same, the last one last. */
__attribute__((constructor(101))) static void find_functions(void)
{
    if (REAL(signalfd))
        return;
    find(&s_real.sigtimedwait, "sigtimedwait");
    find(&s_real.sigwait, "sigwait");
    find(&s_real.sigpending, "sigpending");
    find(&s_real.signalfd, "signalfd");
}

/* ---------------------------------------------------------------------------------------------------- the handler */

/* A signal that the program sends itself takes the effect that it would have. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    struct stint_task *task = stint_task_of(info);
    int error = errno;
    if (task)
        s_signal.see(task, context);
    else if (!stint_sampler_host->show_handler(number))
        (void)raise(number); /* ends the process when this handler is left */
    errno = error;
}

static int move(const sigset_t *others);

/* The program has a handler of its own. */
static void leave(int number)
{
    if (number == stint_timer_signal() && move(NULL))
        stint_tasks_use_signal(0);
}

static const struct stint_hidden_handler s_handler = {on_signal, (int)(SA_RESTART | SA_ONSTACK), 1, leave};

/* Emulators of processors, such as qemu, have fewer signals than what they emulate, and take handlers for all. */
static int can_be_sent(int number)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
    int timer;

    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer))
        return errno != EINVAL;
    (void)syscall(SYS_timer_delete, timer);
    return 1;
}

/* Installs the handler for the last signal that nobody uses and that is not in `others`, and returns its number, or
 * 0. */
static int install_last(const sigset_t *others)
{
    for (int number = SIGRTMAX - 1; number > SIGRTMIN; number--)
        if (number != s_signal.number && !(others && sigismember(others, number)) && can_be_sent(number) &&
            !stint_sampler_host->hide_handler(number, &s_handler))
            return number;
    return 0;
}

int stint_timer_signal(void)
{
    return __atomic_load_n(&s_signal.number, __ATOMIC_ACQUIRE);
}

int stint_timer_signal_take(stint_timer_signal_fn *see)
{
    find_functions();
    s_signal.see = see;
    if (!s_signal.number)
        __atomic_store_n(&s_signal.number, install_last(NULL), __ATOMIC_RELEASE);
    return s_signal.number;
}

/* The program wants the signal for itself. Timers send another one from now on; without one, they end. Returns 0, or
 * -1. */
static int move(const sigset_t *others)
{
    int next = install_last(others);
    if (!next)
        return -1;
    __atomic_store_n(&s_signal.number, next, __ATOMIC_RELEASE);
    stint_tasks_use_signal(next);
    return 0;
}

void stint_timer_signal_check(void)
{
    if (stint_sampler_host->hide_handler(s_signal.number, &s_handler))
        leave(s_signal.number);
}

/* ------------------------------------------------------------------------------------------------ what hosts call */

static int has_ours(const sigset_t *set)
{
    find_functions();
    int number = stint_timer_signal();

    return number && set && sigismember(set, number) == 1;
}

/* What is left until `end`. */
static struct timespec left_until(const struct timespec *end)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t ns = (end->tv_sec - now.tv_sec) * (int64_t)NS_PER_S + (end->tv_nsec - now.tv_nsec);
    return ns > 0 ? (struct timespec){ns / NS_PER_S, ns % NS_PER_S} : (struct timespec){0, 0};
}

/* Signals of timers are not what the program waits for. */
STINT_API int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
    struct timespec end, left;
    struct stint_hold hold;
    siginfo_t found;
    int number;
    find_functions();
    if (!has_ours(set)) {
        stint_hold_begin(&hold, (stint_held_fn *)REAL(sigtimedwait), __builtin_frame_address(0));
        number = REAL(sigtimedwait)(set, info, timeout);
        stint_hold_end(&hold);
        return number;
    }
    if (timeout) {
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_sec += timeout->tv_sec + (end.tv_nsec + timeout->tv_nsec) / NS_PER_S;
        end.tv_nsec = (end.tv_nsec + timeout->tv_nsec) % NS_PER_S;
        left = *timeout;
    }
    while ((number = REAL(sigtimedwait)(set, &found, timeout ? &left : NULL)) > 0 && stint_task_of(&found)) {
        stint_task_go_on(stint_task_of(&found));
        left = timeout ? left_until(&end) : (struct timespec){0, 0};
    }
    if (info && number > 0)
        *info = found;
    return number;
}

STINT_API int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
    return sigtimedwait(set, info, NULL);
}

STINT_API int sigwait(const sigset_t *set, int *number)
{
    int error = errno, found;
    find_functions();
    if (!has_ours(set))
        return REAL(sigwait)(set, number);
    do
        found = sigtimedwait(set, NULL, NULL);
    while (found < 0 && errno == EINTR);
    int failure = found < 0 ? errno : 0;
    errno = error;
    if (!failure)
        *number = found;
    return failure;
}

STINT_API int sigpending(sigset_t *set)
{
    find_functions();
    int failed = REAL(sigpending)(set), ours = stint_timer_signal();
    if (!failed && ours)
        (void)sigdelset(set, ours);
    return failed;
}

/* Who asks for a few signals means them; who asks for all would be told of timers. */
STINT_API int signalfd(int file, const sigset_t *set, int flags)
{
    sigset_t others;
    find_functions();
    if (!has_ours(set) || !move(set))
        return REAL(signalfd)(file, set, flags);
    others = *set;
    sigdelset(&others, s_signal.number);
    return REAL(signalfd)(file, &others, flags);
}

/* Calls that end early when a handler of a signal has run, whatever its flags: signals of timers are held off until
 * they return. What a thread waits there is charged to the place of its call: when it has returned, and meanwhile by
 * the sampler's own thread. */
#include <aio.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <threads.h>
#include <unistd.h>

#include "sample/sampling.h"
#include "stint/detail/api.h"
#include "support/os_call_list.h"

/* -------------------------------------------------------------------------------------------------------- its place */

/* States of a task's wait. Others may see its place, and walk through its callers, from HELD to SEEN and back, so that
 * its thread cannot leave it meanwhile. */
enum { NONE, HELD, SEEN, LEAVING };

/* The calling thread's task: of the thread with that number, which a child of fork does not have. */
static STINT_I_THREAD_LOCAL struct {
    struct stint_task *task;
    int64_t tid;
} tl_self __attribute__((tls_model("initial-exec")));

void stint_wait_know_self(struct stint_task *task, int64_t tid)
{
    tl_self.task = task;
    tl_self.tid = tid;
}

static struct stint_task *own_task(void)
{
    struct stint_task *task = tl_self.task;
    return task && __atomic_load_n(&task->tid, __ATOMIC_ACQUIRE) == tl_self.tid ? task : NULL;
}

static int change(struct stint_wait *wait, int from, int to)
{
    return __atomic_compare_exchange_n(&wait->state, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

int stint_wait_enter(struct stint_wait *wait)
{
    return change(wait, HELD, SEEN);
}

void stint_wait_leave(struct stint_wait *wait)
{
    (void)change(wait, SEEN, HELD);
}

enum stint_wait_place stint_wait_interrupted(struct stint_wait *wait)
{
    switch (__atomic_load_n(&wait->state, __ATOMIC_ACQUIRE)) {
    case LEAVING:
        return STINT_WAIT_HERE;
    case SEEN:
        return STINT_WAIT_SEEN;
    default: /* longjmp may have left a call, or a handler in it lets the signal in */
        return change(wait, HELD, NONE) || !__atomic_load_n(&wait->state, __ATOMIC_ACQUIRE) ? STINT_WAIT_ELSEWHERE
                                                                                            : STINT_WAIT_SEEN;
    }
}

/* Waits until no other thread sees the wait, which takes microseconds. Returns whether it was in a state before. */
static int take_back(struct stint_wait *wait, int from, int to)
{
    while (!change(wait, from, to)) {
        if (__atomic_load_n(&wait->state, __ATOMIC_ACQUIRE) != SEEN)
            return 0;
        (void)sched_yield();
    }
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- a call */

enum { SET_SIZE = 8 };

static void put_off(struct stint_hold *hold)
{
    int number = stint_sampler_is_on() ? stint_timer_signal() : 0;
    sigset_t before;
    hold->is_held = 0;
    if (!number)
        return;
    sigemptyset(&hold->mask);
    sigaddset(&hold->mask, number);
    hold->is_held =
        !syscall(SYS_rt_sigprocmask, SIG_BLOCK, &hold->mask, &before, SET_SIZE) && !sigismember(&before, number);
}

void stint_hold_begin(struct stint_hold *hold, stint_held_fn *function, const uint64_t *frame)
{
    struct stint_task *task = own_task();
    hold->wait = NULL;
    put_off(hold);
    if (!hold->is_held || !task)
        return;
    hold->wait = &task->wait;
    (void)take_back(hold->wait, HELD, NONE); /* longjmp left it */
    hold->wait->place = (struct stint_walk_place){(uintptr_t)function, frame[1], (uintptr_t)(frame + 2), frame[0]};
    hold->wait->path = stint_sampler_host->path_now();
    hold->wait->python = stint_python_state();
    __atomic_store_n(&hold->wait->state, HELD, __ATOMIC_RELEASE);
}

/* A signal that has come meanwhile is taken here. */
void stint_hold_end(const struct stint_hold *hold)
{
    int error = errno;
    if (!hold->is_held)
        return;
    int is_known = hold->wait && take_back(hold->wait, HELD, LEAVING);
    (void)syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &hold->mask, NULL, SET_SIZE);
    if (is_known)
        (void)change(hold->wait, LEAVING, NONE);
    errno = error;
}

/* Returns the mask that a call is to have instead of another one. */
static const sigset_t *with_held(struct stint_hold *hold, const sigset_t *mask)
{
    static const sigset_t none;
    if (!hold->is_held || !mask)
        return mask;
    hold->both = none;
    (void)sigorset(&hold->both, mask, &hold->mask);
    return &hold->both;
}

/* -------------------------------------------------------------------------------------------------------- all calls */

#define ALL_CALLS(LIMITED, MASKED, CONNECT, RECEIVE, TRANSFER, GATHER, OTHER)                                          \
    STINT_OS_LIMITED_CALLS(LIMITED)                                                                                    \
    STINT_OS_MASKED_CALLS(MASKED)                                                                                      \
    STINT_OS_CONNECT_CALLS(CONNECT)                                                                                    \
    STINT_OS_RECEIVE_CALLS(RECEIVE)                                                                                    \
    STINT_OS_TRANSFER_CALLS(TRANSFER)                                                                                  \
    STINT_OS_GATHER_CALLS(GATHER)                                                                                      \
    OTHER(getrandom)                                                                                                   \
    OTHER(sem_wait)                                                                                                    \
    OTHER(setsockopt)                                                                                                  \
    OTHER(syscall)
#define NUMBER(result, name, ...) NUMBER_##name,
#define OTHER_NUMBER(name) NUMBER_##name,
#define NAME(result, name, ...) #name,
#define OTHER_NAME(name) #name,

enum number { ALL_CALLS(NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, OTHER_NUMBER) NUMBERS };

static const char *const s_names[] = {ALL_CALLS(NAME, NAME, NAME, NAME, NAME, NAME, OTHER_NAME)};
static stint_held_fn *s_real[NUMBERS];

static stint_held_fn *find(enum number number)
{
    void *found = dlsym(RTLD_NEXT, s_names[number]);
    stint_held_fn *function;
    memcpy(&function, &found, sizeof function);
    __atomic_store_n(&s_real[number], function, __ATOMIC_RELAXED);
    return function;
}

/* Constructors of other libraries may call a function before the one below has run. */
static stint_held_fn *real_of(enum number number)
{
    stint_held_fn *function = STINT_I_LOAD(&s_real[number]);
    return STINT_I_LIKELY(function != NULL) ? function : find(number);
}

__attribute__((constructor(101))) static void find_all(void)
{
    for (int number = 0; number < NUMBERS; number++)
        (void)find((enum number)number);
}

static int s_has_limits; /* a socket has had one */

static int has_limits(void)
{
    return __atomic_load_n(&s_has_limits, __ATOMIC_RELAXED);
}

#define DEFINE(result, name, parameters)                                                                               \
    STINT_API result stint_held_##name parameters __asm__(#name);                                                      \
    result stint_held_##name parameters

/* A function that this C library does not have fails as a system call does that the kernel does not have. */
#define HOLD(result, name, parameters, arguments, condition, change_mask)                                              \
    DEFINE(result, name, parameters)                                                                                   \
    {                                                                                                                  \
        result(*const real) parameters = (result(*) parameters)real_of(NUMBER_##name);                                 \
        struct stint_hold hold;                                                                                        \
        if (STINT_I_UNLIKELY(!real)) {                                                                                 \
            errno = ENOSYS;                                                                                            \
            return (result)-1;                                                                                         \
        }                                                                                                              \
        if (!(condition))                                                                                              \
            return real arguments;                                                                                     \
        stint_hold_begin(&hold, (stint_held_fn *)real, __builtin_frame_address(0));                                    \
        change_mask;                                                                                                   \
        result value = real arguments;                                                                                 \
        stint_hold_end(&hold);                                                                                         \
        return value;                                                                                                  \
    }

#define LIMITED(result, name, shown, parameters, arguments) HOLD(result, name, parameters, arguments, 1, (void)0)
#define MASKED(result, name, shown, parameters, arguments)                                                             \
    HOLD(result, name, parameters, arguments, 1, mask = with_held(&hold, mask))
#define CONNECT(result, name, shown, parameters, arguments)                                                            \
    HOLD(result, name, parameters, arguments, has_limits(), (void)0)
#define RECEIVE(result, name, shown, parameters, arguments)                                                            \
    HOLD(result, name, parameters, arguments, (flags & MSG_WAITALL) || has_limits(), (void)0)
#define TRANSFER(result, name, shown, parameters, arguments)                                                           \
    HOLD(result, name, parameters, arguments, size > PIPE_BUF || has_limits(), (void)0)
#define NOTHING(...)

ALL_CALLS(LIMITED, MASKED, CONNECT, RECEIVE, TRANSFER, LIMITED, NOTHING)

HOLD(ssize_t, getrandom, (void *to, size_t size, unsigned flags), (to, size, flags), size > PIPE_BUF, (void)0)

/* It would go on, but behind those that have begun to wait later. */
static int is_taken(sem_t *semaphore)
{
    int value;
    return !sem_getvalue(semaphore, &value) && value <= 0;
}

HOLD(int, sem_wait, (sem_t * semaphore), (semaphore), is_taken(semaphore), (void)0)

DEFINE(int, setsockopt, (int file, int level, int option, const void *value, socklen_t size))
{
    int (*const real)(int, int, int, const void *, socklen_t) =
        (int (*)(int, int, int, const void *, socklen_t))real_of(NUMBER_setsockopt);
    if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO))
        __atomic_store_n(&s_has_limits, 1, __ATOMIC_RELAXED);
    return real(file, level, option, value, size);
}

/* What asks the kernel in machine code is not held. */
static int is_limited(long number, long limit)
{
    return (number == SYS_futex && limit) || number == SYS_io_uring_enter || number == SYS_io_getevents;
}

HOLD(long, syscall, (long number, long a, long b, long c, long d, long e, long f), (number, a, b, c, d, e, f),
     is_limited(number, d), (void)0)

/* Handlers of signals that the program does not see. What it is told of a signal's action, and what it sets, is kept
 * here while one of stint's is in its place. The C library's functions by which programs ask and set are replaced,
 * wherever this file comes before the C library. */
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "base/process.h"
#include "stint/detail/api.h"

/* The C library's own. A program that is linked with -static has no other. */
STINT_API int __sigaction(int number, const struct sigaction *action, struct sigaction *before); // NOLINT
#ifdef __GLIBC__
#define OWN_SIGACTION __sigaction
#else
/* With musl only that program has it, and only if it is linked with what needs it. */
#pragma weak __sigaction
static int (*const s_needs_it)(pthread_t) __attribute__((used)) = pthread_cancel;
#define OWN_SIGACTION (__sigaction ? __sigaction : real_sigaction())
#endif
#pragma weak dlsym
#pragma weak dlerror

/* ------------------------------------------------------------------------------------------------- other functions */

static struct {
    int are_known;
    void *sigaction; /* after the one below; NULL: there is none, as with -static */
    void *sigaltstack;
    void *first; /* sigaction as the program calls it */
} s_found;

/* Before main, whose dlerror(3) tells of what it has looked for itself. */
__attribute__((constructor(101))) static void find_others(void)
{
    if (!dlsym || __atomic_exchange_n(&s_found.are_known, 1, __ATOMIC_RELAXED))
        return;
    s_found.sigaction = dlsym(RTLD_NEXT, "sigaction");
    s_found.sigaltstack = dlsym(RTLD_NEXT, "sigaltstack");
    s_found.first = dlsym(RTLD_DEFAULT, "sigaction");
    (void)dlerror();
}

/* Puts what was found, if anything, in the place of `function`. */
static void put_other(void *const *found, void *function)
{
    find_others();
    if (*found)
        memcpy(function, found, sizeof *found);
}

static stint_sigaction_fn *real_sigaction(void)
{
    stint_sigaction_fn *real = __sigaction;
    put_other(&s_found.sigaction, &real);
    return real;
}

/* ------------------------------------------------------------------------------------------------ hidden handlers */

static struct {
    const struct stint_hidden_handler *ours; /* NULL: there is none for this signal */
    struct sigaction program;                /* what the program has set instead */
} s_signals[NSIG];

static int is_in_place(int number, const struct sigaction *present)
{
    return (present->sa_flags & SA_SIGINFO) && present->sa_sigaction == s_signals[number].ours->handler;
}

/* Whether an action of the program leaves stint's handler where it is. */
static int is_hidden_by(const struct stint_hidden_handler *ours, const struct sigaction *action)
{
    return action->sa_handler == SIG_DFL || (ours->leave && action->sa_handler == SIG_IGN);
}

/* Installs stint's handler in the place of an action that lets it. Returns whether it is there. */
static int cover(int number)
{
    const struct stint_hidden_handler *ours = s_signals[number].ours;
    struct sigaction present, action = {.sa_sigaction = ours->handler, .sa_flags = ours->flags | SA_SIGINFO};
    if (ours->blocks_all)
        memset(&action.sa_mask, 0xFF, sizeof action.sa_mask);
    (void)sigdelset(&action.sa_mask, SIGSYS); /* a sandbox may want to see system calls */
    if (OWN_SIGACTION(number, NULL, &present))
        return 0;
    if (!is_hidden_by(ours, &present))
        return is_in_place(number, &present);
    s_signals[number].program = present;
    return !OWN_SIGACTION(number, &action, NULL);
}

int stint_handler_hide(int number, const struct stint_hidden_handler *handler)
{
    if (s_signals[number].ours && s_signals[number].ours != handler)
        return -1;
    s_signals[number].ours = handler;
    if (cover(number))
        return 0;
    s_signals[number].ours = NULL;
    return -1;
}

int stint_handler_show(int number)
{
    if (s_signals[number].program.sa_handler == SIG_IGN)
        return -1;
    s_signals[number].ours = NULL;
    return OWN_SIGACTION(number, &s_signals[number].program, NULL);
}

/* The others tell of what the thread does just now. */
static int can_wait(int number)
{
    return number != SIGSEGV && number != SIGBUS && number != SIGFPE && number != SIGILL && number != SIGTRAP &&
           number != SIGSYS && number != SIGABRT;
}

void stint_handlers_hold(sigset_t *before)
{
    sigset_t held;
    struct sigaction present;
    sigemptyset(&held);
    for (int number = 1; number < NSIG && !stint_process_is_confined(); number++)
        if (can_wait(number) && !OWN_SIGACTION(number, NULL, &present) && present.sa_handler != SIG_DFL &&
            present.sa_handler != SIG_IGN && !(s_signals[number].ours && is_in_place(number, &present)))
            (void)sigaddset(&held, number);
    (void)pthread_sigmask(SIG_BLOCK, &held, before);
}

/* Asks as the program does. One that is linked with -static calls the function below. */
int stint_handler_is_seen(int number)
{
    stint_sigaction_fn *ask = NULL;
    struct sigaction seen;
    put_other(&s_found.first, &ask);
    return ask && !ask(number, NULL, &seen) && is_in_place(number, &seen);
}

/* What the C library would tell of it. */
static void note_program_action(int number, const struct sigaction *action, const struct sigaction *present)
{
    enum { RESTORER = 0x04000000 };
    struct sigaction *told = &s_signals[number].program;
    *told = *action;
    told->sa_flags |= present->sa_flags & RESTORER;
    told->sa_restorer = present->sa_restorer;
}

int stint_handler_exchange(stint_sigaction_fn *real, int number, const struct sigaction *action,
                           struct sigaction *before)
{
    const struct stint_hidden_handler *ours = number > 0 && number < NSIG ? s_signals[number].ours : NULL;
    struct sigaction present, told;
    if (action && (action->sa_flags & SA_ONSTACK))
        stint_fatal_leave_stacks();
    if (!ours)
        return real(number, action, before);
    if (real(number, NULL, &present))
        return -1;
    if (!is_in_place(number, &present)) {
        int result = real(number, action, before);
        if (!result && action)
            (void)cover(number);
        return result;
    }
    told = s_signals[number].program;
    if (action && is_hidden_by(ours, action)) {
        note_program_action(number, action, &present);
    } else if (action) {
        if (ours->leave)
            ours->leave(number);
        if (real(number, action, NULL))
            return -1;
    }
    if (before)
        *before = told;
    return 0;
}

/* ----------------------------------------------------------------------------------------------- what programs call */

STINT_API int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    const struct stint_inject_core *used = stint_inject_used ? stint_inject_used() : &stint_i_inject;
    return used->exchange_handler(real_sigaction(), number, action, before);
}

/* The program is told of the stack that it has set itself. */
STINT_API int sigaltstack(const stack_t *stack, stack_t *before)
{
    int (*real)(const stack_t *, stack_t *) = stint_signal_stack;
    put_other(&s_found.sigaltstack, &real);
    int result = real(stack, before);
    if (!result && before && before->ss_sp && before->ss_sp == stint_tl_signal_stack)
        *before = (stack_t){.ss_flags = SS_DISABLE};
    return result;
}

typedef void handler_fn(int number);

static sigset_t s_interrupting; /* signals of which siginterrupt(3) has said so */
static sigset_t s_no_signals;

static handler_fn *set(int number, handler_fn *handler, int flags, const sigset_t *mask)
{
    struct sigaction before, action = {.sa_handler = handler, .sa_flags = flags, .sa_mask = *mask};
    return sigaction(number, &action, &before) ? SIG_ERR : before.sa_handler;
}

STINT_API handler_fn *signal(int number, handler_fn *handler)
{
    sigset_t one = s_no_signals;
    if (handler == SIG_ERR || sigaddset(&one, number)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return set(number, handler, sigismember(&s_interrupting, number) ? 0 : SA_RESTART, &one);
}

STINT_API handler_fn *sysv_signal(int number, handler_fn *handler)
{
    return set(number, handler, (int)(SA_RESETHAND | SA_NODEFER), &s_no_signals);
}

STINT_API int siginterrupt(int number, int interrupts)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action))
        return -1;
    (void)(interrupts ? sigaddset : sigdelset)(&s_interrupting, number);
    action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return sigaction(number, &action, NULL);
}

/* It also lets the signal in, or keeps it out. */
STINT_API handler_fn *sigset(int number, handler_fn *handler)
{
    struct sigaction present;
    sigset_t one = s_no_signals, before;
    if (sigaddset(&one, number) || sigaction(number, NULL, &present))
        return SIG_ERR;
    if (handler != SIG_HOLD && set(number, handler, 0, &s_no_signals) == SIG_ERR)
        return SIG_ERR;
    (void)pthread_sigmask(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &one, &before);
    return sigismember(&before, number) ? SIG_HOLD : present.sa_handler;
}

/* Other names of the same. Headers give `signal` the last one if they are to declare nothing but standard C. */
#define OTHER_NAME(name, same)                                                                                         \
    STINT_API handler_fn *name(int number, handler_fn *handler) __attribute__((alias(#same), nothrow, leaf));
OTHER_NAME(bsd_signal, signal)
OTHER_NAME(__sysv_signal, sysv_signal) // NOLINT

/* Handlers for signals that would end the process: the report is written on a stack that is still intact, and the
 * signal then ends the process as it would have. */
#include "runtime/runtime.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "record/thread.h"

/* What ends programs in practice. Not the signals that programs use among themselves, as timers, for input and output,
 * or real-time ones: who sends these handles them, and a program may ask whether they are free. */
static const uint8_t s_fatal[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,    SIGSEGV,
                                  SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGSYS};

/* Whether the signal was raised by an instruction that will fault again when the handler returns, rather than sent by a
 * process. */
static int is_fault(int signal, const siginfo_t *info)
{
    return info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL);
}

/* The handler was reset to the default when it was entered: when it is left, the signal, which is blocked until then,
 * ends the process. */
static void report_and_die(int signal, siginfo_t *info, void *context)
{
    (void)context;
    if (stint_exit_delays(signal))
        return;
    stint_exit_report(1);
    if (!is_fault(signal, info))
        (void)raise(signal);
}

/* ---------------------------------------------------------------------------------------------------- signal stacks */

enum {
    STACK_SIZE = 128 * 1024
}; /* without memory for a stack of its own, a report needs about a third; pages never touched cost nothing */

static pthread_key_t s_stack_key;
static int s_leaves_stacks; /* to the program, which has handlers that run on them */

STINT_I_THREAD_LOCAL void *stint_tl_signal_stack;

static void disable_stack(void)
{
    stack_t present;
    if (stint_tl_signal_stack && !stint_signal_stack(NULL, &present) && present.ss_sp == stint_tl_signal_stack)
        (void)stint_signal_stack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}

static void drop_stack(void *stack)
{
    disable_stack();
    stint_tl_signal_stack = NULL;
    munmap(stack, STACK_SIZE);
}

void stint_fatal_leave_stacks(void)
{
    __atomic_store_n(&s_leaves_stacks, 1, __ATOMIC_RELAXED);
    disable_stack();
}

static void add_stack(void)
{
    stack_t stack = {.ss_size = STACK_SIZE};
    stack.ss_sp = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack.ss_sp == MAP_FAILED)
        return;
    if (stint_signal_stack(&stack, NULL)) {
        munmap(stack.ss_sp, STACK_SIZE);
        return;
    }
    stint_tl_signal_stack = stack.ss_sp;
    (void)pthread_setspecific(s_stack_key, stack.ss_sp); /* if it fails, the stack outlives its thread */
}

/* Gives the calling thread a signal stack, if it has none, so that a stack overflow can be reported too. */
static void cover_thread(void)
{
    stack_t present;
    if (!__atomic_load_n(&s_leaves_stacks, __ATOMIC_RELAXED) && !stint_signal_stack(NULL, &present) &&
        (present.ss_flags & SS_DISABLE))
        add_stack();
}

/* ------------------------------------------------------------------------------------------------------------ start */

void stint_fatal_start(int even_seen)
{
    static const struct stint_hidden_handler s_handler = {report_and_die, (int)(SA_ONSTACK | SA_RESETHAND), 0, NULL};
    int is_checked = even_seen;
    for (size_t i = 0; i < sizeof s_fatal / sizeof s_fatal[0]; i++) {
        if (stint_handler_hide(s_fatal[i], &s_handler) || is_checked++)
            continue;
        if (stint_handler_is_seen(s_fatal[i])) {
            (void)stint_handler_show(s_fatal[i]);
            return;
        }
    }
    if (!pthread_key_create(&s_stack_key, drop_stack))
        stint_thread_on_first_scope(cover_thread);
}

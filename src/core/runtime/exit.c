/* The report at exit: the ways in which a process ends, and what is done once for all of them. */
#include "runtime/runtime.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/process.h"
#include "record/collect.h"
#include "record/part.h"
#include "record/registry.h"
#include "record/thread.h"

/* The state at the last full print. After a reset the activity may be the same by chance, so the generation is compared
 * as well. */
static struct {
    uint64_t activity;
    uint32_t generation;
} s_printed;

/* Returns the number of what was dropped and is not in any of the numbers below. */
static uint64_t shown_nowhere_else(const struct stint_dropped *dropped)
{
    enum { ELSEWHERE, NOWHERE };
#define ADD(name, shown, ...) +(shown == NOWHERE ? dropped->name : 0)
    return STINT_I_DROPPED(ADD);
#undef ADD
}

/* A number that changes with everything that happens: a scope that ends turns from running (1) into ended (2). */
static uint64_t activity(const struct stint_snapshot *snapshot)
{
    uint64_t sum = shown_nowhere_else(&snapshot->dropped) + snapshot->sampling.samples;
    for (size_t i = 0; i < snapshot->stat_count; i++)
        sum += 2 * snapshot->stats[i].numbers.count + snapshot->stats[i].numbers.running;
    for (size_t i = 0; i < snapshot->barrier_count; i++)
        sum += snapshot->barriers[i].rounds * snapshot->barriers[i].participants + snapshot->barriers[i].pending;
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++)
        sum += snapshot->nvtx_values[i].count;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (snapshot->gpu_activities[i].kind != STINT_GPU_OVERHEAD) /* the start of CUPTI is not activity */
            sum += snapshot->gpu_activities[i].numbers.count;
    return sum;
}

static void note_activity(const struct stint_snapshot *snapshot)
{
    __atomic_store_n(&s_printed.activity, activity(snapshot), __ATOMIC_RELAXED);
    __atomic_store_n(&s_printed.generation, stint_registry_generation(), __ATOMIC_RELAXED);
}

/* If the report at exit goes to a file, it does not repeat what was printed. */
void stint_exit_note_print(const struct stint_snapshot *snapshot)
{
    if (!stint_output_is_file())
        note_activity(snapshot);
}

static int is_news(const struct stint_snapshot *snapshot)
{
    uint64_t now = activity(snapshot);
    return now && (now != __atomic_load_n(&s_printed.activity, __ATOMIC_RELAXED) ||
                   stint_registry_generation() != __atomic_load_n(&s_printed.generation, __ATOMIC_RELAXED));
}

enum { FREE, REPORTING, CHECKPOINTING };

static int s_entered;

/* Scopes that were running at the fork are no reason for the child to report, and who reported in the parent does not
 * exist in the child. */
void stint_exit_after_fork(void)
{
    const struct stint_thread_record *self = stint_thread_self();
    uint64_t running = 0;
    for (const struct stint_i_node *node = self ? self->tree.hot.current : NULL; node && node->parent;
         node = node->parent)
        running++;
    s_printed.activity = running;
    s_printed.generation = stint_registry_generation();
    s_entered = 0;
}

/* One thread reports at a time. Another thread that wants to end the process meanwhile waits, because the end would cut
 * off the report; but not forever, because it may be a signal handler that interrupted the report. */
static int enter(int what)
{
    struct timespec moment = {0, 10000000};
    for (int i = 0; i < 200; i++) {
        int entered = FREE;
        if (__atomic_compare_exchange_n(&s_entered, &entered, what, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return 0;
        nanosleep(&moment, NULL);
    }
    return -1;
}

/* A signal that interrupts the report, and would end the process for good, has to wait for it: a process that ends with
 * many others, as workers do, is often told to end while it reports. The program's handlers wait, too. */
static STINT_I_THREAD_LOCAL int tl_reports __attribute__((tls_model("initial-exec")));
static STINT_I_THREAD_LOCAL int tl_signal __attribute__((tls_model("initial-exec"))); /* the first that waits */

/* Returns what end_reporting is to be told. */
static int begin_reporting(void)
{
    int before = STINT_I_LOAD(&tl_reports);
    STINT_I_STORE(&tl_reports, 1);
    return before;
}

static void end_reporting(int before)
{
    STINT_I_STORE(&tl_reports, before);
    if (!before && STINT_I_LOAD(&tl_signal))
        (void)raise(tl_signal);
}

int stint_exit_delays(int signal)
{
    if (STINT_I_LOAD(&tl_reports) && !STINT_I_LOAD(&tl_signal))
        STINT_I_STORE(&tl_signal, signal);
    return STINT_I_LOAD(&tl_reports);
}

/* ------------------------------------------------------------------------------------------------------------ stack */

/* There if the program runs under AddressSanitizer or ThreadSanitizer. These know of no stacks but those of threads,
 * and say so on stderr, in the program's name. */
STINT_API extern void __asan_init(void) __attribute__((weak)); // NOLINT(bugprone-reserved-identifier)
STINT_API extern void __tsan_init(void) __attribute__((weak)); // NOLINT(bugprone-reserved-identifier)

#ifndef __GLIBC__
/* musl declares them without having them; libucontext has. */
#pragma weak getcontext
#pragma weak makecontext
#pragma weak swapcontext
#endif

static int can_change_stacks(void)
{
#ifndef __GLIBC__
    if (!swapcontext)
        return 0;
#endif
    return !__asan_init && !__tsan_init;
}

/* As large as a main thread's usually is, because CUPTI, the driver and a program's own log run on it, too. Pages that
 * are never touched cost nothing. */
enum { REPORT_STACK_SIZE = 8 << 20, REPORT_STACK_GUARD = 64 << 10 };

/* At the upper end of the mapping, because contexts are large. */
struct stack_call {
    ucontext_t before;
    ucontext_t during;
    sigset_t mask;
    void (*function)(void *argument);
    void *argument;
};

/* Arguments of a context are ints. If the caller is on the thread's alternate signal stack, the system no longer knows
 * that, and the next handler would begin there anew: handlers run on this stack until the call is over. None runs while
 * stacks change. */
static void begin_call(unsigned high, unsigned low)
{
    const struct stack_call *call =
        (struct stack_call *)((uintptr_t)high << 32 | low); // NOLINT(performance-no-int-to-ptr)
    stack_t kept;
    (void)stint_signal_stack(&(stack_t){.ss_flags = SS_DISABLE}, &kept);
    (void)pthread_sigmask(SIG_SETMASK, &call->mask, NULL);
    call->function(call->argument);
    (void)pthread_sigmask(SIG_SETMASK, &call->during.uc_sigmask, NULL);
    (void)stint_signal_stack(&kept, NULL);
}

/* Returns -1 if the context cannot be made. */
static int run_call(struct stack_call *call, char *stack, size_t size)
{
    uint64_t address = (uintptr_t)call;
    if (getcontext(&call->during))
        return -1;
    call->during.uc_stack = (stack_t){.ss_sp = stack, .ss_size = size};
    call->during.uc_link = &call->before;
    makecontext(&call->during, (void (*)(void))begin_call, 2, (unsigned)(address >> 32), (unsigned)address);
    (void)sigfillset(&call->during.uc_sigmask);
    (void)pthread_sigmask(SIG_SETMASK, &call->during.uc_sigmask, &call->mask);
    int failed = swapcontext(&call->before, &call->during);
    (void)pthread_sigmask(SIG_SETMASK, &call->mask, NULL);
    return failed;
}

/* Reports at exit may begin on a small stack. Runs the function on the caller's if there is no other. */
static void run_on_own_stack(void (*function)(void *argument), void *argument)
{
    if (!can_change_stacks()) {
        function(argument);
        return;
    }
    char *memory = mmap(NULL, REPORT_STACK_SIZE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) {
        function(argument);
        return;
    }
    struct stack_call *call = (struct stack_call *)(void *)(memory + REPORT_STACK_SIZE) - 1;
    call->function = function;
    call->argument = argument;
    (void)mprotect(memory, REPORT_STACK_GUARD, PROT_NONE);
    if (run_call(call, memory, (size_t)((char *)call - memory)))
        function(argument);
    if (!STINT_I_LOAD(&stint_arena_stays))
        (void)munmap(memory, REPORT_STACK_SIZE);
}

/* ---------------------------------------------------------------------------------------------------------- reports */

struct ending {
    int emergency;
    int (*write)(const struct stint_snapshot *snapshot);
};

/* Whether there is nothing that a snapshot would show. ThreadSanitizer wants threads to end. */
static int is_silent(void)
{
    const uint64_t *dropped = (const uint64_t *)(const void *)&stint_dropped;
    for (size_t i = 0; i < sizeof stint_dropped / sizeof *dropped; i++)
        if (STINT_I_LOAD(&dropped[i]))
            return 0;
    return !stint_parts_want_report && !STINT_I_LOAD(&stint_parts_have_rows) && !stint_registry_last_id() &&
           !__tsan_init;
}

/* Returns 0, or -1 if there is a report that is not where it was to go. */
static int report_now(const struct ending *ending)
{
    int emergency = ending->emergency, failed = -1;
    struct stint_snapshot *snapshot;
    if (!stint_output_wanted() && !stint_parts_want_report)
        return 0;
    stint_parts_finish(emergency); /* may take longer than others wait */
    if (enter(REPORTING) && __atomic_load_n(&s_entered, __ATOMIC_RELAXED) != CHECKPOINTING) /* of a slow disk */
        return -1;
    struct stint_costs costs = {0};
    if (stint_entries && stint_entries[1])
        costs = stint_measure_costs();
    enum stint_status status = stint_collect(&snapshot, &costs, emergency);
    if (status == STINT_ERROR_BUSY) /* _exit in a signal handler that interrupted stint */
        status = stint_collect(&snapshot, &costs, 1);
    if (status) {
        STINT_LOG(STINT_LOG_ERROR, "no report is written: %s", stint_status_string(status));
    } else {
        int news = is_news(snapshot);
        failed = news && stint_output_wanted() ? ending->write(snapshot) : 0;
        stint_parts_report(snapshot, news, emergency, ending->write != stint_output_final);
        note_activity(snapshot);
        stint_snapshot_free(snapshot);
    }
    __atomic_store_n(&s_entered, FREE, __ATOMIC_RELEASE);
    return failed;
}

static void report_here(void *context)
{
    if (report_now(context) == 0)
        stint_parts_at(STINT_AT_END);
}

static void report_with(int emergency, int (*write)(const struct stint_snapshot *snapshot))
{
    if (!stint_runtime_is_ours())
        return;
    int before = stint_own_work_begin(), reports = begin_reporting();
    STINT_I_STORE(&stint_arena_stays, write == stint_output_final);
    if (is_silent()) {
        stint_parts_at(STINT_AT_END);
    } else {
        sigset_t mask;
        stint_handlers_hold(&mask);
        run_on_own_stack(report_here, &(struct ending){emergency, write});
        (void)pthread_sigmask(SIG_SETMASK, &mask, NULL);
    }
    STINT_I_STORE(&stint_arena_stays, 0);
    stint_own_work_end(before);
    end_reporting(reports || emergency); /* which ends the process: no other signal does */
}

void stint_exit_report(int emergency)
{
    report_with(emergency, stint_output_final);
}

void stint_exit_seal(void)
{
    stint_exit_report(0);
    stint_registry_set_enabled(0);
    stint_process_is_sealed = 1;
}

void stint_exit_before_exec(void)
{
    if (!stint_runtime_is_ours())
        return;
    report_with(0, stint_output_before_exec);
    stint_parts_at(STINT_BEFORE_EXEC);
}

enum stint_status stint_exit_print(void)
{
    struct stint_snapshot *snapshot;
    if (!stint_output_wanted())
        return STINT_ERROR_UNAVAILABLE;
    if (enter(REPORTING))
        return STINT_ERROR_BUSY;
    enum stint_status status = stint_snapshot_take(&snapshot);
    if (!status) {
        (void)stint_output_final(snapshot);
        note_activity(snapshot);
        stint_snapshot_free(snapshot);
    }
    __atomic_store_n(&s_entered, FREE, __ATOMIC_RELEASE);
    return status;
}

void stint_exit_checkpoint(void)
{
    struct stint_snapshot *snapshot;
    if (enter(CHECKPOINTING))
        return;
    if (!stint_snapshot_take(&snapshot)) {
        if (is_news(snapshot))
            stint_output_checkpoint(snapshot);
        stint_snapshot_free(snapshot);
    }
    __atomic_store_n(&s_entered, FREE, __ATOMIC_RELEASE);
}

/* Writes what the program has printed so far, which exit() would do just after the report. A stream that another thread
 * holds is left alone. */
static void flush_output(void)
{
    if (ftrylockfile(stdout))
        return;
    (void)fflush_unlocked(stdout);
    funlockfile(stdout);
}

static void report_at_exit(void)
{
    stint_exit_report(0);
}

/* Runs after atexit functions and the destructors of static C++ objects, whose scopes still count. The priority matters
 * where stint is linked statically: the program's own destructors come first. */
__attribute__((destructor(101))) static void at_unload(void)
{
    flush_output();
    report_at_exit();
}

void stint_exit_start(void)
{
    (void)at_quick_exit(report_at_exit);
}

enum { MOST_OTHERS = 8 };

static void (*s_also[MOST_OTHERS])(void);

void stint_exit_also(void (*report)(void))
{
    for (int i = 0; i < MOST_OTHERS; i++) {
        void (*other)(void) = NULL;
        if (__atomic_compare_exchange_n(&s_also[i], &other, report, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
            other == report)
            return;
    }
}

/* _exit runs no handlers, so it is interposed: programs that end with it, such as forked workers, still write their
 * report. */
__attribute__((noreturn)) static void report_and_leave(int status)
{
    sigset_t mask;
    (void)begin_reporting(); /* signals that wait find no process */
    if (!is_silent())
        stint_handlers_hold(&mask);
    report_at_exit();
    for (int i = 0; i < MOST_OTHERS; i++) {
        void (*const also)(void) = __atomic_load_n(&s_also[i], __ATOMIC_ACQUIRE);
        if (also)
            also();
    }
    for (;;)
        syscall(SYS_exit_group, status);
}

STINT_API __attribute__((noreturn)) void _exit(int status)
{
    report_and_leave(status);
}

STINT_API __attribute__((noreturn)) void _Exit(int status)
{
    report_and_leave(status);
}

/* Scopes in signal handlers, which may run between any two instructions of the program and of stint itself. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ---------------------------------------------------------------------------------------------- modes: by the clock */

enum { TICKS = 150, NAMES = 2000 };

static int s_ticks; /* of all threads */

static void on_tick(int signal)
{
    char name[32];
    {
        STINT_SCOPE("handler");
        STINT_SCOPE("handler inner");
    }
    snprintf(name, sizeof name, "tick %d", __atomic_add_fetch(&s_ticks, 1, __ATOMIC_RELAXED)); /* always a new name */
    scopes(name, 1);
}

static int ticks(void)
{
    return __atomic_load_n(&s_ticks, __ATOMIC_RELAXED);
}

static void start_ticking(void)
{
    const struct itimerval each_ms = {{0, 1000}, {0, 1000}};
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &each_ms, NULL);
}

static void stop_ticking(void)
{
    const struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
}

/* Only known scopes: only the fast path can be interrupted. */
MODE(ticks_in_hot_loop)
{
    uint64_t rounds = 0;
    scopes("hot", 1);
    start_ticking();
    for (; ticks() < TICKS; ++rounds) {
        STINT_SCOPE("outer");
        STINT_SCOPE("inner");
    }
    stop_ticking();
    printf("%llu rounds, %d ticks\n", (unsigned long long)rounds, ticks());
    return 0;
}

/* Uses new names all the time, on two threads, and takes snapshots: every lock is taken often. */
static void *use_first(void *argument)
{
    char name[32];
    for (int i = 0; ticks() < TICKS; ++i) {
        snprintf(name, sizeof name, "%s %d", (const char *)argument, i % NAMES);
        scopes(name, 1);
        scopes(argument, 1);
        if (i % 1000 == 0) {
            struct stint_snapshot *snapshot;
            if (stint_snapshot_take(&snapshot) == STINT_OK)
                stint_snapshot_free(snapshot);
        }
    }
    return NULL;
}

MODE(ticks_in_slow_half)
{
    pthread_t other;
    scopes("main", 1);
    start_ticking();
    pthread_create(&other, NULL, use_first, "other");
    use_first("main");
    pthread_join(other, NULL);
    stop_ticking();
    printf("%d ticks\n", ticks());
    return 0;
}

/* ----------------------------------------------------------------------------------------- modes: by every instruction
 *
 * With the trap flag set the processor raises SIGTRAP after each instruction of the program: a handler that runs scopes
 * is tried at every place there is, rather than where a clock happens to hit. */

enum { STEPPED = 3 };

static volatile sig_atomic_t s_steps;
static int s_only_step; /* a step at which a special action is done; no further steps follow it */
static void (*s_at_step)(void);

#if defined(__x86_64__)
enum { TRAP_FLAG = 0x100 };

static void on_step(int signal, siginfo_t *info, void *context)
{
    ucontext_t *interrupted = context;
    ++s_steps;
    s_at_step();
    if (s_steps == s_only_step)
        interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

/* Not in a handler, which has flags of its own. */
static void trap(int on)
{
    if (on)
        __asm__ volatile("subq $128, %%rsp; pushfq; orq $0x100, (%%rsp); popfq; addq $128, %%rsp" ::: "cc", "memory");
    else
        __asm__ volatile("subq $128, %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; addq $128, %%rsp" ::: "cc", "memory");
}

static void step(void (*at_step)(void), void (*body)(void))
{
    const struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &action, NULL);
    s_at_step = at_step;
    trap(1);
    body();
    trap(0);
}
enum { CAN_STEP = !WITH_SANITIZER };
#else
static void trap(int on) {}

static void step(void (*at_step)(void), void (*body)(void))
{
    s_at_step = at_step;
    body();
}
enum { CAN_STEP = 0 };
#endif

static void print_steps(void)
{
    printf("%d steps\n", (int)s_steps);
    fflush(stdout);
}

static void run_known_scopes(void)
{
    for (int i = 0; i < STEPPED; ++i) {
        STINT_SCOPE("outer");
        STINT_SCOPE("inner", 0);
    }
}

static void run_one_scope(void)
{
    STINT_SCOPE("once");
}

static void run_new_scopes(void)
{
    scopes("new a", 1);
    scopes("new b", 2);
    scopes("new a", 1);
}

static void known_scope(void)
{
    STINT_SCOPE("handler");
}

static void dynamic_scope(void)
{
    scopes("handler", 1);
}

static void new_scope(void)
{
    char name[32];
    snprintf(name, sizeof name, "step %d", (int)s_steps % 1000);
    scopes(name, 1);
}

/* So many names that some share a slot of the thread's cache of names with any other. At one step only. */
static void many_names(void)
{
    static char names[3000][16];
    for (unsigned i = 0; s_steps == s_only_step && i < 3000; ++i) {
        if (!*names[i])
            snprintf(names[i], sizeof names[i], "one of %u", i % 3000);
        scopes(names[i], 1);
    }
}

static void run_dynamic_scope(void)
{
    scopes("dynamic", 1);
}

static void known_sample(void)
{
    (void)stint_statset_add(NULL, "once", 1);
}

static void timer(void)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    (void)stint_timer_start(&timer, "timer", NULL);
    (void)stint_timer_stop(&timer);
}

static void toggle(void)
{
    stint_set_enabled(1);
}

static void snapshot(void)
{
    struct stint_snapshot *snapshot;
    if (s_steps % 50 == 0 && stint_snapshot_take(&snapshot) == STINT_OK)
        stint_snapshot_free(snapshot);
}

/* Runs everything that is to be known before the stepping begins, so that only the beginning of the slow path is
 * new. */
static void warm_up(void)
{
    known_scope();
    dynamic_scope();
    known_sample();
    run_known_scopes();
    run_one_scope();
    stint_reset(STINT_RESET_ALL);
    known_scope();
}

MODE(steps_known_in_known)
{
    warm_up();
    step(known_scope, run_known_scopes);
    print_steps();
    return 0;
}

MODE(steps_dynamic_in_known)
{
    warm_up();
    step(dynamic_scope, run_known_scopes);
    print_steps();
    return 0;
}

/* Longer than everything else that happens; at one step only. */
static void long_scope(void)
{
    const uint64_t begin_us = stint_now_us();
    if (s_steps != s_only_step)
        return;
    STINT_SCOPE("handler");
    while (stint_now_us() < begin_us + 300)
        ;
}

/* Returns whether the scope's self time is greater than its total: it wrapped below zero. */
static int is_wrapped(const char *name)
{
    struct stint_snapshot *snapshot;
    int wrapped = 0;
    if (stint_snapshot_take(&snapshot))
        return 1;
    for (size_t i = 0; i < snapshot->stat_count; ++i)
        if (!strcmp(snapshot->stats[i].name, name))
            wrapped = snapshot->stats[i].numbers.self_ns > snapshot->stats[i].numbers.total_ns;
    stint_snapshot_free(snapshot);
    return wrapped;
}

/* Tries every position for the long scope, one at a time. */
MODE(steps_long_scope)
{
    int wrapped = 0, last;
    warm_up();
    s_only_step = -1;
    step(long_scope, run_one_scope);
    last = s_steps;
    for (s_only_step = 1; s_only_step <= last; ++s_only_step) {
        stint_reset(STINT_RESET_ALL);
        known_scope();
        s_steps = 0;
        step(long_scope, run_one_scope);
        wrapped += is_wrapped("once");
    }
    printf("%d places, %d wrapped\n", last, wrapped);
    return 0;
}

MODE(steps_known_in_first)
{
    step(known_scope, run_new_scopes);
    print_steps();
    return 0;
}

MODE(steps_new_in_first)
{
    warm_up();
    step(new_scope, run_new_scopes);
    print_steps();
    return 0;
}

/* Tries every position for the names, one at a time; before each, the cache holds the scope's name. */
MODE(steps_many_names_in_dynamic)
{
    many_names();
    run_dynamic_scope();
    s_only_step = -1;
    step(many_names, run_dynamic_scope);
    int last = s_steps;
    for (s_only_step = 1; s_only_step <= last; ++s_only_step) {
        run_dynamic_scope();
        s_steps = 0;
        step(many_names, run_dynamic_scope);
    }
    printf("%d places\n", last);
    return 0;
}

MODE(steps_samples_in_once)
{
    warm_up();
    step(known_sample, run_one_scope);
    print_steps();
    return 0;
}

MODE(steps_timers_in_first)
{
    warm_up();
    step(timer, run_new_scopes);
    print_steps();
    return 0;
}

MODE(steps_toggles_in_first)
{
    warm_up();
    step(toggle, run_new_scopes);
    print_steps();
    return 0;
}

MODE(steps_snapshots_in_first)
{
    warm_up();
    step(snapshot, run_new_scopes);
    print_steps();
    return 0;
}

/* Calls the functions that are not scopes. */
static void call_functions(void)
{
    (void)stint_statset_get("a set");
    stint_set_enabled(1);
    (void)stint_statset_set_thread_info(NULL, NULL, 1);
    (void)stint_statset_delete(NULL, "handler");
    stint_reset(STINT_RESET_ALL);
}

MODE(steps_new_in_functions)
{
    warm_up();
    step(new_scope, call_functions);
    print_steps();
    return 0;
}

static void take_snapshot(void)
{
    struct stint_snapshot *snapshot;
    if (stint_snapshot_take(&snapshot) == STINT_OK)
        stint_snapshot_free(snapshot);
}

/* Measuring costs repeats the same instructions some hundred thousand times: it is stepped through for a while. The
 * library blocks signals while it measures, so the stepping goes on when it unblocks them. */
static int s_paused;

static void pause_stepping(int paused)
{
    s_paused = paused;
    if (paused)
        s_only_step = s_steps;
    else
        trap(1);
}

static void known_scope_for_a_while(void)
{
    enum { LONG_ENOUGH = 10000 };

    known_scope();
    if (s_steps == LONG_ENOUGH)
        pause_stepping(1);
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    int code = sigprocmask(how, set, old) ? errno : 0;
    if (s_paused)
        pause_stepping(0);
    return code;
}

/* No sample was added before, so that only scopes are measured: what a handler records while another way is measured
 * is lost, if an instruction raised its signal. */
MODE(steps_known_in_snapshot)
{
    known_scope();
    step(known_scope_for_a_while, take_snapshot);
    print_steps();
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

/* Checks every statistic: no time was subtracted that was never added. */
static void assert_sane(const char *report, const char *name)
{
    const uint64_t total = stat_number(report, name, "total_ns"), self = stat_number(report, name, "self_ns");
    if (self > total)
        fail_msg("%s: self %llu ns of total %llu ns", name, (unsigned long long)self, (unsigned long long)total);
    assert_true(stat_number(report, name, "min_ns") <= stat_number(report, name, "max_ns"));
    assert_true(stat_number(report, name, "max_ns") <= total);
}

/* Each activation is counted, or said to have been dropped. */
static void assert_told(const char *report, const char *name, int activations)
{
    assert_int_equal(stat_number(report, name, "count") + dropped(report, "reentrant"), activations);
}

TEST(test_hot_loop)
{
    const struct result result = run("ticks_in_hot_loop", NULL);
    unsigned long long rounds;
    int ticks;
    assert_exit(&result, 0);
    assert_int_equal(sscanf(result.out, "%llu rounds, %d ticks", &rounds, &ticks), 2);
    assert_int_equal(stat_number(result.report, "outer", "count"), rounds);
    assert_int_equal(stat_number(result.report, "inner", "count"), rounds);
    assert_int_equal(stat_number(result.report, "handler", "count") + dropped(result.report, "reentrant") / 3, ticks);
    assert_sane(result.report, "outer");
    assert_sane(result.report, "inner");
    assert_sane(result.report, "handler");
}

TEST(test_slow_half)
{
    const struct result result = run("ticks_in_slow_half", NULL);
    int ticks;
    assert_exit(&result, 0);
    assert_int_equal(sscanf(result.out, "%d ticks", &ticks), 1);
    assert_true(stat_number(result.report, "handler", "count") <= (uint64_t)ticks);
    assert_true(stat_number(result.report, "handler", "count") + dropped(result.report, "reentrant") >=
                (uint64_t)ticks);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

static struct result run_steps(const char *mode, int *steps)
{
    struct result result = run(mode, NULL);
    assert_exit(&result, 0);
    assert_int_equal(sscanf(result.out, "%d steps", steps), 1);
    assert_true(*steps > 20);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    return result;
}

/* Nothing unusual happens, so nothing is dropped. */
TEST(test_scope_between_instructions)
{
    static const char *const modes[] = {"steps_known_in_known", "steps_dynamic_in_known"};
    struct result result;
    int steps;
    if (!CAN_STEP)
        skip();
    for (int i = 0; i < 2; ++i) {
        result = run_steps(modes[i], &steps);
        assert_int_equal(stat_number(result.report, "outer", "count"), STEPPED);
        assert_int_equal(stat_number(result.report, "inner", "count"), STEPPED);
        assert_told(result.report, "handler", steps + 1);
    }
}

/* The time of the handler's scope is not part of the interrupted scope's self time, which is never more than its
 * total. */
TEST(test_self_time_between_instructions)
{
    int places, wrapped;
    if (!CAN_STEP)
        skip();
    struct result result = run("steps_long_scope", NULL);
    assert_exit(&result, 0);
    assert_int_equal(sscanf(result.out, "%d places, %d wrapped", &places, &wrapped), 2);
    assert_true(places > 20);
    assert_int_equal(wrapped, 0);
}

TEST(test_first_use_between_instructions)
{
    int steps;
    if (!CAN_STEP)
        skip();
    struct result result = run_steps("steps_known_in_first", &steps);
    assert_int_equal(stat_number(result.report, "new a", "count"), 2);
    assert_int_equal(stat_number(result.report, "new b", "count"), 2);
    assert_told(result.report, "handler", steps);
}

TEST(test_new_names_between_instructions)
{
    int steps;
    if (!CAN_STEP)
        skip();
    struct result result = run_steps("steps_new_in_first", &steps);
    assert_int_equal(stat_number(result.report, "new a", "count"), 2);
    assert_int_equal(stat_number(result.report, "new b", "count"), 2);
}

/* A name that was found in the cache remains valid, whatever the handler puts there in the meantime. */
TEST(test_cached_names_between_instructions)
{
    int places;
    if (!CAN_STEP)
        skip();
    struct result result = run("steps_many_names_in_dynamic", NULL);
    assert_exit(&result, 0);
    assert_int_equal(sscanf(result.out, "%d places", &places), 1);
    assert_true(places > 20);
    assert_int_equal(stat_number(result.report, "dynamic", "count"), 2 + 2 * places);
}

/* The interrupted scope and the sample belong to the same calling context. */
TEST(test_samples_between_instructions)
{
    int steps;
    if (!CAN_STEP)
        skip();
    struct result result = run_steps("steps_samples_in_once", &steps);
    assert_told(result.report, "once", steps + 1);
}

TEST(test_timers_between_instructions)
{
    int steps;
    if (!CAN_STEP)
        skip();
    struct result result = run("steps_timers_in_first", NULL);
    assert_exit(&result, 0);
    assert_int_equal(sscanf(result.out, "%d steps", &steps), 1);
    assert_int_equal(stat_number(result.report, "new a", "count"), 2);
    assert_told(result.report, "timer", steps);
}

TEST(test_snapshots_between_instructions)
{
    int steps;
    if (!CAN_STEP)
        skip();
    struct result result = run_steps("steps_snapshots_in_first", &steps);
    assert_int_equal(stat_number(result.report, "new a", "count"), 2);
    result = run_steps("steps_known_in_snapshot", &steps);
    assert_told(result.report, "handler", steps + 1);
}

/* Many programs switch recording in handlers of SIGUSR1. */
TEST(test_switch_between_instructions)
{
    int steps;
    if (!CAN_STEP)
        skip();
    struct result result = run_steps("steps_toggles_in_first", &steps);
    assert_int_equal(stat_number(result.report, "new a", "count"), 2);
}

TEST(test_scope_inside_functions)
{
    int steps;
    if (!CAN_STEP)
        skip();
    struct result result = run_steps("steps_new_in_functions", &steps);
    (void)result;
}

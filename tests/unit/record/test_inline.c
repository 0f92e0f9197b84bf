/* The fast half (stint/detail/record.h), on the processor's own counter: nothing here depends on how long things take.
 * Skipped where the processor has no counter to read inline. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "record/collect.h"
#include "record/registry.h"
#include "record/scope.h"
#include "record/thread.h"
#include "stint_test.h"

enum { SKIPPED = 77 };

/* --------------------------------------------------------------------------------- what src/runtime is to the macros */

static uint64_t s_slow_enters; /* since the beginning of a test, on any thread */

struct stint_i_node *stint_i_enter_slow(struct stint_i_site *site, const char *name, struct stint_statset *set)
{
    __atomic_add_fetch(&s_slow_enters, 1, __ATOMIC_RELAXED);
    return stint_scope_enter(site, name, set);
}

struct stint_i_node *stint_i_enter_dynamic(struct stint_i_site *site, const char *name, struct stint_statset *set)
{
    return stint_scope_enter_dynamic(site, name, set);
}

uint64_t stint_i_leave_slow(struct stint_i_node *node)
{
    return stint_scope_leave(node);
}

void stint_i_check_name(const struct stint_i_site *site, const char *name)
{
    stint_scope_check_name(site, name);
}

void stint_i_report_slow(const struct stint_i_slow_scope *scope, uint32_t id, uint64_t span)
{
    stint_scope_report_slow(scope, id, span);
}

/* Returns 0 if the recorder runs on a counter that is read inline. */
static int start(void)
{
    const struct stint_limits limits = {.nodes = 100000, .names = 1000, .threads = 100};

    stint_clock_start(STINT_CLOCK_TSC);
    if (!stint_clock_is_inline() || stint_registry_start(&limits) || stint_thread_start())
        return -1;
    stint_registry_set_inline(1);
    return 0;
}

static void reset_all(void)
{
    stint_registry_lock();
    stint_registry_reset(NULL, STINT_RESET_ALL);
    stint_registry_unlock();
}

static int reset(void **state)
{
    reset_all();
    stint_registry_set_enabled(1);
    stint_dropped = (struct stint_dropped){0};
    s_slow_enters = 0;
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- snapshots */

static struct stint_snapshot *take(void)
{
    const struct stint_costs costs = {0};
    struct stint_snapshot *snapshot = NULL;

    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    return snapshot;
}

static uint64_t count_of(const char *name)
{
    struct stint_snapshot *snapshot = take();
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NULL, name);
    const uint64_t count = stat ? stat->numbers.count : 0;

    stint_snapshot_free(snapshot);
    return count;
}

/* Fails unless every statistic's numbers fit each other. */
static void check_plausible(void)
{
    struct stint_snapshot *snapshot = take();

    for (size_t i = 0; i < snapshot->stat_count; ++i) {
        const struct stint_numbers *numbers = &snapshot->stats[i].numbers;
        uint64_t samples = 0;

        for (size_t bin = 0; bin < numbers->bin_count; ++bin)
            samples += numbers->bins[bin].count;
        assert_int_equal(samples, numbers->count - numbers->recursive);
        assert_true(numbers->min_ns <= numbers->max_ns);
        assert_true(numbers->max_ns <= numbers->total_ns + 1);
        assert_true(numbers->self_ns <= numbers->total_ns + 1);
    }
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------------------------- tests */

static void only_the_first_scope_of_a_context_takes_the_slow_half(void **state)
{
    for (int i = 0; i < 1000; ++i) {
        STINT_SCOPE("fast outer");
        STINT_SCOPE("fast inner");
    }
    assert_int_equal(s_slow_enters, 2);
    assert_int_equal(count_of("fast outer"), 1000);
    assert_int_equal(count_of("fast inner"), 1000);
    check_plausible();
}

static void recurse(int depth)
{
    STINT_SCOPE("fast recursion");

    if (depth)
        recurse(depth - 1);
}

static void recursion_takes_the_fast_half_too(void **state)
{
    struct stint_snapshot *snapshot;

    recurse(9);
    s_slow_enters = 0;
    for (int i = 0; i < 99; ++i)
        recurse(9);
    assert_in_range(s_slow_enters, 0, 99); /* of 10 contexts one may be displaced */
    snapshot = take();
    assert_int_equal(stint_snapshot_find(snapshot, NULL, "fast recursion")->numbers.count, 1000);
    assert_int_equal(stint_snapshot_find(snapshot, NULL, "fast recursion")->numbers.recursive, 900);
    stint_snapshot_free(snapshot);
    check_plausible();
}

enum { THREADS = 4, SCOPES = TEST_UNDER_TSAN ? 100000 : 1000000 };

static void *run_a_million(void *argument)
{
    for (int i = 0; i < SCOPES; ++i) {
        STINT_SCOPE("of four million");
    }
    return argument;
}

static void four_threads_lose_no_scope_of_a_million_each(void **state)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, run_a_million, NULL), 0);
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(count_of("of four million"), THREADS * SCOPES);
    assert_in_range(s_slow_enters, THREADS, 2 * THREADS);
    check_plausible();
}

static int s_stop;

static void *run_until_stopped(void *argument)
{
    uint64_t *scopes = argument;

    while (!__atomic_load_n(&s_stop, __ATOMIC_RELAXED)) {
        STINT_SCOPE("watched");
        STINT_SCOPE_DYNAMIC(*scopes % 2 ? "watched odd" : "watched even");
        ++*scopes;
    }
    return NULL;
}

static void snapshots_of_recording_threads_only_ever_grow(void **state)
{
    uint64_t scopes[THREADS] = {0}, last = 0, sum = 0;
    pthread_t threads[THREADS];

    s_stop = 0;
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, run_until_stopped, &scopes[i]), 0);
    for (int i = 0; i < 60; ++i) {
        const uint64_t count = count_of("watched");

        assert_true(count >= last);
        last = count;
    }
    __atomic_store_n(&s_stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        sum += scopes[i];
    }
    assert_int_equal(count_of("watched"), sum);
    assert_int_equal(count_of("watched odd") + count_of("watched even"), sum);
    check_plausible();
}

static void a_reset_sends_every_thread_to_the_slow_half_once(void **state)
{
    for (int i = 0; i < 100; ++i) {
        STINT_SCOPE("reset now and then");
        if (i % 10 == 9)
            reset_all();
    }
    assert_in_range(s_slow_enters, 1, 2); /* leaving catches up */
    assert_int_equal(count_of("reset now and then"), 1);
}

static void switched_off_nothing_counts(void **state)
{
    for (int i = 0; i < 100; ++i) {
        STINT_SCOPE("switched off at 50");
        if (i == 50)
            stint_registry_set_enabled(0);
    }
    stint_registry_set_enabled(1);
    assert_int_equal(count_of("switched off at 50"), 51);
    assert_int_equal(s_slow_enters, 1);
}

static void leaving_twice_is_counted(void **state)
{
    static struct stint_i_site site = {__FILE__, "", 1, 0};
    struct stint_i_node *node = stint_i_enter(&site, "left twice", NULL);

    stint_i_leave(node);
    stint_i_leave(node);
    assert_int_equal(stint_dropped.mismatched, 1);
    assert_int_equal(count_of("left twice"), 1);
}

static void an_abandoned_scope_is_popped(void **state)
{
    static struct stint_i_site outer_site = {__FILE__, "", 1, 0}, inner_site = {__FILE__, "", 2, 0};

    for (int i = 0; i < 10; ++i) {
        struct stint_i_node *outer = stint_i_enter(&outer_site, "fast outer of an abandoned", NULL);

        stint_i_enter(&inner_site, "fast abandoned", NULL);
        stint_i_leave(outer);
    }
    assert_int_equal(stint_dropped.abandoned, 10);
    assert_int_equal(count_of("fast outer of an abandoned"), 10);
    assert_int_equal(count_of("fast abandoned"), 0);
}

/* ----------------------------------------------------------------------------------------------------- signal handlers */

static uint64_t s_handled;

static void run_in_handler(int number)
{
    STINT_SCOPE("in a handler");
    STINT_SCOPE("in a handler, nested");

    ++s_handled;
}

static void handle(int number, void (*handler)(int number))
{
    const struct sigaction action = {.sa_handler = handler};

    assert_int_equal(sigaction(number, &action, NULL), 0);
}

static void a_handler_that_is_raised_between_scopes_counts(void **state)
{
    enum { RAISED = 5000 };

    handle(SIGUSR1, run_in_handler);
    s_handled = 0;
    for (int i = 0; i < RAISED; ++i) {
        STINT_SCOPE("interrupted");

        raise(SIGUSR1);
        {
            STINT_SCOPE("interrupted inside");
            raise(SIGUSR1);
        }
    }
    handle(SIGUSR1, SIG_DFL);
    assert_int_equal(s_handled, 2 * RAISED);
    assert_int_equal(count_of("interrupted"), RAISED);
    assert_int_equal(count_of("interrupted inside"), RAISED);
    assert_int_equal(count_of("in a handler"), 2 * RAISED);
    assert_int_equal(count_of("in a handler, nested"), 2 * RAISED);
    check_plausible();
}

static pthread_t s_victim;

static void *send_signals(void *argument)
{
    while (!__atomic_load_n(&s_stop, __ATOMIC_RELAXED))
        pthread_kill(s_victim, SIGUSR1);
    return argument;
}

/* The signal comes between any two instructions; a handler that met the slow half is counted as dropped. */
static void a_handler_that_interrupts_anywhere_loses_no_scope(void **state)
{
    enum { RUNS = 200000 };
    pthread_t sender;
    uint64_t scopes = 0;

    handle(SIGUSR1, run_in_handler);
    s_victim = pthread_self();
    s_handled = 0;
    s_stop = 0;
    assert_int_equal(pthread_create(&sender, NULL, send_signals, NULL), 0);
    for (; scopes < RUNS; ++scopes) {
        STINT_SCOPE("interrupted anywhere");
        STINT_SCOPE("interrupted anywhere inside");
    }
    __atomic_store_n(&s_stop, 1, __ATOMIC_RELAXED);
    assert_int_equal(pthread_join(sender, NULL), 0);
    handle(SIGUSR1, SIG_DFL);
    assert_true(s_handled > 0);
    assert_int_equal(count_of("interrupted anywhere"), RUNS);
    assert_int_equal(count_of("interrupted anywhere inside"), RUNS);
    assert_int_equal(count_of("in a handler") + count_of("in a handler, nested") + stint_dropped.reentrant,
                     2 * s_handled);
    assert_int_equal(stint_dropped.mismatched + stint_dropped.abandoned, 0);
    check_plausible();
}

/* ------------------------------------------------------------------------------- a handler after every instruction */

#if defined(__x86_64__)
enum { STEP_FLAG = 0x100, GROWN = 40 };

static struct stint_i_site s_grown[GROWN];
static void (*s_action)(void); /* what the handler does after instruction s_step_at, once */
static int s_step_at;
static int s_steps;

/* The processor raises SIGTRAP after each instruction while the flag is set. */
static void set_step_flag(void)
{
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq %0, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp"
                     :
                     : "i"(STEP_FLAG)
                     : "memory", "cc");
}

static void clear_step_flag(void)
{
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq %0, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp"
                     :
                     : "i"(~STEP_FLAG)
                     : "memory", "cc");
}

static void step(int number, siginfo_t *info, void *context)
{
    if (++s_steps != s_step_at)
        return;
    s_action();
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~STEP_FLAG;
}

static __attribute__((noinline)) void run_stepped(void)
{
    STINT_SCOPE("stepped outer");
    STINT_SCOPE("stepped inner");
}

/* Nearly fills a new tree's table, then runs two known scopes, with s_action somewhere in between. */
static void *step_through_scopes(void *argument)
{
    for (int i = 0; i < 26; ++i)
        stint_i_leave(stint_i_enter(&s_grown[i], "grown", NULL));
    run_stepped();
    set_step_flag();
    run_stepped();
    clear_step_flag();
    return argument;
}

/* Contexts that the tree knows. */
static void run_known(void)
{
    for (int i = 0; i < GROWN; ++i)
        stint_i_leave(stint_i_enter(&s_grown[i % 26], "grown", NULL));
}

/* Contexts that are new to the tree, so that its table grows. */
static void run_new(void)
{
    for (int i = 0; i < GROWN; ++i)
        stint_i_leave(stint_i_enter(&s_grown[i], "grown", NULL));
}

static uint64_t count_all_grown(const struct stint_snapshot *snapshot)
{
    uint64_t count = 0;

    for (size_t i = 0; i < snapshot->stat_count; ++i)
        if (!strncmp(snapshot->stats[i].name, "grown", 5))
            count += snapshot->stats[i].numbers.count;
    return count;
}

/* Returns whether both scopes counted twice, and what the handler ran as well. */
static int counts_are_right(void)
{
    const struct stint_costs costs = {0};
    struct stint_snapshot *snapshot;
    const struct stint_stat *outer, *inner;
    uint64_t grown;

    if (stint_collect(&snapshot, &costs, 0))
        return 0;
    outer = stint_snapshot_find(snapshot, NULL, "stepped outer");
    inner = stint_snapshot_find(snapshot, NULL, "stepped inner");
    grown = count_all_grown(snapshot) + snapshot->dropped.reentrant;
    const int right = outer && outer->numbers.count == 2 && inner && inner->numbers.count == 2 &&
                      inner->numbers.self_ns <= inner->numbers.total_ns + 1 &&
                      outer->numbers.self_ns <= outer->numbers.total_ns + 1 &&
                      grown == (uint64_t)(26 + (s_steps >= s_step_at ? GROWN : 0)) && !snapshot->dropped.mismatched &&
                      !snapshot->dropped.abandoned;
    stint_snapshot_free(snapshot);
    return right;
}

/* In a forked child. Returns 0 if all goes well wherever the handler comes in. */
static int interrupt_everywhere(void (*action)(void))
{
    const struct sigaction trap = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};

    signal(SIGSEGV, SIG_DFL); /* cmocka's handler would jump */
    sigaction(SIGTRAP, &trap, NULL);
    for (uint32_t i = 0; i < GROWN; ++i) {
        char name[16];

        (void)snprintf(name, sizeof name, "grown %u", i);
        const struct stint_name key = stint_registry_name(NULL, name);
        s_grown[i] = (struct stint_i_site){"", "", i, stint_registry_id(&key, NULL)};
    }
    s_action = action;
    for (s_step_at = 1, s_steps = 0; s_steps >= s_step_at - 1; ++s_step_at) {
        pthread_t thread;

        reset(NULL);
        s_steps = 0;
        if (pthread_create(&thread, NULL, step_through_scopes, NULL) || pthread_join(thread, NULL))
            return 2;
        if (!counts_are_right())
            return 3;
    }
    return s_step_at > 100 ? 0 : 4; /* two scopes take more instructions than that */
}

static void check_everywhere(void (*action)(void))
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0)
        _exit(interrupt_everywhere(action));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFSIGNALED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}
#endif

static void a_handler_after_any_instruction_loses_no_scope(void **state)
{
#if defined(__x86_64__)
    check_everywhere(run_known);
#else
    skip();
#endif
}

static void a_handler_after_any_instruction_may_make_the_tree_grow(void **state)
{
#if defined(__x86_64__)
    check_everywhere(run_new);
#else
    skip();
#endif
}

/* ----------------------------------------------------------------------------------------------------------- slow line */

static int s_lines;

static void count_line(void *context, enum stint_log_level level, const char *file, int line, const char *message)
{
    s_lines += !strncmp(message, "Stat: [slow", 11);
}

static void spin_ns(uint64_t ns)
{
    const uint64_t end = stint_clock_now_ns() + ns;

    while (stint_clock_now_ns() < end)
        continue;
}

static void a_slow_line_needs_the_threshold_whatever_is_known_of_the_clock(void **state)
{
    stint_log_set_sink(count_line, NULL);
    s_lines = 0;
    for (int known = 0; known < 2; ++known) {
        for (int i = 0; i < 3; ++i) {
            STINT_SCOPE("slow", 1000);
            spin_ns(1100000);
        }
        for (int i = 0; i < 1000; ++i) {
            STINT_SCOPE("slow never", 60000000);
        }
    }
    assert_int_equal(s_lines, 6);
    assert_true(stint_i_ticks_per_us > 0);
    stint_log_set_sink(NULL, NULL);
}

#define TEST(name) cmocka_unit_test_setup(name, reset)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(only_the_first_scope_of_a_context_takes_the_slow_half),
        TEST(recursion_takes_the_fast_half_too),
        TEST(four_threads_lose_no_scope_of_a_million_each),
        TEST(snapshots_of_recording_threads_only_ever_grow),
        TEST(a_reset_sends_every_thread_to_the_slow_half_once),
        TEST(switched_off_nothing_counts),
        TEST(leaving_twice_is_counted),
        TEST(an_abandoned_scope_is_popped),
        TEST(a_handler_that_is_raised_between_scopes_counts),
        TEST(a_handler_that_interrupts_anywhere_loses_no_scope),
        TEST(a_handler_after_any_instruction_loses_no_scope),
        TEST(a_handler_after_any_instruction_may_make_the_tree_grow),
        TEST(a_slow_line_needs_the_threshold_whatever_is_known_of_the_clock),
    };

    if (start()) {
        (void)puts("no counter that can be read inline");
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

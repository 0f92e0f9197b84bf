/* The fast path (stint/detail/record.h), on the processor's own counter: nothing here depends on how long things take.
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

/* ------------------------------------------------------------------------ what src/core/runtime is to the macros */

static uint64_t s_slow_enters; /* since the beginning of a test, on any thread */
static int s_name_checks;

struct stint_i_node *stint_i_enter_slow(struct stint_i_site *site, const char *name, struct stint_statset *set)
{
    __atomic_add_fetch(&s_slow_enters, 1, __ATOMIC_RELAXED);
    return stint_scope_enter(site, name, set, 0);
}

struct stint_i_node *stint_i_enter_dynamic(struct stint_i_site *site, const char *name, struct stint_statset *set)
{
    return stint_scope_enter_dynamic(site, name, set, 0);
}

uint64_t stint_i_leave_slow(struct stint_i_node *node, uint64_t now)
{
    return stint_scope_leave(node, now);
}

void stint_i_check_name(const struct stint_i_site *site, const char *name)
{
    s_name_checks++;
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
    s_name_checks = 0;
    return 0;
}

/* -------------------------------------------------------------------------------------------------------- snapshots */

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
    uint64_t lacking = 0;
    for (size_t i = 0; i < snapshot->stat_count; ++i) {
        const struct stint_numbers *numbers = &snapshot->stats[i].numbers;
        uint64_t samples = 0;
        for (size_t bin = 0; bin < numbers->bin_count; ++bin)
            samples += numbers->bins[bin].count;
        lacking += numbers->count - numbers->recursive - samples;
        assert_true(numbers->min_ns <= numbers->max_ns);
        assert_true(numbers->max_ns <= numbers->total_ns + 1);
        assert_true(numbers->self_ns <= numbers->total_ns + 1);
    }
    /* A handler that interrupted the slow path has no memory for buckets that are far from all others so far. */
    assert_int_equal(lacking, stint_dropped.percentiles);
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST_EACH(reset, NULL)

TEST(only_the_first_scope_of_a_context_takes_the_slow_half)
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

TEST(only_a_name_that_is_no_literal_is_checked_for_a_change)
{
    const char *volatile name = "read from memory";
    for (int i = 0; i < 3; i++) {
        STINT_SCOPE("literal");
        STINT_SCOPE_INFO("literal with info", "info");
    }
    assert_int_equal(s_name_checks, 0);
    for (int i = 0; i < 3; i++) {
        STINT_SCOPE(name);
    }
    assert_int_equal(s_name_checks, 3);
}

TEST(recursion_takes_the_fast_half_too)
{

    recurse(9);
    s_slow_enters = 0;
    for (int i = 0; i < 99; ++i)
        recurse(9);
    assert_in_range(s_slow_enters, 0, 99); /* of 10 contexts one may be displaced */
    struct stint_snapshot *snapshot = take();
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

TEST(four_threads_lose_no_scope_of_a_million_each)
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

TEST(snapshots_of_recording_threads_only_ever_grow)
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

TEST(a_reset_sends_every_thread_to_the_slow_half_once)
{
    for (int i = 0; i < 100; ++i) {
        STINT_SCOPE("reset now and then");
        if (i % 10 == 9)
            reset_all();
    }
    assert_in_range(s_slow_enters, 1, 2); /* leaving catches up */
    assert_int_equal(count_of("reset now and then"), 1);
}

TEST(switched_off_nothing_counts)
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

TEST(leaving_twice_is_counted)
{
    static struct stint_i_site site = {__FILE__, "", 1, 0};
    struct stint_i_node *node = stint_i_enter(&site, "left twice", NULL);
    stint_i_leave(node);
    stint_i_leave(node);
    assert_int_equal(stint_dropped.mismatched, 1);
    assert_int_equal(count_of("left twice"), 1);
}

TEST(an_abandoned_scope_is_popped)
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

/* -------------------------------------------------------------------------------------------------- signal handlers */

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

TEST(a_handler_that_is_raised_between_scopes_counts)
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
static uint64_t s_victims_scopes;

/* At most one in each scope: where handlers take long, as under qemu, the victim would do nothing else. */
static void *send_signals(void *argument)
{
    for (uint64_t scopes, last = UINT64_MAX; !__atomic_load_n(&s_stop, __ATOMIC_RELAXED); last = scopes) {
        scopes = __atomic_load_n(&s_victims_scopes, __ATOMIC_RELAXED);
        if (scopes != last)
            pthread_kill(s_victim, SIGUSR1);
    }
    return argument;
}

/* The signal comes between any two instructions; a handler that met the slow path is counted as dropped. */
TEST(a_handler_that_interrupts_anywhere_loses_no_scope)
{
    enum { RUNS = TEST_UNDER_TSAN ? 20000 : 200000 };
    pthread_t sender;

    handle(SIGUSR1, run_in_handler);
    s_victim = pthread_self();
    s_handled = 0;
    s_stop = 0;
    assert_int_equal(pthread_create(&sender, NULL, send_signals, NULL), 0);
    for (uint64_t i = 1; i <= RUNS; ++i) {
        __atomic_store_n(&s_victims_scopes, i, __ATOMIC_RELAXED);
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

static void spin_ns(uint64_t ns)
{
    const uint64_t end = stint_clock_now_ns() + ns;
    while (stint_clock_now_ns() < end)
        continue;
}

/* --------------------------------------------------------------------------------- a handler after each instruction */

#if defined(__x86_64__)
enum { STEP_FLAG = 0x100, KNOWN = 26, CONTEXTS = 40 };

static struct stint_i_site s_sites[CONTEXTS + 1];

/* What is stepped through, and what the handler does after instruction `at`, or after each one if that is 0. */
struct plan {
    void (*scopes)(void);
    void (*action)(void);
    int at;
};

static struct plan s_plan;
static int s_steps;
static uint64_t s_actions;

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
    ++s_steps;
    if (s_plan.at && s_steps != s_plan.at)
        return;
    s_plan.action();
    ++s_actions;
    if (s_plan.at)
        ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~STEP_FLAG;
}

static void enter_and_leave(int number)
{
    stint_i_leave(stint_i_enter(&s_sites[number], "", NULL));
}

/* In a thread of its own, whose tree is new. Its table is all but full when the stepping begins. */
static void *step_through_scopes(void *argument)
{
    for (int i = 0; i < KNOWN; ++i)
        enter_and_leave(i);
    s_plan.scopes();
    set_step_flag();
    s_plan.scopes();
    clear_step_flag();
    return argument;
}

static __attribute__((noinline)) void run_two_scopes(void)
{
    STINT_SCOPE("stepped");
    STINT_SCOPE("stepped inside");
}

static __attribute__((noinline)) void run_one_scope(void)
{
    STINT_SCOPE("stepped");
}

static void run_known_context(void)
{
    enter_and_leave(0);
}

/* The inner scope may be entered step by step. */
static __attribute__((noinline)) void enter_scope_within(int by_step)
{
    STINT_SCOPE("stepped");
    struct stint_i_node *node;

    if (by_step)
        set_step_flag();
    node = stint_i_enter(&s_sites[CONTEXTS], "", NULL);
    if (by_step)
        clear_step_flag();
    stint_i_leave(node);
}

/* The tree's table grows. */
static void run_new_contexts(void)
{
    for (int i = 0; i < CONTEXTS; ++i)
        enter_and_leave(i);
}

/* Returns how many scopes of a name that begins like this ended; their numbers must fit each other. */
static uint64_t count_like(const struct stint_snapshot *snapshot, const char *beginning)
{
    uint64_t count = 0;
    for (size_t i = 0; i < snapshot->stat_count; ++i) {
        const struct stint_numbers *numbers = &snapshot->stats[i].numbers;
        if (strncmp(snapshot->stats[i].name, beginning, strlen(beginning)) != 0)
            continue;
        if (numbers->self_ns > numbers->total_ns + 1)
            return UINT64_MAX;
        count += numbers->count;
    }
    return count;
}

/* Returns whether `scopes` and `actions` counted, or are said to have been dropped, and nothing else happened. */
static int has_counted(uint64_t scopes, uint64_t actions)
{
    const struct stint_costs costs = {0};
    struct stint_snapshot *snapshot;
    if (stint_collect(&snapshot, &costs, 0))
        return 0;
    uint64_t counted = count_like(snapshot, "context ");
    int right = count_like(snapshot, "stepped") == scopes && counted + snapshot->dropped.reentrant == KNOWN + actions &&
                !snapshot->dropped.mismatched && !snapshot->dropped.abandoned;
    stint_snapshot_free(snapshot);
    return right;
}

/* Carries the plan out. Returns 0 if all counted. */
static int carry_out(struct plan plan, uint64_t scopes, uint64_t scopes_per_action)
{
    pthread_t thread;
    reset(NULL);
    s_plan = plan;
    s_steps = 0;
    s_actions = 0;
    if (pthread_create(&thread, NULL, step_through_scopes, NULL) || pthread_join(thread, NULL))
        return 2;
    return has_counted(scopes, s_actions * scopes_per_action) ? 0 : 3;
}

static int interrupt_after_each_instruction(void)
{
    const int failed = carry_out((struct plan){run_two_scopes, run_known_context, 0}, 4, 1);
    return failed || s_steps > 100 ? failed : 4; /* two scopes take more instructions than that */
}

/* The table of a tree grows but once: a new tree for each instruction. The sanitizers' instructions are too many. */
static int let_grow_after_each_instruction(void)
{
#if defined(__SANITIZE_ADDRESS__)
    const int stride = 11;
#else
    const int stride = 1;
#endif
    int at = 0, failed;

    do {
        at += stride;
        failed = carry_out((struct plan){run_one_scope, run_new_contexts, at}, 2, CONTEXTS);
    } while (!failed && s_steps == at);
    return failed || at > 50 ? failed : 4;
}

/* Returns whether all of the thread's time is some scope's own time, once. */
static int has_each_tick_once(void)
{
    const struct stint_tree *tree = &stint_thread_self()->tree;
    uint64_t own = 0, whole = 0;
    int is_negative = 0;

    for (const struct stint_i_node *node = tree->root->next; node; node = node->next) {
        own += node->self;
        whole += node->parent == tree->root ? node->total : 0;
        is_negative |= (int64_t)node->self < 0;
    }
    return own == whole && !is_negative;
}

static void run_long_context(void)
{
    struct stint_i_node *node = stint_i_enter(&s_sites[0], "", NULL);

    spin_ns(1000000);
    stint_i_leave(node);
}

static void *enter_step_by_step(void *argument)
{
    int *const is_right = argument;

    enter_scope_within(0);
    enter_scope_within(1);
    *is_right = has_each_tick_once();
    return NULL;
}

/* What the handler records takes longer than all else, so that a time of which it is taken away twice is below 0. */
static int take_long_after_each_instruction(void)
{
    int at = 0, is_right;

    do {
        pthread_t thread;
        s_plan = (struct plan){NULL, run_long_context, ++at};
        s_steps = 0;
        if (pthread_create(&thread, NULL, enter_step_by_step, &is_right) || pthread_join(thread, NULL))
            return 2;
    } while (is_right && s_steps == at);
    return !is_right ? 3 : at > 20 ? 0 : 4;
}

/* Runs it in a child, which may crash. */
static void check_in_child(int (*function)(void))
{
    const struct sigaction trap = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* cmocka's handler would jump */
        sigaction(SIGTRAP, &trap, NULL);
        for (uint32_t i = 0; i <= CONTEXTS; ++i) {
            char name[16];
            (void)snprintf(name, sizeof name, "context %u", i);
            const struct stint_name key = stint_registry_name(NULL, name);
            s_sites[i] = (struct stint_i_site){"", "", i, stint_registry_id(&key, NULL)};
        }
        _exit(function());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFSIGNALED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int can_step(void)
{
    return !TEST_UNDER_TSAN;
}
#else
static int can_step(void)
{
    return 0;
}

static int interrupt_after_each_instruction(void)
{
    return 1;
}

static int let_grow_after_each_instruction(void)
{
    return 1;
}

static int take_long_after_each_instruction(void)
{
    return 1;
}

static void check_in_child(int (*function)(void))
{
    fail();
}
#endif

TEST(a_handler_after_each_instruction_loses_no_scope)
{
    if (!can_step())
        skip();
    check_in_child(interrupt_after_each_instruction);
}

TEST(what_a_handler_took_after_any_instruction_counts_once)
{
    if (!can_step())
        skip();
    check_in_child(take_long_after_each_instruction);
}

TEST(a_handler_after_any_instruction_may_make_the_tree_grow)
{
    if (!can_step())
        skip();
    check_in_child(let_grow_after_each_instruction);
}

/* -------------------------------------------------------------------------------------------------------- slow line */

static int s_lines;

static void count_line(void *context, enum stint_log_level level, const char *file, int line, const char *message)
{
    s_lines += !strncmp(message, "Stat: [slow", 11);
}

TEST(a_slow_line_needs_the_threshold_whatever_is_known_of_the_clock)
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

int test_main(int argc, char **argv)
{
    if (start()) {
        (void)puts("no counter that can be read inline");
        return SKIPPED;
    }
    return test_run(NULL, NULL);
}

/* However a process ends, the report is written, once and complete, and whoever waits for the process sees the same
 * status as without stint. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

enum { HERE = 100, THERE = 7 };

static void *work_there(void *argument)
{
    (void)argument;
    scopes("there", THERE);
    return NULL;
}

/* With WITHOUT_STINT the program does not use stint, so that the ways in which it ends can be compared. */
static void work(void)
{
    if (getenv("WITHOUT_STINT"))
        return;
    scopes("here", HERE);
    on_thread(work_there, NULL);
}

static int by_return(void)
{
    work();
    return 3;
}

static int by_exit(void)
{
    work();
    exit(4);
}

static int by_exit_in_scope(void)
{
    work();
    if (!getenv("WITHOUT_STINT")) {
        STINT_SCOPE("last");
        exit(4);
    }
    exit(4);
}

static int by__exit(void)
{
    work();
    _exit(5);
}

static int by__Exit(void)
{
    work();
    _Exit(6);
}

static int by_quick_exit(void)
{
    work();
    quick_exit(7);
}

static int by_abort(void)
{
    work();
    abort();
}

UNSANITIZED static void store_nowhere(void)
{
    volatile int *volatile nowhere = NULL;

    *nowhere = 1;
}

static int by_null_store(void)
{
    work();
    store_nowhere();
    return 0;
}

UNSANITIZED static void divide(void)
{
#if defined(__x86_64__)
    __asm__ volatile("xorl %%ecx, %%ecx; idivl %%ecx" ::: "eax", "ecx", "edx", "cc");
#else
    raise(SIGFPE); /* on machines where division by zero is not an error */
#endif
}

static int by_division(void)
{
    work();
    divide();
    return 0;
}

static int by_illegal_instruction(void)
{
    work();
#if defined(__x86_64__)
    __asm__ volatile("ud2");
#else
    __builtin_trap();
#endif
    return 0;
}

/* A mapping beyond the end of its file. */
UNSANITIZED static int by_bus_error(void)
{
    FILE *file = tmpfile();
    volatile char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(file), 0);
    work();
    return *page;
}

static int by_raised_signal(void)
{
    work();
    raise(atoi(getenv("TEST_SIGNAL")));
    return 0;
}

/* Prints that it is ready and waits for a signal. */
static int by_sent_signal(void)
{
    work();
    if (write(STDOUT_FILENO, "ready\n", 6) != 6)
        return 1;
    for (;;)
        pause();
}

static int by_broken_pipe(void)
{
    int ends[2];
    work();
    if (pipe(ends) || close(ends[0]))
        return 1;
    return write(ends[1], "?", 1) == 1 ? 1 : 2;
}

static void *die_there(void *argument)
{
    work_there(argument);
    store_nowhere();
    return NULL;
}

static int in_thread(void)
{
    if (getenv("WITHOUT_STINT"))
        store_nowhere();
    scopes("here", HERE);
    on_thread(die_there, NULL);
    return 0;
}

static void *exit_there(void *argument)
{
    (void)argument;
    work();
    exit(8);
}

static int by_exit_in_thread(void)
{
    on_thread(exit_there, NULL);
    return 0;
}

static int by_pthread_exit(void)
{
    work();
    pthread_exit(NULL);
}

UNSANITIZED __attribute__((noinline)) static int recurse(int depth)
{
    volatile char frame[4096];
    frame[0] = (char)depth;
    return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

/* The handler runs on the stack that stint provides. */
static int by_stack_overflow(void)
{
    work();
    return recurse(0);
}

/* A program that has a signal stack of its own. */
static int by_stack_overflow_with_stack(void)
{
    const size_t size = (size_t)atol(getenv("TEST_STACK"));
    const stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
    if (sigaltstack(&stack, NULL))
        return 1;
    work();
    return recurse(0);
}

/* Crashes while a scope of this thread runs. */
static int in_running_scope(void)
{
    work();
    if (!getenv("WITHOUT_STINT")) {
        STINT_SCOPE("outer");
        STINT_SCOPE("inner");
        store_nowhere();
    }
    store_nowhere();
    return 0;
}

/* ------------------------------------------------------------------------------------------- while the lock is held */

static int s_forking;

/* Registered before stint's handler, hence called after it: from then on stint's lock is held forever. */
static void hold(void)
{
    __atomic_store_n(&s_forking, 1, __ATOMIC_RELEASE);
    for (;;)
        pause();
}

static void *fork_there(void *argument)
{
    (void)argument;
    scopes("there", THERE);
    (void)fork();
    return NULL;
}

static int while_locked(void)
{
    pthread_t thread;
    pthread_atfork(hold, NULL, NULL);
    if (!getenv("WITHOUT_STINT")) {
        scopes("here", HERE);
        pthread_create(&thread, NULL, fork_there, NULL);
        while (!__atomic_load_n(&s_forking, __ATOMIC_ACQUIRE))
            sched_yield();
    }
    store_nowhere();
    return 0;
}

/* ---------------------------------------------------------------------------------------------- handlers of its own */

static volatile sig_atomic_t s_handled;

static void handle(int signal)
{
    s_handled = signal;
}

static int has_handler(void)
{
    if (getenv("TEST_LATE"))
        work();
    signal(SIGTERM, handle);
    work();
    raise(SIGTERM);
    return s_handled == SIGTERM ? 9 : 1;
}

/* Reports and then lets the signal take its default action, as many handlers do. */
static void handle_and_die(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static int has_deadly_handler(void)
{
    signal(SIGTERM, handle_and_die);
    work();
    raise(SIGTERM);
    return 0;
}

static int ignores(void)
{
    work();
    raise(SIGHUP);
    return 10;
}

/* Counts the signals whose action is not the default, except SIGPIPE and others that the harness changed. */
static unsigned count_handled(void)
{
    struct sigaction action;
    unsigned count = 0;
    for (int i = 1; i < NSIG; ++i)
        count += !sigaction(i, NULL, &action) && (action.sa_handler != SIG_DFL || action.sa_flags);
    return count;
}

/* As the kernel counts them, without those of the C library. */
static unsigned count_caught(void)
{
    unsigned long long caught = 0;
    char line[128];
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        (void)sscanf(line, "SigCgt: %llx", &caught);
    if (file)
        fclose(file);
    return (unsigned)__builtin_popcountll(caught & 0x7FFFFFFF);
}

static int counts_handlers(void)
{
    const unsigned seen = count_handled(), there = count_caught();
    work();
    printf("%u new, %u of them seen\n", count_caught() - there, count_handled() - seen);
    return 0;
}

static void take(int signal)
{
    (void)signal;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Does with signals what programs do, and fails if that is not as it would be without stint. Then it ends by one that
 * it has given back. */
static int gives_back(void)
{
    struct sigaction own = {.sa_handler = take, .sa_flags = SA_NODEFER}, before, now;
    work();
    sigaddset(&own.sa_mask, SIGHUP);
    if (sigaction(SIGTERM, &own, &before) || before.sa_handler != SIG_DFL || before.sa_flags)
        return 1;
    if (sigaction(SIGTERM, &before, &now) || now.sa_handler != take || !(now.sa_flags & SA_NODEFER))
        return 2;
    own.sa_handler = SIG_DFL;
    if (sigaction(SIGTERM, &own, NULL) || sigaction(SIGTERM, NULL, &now) || now.sa_handler != SIG_DFL ||
        !(now.sa_flags & SA_NODEFER) || !sigismember(&now.sa_mask, SIGHUP) || sigismember(&now.sa_mask, SIGINT))
        return 3;
    if (signal(SIGINT, take) != SIG_DFL || signal(SIGINT, SIG_IGN) != take || signal(SIGINT, SIG_DFL) != SIG_IGN)
        return 4;
    if (sigset(SIGUSR1, SIG_HOLD) != SIG_DFL || sigset(SIGUSR1, SIG_DFL) != SIG_HOLD ||
        sigset(SIGUSR1, take) != SIG_DFL)
        return 5;
    if (siginterrupt(SIGUSR2, 1) || signal(SIGUSR2, take) != SIG_DFL || sigaction(SIGUSR2, NULL, &now) ||
        now.sa_flags & SA_RESTART || signal(SIGRTMAX + 1, take) != SIG_ERR)
        return 6;
    raise(SIGTERM);
    return 0;
}

/* If the program has a signal stack, it is kept; if not, stint provides one. */
static int keeps_mask_and_stack(void)
{
    static char own[65536];
    stack_t stack = {.ss_sp = own, .ss_size = sizeof own}, now;
    static sigset_t before, after; /* zeroed, because the system does not fill in all of it */
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    sigaltstack(&stack, NULL);
    work();
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    sigaltstack(NULL, &now);
    return memcmp(&before, &after, sizeof before) || now.ss_sp != own || now.ss_flags != 0;
}

/* ------------------------------------------------------------------------------------------------------------- once */

static int prints_all(void)
{
    work();
    printAllStatus();
    return 0;
}

static int prints_and_crashes(void)
{
    work();
    stint_report_print(STINT_FORMAT_JSON);
    store_nowhere();
    return 0;
}

static int prints_and_goes_on(void)
{
    work();
    stint_report_print(STINT_FORMAT_TABLE);
    scopes("more", 1);
    return 0;
}

static int resets_and_goes_on(void)
{
    work();
    stint_report_print(STINT_FORMAT_TABLE);
    stint_reset(STINT_RESET_ALL);
    scopes("more", 3);
    return 0;
}

static int resets(void)
{
    work();
    stint_reset(STINT_RESET_ALL);
    return 0;
}

/* As many activations follow as were deleted, so that their number is the same again. */
static int deletes_and_goes_on(void)
{
    scopes("gone", 5);
    stint_report_print(STINT_FORMAT_TABLE);
    stint_statset_delete(NULL, "gone");
    scopes("more", 5);
    return 0;
}

static int never_scopes(void)
{
    return stint_enabled() ? 11 : 1;
}

static int saves(void)
{
    work();
    return (int)stint_report_save(STINT_FORMAT_JSON, getenv("TEST_PATH"));
}

static int prints_one(void)
{
    work();
    printStatus("here");
    printSegTimerStatus();
    return 0;
}

static const struct mode s_modes[] = {
    {"by_return", by_return},
    {"by_exit", by_exit},
    {"by_exit_in_scope", by_exit_in_scope},
    {"by__exit", by__exit},
    {"by__Exit", by__Exit},
    {"by_quick_exit", by_quick_exit},
    {"by_abort", by_abort},
    {"by_null_store", by_null_store},
    {"by_division", by_division},
    {"by_illegal_instruction", by_illegal_instruction},
    {"by_bus_error", by_bus_error},
    {"by_raised_signal", by_raised_signal},
    {"by_sent_signal", by_sent_signal},
    {"by_broken_pipe", by_broken_pipe},
    {"in_thread", in_thread},
    {"by_exit_in_thread", by_exit_in_thread},
    {"by_pthread_exit", by_pthread_exit},
    {"by_stack_overflow", by_stack_overflow},
    {"by_stack_overflow_with_stack", by_stack_overflow_with_stack},
    {"in_running_scope", in_running_scope},
    {"while_locked", while_locked},
    {"has_handler", has_handler},
    {"has_deadly_handler", has_deadly_handler},
    {"ignores", ignores},
    {"counts_handlers", counts_handlers},
    {"gives_back", gives_back},
    {"keeps_mask_and_stack", keeps_mask_and_stack},
    {"prints_all", prints_all},
    {"prints_and_crashes", prints_and_crashes},
    {"prints_and_goes_on", prints_and_goes_on},
    {"resets_and_goes_on", resets_and_goes_on},
    {"resets", resets},
    {"deletes_and_goes_on", deletes_and_goes_on},
    {"never_scopes", never_scopes},
    {"saves", saves},
    {"prints_one", prints_one},
    {NULL, NULL},
};

/* ------------------------------------------------------------------------------------------------------------ tests */

#define TO_STDERR "STINT_OUTPUT="

/* Runs the mode with and without stint; both have to end in the same way. Returns the run with stint, whose report went
 * to stderr. */
static struct result run_both(const char *mode, const char *change)
{
    const struct result without = run(mode, "WITHOUT_STINT=1", TO_STDERR, change, NULL);
    const struct result with = run(mode, TO_STDERR, change, NULL);
    assert_string_equal(without.err, "");
    if (with.status != without.status)
        fail_msg("%s: wait status %#x, without stint %#x; stderr: %.2000s", mode, (unsigned)with.status,
                 (unsigned)without.status, with.err);
    return with;
}

static void assert_one_report(const struct result *result)
{
    if (occurrences(result->err, "\"format\":\"stint-report\"") != 1 || !is_json(result->err))
        fail_msg("not exactly one report: %.3000s", result->err);
}

static void assert_counts(const struct result *result)
{
    assert_one_report(result);
    assert_int_equal(stat_number(result->err, "here", "count"), HERE);
    assert_int_equal(stat_number(result->err, "there", "count"), THERE);
}

static void test_exits(void **state)
{
    static const struct {
        const char *mode;
        int code;
    } exits[] = {{"by_return", 3}, {"by_exit", 4},       {"by_exit_in_scope", 4}, {"by__exit", 5},
                 {"by__Exit", 6},  {"by_quick_exit", 7}, {"by_exit_in_thread", 8}};

    for (size_t i = 0; i < sizeof exits / sizeof exits[0]; ++i) {
        const struct result result = run_both(exits[i].mode, NULL);
        assert_exit(&result, exits[i].code);
        assert_counts(&result);
    }
}

/* ThreadSanitizer's own thread keeps the process alive after the program's last thread has ended. */
static void test_end_of_last_thread(void **state)
{
    struct result result;
    if (WITH_TSAN)
        skip();
    result = run_both("by_pthread_exit", NULL);
    assert_exit(&result, 0);
    assert_counts(&result);
}

static void test_faults(void **state)
{
    static const struct {
        const char *mode;
        int signal;
    } faults[] = {{"by_abort", SIGABRT},    {"by_null_store", SIGSEGV}, {"by_division", SIGFPE},
                  {"by_bus_error", SIGBUS}, {"in_thread", SIGSEGV},     {"by_illegal_instruction", SIGILL},
                  {"while_locked", SIGSEGV}};

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        const struct result result = run_both(faults[i].mode, NULL);
        assert_signal(&result, faults[i].signal);
        assert_counts(&result);
    }
}

static void assert_raised(int signal)
{
    char change[32];
    struct result result;
    snprintf(change, sizeof change, "TEST_SIGNAL=%d", signal);
    result = run_both("by_raised_signal", change);
    assert_signal(&result, signal);
    assert_counts(&result);
}

static void test_raised_signals(void **state)
{
    static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTRAP, SIGABRT, SIGFPE,  SIGSEGV,   SIGPIPE,
                                  SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGSYS};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i)
        assert_raised(signals[i]);
}

/* Signals that programs use among themselves also end the process, and stint leaves them alone. */
static void test_signals_left_alone(void **state)
{
    const int signals[] = {SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, SIGRTMIN, SIGRTMAX};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
        char change[32];
        snprintf(change, sizeof change, "TEST_SIGNAL=%d", signals[i]);
        const struct result result = run_both("by_raised_signal", change);
        assert_signal(&result, signals[i]);
        assert_string_equal(result.err, "");
    }
}

static void test_sent_signals(void **state)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGSEGV};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
        const struct child child = begin("by_sent_signal", TO_STDERR, NULL);
        struct result result;
        await(&child, "ready");
        kill(child.pid, signals[i]);
        result = finish(&child);
        assert_signal(&result, signals[i]);
        assert_counts(&result);
    }
}

/* SIGKILL cannot be handled, but nothing half-written is left. */
static void test_kill(void **state)
{
    const struct child child = begin("by_sent_signal", NULL);
    struct result result;
    await(&child, "ready");
    kill(child.pid, SIGKILL);
    result = finish(&child);
    assert_signal(&result, SIGKILL);
    assert_string_equal(result.err, "");
    assert_int_equal(for_each_scratch("report", NULL), 0);
}

static void test_broken_pipe(void **state)
{
    const struct result result = run_both("by_broken_pipe", NULL);
    assert_signal(&result, SIGPIPE);
    assert_counts(&result);
}

static void test_stack_overflow(void **state)
{
    struct result result;
    if (WITH_SANITIZER)
        skip();
    result = run_both("by_stack_overflow", NULL);
    assert_signal(&result, SIGSEGV);
    result = run_both("by_stack_overflow_with_stack", "TEST_STACK=262144");
    assert_signal(&result, SIGSEGV);
    assert_counts(&result);
}

/* A stack as small as programs use that know how little their handler needs. */
static void test_stack_overflow_on_small_stack(void **state)
{
    struct result result;
    if (WITH_SANITIZER)
        skip();
    result = run_both("by_stack_overflow_with_stack", "TEST_STACK=32768");
    assert_signal(&result, SIGSEGV);
    assert_counts(&result);
}

static void test_stack_overflow_without_stack(void **state)
{
    struct result result;
    if (WITH_SANITIZER)
        skip();
    result = run_both("by_stack_overflow", NULL);
    assert_signal(&result, SIGSEGV);
    assert_counts(&result);
}

static void test_running_scopes(void **state)
{
    const struct result result = run_both("in_running_scope", NULL);
    assert_signal(&result, SIGSEGV);
    assert_counts(&result);
    assert_int_equal(stat_number(result.err, "outer", "running"), 1);
    assert_int_equal(stat_number(result.err, "inner", "running"), 1);
    assert_int_equal(stat_number(result.err, "inner", "count"), 0);
}

static void test_own_handlers(void **state)
{
    struct result result = run_both("has_handler", NULL);
    assert_exit(&result, 9);
    assert_counts(&result);
    result = run("has_handler", "TEST_LATE=1", TO_STDERR, NULL);
    assert_exit(&result, 9);
    assert_int_equal(stat_number(result.err, "here", "count"), 2 * HERE);
    result = run_both("has_deadly_handler", NULL);
    assert_signal(&result, SIGTERM); /* its own handler ends the process: no report */
    assert_string_equal(result.err, "");
}

static void test_ignored_signals(void **state)
{
    struct result result;
    ignore_next(SIGHUP);
    result = run("ignores", TO_STDERR, NULL);
    assert_exit(&result, 10);
    assert_counts(&result);
}

static void test_signals_off(void **state)
{
    struct result result = run("counts_handlers", "STINT_SIGNALS=off", TO_STDERR, NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.out, "0 new, 0 of them seen\n");
    result = run("by_null_store", "STINT_SIGNALS=off", TO_STDERR, NULL);
    assert_signal(&result, SIGSEGV);
    assert_string_equal(result.err, "");
}

static void test_handlers_are_not_seen(void **state)
{
    unsigned handlers = 0, seen = 1;
    struct result result = run("counts_handlers", TO_STDERR, NULL);
    assert_int_equal(sscanf(result.out, "%u new, %u of them seen", &handlers, &seen), 2);
    assert_in_range(handlers, 1, 18); /* a sanitizer handles some of the 18 that the manual lists */
    assert_int_equal(seen, 0);
    result = run_both("gives_back", NULL);
    assert_signal(&result, SIGTERM);
    assert_counts(&result);
}

static void test_mask_and_stack(void **state)
{
    const struct result result = run("keeps_mask_and_stack", NULL);
    assert_exit(&result, 0);
}

static void test_no_second_report(void **state)
{
    struct result result = run("prints_all", TO_STDERR, NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "Stat=here"), 1);
    assert_int_equal(occurrences(result.err, "stint-report"), 0);

    result = run("prints_and_crashes", TO_STDERR, NULL);
    assert_signal(&result, SIGSEGV);
    assert_counts(&result);
}

static void test_no_report_after_save(void **state)
{
    const char *path = scratch("saved");
    char change[128];
    struct result result;
    snprintf(change, sizeof change, "TEST_PATH=%s", path);
    result = run("saves", change, TO_STDERR, NULL);
    assert_exit(&result, STINT_OK);
    assert_int_equal(stat_number(read_file(path), "here", "count"), HERE);
    assert_null(result.report);
    assert_string_equal(result.err, "");
}

/* As set by stint run. */
static void test_report_to_file_is_no_second_one(void **state)
{
    static const char *const modes[] = {"prints_all", "prints_and_crashes"};
    char change[128];
    struct result result;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
        result = run(modes[i], NULL);
        assert_int_equal(stat_number(result.report, "here", "count"), HERE);
    }
    snprintf(change, sizeof change, "TEST_PATH=%s", scratch("saved"));
    result = run("saves", change, NULL);
    assert_int_equal(stat_number(result.report, "here", "count"), HERE);
    result = run("prints_all", "STINT_OUTPUT=/dev/stderr", NULL); /* the file that it was printed to */
    assert_int_equal(occurrences(result.err, "stint-report"), 0);
}

static const char *json_in(const struct result *result)
{
    const char *json = strstr(result->err, "{\"format\":\"stint-report\"");
    assert_non_null(json);
    return json;
}

static void test_second_report_of_news(void **state)
{
    struct result result = run("prints_and_goes_on", TO_STDERR, NULL);
    assert_int_equal(stat_number(json_in(&result), "more", "count"), 1);
    assert_int_equal(stat_number(json_in(&result), "here", "count"), HERE);

    result = run("resets_and_goes_on", TO_STDERR, NULL);
    assert_int_equal(stat_number(json_in(&result), "more", "count"), 3);
    assert_false(has_stat(json_in(&result), "here"));

    result = run("prints_one", TO_STDERR, NULL); /* not everything was printed */
    assert_int_equal(stat_number(json_in(&result), "there", "count"), THERE);
}

static void test_report_of_as_many(void **state)
{
    const struct result result = run("deletes_and_goes_on", "STINT_OUTPUT=", NULL);
    assert_int_equal(stat_number(result.err, "more", "count"), 5);
}

static void test_nothing_to_report(void **state)
{
    struct result result = run("never_scopes", NULL);
    assert_exit(&result, 11);
    assert_string_equal(result.err, "");
    assert_null(result.report);
    result = run("resets", NULL);
    assert_string_equal(result.err, "");
    assert_null(result.report);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        process_test(test_exits),
        process_test(test_end_of_last_thread),
        process_test(test_faults),
        process_test(test_raised_signals),
        process_test(test_signals_left_alone),
        process_test(test_sent_signals),
        process_test(test_kill),
        process_test(test_broken_pipe),
        process_test(test_stack_overflow),
        process_test(test_stack_overflow_on_small_stack),
        process_test(test_stack_overflow_without_stack),
        process_test(test_running_scopes),
        process_test(test_own_handlers),
        process_test(test_ignored_signals),
        process_test(test_signals_off),
        process_test(test_handlers_are_not_seen),
        process_test(test_mask_and_stack),
        process_test(test_no_second_report),
        process_test(test_no_report_after_save),
        process_test(test_report_to_file_is_no_second_one),
        process_test(test_second_report_of_news),
        process_test(test_report_of_as_many),
        process_test(test_nothing_to_report),
    };
    if (argc > 1)
        return run_mode(s_modes, argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

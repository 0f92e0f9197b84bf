/* However a process ends, the report is written, once and complete, and whoever waits for the process sees the same
 * status as without stint. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

enum { HERE = 100, THERE = 7 };

static void *work_there(void *argument)
{
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

MODE(by_return)
{
    work();
    return 3;
}

MODE(by_exit)
{
    work();
    exit(4);
}

MODE(by_exit_in_scope)
{
    work();
    if (!getenv("WITHOUT_STINT")) {
        STINT_SCOPE("last");
        exit(4);
    }
    exit(4);
}

MODE(by__exit)
{
    work();
    _exit(5);
}

MODE(by__Exit)
{
    work();
    _Exit(6);
}

MODE(by_quick_exit)
{
    work();
    quick_exit(7);
}

MODE(by_abort)
{
    work();
    abort();
}

UNSANITIZED static void store_nowhere(void)
{
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

MODE(by_null_store)
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

MODE(by_division)
{
    work();
    divide();
    return 0;
}

MODE(by_illegal_instruction)
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
UNSANITIZED MODE(by_bus_error)
{
    FILE *file = tmpfile();
    volatile char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(file), 0);
    work();
    return *page;
}

MODE(by_raised_signal)
{
    work();
    raise(atoi(getenv("TEST_SIGNAL")));
    return 0;
}

/* Prints that it is ready and waits for a signal. */
MODE(by_sent_signal)
{
    work();
    if (write(STDOUT_FILENO, "ready\n", 6) != 6)
        return 1;
    for (;;)
        pause();
}

static int s_interrupts;

/* As the report writes. */
STINT_API ssize_t writev(int fd, const struct iovec *parts, int count)
{
    if (s_interrupts) {
        s_interrupts = 0;
        raise(SIGTERM);
        raise(SIGHUP);
    }
    return syscall(SYS_writev, fd, parts, count);
}

static void leave_at_once(int signal)
{
    _exit(6);
}

/* The report of a process that ends of itself is interrupted by signals that would end it, too. */
MODE(by_signal_in_report)
{
    work();
    s_interrupts = 1;
    if (getenv("TEST_HANDLER"))
        signal(SIGTERM, leave_at_once);
    if (getenv("TEST_EXIT"))
        _exit(5);
    return 0;
}

MODE(by_broken_pipe)
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

MODE(in_thread)
{
    if (getenv("WITHOUT_STINT"))
        store_nowhere();
    scopes("here", HERE);
    on_thread(die_there, NULL);
    return 0;
}

static void *exit_there(void *argument)
{
    work();
    exit(8);
}

MODE(by_exit_in_thread)
{
    on_thread(exit_there, NULL);
    return 0;
}

MODE(by_pthread_exit)
{
    work();
    pthread_exit(NULL);
}

static void *outlive_main(void *argument)
{
    usleep(50000);
    work();
    return argument;
}

MODE(main_first)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, outlive_main, NULL))
        return 1;
    pthread_exit(NULL);
}

/* Ends the thread alone, without what the C library does then. */
static int leave(void)
{
    return (int)syscall(SYS_exit, 8);
}

MODE(by_raw_exit)
{
    work();
    return leave();
}

MODE(by_raw_exit_in_child)
{
    int status = 0;
    pid_t child = fork();
    if (!child) {
        work();
        return leave();
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static pthread_t s_main;

static void *join_main(void *argument)
{
    return pthread_join(s_main, NULL) ? NULL : outlive_main(argument);
}

MODE(main_first_by_raw_exit)
{
    pthread_t thread;
    s_main = pthread_self();
    if (getenv("WITHOUT_STINT") == NULL)
        scopes("here", 1); /* starts stint */
    stint_reset(STINT_RESET_ALL);
    if (pthread_create(&thread, NULL, join_main, NULL))
        return 1;
    return leave();
}

UNSANITIZED __attribute__((noinline)) static int recurse(int depth)
{
    volatile char frame[4096];
    frame[0] = (char)depth;
    return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

/* The handler runs on the stack that stint provides. */
MODE(by_stack_overflow)
{
    work();
    return recurse(0);
}

/* A program that has a signal stack of its own. */
MODE(by_stack_overflow_with_stack)
{
    const size_t size = (size_t)atol(getenv("TEST_STACK"));
    const stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
    if (sigaltstack(&stack, NULL))
        return 1;
    work();
    return recurse(0);
}

/* Crashes while a scope of this thread runs. */
MODE(in_running_scope)
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
    scopes("there", THERE);
    (void)fork();
    return NULL;
}

MODE(while_locked)
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

MODE(has_handler)
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

MODE(has_deadly_handler)
{
    signal(SIGTERM, handle_and_die);
    work();
    raise(SIGTERM);
    return 0;
}

static void use_stack(int signal)
{
    volatile char used[8192];
    for (size_t i = 0; i < sizeof used; i++)
        used[i] = 0x5A;
}

/* As a sampler's, which has its handlers on alternate stacks, too. */
MODE(by_term_amid_alarms)
{
    const struct itimerval often = {{0, 100}, {0, 100}};
    struct sigaction action = {.sa_handler = use_stack, .sa_flags = SA_ONSTACK | SA_RESTART};
    work();
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    raise(SIGTERM);
    return 0;
}

MODE(ignores)
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

static int is_error_kept(void)
{
    const char *error = dlerror();
    return error && strstr(error, "/nowhere");
}

/* What stint looks for, it looks for without the program's knowledge. */
MODE(asks_for_errors)
{
    jmp_buf buffer;
    stack_t stack;
    struct sigaction action;
    int kept = !dlerror() && !dlopen("/nowhere", RTLD_NOW) && !sigaction(SIGUSR1, NULL, &action) && is_error_kept();
    kept = kept && !dlopen("/nowhere", RTLD_NOW) && !sigaltstack(NULL, &stack) && is_error_kept();
    kept = kept && !dlopen("/nowhere", RTLD_NOW) && !setjmp(buffer) && is_error_kept();
    (void)dlopen("/nowhere", RTLD_NOW);
    work();
    return kept && is_error_kept() ? 0 : 1;
}

MODE(counts_handlers)
{
    const unsigned seen = count_handled(), there = count_caught();
    work();
    printf("%u new, %u of them seen\n", count_caught() - there, count_handled() - seen);
    return 0;
}

static void take(int signal) {}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Does with signals what programs do, and fails if that is not as it would be without stint. Then it ends by one that
 * it has given back. */
MODE(gives_back)
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
MODE(keeps_mask_and_stack)
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

static volatile uintptr_t s_frame; /* of the handler that ran last */

static void note_frame(int signal)
{
    s_frame = (uintptr_t)__builtin_frame_address(0);
}

static int has_no_stack(void)
{
    stack_t now;
    return !sigaltstack(NULL, &now) && now.ss_flags == SS_DISABLE;
}

/* A handler that asks for a signal stack runs on the caller's, as there is none. */
static int runs_here(void)
{
    raise(SIGUSR1);
    return (uintptr_t)__builtin_frame_address(0) - s_frame < 32768;
}

static void *work_without_stack(void *argument)
{
    work();
    return has_no_stack() && runs_here() ? NULL : argument;
}

/* The program does not see the signal stacks of stint's handlers. */
MODE(sees_no_stack)
{
    static char own[65536];
    stack_t stack = {.ss_sp = own, .ss_size = sizeof own}, before;
    struct sigaction action = {.sa_handler = note_frame, .sa_flags = SA_ONSTACK};
    pthread_t thread;
    void *failed = own;
    work();
    if (!has_no_stack() || sigaction(SIGUSR1, &action, NULL) || !has_no_stack() || !runs_here())
        return 1;
    if (pthread_create(&thread, NULL, work_without_stack, own) || pthread_join(thread, &failed) || failed)
        return 2;
    if (sigaltstack(&stack, &before) || before.ss_flags != SS_DISABLE || runs_here())
        return 3;
    work();
    return sigaltstack(&before, &stack) || stack.ss_sp != own || !has_no_stack() ? 4 : 0;
}

/* ------------------------------------------------------------------------------------------------------------- once */

MODE(prints_all)
{
    work();
    printAllStatus();
    return 0;
}

MODE(prints_and_crashes)
{
    work();
    stint_report_print(STINT_FORMAT_JSON);
    store_nowhere();
    return 0;
}

MODE(prints_and_goes_on)
{
    work();
    stint_report_print(STINT_FORMAT_TABLE);
    scopes("more", 1);
    return 0;
}

MODE(resets_and_goes_on)
{
    work();
    stint_report_print(STINT_FORMAT_TABLE);
    stint_reset(STINT_RESET_ALL);
    scopes("more", 3);
    return 0;
}

MODE(resets)
{
    work();
    stint_reset(STINT_RESET_ALL);
    return 0;
}

/* As many activations follow as were deleted, so that their number is the same again. */
MODE(deletes_and_goes_on)
{
    scopes("gone", 5);
    stint_report_print(STINT_FORMAT_TABLE);
    stint_statset_delete(NULL, "gone");
    scopes("more", 5);
    return 0;
}

MODE(never_scopes)
{
    return stint_enabled() ? 11 : 1;
}

MODE(saves)
{
    work();
    return (int)stint_report_save(STINT_FORMAT_JSON, getenv("TEST_PATH"));
}

MODE(prints_one)
{
    work();
    printStatus("here");
    printSegTimerStatus();
    return 0;
}

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

TEST(test_exits)
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
TEST(test_end_of_last_thread)
{
    static const char *const modes[] = {"by_pthread_exit", "main_first"};
    if (WITH_TSAN)
        skip();
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct result result = run_both(modes[i], NULL);
        assert_exit(&result, 0);
        assert_counts(&result);
    }
}

/* Stint's threads are none of the program's. */
TEST(test_end_of_last_thread_but_stints)
{
    static const struct {
        const char *mode, *with;
        int code;
    } ends[] = {{"main_first", "STINT_CONTROL=%s", 0},           {"main_first", "STINT_DELAY=0.001", 0},
                {"by_raw_exit", "STINT_CONTROL=%s", 8},          {"by_raw_exit", "STINT_DURATION=100", 8},
                {"by_raw_exit_in_child", "STINT_CONTROL=%s", 8}, {"main_first_by_raw_exit", "STINT_CONTROL=%s", 8}};
    if (WITH_TSAN)
        skip();
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char change[PATH_MAX];
        (void)snprintf(change, sizeof change, ends[i].with, scratch(""));
        struct result result = run_both(ends[i].mode, change);
        assert_exit(&result, ends[i].code);
        assert_counts(&result);
        assert_non_null(strstr(result.err, "\"command\":\""));
        assert_null(strstr(result.err, "\"command\":\"\""));
    }
}

TEST(test_faults)
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
    snprintf(change, sizeof change, "TEST_SIGNAL=%d", signal);
    struct result result = run_both("by_raised_signal", change);
    assert_signal(&result, signal);
    assert_counts(&result);
}

TEST(test_raised_signals)
{
    static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTRAP, SIGABRT, SIGFPE,  SIGSEGV,   SIGPIPE,
                                  SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGSYS};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i)
        assert_raised(signals[i]);
}

/* Signals that programs use among themselves also end the process, and stint leaves them alone. */
TEST(test_signals_left_alone)
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

TEST(test_sent_signals)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGSEGV};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
        const struct child child = begin("by_sent_signal", TO_STDERR, NULL);
        await(&child, "ready");
        kill(child.pid, signals[i]);
        struct result result = finish(&child);
        assert_signal(&result, signals[i]);
        assert_counts(&result);
    }
}

/* They end it when the report is complete. After _exit they would find no process. */
TEST(test_signals_in_report)
{
    struct result result = run("by_signal_in_report", TO_STDERR, NULL);
    assert_signal(&result, SIGTERM);
    assert_counts(&result);
    result = run("by_signal_in_report", TO_STDERR, "TEST_EXIT=1", NULL);
    assert_exit(&result, 5);
    assert_counts(&result);
    result = run("by_signal_in_report", "TEST_HANDLER=1", NULL);
    assert_exit(&result, 6);
    assert_int_equal(stat_number(result.report, "here", "count"), HERE);
}

/* SIGKILL cannot be handled, but nothing half-written is left. */
TEST(test_kill)
{
    const struct child child = begin("by_sent_signal", NULL);
    await(&child, "ready");
    kill(child.pid, SIGKILL);
    struct result result = finish(&child);
    assert_signal(&result, SIGKILL);
    assert_string_equal(result.err, "");
    assert_int_equal(for_each_scratch("report", NULL), 0);
}

TEST(test_broken_pipe)
{
    const struct result result = run_both("by_broken_pipe", NULL);
    assert_signal(&result, SIGPIPE);
    assert_counts(&result);
}

TEST(test_stack_overflow)
{
    if (WITH_SANITIZER)
        skip();
    struct result result = run_both("by_stack_overflow", NULL);
    assert_signal(&result, SIGSEGV);
    result = run_both("by_stack_overflow_with_stack", "TEST_STACK=262144");
    assert_signal(&result, SIGSEGV);
    assert_counts(&result);
}

/* A stack as small as programs use that know how little their handler needs. */
TEST(test_stack_overflow_on_small_stack)
{
    if (WITH_SANITIZER)
        skip();
    struct result result = run_both("by_stack_overflow_with_stack", "TEST_STACK=32768");
    assert_signal(&result, SIGSEGV);
    assert_counts(&result);
}

TEST(test_stack_overflow_without_stack)
{
    if (WITH_SANITIZER)
        skip();
    struct result result = run_both("by_stack_overflow", NULL);
    assert_signal(&result, SIGSEGV);
    assert_counts(&result);
}

TEST(test_running_scopes)
{
    const struct result result = run_both("in_running_scope", NULL);
    assert_signal(&result, SIGSEGV);
    assert_counts(&result);
    assert_int_equal(stat_number(result.err, "outer", "running"), 1);
    assert_int_equal(stat_number(result.err, "inner", "running"), 1);
    assert_int_equal(stat_number(result.err, "inner", "count"), 0);
}

TEST(test_own_handlers)
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

TEST(test_handlers_on_the_stack_of_ours)
{
    const struct result result = run_both("by_term_amid_alarms", NULL);
    assert_signal(&result, SIGTERM);
    assert_counts(&result);
}

TEST(test_ignored_signals)
{
    ignore_next(SIGHUP);
    struct result result = run("ignores", TO_STDERR, NULL);
    assert_exit(&result, 10);
    assert_counts(&result);
}

TEST(test_signals_off)
{
    struct result result = run("counts_handlers", "STINT_SIGNALS=off", TO_STDERR, NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.out, "0 new, 0 of them seen\n");
    result = run("by_null_store", "STINT_SIGNALS=off", TO_STDERR, NULL);
    assert_signal(&result, SIGSEGV);
    assert_string_equal(result.err, "");
}

TEST(test_handlers_are_not_seen)
{
    unsigned handlers = 0, seen = 1;
    struct result result = run("counts_handlers", TO_STDERR, NULL);
    assert_int_equal(sscanf(result.out, "%u new, %u of them seen", &handlers, &seen), 2);
    assert_in_range(handlers, 1, 18); /* a sanitizer handles some of the 18 that the manual lists */
    assert_int_equal(seen, 0);
}

TEST(test_errors_of_the_linker)
{
    const struct result result = run_both("asks_for_errors", NULL);
    assert_exit(&result, 0);
}

TEST(test_signals_that_are_given_back)
{
    if (WITH_TSAN)
        skip(); /* it has an opinion of its own on what the program has set */
    const struct result result = run_both("gives_back", NULL);
    assert_signal(&result, SIGTERM);
    assert_counts(&result);
}

TEST(test_mask_and_stack)
{
    const struct result result = run("keeps_mask_and_stack", NULL);
    assert_exit(&result, 0);
}

TEST(test_hidden_stack)
{
    const struct result result = run("sees_no_stack", NULL);
    assert_exit(&result, 0);
}

TEST(test_no_second_report)
{
    struct result result = run("prints_all", TO_STDERR, NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "Stat=here"), 1);
    assert_int_equal(occurrences(result.err, "stint-report"), 0);

    result = run("prints_and_crashes", TO_STDERR, NULL);
    assert_signal(&result, SIGSEGV);
    assert_counts(&result);
}

TEST(test_no_report_after_save)
{
    const char *path = scratch("saved");
    char change[128];
    snprintf(change, sizeof change, "TEST_PATH=%s", path);
    struct result result = run("saves", change, TO_STDERR, NULL);
    assert_exit(&result, STINT_OK);
    assert_int_equal(stat_number(read_file(path), "here", "count"), HERE);
    assert_null(result.report);
    assert_string_equal(result.err, "");
}

/* As set by stint run. */
TEST(test_report_to_file_is_no_second_one)
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

TEST(test_second_report_of_news)
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

TEST(test_report_of_as_many)
{
    const struct result result = run("deletes_and_goes_on", "STINT_OUTPUT=", NULL);
    assert_int_equal(stat_number(result.err, "more", "count"), 5);
}

TEST(test_nothing_to_report)
{
    struct result result = run("never_scopes", NULL);
    assert_exit(&result, 11);
    assert_string_equal(result.err, "");
    assert_null(result.report);
    result = run("resets", NULL);
    assert_string_equal(result.err, "");
    assert_null(result.report);
}

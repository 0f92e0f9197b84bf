/* Programs compiled with -finstrument-functions and linked to libstint_functions. This is one of them: its modes are
 * instrumented like a user's program. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

int early(int number); /* of early.c, a library */

#define NOINLINE __attribute__((noinline))
#define PLAIN __attribute__((no_instrument_function))
#define FENCE() __asm__ volatile("" ::: "memory")

PLAIN static void sleep_ms(long ms)
{
    const struct timespec moment = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&moment, NULL);
}

NOINLINE static void leaf(void)
{
    FENCE();
}

PLAIN static void leaves(int count)
{
    for (int i = 0; i < count; ++i)
        leaf();
}

/* --------------------------------------------------------------------------------------------------- modes: nesting */

NOINLINE static int count_down(int number)
{
    return number ? 1 + count_down(number - 1) : 0;
}

MODE(recurses)
{
    return count_down(9) != 9;
}

MODE(recurses_deeply)
{
    return count_down(5000) != 5000;
}

/* The stack pointer is lower when the function ends than when it began. */
NOINLINE static void takes_stack(unsigned size)
{
    volatile char bytes[size];
    bytes[size - 1] = 1;
    (void)bytes[0];
    leaf();
}

MODE(takes_stacks)
{
    for (unsigned i = 1; i <= 100; ++i)
        takes_stack(i * 7);
    return 0;
}

NOINLINE static void scoped(void)
{
    STINT_SCOPE("outer scope");
    leaf();
    {
        STINT_SCOPE_INFO("inner scope", "info");
        leaf();
    }
    for (int i = 0; i < 3; ++i) {
        STINT_SCOPE_DYNAMIC("dynamic scope");
        STINT_SCOPE("slow scope", (uint64_t)-1);
        leaf();
    }
}

MODE(has_scopes)
{
    scoped();
    scoped();
    return 0;
}

/* The running function goes on when an inner one, which was not recorded, ends. */
NOINLINE static void switches(int depth)
{
    if (depth == 3) {
        stint_set_enabled(0);
        switches(depth - 1);
        stint_set_enabled(1);
        sleep_ms(20);
    } else if (depth) {
        switches(depth - 1);
    }
    FENCE();
}

MODE(switches_off)
{
    switches(3);
    leaf();
    return 0;
}

/* ---------------------------------------------------------------------------------------------- modes: left by jump */

enum { JUMPS = 1000 };

static jmp_buf s_back;

/* By the C library's own longjmp, of which stint hears nothing, unless the test asks for the one that it interposes. */
PLAIN __attribute__((noreturn)) static void jump(int value)
{
    void (*unseen)(jmp_buf, int);
    void *address = dlsym(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), "longjmp");
    memcpy(&unseen, &address, sizeof unseen);
    if (address && !getenv("TEST_SEEN"))
        unseen(s_back, value);
    longjmp(s_back, value);
}

NOINLINE static void jumps(int number)
{
    leaf();
    if (number)
        jump(1);
}

NOINLINE static void calls_jumper(int number)
{
    STINT_SCOPE("around");
    jumps(number);
    FENCE();
}

NOINLINE static void catches(int number)
{
    if (!setjmp(s_back))
        calls_jumper(number);
}

MODE(jumps_back)
{
    for (volatile int i = 0; i < JUMPS; ++i) {
        if (!setjmp(s_back))
            calls_jumper(1);
        leaf();
    }
    return 0;
}

/* Jumps back into a function that then ends normally, and is entered again. */
MODE(jumps_to_callers)
{
    for (int i = 0; i < JUMPS; ++i)
        catches(1);
    catches(0);
    return 0;
}

/* These two run at the same stack depth, one after the other. */
NOINLINE static void first(int number)
{
    FENCE();
    if (number)
        jump(number);
}

NOINLINE static void second(int number)
{
    FENCE();
    if (number)
        jump(number + 1);
}

MODE(jumps_from_one_place)
{
    for (volatile int i = 0; i < JUMPS; ++i)
        if (!setjmp(s_back))
            first(i % 2); /* every other call ends normally, and is in the report */
    return 0;
}

MODE(jumps_from_two_places)
{
    for (volatile int i = 0; i < JUMPS; ++i) {
        if (!setjmp(s_back))
            first(1);
        second(0);
    }
    return 0;
}

/* Jumps back into an outer activation of the same function. */
NOINLINE static int recurses_and_jumps(int depth)
{
    if (depth == 2 && setjmp(s_back))
        return depth;
    if (depth == 0)
        jump(1);
    int result = 1 + recurses_and_jumps(depth - 1);
    if (depth == 3)
        sleep_ms(20);
    return result;
}

MODE(jumps_to_itself)
{
    return recurses_and_jumps(4) != 4;
}

/* ------------------------------------------------------------------------------------------------ modes: many names */

#define FUNCTION(n)                                                                                                    \
    NOINLINE static void function_##n(void)                                                                            \
    {                                                                                                                  \
        FENCE();                                                                                                       \
    }
#define POINTER(n) function_##n,
#define TEN(each, n)                                                                                                   \
    each(n##0) each(n##1) each(n##2) each(n##3) each(n##4) each(n##5) each(n##6) each(n##7) each(n##8) each(n##9)
#define HUNDRED(each, n)                                                                                               \
    TEN(each, n##0)                                                                                                    \
    TEN(each, n##1)                                                                                                    \
    TEN(each, n##2)                                                                                                    \
    TEN(each, n##3)                                                                                                    \
    TEN(each, n##4) TEN(each, n##5) TEN(each, n##6) TEN(each, n##7) TEN(each, n##8) TEN(each, n##9)
#define THOUSAND(each)                                                                                                 \
    HUNDRED(each, 0)                                                                                                   \
    HUNDRED(each, 1)                                                                                                   \
    HUNDRED(each, 2)                                                                                                   \
    HUNDRED(each, 3)                                                                                                   \
    HUNDRED(each, 4) HUNDRED(each, 5) HUNDRED(each, 6) HUNDRED(each, 7) HUNDRED(each, 8) HUNDRED(each, 9)

THOUSAND(FUNCTION)

enum { THREADS = 8, PASSES = WITH_TSAN ? 4 : 20, FUNCTIONS = 1000 };

static void (*const s_functions[FUNCTIONS])(void) = {THOUSAND(POINTER)};

PLAIN static void *call_all(void *first)
{
    for (int pass = 0; pass < PASSES; ++pass)
        for (size_t i = 0; i < FUNCTIONS; ++i)
            s_functions[((size_t)(uintptr_t)first + i) % FUNCTIONS]();
    return NULL;
}

MODE(runs_on_threads)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, call_all, (void *)(i * 100)); /* NOLINT(performance-no-int-to-ptr) */
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}

/* Threads come and go: each has to release what it needs. */
PLAIN static void *call_leaf(void *unused)
{
    leaf();
    return unused;
}

MODE(runs_on_many_threads)
{
    long before = 0;
    for (int i = 0; i < 600; ++i) {
        on_thread(call_leaf, NULL);
        if (i == 99)
            before = resident_pages();
    }
    return resident_pages() - before > 250;
}

static pthread_key_t s_key;

NOINLINE static void destroy(void *value)
{
    leaf();
    if ((uintptr_t)value > 1)
        pthread_setspecific(s_key, (char *)value - 1);
}

static void *end_late(void *unused)
{
    pthread_setspecific(s_key, (void *)(uintptr_t)3); /* NOLINT(performance-no-int-to-ptr) */
    leaf();
    return unused;
}

MODE(runs_in_dying_threads)
{
    pthread_key_create(&s_key, destroy);
    for (int i = 0; i < 10; ++i)
        on_thread(end_late, NULL);
    return 0;
}

/* --------------------------------------------------------------------------------------------------- modes: signals */

static volatile sig_atomic_t s_calls;

NOINLINE static void handles(void)
{
    FENCE();
}

PLAIN static void on_signal(int signal)
{
    handles();
    if (s_calls < FUNCTIONS)
        s_functions[s_calls]();
    ++s_calls;
}

PLAIN static void tick(int us)
{
    const struct itimerval each = {{0, us}, {0, us}};
    setitimer(ITIMER_REAL, &each, NULL);
}

MODE(is_raised)
{
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 10; ++i)
        raise(SIGUSR1);
    return 0;
}

enum { STACK_SIZE = 1 << 21, SIGNAL_STACK_SIZE = 1 << 14 };

NOINLINE static void interrupted(void)
{
    raise(SIGUSR1);
    leaf();
}

PLAIN static void *raise_on_two_stacks(void *signal_stack)
{
    const stack_t stack = {.ss_sp = signal_stack, .ss_size = SIGNAL_STACK_SIZE};
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 10; ++i)
        interrupted();
    return NULL;
}

/* The handler's stack is at higher addresses than the thread's, as if all running functions had ended. */
MODE(is_raised_on_higher_stack)
{
    char *memory =
        mmap(NULL, STACK_SIZE + SIGNAL_STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memory, STACK_SIZE);
    if (pthread_create(&thread, &attributes, raise_on_two_stacks, memory + STACK_SIZE))
        return 1;
    pthread_join(thread, NULL);
    return 0;
}

/* ------------------------------------------------------------------------------------------------- modes: processes */

__attribute__((constructor)) NOINLINE static void construct(void)
{
    if (mode_is("runs_early_and_late"))
        leaves(2);
}

__attribute__((destructor)) NOINLINE static void destruct(void)
{
    if (mode_is("runs_early_and_late"))
        leaves(3);
}

NOINLINE static void at_exit(void)
{
    leaves(4);
}

MODE(runs_early_and_late)
{
    atexit(at_exit);
    leaf();
    return 0;
}

NOINLINE static void before_fork(void)
{
    FENCE();
}

NOINLINE static void in_child(void)
{
    FENCE();
}

PLAIN static void first_call_in_child(void)
{
    in_child();
}

/* The handler calls functions for the first time, whichever thread has the lock. */
MODE(forks)
{
    pthread_t busy;
    early(1); /* so that its library is needed */
    pthread_atfork(before_fork, NULL, first_call_in_child);
    pthread_create(&busy, NULL, call_all, NULL);
    for (int i = 0; i < 10; ++i) {
        const pid_t child = fork();
        if (!child) {
            s_functions[i]();
            s_functions[999 - i]();
            exit(0);
        }
    }
    pthread_join(busy, NULL);
    return 0;
}

/* ------------------------------------------------------------------------------------------------- modes: left out */

enum { TINY_CALLS = 400000, HEAVY_CALLS = 2000, LITTLE = 10 };

NOINLINE static void calls_leaf_twice(void)
{
    leaf();
    leaf();
}

/* Takes many times what recording it does: some microseconds. */
NOINLINE static uint32_t heavy(uint32_t number)
{
    for (int i = 0; i < 3000; ++i) {
        number = number * 1103515245u + 12345u;
        __asm__ volatile("" : "+r"(number));
    }
    return number;
}

MODE(mixes_tiny)
{
    uint32_t number = 1;
    for (int i = 0; i < TINY_CALLS / 2; ++i)
        calls_leaf_twice();
    for (int i = 0; i < HEAVY_CALLS; ++i)
        number = heavy(number);
    return number == 0;
}

/* Takes less than recording it does, but for the hooks of what it calls. It is called often, because one of its
 * activations also takes the half ms in which costs are measured. */
NOINLINE static void calls_leaf_often(void)
{
    leaves(6);
}

MODE(calls_tiny_often)
{
    for (int i = 0; i < TINY_CALLS; ++i)
        calls_leaf_often();
    return 0;
}

NOINLINE static unsigned fibonacci(unsigned number)
{
    return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
}

enum { FIBONACCI_27 = 196418, CALLS_OF_FIBONACCI_27 = 635621 };

MODE(recurses_tinily)
{
    return fibonacci(27) != FIBONACCI_27;
}

PLAIN static void *call_many(void *unused)
{
    leaves(TINY_CALLS);
    return unused;
}

MODE(calls_tiny_on_threads)
{
    pthread_t thread;
    for (int i = 0; i < 20; ++i)
        on_thread(call_many, NULL);
    pthread_create(&thread, NULL, call_many, NULL);
    leaves(TINY_CALLS);
    pthread_join(thread, NULL);
    return 0;
}

PLAIN static uint64_t tiny_calls(void)
{
    struct stint_snapshot *snapshot;
    if (stint_snapshot_take(&snapshot))
        return 0;
    const uint64_t calls = snapshot->process.tiny_calls;
    stint_snapshot_free(snapshot);
    return calls;
}

/* The child has left out nothing but its own calls. */
MODE(calls_tiny_in_child)
{
    int status = 0;
    leaves(TINY_CALLS);
    const pid_t child = fork();
    if (!child) {
        leaves(LITTLE);
        _exit(tiny_calls() != LITTLE);
    }
    waitpid(child, &status, 0);
    return status;
}

MODE(calls_some)
{
    leaves(3);
    function_001();
    function_002();
    return 0;
}

/* --------------------------------------------------------------------------------------------------- modes: plugins */

struct plugin {
    void *handle;
    int (*function)(int);
    int (*extra)(int);
};

PLAIN static int (*find(void *handle, const char *name))(int)
{
    int (*function)(int);
    void *address = dlsym(handle, name);
    memcpy(&function, &address, sizeof address);
    return function;
}

PLAIN static struct plugin load(const char *path, const char *function, const char *extra)
{
    struct plugin plugin = {.handle = dlopen(path, RTLD_NOW)};
    if (!plugin.handle) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    plugin.function = find(plugin.handle, function);
    plugin.extra = find(plugin.handle, extra);
    return plugin;
}

PLAIN static void call(int (*function)(int), int times)
{
    for (int i = 0; i < times; ++i)
        function(i);
}

/* Returns 77 if the second plugin was not loaded at the address of the first, so that nothing was tested. */
MODE(swaps_plugins)
{
    struct plugin first = load(PLUGIN_A, "function_of_a", "extra_of_a"), second;
    call(first.function, 3);
    dlclose(first.handle);
    second = load(PLUGIN_B, "function_of_b", "extra_of_b");
    call(second.function, 5);
    return first.function == second.function ? 0 : 77;
}

/* The plugin is unloaded by a dlclose that this library does not see; the first call of an unknown function discovers
 * it. */
MODE(swaps_plugins_unseen)
{
    struct plugin first = load(PLUGIN_A, "function_of_a", "extra_of_a"), second;
    void *libc = dlopen("libc.so.6", RTLD_NOW);
    void *address = libc ? dlsym(libc, "dlclose") : NULL;
    int (*unseen)(void *);
    if (!address)
        return 77;
    memcpy(&unseen, &address, sizeof address);
    call(first.function, 3);
    unseen(first.handle);
    second = load(PLUGIN_B, "function_of_b", "extra_of_b");
    call(second.extra, 2);
    call(second.function, 5);
    return first.function == second.function ? 0 : 77;
}

/* Returns the number of this process's mappings. */
PLAIN static long mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    long lines = 0;
    for (int c; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file)
        fclose(file);
    return lines;
}

MODE(reloads_plugins)
{
    long pages = 0, maps = 0;
    for (int i = 0; i < 2000; ++i) {
        struct plugin plugin =
            i % 2 ? load(PLUGIN_A, "function_of_a", "extra_of_a") : load(PLUGIN_B, "function_of_b", "extra_of_b");
        call(plugin.function, 1);
        call(plugin.extra, 1);
        dlclose(plugin.handle);
        if (i == 499) {
            pages = resident_pages();
            maps = mappings();
        }
    }
    printf("%ld pages, %ld mappings more\n", resident_pages() - pages, mappings() - maps);
    return resident_pages() - pages > 30 || mappings() - maps > 30;
}

/* Functions are called for the first time all the while, in the program and in the handler. */
MODE(is_interrupted)
{
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    tick(200);
    while (s_calls < 1000) {
        struct plugin plugin = load(PLUGIN_A, "function_of_a", "extra_of_a");
        call(plugin.function, 1);
        call(plugin.extra, 1);
        dlclose(plugin.handle);
    }
    tick(0);
    printf("%d calls\n", (int)s_calls);
    return 0;
}

PLAIN static int copy_file(const char *from, const char *to)
{
    char command[512];
    snprintf(command, sizeof command, "cp %s %s", from, to);
    return system(command); /* NOLINT(cert-env33-c) */
}

/* Looking up a function begins with a file that no longer exists. */
MODE(keeps_errno)
{
    char path[] = "/tmp/stint-test-XXXXXX";
    close(mkstemp(path));
    if (copy_file(PLUGIN_A, path))
        return 1;
    struct plugin plugin = load(path, "function_of_a", "extra_of_a");
    unlink(path);
    errno = 1234;
    plugin.function(1);
    return errno != 1234;
}

/* Like an update that is installed while the program runs. */
MODE(replaces_plugin)
{
    char path[] = "/tmp/stint-test-XXXXXX";
    close(mkstemp(path));
    if (copy_file(PLUGIN_A, path))
        return 1;
    struct plugin plugin = load(path, "function_of_a", "extra_of_a");
    unlink(path);
    if (copy_file(PLUGIN_B, path))
        return 1;
    call(plugin.function, 3);
    unlink(path);
    return 0;
}

MODE(loads_stripped_plugin)
{
    struct plugin plugin = load(PLUGIN_HIDDEN, "entry", "entry");
    call(plugin.function, 3);
    return 0;
}

/* On a clock that is read by a call, nothing is measured. */
PLAIN static int is_measured(const struct stint_snapshot *snapshot)
{
    const struct stint_process *process = &snapshot->process;
    return strcmp(process->clock, "monotonic") == 0 ||
           (process->function.inside_ns > 0 && process->function.whole_ns > process->function.inside_ns);
}

/* Each snapshot measures. On a busy machine one may be disturbed all the time that it does. */
MODE(is_measured_while_it_runs)
{
    enum { MOST = 100 };
    int is_good = 0;

    leaf();
    for (int i = 0; i < MOST && !is_good; i++) {
        struct stint_snapshot *snapshot;
        if (stint_snapshot_take(&snapshot))
            return 1;
        is_good = is_measured(snapshot);
        if (stint_snapshot_find(snapshot, NULL, "(unnamed)"))
            return 1;
        stint_snapshot_free(snapshot);
    }
    leaf();
    return !is_good;
}

/* --------------------------------------------------------------------------------------------------------- promises */

static uint64_t count(const struct result *result, const char *name)
{
    return has_stat(result->report, name) ? stat_number(result->report, name, "count") : 0;
}

/* Small functions, too, are recorded. */
static struct result run_well(const char *mode)
{
    const struct result result = run(mode, "STINT_FUNCTIONS=all", NULL);
    assert_exit(&result, 0);
    return result;
}

TEST(activations_are_counted)
{
    const struct result result = run_well("calls_some");
    assert_int_equal(count(&result, "leaf"), 3);
    assert_int_equal(count(&result, "function_001"), 1);
    assert_int_equal(count(&result, "calls_some"), 1);
    assert_int_equal(count(&result, "test_main"), 1);
    assert_false(has_stat(result.report, "leaves"));
}

/* Returns a number of the report that stands there only if it is not 0. */
static uint64_t left_out(const char *report, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(report, quoted);
    return at ? strtoull(at + strlen(quoted), NULL, 10) : 0;
}

/* By the counter, since a call that is still running, as the first one of a recursion, is judged by no other clock, and
 * what the kernel keeps time by differs between machines. */
static struct result run_without_tiny(const char *mode)
{
    const struct result result = run(mode, "STINT_FUNCTIONS=", "STINT_CLOCK=tsc", NULL);
    assert_exit(&result, 0);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
    assert_int_equal(dropped(result.report, "memory"), 0);
    return result;
}

TEST(functions_that_take_less_than_their_cost_are_left_out)
{
    const struct result result = run_without_tiny("mixes_tiny");
    const uint64_t recorded = count(&result, "leaf") + count(&result, "calls_leaf_twice");
    assert_int_equal(count(&result, "heavy"), HEAVY_CALLS);
    assert_int_equal(count(&result, "mixes_tiny"), 1);
    assert_int_equal(left_out(result.report, "tiny_functions"), 2);
    assert_int_equal(left_out(result.report, "tiny_calls") + recorded, TINY_CALLS + TINY_CALLS / 2);
    assert_in_range(count(&result, "leaf"), 1000, TINY_CALLS / 2);
    assert_int_equal(left_out(result.report, "excluded_calls"), 0);
}

TEST(the_cost_of_hooks_below_makes_no_function_seem_longer)
{
    const struct result result = run_without_tiny("calls_tiny_often");
    assert_int_equal(left_out(result.report, "tiny_functions"), 2);
    assert_in_range(count(&result, "calls_leaf_often"), 1000, TINY_CALLS / 2);
}

TEST(tiny_functions_are_recorded_if_asked)
{
    const struct result result = run_well("mixes_tiny");
    assert_int_equal(count(&result, "leaf"), TINY_CALLS);
    assert_int_equal(count(&result, "calls_leaf_twice"), TINY_CALLS / 2);
    assert_int_equal(left_out(result.report, "tiny_functions"), 0);
}

/* With a clock that is read inline, where the processor's counter is trusted, and without. */
static struct result run_with_budget(const char *mode, const char *clock)
{
    const struct result result = run(mode, "STINT_FUNCTIONS=all", "STINT_BUDGET=2%", clock, NULL);
    assert_exit(&result, 0);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
    return result;
}

TEST(calls_left_out_for_a_budget_are_counted_and_estimated)
{
    static const char *const clocks[] = {"STINT_CLOCK=auto", "STINT_CLOCK=monotonic"};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        const struct result result = run_with_budget("mixes_tiny", clocks[i]);
        assert_int_equal(count(&result, "leaf"), TINY_CALLS);
        assert_int_equal(count(&result, "calls_leaf_twice"), TINY_CALLS / 2);
        assert_int_equal(count(&result, "heavy"), HEAVY_CALLS);
        assert_true(stat_number(result.report, "leaf", "left_out") > TINY_CALLS / 2);
        assert_true(stat_number(result.report, "leaf", "error_ns") > 0);
        assert_int_equal(left_out(result.report, "tiny_calls"), 0);
    }
}

TEST(recursion_left_out_for_a_budget_ends_nothing_early)
{
    const struct result result = run_with_budget("recurses_tinily", NULL);
    assert_int_equal(count(&result, "fibonacci"), CALLS_OF_FIBONACCI_27);
    assert_int_equal(count(&result, "recurses_tinily"), 1);
    assert_true(stat_number(result.report, "fibonacci", "left_out") > CALLS_OF_FIBONACCI_27 / 2);
}

TEST(calls_left_out_for_a_budget_are_counted_on_all_threads)
{
    const struct result result = run_with_budget("calls_tiny_on_threads", NULL);
    assert_int_equal(count(&result, "leaf"), 22 * TINY_CALLS);
}

TEST(recursion_that_is_left_out_ends_nothing_early)
{
    const struct result result = run_without_tiny("recurses_tinily");
    assert_int_equal(left_out(result.report, "tiny_functions"), 1);
    assert_int_equal(left_out(result.report, "tiny_calls") + count(&result, "fibonacci"), CALLS_OF_FIBONACCI_27);
    assert_in_range(count(&result, "fibonacci"), 1000, CALLS_OF_FIBONACCI_27 / 2);
    assert_int_equal(count(&result, "recurses_tinily"), 1);
    assert_true(stat_number(result.report, "recurses_tinily", "total_ns") >=
                stat_number(result.report, "fibonacci", "total_ns"));
}

TEST(calls_left_out_are_counted_on_all_threads)
{
    const struct result result = run_without_tiny("calls_tiny_on_threads");
    assert_int_equal(left_out(result.report, "tiny_functions"), 1);
    assert_int_equal(left_out(result.report, "tiny_calls") + count(&result, "leaf"), 22 * TINY_CALLS);
}

TEST(a_child_counts_only_its_own_calls)
{
    const struct result result = run_without_tiny("calls_tiny_in_child");
    assert_int_equal(left_out(result.report, "tiny_calls") + count(&result, "leaf"), TINY_CALLS);
}

TEST(calls_of_excluded_functions_are_counted)
{
    const struct result result = run("mixes_tiny", "STINT_FUNCTIONS=all,!leaf", NULL);
    assert_exit(&result, 0);
    assert_int_equal(left_out(result.report, "excluded_calls"), TINY_CALLS);
    assert_int_equal(left_out(result.report, "tiny_calls"), 0);
    assert_int_equal(count(&result, "calls_leaf_twice"), TINY_CALLS / 2);
}

TEST(the_cost_of_functions_is_measured)
{
    const struct result result = run_well("is_measured_while_it_runs");
    assert_int_equal(count(&result, "leaf"), 2);
    assert_int_equal(count(&result, "is_measured_while_it_runs"), 1);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
}

TEST(recursion_is_counted)
{
    struct result result = run_well("recurses");
    assert_int_equal(count(&result, "count_down"), 10);
    assert_int_equal(stat_number(result.report, "count_down", "recursive"), 9);
    result = run("recurses_deeply", "STINT_PERCENTILES=off", NULL);
    assert_exit(&result, 0);
    assert_int_equal(count(&result, "count_down"), 5001);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

TEST(functions_that_take_stack_end)
{
    const struct result result = run_well("takes_stacks");
    assert_int_equal(count(&result, "takes_stack"), 100);
    assert_int_equal(count(&result, "leaf"), 100);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

TEST(scopes_nest_in_functions)
{
    const struct result result = run_well("has_scopes");
    assert_int_equal(count(&result, "scoped"), 2);
    assert_int_equal(count(&result, "outer scope"), 2);
    assert_int_equal(count(&result, "inner scope"), 2);
    assert_int_equal(count(&result, "dynamic scope"), 6);
    assert_int_equal(count(&result, "slow scope"), 6);
    assert_int_equal(count(&result, "leaf"), 10);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
}

TEST(own_inline_functions_are_not_recorded)
{
    const struct result result = run_well("has_scopes");
    assert_int_equal(occurrences(result.report, "stint_i_"), 0);
}

TEST(switching_off_ends_nothing_early)
{
    const struct result result = run_well("switches_off");
    assert_int_equal(count(&result, "switches"), 1);
    assert_true(stat_number(result.report, "switches", "total_ns") >= 20000000);
    assert_int_equal(count(&result, "leaf"), 1);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

/* The contexts are test_main, the mode, around, and what these call; they do not accumulate. */
TEST(jumps_leave_callers_where_they_were)
{
    const struct result result = run_well("jumps_back");
    assert_int_equal(count(&result, "leaf"), 2 * JUMPS);
    assert_int_equal(count(&result, "jumps"), 0);
    assert_int_equal(count(&result, "jumps_back"), 1);
    assert_int_equal(dropped(result.report, "abandoned"), 3 * JUMPS);
    assert_true(occurrences(result.report, "\"depth\":") <= 10);
    assert_int_equal(occurrences(result.report, "\"depth\":8"), 0);
}

TEST(functions_that_longjmp_leaves_end_with_it)
{
    if (TEST_UNDER_TSAN) /* which does without stint's longjmp */
        skip();
    const struct result result = run("jumps_back", "STINT_FUNCTIONS=all", "TEST_SEEN=1", NULL);
    assert_exit(&result, 0);
    assert_int_equal(count(&result, "leaf"), 2 * JUMPS);
    assert_int_equal(count(&result, "jumps"), JUMPS);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    assert_int_equal(occurrences(result.report, "\"depth\":8"), 0);
}

TEST(function_that_is_jumped_into_ends)
{
    const struct result result = run_well("jumps_to_callers");
    assert_int_equal(count(&result, "catches"), JUMPS + 1);
    assert_int_equal(count(&result, "calls_jumper"), 1);
    assert_int_equal(dropped(result.report, "abandoned"), 3 * JUMPS);
}

TEST(jump_to_outer_activation_drops_the_inner)
{
    const struct result result = run_well("jumps_to_itself");
    assert_int_equal(count(&result, "recurses_and_jumps"), 3);
    assert_int_equal(dropped(result.report, "abandoned"), 2);
    assert_true(stat_number(result.report, "recurses_and_jumps", "total_ns") >= 20000000); /* the outermost
                                                                                            * activation's */
}

TEST(function_that_is_entered_again_has_ended)
{
    const struct result result = run_well("jumps_from_one_place");
    assert_int_equal(count(&result, "first"), JUMPS / 2);
    assert_int_equal(dropped(result.report, "abandoned"), JUMPS / 2);
    assert_int_equal(occurrences(result.report, "\"depth\":3"), 0);
}

TEST(function_with_another_caller_is_not_below_one_that_ended)
{
    const struct result result = run_well("jumps_from_two_places");
    assert_int_equal(count(&result, "second"), JUMPS);
    assert_int_equal(dropped(result.report, "abandoned"), JUMPS);
    assert_int_equal(occurrences(result.report, "\"depth\":3"), 0);
}

TEST(threads_learn_functions_together)
{
    const struct result result = run_well("runs_on_threads");
    char name[32];
    for (int i = 0; i < FUNCTIONS; ++i) {
        snprintf(name, sizeof name, "function_%03d", i);
        assert_int_equal(stat_number(result.report, name, "count"), THREADS * PASSES);
    }
}

TEST(ended_threads_leave_no_memory)
{
    if (WITH_SANITIZER)
        skip();
    {
        const struct result result = run_well("runs_on_many_threads");
        assert_int_equal(count(&result, "leaf"), 600);
    }
}

TEST(destructors_of_threads_are_counted)
{
    if (WITH_TSAN) /* its own part of a thread ends earlier */
        skip();
    {
        const struct result result = run_well("runs_in_dying_threads");
        assert_int_equal(count(&result, "destroy"), 30);
        assert_int_equal(count(&result, "leaf"), 40);
    }
}

TEST(handlers_may_call_functions_first)
{
    const struct result result = run_well("is_raised");
    assert_int_equal(count(&result, "handles"), 10);
    assert_int_equal(count(&result, "function_009"), 1);
}

/* What the handler loses when it interrupts stint's slow path is counted. */
TEST(interrupted_hooks_lose_nothing_unnoticed)
{
    uint64_t calls, counted;
    char name[32];
    if (!__GLIBC_PREREQ(2, 35)) /* on these, the loader cannot be queried while it is interrupted */
        skip();
    struct result result = run_well("is_interrupted");
    calls = strtoull(result.out, NULL, 10);
    counted = count(&result, "handles");
    for (int i = 0; i < FUNCTIONS; ++i) {
        snprintf(name, sizeof name, "function_%03d", i);
        counted += count(&result, name);
    }
    assert_true(calls >= 1000);
    assert_int_equal(counted + dropped(result.report, "reentrant"), calls + FUNCTIONS);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
}

TEST(handlers_on_a_stack_of_their_own_end_nothing)
{
    const struct result result = run_well("is_raised_on_higher_stack");
    assert_int_equal(count(&result, "handles"), 10);
    assert_int_equal(count(&result, "interrupted"), 10);
    assert_int_equal(count(&result, "leaf"), 10);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

TEST(constructors_and_exit_handlers_are_counted)
{
    const struct result result = run_well("runs_early_and_late");
    assert_int_equal(count(&result, "construct"), 1);
    assert_int_equal(count(&result, "at_exit"), 1);
    assert_int_equal(count(&result, "leaf"), 2 + 1 + 4 + 3);
}

static unsigned s_children;

static void check_child(const char *path)
{
    const char *report = read_file(path);
    s_children += has_stat(report, "in_child") && stat_number(report, "in_child", "count") == 1;
}

TEST(children_report_their_own_functions)
{
    const struct result result = run_well("forks");
    assert_int_equal(count(&result, "before_fork"), 10);
    assert_int_equal(dropped(result.report, "reentrant"), 20); /* of early.c, called while stint is locked for the
                                                                * fork */
    assert_false(has_stat(result.report, "in_child"));
    s_children = 0;
    for (int i = 0; i < 500 && s_children < 10; ++i) {
        s_children = 0;
        sleep_ms(10);
        for_each_scratch("report.", check_child);
    }
    assert_int_equal(s_children, 10);
}

TEST(errno_is_left_alone)
{
    run_well("keeps_errno");
}

TEST(patterns_choose_functions)
{
    struct result result = run("calls_some", "STINT_FUNCTIONS=function_*,!*2", NULL);
    assert_exit(&result, 0);
    assert_int_equal(count(&result, "function_001"), 1);
    assert_false(has_stat(result.report, "function_002"));
    assert_false(has_stat(result.report, "leaf"));
    assert_false(has_stat(result.report, "test_main"));

    result = run("calls_some", "STINT_FUNCTIONS=!leaf", NULL);
    assert_false(has_stat(result.report, "leaf"));
    assert_int_equal(count(&result, "calls_some"), 1);

    result = run("calls_some", "STINT_FUNCTIONS=", NULL);
    assert_int_equal(count(&result, "leaf"), 3);

    result = run("calls_some", "STINT_FUNCTIONS=@test_functions*:leaf", NULL);
    assert_int_equal(count(&result, "leaf"), 3);
    assert_false(has_stat(result.report, "test_main"));
}

TEST(excluded_functions_leave_no_hole)
{
    const struct result result = run("calls_some", "STINT_FUNCTIONS=!calls_some", NULL);
    assert_exit(&result, 0);
    assert_int_equal(count(&result, "leaf"), 3);
    assert_int_equal(count(&result, "test_main"), 1);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

static struct result run_swap(const char *mode)
{
    const struct result result = run(mode, NULL);
    if (result.status == 77 << 8)
        skip();
    assert_exit(&result, 0);
    return result;
}

TEST(function_at_a_used_address_has_its_own_name)
{
    const struct result result = run_swap("swaps_plugins");
    assert_int_equal(count(&result, "function_of_a"), 3);
    assert_int_equal(count(&result, "function_of_b"), 5);
}

TEST(unseen_unloading_is_noticed_at_a_first_call)
{
    const struct result result = run_swap("swaps_plugins_unseen");
    assert_int_equal(count(&result, "function_of_a"), 3);
    assert_int_equal(count(&result, "extra_of_b"), 2);
    assert_int_equal(count(&result, "function_of_b"), 5);
}

TEST(reloading_takes_no_more_memory)
{
    if (WITH_SANITIZER)
        skip();
    {
        const struct result result = run_well("reloads_plugins");
        assert_int_equal(count(&result, "function_of_a"), 1000);
        assert_int_equal(count(&result, "extra_of_b"), 1000);
    }
}

TEST(file_that_was_replaced_gives_no_names)
{
    const struct result result = run_well("replaces_plugin");
    assert_false(has_stat(result.report, "function_of_a"));
    assert_false(has_stat(result.report, "function_of_b"));
    assert_non_null(strstr(result.report, "\"name\":\"stint-test-"));
}

/* "entry" is its only remaining symbol; the functions that it calls are identified by their address. */
TEST(functions_without_symbols_are_named_by_their_place)
{
    const struct result result = run_well("loads_stripped_plugin");
    const char *hidden = strstr(result.report, "\"name\":\"" PLUGIN_HIDDEN_NAME "+0x");
    assert_int_equal(count(&result, "entry"), 3);
    assert_non_null(hidden);
    assert_int_equal(strtoull(strstr(hidden, "\"count\":") + strlen("\"count\":"), NULL, 10), 3);
}

/* Instrumented, too; of the tests nothing is recorded. */
int test_main(int argc, char **argv)
{
    if (argc < 2)
        stint_set_enabled(0);
    return run_itself(argc, argv);
}

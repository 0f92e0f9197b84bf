/* How much of the program's stack stint needs when the process ends: programs give threads and signal handlers small
 * ones. Stacks are painted, in memory that the process shares with its parent, which looks afterwards. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/* The stack is the upper part; what is below belongs to somebody else. */
enum { MEMORY = 1 << 20, PAINT = 0xa5, STINT_MOST = 4096, SMALL_THREAD = 16384 };

/* On some processors the C library allows only larger stacks than on x86-64. */
static size_t small_thread(void)
{
    const long least = sysconf(_SC_THREAD_STACK_MIN);
    return least > SMALL_THREAD ? (size_t)least : (size_t)SMALL_THREAD;
}

static unsigned char *s_memory;

/* Returns how many bytes below `from` have been written to. */
static size_t used_below(const unsigned char *from)
{
    const unsigned char *at = s_memory;
    while (at < from && *at == PAINT)
        at++;
    return (size_t)(from - at);
}

/* What the kernel may put on the stack of a handler. */
static size_t signal_frame(void)
{
    size_t size = getauxval(AT_MINSIGSTKSZ);
    return size ? size : (size_t)MINSIGSTKSZ;
}

static unsigned char **s_from; /* in shared memory: where the stack ended before the process did */

/* Runs `end` in a process of its own, which has recorded a scope, and prints how it ended and how much it used. */
static int measure(void (*end)(void))
{
    int status;
    s_memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    s_from = mmap(NULL, sizeof *s_from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(s_memory, PAINT, MEMORY);
    pid_t child = fork();
    if (child == 0) {
        scopes("work", 1);
        end();
    }
    if (waitpid(child, &status, 0) != child)
        return 1;
    printf("%d %zu", WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status), used_below(*s_from));
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ modes */

static void raise_on_signal_stack(void)
{
    size_t size = signal_frame() + STINT_MOST;
    stack_t stack = {.ss_sp = s_memory + MEMORY - size, .ss_size = size};
    *s_from = s_memory + MEMORY;
    sigaltstack(&stack, NULL);
    raise(SIGTERM);
}

static void *raise_here(void *argument)
{
    unsigned char here = PAINT;
    *s_from = &here;
    raise(SIGTERM);
    return argument;
}

static void *exit_here(void *argument)
{
    unsigned char here = PAINT;
    *s_from = &here;
    exit(0);
    return argument;
}

static void on_small_thread(void *(*body)(void *))
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, s_memory + MEMORY - small_thread(), small_thread());
    if (pthread_create(&thread, &attributes, body, NULL) == 0)
        pthread_join(thread, NULL);
    abort();
}

static void raise_on_thread(void)
{
    on_small_thread(raise_here);
}

static void exit_on_thread(void)
{
    on_small_thread(exit_here);
}

MODE(signals_on_signal_stack)
{
    return measure(raise_on_signal_stack);
}

MODE(signals_on_thread)
{
    return measure(raise_on_thread);
}

MODE(exits_on_thread)
{
    return measure(exit_on_thread);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void check(const char *mode, int end, size_t most)
{
    const struct result result = run(mode, NULL);
    int ended = 0;
    size_t used = 0;
    if (WITH_SANITIZER)
        skip(); /* whose functions need more */
    assert_exit(&result, 0);
    assert_int_equal(sscanf(result.out, "%d %zu", &ended, &used), 2);
    assert_int_equal(ended, end);
    assert_in_range(used, 1, most);
    assert_int_equal(stat_number(result.report, "work", "count"), 1);
}

TEST(test_signal_on_small_signal_stack)
{
    check("signals_on_signal_stack", SIGTERM, signal_frame() + STINT_MOST);
}

TEST(test_signal_on_small_thread)
{
    check("signals_on_thread", SIGTERM, signal_frame() + STINT_MOST);
}

TEST(test_exit_on_small_thread)
{
    check("exits_on_thread", 0, STINT_MOST);
}

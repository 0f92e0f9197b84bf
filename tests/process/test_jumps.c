/* Scopes that longjmp, pthread_exit or a cancellation leaves end at that moment, with their time; others go on. */
#undef _FORTIFY_SOURCE /* which takes jumps to another stack for faults */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

static jmp_buf s_back;
static sigjmp_buf s_signal_back;

/* ------------------------------------------------------------------------------------------------------------ jumps */

static void jump_over_scope(void)
{
    STINT_SCOPE("inner");
    longjmp(s_back, 1);
}

static void jump_over_two(void)
{
    STINT_SCOPE("jumped over");
    jump_over_scope();
}

static void jump_here(void)
{
    if (!setjmp(s_back))
        jump_over_two();
}

MODE(jumps)
{
    {
        STINT_SCOPE("survivor");
        jump_here();
    }
    scopes("after", 1);
    return 0;
}

enum { JUMPS = 80000 };

/* Compilers make this a part of the function that calls setjmp. Now and then the call returns. */
static void try_once(int fails)
{
    STINT_SCOPE("tried");
    STINT_SCOPE_DYNAMIC("tried, dynamic");
    if (fails)
        longjmp(s_back, 1);
}

/* No scope encloses what longjmp returns to, and setjmp is called before the thread's first scope. */
MODE(jumps_often)
{
    for (volatile int i = 0; i < JUMPS; i++)
        if (!setjmp(s_back))
            try_once(i % 4 != 3);
    scopes("after", 1);
    return 0;
}

/* Another function than the one that was left, which needs more of the stack. */
__attribute__((noinline)) static void recover(void)
{
    char room[4096];
    memset(room, 0, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
    scopes("recovers", 1);
}

MODE(recovers)
{
    STINT_SCOPE("around");
    for (volatile int i = 0; i < 10; i++) {
        STINT_SCOPE("turn");
        if (!setjmp(s_back))
            jump_over_two();
        else
            recover();
    }
    return 0;
}

static void nest(int depth)
{
    jmp_buf outer;
    STINT_SCOPE("level");
    memcpy(&outer, &s_back, sizeof outer);
    if (setjmp(s_back)) {
        memcpy(&s_back, &outer, sizeof outer);
        if (depth % 2)
            longjmp(s_back, 1);
        return;
    }
    if (depth < 9)
        nest(depth + 1);
    else
        jump_over_scope();
}

/* Handlers of errors within each other, some of which pass the error on. */
MODE(nests)
{
    if (!setjmp(s_back))
        nest(1);
    scopes("after", 1);
    return 0;
}

static void jump_from_handler(int signal)
{
    STINT_SCOPE("handler");
    siglongjmp(s_signal_back, 1);
}

MODE(jumps_from_handler)
{
    const struct sigaction action = {.sa_handler = jump_from_handler, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    scopes("first", 1); /* has stint give the thread a stack for signals */
    for (volatile int i = 0; i < 3; i++) {
        if (sigsetjmp(s_signal_back, 1))
            continue;
        STINT_SCOPE("interrupted");
        raise(SIGUSR1);
    }
    scopes("after", 1);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------- coroutines */

static jmp_buf s_main, s_coroutine;
static ucontext_t s_main_context, s_coroutine_context;

/* Its frames are on a stack of their own, and are not left by its jumps. */
static void run_coroutine(void)
{
    STINT_SCOPE("coroutine");
    if (!setjmp(s_coroutine))
        swapcontext(&s_coroutine_context, &s_main_context);
    for (;;) {
        scopes("step", 1);
        if (!setjmp(s_coroutine))
            longjmp(s_main, 1);
    }
}

MODE(switches_stacks)
{
    enum { STACK = 256 << 10 };
    static char stack[STACK];
    getcontext(&s_coroutine_context);
    s_coroutine_context.uc_stack = (stack_t){.ss_sp = stack, .ss_size = sizeof stack};
    makecontext(&s_coroutine_context, run_coroutine, 0);
    swapcontext(&s_main_context, &s_coroutine_context);
    for (volatile int i = 0; i < 5; i++)
        if (!setjmp(s_main))
            longjmp(s_coroutine, 1);
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static void *jump_in_thread(void *argument)
{
    STINT_SCOPE("thread");
    jmp_buf here;
    for (volatile int i = 0; i < 10; i++) {
        if (setjmp(here))
            continue;
        STINT_SCOPE("left");
        longjmp(here, 1);
    }
    return NULL;
}

static void *leave_thread(void *argument)
{
    STINT_SCOPE("exiting");
    for (int i = 0; i < 10; i++) {
        STINT_SCOPE("work");
        usleep(1000);
    }
    pthread_exit(argument);
}

static sem_t s_waits;

static void *wait_for_ever(void *argument)
{
    STINT_SCOPE("cancelled");
    sem_post(&s_waits);
    for (;;)
        pause();
    return argument;
}

MODE(ends_threads)
{
    pthread_t threads[3];
    sem_init(&s_waits, 0, 0);
    pthread_create(&threads[0], NULL, jump_in_thread, NULL);
    pthread_create(&threads[1], NULL, leave_thread, NULL);
    pthread_create(&threads[2], NULL, wait_for_ever, NULL);
    sem_wait(&s_waits);
    pthread_cancel(threads[2]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void check(const struct result *result, const char *name, unsigned count, unsigned running)
{
    assert_int_equal(stat_number(result->report, name, "count"), count);
    assert_int_equal(stat_number(result->report, name, "running"), running);
    assert_int_equal(stat_number(result->report, name, "recursive"), 0);
}

/* Runs a mode that loses nothing. */
static struct result run_whole(const char *mode)
{
    struct result result = run(mode, NULL);
    assert_exit(&result, 0);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    return result;
}

/* The deepest of the report's contexts has `depth` around it. */
static void check_depth(const struct result *result, int depth)
{
    char deepest[32], deeper[32];
    snprintf(deepest, sizeof deepest, "\"depth\":%d,", depth);
    snprintf(deeper, sizeof deeper, "\"depth\":%d,", depth + 1);
    assert_non_null(strstr(result->report, deepest));
    assert_null(strstr(result->report, deeper));
}

TEST(scopes_end_as_they_are_jumped_over)
{
    const struct result result = run_whole("jumps");
    check(&result, "survivor", 1, 0);
    check(&result, "jumped over", 1, 0);
    check(&result, "inner", 1, 0);
    check(&result, "after", 1, 0);
    check_depth(&result, 2);
    assert_true(stat_number(result.report, "jumped over", "total_ns") <=
                stat_number(result.report, "survivor", "total_ns"));
}

TEST(jumps_in_a_loop_do_not_nest)
{
    const struct result result = run_whole("jumps_often");
    check(&result, "tried", JUMPS, 0);
    check(&result, "tried, dynamic", JUMPS, 0);
    check(&result, "after", 1, 0);
    check_depth(&result, 1);
}

TEST(scopes_after_a_jump_are_beside_those_left)
{
    const struct result result = run_whole("recovers");
    check(&result, "turn", 10, 0);
    check(&result, "inner", 10, 0);
    check(&result, "recovers", 10, 0);
    check_depth(&result, 3);
}

TEST(errors_that_are_passed_on_leave_more_scopes)
{
    const struct result result = run("nests", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "level", "count") + dropped(result.report, "abandoned"), 9);
    assert_int_equal(stat_number(result.report, "inner", "count"), 1);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
}

TEST(jumps_out_of_handlers_end_scopes_of_both_stacks)
{
    const struct result result = run_whole("jumps_from_handler");
    check(&result, "interrupted", 3, 0);
    check(&result, "handler", 3, 0);
    check(&result, "after", 1, 0);
    check_depth(&result, 1);
}

TEST(coroutines_go_on)
{
    const struct result result = run_whole("switches_stacks");
    check(&result, "step", 5, 0);
    check(&result, "coroutine", 0, 1);
}

TEST(scopes_end_with_their_thread)
{
    const struct result result = run_whole("ends_threads");
    check(&result, "thread", 1, 0);
    check(&result, "left", 10, 0);
    check(&result, "exiting", 1, 0);
    check(&result, "work", 10, 0);
    check(&result, "cancelled", 1, 0);
    assert_true(stat_number(result.report, "exiting", "total_ns") >= stat_number(result.report, "work", "total_ns"));
    assert_true(stat_number(result.report, "work", "total_ns") >= 10 * 1000000);
}

/* Threads that come and go, and what they run while they end. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

enum { THREADS = 500, WARM = 100, WORK = 20, WAVE = 4 };

static void *work(void *argument)
{
    for (int i = 0; i < WORK; ++i) {
        char name[32];
        STINT_SCOPE("work");
        snprintf(name, sizeof name, "part %d", i % 5);
        STINT_SCOPE_DYNAMIC(name);
    }
    return NULL;
}

/* Threads run in waves, a few at a time. */
static void start_threads(int count)
{
    pthread_t threads[WAVE];
    for (int done = 0; done < count; done += WAVE) {
        for (int i = 0; i < WAVE; ++i)
            pthread_create(&threads[i], NULL, work, NULL);
        for (int i = 0; i < WAVE; ++i)
            pthread_join(threads[i], NULL);
    }
}

MODE(comes_and_goes)
{
    start_threads(WARM);
    long warm = resident_pages();
    start_threads(THREADS - WARM);
    printf("%ld pages more\n", resident_pages() - warm);
    return 0;
}

/* All threads at once, each with an open scope, while snapshots are taken. */
static pthread_barrier_t s_barrier;

static void *work_together(void *argument)
{
    STINT_SCOPE("together");

    pthread_barrier_wait(&s_barrier);
    work(argument);
    pthread_barrier_wait(&s_barrier);
    return NULL;
}

MODE(lives_together)
{
    enum { TOGETHER = 64 };
    struct stint_snapshot *snapshot;
    pthread_t threads[TOGETHER];

    pthread_barrier_init(&s_barrier, NULL, TOGETHER + 1);
    for (int i = 0; i < TOGETHER; ++i)
        pthread_create(&threads[i], NULL, work_together, NULL);
    pthread_barrier_wait(&s_barrier);
    for (int i = 0; i < 5; ++i)
        if (!stint_snapshot_take(&snapshot))
            stint_snapshot_free(snapshot);
    pthread_barrier_wait(&s_barrier);
    for (int i = 0; i < TOGETHER; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}

/* New nodes are added all the time, while others read and reset. */
enum { GROWN = WITH_SANITIZER ? 100 : 1000, QUARTER = WITH_TSAN ? 4 : 10 };

static int s_stop;

static void *grow(void *argument)
{
    char name[32];
    for (int i = 0; !__atomic_load_n(&s_stop, __ATOMIC_RELAXED); ++i) {
        snprintf(name, sizeof name, "%s %d", (const char *)argument, i % GROWN);
        STINT_SCOPE_DYNAMIC(name);
        scopes("leaf", 1);
    }
    return NULL;
}

MODE(grows_under_readers)
{
    struct stint_snapshot *snapshot;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, grow, "a");
    pthread_create(&threads[1], NULL, grow, "b");
    for (int i = 0; i < 4 * QUARTER; ++i) {
        if (!stint_snapshot_take(&snapshot))
            stint_snapshot_free(snapshot);
        if (i % QUARTER == QUARTER - 1)
            stint_reset(i / QUARTER % 2 ? STINT_RESET_KEEP_RUNNING : STINT_RESET_ALL);
    }
    __atomic_store_n(&s_stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    scopes("leaf", 1); /* the threads may have ended before the last reset, and then there would be nothing to report */
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ dying */

static pthread_key_t s_early, s_late;

/* Called before or after stint's own destructor, depending on the order of the keys; again and again, as long as it
 * sets its key. */
static void end_early(void *argument)
{
    scopes("early destructor", 2);
}

static void end_late(void *argument)
{
    uintptr_t rounds = (uintptr_t)argument;
    scopes("late destructor", 1);
    if (--rounds)
        pthread_setspecific(s_late, (void *)rounds); // NOLINT(performance-no-int-to-ptr)
}

static void *die(void *rounds)
{
    pthread_setspecific(s_early, rounds);
    pthread_setspecific(s_late, rounds);
    scopes("life", 3);
    return NULL;
}

MODE(runs_in_destructors)
{
    pthread_key_create(&s_early, end_early);
    scopes("main", 1);
    pthread_key_create(&s_late, end_late);
    for (int i = 0; i < 50; ++i)
        on_thread(die, (void *)(uintptr_t)atoi(getenv("TEST_ROUNDS"))); // NOLINT(performance-no-int-to-ptr)
    return 0;
}

/* The thread does nothing except end. */
static void *only_die(void *rounds)
{
    pthread_setspecific(s_late, rounds);
    return NULL;
}

MODE(runs_in_destructors_only)
{
    pthread_key_create(&s_late, end_late);
    on_thread(only_die, (void *)1); // NOLINT(performance-no-int-to-ptr)
    return 0;
}

static void *exit_inside(void *argument)
{
    STINT_SCOPE("outer");
    STINT_SCOPE("inner");

    pthread_exit(NULL);
}

MODE(exits_inside)
{
    on_thread(exit_inside, NULL);
    return 0;
}

static void *wait_for_cancel(void *argument)
{
    STINT_SCOPE("cancelled");

    pthread_barrier_wait(&s_barrier);
    while (pause())
        ;
    return NULL;
}

MODE(cancels)
{
    pthread_t thread;
    pthread_barrier_init(&s_barrier, NULL, 2);
    pthread_create(&thread, NULL, wait_for_cancel, NULL);
    pthread_barrier_wait(&s_barrier);
    pthread_cancel(thread);
    return pthread_join(thread, NULL);
}

/* The main thread has ended, other threads go on. */
static void *outlive(void *argument)
{
    usleep(20000);
    scopes("heir", 4);
    return NULL;
}

MODE(outlives_main)
{
    pthread_t thread;
    scopes("main", 1);
    pthread_create(&thread, NULL, outlive, NULL);
    pthread_exit(NULL);
}

static int s_busy; /* threads that have recorded */

/* Records as fast as it can while the process exits and reports. */
static void *never_stop(void *argument)
{
    scopes("busy", 1);
    __atomic_fetch_add(&s_busy, 1, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < UINT32_MAX; ++i)
        scopes(i % 2 ? "busy" : "bee", 1);
    return argument;
}

MODE(exits_under_load)
{
    pthread_t thread;
    scopes("main", 1);
    for (int i = 0; i < 3; ++i)
        pthread_create(&thread, NULL, never_stop, NULL);
    while (__atomic_load_n(&s_busy, __ATOMIC_ACQUIRE) < 3)
        usleep(5000);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST(test_coming_and_going)
{
    const struct result result = run("comes_and_goes", NULL);
    long pages;
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "work", "count"), THREADS * WORK);
    assert_int_equal(stat_number(result.report, "part 3", "count"), THREADS * WORK / 5);
    assert_int_equal(dropped(result.report, "threads"), 0);
    assert_int_equal(sscanf(result.out, "%ld pages more", &pages), 1);
    if (!WITH_SANITIZER)
        assert_true(pages < 256); /* a later wave may have more threads at one time; a leak would be some pages per
                                   * thread */
}

TEST(test_limit_of_threads)
{
    struct result result = run("comes_and_goes", "STINT_MAX_THREADS=5", NULL); /* at one time */
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "work", "count"), THREADS * WORK);
    assert_int_equal(dropped(result.report, "threads"), 0);

    result = run("lives_together", "STINT_MAX_THREADS=10", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "together", "count"), 10);
    assert_int_equal(stat_number(result.report, "work", "count"), 10 * WORK);
    assert_int_equal(dropped(result.report, "threads"), 54 * (1 + 2 * WORK));
}

TEST(test_living_together)
{
    const struct result result = run("lives_together", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "together", "count"), 64);
    assert_int_equal(stat_number(result.report, "work", "count"), 64 * WORK);
}

TEST(test_growing_under_readers)
{
    const struct result result = run("grows_under_readers", NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_true(is_json(result.report));
    assert_int_equal(dropped(result.report, "mismatched"), 0);
}

TEST(test_dying)
{
    struct result result = run("runs_in_destructors", "TEST_ROUNDS=1", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "life", "count"), 150);
    assert_int_equal(stat_number(result.report, "early destructor", "count"), 100);
    assert_int_equal(stat_number(result.report, "late destructor", "count"), 50);

    result = run("runs_in_destructors_only", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "late destructor", "count"), 1);
}

/* The C library gives up after four rounds of destructors: what is recorded in the last is kept, and does not take up a
 * thread. */
TEST(test_dying_slowly)
{
    if (WITH_TSAN) /* in the last round, its own part of the thread, which its mutexes need, is gone */
        skip();
    struct result result = run("runs_in_destructors", "TEST_ROUNDS=4", "STINT_MAX_THREADS=20", NULL);
    assert_exit(&result, 0);
    assert_int_equal(dropped(result.report, "threads"), 0);
    assert_int_equal(stat_number(result.report, "life", "count"), 150);
    assert_int_equal(stat_number(result.report, "late destructor", "count"), 200);
}

TEST(test_thread_exit_inside)
{
    struct result result = run("exits_inside", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "inner", "count"), 1);

    result = run("cancels", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "cancelled", "count"), 1);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

/* ThreadSanitizer's own thread keeps the process alive after the program's last thread has ended. */
TEST(test_thread_outlives_main)
{
    if (WITH_TSAN)
        skip();
    struct result result = run("outlives_main", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "main", "count"), 1);
    assert_int_equal(stat_number(result.report, "heir", "count"), 4);
}

TEST(test_exit_under_load)
{
    for (int i = 0; i < 5; ++i) {
        const struct result result = run("exits_under_load", NULL);
        assert_exit(&result, 0);
        assert_true(is_json(result.report));
        assert_int_equal(stat_number(result.report, "main", "count"), 1);
        assert_true(stat_number(result.report, "busy", "count") >= 3);
    }
}

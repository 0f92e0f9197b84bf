#include "record/thread.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"
#include "record/fixture.h"
#include "stint_test.h"

static long s_system_calls; /* of the recorder */

long __real_syscall(long number, long a, long b, long c);
long __wrap_syscall(long number, long a, long b, long c);

long __wrap_syscall(long number, long a, long b, long c)
{
    __atomic_add_fetch(&s_system_calls, 1, __ATOMIC_RELAXED);
    return __real_syscall(number, a, b, c);
}

static uint32_t live_threads(void)
{
    uint32_t count = 0;
    stint_registry_lock();
    for (const struct stint_thread_record *record = stint_thread_first(); record; record = record->next)
        ++count;
    stint_registry_unlock();
    return count;
}

/* --------------------------------------------------------------------------------------------------------- a record */

struct seen {
    struct stint_thread_record *before, *first, *second;
    int64_t tid;
    int64_t record_tid;
    const struct stint_tree *tree;
};

static void *look_at_own_record(void *argument)
{
    struct seen *seen = argument;
    seen->before = stint_thread_self();
    seen->first = stint_thread_acquire();
    seen->second = stint_thread_acquire();
    seen->tid = syscall(SYS_gettid);
    seen->record_tid = seen->first->tid;
    return NULL;
}

TEST_ONCE(fixture_start, NULL)
TEST_EACH(fixture_reset, NULL)

TEST(a_thread_gets_its_record_at_its_first_scope)
{
    struct seen seen;
    in_thread(look_at_own_record, &seen);
    assert_null(seen.before);
    assert_non_null(seen.first);
    assert_ptr_equal(seen.first, seen.second);
    assert_int_equal(seen.record_tid, seen.tid);
}

TEST(the_record_of_an_exited_thread_is_used_again)
{
    struct seen first, second;
    in_thread(look_at_own_record, &first);
    in_thread(look_at_own_record, &second);
    assert_ptr_equal(first.first, second.first);
}

static void *run_and_count(void *argument)
{
    run("live thread", 10);
    *(uint32_t *)argument = live_threads();
    return NULL;
}

TEST(a_thread_is_listed_while_it_lives)
{
    uint32_t inside = 0, before;
    run("live thread", 10);
    before = live_threads();
    in_thread(run_and_count, &inside);
    assert_int_equal(inside, before + 1);
    assert_int_equal(live_threads(), before);
}

static int s_prepared;

static void prepare(void)
{
    ++s_prepared;
}

static void *run_twice(void *argument)
{
    run(argument, 1);
    run(argument, 1);
    return NULL;
}

TEST(what_prepares_a_thread_runs_once_in_each)
{
    run("main", 1);
    s_prepared = 0;
    stint_thread_on_first_scope(prepare);
    run("main", 1);
    in_thread(run_twice, "prepared");
    in_thread(run_twice, "prepared");
    stint_thread_on_first_scope(NULL);
    assert_int_equal(s_prepared, 2);
}

/* ------------------------------------------------------------------------------------------------------------ guard */

static void *try_guard(void *argument)
{
    *(int *)argument = stint_guard_begin();
    stint_guard_end();
    return NULL;
}

TEST(the_guard_keeps_out_its_own_thread_alone)
{
    int other = 0;
    assert_int_equal(stint_guard_begin(), 1);
    assert_int_equal(stint_guard_begin(), 0);
    in_thread(try_guard, &other);
    assert_int_equal(other, 1);
    stint_guard_end();
    assert_int_equal(stint_guard_begin(), 1);
    stint_guard_end();
}

/* ------------------------------------------------------------------------------------------------------------ exits */

static void *run_once(void *argument)
{
    struct stint_i_node *outer = enter(argument);
    run("inner of many", 5);
    stint_i_leave(outer);
    return NULL;
}

TEST(numbers_of_an_exited_thread_are_kept)
{
    in_thread(run_once, "once in a thread");
    assert_int_equal(now_of("once in a thread").count, 1);
    assert_int_equal(now_at("once in a thread/inner of many").count, 1);
}

/* Starts `count` threads at once, and waits for all. */
static void run_threads(int count, void *(*function)(void *argument), void *argument)
{
    pthread_t threads[100];
    for (int i = 0; i < count; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, function, argument), 0);
    for (int i = 0; i < count; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static pthread_barrier_t s_barrier;

static void *run_together(void *argument)
{
    run_once(argument);
    pthread_barrier_wait(&s_barrier); /* all are live at once: each batch needs as many records */
    return NULL;
}

TEST(five_hundred_threads_coming_and_going_lose_no_count_and_need_no_more_memory)
{
    size_t mapped = 0;
    assert_int_equal(pthread_barrier_init(&s_barrier, NULL, 20), 0);
    for (int batch = 0; batch < 25; ++batch) {
        run_threads(20, run_together, "of 500 threads");
        if (batch == 1)
            mapped = memory_mapped();
    }
    pthread_barrier_destroy(&s_barrier);
    assert_int_equal(now_of("of 500 threads").count, 500);
    assert_int_equal(now_at("of 500 threads/inner of many").count, 500);
    assert_int_equal(memory_mapped(), mapped);
    check_dropped((struct stint_dropped){0});
}

static void *enter_without_leaving(void *argument)
{
    enter("left open");
    enter("left open inside");
    return argument;
}

TEST(scopes_end_with_their_thread)
{
    in_thread(enter_without_leaving, NULL);
    check_dropped((struct stint_dropped){0});
    assert_int_equal(now_of("left open").count, 1);
    assert_int_equal(now_of("left open inside").count, 1);
    assert_int_equal(now_of("left open").running, 0);
}

TEST(samples_from_before_a_reset_are_not_kept_at_exit)
{
    in_thread(run_once, "exited before a reset");
    reset_set(NULL, STINT_RESET_ALL);
    assert_int_equal(now_of("exited before a reset").count, 0);
    in_thread(run_once, "exited before a reset");
    assert_int_equal(now_of("exited before a reset").count, 1);
}

/* ------------------------------------------------------------------------------------------------------ destructors */

static pthread_key_t s_key; /* made after the library's: destroyed after it */

static void *run_and_leave_a_destructor(void *argument)
{
    run_once(argument);
    pthread_setspecific(s_key, argument);
    return NULL;
}

static void run_in_destructor(void *name)
{
    run(name, 5);
}

TEST(scopes_of_a_destructor_that_runs_after_ours_count)
{

    run("main", 1);
    uint32_t before = live_threads();
    assert_int_equal(pthread_key_create(&s_key, run_in_destructor), 0);
    for (int i = 0; i < 20; ++i)
        in_thread(run_and_leave_a_destructor, "with a destructor");
    assert_int_equal(pthread_key_delete(s_key), 0);
    assert_int_equal(now_of("with a destructor").count, 40);
    assert_int_equal(live_threads(), before);
    check_dropped((struct stint_dropped){0});
}

static _Thread_local int tl_times;

static void run_in_destructor_again_and_again(void *name)
{
    run(name, 5);
    if (++tl_times < 10)
        pthread_setspecific(s_key, name);
}

TEST(scopes_of_a_destructor_that_never_gives_up_count)
{
    if (TEST_UNDER_TSAN)
        skip();
    assert_int_equal(pthread_key_create(&s_key, run_in_destructor_again_and_again), 0);
    in_thread(run_and_leave_a_destructor, "with an obstinate destructor");
    assert_int_equal(pthread_key_delete(s_key), 0);
    assert_in_range(now_of("with an obstinate destructor").count, 5, 11); /* the system gives up after 4 rounds */
}

/* Such a thread's record stays behind: the system did not tell that it died. */
TEST(records_of_threads_that_died_without_notice_make_room_at_the_limit)
{

    if (TEST_UNDER_TSAN)
        skip();
    run("main", 1);
    uint32_t before = live_threads();
    assert_int_equal(pthread_key_create(&s_key, run_in_destructor_again_and_again), 0);
    for (int i = 0; i < 3; ++i)
        in_thread(run_and_leave_a_destructor, "died without notice");
    assert_int_equal(pthread_key_delete(s_key), 0);
    assert_true(live_threads() > before);
    stint_limits.threads = live_threads();
    for (int i = 0; i < 3; ++i)
        in_thread(run_once, "after the dead");
    assert_int_equal(now_of("after the dead").count, 3);
    assert_in_range(now_of("died without notice").count, 3 * 5, 3 * 11);
    assert_in_range(live_threads(), 1, before);
    check_dropped((struct stint_dropped){0});
}

/* ----------------------------------------------------------------------------------------------------------- limits */

TEST(scopes_of_threads_beyond_the_limit_are_counted)
{
    run("main", 1);
    stint_limits.threads = 0;
    in_thread(run_once, "one thread too many");
    check_dropped((struct stint_dropped){.threads = 2});
    assert_int_equal(now_of("one thread too many").count, 0);
    stint_limits.threads = live_threads() + 1;
    for (int i = 0; i < 10; ++i)
        in_thread(run_once, "one thread too many");
    check_dropped((struct stint_dropped){.threads = 2});
    assert_int_equal(now_of("one thread too many").count, 10);
}

static void *run_a_thousand_times(void *argument)
{
    const long before = __atomic_load_n(&s_system_calls, __ATOMIC_RELAXED);
    for (int i = 0; i < 1000; ++i)
        run("a thread too many, often", 1);
    *(long *)argument = __atomic_load_n(&s_system_calls, __ATOMIC_RELAXED) - before;
    return NULL;
}

/* A scope that is dropped must not cost a system call, let alone one for each thread that lives. */
TEST(a_thread_beyond_the_limit_does_not_ask_at_every_scope_who_lives)
{
    long calls = 0;
    run("main", 1);
    stint_limits.threads = live_threads();
    in_thread(run_a_thousand_times, &calls);
    check_dropped((struct stint_dropped){.threads = 1000});
    assert_in_range(calls, 0, 100);
}

static void *run_without_memory(void *argument)
{
    memory_fail_after(0);
    run(argument, 5);
    memory_recover();
    run(argument, 5);
    return NULL;
}

static void *hold_a_record(void *argument)
{
    run("holding a record", 1);
    pthread_barrier_wait(&s_barrier);
    pthread_barrier_wait(&s_barrier);
    return argument;
}

/* Nor may each of many threads ask about all others. */
TEST(threads_beyond_the_limit_share_the_search_for_dead_ones)
{
    enum { HOLDERS = 20, REFUSED = 200 };
    pthread_t threads[HOLDERS];

    run("main", 1);
    assert_int_equal(pthread_barrier_init(&s_barrier, NULL, HOLDERS + 1), 0);
    for (int i = 0; i < HOLDERS; ++i)
        pthread_create(&threads[i], NULL, hold_a_record, NULL);
    pthread_barrier_wait(&s_barrier);
    stint_limits.threads = live_threads();
    const long before = __atomic_load_n(&s_system_calls, __ATOMIC_RELAXED);
    for (int i = 0; i < REFUSED; ++i)
        in_thread(run_once, "one thread too many");
    const long calls = __atomic_load_n(&s_system_calls, __ATOMIC_RELAXED) - before;
    pthread_barrier_wait(&s_barrier);
    for (int i = 0; i < HOLDERS; ++i)
        pthread_join(threads[i], NULL);
    assert_in_range(calls, 0, 4 * REFUSED);
}

TEST(without_memory_a_thread_has_no_record_until_there_is_some)
{
    enum { HOLDERS = 30 };
    pthread_t threads[HOLDERS];
    const uint32_t before = live_threads();

    /* Threads hold all the records that are spare, so that a new one needs memory. */
    assert_int_equal(pthread_barrier_init(&s_barrier, NULL, HOLDERS + 1), 0);
    for (int i = 0; i < HOLDERS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, hold_a_record, NULL), 0);
    pthread_barrier_wait(&s_barrier);
    stint_limits.threads = live_threads() + 1;
    in_thread(run_without_memory, "without memory for a record");
    assert_int_equal(stint_dropped.threads, 0);
    assert_true(stint_dropped.memory > 0);
    assert_int_equal(now_of("without memory for a record").count, 1);
    pthread_barrier_wait(&s_barrier);
    for (int i = 0; i < HOLDERS; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&s_barrier);
    assert_int_equal(live_threads(), before);
}

static void *fail_at_exit(void *argument)
{
    run(argument, 5);
    memory_fail_after(0);
    return NULL;
}

/* Last: the thread's record stays in the list for ever. */
TEST(numbers_of_a_thread_that_cannot_be_folded_are_kept)
{
    in_thread(fail_at_exit, "not folded");
    memory_recover();
    assert_int_equal(now_of("not folded").count, 1);
}

static void *fail_at_exit_with_open_scopes(void *argument)
{
    enter_without_leaving(NULL);
    memory_fail_after(0);
    return argument;
}

/* It is tried again when room for a thread is wanted, at the latest after as many refusals as there are threads. */
TEST(open_scopes_of_a_thread_that_cannot_be_folded_are_counted_once)
{
    if (TEST_UNDER_TSAN)
        skip();
    run("main", 1);
    in_thread(fail_at_exit_with_open_scopes, NULL);
    stint_limits.threads = live_threads();
    in_thread(run_once, "while a thread cannot be folded");
    assert_int_not_equal(memory_recover(), 0);
    for (uint32_t i = 0; i <= stint_limits.threads; ++i)
        in_thread(run_once, "when it can");
    assert_int_not_equal(now_of("when it can").count, 0);
    assert_int_equal(stint_dropped.abandoned, 0);
    assert_int_equal(now_of("left open").count, 1);
    assert_int_equal(now_of("left open inside").count, 1);
}

/* ------------------------------------------------------------------------------------------------------------ names */

TEST(every_name_keeps_its_id_in_the_threads_cache)
{
    static uint32_t ids[2000];
    run("main", 1);
    struct stint_thread_record *record = stint_thread_self();
    for (int round = 0; round < 3; ++round)
        for (uint32_t i = 0; i < TEST_COUNT(ids); ++i) {
            char text[32];
            (void)snprintf(text, sizeof text, "cached %u", i);
            struct stint_name name = stint_registry_name(NULL, text);
            uint32_t id = stint_thread_id_of(record, &name, NULL);
            if (!round)
                ids[i] = id;
            assert_int_equal(id, ids[i]);
            assert_int_equal(stint_thread_cached_id(record, &name), id);
            assert_string_equal(stint_registry_entry(id)->name, text);
        }
}

/* Finds a text other than `text` whose hash wants the same slots of the cache. */
static void find_neighbour(char *text, size_t size, const char *of)
{
    const struct stint_name wanted = stint_registry_name(NULL, of);
    struct stint_name name;
    int i = 0;
    do {
        (void)snprintf(text, size, "neighbour %d of %s", i++, of);
        name = stint_registry_name(NULL, text);
    } while (name.hash % STINT_NAME_SLOTS != wanted.hash % STINT_NAME_SLOTS);
}

TEST(two_names_of_one_hash_stay_in_the_cache)
{
    char second[64];
    struct stint_name names[2];
    uint32_t ids[2];
    run("main", 1);
    find_neighbour(second, sizeof second, "first");
    names[0] = stint_registry_name(NULL, "first");
    names[1] = stint_registry_name(NULL, second);
    for (int i = 0; i < 2; ++i)
        ids[i] = stint_thread_id_of(stint_thread_self(), &names[i], NULL);
    assert_int_not_equal(ids[0], ids[1]);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(stint_thread_cached_id(stint_thread_self(), &names[i]), ids[i]);
}

/* A name's first sixteen bytes and the rest are hashed and compared apart. */
TEST(names_of_any_length_are_told_apart)
{
    enum { LONGEST = 40 };
    char text[LONGEST + 1] = "";
    uint32_t last = 0;

    run("main", 1);
    for (int length = 1; length <= LONGEST; ++length) {
        for (int at = 0; at < length; ++at) {
            memset(text, 'a', (size_t)length);
            text[at] = 'b';
            const struct stint_name name = stint_registry_name(NULL, text);
            const uint32_t id = stint_thread_id_of(stint_thread_self(), &name, NULL);

            assert_int_equal(name.length, length);
            assert_true(id > last);
            assert_string_equal(stint_registry_entry(id)->name, text);
            last = id;
        }
    }
}

TEST(a_name_not_looked_up_yet_is_not_in_the_cache)
{
    const struct stint_name name = stint_registry_name(NULL, "never looked up");
    run("main", 1);
    assert_int_equal(stint_thread_cached_id(stint_thread_self(), &name), 0);
}

enum { SITES = 300 };

static struct stint_i_site s_sites[SITES];

static void *run_sites_then_names(void *argument)
{
    char name[32];
    for (int i = 0; i < SITES; ++i) {
        (void)snprintf(name, sizeof name, "site first %d", i);
        s_sites[i] = (struct stint_i_site){"", "", 0, 0};
        stint_i_leave(stint_i_enter(&s_sites[i], name, NULL));
    }
    for (int i = 0; i < SITES; ++i) {
        (void)snprintf(name, sizeof name, "name then %d", i);
        run(name, 1);
    }
    return argument;
}

TEST(the_cache_of_a_record_used_again_does_not_lie_in_its_tree)
{

    in_thread(run_once, "cached by the first thread");
    in_thread(run_sites_then_names, NULL);
    struct stint_snapshot *snapshot = take();
    for (int i = 0; i < SITES; ++i) {
        char name[32];
        (void)snprintf(name, sizeof name, "site first %d", i);
        assert_int_equal(numbers_of(snapshot, name)->count, 1);
        assert_int_equal(numbers_of(snapshot, name)->total_ns, 0);
        (void)snprintf(name, sizeof name, "name then %d", i);
        assert_int_equal(numbers_of(snapshot, name)->count, 1);
    }
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------------------------- fork */

struct waiting {
    pthread_barrier_t barrier;
    pthread_t thread;
};

static void *wait_for_fork(void *argument)
{
    struct waiting *waiting = argument;
    run("waiting for a fork", 1);
    pthread_barrier_wait(&waiting->barrier);
    pthread_barrier_wait(&waiting->barrier);
    return NULL;
}

/* In the child: 0 if all is as it must be. */
static int look_after_fork(void)
{
    stint_registry_reset_lock();
    stint_thread_after_fork();
    if (live_threads() != 1 || stint_thread_first() != stint_thread_self())
        return 1;
    if (stint_thread_self()->tid != syscall(SYS_gettid))
        return 2;
    run("in the child", 7);
    return now_of("in the child").total_ns == 7 ? 0 : 3;
}

TEST(in_a_forked_child_its_own_thread_lives_on_alone)
{
    struct waiting waiting;
    int status = 0;
    run("main", 1);
    assert_int_equal(pthread_barrier_init(&waiting.barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&waiting.thread, NULL, wait_for_fork, &waiting), 0);
    pthread_barrier_wait(&waiting.barrier);
    pid_t child = fork();
    if (child == 0)
        _exit(look_after_fork());
    pthread_barrier_wait(&waiting.barrier);
    assert_int_equal(pthread_join(waiting.thread, NULL), 0);
    pthread_barrier_destroy(&waiting.barrier);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

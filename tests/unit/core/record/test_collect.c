#include "record/collect.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "memory.h"
#include "model/model.h"
#include "record/fixture.h"
#include "record/part.h"
#include "record/thread.h"
#include "stat/builder.h"
#include "stint_test.h"

static const struct stint_costs s_costs = {.clock_read_ns = 8, .way = {{20, 0}}};

/* What comes after a tree was added to the sum, and before its running scopes are: set by a test. */
static void (*s_after_merge)(void);

struct stint_merged __real_stint_tree_merge(struct stint_tree *into, const struct stint_tree *from,
                                            struct stint_arena *scratch);
struct stint_merged __wrap_stint_tree_merge(struct stint_tree *into, const struct stint_tree *from,
                                            struct stint_arena *scratch);

struct stint_merged __wrap_stint_tree_merge(struct stint_tree *into, const struct stint_tree *from,
                                            struct stint_arena *scratch)
{
    const struct stint_merged merged = __real_stint_tree_merge(into, from, scratch);
    void (*after_merge)(void) = s_after_merge;
    s_after_merge = NULL;
    if (after_merge)
        after_merge();
    return merged;
}

/* Returns the numbers of a thread's part of the global set's statistic; NULL if there is no such row. */
static const struct stint_numbers *part_of(const struct stint_snapshot *snapshot, int64_t tid, const char *name)
{
    for (size_t i = 0; i < snapshot->thread_stat_count; ++i) {
        const struct stint_thread_stat *row = &snapshot->thread_stats[i];
        if (snapshot->threads[row->thread].tid == tid && !strcmp(snapshot->stats[row->stat].name, name))
            return &row->numbers;
    }
    return NULL;
}

static int64_t own_tid(void)
{
    return syscall(SYS_gettid);
}

/* ---------------------------------------------------------------------------------------------------------- process */

TEST_ONCE(fixture_start, NULL)

TEST_SETUP(the_snapshot_describes_its_process, fixture_reset)
{
    struct stint_snapshot *snapshot = NULL;
    char host[256] = "";
    gethostname(host, sizeof host);
    clock_set_ns_per_tick(0.5);
    assert_int_equal(stint_collect(&snapshot, &s_costs, 0), STINT_OK);
    assert_int_equal(snapshot->size, sizeof *snapshot);
    assert_int_equal(snapshot->process.pid, getpid());
    assert_non_null(strstr(snapshot->process.command, "test_record_collect"));
    assert_string_equal(snapshot->process.host, host);
    assert_string_equal(snapshot->process.clock, "monotonic");
    assert_true(snapshot->process.clock_hz == 2e9);
    assert_true(snapshot->process.clock_read_ns == 8);
    assert_true(snapshot->process.scope_ns == 20);
    assert_int_equal(snapshot->process.wall_ns, clock_now());
    assert_true(snapshot->process.start_unix_ns > 0);
    stint_snapshot_free(snapshot);
}

TEST(the_process_has_the_rank_that_it_was_started_with)
{
    struct stint_snapshot *snapshot = NULL;
    setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    stint_collect_learn_rank();
    setenv("OMPI_COMM_WORLD_RANK", "4", 1);
    assert_int_equal(stint_collect(&snapshot, &s_costs, 0), STINT_OK);
    assert_string_equal(snapshot->process.rank, "3");
    stint_snapshot_free(snapshot);
    unsetenv("OMPI_COMM_WORLD_RANK");
    stint_collect_learn_rank();
}

TEST_SETUP(every_set_is_listed, fixture_reset)
{

    stint_registry_set("listed without samples");
    struct stint_snapshot *snapshot = take();
    assert_string_equal(snapshot->sets[0], "GlobalStatInfo");
    for (size_t i = 0;; ++i) {
        assert_true(i < snapshot->set_count);
        if (!strcmp(snapshot->sets[i], "listed without samples"))
            break;
    }
    stint_snapshot_free(snapshot);
}

TEST_SETUP(dropped_counts_are_those_of_the_moment, fixture_reset)
{
    uint64_t *counts = (uint64_t *)&stint_dropped;
    for (size_t i = 0; i < offsetof(struct stint_dropped, spare) / sizeof *counts; ++i)
        counts[i] = i + 1;
    stint_dropped.saturated = 0; /* a count of the snapshot's own values */
    struct stint_snapshot *snapshot = take();
    assert_memory_equal(&snapshot->dropped, &stint_dropped, offsetof(struct stint_dropped, spare));
    stint_snapshot_free(snapshot);
}

/* --------------------------------------------------------------------------------------------------------- in ticks */

TEST_SETUP(ticks_become_ns, fixture_reset)
{

    clock_set_ns_per_tick(0.5);
    run("in ticks", 1000);
    run("in ticks", 3000);
    struct stint_numbers numbers = now_of("in ticks");
    assert_int_equal(numbers.total_ns, 2000);
    assert_int_equal(numbers.self_ns, 2000);
    assert_int_equal(numbers.min_ns, 500);
    assert_int_equal(numbers.max_ns, 1500);
    assert_true(numbers.square_ns2 == 500.0 * 500 + 1500.0 * 1500);
    assert_in_range(percentile_of("in ticks", 0.5), 500, 530);
}

TEST_SETUP(bins_are_by_rising_ns_and_hold_every_sample, fixture_reset)
{
    uint64_t samples = 0;
    clock_set_ns_per_tick(0.1); /* many buckets of less than a ns */
    for (uint64_t ticks = 0; ticks < 500; ++ticks)
        run("binned", ticks);
    struct stint_snapshot *snapshot = take();
    const struct stint_numbers *numbers = numbers_of(snapshot, "binned");
    for (size_t i = 0; i < numbers->bin_count; ++i) {
        assert_true(i == 0 || numbers->bins[i - 1].ns < numbers->bins[i].ns);
        assert_true(numbers->bins[i].count > 0);
        samples += numbers->bins[i].count;
    }
    assert_int_equal(samples, 500);
    stint_snapshot_free(snapshot);
}

/* ----------------------------------------------------------------------------------------------------------- memory */

/* A tree that takes several chunks to copy, as those of larger ones, which have large pages, hardly do. So this comes
 * before tests that record more. */
static void record_a_lot(void)
{
    struct stint_i_node *node = enter("a lot");
    for (int i = 0; i < 400; ++i) {
        char name[32];
        (void)snprintf(name, sizeof name, "one of a lot %d", i);
        run(name, 1);
    }
    stint_i_leave(node);
}

/* Takes snapshots with the first mmap failing, then the second, and so on until it needs no more. */
static void take_without(void (*starve)(long calls))
{
    const size_t before = memory_mapped();
    for (long calls = 0;; ++calls) {
        struct stint_snapshot *snapshot = (struct stint_snapshot *)(uintptr_t)1;
        starve(calls);
        enum stint_status status = stint_collect(&snapshot, &s_costs, 0);
        if (!memory_recover()) {
            assert_int_equal(status, STINT_OK);
            assert_true(calls > 5);
            stint_snapshot_free(snapshot);
            return;
        }
        assert_int_equal(status, STINT_ERROR_NO_MEMORY);
        assert_null(snapshot);
        assert_int_equal(memory_mapped(), before);
    }
}

TEST_SETUP(without_memory_there_is_no_snapshot_and_no_leak, fixture_reset)
{
    record_a_lot();
    take_without(memory_fail_after);
    take_without(memory_fail_once_after);
}

TEST_SETUP(a_snapshot_without_memory_drops_no_scope, fixture_reset)
{
    struct stint_snapshot *snapshot;
    record_a_lot();
    for (long calls = 0; calls < 15; ++calls) {
        memory_fail_after(calls);
        (void)stint_collect(&snapshot, &s_costs, 0);
        memory_recover();
        stint_snapshot_free(snapshot);
    }
    check_dropped((struct stint_dropped){0});
    assert_int_equal(now_of("a lot").count, 1);
}

TEST_SETUP(a_freed_snapshot_leaves_no_memory_behind, fixture_reset)
{

    record_a_lot();
    size_t before = memory_mapped();
    for (int i = 0; i < 5; ++i)
        stint_snapshot_free(take());
    assert_int_equal(memory_mapped(), before);
}

/* ---------------------------------------------------------------------------------------------------------- running */

TEST_SETUP(a_running_scope_is_shown_with_its_time_so_far, fixture_reset)
{
    struct stint_i_node *outer = enter("running outer"), *inner;
    clock_advance(10);
    inner = enter("running inner");
    clock_advance(5);
    struct stint_numbers numbers = now_of("running outer");
    assert_int_equal(numbers.count, 0);
    assert_int_equal(numbers.total_ns, 0);
    assert_int_equal(numbers.min_ns, 0);
    assert_int_equal(numbers.running, 1);
    assert_int_equal(numbers.running_ns, 15);
    assert_int_equal(now_at("running outer/running inner").running_ns, 5);
    stint_i_leave(inner);
    stint_i_leave(outer);
    assert_int_equal(now_of("running outer").running, 0);
    assert_int_equal(now_of("running outer").running_ns, 0);
}

TEST_SETUP(of_a_running_recursion_the_outermost_gives_the_time, fixture_reset)
{
    struct stint_i_node *outer = enter("running recursion"), *inner;
    clock_advance(10);
    inner = enter("running recursion");
    clock_advance(5);
    struct stint_numbers numbers = now_of("running recursion");
    assert_int_equal(numbers.running, 2);
    assert_int_equal(numbers.running_ns, 15);
    numbers = now_at("running recursion/running recursion");
    assert_int_equal(numbers.running, 1);
    assert_int_equal(numbers.running_ns, 5);
    stint_i_leave(inner);
    stint_i_leave(outer);
}

TEST_SETUP(a_scope_running_at_a_reset_shows_its_time_since, fixture_reset)
{
    struct stint_i_node *node = enter("running since a reset");
    clock_advance(100);
    reset_set(NULL, STINT_RESET_KEEP_RUNNING);
    clock_advance(10);
    assert_int_equal(now_of("running since a reset").running_ns, 110);
    reset_set(NULL, STINT_RESET_ALL);
    clock_advance(7);
    assert_int_equal(now_of("running since a reset").running_ns, 7);
    stint_i_leave(node);
}

static struct stint_i_node *s_before; /* that which the node is linked to */
static struct stint_i_node *s_unlinked;

static void link_node(void)
{
    s_before->next = s_unlinked;
}

/* It has a number, and is not in the list yet, while another thread adds the tree up. */
TEST_SETUP(a_node_that_is_just_being_made_is_left_to_the_next_snapshot, fixture_reset)
{
    struct stint_i_node *outer = enter("running while made"), *node = enter("just being made");
    for (s_before = stint_thread_self()->tree.root; s_before->next != node; s_before = s_before->next)
        continue;
    s_unlinked = node;
    s_before->next = NULL;
    s_after_merge = link_node;
    assert_int_equal(now_of("just being made").running, 0);
    assert_int_equal(now_of("just being made").running, 1);
    stint_i_leave(node);
    stint_i_leave(outer);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static pthread_barrier_t s_barrier;

static void *run_and_wait(void *argument)
{
    run("by thread", *(uint64_t *)argument);
    *(int64_t *)argument = own_tid();
    pthread_barrier_wait(&s_barrier);
    pthread_barrier_wait(&s_barrier);
    return NULL;
}

static void *run_and_exit(void *argument)
{
    run("by thread", 1000);
    return argument;
}

TEST_SETUP(rows_by_thread_add_up_to_the_total, fixture_reset)
{
    uint64_t arguments[3] = {1, 10, 100};
    struct stint_numbers sum = {0};
    pthread_t threads[3];
    int exited = 0;
    in_thread(run_and_exit, NULL);
    in_thread(run_and_exit, NULL);
    assert_int_equal(pthread_barrier_init(&s_barrier, NULL, 4), 0);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, run_and_wait, &arguments[i]), 0);
    pthread_barrier_wait(&s_barrier);
    struct stint_snapshot *snapshot = take();
    pthread_barrier_wait(&s_barrier);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&s_barrier);

    for (size_t i = 0; i < snapshot->thread_stat_count; ++i) {
        const struct stint_thread_stat *row = &snapshot->thread_stats[i];
        const struct stint_thread *thread = &snapshot->threads[row->thread];
        assert_string_equal(snapshot->stats[row->stat].name, "by thread");
        sum.count += row->numbers.count;
        sum.total_ns += row->numbers.total_ns;
        sum.self_ns += row->numbers.self_ns;
        if (thread->exited) {
            ++exited;
            assert_int_equal(thread->tid, 0);
            assert_string_equal(thread->name, "");
            assert_in_range(thread->exits, 2, 1000);
            assert_int_equal(row->numbers.count, 2);
            assert_int_equal(row->numbers.min_ns, row->numbers.max_ns);
        }
    }
    assert_int_equal(exited, 1);
    assert_int_equal(snapshot->thread_count, 4);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(part_of(snapshot, (int64_t)arguments[i], "by thread")->count, 1);
    assert_int_equal(sum.count, numbers_of(snapshot, "by thread")->count);
    assert_int_equal(sum.self_ns, numbers_of(snapshot, "by thread")->self_ns);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_thread_row_holds_all_contexts_of_its_thread, fixture_reset)
{
    struct stint_i_node *node = enter("nested by thread"), *inner;
    clock_advance(1);
    inner = enter("nested by thread");
    clock_advance(10);
    stint_i_leave(inner);
    stint_i_leave(node);
    node = enter("around by thread");
    run("nested by thread", 100);
    stint_i_leave(node);
    node = enter("nested by thread");
    clock_advance(5);
    struct stint_snapshot *snapshot = take();
    const struct stint_numbers *part = part_of(snapshot, own_tid(), "nested by thread");
    assert_int_equal(part->count, 3);
    assert_int_equal(part->recursive, 1);
    assert_int_equal(part->total_ns, 111);
    assert_int_equal(part->self_ns, 111);
    assert_int_equal(part->min_ns, 11);
    assert_int_equal(part->max_ns, 100);
    assert_true(part->square_ns2 == 11 * 11 + 100 * 100);
    assert_int_equal(part->running, 1);
    assert_int_equal(part->running_ns, 5);
    assert_null(part->bins);
    stint_snapshot_free(snapshot);
    stint_i_leave(node);
}

TEST_SETUP(a_live_thread_has_its_name, fixture_reset)
{

    assert_int_equal(pthread_setname_np(pthread_self(), "the main one"), 0);
    run("named thread", 1);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->thread_count, 1);
    assert_string_equal(snapshot->threads[0].name, "the main one");
    assert_int_equal(snapshot->threads[0].tid, own_tid());
    assert_int_equal(snapshot->threads[0].pid, getpid());
    assert_int_equal(snapshot->threads[0].exited, 0);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_statistic_without_activation_is_left_out, fixture_reset)
{

    run("idle since the reset", 1);
    reset_set(NULL, STINT_RESET_ALL);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->stat_count, 0);
    assert_int_equal(snapshot->context_count, 0);
    assert_int_equal(snapshot->thread_stat_count, 0);
    stint_snapshot_free(snapshot);
}

/* A thread's ticks and the sum's are rounded in one way only. */
TEST_SETUP(a_statistic_of_one_context_has_its_numbers, fixture_reset)
{
    struct stint_snapshot *snapshot = NULL;
    const struct stint_costs costs = {.way = {{20, 3}}};
    clock_set_ns_per_tick(0.3);
    for (uint64_t ticks = 1; ticks < 50; ++ticks)
        run("in one place", 77 * ticks);
    struct stint_i_node *node = enter("in one place");
    clock_advance(5);
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    assert_int_equal(snapshot->stat_count, 1);
    assert_int_equal(snapshot->context_count, 1);
    assert_memory_equal(&snapshot->stats[0].numbers, &snapshot->contexts[0].numbers, sizeof snapshot->stats[0].numbers);
    assert_int_equal(snapshot->stats[0].numbers.count, 49);
    assert_int_equal(snapshot->stats[0].numbers.running, 1);
    stint_snapshot_free(snapshot);
    stint_i_leave(node);
}

static uint64_t samples_of(const struct stint_numbers *numbers)
{
    uint64_t samples = 0;
    for (size_t i = 0; i < numbers->bin_count; ++i)
        samples += numbers->bins[i].count;
    return samples;
}

TEST_SETUP(contexts_of_a_statistic_keep_their_own_histograms, fixture_reset)
{
    for (int i = 0; i < 3; ++i) {
        struct stint_i_node *outer = enter(i == 0 ? "first" : i == 1 ? "second" : "third");
        run("in three places", 1000);
        stint_i_leave(outer);
    }
    struct stint_snapshot *snapshot = take();
    assert_int_equal(samples_of(numbers_of(snapshot, "in three places")), 3);
    assert_int_equal(snapshot->context_count, 6);
    for (size_t i = 0; i < snapshot->context_count; ++i)
        assert_int_equal(samples_of(&snapshot->contexts[i].numbers), 1);
    stint_snapshot_free(snapshot);
}

/* ---------------------------------------------------------------------------------------------- while others record */

static int s_stop;

static void *record_all_the_time(void *argument)
{
    uint64_t *scopes = argument;
    for (uint64_t i = 0; !__atomic_load_n(&s_stop, __ATOMIC_RELAXED); ++i) {
        struct stint_i_node *outer = enter("recorded all the time");
        char name[32];
        (void)snprintf(name, sizeof name, "new name %d", (int)(i % 500));
        run("inside, all the time", 1);
        run(name, 1);
        stint_i_leave(outer);
        ++*scopes;
    }
    return NULL;
}

/* Fails unless all that refers to something else in the snapshot refers to something that is there. */
static void check_references(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->context_count; ++i) {
        assert_true(snapshot->contexts[i].stat < snapshot->stat_count);
        assert_true(snapshot->contexts[i].parent == STINT_NO_PARENT || snapshot->contexts[i].parent < i);
    }
    for (size_t i = 0; i < snapshot->thread_stat_count; ++i) {
        assert_true(snapshot->thread_stats[i].stat < snapshot->stat_count);
        assert_true(snapshot->thread_stats[i].thread < snapshot->thread_count);
    }
}

TEST_SETUP(snapshots_while_threads_record_only_ever_grow, fixture_reset)
{
    uint64_t scopes[4] = {0}, last = 0, sum = 0;
    pthread_t threads[4];
    s_stop = 0;
    for (int i = 0; i < 4; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, record_all_the_time, &scopes[i]), 0);
    for (int i = 0; i < (TEST_UNDER_TSAN ? 10 : 40); ++i) {
        struct stint_snapshot *snapshot = take();
        const struct stint_numbers *numbers = numbers_of(snapshot, "recorded all the time");
        check_references(snapshot);
        if (numbers) {
            assert_true(numbers->count >= last);
            assert_in_range(numbers->running, 0, 4);
            last = numbers->count;
        }
        stint_snapshot_free(snapshot);
    }
    __atomic_store_n(&s_stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        sum += scopes[i];
    }
    assert_int_equal(now_of("recorded all the time").count, sum);
    assert_int_equal(now_of("inside, all the time").count, sum);
    check_dropped((struct stint_dropped){0});
}

TEST_SETUP(resets_while_threads_record_lose_nothing_afterwards, fixture_reset)
{
    uint64_t scopes[2] = {0};
    pthread_t threads[2];
    s_stop = 0;
    for (int i = 0; i < 2; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, record_all_the_time, &scopes[i]), 0);
    for (int i = 0; i < 200; ++i)
        reset_set(NULL, i % 2 ? STINT_RESET_ALL : STINT_RESET_KEEP_RUNNING);
    __atomic_store_n(&s_stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_in_range(now_of("recorded all the time").count, 0, scopes[0] + scopes[1]);
    reset_set(NULL, STINT_RESET_ALL);
    assert_int_equal(now_of("recorded all the time").count, 0);
    run("recorded all the time", 1);
    assert_int_equal(now_of("recorded all the time").count, 1);
}

static const char s_known[] = "known, and used again amid a snapshot";

/* The other thread of the two tests below, and how far it is. */
static void *wait_then_go_on(void *argument)
{
    void (*go_on)(void) = *(void (**)(void))argument;
    run(s_known, 1);                  /* the name is in the thread's cache: looking it up again takes no lock */
    pthread_barrier_wait(&s_barrier); /* the snapshot may begin */
    pthread_barrier_wait(&s_barrier); /* it has added this thread to its sum */
    go_on();
    pthread_barrier_wait(&s_barrier); /* it may go on */
    pthread_barrier_wait(&s_barrier); /* it is done */
    return NULL;
}

static void let_the_other_go_on(void)
{
    pthread_barrier_wait(&s_barrier);
    pthread_barrier_wait(&s_barrier);
}

/* Takes a snapshot of nothing, in the midst of which another thread calls `go_on`. */
static struct stint_snapshot *take_while(void (*go_on)(void))
{
    pthread_t thread;
    assert_int_equal(pthread_barrier_init(&s_barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, wait_then_go_on, &go_on), 0);
    pthread_barrier_wait(&s_barrier);
    reset_set(NULL, STINT_RESET_ALL);
    s_after_merge = let_the_other_go_on; /* the youngest thread is the first in the list */
    struct stint_snapshot *snapshot = take();
    pthread_barrier_wait(&s_barrier);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_barrier_destroy(&s_barrier);
    return snapshot;
}

static void run_known(void)
{
    run(s_known, 5);
}

TEST_SETUP(a_scope_that_ends_amid_a_snapshot_leaves_it_consistent, fixture_reset)
{
    struct stint_snapshot *snapshot = take_while(run_known);
    check_references(snapshot);
    stint_snapshot_free(snapshot);
}

static void enter_many_new_contexts(void)
{
    for (int i = 0; i < 2000; ++i)
        enter(s_known);
}

TEST_SETUP(scopes_that_begin_amid_a_snapshot_leave_it_consistent, fixture_reset)
{
    struct stint_snapshot *snapshot = take_while(enter_many_new_contexts);
    check_references(snapshot);
    for (size_t i = 0; i < snapshot->thread_stat_count; ++i) {
        const struct stint_thread_stat *row = &snapshot->thread_stats[i];
        assert_true(row->numbers.running <= snapshot->stats[row->stat].numbers.running);
    }
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------------- guard, emergency */

TEST_SETUP(inside_the_guard_a_snapshot_is_refused, fixture_reset)
{
    struct stint_snapshot *snapshot = (struct stint_snapshot *)(uintptr_t)1;
    run("guarded snapshot", 1);
    assert_int_equal(stint_guard_begin(), 1);
    assert_int_equal(stint_collect(&snapshot, &s_costs, 0), STINT_ERROR_BUSY);
    assert_null(snapshot);
    stint_guard_end();
    assert_int_equal(now_of("guarded snapshot").count, 1);
}

TEST_SETUP(in_an_emergency_a_snapshot_needs_neither_guard_nor_lock, fixture_reset)
{
    struct stint_snapshot *snapshot;
    run("emergency", 1);
    assert_int_equal(stint_guard_begin(), 1);
    stint_registry_lock();
    assert_int_equal(stint_collect(&snapshot, &s_costs, 1), STINT_OK);
    stint_registry_unlock();
    assert_int_equal(stint_guard_begin(), 0); /* still the one from above */
    stint_guard_end();
    assert_int_equal(numbers_of(snapshot, "emergency")->count, 1);
    stint_snapshot_free(snapshot);
}

static int s_also_emergency;
static int s_also_guarded;

/* What the part of this test adds; NULL: nothing. */
static void (*s_add)(struct stint_builder *builder, int emergency);

static void collect(struct stint_builder *builder, int emergency)
{
    if (s_add)
        s_add(builder, emergency);
}

STINT_PART(test) = {.name = "test", .collect = collect};

static void add_a_set(struct stint_builder *builder, int emergency)
{
    s_also_emergency = emergency;
    s_also_guarded = !stint_guard_begin();
    stint_builder_set(builder, "another part's");
}

static int has_set(const struct stint_snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->set_count; ++i)
        if (!strcmp(snapshot->sets[i], name))
            return 1;
    return 0;
}

TEST_SETUP(a_part_may_add_to_every_snapshot, fixture_reset)
{
    struct stint_snapshot *snapshot = take();
    assert_false(has_set(snapshot, "another part's"));
    stint_snapshot_free(snapshot);
    s_add = add_a_set;
    for (int emergency = 0; emergency < 2; ++emergency) {
        assert_int_equal(stint_collect(&snapshot, &s_costs, emergency), STINT_OK);
        assert_true(has_set(snapshot, "another part's"));
        assert_int_equal(s_also_emergency, emergency);
        assert_true(s_also_guarded);
        stint_snapshot_free(snapshot);
    }
    s_add = NULL;
}

static void launch_from_a_scope(struct stint_builder *builder, int emergency)
{
    const struct stint_stat like = {.set = "GlobalStatInfo", .name = "launched", .file = "", .function = ""};
    const struct stint_gpu_activity activity = {
        .name = "kernel", .mangled = "", .numbers = {.count = 1, .total_ns = 70}};
    const struct stint_gpu_charge charge = {
        .activity = stint_builder_gpu_activity(builder, &activity),
        .context = stint_builder_context(builder, STINT_NO_PARENT, stint_builder_stat(builder, &like)),
        .count = 1,
        .total_ns = 70,
    };
    stint_builder_add_gpu_activity(builder, charge.activity, &activity);
    stint_builder_add(builder, STINT_ROWS_GPU_CHARGES, &charge);
}

TEST_SETUP(what_a_part_charges_to_a_scope_meets_the_scope, fixture_reset)
{

    run("launched", 30);
    s_add = launch_from_a_scope;
    struct stint_snapshot *snapshot = take();
    s_add = NULL;
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NULL, "launched");
    assert_int_equal(stat->numbers.total_ns, 30);
    assert_int_equal(stat->gpu.kernel_ns, 70);
    assert_int_equal(snapshot->contexts[snapshot->gpu_charges[0].context].numbers.total_ns, 30);
    stint_snapshot_free(snapshot);
}

/* ---------------------------------------------------------------------------------------------------------- samples */

static int has_samples(const char *name)
{
    const struct stint_name key = stint_registry_name(NULL, name);
    stint_registry_lock();
    int has = stint_collect_has_samples(stint_registry_find(&key));
    stint_registry_unlock();
    return has;
}

TEST_SETUP(a_statistic_has_samples_from_its_first_scope_to_the_next_reset, fixture_reset)
{
    struct stint_i_node *node = enter("has samples");
    assert_false(has_samples("has samples"));
    stint_i_leave(node);
    assert_true(has_samples("has samples"));
    reset_set(NULL, STINT_RESET_ALL);
    assert_false(has_samples("has samples"));
    in_thread(run_and_exit, NULL);
    assert_true(has_samples("by thread"));
}

/* ------------------------------------------------------------------------------------------------------------ costs */

static const struct stint_numbers *numbers_in(const struct stint_snapshot *snapshot, const char *name)
{
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NULL, name);
    assert_non_null(stat);
    return &stat->numbers;
}

/* A parent with two children, of which one has a child, each of which took 100 ns more than what is in it. */
static void run_family(void)
{
    struct stint_i_node *parent = enter("parent"), *child;
    run("leaf", 100);
    child = enter("child");
    run("grandchild", 100);
    clock_advance(100);
    stint_i_leave(child);
    clock_advance(100);
    stint_i_leave(parent);
}

TEST_SETUP(costs_are_taken_off_scopes_and_those_around_them, fixture_reset)
{
    const struct stint_costs costs = {.way = {{25, 10}}};
    struct stint_snapshot *snapshot;
    run_family();
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    assert_int_equal(numbers_in(snapshot, "leaf")->total_ns, 90);
    assert_int_equal(numbers_in(snapshot, "child")->total_ns, 200 - 10 - 25);
    assert_int_equal(numbers_in(snapshot, "child")->self_ns, 100 - 10 - 15);
    assert_int_equal(numbers_in(snapshot, "parent")->total_ns, 400 - 10 - 3 * 25);
    assert_int_equal(numbers_in(snapshot, "parent")->self_ns, 100 - 10 - 2 * 15);
    assert_int_equal(numbers_in(snapshot, "parent")->overhead_ns, 85);
    assert_int_equal(numbers_in(snapshot, "parent")->self_overhead_ns, 40);
    for (size_t i = 0; i < snapshot->thread_stat_count; ++i)
        assert_int_equal(snapshot->thread_stats[i].numbers.total_ns,
                         snapshot->stats[snapshot->thread_stats[i].stat].numbers.total_ns);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_function_costs_more_than_a_scope, fixture_reset)
{
    static struct stint_i_site function = {"program", "measured function", 0, 0};
    const struct stint_costs costs = {.way = {[STINT_COST_SCOPE] = {25, 10}, [STINT_COST_FUNCTION] = {40, 12}}};
    struct stint_snapshot *snapshot;
    struct stint_i_node *parent = enter("calls a function");
    for (int i = 0; i < 2; ++i) {
        struct stint_i_node *node = stint_i_enter(&function, function.function, NULL);
        clock_advance(100);
        stint_i_leave(node);
        clock_advance(28); /* what is not within it of its cost */
    }
    clock_advance(10); /* the parent's own */
    stint_i_leave(parent);
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    assert_int_equal(numbers_in(snapshot, "measured function")->total_ns, 2 * (100 - 12));
    assert_int_equal(numbers_in(snapshot, "measured function")->raw_min_ns, 100);
    assert_int_equal(numbers_in(snapshot, "calls a function")->total_ns, 2 * 128 + 10 - 10 - 2 * 40);
    assert_true(snapshot->process.function.whole_ns == 40);
    stint_snapshot_free(snapshot);
}

/* Of those that took 24 ns and 200 ns, on average 112 ns, the short ones are as long as an empty one. */
TEST_SETUP(an_empty_scope_shows_more_of_its_cost_than_others, fixture_reset)
{
    const struct stint_costs costs = {.way = {{40, 10}}, .empty_ns = {24}};
    struct stint_snapshot *snapshot;
    struct stint_i_node *parent = enter("around short ones");
    for (int i = 0; i < 10; ++i) {
        run("short", 24);
        run("short", 200);
        run("a little more", 26);
    }
    clock_advance(30 * 16); /* what is not within them of their cost */
    stint_i_leave(parent);
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    assert_int_equal(numbers_in(snapshot, "short")->total_ns, 10 * (200 - 10));
    assert_int_equal(numbers_in(snapshot, "a little more")->total_ns, 10 * (26 - (24 - 6 * 2)));
    assert_int_equal(numbers_in(snapshot, "around short ones")->self_ns, 0);
    assert_int_equal(numbers_in(snapshot, "around short ones")->total_ns, 10 * (200 - 10) + 10 * (26 - 12));
    stint_snapshot_free(snapshot);
}

/* Costs are measured when the report is made, and may have been less before. */
TEST_SETUP(a_scope_keeps_at_least_what_is_left_of_those_below, fixture_reset)
{
    const struct stint_costs costs = {.way = {{25, 10}}};
    struct stint_snapshot *snapshot;
    struct stint_i_node *outer = enter("quick outer"), *inner;
    for (int i = 0; i < 10; ++i) {
        inner = enter("quick inner");
        run("quick", 100);
        run("quick", 4);
        clock_advance(1);
        stint_i_leave(inner);
    }
    stint_i_leave(outer);
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    assert_int_equal(numbers_in(snapshot, "quick")->total_ns, 10 * 104 - 20 * 10);
    assert_int_equal(numbers_in(snapshot, "quick inner")->total_ns, 10 * 104 - 20 * 10);
    assert_int_equal(numbers_in(snapshot, "quick inner")->self_ns, 0);
    assert_int_equal(numbers_in(snapshot, "quick outer")->total_ns, 10 * 104 - 20 * 10);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(calls_that_are_left_out_cost_the_scopes_around_them, fixture_reset)
{
    const struct stint_costs costs = {.way = {{25, 10}}, .left_out_ns = 6};
    struct stint_snapshot *snapshot;
    struct stint_i_node *parent = enter("around"), *child = enter("within");
    child->passed = 3;
    clock_advance(100);
    stint_i_leave(child);
    parent->passed = 2;
    clock_advance(100);
    stint_i_leave(parent);
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    assert_int_equal(numbers_in(snapshot, "within")->total_ns, 100 - 10 - 3 * 6);
    assert_int_equal(numbers_in(snapshot, "within")->self_ns, 100 - 10 - 3 * 6);
    assert_int_equal(numbers_in(snapshot, "around")->total_ns, 200 - 10 - 25 - 5 * 6);
    assert_int_equal(numbers_in(snapshot, "around")->self_ns, 100 - 10 - 15 - 2 * 6);
    stint_snapshot_free(snapshot);
}

/* Two in a child, one in its parent. Samples themselves are as the program gave them. */
TEST_SETUP(samples_that_are_added_cost_the_scopes_around_them, fixture_reset)
{
    const struct stint_costs costs = {.way = {[STINT_COST_SCOPE] = {25, 10}, [STINT_COST_SAMPLE] = {50, 0}}};
    struct stint_snapshot *snapshot;
    struct stint_i_node *parent = enter("adds one"), *child = enter("adds two");
    (void)stint_scope_add(NULL, "added samples", 30);
    (void)stint_scope_add(NULL, "added samples", 40);
    clock_advance(300);
    stint_i_leave(child);
    (void)stint_scope_add(NULL, "added samples", 50);
    clock_advance(100);
    stint_i_leave(parent);
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    assert_int_equal(numbers_in(snapshot, "added samples")->total_ns, 30 + 40 + 50);
    assert_int_equal(numbers_in(snapshot, "added samples")->min_ns, 30);
    assert_int_equal(numbers_in(snapshot, "adds two")->total_ns, 300 - 10 - 2 * 50);
    assert_int_equal(numbers_in(snapshot, "adds two")->self_ns, 300 - 10 - 2 * 50);
    assert_int_equal(numbers_in(snapshot, "adds one")->total_ns, 400 - 10 - 25 - 3 * 50);
    assert_int_equal(numbers_in(snapshot, "adds one")->self_ns, 100 - 10 - 15 - 50);
    assert_true(snapshot->process.added_ns == 50);
    assert_int_equal(snapshot->process.added_samples, 3);
    stint_snapshot_free(snapshot);
    reset_set(NULL, STINT_RESET_ALL);
    snapshot = take();
    assert_int_equal(snapshot->process.added_samples, 0);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(costs_in_a_running_scope_are_not_taken_off_earlier_ones, fixture_reset)
{
    const struct stint_costs costs = {.way = {{25, 10}}};
    struct stint_snapshot *snapshot;
    run("now and then", 100);
    struct stint_i_node *node = enter("now and then");
    for (int i = 0; i < 10; ++i)
        run("below", 10);
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    assert_in_range(numbers_in(snapshot, "now and then")->total_ns, 0, 90);
    assert_int_equal(numbers_in(snapshot, "now and then")->running_ns, 100);
    stint_snapshot_free(snapshot);
    stint_i_leave(node);
}

TEST_SETUP(costs_that_are_left_in_change_nothing, fixture_reset)
{
    const struct stint_costs costs = {.way = {{25, 0}}};
    struct stint_snapshot *snapshot;
    run_family();
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    assert_int_equal(numbers_in(snapshot, "parent")->total_ns, 400);
    assert_int_equal(numbers_in(snapshot, "parent")->overhead_ns, 0);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(added_samples_are_exact_whatever_the_clocks_rate, fixture_reset)
{
    static const uint64_t spans[] = {1, 3000000, 1000000000, UINT64_C(3600000000000)};
    const struct stint_costs costs = {.way = {{25, 10}}};
    for (size_t i = 0; i < TEST_COUNT(spans); ++i) {
        struct stint_snapshot *snapshot;
        char name[32];
        (void)snprintf(name, sizeof name, "added %zu", i);
        clock_set_ns_per_tick(0.4001);
        assert_int_equal(stint_scope_add(NULL, name, spans[i]), STINT_OK);
        clock_set_ns_per_tick(0.4003);
        run(name, 1000); /* a scope of that name as well: 400 ns */
        assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
        const struct stint_numbers *numbers = numbers_in(snapshot, name);
        assert_int_equal(numbers->count, 2);
        assert_int_equal(numbers->total_ns, spans[i] + 390);
        assert_int_equal(spans[i] > 390 ? numbers->max_ns : numbers->min_ns, spans[i]);
        assert_int_equal(snapshot->context_count, i + 1); /* samples and scopes are in one */
        stint_snapshot_free(snapshot);
    }
}

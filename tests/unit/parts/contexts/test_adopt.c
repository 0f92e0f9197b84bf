#include "contexts/contexts.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "record/fixture.h"
#include "record/thread.h"
#include "stint/snapshot.h"
#include "stint_test.h"

/* In the thread that runs a test, whose id is the process': the main thread. */
static int setup(void **state)
{
    stint_adopted_work = STINT_ADOPT_AUTOGRAD;
    return fixture_reset(state);
}

/* Returns the path of the scopes a/b/c, which end. */
static uint32_t path_of(const char *scopes)
{
    struct stint_i_node *nodes[8];
    size_t count = 0;
    char names[256];
    strcpy(names, scopes);
    for (char *rest = names, *name; (name = strtok_r(rest, "/", &rest));)
        nodes[count++] = enter(name);
    uint32_t path = stint_path_current();
    while (count)
        stint_i_leave(nodes[--count]);
    return path;
}

/* ------------------------------------------------------------------------------------------------------- on request */

/* What a thread does for a scope of another one. */
static void *work(void *path)
{
    struct stint_i_node *node;
    assert_int_equal(stint_adopt_enter(*(uint32_t *)path, &node), STINT_OK);
    clock_advance(10);
    run("task", 100);
    run("task", 50);
    assert_int_equal(stint_adopt_leave(node), STINT_OK);
    run("alone", 7);
    return NULL;
}

TEST_ONCE(fixture_start, NULL)
TEST_EACH(setup, NULL)

TEST(adopted_work_is_below_the_scope_and_counted_once)
{
    struct stint_i_node *step = enter("step"), *forward = enter("forward");
    uint32_t path = stint_path_current();
    clock_advance(1000);
    in_thread(work, &path);
    stint_i_leave(forward);
    stint_i_leave(step);
    assert_int_equal(now_at("step/forward").count, 1);
    assert_int_equal(now_at("step/forward").total_ns, 1000 + 160 + 7); /* the clock went on meanwhile */
    assert_int_equal(now_at("step/forward").self_ns, 1000 + 160 + 7);
    assert_int_equal(now_at("step/forward/(other threads)").count, 1);
    assert_int_equal(now_at("step/forward/(other threads)").total_ns, 160);
    assert_int_equal(now_at("step/forward/(other threads)").self_ns, 10);
    assert_int_equal(now_at("step/forward/(other threads)/task").count, 2);
    assert_int_equal(now_at("step/forward/(other threads)/task").total_ns, 150);
    assert_int_equal(now_at("alone").total_ns, 7);
    check_dropped((struct stint_dropped){0});
}

TEST(scope_may_have_ended)
{
    uint32_t path = path_of("ended/long ago");
    in_thread(work, &path);
    assert_int_equal(now_at("ended/long ago").count, 1);
    assert_int_equal(now_at("ended/long ago/(other threads)/task").count, 2);
    reset_set(NULL, STINT_RESET_ALL);
    in_thread(work, &path);
    assert_int_equal(now_at("ended/long ago").count, 0);
    assert_int_equal(now_at("ended/long ago/(other threads)/task").count, 2);
}

TEST(work_within_a_scope_stays_there)
{
    uint32_t path = path_of("elsewhere");
    struct stint_i_node *own = enter("own"), *node;
    assert_int_equal(stint_adopt_enter(path, &node), STINT_OK);
    assert_null(node);
    stint_i_leave(own);
    assert_int_equal(stint_adopt_enter(path, &own), STINT_OK);
    assert_non_null(own);
    assert_int_equal(stint_adopt_enter(path, &node), STINT_OK);
    assert_null(node);
    assert_int_equal(stint_adopt_leave(own), STINT_OK);
    assert_int_equal(stint_path_current(), STINT_PATH_ROOT);
}

TEST(its_path_is_below_that_of_the_scope)
{
    uint32_t path = path_of("with a path"), below;
    struct stint_i_node *node;
    assert_int_equal(stint_adopt_enter(path, &node), STINT_OK);
    below = stint_path_current();
    assert_int_equal(stint_path_at(below).parent, path);
    assert_string_equal(stint_registry_entry(stint_path_at(below).id)->name, STINT_ADOPTED);
    assert_int_equal(stint_adopt_leave(node), STINT_OK);
}

TEST(path_may_be_a_thousand_scopes_long)
{
    enum { DEPTH = 1000 };
    struct stint_i_node *nodes[DEPTH];

    for (int i = 0; i < DEPTH; ++i)
        nodes[i] = enter(i % 3 ? "deep" : "deeper");
    uint32_t path = stint_path_current();
    for (int i = DEPTH; i-- > 0;)
        stint_i_leave(nodes[i]);
    in_thread(work, &path);
    assert_int_equal(now_of("task").count, 2);
    assert_int_equal(now_of("(other threads)").count, 1);
}

TEST(what_is_no_path_is_refused)
{
    const uint32_t none[] = {STINT_PATH_ROOT, stint_path_last() + 1, UINT32_MAX};
    struct stint_i_node *node;
    for (size_t i = 0; i < TEST_COUNT(none); ++i)
        assert_int_equal(stint_adopt_enter(none[i], &node), STINT_ERROR_INVALID_ARGUMENT);
}

TEST(what_does_not_run_cannot_end)
{
    uint32_t path = path_of("not begun");
    struct stint_i_node *node;
    assert_int_equal(stint_adopt_enter(path, &node), STINT_OK);
    assert_int_equal(stint_adopt_leave(node), STINT_OK);
    assert_int_equal(stint_adopt_leave(node), STINT_ERROR_NOT_STARTED);
    check_dropped((struct stint_dropped){.mismatched = 1});
}

TEST(scopes_that_did_not_end_are_abandoned)
{
    uint32_t path = path_of("waits");
    struct stint_i_node *node;
    assert_int_equal(stint_adopt_enter(path, &node), STINT_OK);
    enter("left by longjmp");
    assert_int_equal(stint_adopt_leave(node), STINT_OK);
    assert_int_equal(stint_path_current(), STINT_PATH_ROOT);
    check_dropped((struct stint_dropped){.abandoned = 1});
}

static void *exit_early(void *path)
{
    struct stint_i_node *node;
    assert_int_equal(stint_adopt_enter(*(uint32_t *)path, &node), STINT_OK);
    return NULL;
}

TEST(thread_that_exits_ends_what_it_adopted_only)
{
    uint32_t path = path_of("three/scopes/around");
    in_thread(exit_early, &path);
    check_dropped((struct stint_dropped){0});
}

TEST(running_work_is_seen)
{
    uint32_t path = path_of("is waiting");
    struct stint_i_node *node;
    assert_int_equal(stint_adopt_enter(path, &node), STINT_OK);
    clock_advance(30);
    assert_int_equal(now_at("is waiting/(other threads)").running, 1);
    assert_int_equal(now_at("is waiting/(other threads)").running_ns, 30);
    assert_int_equal(now_at("is waiting").running, 0);
    reset_set(NULL, STINT_RESET_ALL);
    clock_advance(5);
    assert_int_equal(stint_adopt_leave(node), STINT_OK);
    assert_int_equal(now_at("is waiting/(other threads)").total_ns, 5);
}

TEST(while_recording_is_off_nothing_is_adopted)
{
    uint32_t path = path_of("before");
    struct stint_i_node *node;
    stint_registry_set_enabled(0);
    assert_int_equal(stint_adopt_enter(path, &node), STINT_OK);
    assert_null(node);
    stint_registry_set_enabled(1);
    assert_int_equal(stint_adopt_enter(path, &node), STINT_OK);
    stint_registry_set_enabled(0);
    clock_advance(3);
    assert_int_equal(stint_adopt_leave(node), STINT_OK);
    stint_registry_set_enabled(1);
    assert_int_equal(now_at("before/(other threads)").total_ns, 3);
}

static void *adopt_without_room(void *path)
{
    struct stint_i_node *node;
    stint_limits.nodes = 0;
    assert_int_equal(stint_adopt_enter(*(uint32_t *)path, &node), STINT_ERROR_LIMIT);
    assert_null(node);
    return NULL;
}

TEST(beyond_the_limit_of_contexts_nothing_is_adopted)
{
    uint32_t path = path_of("no room");
    in_thread(adopt_without_room, &path);
    check_dropped((struct stint_dropped){.nodes = 1});
}

TEST(in_a_signal_handler_that_interrupted_stint_nothing_is_adopted)
{
    uint32_t path = path_of("interrupted");
    struct stint_i_node *node;
    assert_true(stint_guard_begin());
    assert_int_equal(stint_adopt_enter(path, &node), STINT_ERROR_BUSY);
    assert_int_equal(stint_adopt_launch(1, NULL), STINT_PATH_ROOT);
    stint_guard_end();
    check_dropped((struct stint_dropped){.reentrant = 1});
}

/* ----------------------------------------------------------------------------------------------------- many threads */

enum { WORKERS = 4, TASKS = 2000 };

struct worker {
    pthread_t thread;
    const uint32_t *paths;
};

static void *work_much(void *argument)
{
    const struct worker *worker = argument;
    for (uint32_t i = 0; i < TASKS; ++i) {
        struct stint_i_node *node;
        if (stint_adopt_enter(worker->paths[i % 3], &node))
            return NULL;
        stint_i_leave(enter("one of many"));
        stint_adopt_leave(node);
    }
    return NULL;
}

TEST(many_workers_adopt_at_once)
{
    const uint32_t paths[] = {path_of("p/q"), path_of("p"), path_of("r")};
    struct worker workers[WORKERS];
    for (size_t i = 0; i < WORKERS; ++i) {
        workers[i].paths = paths;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work_much, &workers[i]), 0);
    }
    for (int i = 0; i < 50; ++i) {
        struct stint_i_node *scope = enter("p");
        stint_snapshot_free(take());
        stint_i_leave(scope);
    }
    for (size_t i = 0; i < WORKERS; ++i)
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    assert_int_equal(now_of("one of many").count, WORKERS * TASKS);
    assert_int_equal(now_at("p/q/(other threads)/one of many").count, WORKERS * ((TASKS + 2) / 3));
    check_dropped((struct stint_dropped){0});
}

/* ---------------------------------------------------------------------------------------------------------- by rule */

struct launch {
    const char *thread;
    uint32_t path;
};

static void *launch(void *argument)
{
    struct launch *launch = argument;
    prctl(PR_SET_NAME, launch->thread, 0, 0, 0);
    launch->path = stint_adopt_launch(1, NULL);
    return NULL;
}

static uint32_t launch_on(const char *thread)
{
    struct launch launched = {thread, STINT_PATH_NONE};
    in_thread(launch, &launched);
    return launched.path;
}

TEST(launch_of_a_thread_without_scopes_belongs_to_the_main_threads_scope)
{
    struct stint_i_node *scope = enter("backward"), *call = stint_call_enter(stint_call_id("cudaAround"));
    uint32_t path = stint_path_current();
    assert_int_equal(stint_path_at(launch_on("pt_autograd_0")).parent, path);
    assert_int_equal(stint_path_at(launch_on("pt_autograd_12")).parent, path);
    assert_int_equal(launch_on("pt_other"), STINT_PATH_ROOT);
    stint_adopted_work = STINT_ADOPT_LAUNCHES;
    assert_int_equal(stint_path_at(launch_on("pt_other")).parent, path);
    assert_int_equal(stint_path_at(launch_on("pt_autograd_0")).parent, path);
    stint_adopted_work = STINT_ADOPT_NOTHING;
    assert_int_equal(launch_on("pt_autograd_0"), STINT_PATH_ROOT);
    stint_call_leave(call);
    stint_i_leave(scope);
}

TEST(without_a_scope_that_waits_it_belongs_to_none)
{
    stint_adopted_work = STINT_ADOPT_ALL;
    assert_int_equal(launch_on("pt_autograd_0"), STINT_PATH_ROOT);
    assert_int_equal(launch_on("other"), STINT_PATH_ROOT);
}

static void *enter_scopes(void *unused)
{
    prctl(PR_SET_NAME, "pt_autograd_0", 0, 0, 0);
    for (int i = 0; i < 2; ++i) {
        struct stint_i_node *outer = enter("MulBackward0"), *inner = enter("aten::mul");
        clock_advance(20);
        stint_i_leave(inner);
        stint_i_leave(outer);
        clock_advance(100); /* waits for work */
    }
    return unused;
}

TEST(scopes_of_a_helper_are_adopted_one_by_one)
{
    struct stint_i_node *scope = enter("waits for scopes");
    in_thread(enter_scopes, NULL);
    stint_i_leave(scope);
    assert_int_equal(now_at("waits for scopes/(other threads)").count, 2);
    assert_int_equal(now_at("waits for scopes/(other threads)").total_ns, 40);
    assert_int_equal(now_at("waits for scopes/(other threads)/MulBackward0/aten::mul").count, 2);
    in_thread(enter_scopes, NULL); /* nobody waits */
    assert_int_equal(now_at("MulBackward0/aten::mul").count, 2);
    check_dropped((struct stint_dropped){0});
}

static void *enter_beyond_the_limit(void *unused)
{
    const uint64_t nodes = stint_limits.nodes;
    prctl(PR_SET_NAME, "pt_autograd_0", 0, 0, 0);
    stint_i_leave(enter("within the limit"));
    stint_limits.nodes = 0;
    assert_null(enter("beyond it"));
    assert_int_equal(stint_path_current(), STINT_PATH_ROOT);
    assert_null(stint_call_enter(stint_call_id("cudaBeyondIt")));
    assert_int_equal(stint_path_current(), STINT_PATH_ROOT);
    stint_limits.nodes = nodes;
    return unused;
}

TEST(scope_that_is_dropped_leaves_nothing_adopted)
{
    struct stint_i_node *scope = enter("waits for the limit");
    in_thread(enter_beyond_the_limit, NULL);
    stint_i_leave(scope);
    assert_int_equal(now_at("waits for the limit/(other threads)").count, 2);
    check_dropped((struct stint_dropped){.nodes = 2});
}

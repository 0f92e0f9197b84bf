#include "contexts/contexts.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"
#include "record/fixture.h"
#include "record/thread.h"
#include "stint_test.h"

/* Writes "outer/inner"; "" is the root. */
static void write_path(char *text, size_t size, uint32_t path)
{
    text[0] = '\0';
    if (path == STINT_PATH_ROOT)
        return;
    struct stint_path at = stint_path_at(path);
    write_path(text, size, at.parent);
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s", used ? "/" : "", stint_registry_entry(at.id)->name);
}

static const char *text_of(uint32_t path)
{
    static char text[256];
    write_path(text, sizeof text, path);
    return text;
}

/* Runs the scopes a/b/c; returns what `ask`, if any, says in the innermost. */
static uint32_t run_scopes(const char *scopes, uint32_t (*ask)(void))
{
    char names[256];
    strcpy(names, scopes);
    for (char *rest = names, *name; (name = strtok_r(rest, "/", &rest));)
        enter(name);
    uint32_t path = ask ? ask() : STINT_PATH_NONE;
    while (stint_i_self->current->parent)
        stint_scope_leave(stint_i_self->current, 0);
    return path;
}

static uint32_t path_within(const char *scopes)
{
    return run_scopes(scopes, stint_path_current);
}

/* ----------------------------------------------------------------------------------------------------------- memory */

TEST_ONCE(fixture_start, NULL)
TEST_EACH(fixture_reset, NULL)

/* First: later there is a table. */
TEST(without_memory_there_is_no_path)
{
    struct stint_i_node *node = enter("without memory for a path");
    assert_int_equal(stint_path_at(STINT_PATH_ROOT).id, 0);
    memory_fail_after(0);
    assert_int_equal(stint_path_current(), STINT_PATH_NONE);
    assert_int_not_equal(memory_recover(), 0);
    assert_int_equal(stint_path_current(), STINT_PATH_NONE);
    enter("within it");
    assert_int_equal(stint_path_current(), STINT_PATH_NONE);
    stint_scope_leave(stint_i_self->current, 0);
    stint_i_leave(node);
    assert_int_equal(stint_path_last(), STINT_PATH_ROOT);
    assert_string_equal(text_of(path_within("with memory")), "with memory");
    check_dropped((struct stint_dropped){0});
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static void *look(void *path)
{
    *(uint32_t *)path = stint_path_current();
    return NULL;
}

TEST(outside_of_scopes_the_path_is_the_root)
{
    uint32_t path = 0;
    in_thread(look, &path);
    assert_int_equal(path, STINT_PATH_ROOT);
    run("a scope that ended", 1);
    assert_int_equal(stint_path_current(), STINT_PATH_ROOT);
}

TEST(a_path_leads_from_the_root_to_the_innermost_scope)
{
    assert_string_equal(text_of(path_within("p1")), "p1");
    assert_string_equal(text_of(path_within("p1/p2/p3")), "p1/p2/p3");
    assert_string_equal(text_of(path_within("p3/p3")), "p3/p3");
    assert_string_equal(text_of(path_within("p1/p2")), "p1/p2");
}

TEST(a_parent_is_less_than_its_children_and_none_is_more_than_the_last)
{
    for (uint32_t i = 0; i < 50; ++i) {
        char scopes[64];
        (void)snprintf(scopes, sizeof scopes, "q%u/q%u/q%u", i % 3, i % 5, i % 7);
        uint32_t path = path_within(scopes);
        assert_true(path <= stint_path_last());
        for (; path != STINT_PATH_ROOT; path = stint_path_at(path).parent)
            assert_in_range(stint_path_at(path).parent, STINT_PATH_ROOT, path - 1);
    }
}

TEST(the_root_and_what_was_never_a_path_lead_nowhere)
{
    const uint32_t none[] = {STINT_PATH_NONE, STINT_PATH_ROOT, stint_path_last() + 1, UINT32_MAX};
    for (size_t i = 0; i < TEST_COUNT(none); ++i) {
        assert_int_equal(stint_path_at(none[i]).parent, STINT_PATH_NONE);
        assert_int_equal(stint_path_at(none[i]).id, 0);
    }
}

static void *look_within(void *path)
{
    *(uint32_t *)path = path_within("of/all/threads");
    return NULL;
}

TEST(a_path_has_one_number_in_all_threads_and_for_ever)
{
    const uint32_t path = path_within("of/all/threads");
    uint32_t other = 0;
    assert_int_equal(path_within("of/all/threads"), path);
    in_thread(look_within, &other);
    assert_int_equal(other, path);
    reset_set(NULL, STINT_RESET_ALL);
    assert_int_equal(path_within("of/all/threads"), path);
    in_thread(look_within, &other); /* in the record of the first */
    assert_int_equal(other, path);
    assert_string_equal(text_of(path), "of/all/threads");
}

TEST(paths_are_told_apart_by_parent_and_by_statistic)
{
    const uint32_t paths[] = {path_within("r1"),    path_within("r2"),    path_within("r1/r2"),    path_within("r2/r1"),
                              path_within("r2/r2"), path_within("r1/r1"), path_within("r1/r1/r1"), STINT_PATH_ROOT};
    for (size_t i = 0; i < TEST_COUNT(paths); ++i)
        for (size_t j = 0; j < i; ++j)
            assert_int_not_equal(paths[i], paths[j]);
}

TEST(scopes_that_nobody_asks_in_have_no_number)
{
    const uint32_t before = stint_path_last();
    struct stint_i_node *node = enter("nobody asks");
    run("nor here", 1);
    assert_int_equal(stint_path_last(), before);
    stint_path_current();
    assert_int_equal(stint_path_last(), before + 1);
    stint_path_current();
    assert_int_equal(stint_path_last(), before + 1);
    stint_i_leave(node);
}

TEST(a_path_may_be_a_thousand_scopes_long)
{
    enum { DEPTH = 1000 };
    struct stint_i_node *nodes[DEPTH];

    for (int i = 0; i < DEPTH; ++i)
        nodes[i] = enter(i % 3 ? "deep" : "deeper");
    uint32_t path = stint_path_current();
    for (int i = DEPTH; i-- > 0; path = stint_path_at(path).parent) {
        assert_int_equal(stint_path_at(path).id, nodes[i]->id);
        stint_i_leave(nodes[i]);
    }
    assert_int_equal(path, STINT_PATH_ROOT);
}

/* ------------------------------------------------------------------------------------------------------------ calls */

TEST(calls_are_passed_over)
{
    struct stint_i_node *scope = enter("calls");
    struct stint_i_node *call = stint_call_enter(stint_call_id("cudaPassedOver"));
    assert_string_equal(text_of(stint_path_current()), "calls");
    struct stint_i_node *within = enter("called back");
    assert_string_equal(text_of(stint_path_current()), "calls/called back");
    stint_i_leave(within);
    stint_call_leave(call);
    assert_string_equal(text_of(stint_path_current()), "calls");
    stint_i_leave(scope);
}

TEST(in_a_call_outside_of_scopes_the_path_is_the_root)
{
    struct stint_i_node *call = stint_call_enter(stint_call_id("cudaAlone"));
    assert_int_equal(stint_path_current(), STINT_PATH_ROOT);
    stint_call_leave(call);
}

/* ----------------------------------------------------------------------------------------------------------- limits */

TEST(beyond_the_limit_of_nodes_there_is_no_path)
{
    const uint32_t known = path_within("within the limit");
    run_scopes("the last/one path too many/and another", NULL);
    stint_limits.nodes = stint_path_last() - STINT_PATH_ROOT + 1;
    assert_string_equal(text_of(path_within("the last")), "the last");
    assert_int_equal(stint_path_last(), stint_limits.nodes + STINT_PATH_ROOT);
    for (int round = 0; round < 2; ++round) {
        assert_int_equal(path_within("the last/one path too many"), STINT_PATH_NONE);
        assert_int_equal(path_within("the last/one path too many/and another"), STINT_PATH_NONE);
        assert_int_equal(path_within("within the limit"), known);
    }
    assert_int_equal(stint_path_last(), stint_limits.nodes + STINT_PATH_ROOT);
    check_dropped((struct stint_dropped){0});
}

TEST(in_a_signal_handler_that_interrupted_stint_only_known_paths_have_a_number)
{
    const uint32_t known = path_within("known to the handler");
    struct stint_i_node *node = enter("known to the handler");
    struct stint_i_node *unknown;
    assert_true(stint_guard_begin());
    assert_int_equal(stint_path_current(), known);
    stint_guard_end();
    unknown = enter("unknown to the handler");
    assert_true(stint_guard_begin());
    assert_int_equal(stint_path_current(), STINT_PATH_NONE);
    stint_guard_end();
    assert_string_equal(text_of(stint_path_current()), "known to the handler/unknown to the handler");
    stint_i_leave(unknown);
    stint_i_leave(node);
    check_dropped((struct stint_dropped){0});
}

/* ---------------------------------------------------------------------------------------------------------- threads */

enum { THREADS = 8, PATHS = 300 };

struct walker {
    pthread_t thread;
    uint64_t seed;
    uint32_t paths[PATHS];
};

static void *walk(void *argument)
{
    struct walker *walker = argument;
    for (unsigned step = 0; step < 4 * PATHS; ++step) {
        const unsigned i = (unsigned)(test_random(&walker->seed) % PATHS);
        char scopes[64];
        (void)snprintf(scopes, sizeof scopes, "w%u/w%u/w%u", i % 5, i / 5 % 6, i / 30);
        walker->paths[i] = path_within(scopes);
        if (stint_path_at(walker->paths[i]).id == 0)
            walker->paths[i] = UINT32_MAX;
    }
    return NULL;
}

TEST(threads_that_ask_at_once_agree)
{
    static struct walker walkers[THREADS];
    uint32_t paths[PATHS] = {0};
    for (size_t i = 0; i < THREADS; ++i) {
        walkers[i].seed = i;
        assert_int_equal(pthread_create(&walkers[i].thread, NULL, walk, &walkers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_join(walkers[i].thread, NULL), 0);
    for (size_t i = 0; i < THREADS; ++i)
        for (size_t at = 0; at < PATHS; ++at) {
            const uint32_t path = walkers[i].paths[at];
            if (path && paths[at])
                assert_int_equal(path, paths[at]);
            if (path) {
                char scopes[64];
                (void)snprintf(scopes, sizeof scopes, "w%zu/w%zu/w%zu", at % 5, at / 5 % 6, at / 30);
                assert_string_equal(text_of(path), scopes);
                paths[at] = path;
            }
        }
}

/* ------------------------------------------------------------------------------------------------------------- fork */

/* In the child: 0 if all is as it must be. */
static int look_after_fork(uint32_t known)
{
    stint_registry_reset_lock();
    stint_thread_after_fork();
    if (path_within("of/parent/and/child") != known)
        return 1;
    if (strcmp(text_of(known), "of/parent/and/child") != 0)
        return 2;
    return strcmp(text_of(path_within("of/parent/no/more")), "of/parent/no/more") ? 3 : 0;
}

TEST(a_forked_child_has_its_parents_paths)
{
    const uint32_t known = path_within("of/parent/and/child");
    const pid_t child = fork();
    int status = 0;
    if (child == 0)
        _exit(look_after_fork(known));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

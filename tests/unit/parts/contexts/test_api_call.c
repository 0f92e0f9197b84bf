/* stint_scope_enter_id and stint_scope_leave are wrapped to see who takes the slow path. */
#include "contexts/contexts.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/fixture.h"
#include "record/thread.h"
#include "stint_test.h"

static int s_slow; /* enters and leaves of the slow path */

struct stint_i_node *__real_stint_scope_enter_id(uint32_t id);
uint64_t __real_stint_scope_leave(struct stint_i_node *node, uint64_t now);
struct stint_i_node *__wrap_stint_scope_enter_id(uint32_t id)
{
    ++s_slow;
    return __real_stint_scope_enter_id(id);
}

uint64_t __wrap_stint_scope_leave(struct stint_i_node *node, uint64_t now)
{
    ++s_slow;
    return __real_stint_scope_leave(node, now);
}

static uint64_t call(const char *name, uint64_t ns)
{
    struct stint_i_node *node = stint_call_enter(stint_call_id(name));
    clock_advance(ns);
    return stint_call_leave(node);
}

/* Returns the statistic's numbers, zero if there is none. */
static struct stint_numbers now_of_call(const char *name)
{
    struct stint_snapshot *snapshot = take();
    const struct stint_stat *stat = stint_snapshot_find(snapshot, STINT_API_SET, name);
    struct stint_numbers numbers = {0};
    if (stat)
        numbers = stat->numbers;
    stint_snapshot_free(snapshot);
    return numbers;
}

/* -------------------------------------------------------------------------------------------------------------- ids */

/* In the child: 0 if the id is refused, and the set is what was counted. */
static int ask_beyond_the_sets(void)
{
    char name[16];
    for (int i = 1; i < STINT_MAX_SETS; ++i) {
        (void)snprintf(name, sizeof name, "set %d", i);
        stint_registry_set(name);
    }
    uint32_t id = stint_call_id("cudaFree");
    return id != 0 || stint_dropped.sets != 1;
}

TEST_ONCE(fixture_start, NULL)
TEST_EACH(fixture_reset, NULL)

/* First: then there is no such set yet. In another set, calls would be taken for scopes. */
TEST(without_room_for_their_set_calls_have_no_id)
{
    const pid_t child = fork();
    int status = 0;
    if (child == 0)
        _exit(ask_beyond_the_sets());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(a_function_is_a_statistic_of_the_api_set)
{
    char name[] = "cudaMalloc";
    const uint32_t id = stint_call_id(name);
    assert_int_not_equal(id, 0);
    assert_string_equal(stint_registry_entry(id)->set->name, STINT_API_SET);
    assert_int_equal(stint_call_id("cudaMalloc"), id);
    assert_int_not_equal(stint_call_id("cudaMallocHost"), id);
    name[0] = '?';
    assert_string_equal(stint_registry_entry(id)->name, "cudaMalloc");
}

TEST(only_calls_are_calls)
{
    struct stint_i_node *node = enter("no call");
    assert_true(stint_call_is(stint_call_id("cudaMalloc")));
    assert_false(stint_call_is(node->id));
    assert_false(stint_call_is(0));
    stint_i_leave(node);
}

TEST(beyond_the_limit_of_names_there_is_no_id)
{
    stint_limits.names = stint_registry_last_id();
    assert_int_equal(stint_call_id("one function too many"), 0);
    check_dropped((struct stint_dropped){.names = 1});
}

TEST(a_signal_handler_that_interrupted_stint_gets_no_id)
{
    assert_true(stint_guard_begin());
    assert_int_equal(stint_call_id("cudaMalloc"), 0);
    stint_guard_end();
    check_dropped((struct stint_dropped){.reentrant = 1});
}

/* ----------------------------------------------------------------------------------------------------------- counts */

TEST(a_call_is_timed_and_counted)
{
    assert_int_equal(call("cudaTimed", 30), 30);
    assert_int_equal(call("cudaTimed", 50), 50);
    assert_int_equal(now_of_call("cudaTimed").count, 2);
    assert_int_equal(now_of_call("cudaTimed").total_ns, 80);
    assert_int_equal(now_of_call("cudaTimed").min_ns, 30);
    assert_int_equal(now_of_call("cudaTimed").max_ns, 50);
    check_dropped((struct stint_dropped){0});
}

TEST(a_call_stands_below_the_scope_that_made_it)
{
    struct stint_i_node *node = enter("made a call");
    clock_advance(5);
    call("cudaBelow", 30);
    stint_i_leave(node);
    assert_int_equal(now_at("made a call/cudaBelow").total_ns, 30);
    assert_int_equal(now_at("made a call").total_ns, 35);
    assert_int_equal(now_at("made a call").self_ns, 5);
}

TEST(a_call_without_id_is_nothing)
{
    struct stint_i_node *node = enter("around no call");
    s_slow = 0;
    assert_null(stint_call_enter(0));
    assert_int_equal(stint_call_leave(NULL), 0);
    assert_int_equal(s_slow, 0);
    assert_ptr_equal(stint_i_self->current, node);
    stint_i_leave(node);
    check_dropped((struct stint_dropped){0});
}

TEST(a_call_made_while_recording_is_off_is_nothing)
{
    const uint32_t id = stint_call_id("cudaOff");
    stint_registry_set_enabled(0);
    s_slow = 0;
    assert_null(stint_call_enter(id));
    assert_int_equal(s_slow, 0);
    stint_registry_set_enabled(1);
    assert_int_equal(now_of_call("cudaOff").count, 0);
}

TEST(a_call_that_runs_when_recording_is_switched_off_counts)
{
    struct stint_i_node *node = stint_call_enter(stint_call_id("cudaSwitched"));
    clock_advance(4);
    stint_registry_set_enabled(0);
    assert_int_equal(stint_call_leave(node), 4);
    stint_registry_set_enabled(1);
    assert_int_equal(now_of_call("cudaSwitched").count, 1);
}

TEST(a_call_that_runs_is_reported_as_running)
{
    struct stint_i_node *node = stint_call_enter(stint_call_id("cudaHangs"));
    clock_advance(70);
    assert_int_equal(now_of_call("cudaHangs").running, 1);
    assert_int_equal(now_of_call("cudaHangs").running_ns, 70);
    stint_call_leave(node);
}

TEST(a_call_amid_which_all_is_reset_counts_from_there)
{
    struct stint_i_node *node = stint_call_enter(stint_call_id("cudaReset"));
    clock_advance(70);
    reset_set(NULL, STINT_RESET_ALL);
    clock_advance(7);
    assert_int_equal(stint_call_leave(node), 7);
    assert_int_equal(now_of_call("cudaReset").count, 1);
    assert_int_equal(now_of_call("cudaReset").total_ns, 7);
}

static void *call_first(void *argument)
{
    call(argument, 9);
    return NULL;
}

TEST(the_first_that_a_thread_does_may_be_a_call)
{
    in_thread(call_first, "cudaFirst");
    assert_int_equal(now_of_call("cudaFirst").total_ns, 9);
}

TEST(beyond_the_limit_of_nodes_calls_are_dropped)
{
    const uint32_t id = stint_call_id("cudaTooMany");
    call("cudaFits", 1);
    stint_limits.nodes = 0;
    assert_null(stint_call_enter(id));
    assert_int_equal(call("cudaFits", 3), 3);
    check_dropped((struct stint_dropped){.nodes = 1});
}

/* ------------------------------------------------------------------------------------------------------------- fast */

TEST(a_call_takes_the_fast_half_where_scopes_do)
{
    const uint32_t id = stint_call_id("cudaFast");
    stint_registry_set_inline(1);
    stint_call_leave(stint_call_enter(id)); /* makes the node */
    s_slow = 0;
    for (int i = 0; i < 10; ++i)
        stint_call_leave(stint_call_enter(id));
    assert_int_equal(s_slow, 0);
    stint_registry_set_inline(0);
    stint_call_leave(stint_call_enter(id));
    assert_int_equal(s_slow, 2);
    assert_int_equal(now_of_call("cudaFast").count, 12);
}

TEST(the_fast_half_leaves_what_is_unusual_to_the_slow_one)
{
    const uint32_t id = stint_call_id("cudaUnusual");
    stint_registry_set_inline(1);
    stint_call_leave(stint_call_enter(id));
    struct stint_i_node *node = stint_call_enter(id);
    stint_call_enter(id);
    stint_call_leave(node);
    stint_call_leave(node);
    stint_registry_set_inline(0);
    assert_int_equal(stint_dropped.abandoned, 1);
    assert_int_equal(stint_dropped.mismatched, 1);
    assert_int_equal(now_of_call("cudaUnusual").count, 2); /* no span: it began by another clock */
}

TEST(a_call_whose_node_is_where_another_was_looked_for_is_found)
{
    uint32_t ids[500];
    char name[32];
    stint_registry_set_inline(1);
    for (int round = 0; round < 3; ++round)
        for (size_t i = 0; i < TEST_COUNT(ids); ++i) {
            (void)snprintf(name, sizeof name, "cudaFunction%zu", i);
            if (!round)
                ids[i] = stint_call_id(name);
            stint_call_leave(stint_call_enter(ids[i]));
        }
    stint_registry_set_inline(0);
    for (size_t i = 0; i < TEST_COUNT(ids); i += 50) {
        (void)snprintf(name, sizeof name, "cudaFunction%zu", i);
        assert_int_equal(now_of_call(name).count, 3);
    }
}

/* ---------------------------------------------------------------------------------------------------------- mishaps */

TEST(a_call_that_never_returns_is_abandoned_with_its_scope)
{
    struct stint_i_node *scope = enter("around a call that never returns");
    clock_advance(1);
    stint_call_enter(stint_call_id("cudaNeverReturns"));
    clock_advance(10);
    assert_int_equal(stint_i_leave(scope), 11);
    check_dropped((struct stint_dropped){.abandoned = 1});
    assert_int_equal(now_of_call("cudaNeverReturns").count, 0);
    assert_int_equal(now_of("around a call that never returns").self_ns, 11);
}

TEST(a_scope_left_open_in_a_call_is_abandoned_with_it)
{
    struct stint_i_node *node = stint_call_enter(stint_call_id("cudaCallsBack"));
    enter("left open in a callback");
    clock_advance(10);
    assert_int_equal(stint_call_leave(node), 10);
    check_dropped((struct stint_dropped){.abandoned = 1});
    assert_int_equal(now_of_call("cudaCallsBack").self_ns, 10);
}

TEST(a_call_left_twice_is_counted_once)
{
    struct stint_i_node *node = stint_call_enter(stint_call_id("cudaTwice"));
    stint_call_leave(node);
    assert_int_equal(stint_call_leave(node), 0);
    check_dropped((struct stint_dropped){.mismatched = 1});
    assert_int_equal(now_of_call("cudaTwice").count, 1);
}

TEST(a_call_in_a_signal_handler_that_interrupted_stint_is_dropped)
{
    const uint32_t id = stint_call_id("cudaHandler");
    assert_true(stint_guard_begin());
    assert_null(stint_call_enter(id));
    stint_guard_end();
    check_dropped((struct stint_dropped){.reentrant = 1});
}

TEST(a_call_that_seems_to_end_before_it_began_lasted_no_time)
{
    struct stint_i_node *node = stint_call_enter(stint_call_id("cudaBack"));
    clock_go_back(10);
    assert_int_equal(stint_call_leave(node), 0);
    check_dropped((struct stint_dropped){.negative = 1});
    assert_int_equal(now_of_call("cudaBack").count, 1);
}

/* --------------------------------------------------------------------------------------------------------- listener */

static char s_told[256];

static void tell_enter(uint32_t id)
{
    strcat(strcat(s_told, "+"), stint_registry_entry(id)->name);
}

static void tell_leave(uint32_t id)
{
    strcat(strcat(s_told, "-"), stint_registry_entry(id)->name);
}

TEST(listeners_hear_of_scopes_alone)
{
    static const struct stint_listener listener = {tell_enter, tell_leave};
    struct stint_i_node *outer, *inner;
    stint_scope_listen(&listener);
    outer = enter("a");
    inner = enter("b");
    call("cudaHeard", 5);
    stint_call_enter(stint_call_id("cudaAbandoned"));
    stint_i_leave(inner);
    stint_i_leave(outer);
    stint_scope_listen(NULL);
    assert_string_equal(s_told, "+a+b-b-a");
}

#include "gpu/correlate.h"

#include <stdio.h>

#include "contexts/contexts.h"
#include "memory.h"
#include "record/fixture.h"
#include "record/thread.h"
#include "stint_test.h"

enum { LIMIT = 300, FIRST = 1000 };

static uint32_t s_correlation;

static int setup(void **state)
{
    if (fixture_reset(state))
        return -1;
    stint_instance_forget();
    s_correlation = FIRST;
    return 0;
}

/* Launches, as gpu/callback.c tells it. Returns the instance's number. */
static uint32_t launch(void)
{
    (void)stint_path_current();
    stint_instance_note(++s_correlation, stint_i_self->current);
    return stint_instance_of(s_correlation);
}

static struct stint_i_node *begin(const char *name)
{
    clock_advance(10);
    return enter(name);
}

static void end(struct stint_i_node *node)
{
    clock_advance(10);
    stint_scope_leave(node, 0);
}

static const char *name_of(uint32_t instance)
{
    return stint_registry_entry(stint_path_at(stint_instance_at(instance).path).id)->name;
}

TEST_ONCE(fixture_start, NULL)
TEST_EACH(setup, NULL)

/* First: the tables are made once. */
TEST(without_memory_or_start_nothing_is_known)
{
    struct stint_i_node *scope = begin("early");
    assert_int_equal(launch(), 0);
    assert_int_equal(stint_instance_last(), 0);
    stint_instance_forget();
    assert_int_equal(stint_instance_start(0), 0);
    for (long calls = 0; calls < 3; ++calls) {
        memory_fail_after(calls);
        assert_int_equal(stint_instance_start(LIMIT), -1);
        memory_recover();
        assert_int_equal(launch(), 0);
    }
    assert_int_equal(stint_instance_start(LIMIT), 0);
    assert_true(launch() != 0);
    end(scope);
}

TEST(launches_in_one_activation_are_of_one_instance)
{
    struct stint_i_node *scope = begin("same");
    const uint32_t first = launch(), second = launch();
    assert_true(first != 0);
    assert_int_equal(first, second);
    assert_string_equal(name_of(first), "same");
    assert_int_equal(stint_instance_at(first).parent, 0);
    end(scope);
}

TEST(each_activation_is_an_instance)
{
    uint32_t first, second;
    struct stint_i_node *scope = begin("again");
    first = launch();
    end(scope);
    scope = begin("again");
    second = launch();
    end(scope);
    assert_true(first && second && first != second);
    assert_int_equal(stint_instance_at(first).path, stint_instance_at(second).path);
}

TEST(instance_knows_the_one_around_it)
{
    struct stint_i_node *outer = begin("outer"), *middle = begin("middle"), *inner = begin("inner");
    const uint32_t in = launch(), between = stint_instance_at(in).parent, out = stint_instance_at(between).parent;
    assert_string_equal(name_of(in), "inner");
    assert_string_equal(name_of(between), "middle");
    assert_string_equal(name_of(out), "outer");
    assert_int_equal(stint_instance_at(out).parent, 0);
    assert_true(out < between && between < in);
    end(inner);
    assert_int_equal(launch(), between);
    inner = begin("inner");
    assert_int_equal(stint_instance_at(launch()).parent, between);
    end(inner);
    end(middle);
    end(outer);
}

TEST(calls_are_passed_over)
{
    struct stint_i_node *scope = begin("caller");
    const uint32_t before = launch();
    struct stint_i_node *node = stint_call_enter(stint_call_id("cudaSomething"));
    assert_non_null(node);
    assert_int_equal(launch(), before);
    stint_call_leave(node);
    end(scope);
    node = stint_call_enter(stint_call_id("cudaSomething"));
    assert_int_equal(launch(), 0);
    stint_call_leave(node);
}

TEST(outside_of_scopes_there_is_none)
{
    run("elsewhere", 5);
    assert_int_equal(launch(), 0);
}

TEST(what_was_not_noted_is_unknown)
{
    struct stint_i_node *scope = begin("known");
    launch();
    assert_int_equal(stint_instance_of(s_correlation + 1), 0);
    assert_int_equal(stint_instance_of(s_correlation + (1 << 20)), 0); /* of the same slot */
    stint_instance_note(0, stint_i_self->current);
    assert_int_equal(stint_instance_of(0), 0);
    end(scope);
}

TEST(other_numbers_are_nobodys)
{
    assert_int_equal(stint_instance_at(0).path, STINT_PATH_NONE);
    assert_int_equal(stint_instance_at(stint_instance_last() + 1).path, STINT_PATH_NONE);
    assert_int_equal(stint_instance_at(UINT32_MAX).path, STINT_PATH_NONE);
}

TEST(forgetting_begins_anew)
{
    struct stint_i_node *scope = begin("forgotten");
    launch();
    stint_instance_forget();
    assert_int_equal(stint_instance_of(s_correlation), 0);
    assert_int_equal(stint_instance_last(), 0);
    assert_int_equal(launch(), 1);
    end(scope);
}

/* Deeper than what is noted at a time. */
TEST(chain_may_be_long)
{
    enum { DEPTH = 200 };
    struct stint_i_node *nodes[DEPTH];

    for (int i = 0; i < DEPTH; ++i)
        nodes[i] = begin("deep");
    uint32_t instance = launch();
    assert_int_equal(stint_instance_last(), DEPTH);
    for (int i = DEPTH; i > 0; --i) {
        assert_int_equal(instance, i);
        instance = stint_instance_at(instance).parent;
    }
    assert_int_equal(instance, 0);
    for (int i = DEPTH; i-- > 0;)
        end(nodes[i]);
}

TEST(beyond_the_limit_there_are_none)
{
    for (int i = 0; i < LIMIT + 10; ++i) {
        struct stint_i_node *scope = begin("many");
        assert_int_equal(launch() != 0, i < LIMIT);
        end(scope);
    }
    assert_int_equal(stint_instance_last(), LIMIT);
}

TEST(chain_that_does_not_fit_is_unknown)
{
    struct stint_i_node *nodes[LIMIT + 1];
    for (int i = 0; i <= LIMIT; ++i)
        nodes[i] = begin("too deep");
    assert_int_equal(launch(), 0);
    for (int i = LIMIT; i >= 0; --i)
        end(nodes[i]);
}

static void *launch_twice(void *argument)
{
    for (int i = 0; i < 2; ++i) {
        struct stint_i_node *scope = begin("threads");
        stint_path_current();
        stint_instance_note((uint32_t)(uintptr_t)argument + (uint32_t)i, stint_i_self->current);
        end(scope);
    }
    return NULL;
}

TEST(threads_have_their_own)
{
    in_thread(launch_twice, (void *)(uintptr_t)10);
    in_thread(launch_twice, (void *)(uintptr_t)20);
    for (uint32_t i = 0; i < 2; ++i) {
        assert_int_equal(stint_instance_of(10 + i), 1 + i);
        assert_int_equal(stint_instance_of(20 + i), 3 + i);
    }
}

/* Ranges that cannot be recorded, or not as usual: beyond limits, switched off, at the ends of threads. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "memory.h"
#include "nvtx/client.h"
#include "nvtx/domain.h"
#include "record/fixture.h"
#include "stint_test.h"

/* ----------------------------------------------------------------------------------------------------------- limits */

TEST_ONCE(client_start, NULL)
TEST_EACH(client_reset, NULL)

TEST(what_cannot_be_recorded_still_has_a_level)
{
    stint_limits.nodes = 0;
    assert_int_equal(push("no node"), 0);
    assert_int_equal(push("nor here"), 1);
    assert_int_equal(pop(), 1);
    assert_int_equal(pop(), 0);
    check_dropped((struct stint_dropped){.nodes = 2});
    assert_int_equal(of("NVTX", "no node").count, 0);
}

struct refused {
    int level;
    int popped;
    int error;
};

static void *push_refused(void *argument)
{
    struct refused *refused = argument;
    errno = 42;
    refused->level = push("refused");
    refused->popped = pop();
    refused->error = errno;
    return NULL;
}

TEST(a_thread_beyond_the_limit_is_untracked_and_keeps_errno)
{
    struct refused refused;
    stint_limits.threads = 0;
    in_thread(push_refused, &refused);
    assert_int_equal(refused.level, STINT_NVTX_UNTRACKED);
    assert_int_equal(refused.popped, STINT_NVTX_UNTRACKED);
    assert_int_equal(refused.error, 42);
    assert_true(stint_dropped.threads > 0);
    assert_int_equal(stint_dropped.mismatched, 0);
}

TEST(errno_stays_when_memory_runs_out)
{
    char name[32];
    long failed = 0;
    errno = 42;
    for (int i = 0; i < 2000; ++i) {
        memory_fail_after(0);
        snprintf(name, sizeof name, "short of memory %d", i);
        push(name);
        register_text(NULL, name);
        pop();
        failed += memory_recover();
    }
    assert_true(failed > 0);
    assert_int_equal(errno, 42);
}

/* ----------------------------------------------------------------------------------------------------- switched off */

static void *off_then_on(void *levels)
{
    int *level = levels;
    stint_registry_set_enabled(0);
    level[0] = push("while off");
    level[1] = push("while off, too");
    stint_registry_set_enabled(1);
    level[2] = push("on again");
    level[3] = pop();
    level[4] = pop();
    level[5] = pop();
    level[6] = pop();
    return NULL;
}

TEST(ranges_pushed_while_off_are_untracked_and_popped_in_peace)
{
    int levels[7];
    in_thread(off_then_on, levels);
    assert_int_equal(levels[0], STINT_NVTX_UNTRACKED);
    assert_int_equal(levels[1], STINT_NVTX_UNTRACKED);
    assert_int_equal(levels[2], 0);
    assert_int_equal(levels[3], 0);
    assert_int_equal(levels[4], STINT_NVTX_UNTRACKED);
    assert_int_equal(levels[5], STINT_NVTX_UNTRACKED);
    assert_int_equal(levels[6], -1); /* one too many */
    assert_int_equal(of("NVTX", "while off").count, 0);
    assert_int_equal(of("NVTX", "on again").count, 1);
    check_dropped((struct stint_dropped){.mismatched = 1});
}

TEST(a_range_pushed_while_on_counts_when_popped_while_off)
{
    push("on");
    clock_advance(8);
    stint_registry_set_enabled(0);
    assert_int_equal(push("off"), 1);
    assert_int_equal(pop(), 1);
    assert_int_equal(pop(), 0);
    assert_true(pop() < 0);
    stint_registry_set_enabled(1);
    assert_int_equal(of("NVTX", "on").total_ns, 8);
    assert_int_equal(of("NVTX", "off").count, 0);
    check_dropped((struct stint_dropped){0});
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static void *leave_open(void *unused)
{
    push("left open");
    push("left open, too");
    return unused;
}

static void *push_once(void *level)
{
    *(int *)level = push("of another thread");
    pop();
    return NULL;
}

TEST(ranges_end_with_their_thread_and_the_next_one_begins_afresh)
{
    int level = -1;
    in_thread(leave_open, NULL);
    in_thread(push_once, &level); /* in the same record */
    assert_int_equal(level, 0);
    assert_int_equal(of("NVTX", "left open").count, 1);
    assert_int_equal(of("NVTX", "left open, too").count, 1);
    check_dropped((struct stint_dropped){0});
}

static pthread_key_t s_key;

static void push_late(void *level)
{
    *(int *)level = push("in a dying thread");
    pop();
}

static void *push_at_exit(void *level)
{
    push("in a living thread");
    pop();
    pthread_setspecific(s_key, level);
    return NULL;
}

TEST(a_dying_thread_may_push_and_pop)
{
    int level = -1;
    assert_int_equal(pthread_key_create(&s_key, push_late), 0); /* runs after stint's own */
    in_thread(push_at_exit, &level);
    pthread_key_delete(s_key);
    assert_int_equal(level, 0);
    assert_int_equal(of("NVTX", "in a dying thread").count, 1);
    assert_int_equal(of("NVTX", "in a living thread").count, 1);
}

TEST(inside_the_guard_ranges_have_levels_but_are_not_recorded)
{
    push("interrupted");
    assert_true(stint_guard_begin());
    assert_int_equal(push("in a handler"), 1);
    assert_int_equal(pop(), 1);
    stint_guard_end();
    assert_int_equal(pop(), 0);
    assert_int_equal(of("NVTX", "interrupted").count, 1);
    assert_int_equal(of("NVTX", "in a handler").count, 0);
    assert_true(stint_dropped.reentrant > 0);
    assert_int_equal(stint_dropped.mismatched, 0);
}

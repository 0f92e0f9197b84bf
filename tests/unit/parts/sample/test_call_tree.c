/* The tree of calls: src/parts/sample/call_tree.c. */
#include "sample/call_tree.h"

#include <sys/resource.h>

#include "stint_test.h"

static int start(void **state)
{
    return stint_call_tree_start();
}

TEST_ONCE(start, NULL)

TEST(place_is_one_node_below_its_caller)
{
    uint32_t latest = 0, task = stint_call_tree_child(0, STINT_CALL_TASK, 1, &latest);
    uint32_t a = stint_call_tree_child(task, 1, 0x1000, &latest);
    assert_true(task && a > task);
    assert_int_equal(stint_call_tree_child(task, 1, 0x1000, &latest), a);
    assert_int_not_equal(stint_call_tree_child(task, 2, 0x1000, &latest), a);
    assert_int_not_equal(stint_call_tree_child(task, 1, 0x1008, &latest), a);
    assert_int_not_equal(stint_call_tree_child(a, 1, 0x1000, &latest), a);
    assert_int_equal(stint_call_tree_at(a)->parent, task);
    assert_int_equal(stint_call_tree_at(a)->address, 0x1000);
    assert_int_equal(stint_call_tree_at(a)->module, 1);
    assert_int_equal(stint_call_tree_at(a)->ready, 1);
}

TEST(samples_of_a_thread_that_ends_are_of_the_past)
{
    uint32_t ours = 0, theirs = 0;
    uint32_t a = stint_call_tree_child(stint_call_tree_child(0, STINT_CALL_TASK, 2, &ours), 1, 1, &ours);
    uint32_t b = stint_call_tree_child(stint_call_tree_child(0, STINT_CALL_TASK, 3, &theirs), 1, 1, &theirs);
    stint_call_tree_count(a, 1, 100);
    stint_call_tree_count(a, 1, 300);
    stint_call_tree_count(b, 1, 7);
    stint_call_tree_retire(ours);
    assert_int_equal(stint_call_tree_at(a)->now.samples, 0);
    assert_int_equal(stint_call_tree_at(a)->past.samples, 2);
    assert_int_equal(stint_call_tree_at(a)->past.time_ns, 400);
    assert_int_equal(stint_call_tree_at(b)->now.samples, 1);
    assert_int_equal(stint_call_tree_at(b)->past.samples, 0);
    stint_call_tree_count(a, 1, 50); /* of the next thread */
    stint_call_tree_retire(ours);
    assert_int_equal(stint_call_tree_at(a)->past.time_ns, 450);
    stint_call_tree_reset();
    assert_int_equal(stint_call_tree_at(a)->past.samples + stint_call_tree_at(b)->now.samples, 0);
}

/* The first touch of a page is a fault. */
TEST(few_places_take_few_pages)
{
    struct rusage before, after;
    uint32_t latest = 0, node = stint_call_tree_child(0, STINT_CALL_TASK, 5, &latest);
    assert_int_equal(getrusage(RUSAGE_THREAD, &before), 0);
    for (uint64_t i = 0; i < 100; i++)
        node = stint_call_tree_child(node, 1, 0x1000 * i, &latest);
    assert_int_equal(getrusage(RUSAGE_THREAD, &after), 0);
    if (!TEST_SANITIZED) /* they have memory of their own beside */
        assert_in_range(after.ru_minflt - before.ru_minflt, 0, 20);
}

TEST(tree_that_is_full_keeps_what_it_has)
{
    uint32_t latest = 0, task = stint_call_tree_child(0, STINT_CALL_TASK, 4, &latest);
    uint32_t first = stint_call_tree_child(task, 9, 0, &latest), added = 1;
    for (uint64_t i = 1; i < 2 * (uint64_t)STINT_CALL_NODES; i++)
        added += stint_call_tree_child(task, 9, i, &latest) != 0;
    assert_true(added > STINT_CALL_NODES - 200 && added <= STINT_CALL_NODES);
    assert_int_equal(stint_call_tree_last(), STINT_CALL_NODES);
    assert_int_equal(stint_call_tree_child(task, 9, 0, &latest), first);
    assert_int_equal(stint_call_tree_child(task, 10, 0, &latest), 0);
}

#include "record/tree.h"

#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "record/fixture.h"
#include "record/scope.h"
#include "record/thread.h"
#include "stat/numbers.h"
#include "stint_test.h"

/* Nodes are made of ids alone, so a few statistics serve all tests. */
enum { IDS = 10001 };

static uint32_t s_first_id;

static uint32_t id_of(const char *name)
{
    const struct stint_name key = stint_registry_name(NULL, name);
    return stint_registry_id(&key, NULL);
}

static uint32_t id(uint32_t number)
{
    return s_first_id + number;
}

static int start(void **state)
{
    const int failed = fixture_start(state);
    for (uint32_t i = 0; i < IDS; ++i) {
        char name[32];
        (void)snprintf(name, sizeof name, "name %u", i);
        if (i == 0)
            s_first_id = id_of(name);
        else
            id_of(name);
    }
    return failed;
}

static struct stint_tree new_tree(enum stint_tree_kind kind)
{
    struct stint_tree tree;
    assert_int_equal(stint_tree_begin(&tree, kind), 0);
    return tree;
}

/* Adds a root's child with `count` samples of `ticks`. Returns its node. */
static struct stint_i_node *add(struct stint_tree *tree, uint32_t number, uint64_t ticks, int count)
{
    struct stint_i_node *node = stint_tree_child(tree, tree->root, id(number));
    assert_non_null(node);
    for (int i = 0; i < count; ++i) {
        stint_count(&tree->hot, node, ticks, 0);
        STINT_I_ADD(&node->self, ticks);
    }
    return node;
}

/* The samples of one bucket: in the window, counted last, and elsewhere. */
static uint64_t samples_in(const struct stint_i_node *node, uint64_t ticks)
{
    const uint32_t bucket = stint_i_bucket(ticks), place = stint_i_place(node->base, ticks);
    uint64_t sum = stint_histogram_samples(node->more, bucket);
    if (place < STINT_I_WINDOW)
        sum += node->window[place] + (uint64_t)(node->newest == place);
    return sum;
}

static uint64_t samples(const struct stint_i_node *node)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < STINT_I_BUCKETS; ++i)
        sum += samples_in(node, (uint64_t)stint_bucket_middle(i));
    return sum;
}

/* --------------------------------------------------------------------------------------------------------- children */

TEST_ONCE(start, NULL)
TEST_EACH(fixture_reset, NULL)

TEST(a_child_is_found_again)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *node = stint_tree_child(&tree, tree.root, id(1));
    assert_ptr_equal(stint_tree_child(&tree, tree.root, id(1)), node);
    assert_ptr_equal(node->parent, tree.root);
    assert_int_equal(node->id, id(1));
    assert_int_equal(tree.node_count, 2);
    stint_tree_end(&tree);
}

TEST(one_name_under_two_parents_is_two_nodes)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *a = stint_tree_child(&tree, tree.root, id(1));
    struct stint_i_node *b = stint_tree_child(&tree, tree.root, id(2));
    assert_ptr_not_equal(stint_tree_child(&tree, a, id(3)), stint_tree_child(&tree, b, id(3)));
    assert_ptr_not_equal(stint_tree_child(&tree, a, id(2)), b);
    stint_tree_end(&tree);
}

TEST(ten_thousand_children_are_kept_as_the_slots_grow)
{
    static struct stint_i_node *nodes[10000];
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    uint32_t fast = 0;
    for (uint32_t i = 0; i < TEST_COUNT(nodes); ++i)
        nodes[i] = stint_tree_child(&tree, tree.root, id(i));
    for (uint32_t i = 0; i < TEST_COUNT(nodes); ++i) {
        assert_ptr_equal(stint_tree_child(&tree, tree.root, id(i)), nodes[i]);
        fast += tree.hot.table[(tree.root->salt + id(i)) & tree.hot.mask] == nodes[i];
    }
    assert_int_equal(tree.node_count, 10001);
    assert_true(fast > 9900);
    stint_tree_end(&tree);
}

TEST(nearly_every_node_is_where_the_fast_half_looks)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *nodes[3000] = {tree.root};
    uint64_t seed = 1;
    uint32_t fast = 0;
    for (size_t i = 1; i < TEST_COUNT(nodes); ++i)
        nodes[i] = stint_tree_child(&tree, nodes[test_random(&seed) % i], id((uint32_t)(test_random(&seed) % IDS)));
    for (size_t i = 1; i < TEST_COUNT(nodes); ++i) {
        stint_i_set_current(&tree.hot, nodes[i]->parent);
        fast += stint_i_begin_child(&tree.hot, nodes[i]->id) == nodes[i];
    }
    assert_true(fast > TEST_COUNT(nodes) * 9 / 10);
    stint_tree_end(&tree);
}

TEST(a_thousand_levels_are_kept)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *node = tree.root;
    for (uint32_t i = 0; i < 1000; ++i)
        node = stint_tree_child(&tree, node, id(i));
    for (uint32_t i = 1000; i-- > 0; node = node->parent) {
        assert_int_equal(node->id, id(i));
        assert_false(node->recursive);
    }
    assert_ptr_equal(node, tree.root);
    stint_tree_end(&tree);
}

TEST(a_node_is_recursive_if_an_ancestor_has_its_id)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *a = stint_tree_child(&tree, tree.root, id(1));
    struct stint_i_node *b = stint_tree_child(&tree, a, id(2));
    assert_false(a->recursive);
    assert_false(b->recursive);
    assert_true(stint_tree_child(&tree, a, id(1))->recursive);
    assert_true(stint_tree_child(&tree, b, id(1))->recursive);
    assert_true(stint_tree_child(&tree, b, id(2))->recursive);
    assert_false(stint_tree_child(&tree, b, id(3))->recursive);
    assert_false(stint_tree_child(&tree, tree.root, id(2))->recursive);
    stint_tree_end(&tree);
}

TEST(nodes_are_linked_parents_before_children)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *nodes[200] = {tree.root};
    uint32_t index = 0;
    uint64_t seed = 1;
    for (size_t i = 1; i < TEST_COUNT(nodes); ++i)
        nodes[i] = stint_tree_child(&tree, nodes[test_random(&seed) % i], id((uint32_t)i));
    for (const struct stint_i_node *node = tree.root; node; node = node->next, ++index) {
        assert_int_equal(node->index, index);
        assert_true(!node->parent || node->parent->index < node->index);
    }
    assert_int_equal(index, tree.node_count);
    stint_tree_end(&tree);
}

/* What is said of memory in docs/overhead.md depends on it. */
TEST(a_node_is_two_cache_lines_and_its_window)
{
    assert_int_equal(offsetof(struct stint_i_node, cpu_start), 128);
    assert_int_equal(sizeof(struct stint_i_node), 176 + 1032);
}

TEST(histograms_are_as_switched_when_the_node_is_made)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD), sum = new_tree(STINT_TREE_SUM);
    struct stint_i_node *with = stint_tree_child(&tree, tree.root, id(1)), *without;
    stint_tree_set_percentiles(0);
    without = stint_tree_child(&tree, tree.root, id(2));
    assert_int_equal(with->base, STINT_I_UNPLACED);
    assert_int_equal(without->base, STINT_I_NO_WINDOW);
    assert_int_equal(stint_tree_child(&tree, tree.root, id(1))->base, STINT_I_UNPLACED);
    assert_int_equal(stint_tree_child(&sum, sum.root, id(1))->base, STINT_I_NO_WINDOW); /* only merged into */
    stint_tree_end(&tree);
    stint_tree_end(&sum);
}

/* ----------------------------------------------------------------------------------------------------------- limits */

/* Sets the limit so that `room` more nodes fit. */
static void leave_room(uint64_t room)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    uint32_t number = 0;
    stint_limits.nodes = 0;
    while (!stint_tree_child(&tree, tree.root, id(number)))
        ++stint_limits.nodes;
    stint_tree_end(&tree);
    stint_limits.nodes += room - 1;
    stint_dropped.nodes = 0;
}

TEST(nodes_beyond_the_limit_are_counted)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    leave_room(3);
    for (uint32_t i = 0; i < 5; ++i)
        assert_int_equal(stint_tree_child(&tree, tree.root, id(i)) != NULL, i < 3);
    assert_non_null(stint_tree_child(&tree, tree.root, id(2)));
    check_dropped((struct stint_dropped){.nodes = 2});
    stint_tree_end(&tree);
}

TEST(the_limit_is_for_all_trees_together)
{
    struct stint_tree a = new_tree(STINT_TREE_THREAD), b = new_tree(STINT_TREE_EXITED);
    leave_room(2);
    assert_non_null(stint_tree_child(&a, a.root, id(1)));
    assert_non_null(stint_tree_child(&b, b.root, id(1)));
    assert_null(stint_tree_child(&a, a.root, id(2)));
    stint_tree_end(&a);
    assert_non_null(stint_tree_child(&b, b.root, id(2)));
    stint_tree_end(&b);
}

TEST(a_sum_has_no_limit)
{
    struct stint_tree sum = new_tree(STINT_TREE_SUM), tree = new_tree(STINT_TREE_THREAD);
    leave_room(1);
    for (uint32_t i = 0; i < 10; ++i)
        assert_non_null(stint_tree_child(&sum, sum.root, id(i)));
    stint_tree_end(&sum);
    assert_non_null(stint_tree_child(&tree, tree.root, id(1)));
    assert_null(stint_tree_child(&tree, tree.root, id(2)));
    stint_tree_end(&tree);
}

TEST(an_emptied_tree_gives_its_nodes_back)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    leave_room(3);
    for (int round = 0; round < 100; ++round) {
        for (uint32_t i = 0; i < 3; ++i)
            assert_non_null(stint_tree_child(&tree, tree.root, id(i)));
        stint_tree_empty(&tree);
        assert_int_equal(stint_tree_begin_again(&tree), 0);
    }
    check_dropped((struct stint_dropped){0});
    stint_tree_end(&tree);
}

/* ----------------------------------------------------------------------------------------------------------- memory */

TEST(without_memory_a_tree_does_not_begin)
{
    const size_t before = memory_mapped();
    struct stint_tree tree;
    memory_fail_after(0);
    assert_int_equal(stint_tree_begin(&tree, STINT_TREE_THREAD), -1);
    memory_recover();
    stint_tree_end(&tree);
    assert_int_equal(memory_mapped(), before);
}

/* Adds children until there is no memory. Returns how many there are. */
static uint32_t fill_up(struct stint_tree *tree)
{
    uint32_t count = 0;
    memory_fail_after(0);
    while (stint_tree_child(tree, tree->root, id(count)))
        ++count;
    memory_recover();
    return count;
}

TEST(without_memory_a_node_is_counted_and_the_others_stay)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    uint32_t count = fill_up(&tree);
    assert_true(count > 0);
    check_dropped((struct stint_dropped){.memory = 1});
    for (uint32_t i = 0; i < count; ++i)
        assert_int_equal(stint_tree_child(&tree, tree.root, id(i))->id, id(i));
    assert_int_equal(tree.node_count, count + 1);
    assert_non_null(stint_tree_child(&tree, tree.root, id(count)));
    stint_tree_end(&tree);
}

TEST(without_memory_for_more_slots_the_nodes_are_found_all_the_same)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    uint32_t count = 0;
    stint_tree_set_percentiles(0);
    for (uint32_t mask; count < 3000; ++count) {
        mask = tree.hot.mask;
        memory_fail_after(count % 2 ? 0 : 1000);
        if (!stint_tree_child(&tree, tree.root, id(count)))
            memory_fail_after(1000);
        assert_non_null(stint_tree_child(&tree, tree.root, id(count)));
        assert_true(tree.hot.mask == mask || tree.hot.mask == 2 * mask + 1);
    }
    memory_recover();
    for (uint32_t i = 0; i < count; ++i)
        assert_int_equal(stint_tree_child(&tree, tree.root, id(i))->id, id(i));
    assert_int_equal(tree.node_count, count + 1);
    stint_tree_end(&tree);
}

TEST(nodes_that_got_no_memory_do_not_use_up_the_limit)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    const uint32_t count = fill_up(&tree);
    leave_room(5);
    memory_fail_after(0);
    for (int i = 0; i < 100; ++i)
        assert_null(stint_tree_child(&tree, tree.root, id(count)));
    memory_recover();
    for (uint32_t i = 0; i < 5; ++i)
        assert_non_null(stint_tree_child(&tree, tree.root, id(count + i)));
    stint_tree_end(&tree);
}

TEST(an_emptied_tree_uses_its_memory_again)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    size_t mapped = 0;
    for (int round = 0; round < 20; ++round) {
        for (uint32_t i = 0; i < 500; ++i)
            assert_int_equal(stint_tree_child(&tree, tree.root, id(i))->count, 0);
        if (!round)
            mapped = memory_mapped();
        stint_tree_empty(&tree);
        assert_int_equal(stint_tree_begin_again(&tree), 0);
    }
    assert_int_equal(memory_mapped(), mapped);
    stint_tree_end(&tree);
}

/* ------------------------------------------------------------------------------------------------------------ merge */

static struct stint_i_node **merge(struct stint_tree *into, const struct stint_tree *from)
{
    static struct stint_arena scratch;
    stint_arena_reuse(&scratch);
    struct stint_i_node **there = stint_tree_merge(into, from, &scratch).nodes;
    assert_non_null(there);
    return there;
}

TEST(merging_adds_every_number)
{
    struct stint_tree from = new_tree(STINT_TREE_THREAD), into = new_tree(STINT_TREE_SUM);
    struct stint_tree other = new_tree(STINT_TREE_THREAD);
    add(&from, 1, 30, 2);
    add(&from, 1, 500, 1);
    add(&other, 1, 7, 1);
    merge(&into, &other);
    const struct stint_i_node *node = merge(&into, &from)[1];
    assert_int_equal(node->count, 4);
    assert_int_equal(node->total, 567);
    assert_int_equal(node->self, 567);
    assert_int_equal(node->min, 7);
    assert_int_equal(node->max, 500);
    assert_true(node->square == 49 + 900 + 900 + 250000);
    assert_int_equal(samples_in(node, 7), 1);
    assert_int_equal(samples_in(node, 30), 2);
    assert_int_equal(samples_in(node, 500), 1);
    assert_int_equal(samples(node), 4);
    stint_tree_end(&other);
    stint_tree_end(&from);
    stint_tree_end(&into);
}

TEST(merging_matches_calling_contexts)
{
    struct stint_tree from = new_tree(STINT_TREE_THREAD), into = new_tree(STINT_TREE_SUM);
    struct stint_i_node *a = add(&into, 1, 1, 1), *b = stint_tree_child(&into, a, id(2));
    stint_tree_child(&from, add(&from, 2, 1, 1), id(1));
    stint_tree_child(&from, add(&from, 1, 1, 1), id(2));
    struct stint_i_node **there = merge(&into, &from);
    assert_ptr_equal(there[0], into.root);
    assert_int_equal(there[1]->id, id(2));
    assert_ptr_not_equal(there[1], b);
    assert_ptr_equal(there[3], a);
    assert_ptr_equal(there[4], b);
    assert_int_equal(into.node_count, 5);
    stint_tree_end(&from);
    stint_tree_end(&into);
}

TEST(merging_keeps_a_node_without_samples_at_rest)
{
    struct stint_tree from = new_tree(STINT_TREE_THREAD), into = new_tree(STINT_TREE_SUM);
    struct stint_tree other = new_tree(STINT_TREE_THREAD);
    add(&other, 1, 7, 1);
    merge(&into, &other);
    add(&from, 1, 0, 0);
    const struct stint_i_node *node = merge(&into, &from)[1];
    assert_int_equal(node->min, 7);
    assert_int_equal(node->max, 7);
    assert_int_equal(samples(node), 1);
    stint_tree_end(&other);
    stint_tree_end(&from);
    stint_tree_end(&into);
}

TEST(merging_a_node_without_histogram_adds_the_rest)
{
    struct stint_tree from = new_tree(STINT_TREE_THREAD), into = new_tree(STINT_TREE_SUM);
    struct stint_tree other = new_tree(STINT_TREE_THREAD);
    add(&other, 1, 7, 1);
    stint_tree_set_percentiles(0);
    add(&from, 1, 30, 2);
    merge(&into, &other);
    const struct stint_i_node *node = merge(&into, &from)[1];
    assert_int_equal(node->count, 3);
    assert_int_equal(samples(node), 1);
    assert_true(node->square == 49 + 2 * 900);
    stint_tree_end(&other);
    stint_tree_end(&from);
    stint_tree_end(&into);
}

TEST(merging_adds_up_counters_beyond_16_bits)
{
    struct stint_tree from = new_tree(STINT_TREE_THREAD), into = new_tree(STINT_TREE_SUM);
    add(&from, 1, 30, 100000);
    add(&from, 1, 31, 3);
    for (int i = 0; i < 3; ++i)
        merge(&into, &from);
    assert_int_equal(samples_in(merge(&into, &from)[1], 30), 400000);
    assert_int_equal(samples_in(merge(&into, &from)[1], 31), 15);
    stint_tree_end(&from);
    stint_tree_end(&into);
}

TEST(merging_beyond_a_limit_counts_the_samples)
{
    struct stint_tree from = new_tree(STINT_TREE_THREAD), into = new_tree(STINT_TREE_EXITED);
    struct stint_i_node *outer = add(&from, 1, 30, 2), **there;
    stint_count(&from.hot, stint_tree_child(&from, outer, id(2)), 5, 0);
    add(&from, 3, 30, 10);
    leave_room(1);
    there = merge(&into, &from);
    assert_int_equal(there[1]->count, 2);
    assert_null(there[2]);
    assert_null(there[3]);
    check_dropped((struct stint_dropped){.nodes = 11});
    stint_tree_end(&from);
    stint_tree_end(&into);
}

TEST(without_memory_there_is_no_merge)
{
    struct stint_tree from = new_tree(STINT_TREE_THREAD), into = new_tree(STINT_TREE_SUM);
    struct stint_arena scratch = {0};
    add(&from, 1, 30, 2);
    memory_fail_after(0);
    assert_null(stint_tree_merge(&into, &from, &scratch).nodes);
    memory_recover();
    assert_int_equal(into.node_count, 1);
    stint_tree_end(&from);
    stint_tree_end(&into);
}

/* ------------------------------------------------------------------------------------------------------------ reset */

TEST(a_node_is_stale_after_a_reset_until_refreshed)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *node = add(&tree, 1, 30, 3);
    assert_false(stint_node_is_stale(node));
    reset_set(NULL, STINT_RESET_ALL);
    assert_true(stint_node_is_stale(node));
    stint_tree_refresh(&tree);
    assert_false(stint_node_is_stale(node));
    stint_tree_end(&tree);
}

TEST(refreshing_zeroes_stale_nodes_alone)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *stale = add(&tree, 1, 30, 3), *fresh = add(&tree, 2, 30, 3);
    stint_count(&tree.hot, stale, 5, 0);
    stint_count(&tree.hot, stale, UINT64_C(1) << 50, 0);
    stint_registry_lock();
    stint_registry_reset_id(id(1));
    stint_registry_unlock();
    stint_tree_refresh(&tree);
    assert_int_equal(stale->count + stale->total + stale->self + stale->max, 0);
    assert_int_equal(stale->min, UINT64_MAX);
    assert_true(stale->square == 0);
    assert_int_equal(samples(stale), 0);
    assert_int_equal(fresh->count, 3);
    stint_tree_end(&tree);
}

TEST(merging_skips_stale_nodes)
{
    struct stint_tree from = new_tree(STINT_TREE_THREAD), into = new_tree(STINT_TREE_SUM);
    add(&from, 1, 30, 3);
    reset_set(NULL, STINT_RESET_ALL);
    assert_int_equal(merge(&into, &from)[1]->count, 0);
    stint_tree_end(&from);
    stint_tree_end(&into);
}

TEST(merging_into_a_stale_node_zeroes_it_first)
{
    struct stint_tree from = new_tree(STINT_TREE_THREAD), into = new_tree(STINT_TREE_EXITED);
    add(&into, 1, 30, 3);
    reset_set(NULL, STINT_RESET_ALL);
    add(&from, 1, 7, 1);
    assert_int_equal(merge(&into, &from)[1]->total, 7);
    stint_tree_end(&from);
    stint_tree_end(&into);
}

TEST(a_reset_moves_the_start_of_a_running_node)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *node = add(&tree, 1, 0, 0), *idle = add(&tree, 2, 0, 0);
    node->start = clock_now();
    stint_i_set_current(&tree.hot, node);
    clock_advance(100);
    reset_set(NULL, STINT_RESET_ALL);
    assert_int_equal(stint_node_start(node), clock_now());
    assert_int_equal(stint_node_start(idle), 0);
    stint_tree_refresh(&tree);
    assert_int_equal(node->start, clock_now());
    assert_int_equal(idle->start, 0);
    stint_tree_end(&tree);
}

TEST(a_reset_that_keeps_running_scopes_leaves_their_start)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *node = add(&tree, 1, 30, 3);
    const uint64_t start = clock_now();
    node->start = start;
    node->child = 40;
    clock_advance(100);
    reset_set(NULL, STINT_RESET_KEEP_RUNNING);
    stint_tree_refresh(&tree);
    assert_int_equal(node->start, start);
    assert_int_equal(node->child, 40);
    assert_int_equal(node->count, 0);
    stint_tree_end(&tree);
}

/* ------------------------------------------------------------------------------------------------------- histograms */

TEST(a_full_counter_loses_nothing)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    const struct stint_i_node *node = add(&tree, 1, 100, UINT16_MAX + 1);
    assert_int_equal(samples_in(node, 100), UINT16_MAX + 1);
    add(&tree, 1, 5000, 200000);
    add(&tree, 1, 100, 3 * UINT16_MAX);
    assert_int_equal(samples_in(node, 100), 4 * UINT16_MAX + 1);
    assert_int_equal(samples_in(node, 5000), 200000);
    assert_int_equal(samples(node), node->count);
    stint_tree_end(&tree);
}

TEST(samples_of_any_length_are_counted_in_any_order)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    const struct stint_i_node *node = add(&tree, 1, UINT64_C(1) << 20, 1); /* places the window */
    uint64_t seed = 7;
    for (int i = 0; i < 2000; ++i)
        add(&tree, 1, test_random(&seed) >> (20 + test_random(&seed) % 44), 1);
    for (unsigned shift = 43; shift > 0; --shift)
        add(&tree, 1, UINT64_C(1) << shift, 1);
    assert_int_equal(samples(node), node->count);
    add(&tree, 1, 0, 3);
    assert_true(samples_in(node, 0) >= 3);
    assert_int_equal(samples(node), node->count);
    stint_tree_end(&tree);
}

TEST(samples_of_days_and_years_have_buckets_of_their_own)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *node = add(&tree, 1, UINT64_C(1) << 44, 1);
    stint_count(&tree.hot, node, INT64_MAX, 0);
    stint_count(&tree.hot, node, (UINT64_C(1) << 44) - 1, 0);
    stint_count(&tree.hot, node, UINT64_C(1) << 52, 0);
    assert_int_equal(samples_in(node, (UINT64_C(1) << 44) - 1), 1);
    assert_int_equal(samples_in(node, UINT64_C(1) << 44), 1);
    assert_int_equal(samples_in(node, UINT64_C(1) << 52), 1);
    assert_int_equal(samples_in(node, INT64_MAX), 1);
    assert_int_equal(node->max, INT64_MAX);
    stint_tree_end(&tree);
}

TEST(without_memory_for_the_histogram_the_rest_is_counted)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    struct stint_i_node *node = add(&tree, 1, 30, 1);
    memory_fail_after(0);
    while (stint_arena_alloc(&tree.arena, 1)) /* what is mapped already */
        ;
    for (unsigned shift = 0; shift < 44; ++shift)
        for (uint32_t i = 0; i <= UINT16_MAX; ++i)
            stint_count(&tree.hot, node, UINT64_C(1) << shift, 0);
    memory_recover();
    assert_int_equal(node->count, 1 + 44 * (UINT16_MAX + 1));
    assert_true(samples(node) < node->count);
    check_dropped((struct stint_dropped){.percentiles = node->count - samples(node)});
    stint_tree_end(&tree);
}

/* A handler that interrupts the slow path may not use the arena. */
TEST(a_sample_that_cannot_be_counted_takes_no_others_with_it)
{
    struct stint_tree tree = new_tree(STINT_TREE_THREAD);
    const struct stint_i_node *node = add(&tree, 1, UINT64_C(1) << 20, 5);
    assert_true(stint_guard_begin());
    add(&tree, 1, 30, 1);
    stint_guard_end();
    assert_int_equal(samples_in(node, UINT64_C(1) << 20), 5);
    assert_int_equal(samples(node), 5);
    assert_int_equal(node->count, 6);
    add(&tree, 1, UINT64_C(1) << 20, UINT16_MAX + 1 - 5);
    assert_true(stint_guard_begin());
    add(&tree, 1, UINT64_C(1) << 20, 1); /* the counter is full */
    stint_guard_end();
    assert_int_equal(samples(node), UINT16_MAX + 1);
    check_dropped((struct stint_dropped){.percentiles = 2});
    stint_tree_end(&tree);
}

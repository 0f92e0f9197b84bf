#include "replay/replay.h"

#include "stint_test.h"

static struct stint_arena s_arena;

static int clean_up(void **state)
{
    stint_arena_free(&s_arena);
    return 0;
}

TEST_EACH(NULL, clean_up)

/* Two sets have a "step"; one "load" is in a step, one is not. */
TEST(contexts_are_found_by_parent_set_and_name)
{
    struct stint_stat stats[] = {
        {.set = "a", .name = "step"}, {.set = "a", .name = "load"}, {.set = "b", .name = "step"}};
    struct stint_context contexts[] = {{.stat = 0, .parent = STINT_NO_PARENT},
                                       {.stat = 1, .parent = 0},
                                       {.stat = 1, .parent = STINT_NO_PARENT},
                                       {.stat = 2, .parent = STINT_NO_PARENT}};
    struct stint_snapshot snapshot = {.stats = stats, .contexts = contexts, .context_count = TEST_COUNT(contexts)};
    struct stint_context_tree tree;
    assert_int_equal(stint_context_tree_begin(&tree, &s_arena, &snapshot), 0);
    for (size_t i = 0; i < TEST_COUNT(contexts); i++)
        assert_int_equal(stint_context_tree_find(&tree, contexts[i].parent, stats[contexts[i].stat].set,
                                                 stats[contexts[i].stat].name),
                         i);
    assert_true(stint_context_tree_find(&tree, 1, "a", "load") == STINT_GPU_UNATTRIBUTED);
    assert_true(stint_context_tree_find(&tree, STINT_NO_PARENT, "b", "load") == STINT_GPU_UNATTRIBUTED);
}

/* Code in a file is the same in all processes; code that is in no file is that of its process. */
TEST(chains_are_found_by_caller_and_place)
{
    struct stint_sample_module modules[] = {{.pid = 1, .path = "/bin/a", .build_id = "ab"},
                                            {.pid = 1, .path = "", .build_id = ""}};
    struct stint_sample_frame frames[] = {{.module = 0, .address = 16}, {.module = 1, .address = 32}};
    struct stint_sample_stack stacks[] = {{.frame = 0, .parent = STINT_SAMPLE_NO_STACK}, {.frame = 1, .parent = 0}};
    struct stint_snapshot snapshot = {.sample_modules = modules,
                                      .sample_frames = frames,
                                      .sample_stacks = stacks,
                                      .sample_stack_count = TEST_COUNT(stacks)};
    struct stint_sample_module other = {.pid = 2, .path = "/bin/a", .build_id = "ab"};
    struct stint_chain_tree tree;
    assert_int_equal(stint_chain_tree_begin(&tree, &s_arena, &snapshot), 0);
    assert_int_equal(stint_chain_tree_find(&tree, STINT_SAMPLE_NO_STACK, &other, 16), 0);
    assert_int_equal(stint_chain_tree_find(&tree, 0, &modules[1], 32), 1);
    assert_true(stint_chain_tree_find(&tree, 0, &modules[1], 33) == STINT_SAMPLE_NO_STACK);
    other = (struct stint_sample_module){.pid = 2, .path = "", .build_id = ""};
    assert_true(stint_chain_tree_find(&tree, 0, &other, 32) == STINT_SAMPLE_NO_STACK);
}

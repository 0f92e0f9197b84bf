#include "built.h"

#include "stint_test.h"

/* As stat_of, as a calling context too; 0 as total means that it never ran. Returns the context. */
static size_t context_of(struct stint_builder *builder, size_t parent, const char *text, uint64_t total_ns)
{
    const struct stint_numbers numbers = ran(total_ns);
    const size_t context = stint_builder_context(builder, parent, name(builder, "GlobalStatInfo", text));
    if (total_ns)
        stint_builder_add_context(builder, context, &numbers);
    return context;
}

/* Writes "name name ..." */
static const char *stat_names(const struct stint_snapshot *snapshot)
{
    static char text[1024];
    text[0] = '\0';
    for (size_t i = 0; i < snapshot->stat_count; ++i)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "", snapshot->stats[i].name);
    return text;
}

/* Writes "name(depth,parent) ..." */
static const char *context_names(const struct stint_snapshot *snapshot)
{
    static char text[1024];
    text[0] = '\0';
    for (size_t i = 0; i < snapshot->context_count; ++i) {
        const struct stint_context *context = &snapshot->contexts[i];
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s(%u,%d)", i ? " " : "",
                       snapshot->stats[context->stat].name, context->depth,
                       context->parent == STINT_NO_PARENT ? -1 : (int)context->parent);
    }
    return text;
}

TEST(statistics_stand_by_falling_total_then_name_then_set)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stat_of(&builder, "B", "tie", 5);
    stat_of(&builder, "A", "small", 1);
    stat_of(&builder, "A", "tie", 5);
    stat_of(&builder, "B", "large", 9);
    stat_of(&builder, "A", "other tie", 5);
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(stat_names(snapshot), "large other tie tie tie small");
    assert_string_equal(snapshot->stats[2].set, "A");
    assert_string_equal(snapshot->stats[3].set, "B");
    stint_snapshot_free(snapshot);
}

TEST(equal_totals_stand_by_all_bytes_of_their_names)
{
    const char *const names[] = {"", "node", "node 1", "node 123", "node 1234", "node 1235", "node 2", "z", "\xc3\xa9"};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (size_t i = TEST_COUNT(names); i-- > 0;)
        (void)context_of(&builder, STINT_NO_PARENT, names[i], 5);
    struct stint_snapshot *snapshot = end(&builder);
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        assert_string_equal(snapshot->stats[i].name, names[i]);
        assert_int_equal(snapshot->contexts[i].stat, i);
    }
    stint_snapshot_free(snapshot);
}

TEST(the_global_set_is_first_and_the_others_are_by_name)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_set(&builder, "Zoo");
    stint_builder_set(&builder, "GlobalStatInfo");
    stint_builder_set(&builder, "Aquarium");
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->set_count, 3);
    assert_string_equal(snapshot->sets[0], "GlobalStatInfo");
    assert_string_equal(snapshot->sets[1], "Aquarium");
    assert_string_equal(snapshot->sets[2], "Zoo");
    stint_snapshot_free(snapshot);
}

TEST(contexts_stand_in_preorder_siblings_by_falling_total_then_name)
{
    struct stint_builder builder;
    size_t small, large, middle;
    stint_builder_begin(&builder);
    small = context_of(&builder, STINT_NO_PARENT, "small", 10);
    large = context_of(&builder, STINT_NO_PARENT, "large", 100);
    context_of(&builder, small, "a", 1);
    context_of(&builder, large, "b", 7);
    middle = context_of(&builder, large, "c", 50);
    context_of(&builder, large, "a", 7);
    context_of(&builder, middle, "large", 3);
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(context_names(snapshot), "large(0,-1) c(1,0) large(2,1) a(1,0) b(1,0) small(0,-1) a(1,5)");
    stint_snapshot_free(snapshot);
}

TEST(a_chain_of_a_thousand_contexts_is_kept)
{
    struct stint_builder builder;
    size_t parent = STINT_NO_PARENT;
    stint_builder_begin(&builder);
    for (int i = 0; i < 1000; ++i)
        parent = context_of(&builder, parent, "recursive", 1000);
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->context_count, 1000);
    for (size_t i = 0; i < 1000; ++i) {
        assert_int_equal(snapshot->contexts[i].depth, i);
        assert_int_equal(snapshot->contexts[i].parent, i - 1);
    }
    stint_snapshot_free(snapshot);
}

TEST(threads_stand_by_pid_the_live_first_then_tid)
{
    const struct stint_thread threads[] = {
        {.pid = 2, .tid = 20},
        {.pid = 1, .exited = 1},
        {.pid = 1, .tid = 12},
        {.pid = 1, .tid = 11},
    };
    const int64_t expected[] = {11, 12, 0, 20};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (size_t i = 0; i < TEST_COUNT(threads); ++i)
        assert_int_equal(stint_builder_add(&builder, STINT_ROWS_THREADS, &threads[i]), i);
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->thread_count, TEST_COUNT(threads));
    for (size_t i = 0; i < TEST_COUNT(threads); ++i)
        assert_int_equal(snapshot->threads[i].tid, expected[i]);
    stint_snapshot_free(snapshot);
}

TEST(thread_rows_stand_by_statistic_then_thread_and_follow_both)
{
    const char *const names[] = {"small", "large"};
    struct stint_builder builder;
    size_t stats[2];
    stint_builder_begin(&builder);
    for (size_t i = 0; i < 2; ++i)
        stats[i] = stat_of(&builder, "A", names[i], 10 * i + 1);
    for (size_t t = 0; t < 3; ++t) {
        const struct stint_thread thread = {.pid = 1, .tid = (int64_t)(30 - t)};
        const size_t row = stint_builder_add(&builder, STINT_ROWS_THREADS, &thread);
        for (size_t i = 0; i < 2; ++i) {
            const struct stint_numbers numbers = ran(100 * (30 - t) + i);
            stint_builder_thread_stat(&builder, row, stats[i], &numbers);
        }
    }
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->thread_stat_count, 6);
    for (size_t i = 0; i < 6; ++i) {
        const struct stint_thread_stat *row = &snapshot->thread_stats[i];
        assert_int_equal(row->stat, i / 3);
        assert_int_equal(row->thread, i % 3);
        assert_int_equal(row->numbers.total_ns, 100 * (28 + i % 3) + (i < 3));
        assert_int_equal(snapshot->threads[row->thread].tid, 28 + i % 3);
        assert_string_equal(snapshot->stats[row->stat].name, i < 3 ? "large" : "small");
    }
    stint_snapshot_free(snapshot);
}

TEST(what_never_ran_is_left_out)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    name(&builder, "A", "idle");
    stat_of(&builder, "A", "busy", 1);
    context_of(&builder, context_of(&builder, STINT_NO_PARENT, "a", 0), "b", 0);
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(stat_names(snapshot), "busy");
    assert_int_equal(snapshot->context_count, 0);
    assert_int_equal(snapshot->set_count, 2);
    stint_snapshot_free(snapshot);
}

TEST(what_runs_is_kept)
{
    const struct stint_numbers running = {.running = 1, .running_ns = 5};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    size_t stat = name(&builder, "A", "running");
    stint_builder_add_stat(&builder, stat, &running);
    stint_builder_add_context(&builder, stint_builder_context(&builder, STINT_NO_PARENT, stat), &running);
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(stat_names(snapshot), "running");
    assert_string_equal(context_names(snapshot), "running(0,-1)");
    stint_snapshot_free(snapshot);
}

TEST(a_scope_of_no_length_is_kept)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stat_of(&builder, "A", "instant", 0);
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(stat_names(snapshot), "instant");
    stint_snapshot_free(snapshot);
}

TEST(ancestors_of_what_ran_are_kept_with_their_statistics)
{
    struct stint_builder builder;
    size_t outer, inner;
    stint_builder_begin(&builder);
    outer = context_of(&builder, STINT_NO_PARENT, "outer", 0);
    context_of(&builder, outer, "idle sibling", 0);
    inner = context_of(&builder, outer, "inner", 0);
    context_of(&builder, context_of(&builder, inner, "leaf", 5), "idle leaf", 0);
    context_of(&builder, STINT_NO_PARENT, "idle root", 0);
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(context_names(snapshot), "outer(0,-1) inner(1,0) leaf(2,1)");
    assert_string_equal(stat_names(snapshot), "inner leaf outer");
    stint_snapshot_free(snapshot);
}

TEST(every_thread_row_names_the_statistic_it_was_added_for)
{
    const struct stint_thread thread = {.pid = 1, .tid = 2};
    const struct stint_numbers numbers = ran(5);
    struct stint_builder builder;
    struct stint_snapshot *snapshot;
    size_t idle, busy, row;
    /* The snapshot's sum saw nothing of "idle" yet, but its thread's row, read a moment later, did. */
    stint_builder_begin(&builder);
    idle = name(&builder, "A", "idle");
    busy = stat_of(&builder, "A", "busy", 5);
    row = stint_builder_add(&builder, STINT_ROWS_THREADS, &thread);
    stint_builder_thread_stat(&builder, row, idle, &numbers);
    stint_builder_thread_stat(&builder, row, busy, &numbers);
    snapshot = end(&builder);
    for (size_t i = 0; i < snapshot->thread_stat_count; ++i)
        assert_in_range(snapshot->thread_stats[i].stat, 0, snapshot->stat_count - 1);
    for (size_t i = 0, rows_of_busy = 0; i < snapshot->thread_stat_count; ++i) {
        rows_of_busy += !strcmp(snapshot->stats[snapshot->thread_stats[i].stat].name, "busy");
        assert_true(rows_of_busy <= 1);
    }
    stint_snapshot_free(snapshot);
}

#include "replay/counts.h"

#include "stint_test.h"

TEST(cells_are_found_by_thread_and_row)
{
    struct stint_counts counts = {0};
    enum { THREADS = 7, ROWS = 900 };
    for (int round = 0; round < 2; round++)
        for (size_t thread = 0; thread < THREADS; thread++)
            for (size_t row = 0; row < ROWS; row++)
                assert_int_equal(stint_counts_cell(&counts, thread, row), thread * ROWS + row);
    stint_counts_free(&counts);
}

/* "a" on two threads, once within itself. */
TEST(counts_are_told_to_contexts_statistics_and_threads)
{
    struct stint_counts counts = {0};
    struct stint_builder builder;
    const struct stint_stat like = {.set = "s", .name = "a", .file = "", .function = ""};
    const struct stint_thread threads[] = {{.tid = 1, .name = ""}, {.tid = 2, .name = ""}};
    size_t positions[2];
    stint_builder_begin(&builder);
    stint_builder_set(&builder, "s");
    size_t stat = stint_builder_stat(&builder, &like);
    size_t outer = stint_builder_context(&builder, STINT_NO_PARENT, stat);
    size_t inner = stint_builder_context(&builder, outer, stat);
    for (size_t i = 0; i < 2; i++)
        positions[i] = stint_builder_add(&builder, STINT_ROWS_THREADS, &threads[i]);
    assert_int_equal(stint_counts_add(&counts, stint_counts_cell(&counts, 0, stint_counts_context(outer)), 100), 0);
    assert_int_equal(stint_counts_add(&counts, stint_counts_cell(&counts, 0, stint_counts_context(inner)), 40), 0);
    assert_int_equal(stint_counts_add(&counts, stint_counts_cell(&counts, 1, stint_counts_context(outer)), 50), 0);
    stint_counts_tell(&counts, &builder, positions);
    const struct stint_process process = {.command = "", .host = "", .clock = "", .wall_ns = 100};
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &(const struct stint_dropped){0});
    assert_non_null(snapshot);
    assert_int_equal(snapshot->stats[0].numbers.count, 3);
    assert_int_equal(snapshot->stats[0].numbers.recursive, 1);
    assert_int_equal(snapshot->stats[0].numbers.total_ns, 150);
    assert_int_equal(snapshot->stats[0].numbers.min_ns, 50);
    assert_int_equal(snapshot->contexts[0].numbers.count, 2);
    assert_int_equal(snapshot->contexts[1].numbers.total_ns, 40);
    assert_int_equal(snapshot->thread_stat_count, 2);
    stint_snapshot_free(snapshot);
    stint_counts_free(&counts);
}

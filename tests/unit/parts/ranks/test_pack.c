#include "ranks/ranks.h"

#include <string.h>

#include "stat/builder.h"
#include "stint_test.h"

static struct stint_snapshot *make_snapshot(void)
{
    const struct stint_bin bin = {1000, 3};
    const struct stint_numbers numbers = {.count = 3,
                                          .total_ns = 3000,
                                          .self_ns = 3000,
                                          .min_ns = 900,
                                          .max_ns = 1100,
                                          .bins = &bin,
                                          .bin_count = 1,
                                          .left_out = 2,
                                          .error_ns = 12.5,
                                          .self_error_ns = 13.5};
    const struct stint_stat like = {.set = "GlobalStatInfo", .name = "step", .file = "a.c", .function = "f", .line = 7};
    const struct stint_process process = {.pid = 7, .command = "./a", .host = "node", .clock = "tsc", .wall_ns = 5000};
    const struct stint_dropped dropped = {.nodes = 2};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_set(&builder, "GlobalStatInfo");
    size_t stat = stint_builder_stat(&builder, &like);
    size_t context = stint_builder_context(&builder, STINT_NO_PARENT, stat);
    stint_builder_add_stat(&builder, stat, &numbers);
    stint_builder_add_context(&builder, context, &numbers);
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &dropped);
    assert_non_null(snapshot);
    return snapshot;
}

TEST(what_is_read_is_what_was_packed)
{
    struct stint_snapshot *snapshot = make_snapshot();
    struct stint_packed packed = {.size = 0}, again = {.size = 0};
    struct stint_unpacked unpacked = {.arena = {0}};
    for (int round = 0; round < 2; round++) { /* memory is used again */
        packed.size = 0;
        assert_int_equal(stint_pack(&packed, snapshot), 0);
        assert_int_equal(stint_unpack(&unpacked, packed.bytes, packed.size), 0);
        const struct stint_stat *stat = &unpacked.snapshot.stats[0];
        assert_int_equal(unpacked.snapshot.stat_count, 1);
        assert_string_equal(stat->name, "step");
        assert_string_equal(stat->file, "a.c");
        assert_int_equal(stat->line, 7);
        assert_int_equal(stat->numbers.total_ns, 3000);
        assert_int_equal(stat->numbers.bins[0].count, 3);
        assert_int_equal(stat->numbers.left_out, 2);
        assert_true(stat->numbers.error_ns > 12.4 && stat->numbers.error_ns < 12.6);
        assert_true(stat->numbers.self_error_ns > 13.4 && stat->numbers.self_error_ns < 13.6);
        assert_true(unpacked.snapshot.contexts[0].parent == STINT_NO_PARENT);
        assert_string_equal(unpacked.snapshot.process.host, "node");
        assert_int_equal(unpacked.snapshot.dropped.nodes, 2);
        again.size = 0;
        assert_int_equal(stint_pack(&again, &unpacked.snapshot), 0);
        assert_int_equal(again.size, packed.size);
        assert_memory_equal(again.bytes, packed.bytes, packed.size);
    }
    stint_packed_free(&packed);
    stint_packed_free(&again);
    stint_unpacked_free(&unpacked);
    stint_snapshot_free(snapshot);
}

TEST(what_is_cut_is_refused)
{
    struct stint_snapshot *snapshot = make_snapshot();
    struct stint_packed packed = {.size = 0};
    struct stint_unpacked unpacked = {.arena = {0}};
    assert_int_equal(stint_pack(&packed, snapshot), 0);
    for (size_t size = 0; size < packed.size; size++)
        assert_int_equal(stint_unpack(&unpacked, packed.bytes, size), -1);
    stint_packed_free(&packed);
    stint_unpacked_free(&unpacked);
    stint_snapshot_free(snapshot);
}

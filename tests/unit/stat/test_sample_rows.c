/* Samples in snapshots: src/library/stat/sample_rows.c. */
#include <string.h>

#include "report/sample_fixture.h"
#include "stat/builder.h"
#include "stint_test.h"

static struct stint_snapshot *twice(void)
{
    struct stint_snapshot *a = fixture_samples(), *b = fixture_samples(), *both;

    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(stint_snapshot_merge(a, b, &both), STINT_OK);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
    return both;
}

/* The names of a call chain's modules, innermost first, as letters of their paths. */
static void assert_chain(const struct stint_snapshot *snapshot, size_t stack, const uint64_t *addresses, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_true(stack < snapshot->sample_stack_count);
        assert_int_equal(snapshot->sample_frames[snapshot->sample_stacks[stack].frame].address, addresses[i]);
        stack = snapshot->sample_stacks[stack].parent;
    }
    assert_true(stack == STINT_SAMPLE_NO_STACK);
}

static void merged_chains_are_those_of_their_parts(void **state)
{
    static const uint64_t chain[] = {0xbeef, 0x1234, 0x1180};
    struct stint_snapshot *both = twice();

    (void)state;
    assert_int_equal(both->sample_count_count, 10);
    assert_chain(both, both->sample_counts[0].stack, chain, 3);
    assert_chain(both, both->sample_counts[5].stack, chain, 3);
    assert_true(both->sample_counts[5].stack != both->sample_counts[0].stack);
    assert_true(both->sample_counts[9].stack == STINT_SAMPLE_NO_STACK);
    assert_int_equal(both->sample_frames[both->sample_stacks[both->sample_counts[5].stack].frame].module, 4);
    assert_string_equal(both->sample_modules[3].path, "/usr/bin/train");
    assert_int_equal(both->sample_counts[9].thread, 3);
    stint_snapshot_free(both);
}

static void merged_scopes_have_the_samples_of_both(void **state)
{
    struct stint_snapshot *both = twice();
    const struct stint_sample_count *counts = both->sample_counts;

    (void)state;
    assert_int_equal(both->context_count, 2);
    assert_string_equal(both->stats[both->contexts[counts[0].context].stat].name, "inner");
    assert_int_equal(counts[0].context, counts[5].context);
    assert_true(counts[2].context == STINT_GPU_NO_SCOPE && counts[7].context == STINT_GPU_NO_SCOPE);
    assert_true(counts[3].context == STINT_GPU_UNATTRIBUTED && counts[8].context == STINT_GPU_UNATTRIBUTED);
    stint_snapshot_free(both);
}

static void merged_numbers_add_up(void **state)
{
    struct stint_snapshot *both = twice();

    (void)state;
    assert_int_equal(both->sampling.sampled, 1);
    assert_int_equal(both->sampling.hz, 997);
    assert_int_equal(both->sampling.samples, 44);
    assert_int_equal(both->sampling.time_ns, 176000000);
    assert_int_equal(both->sampling.cpu_ns, 176200000);
    assert_int_equal(both->sampling.leaves, 2);
    assert_int_equal(both->sampling.cut, 4);
    assert_int_equal(both->sampling.deep, 6);
    assert_int_equal(both->sampling.crowded, 8);
    assert_int_equal(both->sampling.unsampled, 10);
    stint_snapshot_free(both);
}

/* A scope may have been reset since. */
static void scope_that_only_samples_name_is_kept(void **state)
{
    static const struct stint_process process = {.command = "", .host = "", .clock = ""};
    static const struct stint_dropped dropped = {0};
    struct stint_stat like = {.set = "GlobalStatInfo", .name = "gone", .file = "", .function = ""};
    struct stint_builder builder;

    (void)state;
    stint_builder_begin(&builder);
    (void)stint_builder_context(&builder, STINT_NO_PARENT, stint_builder_stat(&builder, &like));
    like.name = "sampled";
    size_t context = stint_builder_context(&builder, STINT_NO_PARENT, stint_builder_stat(&builder, &like));
    (void)stint_builder_sample(&builder, STINT_ROWS_SAMPLE_THREADS, &(struct stint_sample_thread){.tid = 1});
    (void)stint_builder_sample(&builder, STINT_ROWS_SAMPLE_COUNTS,
                               &(struct stint_sample_count){0, context, STINT_SAMPLE_NO_STACK, 1, 1});
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &dropped);
    assert_non_null(snapshot);
    assert_int_equal(snapshot->context_count, 1);
    assert_int_equal(snapshot->sample_counts[0].context, 0);
    assert_string_equal(snapshot->stats[snapshot->contexts[0].stat].name, "sampled");
    stint_snapshot_free(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_chains_are_those_of_their_parts),
        cmocka_unit_test(merged_scopes_have_the_samples_of_both),
        cmocka_unit_test(merged_numbers_add_up),
        cmocka_unit_test(scope_that_only_samples_name_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

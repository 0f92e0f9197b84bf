/* Samples in snapshots, which are merged: src/parts/model/merge.c. */
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

TEST(same_chains_become_one)
{
    static const uint64_t chain[] = {0xbeef, 0x1234, 0x1180};
    struct stint_snapshot *one = fixture_samples(), *both = twice();
    assert_int_equal(both->sample_module_count, one->sample_module_count);
    assert_int_equal(both->sample_frame_count, one->sample_frame_count);
    assert_int_equal(both->sample_stack_count, one->sample_stack_count);
    assert_int_equal(both->sample_thread_count, one->sample_thread_count);
    assert_int_equal(both->sample_count_count, 5);
    assert_chain(both, both->sample_counts[0].stack, chain, 3);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(both->sample_counts[i].samples, 2 * one->sample_counts[i].samples);
        assert_int_equal(both->sample_counts[i].time_ns, 2 * one->sample_counts[i].time_ns);
    }
    stint_snapshot_free(one);
    stint_snapshot_free(both);
}

/* A snapshot of a process that loaded the file elsewhere, with a call chain in it and in code that is in no file. */
static struct stint_snapshot *of_process(int64_t pid, const char *build_id, uint64_t offset)
{
    static const struct stint_process process = {.command = "", .host = "", .clock = ""};
    static const struct stint_dropped dropped = {0};
    struct stint_sample_module file = {pid, "/usr/bin/train", build_id, offset, offset + 0x1000, offset},
                               none = {pid, "", "", 0, UINT64_MAX, 0};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_add(&builder, STINT_ROWS_SAMPLING, &(struct stint_sample_info){.sampled = 1});
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_MODULES, &none);
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_MODULES, &file);
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_FRAMES, &(struct stint_sample_frame){1, 0x10});
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_FRAMES, &(struct stint_sample_frame){0, 0x20});
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_STACKS,
                               &(struct stint_sample_stack){STINT_SAMPLE_NO_STACK, 0});
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_STACKS, &(struct stint_sample_stack){0, 1});
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_THREADS,
                               &(struct stint_sample_thread){.pid = pid, .tid = pid});
    for (size_t stack = 0; stack < 2; stack++)
        (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_COUNTS,
                                   &(struct stint_sample_count){0, STINT_GPU_NO_SCOPE, stack, 1, 1});
    return stint_builder_end(&builder, &process, &dropped);
}

/* Merges two of them, and returns how many call chains that has. */
static size_t chains_of(struct stint_snapshot *a, struct stint_snapshot *b)
{
    struct stint_snapshot *both;
    assert_int_equal(stint_snapshot_merge(a, b, &both), STINT_OK);
    assert_int_equal(both->sample_count_count, 4); /* of two threads */
    size_t count = both->sample_stack_count;
    stint_snapshot_free(a);
    stint_snapshot_free(b);
    stint_snapshot_free(both);
    return count;
}

/* What is in no file is another thing in each process. */
TEST(chains_of_processes_become_one_in_the_same_file)
{
    assert_int_equal(chains_of(of_process(1, "ab", 0x1000), of_process(2, "ab", 0x8000)), 3);
    assert_int_equal(chains_of(of_process(1, "ab", 0x1000), of_process(2, "cd", 0x1000)), 4);
}

TEST(merged_scopes_have_the_samples_of_both)
{
    struct stint_snapshot *both = twice();
    const struct stint_sample_count *counts = both->sample_counts;
    assert_int_equal(both->context_count, 2);
    assert_string_equal(both->stats[both->contexts[counts[0].context].stat].name, "inner");
    assert_true(counts[2].context == STINT_GPU_NO_SCOPE);
    assert_true(counts[3].context == STINT_GPU_UNATTRIBUTED);
    stint_snapshot_free(both);
}

TEST(merged_numbers_add_up)
{
    struct stint_snapshot *both = twice();
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
TEST(scope_that_only_samples_name_is_kept)
{
    static const struct stint_process process = {.command = "", .host = "", .clock = ""};
    static const struct stint_dropped dropped = {0};
    struct stint_stat like = {.set = "GlobalStatInfo", .name = "gone", .file = "", .function = ""};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    (void)stint_builder_context(&builder, STINT_NO_PARENT, stint_builder_stat(&builder, &like));
    like.name = "sampled";
    size_t context = stint_builder_context(&builder, STINT_NO_PARENT, stint_builder_stat(&builder, &like));
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_THREADS, &(struct stint_sample_thread){.tid = 1});
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_COUNTS,
                               &(struct stint_sample_count){0, context, STINT_SAMPLE_NO_STACK, 1, 1});
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &dropped);
    assert_non_null(snapshot);
    assert_int_equal(snapshot->context_count, 1);
    assert_int_equal(snapshot->sample_counts[0].context, 0);
    assert_string_equal(snapshot->stats[snapshot->contexts[0].stat].name, "sampled");
    stint_snapshot_free(snapshot);
}

/* Rows about GPUs: how they are merged, and their order (src/parts/model/gpu_order.c). */
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "model/model.h"
#include "stat/builder.h"
#include "stint_test.h"

static const struct stint_process s_process = {.command = "", .host = "", .clock = "monotonic"};
static const struct stint_dropped s_dropped = {0};

static struct stint_snapshot *end(struct stint_builder *builder)
{
    struct stint_snapshot *snapshot = stint_builder_end(builder, &s_process, &s_dropped);
    assert_non_null(snapshot);
    return snapshot;
}

static size_t context_of(struct stint_builder *builder, size_t parent, const char *name)
{
    const struct stint_stat like = {.set = "GlobalStatInfo", .name = name, .file = "", .function = ""};
    return stint_builder_context(builder, parent, stint_builder_stat(builder, &like));
}

static void run_context(struct stint_builder *builder, size_t context, uint64_t ns)
{
    const struct stint_numbers numbers = {.count = 1, .total_ns = ns, .min_ns = ns, .max_ns = ns};
    stint_builder_add_context(builder, context, &numbers);
}

/* Adds one activation of `ns` and `bytes`. */
static size_t activity_of(struct stint_builder *builder, enum stint_gpu_kind kind, const char *name, uint32_t stream,
                          uint64_t ns, uint64_t bytes)
{
    struct stint_gpu_activity like = {
        .kind = kind,
        .name = name,
        .mangled = "",
        .stream = stream,
        .numbers = {.count = 1, .total_ns = ns, .self_ns = ns, .min_ns = ns, .max_ns = ns},
        .bytes = bytes,
        .min_bytes = bytes,
        .max_bytes = bytes,
        .square_bytes2 = (double)bytes * (double)bytes,
    };
    const size_t activity = stint_builder_gpu_activity(builder, &like);
    stint_builder_add_gpu_activity(builder, activity, &like);
    return activity;
}

static void charge(struct stint_builder *builder, size_t activity, size_t context, uint64_t ns)
{
    const struct stint_gpu_charge like = {activity, context, 1, ns, ns, ns, 10 * ns};
    stint_builder_add(builder, STINT_ROWS_GPU_CHARGES, &like);
}

/* ------------------------------------------------------------------------------------------------------- activities */

TEST(an_activity_is_found_again_by_all_that_it_is)
{
    const struct stint_gpu_activity like = {.kind = STINT_GPU_COPY, .name = "a", .mangled = "m"};
    struct stint_gpu_activity others[6];
    struct stint_builder builder;
    for (size_t i = 0; i < TEST_COUNT(others); ++i)
        others[i] = like;
    others[0].kind = STINT_GPU_SET;
    others[1].name = "b";
    others[2].mangled = "n";
    others[3].device = 1;
    others[4].context = 1;
    others[5].stream = 1;
    stint_builder_begin(&builder);
    size_t first = stint_builder_gpu_activity(&builder, &like);
    for (size_t i = 0; i < TEST_COUNT(others); ++i)
        assert_int_equal(stint_builder_gpu_activity(&builder, &others[i]), first + 1 + i);
    for (size_t i = 0; i < TEST_COUNT(others); ++i)
        assert_int_equal(stint_builder_gpu_activity(&builder, &others[i]), first + 1 + i);
    assert_int_equal(stint_builder_gpu_activity(&builder, &like), first);
    stint_snapshot_free(end(&builder));
}

TEST(numbers_and_bytes_of_an_activity_add_up)
{
    static const struct stint_bin bins[] = {{10, 1}, {30, 2}};
    const struct stint_gpu_activity more = {
        .kind = STINT_GPU_COPY,
        .name = "copy",
        .mangled = "",
        .numbers = {.count = 3,
                    .total_ns = 70,
                    .min_ns = 10,
                    .max_ns = 30,
                    .square_ns2 = 1900,
                    .bins = bins,
                    .bin_count = TEST_COUNT(bins)},
        .bytes = 90,
        .min_bytes = 20,
        .max_bytes = 40,
        .square_bytes2 = 2900,
    };
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_add_gpu_activity(&builder, activity_of(&builder, STINT_GPU_COPY, "copy", 0, 25, 30), &more);
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu_activity_count, 1);
    const struct stint_gpu_activity *activity = &snapshot->gpu_activities[0];
    assert_int_equal(activity->numbers.count, 4);
    assert_int_equal(activity->numbers.total_ns, 95);
    assert_int_equal(activity->numbers.self_ns, 95);
    assert_int_equal(activity->numbers.min_ns, 10);
    assert_int_equal(activity->numbers.max_ns, 30);
    assert_true(activity->numbers.square_ns2 == 1900);
    assert_int_equal(activity->numbers.bin_count, 2);
    assert_int_equal(activity->bytes, 120);
    assert_int_equal(activity->min_bytes, 20);
    assert_int_equal(activity->max_bytes, 40);
    assert_true(activity->square_bytes2 == 3800);
    stint_snapshot_free(snapshot);
}

TEST(an_activity_without_activations_has_no_least)
{
    const struct stint_gpu_activity like = {.kind = STINT_GPU_COPY, .name = "copy", .mangled = "", .max_bytes = 9};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_add_gpu_activity(&builder, stint_builder_gpu_activity(&builder, &like), &like);
    activity_of(&builder, STINT_GPU_COPY, "copy", 0, 5, 7);
    stint_builder_add_gpu_activity(&builder, stint_builder_gpu_activity(&builder, &like), &like);
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu_activities[0].min_bytes, 7);
    assert_int_equal(snapshot->gpu_activities[0].max_bytes, 7);
    assert_int_equal(snapshot->gpu_activities[0].numbers.min_ns, 5);
    stint_snapshot_free(snapshot);
}

/* Writes "name(kind,device,context,stream) ..." */
static const char *activities_of(const struct stint_snapshot *snapshot)
{
    static char text[1024];
    text[0] = '\0';
    for (size_t i = 0; i < snapshot->gpu_activity_count; ++i) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s(%d,%u,%u,%u)", i ? " " : "",
                       activity->name, (int)activity->kind, activity->device, activity->context, activity->stream);
    }
    return text;
}

TEST(activities_stand_by_the_total_of_their_name)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    activity_of(&builder, STINT_GPU_KERNEL, "one stream", 7, 100, 0);
    activity_of(&builder, STINT_GPU_KERNEL, "two streams", 13, 60, 0);
    activity_of(&builder, STINT_GPU_KERNEL, "short", 7, 10, 0);
    activity_of(&builder, STINT_GPU_KERNEL, "two streams", 7, 50, 0);
    activity_of(&builder, STINT_GPU_SET, "one stream", 7, 105, 0);
    activity_of(&builder, STINT_GPU_COPY, "brief", 7, 10, 0);
    activity_of(&builder, STINT_GPU_COPY, "short", 7, 10, 0);
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(activities_of(snapshot),
                        "two streams(0,0,0,7) two streams(0,0,0,13) one stream(2,0,0,7) one stream(0,0,0,7) "
                        "brief(1,0,0,7) short(0,0,0,7) short(1,0,0,7)");
    stint_snapshot_free(snapshot);
}

TEST(activities_of_a_name_stand_by_device_context_and_stream)
{
    struct stint_gpu_activity like = {.name = "a", .mangled = "", .numbers = {.count = 1}};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (uint32_t i = 8; i-- > 0;) {
        like.device = i >> 2;
        like.context = i >> 1 & 1;
        like.stream = i & 1;
        like.numbers.total_ns = i;
        stint_builder_add_gpu_activity(&builder, stint_builder_gpu_activity(&builder, &like), &like);
    }
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(activities_of(snapshot), "a(0,0,0,0) a(0,0,0,1) a(0,0,1,0) a(0,0,1,1) "
                                                 "a(0,1,0,0) a(0,1,0,1) a(0,1,1,0) a(0,1,1,1)");
    stint_snapshot_free(snapshot);
}

/* ----------------------------------------------------------------------------------------------- devices and memory */

TEST(devices_stand_by_id)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (uint32_t id = 4; id-- > 0;)
        stint_builder_add(&builder, STINT_ROWS_GPU_DEVICES,
                          &(struct stint_gpu_device){.id = id, .name = "GPU", .multiprocessors = id});
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu_device_count, 4);
    for (uint32_t id = 0; id < 4; ++id) {
        assert_int_equal(snapshot->gpu_devices[id].id, id);
        assert_int_equal(snapshot->gpu_devices[id].multiprocessors, id);
    }
    stint_snapshot_free(snapshot);
}

TEST(what_is_not_known_of_a_device_is_filled_in)
{
    const struct stint_gpu_device parts[] = {
        {.id = 3, .name = "", .compute_major = 9, .link_bytes_per_s = 5},
        {.id = 3, .name = "GPU", .compute_major = 8, .core_clock_khz = 1000, .memory_bytes = 7},
        {.id = 3, .name = "", .memory_bytes = 8, .memory_bytes_per_s = 6, .multiprocessors = 132, .compute_minor = 1},
    };
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (size_t i = 0; i < TEST_COUNT(parts); ++i)
        stint_builder_add(&builder, STINT_ROWS_GPU_DEVICES, &parts[i]);
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu_device_count, 1);
    assert_string_equal(snapshot->gpu_devices[0].name, "GPU");
    assert_int_equal(snapshot->gpu_devices[0].compute_major, 9);
    assert_int_equal(snapshot->gpu_devices[0].compute_minor, 1);
    assert_int_equal(snapshot->gpu_devices[0].multiprocessors, 132);
    assert_int_equal(snapshot->gpu_devices[0].core_clock_khz, 1000);
    assert_int_equal(snapshot->gpu_devices[0].memory_bytes, 7);
    assert_int_equal(snapshot->gpu_devices[0].memory_bytes_per_s, 6);
    assert_int_equal(snapshot->gpu_devices[0].link_bytes_per_s, 5);
    stint_snapshot_free(snapshot);
}

TEST(two_devices_under_one_id_are_not_mixed)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_add(&builder, STINT_ROWS_GPU_DEVICES, &(struct stint_gpu_device){.name = "one", .memory_bytes = 5});
    stint_builder_add(&builder, STINT_ROWS_GPU_DEVICES,
                      &(struct stint_gpu_device){.name = "another", .link_bytes_per_s = 6});
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(snapshot->gpu_devices[0].name, "one");
    assert_int_equal(snapshot->gpu_devices[0].memory_bytes, 5);
    assert_int_equal(snapshot->gpu_devices[0].link_bytes_per_s, 0);
    stint_snapshot_free(snapshot);
}

TEST(memory_stands_by_device_kind_and_pool_and_adds_up)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (int round = 0; round < 2; ++round)
        for (unsigned i = 8; i-- > 0;) {
            const struct stint_gpu_memory like = {
                .device = i >> 2,
                .kind = i & 2 ? STINT_GPU_MEMORY_DEVICE : STINT_GPU_MEMORY_PINNED,
                .pool = i & 1,
                .allocations = 10 + i,
                .frees = 20 + i,
                .current_bytes = 30 + i,
                .peak_bytes = 40 + i,
            };
            stint_builder_add(&builder, STINT_ROWS_GPU_MEMORY, &like);
        }
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu_memory_count, 8);
    for (unsigned i = 0; i < 8; ++i) {
        const struct stint_gpu_memory *memory = &snapshot->gpu_memory[i];
        assert_int_equal(memory->device, i >> 2);
        assert_int_equal(memory->kind, i & 2 ? STINT_GPU_MEMORY_DEVICE : STINT_GPU_MEMORY_PINNED);
        assert_int_equal(memory->pool, i & 1);
        assert_int_equal(memory->allocations, 2 * (10 + i));
        assert_int_equal(memory->frees, 2 * (20 + i));
        assert_int_equal(memory->current_bytes, 2 * (30 + i));
        assert_int_equal(memory->peak_bytes, 2 * (40 + i));
    }
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------------------------- info */

TEST(without_a_collector_there_is_no_reason)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu.collected, 0);
    assert_string_equal(snapshot->gpu.reason, "");
    stint_snapshot_free(snapshot);
}

TEST(info_is_that_of_the_first_who_collected)
{
    char reason[] = "taken";
    const struct stint_gpu_info infos[] = {
        {.reason = "none"},
        {1, STINT_ERROR_TAKEN, reason, 1, 13, 100, 3, 500, 2000, 0, {0}},
        {1, STINT_ERROR_CUDA, "failed", 4, 12, 50, 4, 20, 1000, 100, {0}},
    };
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (size_t i = 0; i < TEST_COUNT(infos); ++i)
        stint_builder_add(&builder, STINT_ROWS_GPU, &infos[i]);
    reason[0] = '?';
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu.collected, 1);
    assert_int_equal(snapshot->gpu.status, STINT_ERROR_TAKEN);
    assert_string_equal(snapshot->gpu.reason, "taken");
    assert_int_equal(snapshot->gpu.cupti_version, 13);
    assert_int_equal(snapshot->gpu.what, 5);
    assert_true(snapshot->gpu.clock_error_ns == 100);
    assert_int_equal(snapshot->gpu.early, 7);
    assert_int_equal(snapshot->gpu.reading_ns, 520);
    assert_true(snapshot->gpu.cupti_kernel_ns == 2000);
    assert_true(snapshot->gpu.cupti_call_ns == 100);
    stint_snapshot_free(snapshot);
}

/* ---------------------------------------------------------------------------------------------------------- charges */

TEST(charges_of_one_activity_to_one_context_add_up)
{
    struct stint_builder builder;
    size_t activity, context;
    stint_builder_begin(&builder);
    activity = activity_of(&builder, STINT_GPU_KERNEL, "k", 0, 100, 0);
    context = context_of(&builder, STINT_NO_PARENT, "scope");
    charge(&builder, activity, context, 30);
    charge(&builder, activity, context, 50);
    charge(&builder, activity, context, 20);
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu_charge_count, 1);
    assert_int_equal(snapshot->gpu_charges[0].count, 3);
    assert_int_equal(snapshot->gpu_charges[0].total_ns, 100);
    assert_int_equal(snapshot->gpu_charges[0].min_ns, 20);
    assert_int_equal(snapshot->gpu_charges[0].max_ns, 50);
    assert_int_equal(snapshot->gpu_charges[0].bytes, 1000);
    stint_snapshot_free(snapshot);
}

TEST(a_charge_of_nothing_is_none)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_add(&builder, STINT_ROWS_GPU_CHARGES,
                      &(struct stint_gpu_charge){
                          .activity = activity_of(&builder, STINT_GPU_KERNEL, "k", 0, 1, 0),
                          .context = context_of(&builder, STINT_NO_PARENT, "scope"),
                      });
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu_charge_count, 0);
    assert_int_equal(snapshot->context_count, 0);
    stint_snapshot_free(snapshot);
}

/* Whatever the order in which they came, and wherever contexts and activities went. */
TEST(charges_stand_by_activity_then_context_those_without_scope_last)
{
    static const char *const activities[] = {"long", "middle", "short"};
    static const char *const contexts[] = {"first", "second", "third"};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (size_t c = 3; c-- > 0;)
        run_context(&builder, context_of(&builder, STINT_NO_PARENT, contexts[c]), 100 - c);
    for (size_t a = 3; a-- > 0;) {
        const size_t activity = activity_of(&builder, STINT_GPU_KERNEL, activities[a], 0, 100 - a, 0);
        charge(&builder, activity, STINT_GPU_NO_SCOPE, 100 * a + 5);
        charge(&builder, activity, STINT_GPU_UNATTRIBUTED, 100 * a + 4);
        for (size_t c = 3; c-- > 0;)
            charge(&builder, activity, context_of(&builder, STINT_NO_PARENT, contexts[c]), 100 * a + c + 1);
    }
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu_charge_count, 15);
    for (size_t i = 0; i < 15; ++i) {
        const size_t last[] = {STINT_GPU_UNATTRIBUTED, STINT_GPU_NO_SCOPE};
        assert_int_equal(snapshot->gpu_charges[i].activity, i / 5);
        assert_int_equal(snapshot->gpu_charges[i].context, i % 5 < 3 ? i % 5 : last[i % 5 - 3]);
        assert_int_equal(snapshot->gpu_charges[i].total_ns, 100 * (i / 5) + i % 5 + 1);
    }
    for (size_t i = 0; i < 3; ++i) {
        assert_string_equal(snapshot->gpu_activities[i].name, activities[i]);
        assert_string_equal(snapshot->stats[snapshot->contexts[i].stat].name, contexts[i]);
    }
    stint_snapshot_free(snapshot);
}

TEST(what_is_charged_to_a_context_that_is_not_there_is_unattributed)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    size_t activity = activity_of(&builder, STINT_GPU_KERNEL, "k", 0, 7, 0);
    charge(&builder, activity, 0, 3);
    charge(&builder, activity, STINT_GPU_UNATTRIBUTED, 4);
    stint_builder_add(&builder, STINT_ROWS_GPU_EVENTS, &(struct stint_gpu_event){.name = "k", .context = 17});
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu_charge_count, 1);
    assert_int_equal(snapshot->gpu_charges[0].context, STINT_GPU_UNATTRIBUTED);
    assert_int_equal(snapshot->gpu_charges[0].total_ns, 7);
    assert_int_equal(snapshot->gpu_events[0].context, STINT_GPU_UNATTRIBUTED);
    stint_snapshot_free(snapshot);
}

TEST(contexts_that_launched_are_kept_with_their_ancestors_though_they_never_ended)
{
    struct stint_builder builder;
    size_t outer, inner, idle;
    stint_builder_begin(&builder);
    idle = context_of(&builder, STINT_NO_PARENT, "idle");
    outer = context_of(&builder, STINT_NO_PARENT, "outer");
    inner = context_of(&builder, outer, "inner");
    context_of(&builder, inner, "below");
    context_of(&builder, idle, "inner");
    charge(&builder, activity_of(&builder, STINT_GPU_KERNEL, "k", 0, 7, 0), inner, 7);
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->context_count, 2);
    assert_int_equal(snapshot->stat_count, 2);
    assert_string_equal(snapshot->stats[snapshot->contexts[0].stat].name, "outer");
    assert_string_equal(snapshot->stats[snapshot->contexts[1].stat].name, "inner");
    assert_int_equal(snapshot->gpu_charges[0].context, 1);
    stint_snapshot_free(snapshot);
}

TEST(contexts_that_an_event_names_are_kept)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    run_context(&builder, context_of(&builder, STINT_NO_PARENT, "long"), 100);
    context_of(&builder, STINT_NO_PARENT, "never ran");
    size_t context = context_of(&builder, STINT_NO_PARENT, "launched");
    stint_builder_add(&builder, STINT_ROWS_GPU_EVENTS, &(struct stint_gpu_event){.name = "k", .context = context});
    stint_builder_add(&builder, STINT_ROWS_GPU_EVENTS,
                      &(struct stint_gpu_event){.name = "k", .context = STINT_GPU_NO_SCOPE});
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->context_count, 2);
    assert_string_equal(snapshot->stats[snapshot->contexts[1].stat].name, "launched");
    assert_int_equal(snapshot->gpu_events[0].context + snapshot->gpu_events[1].context, 0); /* -1 and 1 */
    stint_snapshot_free(snapshot);
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* Calls stand before what they launched; the rest makes the order the same however they came. */
TEST(events_stand_by_start_then_end_calls_first)
{
    static const struct stint_gpu_event events[] = {
        {.name = "a", .start_ns = 9, .end_ns = 9},
        {.name = "e", .start_ns = 5, .end_ns = 7, .correlation = 2},
        {.name = "h", .start_ns = 4, .end_ns = 90},
        {.name = "c", .start_ns = 5, .end_ns = 8},
        {.name = "f", .start_ns = 5, .end_ns = 7, .correlation = 1},
        {.name = "g", .start_ns = 5, .end_ns = 7, .correlation = 3, .api = 1},
        {.name = "d", .start_ns = 5, .end_ns = 7, .correlation = 2, .tid = 1},
        {.name = "b", .start_ns = 5, .end_ns = 8},
    };
    char text[TEST_COUNT(events) + 1] = "";
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (size_t i = 0; i < TEST_COUNT(events); ++i)
        stint_builder_add(&builder, STINT_ROWS_GPU_EVENTS, &events[i]);
    struct stint_snapshot *snapshot = end(&builder);
    for (size_t i = 0; i < snapshot->gpu_event_count; ++i)
        strcat(text, snapshot->gpu_events[i].name);
    assert_string_equal(text, "hgfedbca");
    stint_snapshot_free(snapshot);
}

TEST(many_events_stand_in_order_each_as_it_was)
{
    enum { EVENTS = 10007 };
    static char seen[EVENTS];
    struct stint_builder builder;
    uint64_t seed = 4;

    memset(seen, 0, sizeof seen);
    stint_builder_begin(&builder);
    for (uint64_t i = 0; i < EVENTS; ++i) {
        const uint64_t start = test_random(&seed) % 3000;
        const struct stint_gpu_event event = {
            .name = "k", .start_ns = start, .end_ns = start + i, .bytes = i, .context = STINT_GPU_NO_SCOPE};
        stint_builder_add(&builder, STINT_ROWS_GPU_EVENTS, &event);
    }
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->gpu_event_count, EVENTS);
    for (size_t i = 0; i < EVENTS; ++i) {
        const struct stint_gpu_event *event = &snapshot->gpu_events[i];
        assert_int_equal(event->end_ns - event->start_ns, event->bytes);
        assert_int_equal(seen[event->bytes]++, 0);
        if (i)
            assert_true(event[-1].start_ns < event->start_ns ||
                        (event[-1].start_ns == event->start_ns && event[-1].end_ns <= event->end_ns));
    }
    stint_snapshot_free(snapshot);
}

TEST(names_are_copied_once)
{
    char name[] = "kernel", other[] = "kernel";
    struct stint_builder builder;
    stint_builder_begin(&builder);
    activity_of(&builder, STINT_GPU_KERNEL, name, 0, 1, 0);
    stint_builder_add(&builder, STINT_ROWS_GPU_EVENTS,
                      &(struct stint_gpu_event){.name = other, .context = STINT_GPU_NO_SCOPE});
    name[0] = other[0] = '?';
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(snapshot->gpu_activities[0].name, "kernel");
    assert_ptr_equal(snapshot->gpu_activities[0].name, snapshot->gpu_events[0].name);
    stint_snapshot_free(snapshot);
}

/* ----------------------------------------------------------------------------------------------------------- memory */

/* Returns NULL or the snapshot. */
static struct stint_snapshot *build_a_lot(void)
{
    const struct stint_gpu_info info = {.collected = 1, .status = STINT_ERROR_CUDA, .reason = "failed"};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_add(&builder, STINT_ROWS_GPU, &info);
    for (uint32_t i = 0; i < 300; ++i) {
        char name[16];
        size_t activity, context;
        (void)snprintf(name, sizeof name, "name %u", i);
        stint_builder_add(&builder, STINT_ROWS_GPU_DEVICES, &(struct stint_gpu_device){.id = i, .name = name});
        stint_builder_add(&builder, STINT_ROWS_GPU_MEMORY, &(struct stint_gpu_memory){.device = i});
        activity = activity_of(&builder, STINT_GPU_KERNEL, name, i, i, 0);
        context = context_of(&builder, STINT_NO_PARENT, name);
        charge(&builder, activity, context, i);
        stint_builder_add(&builder, STINT_ROWS_GPU_EVENTS, &(struct stint_gpu_event){.name = name, .context = context});
    }
    return stint_builder_end(&builder, &s_process, &s_dropped);
}

static void build_without(void (*starve)(long calls))
{
    const size_t before = memory_mapped();
    struct stint_snapshot *snapshot;
    long calls = 0;
    for (;; ++calls) {
        starve(calls);
        snapshot = build_a_lot();
        if (!memory_recover())
            break;
        assert_null(snapshot);
        assert_int_equal(memory_mapped(), before);
    }
    assert_non_null(snapshot);
    assert_true(calls > 5);
    stint_snapshot_free(snapshot);
    assert_int_equal(memory_mapped(), before);
}

TEST(without_memory_there_is_no_snapshot_and_no_leak)
{
    build_without(memory_fail_after);
    build_without(memory_fail_once_after);
}

#include <string.h>

#include "replay/replay.h"
#include "stat/builder.h"
#include "stint_test.h"

/* Two processes: the second one began 100 ns later, and has its contexts in another order. */
static struct stint_snapshot *s_parts[2], *s_sum;
static struct stint_snapshot_events s_events[2];

static size_t add_context(struct stint_builder *builder, size_t parent, const char *name, uint64_t ns)
{
    const struct stint_stat like = {.set = "GlobalStatInfo", .name = name, .file = "", .function = ""};
    const struct stint_numbers numbers = {.count = 1, .total_ns = ns, .self_ns = ns, .min_ns = ns, .max_ns = ns};
    size_t stat = stint_builder_stat(builder, &like), context = stint_builder_context(builder, parent, stat);
    stint_builder_add_stat(builder, stat, &numbers);
    stint_builder_add_context(builder, context, &numbers);
    return context;
}

static void add_event(struct stint_builder *builder, uint64_t start_ns, uint64_t end_ns, size_t context)
{
    const struct stint_gpu_event event = {.kind = STINT_GPU_KERNEL,
                                          .name = "k",
                                          .start_ns = start_ns,
                                          .end_ns = end_ns,
                                          .context = context,
                                          .instance = 0,
                                          .correlation = 77};
    stint_builder_add(builder, STINT_ROWS_GPU_INSTANCES, &(struct stint_gpu_instance){context, STINT_GPU_NO_INSTANCE});
    stint_builder_add(builder, STINT_ROWS_GPU_EVENTS, &event);
}

static struct stint_snapshot *take(int64_t pid, uint64_t start_unix_ns, uint64_t train_ns, uint64_t load_ns)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_set(&builder, "GlobalStatInfo");
    size_t train = add_context(&builder, STINT_NO_PARENT, "train", train_ns);
    add_context(&builder, STINT_NO_PARENT, "load", load_ns);
    size_t forward = add_context(&builder, train, "load", 5);
    add_event(&builder, 10, 20, train);
    add_event(&builder, 200, 210, forward);
    add_event(&builder, 300, 310, STINT_GPU_NO_SCOPE);
    const struct stint_process process = {
        .pid = pid, .command = "a", .host = "", .clock = "", .start_unix_ns = start_unix_ns, .wall_ns = 400};
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &(const struct stint_dropped){0});
    assert_non_null(snapshot);
    return snapshot;
}

static int make(void **state)
{
    s_parts[0] = take(1, 1000, 900, 100);
    s_parts[1] = take(2, 1100, 100, 500);
    return stint_snapshot_merge(s_parts[0], s_parts[1], &s_sum) != STINT_OK;
}

static int forget(void **state)
{
    stint_snapshot_free(s_parts[0]);
    stint_snapshot_free(s_parts[1]);
    stint_snapshot_free(s_sum);
    return 0;
}

static void join(struct stint_joined_events *joined)
{
    struct stint_joined_input inputs[2];
    for (size_t i = 0; i < 2; i++) {
        stint_snapshot_events_begin(&s_events[i], s_parts[i]);
        inputs[i] = (struct stint_joined_input){s_parts[i], &s_events[i].source, 0};
    }
    assert_int_equal(stint_joined_events_begin(joined, s_sum, inputs, 2), 0);
    assert_int_equal(joined->source.begin(&joined->source), 0);
}

static const char *name_of(size_t context)
{
    return s_sum->stats[s_sum->contexts[context].stat].name;
}

TEST_ONCE(make, forget)

TEST(events_are_in_order_on_the_axis_of_the_first)
{
    static const struct {
        uint64_t start_ns;
        int64_t pid;
    } expected[] = {{10, 1}, {110, 2}, {200, 1}, {300, 1}, {300, 2}, {400, 2}};
    struct stint_joined_events joined;
    struct stint_event event;
    join(&joined);
    for (size_t i = 0; i < TEST_COUNT(expected); i++) {
        assert_int_equal(joined.source.next(&joined.source, &event), 1);
        assert_int_equal(event.start_ns, expected[i].start_ns);
        assert_int_equal(event.end_ns, expected[i].start_ns + 10);
        assert_int_equal(event.pid, expected[i].pid);
        assert_int_equal(event.gpu->start_ns, event.start_ns);
        assert_int_equal(event.gpu->end_ns, event.end_ns);
        assert_int_equal(event.gpu->correlation, 77);
    }
    assert_int_equal(joined.source.next(&joined.source, &event), 0);
    stint_joined_events_free(&joined);
}

TEST(times_begin_with_the_earliest_part_and_end_with_64_bits)
{
    struct stint_joined_events joined;
    struct stint_event event;
    s_parts[0]->process.start_unix_ns = UINT64_MAX;
    s_parts[1]->process.start_unix_ns = 5;
    join(&joined);
    for (uint64_t start_ns = 10; start_ns <= 300; start_ns += start_ns == 10 ? 190 : 100) {
        assert_int_equal(joined.source.next(&joined.source, &event), 1);
        assert_int_equal(event.start_ns, start_ns);
        assert_int_equal(event.pid, 2);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(joined.source.next(&joined.source, &event), 1);
        assert_in_range(event.start_ns, UINT64_MAX - 5, UINT64_MAX);
        assert_true(event.end_ns >= event.start_ns);
    }
    stint_joined_events_free(&joined);
    s_parts[0]->process.start_unix_ns = 1000;
    s_parts[1]->process.start_unix_ns = 1100;
}

/* The second part began 100 ns after the first. */
TEST(parts_are_told_which_time_is_wanted)
{
    struct stint_joined_events joined;
    join(&joined);
    joined.source.from_ns = 50;
    joined.source.to_ns = 300;
    assert_int_equal(joined.source.begin(&joined.source), 0);
    assert_int_equal(s_events[0].source.from_ns, 50);
    assert_int_equal(s_events[0].source.to_ns, 301);
    assert_int_equal(s_events[1].source.from_ns, 0);
    assert_int_equal(s_events[1].source.to_ns, 201);
    stint_joined_events_free(&joined);
}

TEST(contexts_are_those_of_the_sum)
{
    struct stint_joined_events joined;
    struct stint_event event;
    join(&joined);
    for (int i = 0; joined.source.next(&joined.source, &event) == 1; i++) {
        assert_int_equal(event.gpu->context, event.context);
        if (event.context == STINT_GPU_NO_SCOPE)
            continue;
        size_t parent = s_sum->contexts[event.context].parent;
        assert_string_equal(name_of(event.context), i < 2 ? "train" : "load");
        assert_true(i < 2 ? parent == STINT_NO_PARENT : strcmp(name_of(parent), "train") == 0);
    }
    stint_joined_events_free(&joined);
}

TEST(which_activation_launched_it_is_not_said)
{
    struct stint_joined_events joined;
    struct stint_event event;
    join(&joined);
    assert_int_equal(joined.source.next(&joined.source, &event), 1);
    assert_int_equal(event.gpu->instance, STINT_GPU_NO_INSTANCE);
    stint_joined_events_free(&joined);
}

TEST(they_may_be_read_again)
{
    struct stint_joined_events joined;
    struct stint_event event;
    join(&joined);
    for (int i = 0; i < 3; i++)
        assert_int_equal(joined.source.next(&joined.source, &event), 1);
    assert_int_equal(joined.source.begin(&joined.source), 0);
    assert_int_equal(joined.source.next(&joined.source, &event), 1);
    assert_int_equal(event.start_ns, 10);
    stint_joined_events_free(&joined);
}

static int fail_next(struct stint_event_source *source, struct stint_event *event)
{
    strcpy(source->reason, "the disk is gone");
    return -1;
}

static int begin_well(struct stint_event_source *source)
{
    return 0;
}

TEST(what_fails_says_why)
{
    struct stint_event_source broken = {.begin = begin_well, .next = fail_next};
    const struct stint_joined_input inputs[] = {{s_parts[0], NULL, 0}, {s_parts[1], &broken, 0}};
    struct stint_joined_events joined;
    assert_int_equal(stint_joined_events_begin(&joined, s_sum, inputs, 2), 0);
    assert_int_equal(joined.source.begin(&joined.source), -1);
    assert_string_equal(joined.source.reason, "the disk is gone");
    stint_joined_events_free(&joined);
}

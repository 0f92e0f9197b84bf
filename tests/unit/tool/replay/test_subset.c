#include "replay/replay.h"

#include <stdio.h>
#include <string.h>

#include "listed_events.h"
#include "stint_test.h"

/* A program: main [0, 1000) calls step [100, 400) and [500, 900), which calls step again [600, 700). Both of the outer
 * ones launch a kernel, the first on device 0, the other on device 1. Another process, 2, has a scope of its own. */
enum { MAIN, STEP, STEP_STEP, OTHER };

static const struct stint_stat s_stats[] = {{.set = "GlobalStatInfo", .name = "main", .file = "", .function = ""},
                                            {.set = "GlobalStatInfo", .name = "step", .file = "", .function = ""},
                                            {.set = "GlobalStatInfo", .name = "other", .file = "", .function = ""}};
static const struct stint_context s_contexts[] = {{.stat = 0, .parent = STINT_NO_PARENT},
                                                  {.stat = 1, .parent = MAIN, .depth = 1},
                                                  {.stat = 1, .parent = STEP, .depth = 2},
                                                  {.stat = 2, .parent = STINT_NO_PARENT}};
static const struct stint_gpu_device s_devices[] = {{.id = 0, .name = "A"}, {.id = 1, .name = "B"}};
static const struct stint_thread s_threads[] = {{.pid = 1, .tid = 11, .name = "main"}};
static const struct stint_snapshot s_whole = {
    .process = {.pid = 1, .command = "./a", .host = "h", .clock = "tsc", .start_unix_ns = 5, .wall_ns = 1000},
    .stats = s_stats,
    .stat_count = TEST_COUNT(s_stats),
    .contexts = s_contexts,
    .context_count = TEST_COUNT(s_contexts),
    .threads = s_threads,
    .thread_count = 1,
    .gpu = {.collected = 1, .reason = "", .reading_ns = 7},
    .gpu_devices = s_devices,
    .gpu_device_count = 2,
    .dropped = {.nodes = 3},
};

static const struct stint_gpu_event s_gpu[] = {
    {.api = 1, .name = "cudaLaunchKernel", .start_ns = 200, .end_ns = 220, .correlation = 1, .tid = 11},
    {.name = "axpy", .start_ns = 250, .end_ns = 350, .correlation = 1, .device = 0, .bytes = 8},
    {.api = 1, .name = "cudaLaunchKernel", .start_ns = 800, .end_ns = 830, .correlation = 2, .tid = 11},
    {.api = 1, .name = "cuLaunchKernel", .start_ns = 805, .end_ns = 825, .correlation = 2, .tid = 11},
    {.name = "axpy", .start_ns = 950, .end_ns = 990, .correlation = 2, .device = 1, .bytes = 4},
};

#define SCOPE(number, from, to)                                                                                        \
    {                                                                                                                  \
        .kind = STINT_EVENT_SCOPE, .start_ns = (from), .end_ns = (to), .pid = (number) == OTHER ? 2 : 1, .tid = 11,    \
        .context = (number), .name = "", .set = ""                                                                     \
    }
#define GPU(what, number, where)                                                                                       \
    {                                                                                                                  \
        .kind = STINT_EVENT_##what, .pid = 1, .tid = 11, .context = (where), .gpu = &s_gpu[number], .set = ""          \
    }

static const struct stint_event s_events[] = {
    SCOPE(MAIN, 0, 1000),  SCOPE(OTHER, 50, 150),      SCOPE(STEP, 100, 400), GPU(CALL, 0, STEP), GPU(DEVICE, 1, STEP),
    SCOPE(STEP, 500, 900), SCOPE(STEP_STEP, 600, 700), GPU(CALL, 2, STEP),    GPU(CALL, 3, STEP), GPU(DEVICE, 4, STEP),
};

static int next(struct stint_event_source *source, struct stint_event *event)
{
    int more = listed_events_next(source, event);
    if (more && event->gpu) {
        event->name = event->gpu->name;
        event->start_ns = event->gpu->start_ns;
        event->end_ns = event->gpu->end_ns;
    }
    return more;
}

static struct listed_events s_listed = {
    .source = {.begin = listed_events_begin, .next = next}, .events = s_events, .count = TEST_COUNT(s_events)};
static struct stint_event_source *const s_source = &s_listed.source;
static uint64_t s_kept;
static struct stint_snapshot *s_part;

static const struct stint_snapshot *part(struct stint_subset subset)
{
    if (!subset.to_ns)
        subset.to_ns = UINT64_MAX;
    s_part = stint_subset_take(&s_whole, s_source, &subset, &s_kept);
    assert_non_null(s_part);
    return s_part;
}

static int clean_up(void **state)
{
    stint_snapshot_free(s_part);
    return 0;
}

static const struct stint_numbers *numbers_of(const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    const struct stint_stat *stat = stint_snapshot_find(snapshot, set, name);
    if (!stat)
        fail_msg("there is no %s", name);
    return &stat->numbers;
}

TEST_TEARDOWN(everything_counts_as_it_did_when_it_was_recorded, clean_up)
{
    const struct stint_snapshot *all = part((struct stint_subset){.counts = 1});
    const struct stint_numbers *step = numbers_of(all, NULL, "step");
    assert_int_equal(step->count, 3);
    assert_int_equal(step->recursive, 1);
    assert_int_equal(step->total_ns, 300 + 400);
    assert_int_equal(step->self_ns, 300 + 400 - 20 - 30);
    assert_int_equal(numbers_of(all, NULL, "main")->self_ns, 300);
    assert_int_equal(all->context_count, 4 + 1);
    assert_int_equal(all->dropped.nodes, 3);
}

TEST_TEARDOWN(a_call_that_another_makes_is_a_part_of_it, clean_up)
{
    const struct stint_snapshot *all = part((struct stint_subset){.counts = 1});
    assert_null(stint_snapshot_find(all, STINT_API_SET, "cuLaunchKernel"));
    assert_int_equal(numbers_of(all, STINT_API_SET, "cudaLaunchKernel")->self_ns, 20 + 30);
}

TEST_TEARDOWN(work_is_charged_to_its_context, clean_up)
{
    const struct stint_snapshot *all = part((struct stint_subset){.counts = 1});
    assert_int_equal(all->gpu_activity_count, 2);
    assert_int_equal(all->gpu_charge_count, 2);
    assert_string_equal(all->stats[all->contexts[all->gpu_charges[0].context].stat].name, "step");
    assert_int_equal(all->gpu_activities[0].bytes + all->gpu_activities[1].bytes, 12);
    assert_int_equal(all->gpu.collected, 1);
}

TEST_TEARDOWN(threads_have_their_parts_and_names, clean_up)
{
    const struct stint_snapshot *all = part((struct stint_subset){.counts = 1});
    assert_int_equal(all->thread_count, 2);
    assert_string_equal(all->threads[0].name, "main");
    assert_int_equal(all->threads[1].pid, 2);
    assert_int_equal(all->thread_stat_count, 4);
}

TEST_TEARDOWN(times_of_parts_that_touch_add_up, clean_up)
{
    uint64_t total_ns = 0, self_ns = 0, gpu_ns = 0;
    for (uint64_t from = 0; from < 1000; from += 125) {
        const struct stint_snapshot *piece =
            part((struct stint_subset){.from_ns = from, .to_ns = from + 125, .counts = 1});
        const struct stint_stat *step = stint_snapshot_find(piece, NULL, "step");
        total_ns += numbers_of(piece, NULL, "main")->total_ns;
        self_ns += step ? step->numbers.self_ns : 0;
        for (size_t i = 0; i < piece->gpu_activity_count; i++)
            gpu_ns += piece->gpu_activities[i].numbers.total_ns;
        assert_int_equal(piece->process.wall_ns, 125);
        stint_snapshot_free(s_part);
    }
    s_part = NULL;
    assert_int_equal(total_ns, 1000);
    assert_int_equal(self_ns, 300 + 400 - 20 - 30);
    assert_int_equal(gpu_ns, 100 + 40);
}

TEST_TEARDOWN(what_ends_where_a_part_begins_is_not_in_it, clean_up)
{
    part((struct stint_subset){.from_ns = 400, .to_ns = 450, .counts = 1});
    assert_int_equal(s_kept, 1); /* main */
}

TEST_TEARDOWN(a_process_is_chosen, clean_up)
{
    const struct stint_snapshot *other = part((struct stint_subset){.has_pid = 1, .pid = 2, .counts = 1});
    assert_int_equal(other->stat_count, 1);
    assert_string_equal(other->stats[0].name, "other");
    assert_int_equal(other->process.pid, 2);
    assert_int_equal(s_kept, 1);
}

TEST_TEARDOWN(a_device_is_chosen, clean_up)
{
    const struct stint_snapshot *one = part((struct stint_subset){.has_device = 1, .device = 1, .counts = 1});
    assert_int_equal(one->gpu_activity_count, 1);
    assert_int_equal(one->gpu_activities[0].numbers.total_ns, 40);
    assert_int_equal(one->gpu_device_count, 1);
    assert_string_equal(one->gpu_devices[0].name, "B");
    assert_int_equal(numbers_of(one, NULL, "step")->count, 3);
}

TEST_TEARDOWN(a_trace_has_the_instances_that_launched, clean_up)
{
    const struct stint_snapshot *all = part((struct stint_subset){.trace = 10});
    assert_int_equal(all->gpu_event_count, 4);
    assert_int_equal(all->stat_count, 2); /* those that events name: main, and step */
    const struct stint_gpu_event *first = &all->gpu_events[1], *second = &all->gpu_events[3];
    assert_int_not_equal(first->instance, second->instance);
    assert_int_equal(all->gpu_instances[first->instance].parent, all->gpu_instances[second->instance].parent);
    assert_int_equal(all->gpu_instance_count, 3);
}

/* It is the recording that has a trace now, not the sum of the recording and its trace. */
TEST_TEARDOWN(what_the_recording_counted_is_as_it_was_with_a_trace, clean_up)
{
    const struct stint_snapshot *all = part((struct stint_subset){.trace = 10});
    assert_int_equal(all->process_count, 0);
    assert_int_equal(all->process.start_unix_ns, s_whole.process.start_unix_ns);
    assert_int_equal(all->process.wall_ns, s_whole.process.wall_ns);
    assert_int_equal(all->gpu.reading_ns, s_whole.gpu.reading_ns);
    assert_int_equal(all->thread_count, s_whole.thread_count);
    assert_int_equal(all->gpu_device_count, s_whole.gpu_device_count);
    assert_int_equal(all->dropped.nodes, s_whole.dropped.nodes);
}

TEST_TEARDOWN(a_trace_has_a_bound, clean_up)
{
    const struct stint_snapshot *all = part((struct stint_subset){.trace = 3});
    assert_int_equal(all->gpu_event_count, 3);
    assert_int_equal(all->dropped.gpu_events, 1);
}

/* Names where an event begins and ends: "0-1000 50-150 …". */
static void assert_events(struct stint_subset subset, uint64_t wanted_to_ns, const char *expected)
{
    struct stint_subset_events events;
    struct stint_event event;
    char told[200] = "";
    stint_subset_events_begin(&events, s_source, &subset);
    events.source.to_ns = wanted_to_ns;
    assert_int_equal(events.source.begin(&events.source), 0);
    while (events.source.next(&events.source, &event) == 1) {
        if (event.gpu)
            assert_true(event.gpu->start_ns == event.start_ns && event.gpu->end_ns == event.end_ns);
        snprintf(told + strlen(told), sizeof told - strlen(told), "%d-%d ", (int)event.start_ns, (int)event.end_ns);
    }
    assert_string_equal(told, expected);
}

TEST(events_of_a_part_are_those_that_touch_it)
{
    const struct stint_subset subset = {.from_ns = 300, .to_ns = 600};
    assert_events(subset, 0, "300-600 300-400 300-350 500-600 ");
    assert_events(subset, 450, "300-600 300-400 300-350 ");
    assert_events((struct stint_subset){.to_ns = UINT64_MAX, .has_pid = 1, .pid = 2}, 0, "50-150 ");
}

TEST(a_part_tells_its_source_which_time_it_wants)
{
    struct stint_subset_events events;
    stint_subset_events_begin(&events, s_source, &(struct stint_subset){.from_ns = 300, .to_ns = 600});
    events.source.from_ns = 100;
    events.source.to_ns = 500;
    assert_int_equal(events.source.begin(&events.source), 0);
    assert_int_equal(s_source->from_ns, 300);
    assert_int_equal(s_source->to_ns, 500);
    events.source.from_ns = events.source.to_ns = 0; /* all of the part */
    assert_int_equal(events.source.begin(&events.source), 0);
    assert_int_equal(s_source->from_ns, 300);
    assert_int_equal(s_source->to_ns, 600);
    events.subset.from_ns = 0;
    events.subset.to_ns = UINT64_MAX;
    assert_int_equal(events.source.begin(&events.source), 0);
    assert_int_equal(s_source->to_ns, 0);
}

static int failing_next(struct stint_event_source *source, struct stint_event *event)
{
    source->reason[0] = '!';
    source->reason[1] = '\0';
    return -1;
}

TEST_TEARDOWN(a_source_that_fails_gives_nothing, clean_up)
{
    struct listed_events listed = {.source = {.begin = listed_events_begin, .next = failing_next}};
    const struct stint_subset subset = {.to_ns = UINT64_MAX, .counts = 1};
    s_part = stint_subset_take(&s_whole, &listed.source, &subset, &s_kept);
    assert_null(s_part);
    assert_string_equal(listed.source.reason, "!");
}

/* Of a program that was sampled, only the samples: two in `step`, of main() -> work(), and one outside of scopes. */
static const struct stint_sample_module s_modules[] = {{1, "/bin/a", "", 0x1000, 0x2000, 0x1000}};
static const struct stint_sample_frame s_frames[] = {{0, 0x10}, {0, 0x20}};
static const struct stint_sample_stack s_stacks[] = {{STINT_SAMPLE_NO_STACK, 0}, {0, 1}};
static const struct stint_sample_thread s_sampled_threads[] = {{.pid = 1, .tid = 12, .name = "worker"}};
static const struct stint_event s_samples[] = {
    {.kind = STINT_EVENT_SAMPLE,
     .start_ns = 200,
     .end_ns = 200,
     .pid = 1,
     .tid = 12,
     .context = STEP,
     .sample = {1, 10}},
    {.kind = STINT_EVENT_SAMPLE,
     .start_ns = 300,
     .end_ns = 300,
     .pid = 1,
     .tid = 12,
     .context = STEP,
     .sample = {1, 11}},
    {.kind = STINT_EVENT_SAMPLE,
     .start_ns = 300,
     .end_ns = 300,
     .pid = 1,
     .tid = 12,
     .context = STINT_GPU_NO_SCOPE,
     .sample = {STINT_SAMPLE_NO_STACK, 7}},
};

static const struct stint_snapshot *sampled(uint64_t from_ns)
{
    struct listed_events listed = LISTED_EVENTS(s_samples, TEST_COUNT(s_samples));
    const struct stint_subset subset = {.from_ns = from_ns, .to_ns = UINT64_MAX, .counts = 1};
    struct stint_snapshot whole = s_whole;
    whole.sampling = (struct stint_sample_info){.sampled = 1, .wall = 1, .hz = 100, .samples = 5, .cpu_ns = 9};
    TEST_ROWS(whole, sample_modules, sample_module_count, s_modules);
    TEST_ROWS(whole, sample_frames, sample_frame_count, s_frames);
    TEST_ROWS(whole, sample_stacks, sample_stack_count, s_stacks);
    TEST_ROWS(whole, sample_threads, sample_thread_count, s_sampled_threads);
    s_part = stint_subset_take(&whole, &listed.source, &subset, &s_kept);
    assert_non_null(s_part);
    return s_part;
}

TEST_TEARDOWN(samples_are_counted_by_thread_scope_and_call_chain, clean_up)
{
    const struct stint_snapshot *all = sampled(0);
    assert_int_equal(all->sampling.samples, 3);
    assert_int_equal(all->sampling.time_ns, 28);
    assert_int_equal(all->sampling.hz, 100);
    assert_true(all->sampling.wall);
    assert_int_equal(all->sample_count_count, 2);
    const struct stint_sample_count *step = &all->sample_counts[0], *rest = &all->sample_counts[1];
    assert_int_equal(step->samples, 2);
    assert_int_equal(step->time_ns, 21);
    assert_string_equal(all->stats[all->contexts[step->context].stat].name, "step");
    assert_int_equal(all->sample_frames[all->sample_stacks[step->stack].frame].address, 0x20);
    assert_string_equal(all->sample_threads[step->thread].name, "worker");
    assert_int_equal(rest->samples, 1);
    assert_true(rest->stack == STINT_SAMPLE_NO_STACK && rest->context == STINT_GPU_NO_SCOPE);
}

TEST_TEARDOWN(samples_before_a_part_are_not_in_it, clean_up)
{
    const struct stint_snapshot *later = sampled(201);
    assert_int_equal(later->sampling.samples, 2);
    assert_int_equal(later->sampling.time_ns, 18);
    assert_int_equal(later->sample_counts[0].samples, 1);
}

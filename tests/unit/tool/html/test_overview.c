#include <stdlib.h>
#include <string.h>

#include "html/overview.h"
#include "stint_test.h"

static struct stint_arena s_arena;
static struct stint_curves s_curves;

static int set_up_curves(void **state)
{
    s_curves = (struct stint_curves){.arena = &s_arena};
    return 0;
}

static int free_curves(void **state)
{
    stint_arena_free(&s_arena);
    return 0;
}

/* Curves of many samples: few points, of which none hides a number. */
static void add_value(const char *name, uint64_t ns, double value)
{
    struct stint_event event = {.kind = STINT_EVENT_VALUE,
                                .start_ns = ns,
                                .end_ns = ns,
                                .name = name,
                                .set = "NVTX counters",
                                .field = "",
                                .value = value};
    assert_int_equal(stint_curves_add(&s_curves, &event), 0);
}

TEST_SETUP_TEARDOWN(few_samples_are_points, set_up_curves, free_curves)
{
    for (unsigned i = 0; i < STINT_CURVE_POINTS; i++)
        add_value("a", i, i);
    assert_int_equal(s_curves.count, 1);
    const struct stint_curve *curve = s_curves.all[0];
    assert_int_equal(curve->count, STINT_CURVE_POINTS);
    assert_int_equal(curve->per, 1);
    assert_string_equal(curve->name, "a");
    assert_string_equal(curve->what, "value");
}

/* Each sample is compared with the point that it is in: the last one that does not begin after it. */
TEST_SETUP_TEARDOWN(many_share_points_that_reach_as_far_as_they, set_up_curves, free_curves)
{
    enum { SAMPLES = 5000 };
    for (unsigned i = 0; i < SAMPLES; i++)
        add_value("a", i, (double)(i * 7919 % 1009));
    const struct stint_curve *curve = s_curves.all[0];
    assert_in_range(curve->count, STINT_CURVE_POINTS / 2, STINT_CURVE_POINTS);
    for (unsigned i = 0, at = 0; i < SAMPLES; i++) {
        double value = (double)(i * 7919 % 1009);
        at += at + 1 < curve->count && curve->points[at + 1].start_ns <= i;
        assert_true(curve->points[at].least <= value && value <= curve->points[at].most);
        assert_int_equal(curve->points[at].start_ns, i / curve->per * curve->per);
        if ((i + 1) % curve->per == 0)
            assert_true(curve->points[at].last == value);
    }
}

TEST_SETUP_TEARDOWN(curves_are_told_apart, set_up_curves, free_curves)
{
    struct stint_event_memory memory = {.device = 1, .current_bytes = 5, .kind = STINT_GPU_MEMORY_DEVICE};
    struct stint_event event = {.kind = STINT_EVENT_MEMORY, .name = "", .set = "", .memory = &memory};
    add_value("a", 0, 1);
    add_value("b", 1, 1);
    for (memory.device = 0; memory.device < 2; memory.device++)
        assert_int_equal(stint_curves_add(&s_curves, &event), 0);
    event.pid = 7;
    assert_int_equal(stint_curves_add(&s_curves, &event), 0);
    assert_int_equal(s_curves.count, 5);
    assert_int_equal(s_curves.all[1]->device, STINT_NO_DEVICE);
    assert_int_equal(s_curves.all[3]->device, 1);
    assert_string_equal(s_curves.all[3]->name, "memory (Device)");
    assert_true(s_curves.all[3]->points[0].last == 5);
}

TEST_SETUP_TEARDOWN(further_curves_are_counted, set_up_curves, free_curves)
{
    char name[] = "a0";
    for (int i = 0; i < STINT_CURVES_MOST + 3; i++) {
        name[0] = (char)('a' + i / 10);
        name[1] = (char)('0' + i % 10);
        add_value(name, 0, 1);
    }
    assert_int_equal(s_curves.count, STINT_CURVES_MOST);
    assert_int_equal(s_curves.beyond, 3);
}

/* A source of the events in an array. */
struct list {
    struct stint_event_source source; /* first */
    struct stint_event events[12000];
    struct stint_gpu_event gpu[12000];
    size_t count;
    size_t at;
    size_t fails_at;
};

static struct list s_list;
static struct stint_overview s_overview;

static int list_begin(struct stint_event_source *source)
{
    ((struct list *)(void *)source)->at = 0;
    return 0;
}

static int list_next(struct stint_event_source *source, struct stint_event *event)
{
    struct list *list = (struct list *)(void *)source;
    if (list->fails_at && list->at == list->fails_at) {
        strcpy(source->reason, "the file ends amid an event");
        return -1;
    }
    if (list->at == list->count)
        return 0;
    *event = list->events[list->at++];
    return 1;
}

static struct stint_event *add(enum stint_event_kind kind, const char *name, uint64_t start_ns, uint64_t end_ns)
{
    struct stint_event *event = &s_list.events[s_list.count];
    *event = (struct stint_event){.kind = kind,
                                  .start_ns = start_ns,
                                  .end_ns = end_ns,
                                  .pid = 1,
                                  .tid = 1,
                                  .context = STINT_GPU_NO_SCOPE,
                                  .name = name,
                                  .set = ""};
    if (kind == STINT_EVENT_CALL || kind == STINT_EVENT_DEVICE) {
        s_list.gpu[s_list.count] = (struct stint_gpu_event){.api = kind == STINT_EVENT_CALL, .name = name};
        event->gpu = &s_list.gpu[s_list.count];
    }
    s_list.count++;
    return event;
}

static struct stint_gpu_event *add_kernel(uint32_t stream, uint64_t start_ns, uint64_t end_ns, uint64_t correlation)
{
    add(STINT_EVENT_DEVICE, "kernel", start_ns, end_ns);
    struct stint_gpu_event *gpu = &s_list.gpu[s_list.count - 1];
    gpu->stream = stream;
    gpu->correlation = correlation;
    return gpu;
}

static void add_call(uint64_t start_ns, uint64_t end_ns, uint64_t correlation)
{
    add(STINT_EVENT_CALL, "cudaLaunchKernel", start_ns, end_ns);
    s_list.gpu[s_list.count - 1].correlation = correlation;
}

static void read_all(size_t most)
{
    assert_int_equal(stint_overview_read(&s_overview, &s_list.source, NULL, most), 0);
}

static size_t depth_of(size_t block)
{
    return s_overview.rows[s_overview.blocks[block].row].depth;
}

static int setup(void **state)
{
    s_list.count = s_list.at = s_list.fails_at = 0;
    s_list.source = (struct stint_event_source){.begin = list_begin, .next = list_next};
    return 0;
}

static int teardown(void **state)
{
    stint_overview_free(&s_overview);
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

TEST_SETUP_TEARDOWN(each_event_is_a_block_while_there_is_room, setup, teardown)
{
    for (uint64_t i = 0; i < 2000; i++)
        add(STINT_EVENT_SCOPE, "step", 10 * i, 10 * i + 5);
    read_all(0);
    assert_int_equal(s_overview.count, 2000);
    assert_int_equal(s_overview.grain_ns, 0);
}

/* 10 000 events of 1 ns to 40 ns. */
static void add_many(void)
{
    for (uint64_t i = 0; i < 10000; i++)
        add(STINT_EVENT_SCOPE, i % 2 ? "odd" : "even", 100 * i, 100 * i + 1 + i % 40);
}

TEST_SETUP_TEARDOWN(more_events_than_room_become_fewer_blocks, setup, teardown)
{
    add_many();
    read_all(0);
    assert_int_equal(s_overview.events, 10000);
    assert_in_range(s_overview.count, 500, 2 * STINT_ROWS_MOST);
}

TEST_SETUP_TEARDOWN(merging_loses_no_event_and_no_time, setup, teardown)
{
    uint64_t count = 0, busy_ns = 0, expected_ns = 0;
    add_many();
    read_all(0);
    for (size_t i = 0; i < s_list.count; i++)
        expected_ns += s_list.events[i].end_ns - s_list.events[i].start_ns;
    for (size_t i = 0; i < s_overview.count; i++) {
        count += s_overview.blocks[i].count;
        busy_ns += s_overview.blocks[i].busy_ns;
    }
    assert_int_equal(count, 10000);
    assert_int_equal(busy_ns, expected_ns);
}

TEST_SETUP_TEARDOWN(merged_blocks_are_no_longer_than_the_grain, setup, teardown)
{
    add_many();
    read_all(0);
    assert_true(s_overview.grain_ns > 0);
    for (size_t i = 0; i < s_overview.count; i++)
        if (s_overview.blocks[i].count > 1)
            assert_true(s_overview.blocks[i].end_ns - s_overview.blocks[i].start_ns <= s_overview.grain_ns);
}

TEST_SETUP_TEARDOWN(long_events_stay_alone, setup, teardown)
{
    size_t alone = 0;
    for (uint64_t i = 0; i < 10000; i++)
        add(STINT_EVENT_SCOPE, "short", 100 * i, 100 * i + 1);
    add(STINT_EVENT_SCOPE, "long", 1000000, 2000000);
    read_all(0);
    for (size_t i = 0; i < s_overview.count; i++)
        alone += s_overview.blocks[i].count == 1 && s_overview.blocks[i].end_ns == 2000000;
    assert_int_equal(alone, 1);
}

TEST_SETUP_TEARDOWN(merged_block_is_named_by_its_longest_event, setup, teardown)
{
    for (uint64_t i = 0; i < 10000; i++)
        add(STINT_EVENT_SCOPE, i % 100 == 50 ? "long" : "short", 100 * i, 100 * i + (i % 100 == 50 ? 60 : 2));
    read_all(0);
    stint_overview_coarsen(&s_overview, 100);
    const struct stint_event_class *whats = s_overview.whats.all.items;
    const struct stint_block *block = &s_overview.blocks[1];
    assert_true(block->count >= 100);
    assert_string_equal(whats[block->what].name, "long");
    assert_int_equal(block->longest_ns, 60);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

TEST_SETUP_TEARDOWN(nested_scopes_stand_below_each_other, setup, teardown)
{
    add(STINT_EVENT_SCOPE, "outer", 0, 100);
    add(STINT_EVENT_SCOPE, "middle", 0, 50);
    add(STINT_EVENT_SCOPE, "inner", 10, 20);
    add(STINT_EVENT_SCOPE, "sibling", 50, 100);
    read_all(0);
    assert_int_equal(s_overview.lanes.count, 1);
    assert_int_equal(depth_of(0), 0);
    assert_int_equal(depth_of(1), 1);
    assert_int_equal(depth_of(2), 2);
    assert_int_equal(depth_of(3), 1);
}

TEST_SETUP_TEARDOWN(kernels_that_overlap_on_a_stream_get_rows, setup, teardown)
{
    add_kernel(7, 0, 100, 0);
    add_kernel(7, 50, 150, 0);
    add_kernel(7, 100, 120, 0);
    read_all(0);
    assert_int_equal(depth_of(1), 1);
    assert_int_equal(depth_of(2), 0);
}

TEST_SETUP_TEARDOWN(streams_and_threads_have_lanes_of_their_own, setup, teardown)
{
    add_kernel(7, 0, 10, 0);
    add_kernel(8, 0, 10, 0);
    add(STINT_EVENT_SCOPE, "a", 1, 2);
    add(STINT_EVENT_SCOPE, "b", 1, 2)->tid = 2;
    add(STINT_EVENT_SCOPE, "c", 1, 2)->pid = 2;
    add(STINT_EVENT_RANGE, "range", 1, 2);
    read_all(0);
    assert_int_equal(s_overview.lanes.count, 6);
}

TEST_SETUP_TEARDOWN(lanes_beyond_the_limit_share_the_last, setup, teardown)
{
    for (uint32_t i = 0; i < 400; i++)
        add_kernel(i, 10 * i, 10 * i + 5, 0);
    read_all(0);
    assert_int_equal(s_overview.lanes.count, STINT_OVERVIEW_LANES);
    assert_int_equal(stint_overview_lane_at(&s_overview, STINT_OVERVIEW_LANES - 1)->kind, STINT_LANE_OTHERS);
}

TEST_SETUP_TEARDOWN(rows_beyond_the_limit_are_crowded_and_counted, setup, teardown)
{
    for (uint32_t i = 0; i < STINT_ROWS_MOST; i++)
        add_kernel(7, i, 1000000, 0);
    read_all(0);
    assert_true(s_overview.row_count <= STINT_ROWS_MOST);
    assert_int_equal(s_overview.crowded, STINT_ROWS_MOST - s_overview.row_count);
}

/* --------------------------------------------------------------------------------------------------------- launches */

TEST_SETUP_TEARDOWN(kernel_knows_its_launch, setup, teardown)
{
    add_call(100, 105, 77);
    add_kernel(7, 130, 150, 77);
    read_all(0);
    assert_int_equal(s_overview.blocks[1].launch_ns, 100);
    assert_int_equal(s_overview.blocks[1].launch_row, s_overview.blocks[0].row);
}

TEST_SETUP_TEARDOWN(kernel_whose_launch_was_not_seen_has_none, setup, teardown)
{
    add_call(100, 105, 77);
    add_kernel(7, 130, 150, 78);
    add_kernel(7, 160, 170, 0);
    read_all(0);
    assert_int_equal(s_overview.blocks[1].launch_row, UINT32_MAX);
    assert_int_equal(s_overview.blocks[2].launch_row, UINT32_MAX);
}

TEST_SETUP_TEARDOWN(launch_of_another_process_is_none, setup, teardown)
{
    add_call(100, 105, 77);
    add_kernel(7, 130, 150, 77);
    s_list.events[1].pid = 2;
    read_all(0);
    assert_int_equal(s_overview.blocks[1].launch_row, UINT32_MAX);
}

/* ---------------------------------------------------------------------------------------------------------- devices */

TEST_SETUP_TEARDOWN(device_is_busy_while_anything_runs, setup, teardown)
{
    add_kernel(7, 100, 200, 0);
    add_kernel(8, 150, 250, 0);
    add_kernel(7, 160, 170, 0);
    add_kernel(7, 300, 310, 0);
    read_all(0);
    assert_int_equal(s_overview.device_count, 1);
    assert_int_equal(s_overview.devices[0].busy_ns, 160);
    assert_int_equal(s_overview.devices[0].first_ns, 100);
    assert_int_equal(s_overview.devices[0].last_ns, 310);
}

TEST_SETUP_TEARDOWN(largest_gap_is_between_two_operations, setup, teardown)
{
    add_kernel(7, 1000, 1100, 0);
    add_kernel(7, 1150, 1200, 0);
    add_kernel(8, 1500, 1510, 0);
    add_kernel(7, 1600, 1610, 0);
    read_all(0);
    assert_int_equal(s_overview.devices[0].idle_start_ns, 1200);
    assert_int_equal(s_overview.devices[0].idle_ns, 300);
}

TEST_SETUP_TEARDOWN(waits_do_not_occupy_a_device, setup, teardown)
{
    add_kernel(7, 0, 100, 0)->kind = STINT_GPU_SYNC;
    read_all(0);
    assert_int_equal(s_overview.device_count, 0);
}

/* ------------------------------------------------------------------------------------------------------------- ends */

TEST_SETUP_TEARDOWN(no_source_is_no_event, setup, teardown)
{
    assert_int_equal(stint_overview_read(&s_overview, NULL, NULL, 0), 0);
    assert_int_equal(s_overview.events, 0);
}

TEST_SETUP_TEARDOWN(failing_source_says_why, setup, teardown)
{
    add_many();
    s_list.fails_at = 9000;
    assert_int_equal(stint_overview_read(&s_overview, &s_list.source, NULL, 0), -1);
    assert_string_equal(s_list.source.reason, "the file ends amid an event");
}

/* Samples on the timeline: src/tool/html/sample_chart.c. */
#include "html/overview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "listed_events.h"
#include "report/sample_fixture.h"
#include "stat/builder.h"
#include "stint_test.h"

enum { MS = 1000000, PID = 4711, EVENTS_MOST = 200 };

static struct stint_overview s_overview;
static struct stint_functions s_functions;
static struct stint_snapshot *s_snapshot;
static struct stint_event s_events[EVENTS_MOST];
static size_t s_count;

static void add(int64_t tid, double ms, size_t stack, size_t context)
{
    s_events[s_count++] = (struct stint_event){.kind = STINT_EVENT_SAMPLE,
                                               .start_ns = (uint64_t)(ms * MS),
                                               .end_ns = (uint64_t)(ms * MS),
                                               .pid = PID,
                                               .tid = tid,
                                               .context = context,
                                               .name = "",
                                               .set = "",
                                               .sample = {stack, 4 * MS}};
}

static void read_all(size_t most)
{
    struct listed_events listed = LISTED_EVENTS(s_events, s_count);
    struct stint_export_input input = {.snapshot = s_snapshot};
    assert_int_equal(stint_functions_begin(&s_functions, &input), 0);
    assert_int_equal(stint_overview_read(&s_overview, &listed.source, &s_functions, most), 0);
}

static int setup(void **state)
{
    s_count = 0;
    s_snapshot = fixture_samples();
    return !s_snapshot;
}

static int teardown(void **state)
{
    stint_overview_free(&s_overview);
    stint_functions_free(&s_functions);
    stint_snapshot_free(s_snapshot);
    return 0;
}

/* "0 train+0x1180 1..9", the blocks of a lane, row by row. */
static const char *text_of(size_t lane)
{
    static char s_text[4096];
    size_t used = 0;
    s_text[0] = '\0';
    for (size_t row = stint_overview_lane_at(&s_overview, lane)->first; row != SIZE_MAX;
         row = s_overview.rows[row].next)
        for (size_t i = 0; i < s_overview.count; i++) {
            const struct stint_block *block = &s_overview.blocks[i];
            const struct stint_event_class *what =
                (const struct stint_event_class *)s_overview.whats.all.items + block->what;
            if (block->row == row)
                used +=
                    (size_t)snprintf(s_text + used, sizeof s_text - used, "%zu %s %g..%g\n", s_overview.rows[row].depth,
                                     what->name, (double)block->start_ns / MS, (double)block->end_ns / MS);
        }
    return s_text;
}

TEST_EACH(setup, teardown)

/* The fixture's chains: 0: main 0x1180, 1: 0x1234 below it, 2: 0xbeef below that, 3: in no file, below main. */
TEST(same_callers_are_one_block)
{
    add(1, 5, 2, 1);
    add(1, 9, 2, 1);
    add(1, 13, 1, 0);
    add(1, 17, 3, 0);
    read_all(0);
    assert_int_equal(s_overview.lanes.count, 1);
    assert_int_equal(stint_overview_lane_at(&s_overview, 0)->kind, STINT_LANE_SAMPLES);
    assert_int_equal(s_overview.events, 4);
    assert_string_equal(text_of(0), "0 train+0x1180 1..17\n"
                                    "1 train+0x1234 1..13\n"
                                    "1 0x7fffe0001000 13..17\n"
                                    "2 lib\xff \"m\".so+0xbeef 1..9\n");
}

TEST(waiting_ends_all_blocks)
{
    add(1, 5, 1, 1);
    add(1, 40, 1, 1);
    add(1, 44.4, 1, 1); /* an eighth of what it stands for may be missing */
    read_all(0);
    assert_string_equal(text_of(0), "0 train+0x1180 1..5\n"
                                    "0 train+0x1180 36..44.4\n"
                                    "1 train+0x1234 1..5\n"
                                    "1 train+0x1234 36..44.4\n");
}

TEST(threads_have_lanes_of_their_own)
{
    add(1, 5, 0, 1);
    add(2, 6, 0, 1);
    add(1, 9, 0, 1);
    read_all(0);
    assert_int_equal(s_overview.lanes.count, 2);
    assert_string_equal(text_of(0), "0 train+0x1180 1..9\n");
    assert_string_equal(text_of(1), "0 train+0x1180 2..6\n");
}

TEST(a_block_in_several_scopes_is_in_none)
{
    add(1, 5, 1, 1);
    add(1, 9, 0, 0);
    read_all(0);
    for (size_t i = 0; i < s_overview.count; i++)
        assert_true(s_overview.blocks[i].context ==
                    (s_overview.rows[s_overview.blocks[i].row].depth ? 1 : STINT_GPU_NO_SCOPE));
}

TEST(samples_without_a_chain_are_gaps)
{
    add(1, 5, 0, 1);
    add(1, 9, STINT_SAMPLE_NO_STACK, 1);
    add(1, 13, 0, 1);
    read_all(0);
    assert_string_equal(text_of(0), "0 train+0x1180 1..5\n0 train+0x1180 9..13\n");
}

TEST(without_functions_samples_are_left_out)
{
    add(1, 5, 0, 1);
    struct listed_events listed = LISTED_EVENTS(s_events, s_count);
    s_functions = (struct stint_functions){0};
    assert_int_equal(stint_overview_read(&s_overview, &listed.source, NULL, 0), 0);
    assert_int_equal(s_overview.events + s_overview.count + s_overview.lanes.count, 0);
}

/* A chain that is deeper than a thread has rows. */
static struct stint_snapshot *deep(size_t depth)
{
    static const struct stint_process process = {.pid = PID, .command = "", .host = "", .clock = ""};
    static const struct stint_dropped dropped = {0};
    struct stint_builder builder;
    struct stint_sample_module module = {PID, "/bin/deep", "", 0, 1, 0};
    struct stint_sample_stack stack = {STINT_SAMPLE_NO_STACK, 0};
    stint_builder_begin(&builder);
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_MODULES, &module);
    for (uint64_t i = 0; i < depth; i++) {
        stack.frame = stint_builder_add(&builder, STINT_ROWS_SAMPLE_FRAMES, &(struct stint_sample_frame){0, i});
        stack.parent = stint_builder_add(&builder, STINT_ROWS_SAMPLE_STACKS, &stack);
    }
    return stint_builder_end(&builder, &process, &dropped);
}

TEST(the_last_row_has_the_innermost_function)
{
    stint_snapshot_free(s_snapshot);
    s_snapshot = deep(100);
    for (int64_t tid = 1; tid <= 20; tid++)
        add(tid, 5, 99, STINT_GPU_NO_SCOPE);
    read_all(0);
    assert_int_equal(s_overview.row_count, STINT_CHART_ROWS);
    const char *first = text_of(0);
    assert_non_null(strstr(first, "\n46 deep+0x2e "));
    assert_non_null(strstr(first, "\n47 deep+0x63 "));
    assert_null(strstr(first, "\n48 "));
    assert_int_equal(s_overview.chart.shortened, STINT_CHART_ROWS / STINT_CHART_DEEPEST);
    assert_int_equal(s_overview.chart.hidden, 20 - STINT_CHART_ROWS / STINT_CHART_DEEPEST);
}

/* As in a file that somebody has made up. */
TEST(time_never_runs_backwards)
{
    add(1, 50, 0, 1);
    add(1, 9, 1, 1);
    add(1, 60, 0, 1);
    read_all(0);
    for (size_t i = 0; i < s_overview.count; i++)
        assert_true(s_overview.blocks[i].end_ns >= s_overview.blocks[i].start_ns);
}

TEST(many_samples_become_coarser)
{
    for (int i = 0; i < EVENTS_MOST; i++)
        add(1, 5 + 4 * i, i % 2 ? 1 : 3, 1);
    read_all(0); /* as many blocks as there are at least */
    stint_overview_coarsen(&s_overview, 20);
    assert_true(s_overview.count <= 20);
    assert_int_equal(s_overview.events, EVENTS_MOST);
    uint64_t busy_ns = 0;
    for (size_t i = 0; i < s_overview.count; i++)
        busy_ns += s_overview.blocks[i].busy_ns;
    assert_int_equal(busy_ns, 2 * 4 * (uint64_t)MS * EVENTS_MOST);
}

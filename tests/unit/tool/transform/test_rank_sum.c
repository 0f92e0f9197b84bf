/* Sums of recordings by rank: which are one rank, which are left out, and how often they are read. */
#include "transform/transform.h"

#include <stdio.h>

#include "stat/builder.h"
#include "stint_test.h"

enum { MOST = 4 };

static struct stint_snapshot *s_snapshots[MOST];
static size_t s_opened, s_closed, s_fails_at;
static struct stint_event_source *s_events; /* of each */

static int open_one(void *context, size_t at, struct stint_recorded *file)
{
    if (s_opened++ == s_fails_at)
        return -1;
    *file = (struct stint_recorded){s_snapshots[at], s_events};
    return 0;
}

static void close_one(void *context, size_t at)
{
    s_closed++;
}

/* Takes as many snapshots as there are ranks, "" for a process without one: one call of "step" each. */
static struct stint_rank_files take(size_t count, const char *const *ranks)
{
    s_opened = s_closed = 0;
    s_fails_at = (size_t)-1;
    s_events = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct stint_stat like = {.set = "GlobalStatInfo", .name = "step", .file = "", .function = ""};
        const struct stint_numbers numbers = {.count = 1, .total_ns = 10, .self_ns = 10, .min_ns = 10, .max_ns = 10};
        struct stint_process process = {.pid = (int64_t)i + 1, .command = "", .host = "", .clock = "", .wall_ns = 20};
        struct stint_builder builder;
        stint_builder_begin(&builder);
        stint_builder_set(&builder, "GlobalStatInfo");
        stint_builder_add_stat(&builder, stint_builder_stat(&builder, &like), &numbers);
        (void)snprintf(process.rank, sizeof process.rank, "%s", ranks[i]);
        s_snapshots[i] = stint_builder_end(&builder, &process, &(const struct stint_dropped){0});
        assert_non_null(s_snapshots[i]);
    }
    return (struct stint_rank_files){.count = count, .open = open_one, .close = close_one};
}

static void forget(size_t count, struct stint_snapshot *sum)
{
    stint_snapshot_free(sum);
    for (size_t i = 0; i < count; i++)
        stint_snapshot_free(s_snapshots[i]);
}

TEST(each_rank_is_read_once)
{
    struct stint_rank_files files = take(3, (const char *const[]){"2", "0", "1"});
    struct stint_snapshot *sum = stint_rank_sum(&files);
    assert_non_null(sum);
    assert_int_equal(sum->process.ranks, 3);
    assert_int_equal(sum->stats[0].numbers.count, 3);
    assert_int_equal(files.left_out, 0);
    assert_true(s_opened == 3 && s_closed == 3);
    forget(3, sum);
}

TEST(recordings_of_one_rank_are_one)
{
    struct stint_rank_files files = take(3, (const char *const[]){"1", "0", "1"});
    struct stint_snapshot *sum = stint_rank_sum(&files);
    assert_non_null(sum);
    assert_int_equal(sum->process.ranks, 2);
    assert_int_equal(sum->stats[0].numbers.count, 3);
    assert_true(s_opened == 6 && s_closed == 6);
    forget(3, sum);
}

TEST(those_without_a_rank_are_left_out)
{
    struct stint_rank_files files = take(4, (const char *const[]){"", "0", "", "1"});
    struct stint_snapshot *sum = stint_rank_sum(&files);
    assert_non_null(sum);
    assert_int_equal(sum->process.ranks, 2);
    assert_int_equal(files.left_out, 2);
    forget(4, sum);
}

TEST(without_any_rank_each_is_one)
{
    struct stint_rank_files files = take(2, (const char *const[]){"", ""});
    struct stint_snapshot *sum = stint_rank_sum(&files);
    assert_non_null(sum);
    assert_int_equal(sum->process.ranks, 2);
    assert_int_equal(files.left_out, 0);
    forget(2, sum);
}

TEST(without_one_of_them_there_is_no_sum)
{
    struct stint_rank_files files = take(2, (const char *const[]){"0", "1"});
    s_fails_at = 1;
    assert_null(stint_rank_sum(&files));
    assert_true(files.is_unread);
    assert_int_equal(s_closed, 1);
    forget(2, NULL);
}

static uint64_t s_nested;

static int begin_nested(struct stint_event_source *source)
{
    s_nested = 0;
    return 0;
}

static int next_nested(struct stint_event_source *source, struct stint_event *event)
{
    *event = (struct stint_event){
        .kind = STINT_EVENT_SCOPE, .set = "GlobalStatInfo", .name = "step", .start_ns = s_nested, .end_ns = 1 << 20};
    return s_nested++ < STINT_OPEN_MOST + 5;
}

TEST(scopes_that_are_nested_too_deeply_are_counted)
{
    struct stint_event_source nested = {.begin = begin_nested, .next = next_nested};
    struct stint_rank_files files = take(2, (const char *const[]){"0", "1"});
    s_events = &nested;
    struct stint_snapshot *sum = stint_rank_sum(&files);
    assert_non_null(sum);
    assert_int_equal(sum->dropped.nvtx_depth, 2 * 5);
    forget(2, sum);
}

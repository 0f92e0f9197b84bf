/* Several recordings as one. */
#include "transform/transform.h"

#include "listed_events.h"
#include "stat/builder.h"
#include "stint_test.h"

static const struct stint_event s_event = {
    .kind = STINT_EVENT_SCOPE, .name = "step", .set = "GlobalStatInfo", .pid = 7};
static struct listed_events s_events[3];
static struct stint_recorded s_parts[3];

static void tell(const struct stint_alignment *alignment)
{
    fail_msg("there is one host, not %s", alignment->host);
}

static struct stint_snapshot *take(int64_t pid, uint64_t start_unix_ns, uint64_t wall_ns)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_set(&builder, "GlobalStatInfo");
    stint_builder_add(&builder, STINT_ROWS_THREADS, &(const struct stint_thread){.name = "main", .tid = 1, .pid = pid});
    const struct stint_process process = {.pid = pid,
                                          .command = "train",
                                          .host = "here",
                                          .clock = "",
                                          .rank = "3",
                                          .start_unix_ns = start_unix_ns,
                                          .wall_ns = wall_ns};
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &(const struct stint_dropped){0});
    assert_non_null(snapshot);
    return snapshot;
}

/* Two that ran at the same time, the second one in front, and a third one later; two have one number. */
static int make(void **state)
{
    s_parts[0].snapshot = take(7, 1050, 100);
    s_parts[1].snapshot = take(7, 1000, 100);
    s_parts[2].snapshot = take(8, 5000, 10);
    for (int i = 0; i < 3; i++) {
        s_events[i] = (struct listed_events)LISTED_EVENTS(&s_event, 1);
        s_parts[i].events = &s_events[i].source;
    }
    return 0;
}

static int forget(void **state)
{
    for (int i = 0; i < 3; i++)
        stint_snapshot_free(s_parts[i].snapshot);
    return 0;
}

TEST_EACH(make, forget)

TEST(the_sum_is_of_all_and_of_the_time_in_which_any_ran)
{
    struct stint_combined combined;
    assert_int_equal(stint_combine(&combined, s_parts, 3, tell), 0);
    assert_string_equal(combined.sum->process.command, "3 recordings: train");
    assert_int_equal(combined.sum->process.pid, 0);
    assert_string_equal(combined.sum->process.rank, "");
    assert_int_equal(combined.sum->process.start_unix_ns, 1000);
    assert_int_equal(combined.sum->process.wall_ns, 160);
    assert_int_equal(combined.sum->thread_count, 3);
    stint_combined_free(&combined);
}

TEST(a_time_that_ends_beyond_64_bits_is_not_lost)
{
    struct stint_combined combined;
    s_parts[2].snapshot->process.wall_ns = UINT64_MAX;
    assert_int_equal(stint_combine(&combined, s_parts, 3, tell), 0);
    assert_true(combined.sum->process.wall_ns == UINT64_MAX - 5000 + 150);
    stint_combined_free(&combined);
}

TEST(processes_of_one_number_are_kept_apart)
{
    struct stint_combined combined;
    struct stint_event event;
    int64_t pids[3];
    assert_int_equal(stint_combine(&combined, s_parts, 3, tell), 0);
    assert_int_equal(s_parts[0].snapshot->process.pid, 7);
    assert_int_equal(s_parts[1].snapshot->process.pid, STINT_COMBINED_PID);
    assert_int_equal(s_parts[1].snapshot->threads[0].pid, STINT_COMBINED_PID);
    assert_int_equal(combined.events.source.begin(&combined.events.source), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(combined.events.source.next(&combined.events.source, &event), 1);
        pids[i] = event.pid;
    }
    assert_true(pids[0] == 7 && pids[1] == STINT_COMBINED_PID);
    stint_combined_free(&combined);
}

static size_t s_open, s_most_open;

static int open_part(void *context, size_t at, struct stint_recorded *file)
{
    static const struct stint_snapshot nothing = {.process = {.command = "", .host = "", .clock = ""},
                                                  .gpu = {.reason = ""}};
    *file = s_parts[at];
    s_open++;
    s_most_open = s_open > s_most_open ? s_open : s_most_open;
    return at == *(size_t *)context || stint_snapshot_merge(s_parts[at].snapshot, &nothing, &file->snapshot) ? -1 : 0;
}

static void close_part(void *context, size_t at)
{
    s_open--;
}

static struct stint_rank_files files_of(size_t *missing)
{
    return (struct stint_rank_files){
        .count = 3, .open = open_part, .look = open_part, .close = close_part, .context = missing};
}

TEST(the_sum_of_files_that_are_open_one_at_a_time_is_the_same)
{
    struct stint_combined combined, one_by_one;
    size_t missing = SIZE_MAX;
    struct stint_rank_files files = files_of(&missing);
    assert_int_equal(stint_combine_files(&one_by_one, &files), 0);
    assert_int_equal(s_most_open, 1);
    assert_int_equal(s_open, 0);
    assert_int_equal(stint_combine(&combined, s_parts, 3, tell), 0);
    assert_string_equal(one_by_one.sum->process.command, combined.sum->process.command);
    assert_int_equal(one_by_one.sum->process.start_unix_ns, combined.sum->process.start_unix_ns);
    assert_int_equal(one_by_one.sum->process.wall_ns, combined.sum->process.wall_ns);
    assert_int_equal(one_by_one.sum->thread_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(one_by_one.sum->threads[i].pid, combined.sum->threads[i].pid);
    stint_combined_free(&one_by_one);
    stint_combined_free(&combined);
}

TEST(files_of_which_one_cannot_be_opened_have_no_sum)
{
    struct stint_combined combined;
    for (size_t missing = 0; missing < 3; missing++) {
        struct stint_rank_files files = files_of(&missing);
        assert_int_equal(stint_combine_files(&combined, &files), -1);
        stint_combined_free(&combined);
        s_open = 0;
    }
}

TEST(files_of_several_hosts_have_to_be_open_together)
{
    struct stint_combined combined;
    size_t missing = SIZE_MAX;
    struct stint_rank_files files = files_of(&missing);
    s_parts[1].snapshot->process.host = "elsewhere";
    assert_int_equal(stint_combine_files(&combined, &files), 1);
    stint_combined_free(&combined);
}

TEST(one_alone_stays_as_it_is)
{
    struct stint_combined combined;
    assert_int_equal(stint_combine(&combined, s_parts, 1, tell), 0);
    assert_string_equal(combined.sum->process.command, "train");
    assert_int_equal(combined.sum->process.pid, 7);
    assert_int_equal(combined.sum->process.wall_ns, 100);
    stint_combined_free(&combined);
}

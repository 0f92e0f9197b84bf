/* Dumps of a recording that goes on, parts of it that are put aside, and what asks for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf/ctf.h"
#include "ctf/ctf_fixture.h"
#include "ctf_writer/ctf_limits.h"
#include "ctf_writer/ctf_writer.h"
#include "stint_test.h"

enum { STEP_MS = 10, LONG_MS = 8 };

#define NS_PER_MS UINT64_C(1000000)

static const char s_report[] =
    "{\"format\":\"stint-report\",\"version\":1,\"process\":{\"pid\":77,\"command\":\"train\",\"host\":\"h\","
    "\"start_unix_ns\":5,\"wall_ns\":9000000000},\"stats\":[{\"set\":\"GlobalStatInfo\",\"name\":\"step\",\"count\":"
    "123,\"total_ns\":50}],\"contexts\":[{\"stat\":0,\"parent\":null,\"depth\":0,\"count\":123,\"total_ns\":50}]}\n";

static struct stint_event_writer *open_writer(const char *path, const char *variable, const char *value)
{
    static const struct stint_event_process process = {77, "train", "h", 5};
    char reason[512];
    (void)setenv(variable, value, 1);
    struct stint_event_writer *writer = stint_ctf_writer_open(path, &process, reason, sizeof reason);
    (void)unsetenv(variable);
    if (!writer)
        fail_msg("%s", reason);
    assert_int_equal(writer->context(writer, &(struct stint_event_context){2, 0, "GlobalStatInfo", "step", "", 0}), 0);
    assert_int_equal(writer->context(writer, &(struct stint_event_context){3, 0, "GlobalStatInfo", "other", "", 0}), 0);
    return writer;
}

/* A scope every 10 ms, on a thread; the first ends after 10 ms. */
static void add_steps(struct stint_event_writer *writer, int64_t tid, uint64_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count; i++) {
        uint64_t end_ns = (i + 1) * STEP_MS * NS_PER_MS;
        struct stint_event_scope scope = {.start_ns = end_ns - LONG_MS * NS_PER_MS, .end_ns = end_ns, .path = 2};
        assert_int_equal(writer->scopes(writer, tid, &scope, 1), 0);
        if (i % 20 == 19)
            assert_int_equal(writer->flush(writer), 0);
    }
    assert_int_equal(writer->flush(writer), 0);
}

static void finish(struct stint_event_writer *writer)
{
    assert_int_equal(writer->finish(writer, s_report, sizeof s_report - 1), 0);
}

/* What a recording has, read from its beginning to its end. */
struct content {
    uint64_t events, first_ns, last_ns, overwritten;
};

static struct content read_all(const char *path)
{
    char reason[256];
    struct stint_ctf *ctf = stint_ctf_open(path, reason, sizeof reason);
    if (!ctf)
        fail_msg("%s: %s", path, reason);
    struct stint_ctf_state state = stint_ctf_state(ctf);
    struct content content = {.overwritten = state.overwritten_events};
    struct stint_event_source *source = stint_ctf_events(ctf);
    struct stint_event event;
    assert_true(state.has_ended);
    assert_int_equal(state.missing_events + state.damaged_bytes + state.empty_files, 0);
    assert_int_equal(stint_snapshot_find(stint_ctf_snapshot(ctf), NULL, "step")->numbers.count, 123);
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) > 0) {
        if (!content.events++)
            content.first_ns = event.start_ns;
        if (content.last_ns < event.end_ns)
            content.last_ns = event.end_ns;
    }
    stint_ctf_close(ctf);
    return content;
}

static const char *dump(struct stint_event_writer *writer)
{
    static char path[4096];
    if (writer->dump(writer, s_report, sizeof s_report - 1, 1))
        fail_msg("%s", writer->reason);
    (void)snprintf(path, sizeof path, "%s", writer->dumped);
    return path;
}

/* ------------------------------------------------------------------------------------------------------------ dumps */

TEST(a_dump_has_what_there_is_and_the_recording_goes_on)
{
    const char *path = ctf_scratch("all.stint");
    struct stint_event_writer *writer = open_writer(path, "UNUSED", "");
    add_steps(writer, 11, 0, 100);
    add_steps(writer, 12, 0, 30);
    struct content first = read_all(dump(writer));
    assert_int_equal(first.events, 130);
    assert_int_equal(first.overwritten, 0);
    assert_string_equal(writer->dumped, ctf_scratch("all.dump1.stint"));
    add_steps(writer, 11, 100, 50);
    assert_int_equal(read_all(dump(writer)).events, 180);
    assert_int_equal(read_all(ctf_scratch("all.dump1.stint")).events, 130); /* what it shares has not changed */
    assert_int_equal(read_all(ctf_scratch("all.dump2.stint")).events, 180);
    add_steps(writer, 12, 150, 7);
    finish(writer);
    struct content all = read_all(ctf_scratch("all.stint"));
    assert_int_equal(all.events, 187);
    assert_int_equal(all.overwritten, 0);
}

/* 1 s of 5 s. A thread that did nothing in this time has nothing in it. */
TEST(a_dump_of_a_ring_of_time_has_the_last_of_it)
{
    struct stint_event_writer *writer = open_writer(ctf_scratch("time.stint"), "STINT_TRACE_RING", "1s");
    add_steps(writer, 12, 0, 50);
    add_steps(writer, 11, 0, 500);
    struct content last = read_all(dump(writer));
    assert_int_equal(last.last_ns, 5000 * NS_PER_MS);
    assert_in_range(last.first_ns, 3500 * NS_PER_MS, 4000 * NS_PER_MS);
    assert_int_equal(last.events + last.overwritten, 500);
    add_steps(writer, 11, 500, 500);
    finish(writer);
    struct content all = read_all(ctf_scratch("time.stint"));
    assert_int_equal(all.last_ns, 10000 * NS_PER_MS);
    assert_int_equal(all.events + all.overwritten, 1050);
    assert_in_range(all.events, 100 + 50, 250); /* the ring, and what the other thread did once */
}

TEST(dumps_go_where_they_are_told)
{
    struct stint_event_writer *writer = open_writer(ctf_scratch("told.stint"), "UNUSED", "");
    assert_int_equal(mkdir(ctf_scratch("elsewhere"), 0700), 0);
    (void)setenv("STINT_DUMP_FOLDER", ctf_scratch("elsewhere"), 1);
    add_steps(writer, 11, 0, 3);
    assert_string_equal(dump(writer), ctf_scratch("elsewhere/told.dump1.stint"));
    assert_int_equal(read_all(writer->dumped).events, 3);
    (void)setenv("STINT_DUMP_FOLDER", "/nowhere", 1);
    assert_int_equal(writer->dump(writer, s_report, sizeof s_report - 1, 1), -1);
    assert_non_null(strstr(writer->reason, "No such file"));
    (void)unsetenv("STINT_DUMP_FOLDER");
    add_steps(writer, 11, 3, 4);
    finish(writer);
    assert_int_equal(read_all(ctf_scratch("told.stint")).events, 7);
}

/* ------------------------------------------------------------------------------------------------------------ parts */

/* As the thread that writes does. */
static void follow(struct stint_event_writer *writer)
{
    if (!writer->wants_dump)
        return;
    assert_int_equal(writer->dump(writer, s_report, sizeof s_report - 1, 0), 0);
    assert_string_equal(writer->dumped, "");
    assert_false(writer->wants_dump);
}

TEST(parts_are_put_aside_by_time_and_old_ones_removed)
{
    char name[64];
    uint64_t events = 0;
    struct stint_event_writer *writer = open_writer(ctf_scratch("long.stint"), "STINT_TRACE_ROTATE", "1s,keep=3");
    for (uint64_t i = 0; i < 55; i++) {
        add_steps(writer, i % 10 == 3 ? 12 : 11, 10 * i, 10);
        follow(writer);
    }
    finish(writer);
    assert_int_equal(access(ctf_scratch("long.part2.stint"), F_OK), -1);
    for (int part = 3; part <= 5; part++) {
        (void)snprintf(name, sizeof name, "long.part%d.stint", part);
        struct content content = read_all(ctf_scratch(name));
        events += content.events;
        assert_int_equal(content.last_ns, (uint64_t)part * 1000 * NS_PER_MS);
        assert_int_equal(content.events, 100);
    }
    struct content rest = read_all(ctf_scratch("long.stint"));
    assert_int_equal(rest.events + events, 350);
    assert_int_equal(access(ctf_scratch("long.part6.stint"), F_OK), -1);
}

TEST(parts_are_put_aside_by_size)
{
    enum { STEPS = 60000, PART_BYTES = 1 << 18 };
    char name[64];
    struct stint_event_writer *writer = open_writer(ctf_scratch("big.stint"), "STINT_TRACE_ROTATE", "256K");
    for (uint64_t i = 0; i < STEPS / 100; i++) {
        add_steps(writer, 11, 100 * i, 100);
        follow(writer);
    }
    finish(writer);
    uint64_t events = read_all(ctf_scratch("big.stint")).events;
    for (int part = 1; part <= 3; part++) {
        (void)snprintf(name, sizeof name, "big.part%d.stint", part);
        struct content content = read_all(ctf_scratch(name));
        assert_in_range(content.events, 10000, PART_BYTES / 12); /* heads of packets take room, too */
        events += content.events;
    }
    assert_int_equal(events, STEPS);
    assert_int_equal(access(ctf_scratch("big.part4.stint"), F_OK), -1);
}

/* ------------------------------------------------------------------------------------------------------ slow scopes */

static void add_scope(struct stint_event_writer *writer, uint32_t path, uint64_t end_ms, uint64_t ms)
{
    struct stint_event_scope scope = {(end_ms - ms) * NS_PER_MS, end_ms * NS_PER_MS, path};
    assert_int_equal(writer->scopes(writer, 11, &scope, 1), 0);
    assert_int_equal(writer->flush(writer), 0);
}

TEST(a_slow_scope_wants_a_dump_and_the_next_one_not_so_soon)
{
    struct stint_event_writer *writer = open_writer(ctf_scratch("slow.stint"), "STINT_DUMP_SLOW", "x:1us,ste*:50ms");
    add_scope(writer, 2, 100, 49);
    add_scope(writer, 3, 200, 90);
    assert_false(writer->wants_dump);
    add_scope(writer, 2, 300, 50);
    assert_true(writer->wants_dump);
    assert_int_equal(writer->dump(writer, s_report, sizeof s_report - 1, 0), 0);
    assert_string_equal(writer->dumped, ctf_scratch("slow.dump1.stint"));
    assert_int_equal(read_all(writer->dumped).events, 3);
    add_scope(writer, 2, 10299, 60);
    assert_false(writer->wants_dump);
    add_scope(writer, 2, 10300, 60);
    assert_true(writer->wants_dump);
    finish(writer);
}

TEST(too_many_slow_scopes_make_no_more_dumps)
{
    int dumps = 0;
    struct stint_event_writer *writer = open_writer(ctf_scratch("often.stint"), "STINT_DUMP_SLOW", "*:1ms");
    for (uint64_t i = 1; i < 40; i++) {
        add_scope(writer, 2, 20000 * i, 60);
        dumps += writer->wants_dump;
        writer->wants_dump = 0;
    }
    assert_int_equal(dumps, 16);
    finish(writer);
}

TEST(what_is_no_limit_is_refused)
{
    static const char *const slow[] = {"", "x", "x:", ":1s", "x:1", "x:1s,", "x:1s,y", "x:-1s"},
                             *const pieces[] = {"", "1", "255K", "keep=3", "1h,keep", "1h,keep=x", "1h,", "x"};
    struct stint_ctf_limits limits = {0};
    for (size_t i = 0; i < TEST_COUNT(slow); i++)
        if (stint_ctf_limits_read_slow(&limits, slow[i]) == 0)
            fail_msg("'%s' is taken", slow[i]);
    for (size_t i = 0; i < TEST_COUNT(pieces); i++) {
        limits = (struct stint_ctf_limits){0};
        if (stint_ctf_limits_read_pieces(&limits, pieces[i]) == 0)
            fail_msg("'%s' is taken", pieces[i]);
    }
    assert_int_equal(stint_ctf_limits_read_slow(&limits, "a:b:2m,c:3us"), 0);
    assert_string_equal(limits.slow[0].name, "a:b");
    assert_int_equal(limits.slow[0].ns, 120000 * NS_PER_MS);
    assert_int_equal(limits.slow[1].ns, 3000);
    assert_int_equal(stint_ctf_limits_read_pieces(&limits, "keep=24,1G,2h"), 0);
    assert_int_equal(limits.pieces, 24);
    assert_int_equal(limits.piece_bytes, 1 << 30);
    assert_int_equal(limits.piece_ns, 7200000 * NS_PER_MS);
    assert_int_equal(stint_ctf_limits_read_ring(&limits, "30s,1M"), 0);
    assert_int_equal(limits.ring_ns, 30000 * NS_PER_MS);
    assert_int_equal(limits.ring_bytes, 1 << 20);
}

TEST(ring_and_parts_contradict_each_other)
{
    char reason[256];
    struct stint_ctf_limits limits;
    (void)setenv("STINT_TRACE_RING", "1s", 1);
    (void)setenv("STINT_TRACE_ROTATE", "1h", 1);
    assert_int_equal(stint_ctf_limits_read(&limits, reason, sizeof reason), -1);
    assert_non_null(strstr(reason, "contradict"));
    (void)unsetenv("STINT_TRACE_RING");
    (void)unsetenv("STINT_TRACE_ROTATE");
}

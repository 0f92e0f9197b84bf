#include "ctf_writer/ctf_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf/ctf.h"
#include "ctf/ctf_fixture.h"
#include "stint_test.h"

TEST(a_later_recording_replaces_an_earlier_one)
{
    const char *path = ctf_scratch("a.stint");
    ctf_write(path);
    ctf_write(path);
    struct stint_ctf *ctf = ctf_open(path);
    ctf_check_events(stint_ctf_events(ctf));
    stint_ctf_close(ctf);
}

TEST(files_of_others_are_left_alone)
{
    const struct stint_event_process process = {77, "a", "h", 5};
    const char *path = ctf_scratch("others.stint");
    char file[300], reason[256];
    (void)snprintf(file, sizeof file, "%s/report", path);
    assert_int_equal(mkdir(path, 0777), 0);
    ctf_write_file(file, 5);
    assert_null(stint_ctf_writer_open(path, &process, reason, sizeof reason));
    assert_non_null(strstr(reason, "not empty"));
    assert_int_equal(ctf_read_file(file), 5);
}

/* Another user may have made it, to read or to lead elsewhere what is recorded. */
TEST(folders_of_others_in_a_folder_like_tmp_are_refused)
{
    enum { SOMEBODY = 65534 };
    const struct stint_event_process process = {77, "a", "h", 5};
    const char *path = ctf_scratch("shared"), *file = ctf_scratch("shared/a.stint");
    char reason[256];
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(chmod(path, 01777), 0);
    ctf_write(file);
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(file, SOMEBODY, SOMEBODY), 0);
    assert_null(stint_ctf_writer_open(file, &process, reason, sizeof reason));
    assert_non_null(strstr(reason, "Permission denied"));
}

TEST(names_end_in_stint)
{
    assert_true(stint_ctf_is_wanted("/tmp/a.stint"));
    assert_true(stint_ctf_is_wanted("a.stint//"));
    assert_false(stint_ctf_is_wanted("a.stint.sqlite"));
    assert_false(stint_ctf_is_wanted(".stint"));
}

TEST(what_cannot_be_written_is_counted)
{
    const char *path = ctf_scratch("gone.stint");
    char stream[300], moved[300];
    struct stint_event_writer *writer = ctf_write_events(path);
    (void)snprintf(stream, sizeof stream, "%s/thread-1", path);
    (void)snprintf(moved, sizeof moved, "%s/moved", path);
    assert_int_equal(rename(stream, moved), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(writer->event(writer, &ctf_events[i]), 0);
    assert_int_equal(writer->flush(writer), -1);
    assert_int_equal(writer->lost, 3);
    assert_non_null(strstr(writer->reason, "No such file"));
    assert_int_equal(rename(moved, stream), 0);
    assert_int_equal(writer->event(writer, &ctf_events[3]), 0);
    assert_int_equal(writer->flush(writer), 0);
    assert_int_equal(writer->lost, 3);
    (void)writer->finish(writer, "{}", 2);
    struct stint_ctf *ctf = ctf_open(path);
    assert_int_equal(stint_ctf_state(ctf).missing_events, 0);
    assert_int_equal(stint_ctf_snapshot(ctf)->dropped.events, 3);
    stint_ctf_close(ctf);
}

TEST(a_limit_keeps_what_came_first)
{
    const char *path = ctf_scratch("limited.stint");
    char reason[256];
    const struct stint_event_process process = {77, "a", "h", 5};
    (void)setenv("STINT_TRACE_MAX", "4K", 1);
    struct stint_event_writer *writer = ctf_write_events(path);
    uint64_t lost = writer->lost;
    assert_true(lost > 0 && lost < CTF_EVENTS);
    assert_non_null(strstr(writer->reason, "STINT_TRACE_MAX"));
    (void)writer->finish(writer, "{}", 2);
    (void)setenv("STINT_TRACE_MAX", "4 K", 1);
    assert_null(stint_ctf_writer_open(path, &process, reason, sizeof reason));
    assert_non_null(strstr(reason, "STINT_TRACE_MAX=4 K is neither a size"));
    (void)unsetenv("STINT_TRACE_MAX");
    struct stint_ctf *ctf = ctf_open(path);
    assert_int_equal(stint_ctf_state(ctf).events, CTF_EVENTS - lost);
    assert_int_equal(stint_ctf_snapshot(ctf)->dropped.events, lost);
    stint_ctf_close(ctf);
}

TEST(a_time_limit_leaves_out_what_ends_later)
{
    const char *path = ctf_scratch("timed.stint");
    uint64_t late = 0;
    (void)setenv("STINT_TRACE_MAX", "1G,1000ms", 1);
    struct stint_event_writer *writer = ctf_write_events(path);
    (void)unsetenv("STINT_TRACE_MAX");
    for (int i = 0; i < CTF_EVENTS; i++)
        late += ctf_events[i].end_ns > UINT64_C(1000000000);
    assert_true(late > 0 && late < CTF_EVENTS);
    assert_int_equal(writer->lost, late);
    assert_non_null(strstr(writer->reason, "it goes as far as STINT_TRACE_MAX allows"));
    (void)writer->finish(writer, "{}", 2);
    struct stint_ctf *ctf = ctf_open(path);
    assert_int_equal(stint_ctf_state(ctf).events, CTF_EVENTS - late);
    assert_int_equal(stint_ctf_snapshot(ctf)->dropped.events, late);
    stint_ctf_close(ctf);
}

TEST(limits_that_are_none_are_refused)
{
    static const char *const no_limits[] = {"4 K",   "K",  "-1",           "10",  "255K", "1G,",
                                            "1G;2s", "3d", "99999999999G", "1Gs", "s"};
    const struct stint_event_process process = {77, "a", "h", 5};
    char reason[256];
    for (size_t i = 0; i < TEST_COUNT(no_limits); i++) {
        int is_size = strcmp(no_limits[i], "10") == 0 || strcmp(no_limits[i], "255K") == 0;
        (void)setenv("STINT_TRACE_MAX", no_limits[i], 1);
        struct stint_event_writer *writer = stint_ctf_writer_open(ctf_scratch("no.stint"), &process, reason, 256);
        if ((writer != NULL) != is_size)
            fail_msg("%s is %s", no_limits[i], is_size ? "refused" : "taken");
        if (writer)
            (void)writer->finish(writer, "{}", 2);
        (void)unsetenv("STINT_TRACE_MAX");
        (void)setenv("STINT_TRACE_RING", no_limits[i], 1);
        assert_null(stint_ctf_writer_open(ctf_scratch("no.stint"), &process, reason, sizeof reason));
        assert_non_null(strstr(reason, "STINT_TRACE_RING="));
        (void)unsetenv("STINT_TRACE_RING");
    }
}

enum { RING_EVENTS = 50000, RING_BYTES = 1 << 18, RING_LAST = 19000 };

/* The last one is of a context that comes later than the report. */
static struct stint_event ring_event(uint64_t number)
{
    int is_last = number == RING_EVENTS - 1;
    return (struct stint_event){.kind = STINT_EVENT_SCOPE,
                                .start_ns = 100 * number,
                                .end_ns = 100 * number + 50,
                                .pid = 77,
                                .tid = 11,
                                .context = is_last ? 3 : 2,
                                .name = is_last ? "late" : "outer",
                                .set = "GlobalStatInfo"};
}

/* Writes more events than the ring keeps, and a report on the way. */
static struct stint_event_writer *write_ring(const char *path)
{
    static const struct stint_event_process process = {77, "train", "h", 5};
    static const char report[] = "{\"format\":\"stint-report\",\"version\":1,\"process\":{\"pid\":77,\"command\":"
                                 "\"train\",\"host\":\"h\",\"start_unix_ns\":5,\"wall_ns\":9000000000},\"stats\":[{"
                                 "\"set\":\"GlobalStatInfo\",\"name\":\"outer\",\"count\":49000,\"total_ns\":50}],"
                                 "\"contexts\":[{\"stat\":0,\"parent\":null,"
                                 "\"depth\":0,\"count\":49000,\"total_ns\":50}]}\n";
    char reason[256];
    (void)setenv("STINT_TRACE_RING", "256K", 1);
    struct stint_event_writer *writer = stint_ctf_writer_open(path, &process, reason, sizeof reason);
    (void)unsetenv("STINT_TRACE_RING");
    assert_non_null(writer);
    assert_int_equal(writer->context(writer, &(struct stint_event_context){2, 0, "GlobalStatInfo", "outer", "", 0}), 0);
    for (uint64_t i = 0; i < RING_EVENTS; i++) {
        struct stint_event event = ring_event(i);
        assert_int_equal(writer->event(writer, &event), 0);
        if (i % 500 == 499)
            assert_int_equal(writer->flush(writer), 0);
        if (i == RING_EVENTS - 1000)
            assert_int_equal(writer->checkpoint(writer, report, sizeof report - 1), 0);
    }
    assert_int_equal(writer->context(writer, &(struct stint_event_context){3, 2, "GlobalStatInfo", "late", "", 0}), 0);
    assert_int_equal(writer->flush(writer), 0);
    assert_int_equal(writer->lost, 0);
    return writer;
}

/* The last events are there, all of them, and what is not is counted. */
static void check_ring(const char *path, uint64_t count)
{
    struct stint_ctf *ctf = ctf_open(path);
    struct stint_ctf_state got = stint_ctf_state(ctf);
    struct stint_event event;
    assert_true(got.events >= RING_LAST && got.events * 12 < RING_BYTES + RING_BYTES / 8);
    assert_int_equal(got.events + got.overwritten_events, RING_EVENTS);
    assert_int_equal(got.missing_events + got.damaged_bytes, 0);
    assert_int_equal(stint_snapshot_find(stint_ctf_snapshot(ctf), NULL, "outer")->numbers.count, count);
    assert_int_equal(stint_snapshot_find(stint_ctf_snapshot(ctf), NULL, "late")->numbers.count, 1);
    assert_int_equal(stint_ctf_snapshot(ctf)->dropped.events, 0);
    struct stint_event_source *source = stint_ctf_events(ctf);
    assert_int_equal(source->begin(source), 0);
    for (uint64_t i = got.overwritten_events; i < RING_EVENTS; i++) {
        assert_int_equal(source->next(source, &event), 1);
        assert_int_equal(event.start_ns, 100 * i);
    }
    assert_int_equal(source->next(source, &event), 0);
    stint_ctf_close(ctf);
}

TEST(a_ring_keeps_what_came_last)
{
    const char *path = ctf_scratch("ring.stint");
    struct stint_event_writer *writer = write_ring(path);
    check_ring(path, RING_EVENTS - 1000); /* of a program that was killed: the last report says more than the events */
    assert_int_equal(writer->finish(writer,
                                    "{\"format\":\"stint-report\",\"version\":1,\"process\":{\"pid\":77},\"stats\":[{"
                                    "\"set\":\"GlobalStatInfo\",\"name\":\"outer\",\"count\":50000},{"
                                    "\"set\":\"GlobalStatInfo\",\"name\":\"late\",\"count\":1}]}\n",
                                    0),
                     0);
    check_ring(path, RING_EVENTS);
}

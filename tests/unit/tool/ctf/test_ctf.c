/* Recordings, written and read: complete, of a program that was killed, and damaged. */
#include "ctf/ctf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf/ctf_fixture.h"
#include "ctf_writer/ctf_packet.h"
#include "ctf_writer/ctf_writer.h"
#include "stint_test.h"

static unsigned char s_bytes[1 << 18];

static size_t read_file(const char *path)
{
    int file = open(path, O_RDONLY);
    ssize_t size = read(file, s_bytes, sizeof s_bytes);
    assert_true(size > 0 && (size_t)size < sizeof s_bytes);
    close(file);
    return (size_t)size;
}

static void write_file(const char *path, size_t size)
{
    int file = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0666);
    assert_int_equal(write(file, s_bytes, size), size);
    close(file);
}

static struct stint_ctf *open_recording(const char *path)
{
    char reason[256];
    struct stint_ctf *ctf = stint_ctf_open(path, reason, sizeof reason);
    if (!ctf)
        fail_msg("%s", reason);
    return ctf;
}

/* --------------------------------------------------------------------------------------------------------- complete */

static void what_is_written_is_read_in_the_order_of_starts(void **state)
{
    const char *path = ctf_scratch("a.stint");
    ctf_write(path);
    assert_true(stint_ctf_is(path));
    struct stint_ctf *ctf = open_recording(path);
    ctf_check_events(stint_ctf_events(ctf));
    ctf_check_events(stint_ctf_events(ctf));
    struct stint_ctf_state got = stint_ctf_state(ctf);
    assert_true(got.has_ended && !got.missing_events && !got.damaged_bytes);
    stint_ctf_close(ctf);
}

/* Reads all events, or those of a time. Returns how many touch the time, and in *told how many there are. */
static size_t touching(struct stint_event_source *source, uint64_t from_ns, uint64_t to_ns, int only, size_t *told)
{
    struct stint_event event;
    size_t touching = 0;
    source->from_ns = only ? from_ns : 0;
    source->to_ns = only ? to_ns : 0;
    assert_int_equal(source->begin(source), 0);
    for (*told = 0; source->next(source, &event) == 1; ++*told)
        touching += event.start_ns <= to_ns && event.end_ns >= from_ns;
    return touching;
}

static void a_part_of_the_time_has_all_events_that_touch_it(void **state)
{
    enum { PARTS = 50 };
    const char *path = ctf_scratch("part.stint");
    size_t all, told, fewest = SIZE_MAX;
    ctf_write(path);
    struct stint_ctf *ctf = open_recording(path);
    struct stint_event_source *source = stint_ctf_events(ctf);
    uint64_t end_ns = stint_ctf_snapshot(ctf)->process.wall_ns;
    for (uint64_t i = 0; i < PARTS; i++) {
        uint64_t from_ns = end_ns * i / PARTS, to_ns = end_ns * (i + 1) / PARTS;
        size_t expected = touching(source, from_ns, to_ns, 0, &all);
        assert_int_equal(touching(source, from_ns, to_ns, 1, &told), expected);
        fewest = told < fewest ? told : fewest;
    }
    assert_int_equal(all, CTF_EVENTS);
    assert_true(fewest < all / 2);
    stint_ctf_close(ctf);
}

/* Those of every version stay readable. */
static void an_old_recording_is_still_read(void **state)
{
    ctf_write(ctf_scratch("a.stint")); /* makes the events to compare with */
    struct stint_ctf *ctf = open_recording(STINT_GOLDEN_DIR "/recording_v1.stint");
    ctf_check_events_1(stint_ctf_events(ctf));
    stint_ctf_close(ctf);
    ctf = open_recording(STINT_GOLDEN_DIR "/recording_v2.stint");
    ctf_check_events_2(stint_ctf_events(ctf));
    stint_ctf_close(ctf);
}

static void the_report_is_that_of_the_program(void **state)
{
    const char *path = ctf_scratch("a.stint");
    ctf_write(path);
    struct stint_ctf *ctf = open_recording(path);
    const struct stint_snapshot *snapshot = stint_ctf_snapshot(ctf);
    assert_int_equal(snapshot->process.wall_ns, 9000000000);
    assert_string_equal(snapshot->process.command, "train --fast");
    assert_int_equal(snapshot->stats[0].numbers.count, 5);
    stint_ctf_close(ctf);
}

/* Returns the name of a thread that has ended, which is among those that NVTX gave. */
static const char *ended_thread(const struct stint_snapshot *snapshot, int64_t tid)
{
    for (size_t i = 0; i < snapshot->nvtx_name_count; i++)
        if (snapshot->nvtx_names[i].what == STINT_NVTX_THREAD && (int64_t)snapshot->nvtx_names[i].handle == tid)
            return snapshot->nvtx_names[i].pid == 77 ? snapshot->nvtx_names[i].name : "of another process";
    return "";
}

/* The thread 12 is alive when the report is made: its number was that of another one before. */
static void threads_that_ended_have_names(void **state)
{
    static const char report[] =
        "{\"format\":\"stint-report\",\"version\":1,\"process\":{\"pid\":77,\"command\":\"a\",\"host\":\"h\","
        "\"start_unix_ns\":5,\"wall_ns\":9},\"threads\":[{\"pid\":77,\"tid\":12,\"name\":\"alive\"}],"
        "\"stats\":[{\"set\":\"GlobalStatInfo\",\"name\":\"outer\",\"count\":5,\"total_ns\":50}]}\n";
    const char *path = ctf_scratch("ended.stint");
    struct stint_event_writer *writer = ctf_write_events(path);
    assert_int_equal(writer->thread(writer, 11, "worker"), 0);
    assert_int_equal(writer->thread(writer, 12, "before"), 0);
    assert_int_equal(writer->finish(writer, report, sizeof report - 1), 0);
    struct stint_ctf *ctf = open_recording(path);
    const struct stint_snapshot *snapshot = stint_ctf_snapshot(ctf);
    assert_string_equal(ended_thread(snapshot, 11), "worker");
    assert_string_equal(ended_thread(snapshot, 12), "");
    assert_int_equal(snapshot->thread_count, 1);
    assert_string_equal(snapshot->threads[0].name, "alive");
    assert_int_equal(snapshot->stats[0].numbers.count, 5);
    assert_int_equal(snapshot->process.wall_ns, 9);
    assert_int_equal(snapshot->process_count, 0);
    ctf_check_events(stint_ctf_events(ctf));
    stint_ctf_close(ctf);
}

static void names_are_bounded(void **state)
{
    const char *path = ctf_scratch("named.stint");
    struct stint_event_writer *writer = ctf_write_events(path);
    for (int64_t i = 0; i <= STINT_CTF_MOST_THREADS; i++)
        assert_int_equal(writer->thread(writer, 100 + i, "t"), 0);
    assert_int_equal(writer->finish(writer, "{}", 2), 0);
    struct stint_ctf *ctf = open_recording(path);
    assert_int_equal(stint_ctf_snapshot(ctf)->nvtx_name_count, STINT_CTF_MOST_THREADS);
    stint_ctf_close(ctf);
}

static void a_later_recording_replaces_an_earlier_one(void **state)
{
    const char *path = ctf_scratch("a.stint");
    ctf_write(path);
    ctf_write(path);
    struct stint_ctf *ctf = open_recording(path);
    ctf_check_events(stint_ctf_events(ctf));
    stint_ctf_close(ctf);
}

static void files_of_others_are_left_alone(void **state)
{
    const struct stint_event_process process = {77, "a", "h", 5};
    const char *path = ctf_scratch("others.stint");
    char file[300], reason[256];
    (void)snprintf(file, sizeof file, "%s/report", path);
    assert_int_equal(mkdir(path, 0777), 0);
    write_file(file, 5);
    assert_null(stint_ctf_writer_open(path, &process, reason, sizeof reason));
    assert_non_null(strstr(reason, "not empty"));
    assert_int_equal(read_file(file), 5);
}

/* Another user may have made it, to read or to lead elsewhere what is recorded. */
static void folders_of_others_in_a_folder_like_tmp_are_refused(void **state)
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

static void names_end_in_stint(void **state)
{
    assert_true(stint_ctf_is_wanted("/tmp/a.stint"));
    assert_true(stint_ctf_is_wanted("a.stint//"));
    assert_false(stint_ctf_is_wanted("a.stint.sqlite"));
    assert_false(stint_ctf_is_wanted(".stint"));
}

/* ----------------------------------------------------------------------------------------------------------- killed */

static void a_killed_programs_numbers_are_those_of_its_events(void **state)
{
    const char *path = ctf_scratch("killed.stint");
    struct stint_event_writer *writer = ctf_write_events(path);
    struct stint_ctf *ctf = open_recording(path);
    const struct stint_snapshot *snapshot = stint_ctf_snapshot(ctf);
    assert_false(stint_ctf_state(ctf).has_ended);
    assert_string_equal(snapshot->process.command, "train --fast");
    const struct stint_stat *inner = stint_snapshot_find(snapshot, NULL, "in\"ner");
    assert_non_null(inner);
    assert_int_equal(inner->numbers.count, CTF_SCOPES - CTF_SCOPES / CTF_CHUNK + 1);
    assert_string_equal(inner->file, "b.c");
    assert_int_equal(stint_snapshot_find(snapshot, NULL, "outer")->numbers.count, CTF_SCOPES / CTF_CHUNK + 1);
    ctf_check_events(stint_ctf_events(ctf));
    stint_ctf_close(ctf);
    (void)writer->finish(writer, "{}", 2);
}

static void a_killed_programs_threads_have_names(void **state)
{
    const char *path = ctf_scratch("killed_threads.stint");
    struct stint_event_writer *writer = ctf_write_events(path);
    assert_int_equal(writer->thread(writer, 11, "worker"), 0);
    assert_int_equal(writer->flush(writer), 0);
    struct stint_ctf *ctf = open_recording(path);
    const struct stint_snapshot *snapshot = stint_ctf_snapshot(ctf);
    assert_int_equal(snapshot->thread_count, 2);
    assert_int_equal(snapshot->threads[0].tid, 11);
    assert_string_equal(snapshot->threads[0].name, "worker");
    assert_string_equal(snapshot->threads[1].name, "");
    stint_ctf_close(ctf);
    (void)writer->finish(writer, "{}", 2);
}

static void what_cannot_be_written_is_counted(void **state)
{
    const char *path = ctf_scratch("gone.stint");
    char moved[300];
    struct stint_event_writer *writer = ctf_write_events(path);
    (void)snprintf(moved, sizeof moved, "%s.moved", path);
    assert_int_equal(rename(path, moved), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(writer->event(writer, &ctf_events[i]), 0);
    assert_int_equal(writer->flush(writer), -1);
    assert_int_equal(writer->lost, 3);
    assert_non_null(strstr(writer->reason, "No such file"));
    assert_int_equal(rename(moved, path), 0);
    assert_int_equal(writer->event(writer, &ctf_events[3]), 0);
    assert_int_equal(writer->flush(writer), 0);
    assert_int_equal(writer->lost, 3);
    (void)writer->finish(writer, "{}", 2);
    struct stint_ctf *ctf = open_recording(path);
    assert_int_equal(stint_ctf_state(ctf).missing_events, 0);
    assert_int_equal(stint_ctf_snapshot(ctf)->dropped.events, 3);
    stint_ctf_close(ctf);
}

static void a_limit_keeps_what_came_first(void **state)
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
    struct stint_ctf *ctf = open_recording(path);
    assert_int_equal(stint_ctf_state(ctf).events, CTF_EVENTS - lost);
    assert_int_equal(stint_ctf_snapshot(ctf)->dropped.events, lost);
    stint_ctf_close(ctf);
}

static void a_time_limit_leaves_out_what_ends_later(void **state)
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
    struct stint_ctf *ctf = open_recording(path);
    assert_int_equal(stint_ctf_state(ctf).events, CTF_EVENTS - late);
    assert_int_equal(stint_ctf_snapshot(ctf)->dropped.events, late);
    stint_ctf_close(ctf);
}

static void limits_that_are_none_are_refused(void **state)
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

/* ------------------------------------------------------------------------------------------------------------- ring */

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
    struct stint_ctf *ctf = open_recording(path);
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

static void a_ring_keeps_what_came_last(void **state)
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

/* ------------------------------------------------------------------------------------------------------------ files */

/* Fails unless the file consists of whole packets. */
static void check_packets(const char *path)
{
    size_t size = read_file(path), at = 0;
    while (at < size) {
        struct stint_ctf_head head;
        assert_true(size - at >= STINT_CTF_HEAD_SIZE);
        assert_int_equal(stint_ctf_read_head(s_bytes + at, s_bytes + 4, &head), 0);
        assert_true(head.packet_bits / 8 <= size - at);
        at += (size_t)(head.packet_bits / 8);
    }
}

static void files_have_whole_packets_only(void **state)
{
    static const char *const files[] = {"thread-1", "thread-2", "devices", "definitions"};
    struct stint_event_writer *writer = ctf_write_events(ctf_scratch("whole.stint"));
    for (int i = 0; i < CTF_EVENTS; i++) {
        (void)writer->event(writer, &ctf_events[i]);
        (void)writer->flush(writer);
        for (size_t file = 0; file < TEST_COUNT(files); file++) {
            char name[64];
            (void)snprintf(name, sizeof name, "whole.stint/%s", files[file]);
            check_packets(ctf_scratch(name));
        }
    }
    (void)writer->finish(writer, "{}", 2);
    struct stint_ctf *ctf = open_recording(ctf_scratch("whole.stint"));
    assert_int_equal(stint_ctf_state(ctf).events, 2 * CTF_EVENTS);
    assert_int_equal(stint_ctf_state(ctf).missing_events + stint_ctf_state(ctf).damaged_bytes, 0);
    stint_ctf_close(ctf);
}

/* ---------------------------------------------------------------------------------------------------------- damaged */

static const char *const s_files[] = {"thread-1", "thread-2", "devices", "definitions", "report", "metadata"};

/* Each event that is read is one that was written, and what is not read is stated. */
static void check_damaged(const char *path)
{
    char reason[256];
    struct stint_ctf *ctf = stint_ctf_open(path, reason, sizeof reason);
    struct stint_event event;
    if (!ctf) {
        assert_true(reason[0]);
        return;
    }
    struct stint_ctf_state got = stint_ctf_state(ctf);
    struct stint_event_source *source = stint_ctf_events(ctf);
    uint64_t read = 0;
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) > 0) {
        read++;
        if (!ctf_is_known(&event, got.damaged_bytes != 0 || !got.has_ended))
            fail_msg("an event that was not written: %s %llu %llu %d", event.name, (unsigned long long)event.start_ns,
                     (unsigned long long)event.end_ns, (int)event.tid);
    }
    if (got.has_ended)
        assert_int_equal(read + got.missing_events, CTF_EVENTS);
    if (read < CTF_EVENTS)
        assert_true(!got.has_ended || got.missing_events);
    stint_ctf_close(ctf);
}

static void cut_anywhere_it_has_all_up_to_there(void **state)
{
    enum { CUTS = 2000 };
    const char *path = ctf_scratch("cut.stint");
    uint64_t random = 11;
    ctf_write(path);
    for (int i = 0; i < CUTS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "cut.stint/%s", s_files[test_random(&random) % 5]);
        const char *file = ctf_scratch(name);
        size_t size = read_file(file);
        assert_int_equal(truncate(file, (off_t)(test_random(&random) % size)), 0);
        check_damaged(ctf_scratch("cut.stint"));
        write_file(file, size);
    }
}

static void empty_files_are_counted(void **state)
{
    ctf_write(ctf_scratch("empty.stint"));
    struct stint_ctf *ctf = open_recording(ctf_scratch("empty.stint"));
    assert_int_equal(stint_ctf_state(ctf).empty_files, 0);
    stint_ctf_close(ctf);
    for (uint64_t i = 0; i < 5; i++) {
        char name[64], reason[256];
        (void)snprintf(name, sizeof name, "empty.stint/%s", s_files[i]);
        assert_int_equal(truncate(ctf_scratch(name), 0), 0);
        ctf = stint_ctf_open(ctf_scratch("empty.stint"), reason, sizeof reason);
        if (ctf)
            assert_int_equal(stint_ctf_state(ctf).empty_files, i + 1);
        else
            assert_int_equal(i, 4); /* without definitions and report, nobody knows whose it is */
        stint_ctf_close(ctf);
    }
}

static void check_flipped(int file, off_t at, unsigned char bit)
{
    unsigned char byte, flipped;
    assert_int_equal(pread(file, &byte, 1, at), 1);
    flipped = byte ^ bit;
    assert_int_equal(pwrite(file, &flipped, 1, at), 1);
    check_damaged(ctf_scratch("flip.stint"));
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
}

static void flipped_bits_are_noticed(void **state)
{
    enum { FLIPS = 20000 };
    uint64_t random = 13;
    ctf_write(ctf_scratch("flip.stint"));
    for (int i = 0; i < FLIPS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "flip.stint/%s", s_files[test_random(&random) % 6]);
        int file = open(ctf_scratch(name), O_RDWR);
        off_t at = (off_t)(test_random(&random) % (uint64_t)lseek(file, 0, SEEK_END));
        check_flipped(file, at, (unsigned char)(1 << test_random(&random) % 8));
        close(file);
    }
}

static void other_folders_are_refused(void **state)
{
    const char *path = ctf_scratch("other.stint");
    char reason[256], metadata[300];
    assert_int_equal(mkdir(path, 0777), 0);
    assert_false(stint_ctf_is(path));
    assert_null(stint_ctf_open(path, reason, sizeof reason));
    assert_non_null(strstr(reason, "No such file"));
    (void)snprintf(metadata, sizeof metadata, "%s/metadata", path);
    strcpy((char *)s_bytes, "/* CTF 1.8 */\ntrace { major = 1; };\n");
    write_file(metadata, strlen((char *)s_bytes));
    assert_null(stint_ctf_open(path, reason, sizeof reason));
    assert_non_null(strstr(reason, "not a recording of stint"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_in_the_order_of_starts),
        cmocka_unit_test(a_part_of_the_time_has_all_events_that_touch_it),
        cmocka_unit_test(an_old_recording_is_still_read),
        cmocka_unit_test(the_report_is_that_of_the_program),
        cmocka_unit_test(threads_that_ended_have_names),
        cmocka_unit_test(names_are_bounded),
        cmocka_unit_test(a_later_recording_replaces_an_earlier_one),
        cmocka_unit_test(files_of_others_are_left_alone),
        cmocka_unit_test(folders_of_others_in_a_folder_like_tmp_are_refused),
        cmocka_unit_test(names_end_in_stint),
        cmocka_unit_test(a_killed_programs_numbers_are_those_of_its_events),
        cmocka_unit_test(a_killed_programs_threads_have_names),
        cmocka_unit_test(what_cannot_be_written_is_counted),
        cmocka_unit_test(a_limit_keeps_what_came_first),
        cmocka_unit_test(a_time_limit_leaves_out_what_ends_later),
        cmocka_unit_test(limits_that_are_none_are_refused),
        cmocka_unit_test(a_ring_keeps_what_came_last),
        cmocka_unit_test(files_have_whole_packets_only),
        cmocka_unit_test(cut_anywhere_it_has_all_up_to_there),
        cmocka_unit_test(empty_files_are_counted),
        cmocka_unit_test(flipped_bits_are_noticed),
        cmocka_unit_test(other_folders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Recordings of programs that ended, and of those that were killed. */
#include "ctf/ctf.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf/ctf_fixture.h"
#include "ctf_writer/ctf_format.h"
#include "stint_test.h"

TEST(the_report_is_that_of_the_program)
{
    const char *path = ctf_scratch("a.stint");
    ctf_write(path);
    struct stint_ctf *ctf = ctf_open(path);
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
TEST(threads_that_ended_have_names)
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
    struct stint_ctf *ctf = ctf_open(path);
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

TEST(names_are_bounded)
{
    const char *path = ctf_scratch("named.stint");
    struct stint_event_writer *writer = ctf_write_events(path);
    for (int64_t i = 0; i <= STINT_CTF_MOST_THREADS; i++)
        assert_int_equal(writer->thread(writer, 100 + i, "t"), 0);
    assert_int_equal(writer->finish(writer, "{}", 2), 0);
    struct stint_ctf *ctf = ctf_open(path);
    assert_int_equal(stint_ctf_snapshot(ctf)->nvtx_name_count, STINT_CTF_MOST_THREADS);
    stint_ctf_close(ctf);
}

TEST(a_killed_programs_numbers_are_those_of_its_events)
{
    const char *path = ctf_scratch("killed.stint");
    struct stint_event_writer *writer = ctf_write_events(path);
    struct stint_ctf *ctf = ctf_open(path);
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

TEST(a_report_tells_what_damaged_definitions_do_not)
{
    static const char report[] =
        "{\"format\":\"stint-report\",\"version\":1,\"process\":{\"pid\":77},\"stats\":[{\"set\":\"GlobalStatInfo\","
        "\"name\":\"outer\",\"count\":1000000,\"total_ns\":50}]}\n";
    const char *path = ctf_scratch("damaged.stint");
    char definitions[512];
    struct stint_event_writer *writer = ctf_write_events(path);
    assert_int_equal(writer->finish(writer, report, sizeof report - 1), 0);
    (void)snprintf(definitions, sizeof definitions, "%s/definitions", path);
    assert_int_equal(truncate(definitions, 100), 0);
    struct stint_ctf *ctf = ctf_open(path);
    assert_true(stint_ctf_state(ctf).damaged_bytes > 0);
    assert_false(stint_ctf_state(ctf).has_ended);
    assert_int_equal(stint_snapshot_find(stint_ctf_snapshot(ctf), NULL, "outer")->numbers.count, 1000000);
    stint_ctf_close(ctf);
}

TEST(a_killed_programs_threads_have_names)
{
    const char *path = ctf_scratch("killed_threads.stint");
    struct stint_event_writer *writer = ctf_write_events(path);
    assert_int_equal(writer->thread(writer, 11, "worker"), 0);
    assert_int_equal(writer->flush(writer), 0);
    struct stint_ctf *ctf = ctf_open(path);
    const struct stint_snapshot *snapshot = stint_ctf_snapshot(ctf);
    assert_int_equal(snapshot->thread_count, 2);
    assert_int_equal(snapshot->threads[0].tid, 11);
    assert_string_equal(snapshot->threads[0].name, "worker");
    assert_string_equal(snapshot->threads[1].name, "");
    stint_ctf_close(ctf);
    (void)writer->finish(writer, "{}", 2);
}

TEST(other_folders_are_refused)
{
    const char *path = ctf_scratch("other.stint");
    char reason[256], metadata[300];
    assert_int_equal(mkdir(path, 0777), 0);
    assert_false(stint_ctf_is(path));
    assert_null(stint_ctf_open(path, reason, sizeof reason));
    assert_non_null(strstr(reason, "No such file"));
    (void)snprintf(metadata, sizeof metadata, "%s/metadata", path);
    strcpy((char *)ctf_bytes, "/* CTF 1.8 */\ntrace { major = 1; };\n");
    ctf_write_file(metadata, strlen((char *)ctf_bytes));
    assert_null(stint_ctf_open(path, reason, sizeof reason));
    assert_non_null(strstr(reason, "not a recording of stint"));
}

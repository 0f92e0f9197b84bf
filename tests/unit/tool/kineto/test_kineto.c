#include "kineto/kineto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stint/statset.h"
#include "stint_test.h"
#include "store/store.h"

#define TRACE STINT_KINETO_DIR "/trace.json"

static char s_database[] = "/tmp/stint_kineto_XXXXXX";
static char s_file[] = "/tmp/stint_trace_XXXXXX";
static struct stint_kineto_notes s_notes;
static char s_reason[256];
static struct stint_foreign *s_foreign;

static int make_files(void **state)
{
    close(mkstemp(s_database));
    close(mkstemp(s_file));
    return 0;
}

static int remove_files(void **state)
{
    unlink(s_database);
    unlink(s_file);
    return 0;
}

/* Returns what has to be said, one line after the other. */
static const char *noted(void)
{
    static char text[3000];
    text[0] = '\0';
    for (size_t i = 0; i < s_notes.count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? "\n" : "", s_notes.lines[i]);
    return text;
}

static const struct stint_snapshot *converted(const char *path)
{
    struct stint_sql sql;
    assert_int_equal(stint_sql_create(&sql, s_database), 0);
    if (stint_kineto_convert(path, &sql, &s_notes, s_reason, sizeof s_reason)) {
        stint_sql_close(&sql);
        return NULL;
    }
    s_foreign = stint_foreign_take(&sql, s_reason, sizeof s_reason);
    if (!s_foreign)
        fail_msg("%s", s_reason);
    return stint_foreign_snapshot(s_foreign);
}

static void write_trace(const char *text)
{
    FILE *file = fopen(s_file, "we");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A trace with these events. */
static const struct stint_snapshot *of_events(const char *events)
{
    char text[4096];
    snprintf(text, sizeof text, "{\"schemaVersion\": 1, \"traceEvents\": [%s]}", events);
    write_trace(text);
    return converted(s_file);
}

static int close_trace(void **state)
{
    stint_foreign_close(s_foreign);
    s_foreign = NULL;
    return 0;
}

static const struct stint_stat *stat_of(const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    const struct stint_stat *stat = stint_snapshot_find(snapshot, set, name);
    if (!stat)
        fail_msg("there is no %s in %s", name, set);
    return stat;
}

TEST_ONCE(make_files, remove_files)
TEST_EACH(NULL, close_trace)

TEST(a_trace_is_known_by_how_it_begins)
{
    assert_true(stint_kineto_is(TRACE));
    write_trace("\n{\n  \"traceEvents\": []}");
    assert_true(stint_kineto_is(s_file));
    write_trace("\xef\xbb\xbf[\n{\"name\": \"a\", \"ph\": \"B\"");
    assert_true(stint_kineto_is(s_file));
    write_trace("[{\"a\": 1}]");
    assert_false(stint_kineto_is(s_file));
    write_trace("{\"format\": \"stint-report\", \"command\": \"traceEvents\"}");
    assert_false(stint_kineto_is(s_file));
    write_trace("{\"stint\": 1}");
    assert_false(stint_kineto_is(s_file));
    write_trace("schemaVersion");
    assert_false(stint_kineto_is(s_file));
    assert_false(stint_kineto_is("/dev/zero"));
    assert_false(stint_kineto_is("/nonexistent"));
}

TEST(operations_and_functions_are_ranges_of_their_threads)
{
    const struct stint_snapshot *snapshot = converted(TRACE);
    assert_string_equal(noted(), "left out: 1 cpu_instant_event, 1 overhead");
    assert_int_equal(stat_of(snapshot, "NVTX", "ProfilerStep")->numbers.total_ns, 2000000);
    assert_int_equal(stat_of(snapshot, "NVTX:Python", "net.py(12): forward")->numbers.total_ns, 100000);
    assert_int_equal(stat_of(snapshot, "NVTX", "aten::conv2d")->numbers.total_ns, 80001);
    assert_int_equal(snapshot->thread_count, 2);
    assert_int_equal(snapshot->process.pid, 4711);
    assert_string_equal(snapshot->process.command, "python3");
    assert_string_equal(snapshot->process.rank, "3");
    assert_int_equal(snapshot->process.start_unix_ns, UINT64_C(1743521598001000000));
}

static const struct stint_gpu_activity *activity_of(const struct stint_snapshot *snapshot, enum stint_gpu_kind kind)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (snapshot->gpu_activities[i].kind == kind)
            return &snapshot->gpu_activities[i];
    fail_msg("there is no such activity");
    return NULL;
}

TEST(activities_have_their_numbers)
{
    const struct stint_snapshot *snapshot = converted(TRACE);
    const struct stint_gpu_activity *kernel = activity_of(snapshot, STINT_GPU_KERNEL);
    assert_string_equal(kernel->name, "void conv_kernel<float>(float const*, float*)");
    assert_int_equal(kernel->numbers.count, 2);
    assert_int_equal(kernel->numbers.total_ns, 400125 + 800000);
    const struct stint_gpu_activity *copy = activity_of(snapshot, STINT_GPU_COPY);
    assert_int_equal(copy->direction, STINT_GPU_DTOH);
    assert_int_equal(copy->bytes, 16384);
    assert_int_equal(activity_of(snapshot, STINT_GPU_SET)->numbers.total_ns, 1500);
    assert_int_equal(snapshot->gpu_device_count, 1);
    assert_string_equal(snapshot->gpu_devices[0].name, "NVIDIA H100 80GB HBM3");
    assert_int_equal(snapshot->gpu_devices[0].multiprocessors, 132);
}

/* Looks for the event with that name, and returns its text; "" if it has none. */
static const char *text_of(const char *name)
{
    static char text[1000];
    struct stint_event_source *source = stint_foreign_events(s_foreign);
    struct stint_event event;
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) == 1)
        if (strcmp(event.name, name) == 0) {
            snprintf(text, sizeof text, "%s", event.text ? event.text : "");
            return text;
        }
    fail_msg("there is no event %s", name);
    return "";
}

TEST(what_is_known_of_an_operation_stays_behind_its_name)
{
    (void)converted(TRACE);
    assert_string_equal(
        text_of("aten::conv2d"),
        "aten::conv2d, seq = 0, op_id = 12, sizes = [[8, 3, 14, 14], [16, 3, 3, 3], [], [], []], types = [\"float\", "
        "\"float\", \"\", \"ScalarList\", \"\"], strides = [[588, 1, 42, 3], [27, 1, 9, 3], [], [], []], inputs = "
        "[\"\", "
        "\"\", \"\", \"[1, 1]\", \"[\\\"same\\\"]\"]");
    assert_string_equal(
        text_of("record_param_comms"),
        "record_param_comms, op_id = 30, collective = \"allreduce\", dtype = \"Float\", group_size = 8, "
        "in_elements = 4096, out_elements = 4096");
    assert_string_equal(text_of("autograd::engine::evaluate_function: ConvolutionBackward0"),
                        "autograd::engine::evaluate_function: ConvolutionBackward0, seq = 0, op_id = 20, "
                        "forward_thread = 1");
    assert_string_equal(text_of("ProfilerStep"), "ProfilerStep#step=7#");
    assert_string_equal(text_of("net.py(12): forward"), "");
}

/* Up to PyTorch 1.12: other categories, whole microseconds, and threads by addresses. */
TEST(old_traces_are_read)
{
    const struct stint_snapshot *snapshot = of_events(
        "{\"ph\": \"X\", \"cat\": \"Kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": \"stream 7\", \"ts\": "
        "1610366728298146, \"dur\": 90, \"args\": {\"device\": 0, \"context\": 1, \"stream\": 7, \"correlation\": 3}},"
        "{\"ph\": \"X\", \"cat\": \"Operator\", \"name\": \"aten::add\", \"pid\": 120018, \"tid\": \"3004819264\", "
        "\"ts\": 1610366728298088, \"dur\": 50, \"args\": {\"Input dims\": [[1]], \"External id\": 2}},"
        "{\"ph\": \"X\", \"cat\": \"Runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 120018, \"tid\": "
        "\"3004819264\", \"ts\": 1610366728298090, \"dur\": 5, \"args\": {\"cbid\": 211, \"correlation\": 3, "
        "\"external id\": 2}}");
    assert_int_equal(snapshot->process.start_unix_ns, UINT64_C(1610366728298088000));
    assert_int_equal(stat_of(snapshot, "NVTX", "aten::add")->gpu.kernels, 1);
    assert_int_equal(stat_of(snapshot, "NVTX", "aten::add")->gpu.kernel_ns, 90000);
    assert_string_equal(text_of("aten::add"), "aten::add, op_id = 2, sizes = [[1]]");
}

TEST(nanoseconds_are_exact)
{
    (void)of_events("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": "
                    "1743521598000000.001, \"dur\": 0.002},"
                    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"b\", \"pid\": 1, \"tid\": 1, \"ts\": "
                    "1743521598000007.1239, \"dur\": 1.5e3}");
    struct stint_event_source *source = stint_foreign_events(s_foreign);
    struct stint_event event;
    assert_int_equal(source->begin(source), 0);
    assert_int_equal(source->next(source, &event), 1);
    assert_int_equal(event.end_ns - event.start_ns, 2);
    assert_int_equal(source->next(source, &event), 1);
    assert_int_equal(event.start_ns, 7123);
    assert_int_equal(event.end_ns - event.start_ns, 1500000);
}

#define OPERATION(name, ts)                                                                                            \
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"" name "\", \"pid\": 1, \"tid\": 1, \"ts\": " ts        \
    ", \"dur\": 2}"

static void assert_ranges(const struct stint_snapshot *snapshot, const char *names)
{
    for (; *names; names++)
        assert_int_equal(stat_of(snapshot, "NVTX", (char[]){*names, '\0'})->numbers.count, 1);
}

/* What cannot be read costs nothing but itself, wherever its mistake makes JSON go on. */
TEST(an_event_that_cannot_be_read_is_counted_and_passed_over)
{
    static const struct {
        const char *event, *reason;
    } events[] = {
        {"{\"ph\": \"X\", \"name\": \"C:\\Users\\net.py\", \"ts\": 3}", "a text in it is no JSON in UTF-8"},
        {"{\"ph\": \"X\", \"name\": \"a\nb\", \"ts\": 3}", "a text in it is no JSON in UTF-8"},
        {"{\"ph\": \"X\", \"name\": \"a\x01\", \"ts\": 3}", "a text in it is no JSON in UTF-8"},
        {"{\"ph\": \"X\", \"name\": \"\xff\xfe\", \"ts\": 3}", "a text in it is no JSON in UTF-8"},
        {"{\"ph\": \"X\", \"cat\": \"\\ud800\", \"ts\": 3}", "a text in it is no JSON in UTF-8"},
        {"{\"ph\": \"X\", \"name\": \"C:\\dir\\\", \"ts\": 3}", "expected ','"},
        {"{\"ph\": \"X\", \"args\": {\"x\": [{\"y\": 1}, {\"z\": 2}], \"t\": \"\\\"}, \"ts\": 3}", NULL},
        {"{\"ph\": \"X\", \"ts\": }", "expected a value"},
        {"{\"ph\": \"X\" \"ts\": 3}", "expected ','"},
        {"{\"ph\": \"X\", ts: 3}", "expected '\"'"},
        {"{\"ph\": \"X\", \"ts\": 3, }", "expected '\"'"},
        {"12", "it is no object"},
        {"\"}, {\"", "it is no object"},
        {"[{\"ph\": \"X\"}]", "it is no object"},
    };
    for (size_t i = 0; i < TEST_COUNT(events); i++) {
        char text[1000], line[200];
        snprintf(text, sizeof text, OPERATION("a", "1") ",\n%s,\n" OPERATION("b", "5") ", " OPERATION("c", "9"),
                 events[i].event);
        assert_ranges(of_events(text), "abc");
        snprintf(line, sizeof line, "1 event cannot be read, and is left out (line 2: %s",
                 events[i].reason ? events[i].reason : "");
        if (strncmp(noted(), line, strlen(line)) != 0)
            fail_msg("of %s it is said: %s", events[i].event, noted());
        close_trace(state);
    }
}

/* The list ends where it ends nevertheless. */
TEST(values_that_are_no_objects_are_no_events)
{
    assert_ranges(of_events(OPERATION("a", "1") ", null, \"b\", [], 7, true"), "a");
    assert_string_equal(noted(), "5 events cannot be read, and are left out (first at line 1: it is no object)");
}

TEST(the_first_of_several_mistakes_is_told)
{
    assert_ranges(
        of_events(OPERATION(
            "a", "1") ",\n{\"ph\": \"X\", tru},\n{\"ph\": \"B\", fals},{\"ph\": \"i\", \"x\": [}," OPERATION("b", "5")),
        "ab");
    assert_string_equal(noted(), "3 events cannot be read, and are left out (first at line 2: expected '\"')");
}

/* The same at the end, where it may hide the list's. The file goes on behind it, and does not end there. */
TEST(a_last_event_that_cannot_be_read_is_not_the_end_of_the_file)
{
    static const char *const events[] = {"{\"ph\": \"X\", \"name\": \"C:\\dir\\\", \"ts\": 3}",
                                         "{\"ph\": \"X\", \"args\": {\"x\": [{\"y\": 1}], \"t\": \"\\\"}, \"ts\": 3}",
                                         "{\"ph\": \"X\", \"ts\": }",
                                         "{\"ph\": \"X\", \"x\": [1, 2}",
                                         "{\"ph\": \"X\"",
                                         "{\"ph\": "};
    static const struct {
        const char *before, *behind;
    } files[] = {
        {"{\"traceEvents\": [", "]}\n"},
        {"{\"traceEvents\": [", "\n],\n\"traceName\": \"a]\", \"x\": [1], \"baseTimeNanoseconds\": 1000000000}"},
        {"{\"traceEvents\": [", "], \"deviceProperties\": [{\"id\": 7, \"name\": \"n\"}]}"},
        {"[", "]"}};
    for (size_t i = 0; i < TEST_COUNT(events) * TEST_COUNT(files); i++) {
        char text[1000];
        const char *event = events[i / TEST_COUNT(files)];
        size_t file = i % TEST_COUNT(files);
        snprintf(text, sizeof text, "%s" OPERATION("a", "1") ",\n%s%s", files[file].before, event, files[file].behind);
        write_trace(text);
        const struct stint_snapshot *snapshot = converted(s_file);
        assert_ranges(snapshot, "a");
        if (strstr(noted(), "read up to") ||
            strncmp(noted(), "1 event cannot be read, and is left out (line 2", 47) != 0)
            fail_msg("of %s it is said: %s", text, noted());
        assert_int_equal(snapshot->process.start_unix_ns, file == 1 ? 1000001000 : 1000);
        assert_int_equal(snapshot->gpu_device_count, file == 2);
        close_trace(state);
    }
    write_trace("[" OPERATION("a", "1") ",\n{\"ph\": \"X\", \"ts\": }");
    assert_ranges(converted(s_file), "a");
    assert_string_equal(noted(), "1 event cannot be read, and is left out (line 2: expected a value)");
}

TEST(what_follows_the_trace_is_told)
{
    write_trace("{\"traceEvents\": [" OPERATION("a", "1") "]}\n{\"traceEvents\": []}");
    assert_ranges(converted(s_file), "a");
    assert_string_equal(noted(), "read up to line 2: its JSON ends here: what follows is not read");
    close_trace(state);
    write_trace("[" OPERATION("a", "1") "]\n\n]");
    assert_ranges(converted(s_file), "a");
    assert_string_equal(noted(), "read up to line 3: its JSON ends here: what follows is not read");
}

/* The last event of a file may be damaged, too, and a file may end anywhere. */
TEST(a_file_that_ends_early_has_all_that_is_whole)
{
    static const char whole[] = "{\"traceEvents\": [" OPERATION("a", "1") ",\n" OPERATION("b", "5");
    for (size_t cut = 0; cut < 60; cut++) {
        char text[sizeof whole];
        snprintf(text, sizeof text, "%.*s", (int)(sizeof whole - 1 - cut), whole);
        write_trace(text);
        assert_ranges(converted(s_file), cut ? "a" : "ab");
        assert_string_equal(noted(), "read up to line 2: the file ends here, within the list: the rest is missing");
        close_trace(state);
    }
}

TEST(values_that_nobody_needs_may_be_anything)
{
    assert_ranges(of_events("{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 2, \"args\": {\"loss\": NaN, \"x\": "
                            "-Infinity, \"y\": inf,"
                            "\"z\": [N/A, {\"path\": \"C:\\Users\xff\x01\"}], \"t\": nan}, \"v\": 0x10}"),
                  "a");
    assert_string_equal(noted(), "5 values are no JSON, and are passed over (first at line 1)");
}

/* All that is missing is in the snapshot's counts, which reports of every format have; here is where the first is. */
TEST(impossible_values_are_counted_and_the_first_is_told)
{
    static const char kernel[] =
        "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": 1, \"dur\": 2, \"args\": {",
                      others[] = "{\"ph\": \"E\", \"ts\": 5}, {\"ph\": \"X\", \"ts\": 5, \"dur\": -3}, "
                                 "{\"ph\": \"X\", \"ts\": []}, 12, {\"ph\": \"X\", \"ts\": 5, \"dur\": \"long\"}";
    static const char *const arguments[] = {"\"stream\": -1, \"device\": null, \"bytes\": \"12\"",
                                            "\"grid\": [4294967296, -1, 1], \"registers per thread\": -1",
                                            "\"stream\": -2, \"device\": 4294967296, \"bytes\": NaN, \"block\": null",
                                            "\"grid\": \"N/A\", \"block\": {}"};
    char events[1000];
    snprintf(events, sizeof events, "%s%s}},\n%s%s}},\n%s%s}},\n%s%s}},%s", kernel, arguments[0], kernel, arguments[1],
             kernel, arguments[2], kernel, arguments[3], others);
    const struct stint_snapshot *snapshot = of_events(events);
    assert_int_equal(snapshot->dropped.impossible, 8);
    assert_int_equal(activity_of(snapshot, STINT_GPU_KERNEL)->numbers.count, 4);
    assert_int_equal(snapshot->dropped.gpu_invalid, 3);
    assert_int_equal(snapshot->dropped.mismatched, 1);
    assert_non_null(strstr(noted(), "impossible values are unknown (first at line 2)"));
}

TEST(an_event_without_a_time_is_left_out)
{
    const struct stint_snapshot *snapshot = of_events(OPERATION("a", "\"1.5\"") ", " OPERATION(
        "b", "NaN") ", " OPERATION("c", "\"\"") ", "
                                                "{\"ph\": \"X\", \"name\": \"d\", \"ts\": 9, \"dur\": -3}," OPERATION(
                                                    "e", "0") "," OPERATION("f", "-7"));
    assert_ranges(snapshot, "aef");
    assert_null(stint_snapshot_find(snapshot, "NVTX", "b"));
    assert_null(stint_snapshot_find(snapshot, "NVTX", "d"));
    assert_int_equal(snapshot->process.wall_ns, 7000 + 3500);
    assert_string_equal(noted(), "2 events have no time, and are left out (first at line 1)\n"
                                 "1 event ends before it begins, and is left out (line 1)\n"
                                 "1 value is no JSON, and is passed over (line 1)");
}

/* How long it took is unknown; what its thread does until the recording ends is in it. */
TEST(what_has_not_ended_is_open)
{
    const struct stint_snapshot *snapshot = of_events(
        "{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 0, \"dur\": -1}," OPERATION("b", "5"));
    assert_int_equal(stat_of(snapshot, "NVTX", "a")->numbers.running, 1);
    assert_int_equal(stat_of(snapshot, "NVTX", "a")->numbers.running_ns, 7000);
    assert_int_equal(stat_of(snapshot, "NVTX", "a")->numbers.total_ns, 0);
    assert_int_equal(snapshot->contexts[1].parent, 0);
    assert_int_equal(snapshot->dropped.abandoned, 1);
}

TEST(events_of_two_phases_are_ranges)
{
    const struct stint_snapshot *snapshot =
        of_events("{\"ph\": \"B\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1}," OPERATION(
            "b", "2") ","
                      "{\"ph\": \"B\", \"cat\": \"overhead\", \"pid\": 1, \"tid\": 1, \"ts\": 5},"
                      "{\"ph\": \"E\", \"pid\": 1, \"tid\": 1, \"ts\": 6},"
                      "{\"ph\": \"E\", \"pid\": 1, \"tid\": 2, \"ts\": 7}, {\"ph\": \"C\", \"name\": \"x\"},"
                      "{\"ph\": \"E\", \"pid\": 1, \"tid\": 1, \"ts\": 8}");
    assert_int_equal(stat_of(snapshot, "NVTX", "a")->numbers.total_ns, 7000);
    assert_int_equal(stat_of(snapshot, "NVTX", "a")->numbers.self_ns, 5000);
    assert_string_equal(noted(), "left out: 1 overhead, 1 of phase C\n1 end has no beginning, and is left out");
}

#define OF_RANK(pid, device, name, correlation)                                                                        \
    "{\"ph\": \"X\", \"name\": \"" name "\", \"pid\": " pid ", \"tid\": 5, \"ts\": 1, \"dur\": 50},"                   \
    "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": " pid                         \
    ", \"tid\": 5, \"ts\": 2, "                                                                                        \
    "\"dur\": 1, \"args\": {\"correlation\": " correlation "}},"                                                       \
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": " device                                           \
    ", \"tid\": 7, \"ts\": 9, \"dur\": 4, \"args\": "                                                                  \
    "{\"device\": " device ", \"correlation\": " correlation "}}"

/* Traces of two ranks that were put together. */
TEST(kernels_are_of_the_process_that_launched_them)
{
    const struct stint_snapshot *snapshot = of_events(OF_RANK("100", "0", "a", "1") "," OF_RANK("200", "1", "b", "2"));
    assert_int_equal(stat_of(snapshot, "NVTX", "a")->gpu.kernels, 1);
    assert_int_equal(stat_of(snapshot, "NVTX", "b")->gpu.kernels, 1);
    close_trace(state);
    snapshot = of_events(OF_RANK("100", "0", "a", "1") "," OF_RANK("200", "1", "b", "1"));
    assert_int_equal(stat_of(snapshot, "NVTX", "a")->gpu.kernels, 0);
    assert_int_equal(stat_of(snapshot, "NVTX", "b")->gpu.kernels, 0);
    assert_int_equal(stint_foreign_ambiguous(s_foreign), 2);
}

/* The base of times may come behind them. */
TEST(members_may_be_in_any_order_and_damaged)
{
    write_trace("{\"deviceProperties\": [{\"id\": 0, \"totalGlobalMem\": inf}], \"traceEvents\": [" OPERATION(
        "a", "1") "], \"baseTimeNanoseconds\": 1500000000000000000}");
    const struct stint_snapshot *snapshot = converted(s_file);
    assert_ranges(snapshot, "a");
    assert_int_equal(snapshot->process.start_unix_ns, 1500000000000001000);
    assert_string_equal(noted(), "1 member cannot be read, and is left out (line 1: expected a value)");
}

TEST(what_is_no_trace_is_refused)
{
    write_trace("{\"schemaVersion\": 1}");
    assert_null(converted(s_file));
    assert_string_equal(s_reason, "this JSON is no trace: it has no traceEvents");
    write_trace("{\"schemaVersion\": 1, \"traceEvents\": [");
    assert_null(converted(s_file));
    assert_string_equal(
        s_reason,
        "it has nothing that can be shown: read up to line 1: the file ends here, within the list: the rest is "
        "missing");
    assert_null(converted("/nonexistent"));
    assert_string_equal(s_reason, "No such file or directory");
}

/* A table of categories has an end. */
TEST(all_that_is_left_out_is_counted)
{
    char events[4000] = "";
    for (int i = 0; i < 12; i++)
        snprintf(events + strlen(events), sizeof events - strlen(events), "%s{\"ph\": \"X\", \"cat\": \"c%d\"}",
                 i ? "," : "", i);
    assert_null(of_events(events));
    assert_string_equal(s_reason,
                        "it has nothing that can be shown: left out: 1 c0, 1 c1, 1 c2, 1 c3, 1 c4, 1 c5, 1 c6, 5 of "
                        "other kinds");
}

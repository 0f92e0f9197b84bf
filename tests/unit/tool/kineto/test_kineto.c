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

static void a_trace_is_known_by_how_it_begins(void **state)
{
    assert_true(stint_kineto_is(TRACE));
    write_trace("\n{\n  \"traceEvents\": []}");
    assert_true(stint_kineto_is(s_file));
    write_trace("{\"stint\": 1}");
    assert_false(stint_kineto_is(s_file));
    write_trace("schemaVersion");
    assert_false(stint_kineto_is(s_file));
    assert_false(stint_kineto_is("/dev/zero"));
    assert_false(stint_kineto_is("/nonexistent"));
}

static void operations_and_functions_are_ranges_of_their_threads(void **state)
{
    const struct stint_snapshot *snapshot = converted(TRACE);
    assert_string_equal(s_notes.cut, "");
    assert_string_equal(s_notes.left_out, "1 cpu_instant_event, 1 overhead");
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

static void activities_have_their_numbers(void **state)
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

static void what_is_known_of_an_operation_stays_behind_its_name(void **state)
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
static void old_traces_are_read(void **state)
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

static void nanoseconds_are_exact(void **state)
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
    assert_int_equal(event.start_ns, 7122);
    assert_int_equal(event.end_ns - event.start_ns, 1500000);
}

static void what_came_before_a_mistake_is_kept(void **state)
{
    const struct stint_snapshot *snapshot = of_events(
        "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 2},"
        "\n{\"ph\": \"X\", \"cat\": tru}");
    assert_string_equal(s_notes.cut, "line 2: a value should be here");
    assert_int_equal(stat_of(snapshot, "NVTX", "a")->numbers.count, 1);
}

static void what_is_no_trace_is_refused(void **state)
{
    write_trace("{\"schemaVersion\": 1}");
    assert_null(converted(s_file));
    assert_string_equal(s_reason, "this JSON is no trace: it has no traceEvents");
    write_trace("{\"schemaVersion\": 1, \"traceEvents\": [");
    assert_null(converted(s_file));
    assert_string_equal(s_reason, "line 1: the file ends here, within a value: the rest is missing");
    assert_null(converted("/nonexistent"));
    assert_string_equal(s_reason, "No such file or directory");
}

/* A table of categories has an end. */
static void all_that_is_left_out_is_counted(void **state)
{
    char events[4000] = "";
    for (int i = 0; i < 12; i++)
        snprintf(events + strlen(events), sizeof events - strlen(events), "%s{\"ph\": \"X\", \"cat\": \"c%d\"}",
                 i ? "," : "", i);
    (void)of_events(events);
    assert_string_equal(s_notes.left_out, "1 c0, 1 c1, 1 c2, 1 c3, 1 c4, 1 c5, 1 c6, 5 of other kinds");
}

#define TEST(name) cmocka_unit_test_teardown(name, close_trace)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_trace_is_known_by_how_it_begins),
        TEST(operations_and_functions_are_ranges_of_their_threads),
        TEST(activities_have_their_numbers),
        TEST(what_is_known_of_an_operation_stays_behind_its_name),
        TEST(old_traces_are_read),
        TEST(nanoseconds_are_exact),
        TEST(what_came_before_a_mistake_is_kept),
        TEST(what_is_no_trace_is_refused),
        TEST(all_that_is_left_out_is_counted),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}

#include "kineto/kineto.h"

#include <stdio.h>

#include "stint_test.h"

static struct stint_reader s_reader;

static int end_reading(void **state)
{
    (void)stint_reader_end(&s_reader);
    return 0;
}

static struct stint_kineto_event read_event(const char *text)
{
    static struct stint_import_error error;
    struct stint_kineto_event event;
    stint_reader_begin(&s_reader, text, strlen(text), &error);
    s_reader.is_lenient = 1;
    stint_kineto_read(&event, &s_reader);
    assert_int_equal(s_reader.status, STINT_OK);
    return event;
}

TEST_TEARDOWN(times_are_nanoseconds, end_reading)
{
    struct stint_kineto_event event = read_event(
        "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"mm\", \"pid\": 3, \"tid\": 4, \"ts\": 1.5, \"dur\": 2}");
    assert_int_equal(event.kind, STINT_KINETO_RANGE);
    assert_string_equal(event.name, "mm");
    assert_int_equal(event.pid, 3);
    assert_int_equal(event.tid, 4);
    assert_int_equal(event.start_ns, 1500);
    assert_int_equal(event.end_ns, 3500);
    assert_int_equal(event.sequence, -1);
}

/* A double would not have all of their digits. */
TEST_TEARDOWN(times_may_be_written_in_any_way, end_reading)
{
    static const struct {
        const char *text;
        int is_time;
        int64_t ns;
    } times[] = {
        {"1747106289100000.125", 1, INT64_C(1747106289100000125)},
        {"\"1747106289100000.125\"", 1, INT64_C(1747106289100000125)},
        {"9147106289100000.125", 1, INT64_C(9147106289100000125)},
        {"1.747106289100000125e15", 1, INT64_C(1747106289100000125)},
        {"1747106289100000125E-3", 1, INT64_C(1747106289100000125)},
        {"0", 1, 0},
        {"-0.5", 1, -500},
        {"0.00049", 1, 0},
        {"0.0005", 1, 1},
        {"0e999999999", 1, 0},
        {"1e-999", 1, 0},
        {"1e999", 0, 0},
        {"9223372036854776", 0, 0},
        {"99999999999999999999999999999", 0, 0},
        {"NaN", 0, 0},
        {"-Infinity", 0, 0},
        {"\"soon\"", 0, 0},
        {"\"\"", 0, 0},
        {"\"12 us\"", 0, 0},
        {"null", 0, 0},
        {"[1]", 0, 0},
        {"1.2.3", 0, 0},
        {"0x10", 0, 0},
        {".", 0, 0},
    };
    for (size_t i = 0; i < TEST_COUNT(times); i++) {
        char text[100];
        snprintf(text, sizeof text, "{\"ph\": \"X\", \"ts\": %s}", times[i].text);
        struct stint_kineto_event event = read_event(text);
        assert_int_equal(event.has_start, times[i].is_time);
        assert_int_equal(event.start_ns, times[i].ns);
        (void)end_reading(NULL);
    }
}

TEST_TEARDOWN(ends_may_be_unknown, end_reading)
{
    static const char *const durations[] = {"-1", "\"-1\"", "-1.000", "NaN", "null", "\"\""};
    assert_false(read_event("{\"ph\": \"X\", \"ts\": 1}").has_end);
    (void)end_reading(NULL);
    assert_false(read_event("{\"ph\": \"B\", \"ts\": 1, \"dur\": 5}").has_end);
    for (size_t i = 0; i < TEST_COUNT(durations); i++) {
        char text[100];
        snprintf(text, sizeof text, "{\"ph\": \"X\", \"ts\": 1, \"dur\": %s}", durations[i]);
        (void)end_reading(NULL);
        assert_false(read_event(text).has_end);
    }
}

TEST_TEARDOWN(negative_counts_are_told_except_for_the_one_that_says_none, end_reading)
{
    struct stint_kineto_event event =
        read_event("{\"ph\": \"X\", \"args\": {\"bytes\": -5, \"device\": -1, \"stream\": -1}}");
    assert_int_equal(event.odd_numbers, 1);
    assert_int_equal(event.bytes, 0);
}

TEST_TEARDOWN(numbers_that_are_none_are_unknown_and_counted, end_reading)
{
    struct stint_kineto_event event = read_event(
        "{\"ph\": \"X\", \"args\": {\"bytes\": NaN, \"device\": \"N/A\", \"stream\": \"stream 7\", \"context\": -1, "
        "\"correlation\": 9223372036854775807, \"registers per thread\": 32.0, \"shared memory\": 1e30, \"grid\": [1, "
        "inf, \"2\"], \"Sequence number\": null}}");
    assert_int_equal(event.odd_numbers, 4);
    assert_int_equal(event.bytes, 0);
    assert_int_equal(event.stream, 7);
    assert_int_equal(event.context, 0);
    assert_int_equal(event.correlation, INT64_MAX);
    assert_int_equal(event.registers, 32);
    assert_int_equal(event.grid[2], 2);
}

TEST_TEARDOWN(processes_and_threads_may_have_texts_for_numbers, end_reading)
{
    struct stint_kineto_event event = read_event("{\"pid\": \"CPU functions\", \"tid\": \"main\"}");
    int64_t pid = event.pid, tid = event.tid;
    assert_true(pid < 0 && tid < 0 && pid != tid);
    (void)end_reading(NULL);
    event = read_event("{\"pid\": \"CPU functions\", \"tid\": \"3004819264\"}");
    assert_int_equal(event.pid, pid);
    assert_int_equal(event.tid, 3004819264);
}

TEST_TEARDOWN(phase_and_category_say_what_an_event_is, end_reading)
{
    static const struct {
        const char *text;
        enum stint_kineto_kind kind;
    } events[] = {
        {"{\"ph\": \"X\", \"cat\": \"kernel\"}", STINT_KINETO_KERNEL},
        {"{\"ph\": \"X\", \"cat\": \"Memset\"}", STINT_KINETO_SET},
        {"{\"ph\": \"X\", \"cat\": \"of a later version\"}", STINT_KINETO_LEFT_OUT},
        {"{\"ph\": \"s\", \"cat\": \"kernel\"}", STINT_KINETO_NOTHING},
        {"{\"ph\": \"i\", \"cat\": \"cpu_instant_event\"}", STINT_KINETO_LEFT_OUT},
        {"{\"ph\": \"M\", \"name\": \"thread_name\", \"args\": {\"name\": \"thread 7 (a)\"}}", STINT_KINETO_THREAD},
        {"{\"ph\": \"M\", \"name\": \"process_labels\", \"args\": {\"name\": \"CPU\"}}", STINT_KINETO_NOTHING},
        {"{\"ph\": \"B\", \"cat\": \"kernel\"}", STINT_KINETO_KERNEL},
        {"{\"ph\": \"E\", \"cat\": \"kernel\"}", STINT_KINETO_NOTHING},
        {"{\"ph\": \"X\"}", STINT_KINETO_RANGE},
        {"{\"ph\": \"i\"}", STINT_KINETO_NOTHING},
        {"{\"ph\": \"b\"}", STINT_KINETO_LEFT_OUT},
        {"{}", STINT_KINETO_LEFT_OUT},
    };
    for (size_t i = 0; i < TEST_COUNT(events); i++) {
        assert_int_equal(read_event(events[i].text).kind, events[i].kind);
        (void)end_reading(NULL);
    }
}

TEST(text_has_what_is_known_behind_the_name)
{
    const struct stint_kineto_event operation = {.kind = STINT_KINETO_RANGE,
                                                 .category = "cpu_op",
                                                 .name = "aten::mm",
                                                 .sequence = 3,
                                                 .id = 7,
                                                 .forward_tid = 2,
                                                 .facts = {[STINT_KINETO_SIZES] = {"[[1, 2]]", 8}}};
    struct stint_kineto_event step = {
        .kind = STINT_KINETO_RANGE, .category = "user_annotation", .name = "ProfilerStep#12"};
    char text[100];
    size_t length = stint_kineto_text(&operation, text, sizeof text);
    assert_string_equal(text, "aten::mm, seq = 3, op_id = 7, forward_thread = 2, sizes = [[1, 2]]");
    assert_int_equal(stint_kineto_text(&operation, text, 9), length);
    assert_string_equal(text, "aten::mm");
    (void)stint_kineto_text(&step, text, sizeof text);
    assert_string_equal(text, "ProfilerStep#step=12#");
    step.name = "ProfilerStep#";
    (void)stint_kineto_text(&step, text, sizeof text);
    assert_string_equal(text, "ProfilerStep#");
}

TEST(names_say_directions_and_waits)
{
    assert_int_equal(stint_kineto_direction("Memcpy HtoD (Pageable -> Device)"), STINT_GPU_HTOD);
    assert_int_equal(stint_kineto_direction("Memcpy"), STINT_GPU_DIRECTION_UNKNOWN);
    assert_int_equal(stint_kineto_wait("of a later version"), STINT_GPU_WAIT_UNKNOWN);
}

#include "kineto/kineto.h"

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
    stint_kineto_read(&event, &s_reader);
    assert_int_equal(s_reader.status, STINT_OK);
    return event;
}

static void times_are_nanoseconds(void **state)
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

static void phase_and_category_say_what_an_event_is(void **state)
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
        {"{}", STINT_KINETO_NOTHING},
    };
    for (size_t i = 0; i < TEST_COUNT(events); i++) {
        assert_int_equal(read_event(events[i].text).kind, events[i].kind);
        (void)end_reading(NULL);
    }
}

static void text_has_what_is_known_behind_the_name(void **state)
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

static void names_say_directions_and_waits(void **state)
{
    assert_int_equal(stint_kineto_direction("Memcpy HtoD (Pageable -> Device)"), STINT_GPU_HTOD);
    assert_int_equal(stint_kineto_direction("Memcpy"), STINT_GPU_DIRECTION_UNKNOWN);
    assert_int_equal(stint_kineto_wait("of a later version"), STINT_GPU_WAIT_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(times_are_nanoseconds, end_reading),
        cmocka_unit_test_teardown(phase_and_category_say_what_an_event_is, end_reading),
        cmocka_unit_test(text_has_what_is_known_behind_the_name),
        cmocka_unit_test(names_say_directions_and_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

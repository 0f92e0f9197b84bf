/* Operations in recordings: what was told of them is read again, and takes little room. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "ctf/ctf.h"
#include "ctf/ctf_fixture.h"
#include "ctf_writer/ctf_writer.h"
#include "stint_test.h"

enum { OPERATIONS = 20000, SHAPES = 40 };

static struct stint_event_writer *open_writer(const char *path)
{
    const struct stint_event_process process = {77, "train", "h", UINT64_C(1700000000123456789)};
    const struct stint_event_context contexts[] = {
        {2, 0, "NVTX", "aten::mm", "", 0}, {3, 0, "NVTX start/end", "Q", "", 0}, {4, 0, "NVTX marks", "M", "", 0}};
    char reason[256];
    struct stint_event_writer *writer = stint_ctf_writer_open(path, &process, reason, sizeof reason);
    if (!writer)
        fail_msg("%s", reason);
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
        assert_int_equal(writer->context(writer, &contexts[i]), 0);
    return writer;
}

static struct stint_ctf *open_recording(const char *path)
{
    char reason[256];
    struct stint_ctf *ctf = stint_ctf_open(path, reason, sizeof reason);
    if (!ctf)
        fail_msg("%s", reason);
    return ctf;
}

static void finish(struct stint_event_writer *writer)
{
    static const char report[] = "{\"format\":\"stint-report\",\"version\":1}";
    assert_int_equal(writer->finish(writer, report, sizeof report - 1), 0);
}

/* The text of an instance: numbers that are different each time, shapes that are repeated. */
static const char *text_of(unsigned i)
{
    static char text[512];
    unsigned shape = i % SHAPES;
    (void)snprintf(text, sizeof text,
                   "aten::mm, seq = %u, op_id = %u, sizes = [[64, %u, 10, 10], [32, %u, 3, 3], [], [32]], "
                   "input_op_ids = [(%u,0), (0,-1), (%u,%u)]",
                   i, 3 * i + 1000, shape, shape, 3 * i + 998, 3 * i + 900 + shape, shape % 3);
    return text;
}

static struct stint_event event_of(unsigned i)
{
    return (struct stint_event){.kind = STINT_EVENT_SCOPE,
                                .start_ns = 1000 * (uint64_t)i,
                                .end_ns = 1000 * (uint64_t)i + 700,
                                .pid = 77,
                                .tid = 11,
                                .context = 2,
                                .name = "aten::mm",
                                .set = "NVTX",
                                .text = text_of(i)};
}

static uint64_t size_of(const char *folder, const char *name)
{
    char path[300];
    struct stat about;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(stat(path, &about), 0);
    return (uint64_t)about.st_size;
}

static void operations_are_read_again_and_take_little_room(void **state)
{
    const char *path = ctf_scratch("operations.stint");
    struct stint_event_writer *writer = open_writer(path);
    struct stint_event event;
    for (unsigned i = 0; i < OPERATIONS; i++) {
        event = event_of(i);
        assert_int_equal(writer->event(writer, &event), 0);
    }
    finish(writer);
    assert_true(size_of(path, "thread-1") / OPERATIONS < 50);
    assert_true(size_of(path, "definitions") < 10000);
    struct stint_ctf *ctf = open_recording(path);
    struct stint_event_source *source = stint_ctf_events(ctf);
    assert_int_equal(source->begin(source), 0);
    for (unsigned i = 0; i < OPERATIONS; i++) {
        assert_int_equal(source->next(source, &event), 1);
        assert_int_equal(event.start_ns, 1000 * (uint64_t)i);
        assert_int_equal(event.end_ns, 1000 * (uint64_t)i + 700);
        assert_string_equal(event.name, "aten::mm");
        assert_string_equal(event.text, text_of(i));
    }
    assert_int_equal(source->next(source, &event), 0);
    stint_ctf_close(ctf);
    (void)state;
}

/* Ranges that are started, and marks, may be operations, too; one with a color keeps its text as it is. */
static void other_kinds_of_events_may_be_operations(void **state)
{
    const char *path = ctf_scratch("kinds.stint"),
               *texts[] = {"Q, op_id = 5", "M, seq = 0, op_id = 6, sizes = []", "M, seq = 0, op_id = 7"};
    const enum stint_event_kind kinds[] = {STINT_EVENT_RANGE, STINT_EVENT_MARK, STINT_EVENT_MARK};
    struct stint_event_writer *writer = open_writer(path);
    struct stint_event event = {.pid = 77, .tid = 12};
    for (size_t i = 0; i < 3; i++) {
        event.kind = kinds[i];
        event.start_ns = event.end_ns = 10 * i;
        event.context = i ? 4 : 3;
        event.name = i ? "M" : "Q";
        event.set = i ? "NVTX marks" : "NVTX start/end";
        event.text = texts[i];
        event.color = i == 2 ? 0xFF0000FF : 0;
        assert_int_equal(writer->event(writer, &event), 0);
    }
    finish(writer);
    struct stint_ctf *ctf = open_recording(path);
    struct stint_event_source *source = stint_ctf_events(ctf);
    assert_int_equal(source->begin(source), 0);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(source->next(source, &event), 1);
        assert_int_equal(event.kind, kinds[i]);
        assert_string_equal(event.text, texts[i]);
        assert_int_equal(event.color, i == 2 ? 0xFF0000FF : 0);
    }
    stint_ctf_close(ctf);
    (void)state;
}

static void damage(const char *folder, const char *part)
{
    char path[300], bytes[1 << 16];
    (void)snprintf(path, sizeof path, "%s/definitions", folder);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    char *found = memmem(bytes, size, part, strlen(part));
    assert_non_null(found);
    assert_int_equal(fseek(file, found - bytes, SEEK_SET), 0);
    assert_int_equal(fputc('!', file), '!');
    assert_int_equal(fclose(file), 0);
}

/* Where the definitions are damaged, an operation is still an event. */
static void lost_data_leaves_an_event_without_text(void **state)
{
    const char *path = ctf_scratch("lost.stint");
    struct stint_event_writer *writer = open_writer(path);
    struct stint_event event = event_of(0);
    assert_int_equal(writer->flush(writer), 0);
    assert_int_equal(writer->event(writer, &event), 0);
    finish(writer);
    damage(path, ", sizes = ");
    struct stint_ctf *ctf = open_recording(path);
    struct stint_event_source *source = stint_ctf_events(ctf);
    assert_int_equal(source->begin(source), 0);
    assert_int_equal(source->next(source, &event), 1);
    assert_string_equal(event.name, "aten::mm");
    assert_null(event.text);
    assert_int_equal(event.end_ns, 700);
    stint_ctf_close(ctf);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_read_again_and_take_little_room),
        cmocka_unit_test(other_kinds_of_events_may_be_operations),
        cmocka_unit_test(lost_data_leaves_an_event_without_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

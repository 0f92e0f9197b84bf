#include "ctf_writer/ctf_writer.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "ctf/ctf.h"
#include "ctf/ctf_fixture.h"
#include "stint_test.h"

static struct stint_instance_room s_room;
static struct stint_instance_table s_table;

static int clean_up(void **state)
{
    stint_arena_free(&s_table.arena);
    s_table = (struct stint_instance_table){0};
    return 0;
}

#define MM "aten::mm, seq = 54, op_id = 783, sizes = [[64, 16], [16, 10]], input_op_ids = [(780,0), (0,-1)]"

TEST(a_text_is_numbers_and_data)
{
    struct stint_instance instance;
    assert_true(stint_instance_split(&instance, &s_room, "aten::mm", MM));
    assert_true(instance.has_seq);
    assert_int_equal(instance.seq, 54);
    assert_int_equal(instance.op_id, 783);
    assert_string_equal(instance.data, ", sizes = [[64, 16], [16, 10]], input_op_ids = [(+3,0), (0,-1)]");
    assert_int_equal(instance.length, strlen(instance.data));
}

static void assert_again(const char *name, const char *text)
{
    struct stint_instance instance;
    char again[STINT_INSTANCE_TEXT];
    assert_true(stint_instance_split(&instance, &s_room, name, text));
    assert_int_equal(stint_instance_join(again, sizeof again, name, &instance), strlen(text));
    assert_string_equal(again, text);
    assert_int_equal(stint_instance_join(again, strlen(text), name, &instance), 0);
}

TEST(a_text_is_put_together_again)
{
    assert_again("aten::mm", MM);
    assert_again("conv2d", "conv2d, seq = 0");
    assert_again("aten::empty", "aten::empty, sizes = [[]]");
    assert_again("torch.mm", "{'mod': 'torch', 'op': 'mm', 'args': []}");
    assert_again("ConvolutionBackward0", "ConvolutionBackward0, seq = 54, op_id = 782");
    assert_again("aten::cat", "aten::cat, op_id = 5, sizes = [[[3], [4]], []], input_op_ids = [(5,1), (9,0)]");
    assert_again("a, b", "a, b, op_id = 999999999999999999, sizes = [[1000000000000000000]], input_op_ids = []");
    assert_again("x", "x, seq = 3, sizes = [[1]], input_op_ids = [(+3,0)]");
    assert_again("x", "x, op_id = 3, sizes = [[1], [2, input_op_ids = [(2,0");
    assert_again("x", "x, op_id = 3, input_op_ids = [((2), ], 4(1], types = [\"float\"]");
}

TEST(what_would_not_come_back_is_left_alone)
{
    static const char *const texts[] = {"x",
                                        "y, op_id = 3",
                                        "x, op_id = 03",
                                        "x, op_id = 0",
                                        "x, op_id = -3",
                                        "x, op_id = 3, input_op_ids = [(+1,0)]",
                                        "x, op_id = 3, input_op_ids = [(-1,0)]",
                                        "x, op_id = 18446744073709551616",
                                        "x, op_id = ",
                                        "x, op"};
    struct stint_instance instance;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (stint_instance_split(&instance, &s_room, "x", texts[i]))
            fail_msg("%s is taken apart", texts[i]);
}

TEST(a_text_that_is_too_long_is_left_alone)
{
    static char text[STINT_INSTANCE_TEXT + 64] = "x, op_id = 3, sizes = [";
    struct stint_instance instance;
    memset(text + strlen(text), '[', STINT_INSTANCE_TEXT);
    assert_false(stint_instance_split(&instance, &s_room, "x", text));
    text[STINT_INSTANCE_TEXT - 1] = '\0';
    assert_true(stint_instance_split(&instance, &s_room, "x", text));
}

TEST(data_made_up_by_somebody_is_safe)
{
    char text[64];
    struct stint_instance instance = {.op_id = 3, .data = ", input_op_ids = [(+9,0), (-999999999999999999,0"};
    assert_int_equal(stint_instance_join(text, 20, "x", &instance), 0);
    assert_int_equal(stint_instance_join(text, 1, "x", &instance), 0);
    instance.data = ", input_op_ids = [(+9";
    assert_true(stint_instance_join(text, sizeof text, "x", &instance) != 0);
}

TEST_TEARDOWN(equal_data_has_one_number, clean_up)
{
    struct stint_instance instance;
    int is_new;
    assert_true(stint_instance_split(&instance, &s_room, "aten::mm", MM));
    assert_int_equal(stint_instance_number(&s_table, &instance, &is_new), 1);
    assert_true(is_new);
    assert_int_equal(stint_instance_number(&s_table, &instance, &is_new), 1);
    assert_false(is_new);
    assert_true(stint_instance_split(&instance, &s_room, "x", "x, op_id = 7"));
    assert_int_equal(stint_instance_number(&s_table, &instance, &is_new), 2);
}

TEST_TEARDOWN(the_table_has_a_limit, clean_up)
{
    char text[STINT_INSTANCE_TEXT];
    struct stint_instance instance;
    uint32_t number, i = 0;
    int is_new;
    memset(text, 'x', sizeof text);
    do {
        memcpy(text, &i, sizeof i);
        instance = (struct stint_instance){.length = sizeof text, .data = text};
        number = stint_instance_number(&s_table, &instance, &is_new);
        assert_true(is_new);
    } while (number == ++i);
    assert_int_equal(number, 0);
    assert_int_equal(s_table.rows.count * sizeof text, STINT_INSTANCE_MOST_BYTES);
    assert_true(s_table.arena.mapped < 2 * (size_t)STINT_INSTANCE_MOST_BYTES);
}

/* Operations in recordings: what was told of them is read again, and takes little room. */

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

TEST(operations_are_read_again_and_take_little_room)
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
}

/* Ranges that are started, and marks, may be operations, too; one with a color keeps its text as it is. */
TEST(other_kinds_of_events_may_be_operations)
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
TEST(lost_data_leaves_an_event_without_text)
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
}

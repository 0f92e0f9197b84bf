#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctf_writer/ctf_writer.h"
#include "model/event.h"
#include "stint/nvtx_stats.h"
#include "stint_test.h"
#include "store/scratch.h"
#include "store/store.h"
#include "store/store_fixture.h"

TEST_ONCE(scratch_make, scratch_remove)

TEST(ranges_and_marks_keep_their_kind_set_and_name)
{
    static const struct {
        enum stint_event_kind kind;
        const char *set;
        const char *name;
    } expected[] = {
        {STINT_EVENT_SCOPE, "GlobalStatInfo", "timer"},     {STINT_EVENT_SCOPE, "pserver", "timer"},
        {STINT_EVENT_SCOPE, STINT_NVTX_SET, "step"},        {STINT_EVENT_SCOPE, STINT_NVTX_SET ":cuDF", "join"},
        {STINT_EVENT_RANGE, STINT_NVTX_START_END_SET, "a"}, {STINT_EVENT_RANGE, STINT_NVTX_START_END_SET ":cuDF", "b"},
        {STINT_EVENT_MARK, STINT_NVTX_MARK_SET, "here"},    {STINT_EVENT_MARK, STINT_NVTX_MARK_SET ":cuDF", "there"},
    };
    struct stint_store_writer *writer = fixture_open_writer();
    struct stint_event event;
    for (uint32_t i = 0; i < TEST_COUNT(expected); i++) {
        if (expected[i].kind == STINT_EVENT_SCOPE) {
            fixture_tell_context(writer, i + 1, 0, expected[i].set, expected[i].name);
            fixture_tell_scope(writer, i + 1, i * 100, i * 100 + 10);
        } else {
            fixture_tell_range(writer, expected[i].kind, i * 100, expected[i].set, expected[i].name);
        }
    }
    fixture_finish(writer);
    struct stint_event_source *source = fixture_read_events();
    for (size_t i = 0; i < TEST_COUNT(expected); i++) {
        assert_int_equal(source->next(source, &event), 1);
        assert_int_equal(event.kind, expected[i].kind);
        assert_string_equal(event.set, expected[i].set);
        assert_string_equal(event.name, expected[i].name);
        assert_int_equal(event.end_ns - event.start_ns, event.kind == STINT_EVENT_MARK ? 0 : 10);
    }
    assert_int_equal(source->next(source, &event), 0);
    fixture_assert_rows(
        "SELECT eventType, coalesce(d.name, '') || ':' || value FROM NVTX_EVENTS JOIN StringIds s ON s.id = textId "
        "LEFT JOIN stint_domains d ON d.id = domainId WHERE eventType <> 75 ORDER BY start",
        "59|stint:timer\n59|stint:pserver/timer\n59|:step\n59|cuDF:join\n60|:a\n60|cuDF:b\n34|:here\n34|"
        "cuDF:there\n");
}

/* A category has the name that its domain gives it, in a row as in nsys's export. */
TEST(ranges_and_marks_keep_their_color_and_category)
{
    static const struct stint_event events[] = {
        {.kind = STINT_EVENT_MARK, .name = "plain", .set = STINT_NVTX_MARK_SET, .start_ns = 100, .end_ns = 100},
        {.kind = STINT_EVENT_MARK,
         .name = "red",
         .set = STINT_NVTX_MARK_SET,
         .color = 0xffff0000,
         .start_ns = 200,
         .end_ns = 200},
        {.kind = STINT_EVENT_RANGE,
         .name = "io",
         .set = STINT_NVTX_START_END_SET ":cuDF",
         .category = 7,
         .start_ns = 300,
         .end_ns = 310},
        {.kind = STINT_EVENT_RANGE,
         .name = "both",
         .set = STINT_NVTX_START_END_SET,
         .color = 1,
         .category = UINT32_MAX,
         .start_ns = 400,
         .end_ns = 410},
    };
    static const struct stint_nvtx_name names[] = {
        {.pid = 4711, .what = STINT_NVTX_CATEGORY, .domain = "cuDF", .handle = 7, .name = "disk"},
        {.pid = 4711, .what = STINT_NVTX_CATEGORY, .domain = "", .handle = UINT32_MAX, .name = "net"},
        {.pid = 4711, .what = STINT_NVTX_THREAD, .domain = "", .handle = 9, .name = "loader"},
    };
    struct stint_store_writer *writer = fixture_open_writer();
    struct stint_event event;
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_int_equal(stint_store_writer_name(writer, &names[i]), 0);
    for (size_t i = 0; i < TEST_COUNT(events); i++)
        assert_int_equal(stint_store_writer_event(writer, &events[i]), 0);
    fixture_finish(writer);
    struct stint_event_source *source = fixture_read_events();
    for (size_t i = 0; i < TEST_COUNT(events); i++) {
        assert_int_equal(source->next(source, &event), 1);
        assert_string_equal(event.name, events[i].name);
        assert_int_equal(event.color, events[i].color);
        assert_int_equal(event.category, events[i].category);
    }
    assert_int_equal(source->next(source, &event), 0);
    fixture_assert_rows(
        "SELECT s.value, e.color, e.category, n.value FROM NVTX_EVENTS e JOIN StringIds s ON s.id = e.textId "
        "LEFT JOIN NVTX_EVENTS c ON c.eventType = 33 AND c.category = e.category AND c.domainId = e.domainId "
        "LEFT JOIN StringIds n ON n.id = c.textId WHERE e.eventType IN (34, 60) ORDER BY e.start",
        "plain|-|-|-\nred|4294901760|-|-\nio|-|7|disk\nboth|1|4294967295|net\n");
    fixture_assert_rows("SELECT count(*), max(end), min(globalTid >> 24) FROM NVTX_EVENTS WHERE eventType = 33",
                        "2|-|4711\n");
}

/* Tells of a range, or with path 0 of a mark, with a text that carries data. */
static void tell_text(struct stint_store_writer *writer, uint32_t path, uint64_t start_ns, const char *name,
                      const char *text)
{
    struct stint_event event = {.kind = path ? STINT_EVENT_SCOPE : STINT_EVENT_MARK,
                                .start_ns = start_ns,
                                .end_ns = start_ns,
                                .pid = 4711,
                                .tid = 4711,
                                .context = path,
                                .name = name,
                                .set = path ? "NVTX:TSL" : STINT_NVTX_MARK_SET,
                                .text = text};
    assert_int_equal(stint_store_writer_event(writer, &event), 0);
}

/* Between ranges, as a program gives them. */
TEST(points_of_curves_are_kept_with_their_numbers)
{
    static const struct stint_event_memory allocated = {.address = 0x302000000,
                                                        .bytes = 4096,
                                                        .current_bytes = UINT64_C(1) << 40,
                                                        .device = 3,
                                                        .kind = STINT_GPU_MEMORY_MANAGED,
                                                        .pool = 1},
                                           freed = {
                                               .address = 0x302000000, .kind = STINT_GPU_MEMORY_PINNED, .freed = 1};
    const struct stint_event events[] = {
        {.kind = STINT_EVENT_VALUE,
         .start_ns = 100,
         .end_ns = 100,
         .pid = 4711,
         .tid = 4712,
         .set = STINT_NVTX_COUNTER_SET,
         .name = "loss",
         .field = "",
         .value = -0.1},
        {.kind = STINT_EVENT_MARK,
         .start_ns = 200,
         .end_ns = 200,
         .pid = 4711,
         .tid = 4711,
         .set = STINT_NVTX_MARK_SET,
         .name = "mark"},
        {.kind = STINT_EVENT_VALUE,
         .start_ns = 300,
         .end_ns = 300,
         .pid = 4711,
         .set = STINT_SYSTEM_SET,
         .name = "GPU 0",
         .field = "power (W)",
         .value = 1e300},
        {.kind = STINT_EVENT_MEMORY,
         .start_ns = 400,
         .end_ns = 400,
         .pid = 4711,
         .tid = 4711,
         .set = "",
         .name = "",
         .memory = &allocated},
        {.kind = STINT_EVENT_MEMORY,
         .start_ns = 500,
         .end_ns = 500,
         .pid = 4711,
         .tid = 4711,
         .set = "",
         .name = "",
         .memory = &freed},
    };
    struct stint_store_writer *writer = fixture_open_writer();
    struct stint_event event;
    for (size_t i = 0; i < TEST_COUNT(events); i++)
        assert_int_equal(stint_store_writer_event(writer, &events[i]), 0);
    fixture_finish(writer);
    struct stint_event_source *source = fixture_read_events();
    for (size_t i = 0; i < TEST_COUNT(events); i++) {
        assert_int_equal(source->next(source, &event), 1);
        assert_int_equal(event.kind, events[i].kind);
        assert_int_equal(event.start_ns, events[i].start_ns);
        assert_int_equal(event.end_ns, events[i].end_ns);
        assert_int_equal(event.pid, 4711);
        assert_int_equal(event.tid, events[i].tid);
        assert_string_equal(event.set, events[i].set);
        assert_string_equal(event.name, events[i].name);
        if (events[i].kind == STINT_EVENT_VALUE) {
            assert_string_equal(event.field, events[i].field);
            assert_true(event.value == events[i].value);
        }
        if (events[i].memory) {
            assert_int_equal(event.memory->address, events[i].memory->address);
            assert_int_equal(event.memory->bytes, events[i].memory->bytes);
            assert_int_equal(event.memory->current_bytes, events[i].memory->current_bytes);
            assert_int_equal(event.memory->device, events[i].memory->device);
            assert_int_equal(event.memory->kind, events[i].memory->kind);
            assert_int_equal(event.memory->pool, events[i].memory->pool);
            assert_int_equal(event.memory->freed, events[i].memory->freed);
        }
    }
    assert_int_equal(source->next(source, &event), 0);
}

static void check_text(struct stint_event_source *source, const char *name, const char *text)
{
    struct stint_event event;
    assert_int_equal(source->next(source, &event), 1);
    assert_string_equal(event.name, name);
    if (text)
        assert_string_equal(event.text, text);
    else
        assert_null(event.text);
}

TEST(texts_that_carry_data_are_kept_whole_beside_their_name)
{
    struct stint_store_writer *writer = fixture_open_writer();
    char text[64], *long_text = calloc(4000, 1);
    memset(long_text, 'x', 3999);
    memcpy(long_text, "Thunk#id=", 9);
    long_text[3998] = '#';
    fixture_tell_context(writer, 2, 0, "NVTX:TSL", "Thunk");
    for (unsigned i = 0; i < 10000; i++) { /* more than are remembered */
        snprintf(text, sizeof text, "Thunk:#id=%u#", i);
        tell_text(writer, 2, 2 * i, "Thunk", text);
        tell_text(writer, 2, 2 * i + 1, "Thunk", "Thunk:#id=same#");
    }
    tell_text(writer, 2, 20000, "Thunk", long_text);
    tell_text(writer, 2, 20000, "Thunk", long_text);
    tell_text(writer, 0, 20001, "XlaModule jit_f", "XlaModule:#hlo_module=jit_f#");
    tell_text(writer, 2, 20002, "Thunk", NULL);
    fixture_finish(writer);
    struct stint_event_source *source = fixture_read_events();
    for (unsigned i = 0; i < 10000; i++) {
        snprintf(text, sizeof text, "Thunk:#id=%u#", i);
        check_text(source, "Thunk", text);
        check_text(source, "Thunk", "Thunk:#id=same#");
    }
    check_text(source, "Thunk", long_text);
    check_text(source, "Thunk", long_text);
    check_text(source, "XlaModule jit_f", "XlaModule:#hlo_module=jit_f#");
    check_text(source, "Thunk", NULL);
    free(long_text);
    fixture_assert_rows("SELECT count(*) < 10100 FROM StringIds",
                        "1\n"); /* that the same text is remembered is no promise */
    fixture_assert_rows("SELECT count(*) FROM StringIds WHERE length(value) > 3000", "1\n");
    fixture_assert_rows(
        "SELECT count(*) FROM StringIds s LEFT JOIN StringTable t ON t._id_ = s.id AND t.value = s.value "
        "WHERE t.value IS NULL",
        "0\n");
    fixture_assert_rows("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MARKER m JOIN StringTable t ON t._id_ = m.name "
                        "WHERE t.value = 'Thunk:#id=9999#'",
                        "1\n");
}

/* What follows the numbers is in the file once. Texts like those of old versions of PyTorch stay as they are, for other
 * programs that read them. */
TEST(texts_of_operations_are_taken_apart)
{
    struct stint_store_writer *writer = fixture_open_writer();
    char text[128];
    fixture_tell_context(writer, 2, 0, "NVTX:TSL", "mm");
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "mm, seq = %u, op_id = %u, sizes = [[%u, 4]], input_op_ids = [(%u,0)]", i,
                 2 * i + 9, i % 3, 2 * i + 7);
        tell_text(writer, 2, i, "mm", text);
    }
    tell_text(writer, 2, 1000, "mm", "mm, op_id = 5");
    tell_text(writer, 0, 1001, "aten::mul", "aten::mul, seq = 54");
    tell_text(writer, 0, 1002, "aten::mul", "aten::mul, seq = 54, sizes = [[2]]");
    fixture_finish(writer);
    struct stint_event_source *source = fixture_read_events();
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "mm, seq = %u, op_id = %u, sizes = [[%u, 4]], input_op_ids = [(%u,0)]", i,
                 2 * i + 9, i % 3, 2 * i + 7);
        check_text(source, "mm", text);
    }
    check_text(source, "mm", "mm, op_id = 5");
    check_text(source, "aten::mul", "aten::mul, seq = 54");
    check_text(source, "aten::mul", "aten::mul, seq = 54, sizes = [[2]]");
    fixture_assert_rows("SELECT id, data FROM stint_operation_data",
                        "1|, sizes = [[0, 4]], input_op_ids = [(+2,0)]\n2|, sizes = [[1, 4]], input_op_ids = [(+2,0)]\n"
                        "3|, sizes = [[2, 4]], input_op_ids = [(+2,0)]\n4|, sizes = [[2]]\n");
    fixture_assert_rows(
        "SELECT start, name, seq, op_id, sizes, data FROM stint_operations WHERE start IN (4, 1000, 1002)",
        "4|mm|4|17|[[1, 4]]|, sizes = [[1, 4]], input_op_ids = [(+2,0)]\n1000|mm|-|5|-|\n"
        "1002|aten::mul|54|-|[[2]]|, sizes = [[2]]\n");
    fixture_assert_rows("SELECT value FROM StringIds WHERE id >= 2147483648", "aten::mul, seq = 54\n");
    fixture_assert_rows("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MARKER m JOIN StringTable t ON t._id_ = m.name "
                        "WHERE t.value = 'mm'",
                        "1001\n");
}

static const char *long_operation(char *text, size_t size, unsigned i)
{
    (void)snprintf(text, size, "mm, op_id = 5, sizes = [[%u, %0*u]]", i, (int)size - 40, 7U);
    return text;
}

TEST(data_of_operations_beyond_a_limit_is_not_remembered)
{
    enum { SIZE = 32000, MANY = STINT_INSTANCE_MOST_BYTES / SIZE + 40 };
    static char text[SIZE];
    struct stint_store_writer *writer = fixture_open_writer();
    fixture_tell_context(writer, 2, 0, "NVTX:TSL", "mm");
    for (unsigned i = 0; i < MANY; i++)
        tell_text(writer, 2, i, "mm", long_operation(text, sizeof text, i));
    tell_text(writer, 2, MANY, "mm", "mm, op_id = 5, sizes = [[7]]");
    fixture_finish(writer);
    struct stint_event_source *source = fixture_read_events();
    for (unsigned i = 0; i < MANY; i++)
        check_text(source, "mm", long_operation(text, sizeof text, i));
    check_text(source, "mm", "mm, op_id = 5, sizes = [[7]]");
    fixture_assert_rows("SELECT count(*) > 30 FROM stint_operation_data WHERE id > 262144", "1\n");
}

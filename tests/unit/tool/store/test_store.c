#include "store/store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctf_writer/instance_text.h"
#include "model/event.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/nvtx_fixture.h"
#include "stint/nvtx_stats.h"
#include "stint/report.h"
#include "stint_test.h"
#include "store/scratch.h"
#include "store/store_writer.h"

/* ---------------------------------------------------------------------------------------------------------- helpers */

static void write_store(const struct stint_snapshot *snapshot)
{
    char reason[256];
    struct stint_snapshot_events events;
    stint_snapshot_events_begin(&events, snapshot);
    if (stint_store_write(scratch_path, snapshot, &events.source, NULL, reason, sizeof reason))
        fail_msg("%s", reason);
}

static struct stint_store *open_store(const char *path)
{
    char reason[256];
    struct stint_store *store = stint_store_open(path, reason, sizeof reason);
    if (!store)
        fail_msg("%s", reason);
    return store;
}

static void assert_refused(const char *expected)
{
    char reason[256];
    assert_null(stint_store_open(scratch_path, reason, sizeof reason));
    if (!strstr(reason, expected))
        fail_msg("'%s' has no '%s'", reason, expected);
}

static struct capture report_of(const struct stint_snapshot *snapshot)
{
    struct capture out = {0};
    assert_int_equal(stint_report_write(snapshot, STINT_FORMAT_JSON, NULL, capture_write, &out), STINT_OK);
    return out;
}

/* Runs statements on the file, as anybody could; rows go to `out`, which may be NULL. */
static int put_row(void *context, int count, char **values, char **names)
{
    struct capture *out = context;
    for (int i = 0; i < count && out; i++) {
        const char *value = values[i] ? values[i] : "-";
        (void)capture_write(out, value, strlen(value));
        (void)capture_write(out, i + 1 < count ? "|" : "\n", 1);
    }
    return 0;
}

static void run(const char *statements, struct capture *out)
{
    sqlite3 *database;
    char *message = NULL;
    assert_int_equal(sqlite3_open(scratch_path, &database), SQLITE_OK);
    if (sqlite3_exec(database, statements, put_row, out, &message))
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

static void assert_rows(const char *query, const char *expected)
{
    struct capture out = {0};
    run(query, &out);
    assert_string_equal(out.text ? out.text : "", expected);
    capture_free(&out);
}

/* ------------------------------------------------------------------------------------------------------- round trip */

static void check_report(const struct stint_snapshot *snapshot)
{
    struct capture written = report_of(snapshot), read;
    struct stint_store *store;
    write_store(snapshot);
    store = open_store(scratch_path);
    read = report_of(stint_store_snapshot(store));
    assert_string_equal(written.text, read.text);
    stint_store_close(store);
    capture_free(&written);
    capture_free(&read);
}

static void every_report_from_a_store_is_that_of_the_program(void **state)
{
    struct stint_snapshot *values = fixture_nvtx_values();
    check_report(fixture_gpu());
    check_report(fixture_gpu_extreme());
    check_report(fixture_gpu_spans());
    check_report(fixture_gpu_calls());
    check_report(fixture_gpu_nvtx());
    check_report(fixture_gpu_streams());
    check_report(values);
    stint_snapshot_free(values);
}

/* All of an event, as a line. */
static void put_event(char *out, size_t size, const struct stint_event *event)
{
    const struct stint_gpu_event *gpu = event->gpu;
    int used = snprintf(out, size, "%d %llu-%llu %lld/%lld %zd '%s' '%s'", (int)event->kind,
                        (unsigned long long)event->start_ns, (unsigned long long)event->end_ns, (long long)event->pid,
                        (long long)event->tid, (ssize_t)event->context, event->set, event->name);
    if (gpu && gpu->api)
        (void)snprintf(out + used, size - (size_t)used, " api %llu", (unsigned long long)gpu->correlation);
    else if (gpu)
        (void)snprintf(out + used, size - (size_t)used,
                       " %d %llu %zd %u.%u.%u %ux%ux%u %ux%ux%u %u %u+%u %u.%llu %llu@%llx %d>%d %d:%u.%u",
                       (int)gpu->kind, (unsigned long long)gpu->correlation, (ssize_t)gpu->instance, gpu->device,
                       gpu->device_context, gpu->stream, gpu->grid[0], gpu->grid[1], gpu->grid[2], gpu->block[0],
                       gpu->block[1], gpu->block[2], gpu->registers, gpu->static_shared, gpu->dynamic_shared,
                       gpu->graph, (unsigned long long)gpu->graph_node, (unsigned long long)gpu->bytes,
                       (unsigned long long)gpu->address, (int)gpu->source, (int)gpu->destination, gpu->peer,
                       gpu->peer_device, gpu->peer_context);
}

enum { MOST_LINES = 4096, LINE = 1024 };

static int compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Reads all events as lines, sorted: of those that start together a snapshot has its own order. */
static size_t read_lines(struct stint_event_source *source, char (*lines)[LINE])
{
    struct stint_event event;
    uint64_t last_ns = 0;
    size_t count = 0;
    int more;
    assert_int_equal(source->begin(source), 0);
    while ((more = source->next(source, &event)) > 0 && count < MOST_LINES) {
        assert_true(event.start_ns >= last_ns);
        last_ns = event.start_ns;
        put_event(lines[count++], LINE, &event);
    }
    assert_int_equal(more, 0);
    qsort(lines, count, LINE, compare_lines);
    return count;
}

/* Compares with the events that were written. */
static void check_written(const struct stint_snapshot *snapshot)
{
    char(*expected)[LINE] = calloc(MOST_LINES, LINE), (*read)[LINE] = calloc(MOST_LINES, LINE);
    struct stint_snapshot_events events;
    struct stint_store *store;
    assert_true(expected && read);
    stint_snapshot_events_begin(&events, snapshot);
    store = open_store(scratch_path);
    size_t count = read_lines(&events.source, expected);
    assert_int_equal(read_lines(stint_store_events(store), read), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(read[i], expected[i]);
    assert_int_equal(read_lines(stint_store_events(store), read), count); /* once more, from the beginning */
    stint_store_close(store);
    free(expected);
    free(read);
}

static void check_events(const struct stint_snapshot *snapshot)
{
    write_store(snapshot);
    check_written(snapshot);
}

static void events_are_those_of_the_snapshot(void **state)
{
    assert_true(fixture_gpu()->gpu_event_count > 10);
    check_events(fixture_gpu());
    check_events(fixture_gpu_nvtx());
    check_events(fixture_gpu_streams());
    check_events(fixture_gpu_calls());
    check_events(fixture_gpu_spans());
}

/* They lack columns, or have generated ones in their place. */
static void stores_of_earlier_builds_are_read(void **state)
{
    write_store(fixture_gpu_calls());
    run("ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY RENAME COLUMN virtualAddress TO later;"
        "ALTER TABLE stint_device_events RENAME COLUMN virtualAddress TO later;"
        "ALTER TABLE NVTX_EVENTS RENAME COLUMN color TO later;"
        "ALTER TABLE NVTX_EVENTS ADD COLUMN color INTEGER AS (NULL)",
        NULL);
    check_written(fixture_gpu_calls());
}

static void a_store_has_these_tables_and_rows(void **state)
{
    static const char *const tables[] = {
        "ANALYSIS_DETAILS",
        "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL",
        "CUPTI_ACTIVITY_KIND_DRIVER",
        "CUPTI_ACTIVITY_KIND_KERNEL",
        "CUPTI_ACTIVITY_KIND_MEMCPY",
        "CUPTI_ACTIVITY_KIND_MEMSET",
        "CUPTI_ACTIVITY_KIND_RUNTIME",
        "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
        "ENUM_CUDA_MEMCPY_OPER",
        "ENUM_CUDA_MEM_KIND",
        "ENUM_CUPTI_SYNC_TYPE",
        "OSRT_API",
        "PROCESSES",
        "StringIds",
        "TARGET_INFO_CUDA_DEVICE",
        "TARGET_INFO_GPU",
        "TARGET_INFO_SESSION_START_TIME",
        "ThreadNames",
        "stint_contexts",
        "stint_device_events",
        "stint_dropped",
        "stint_gpu_activities",
        "stint_gpu_charges",
        "stint_gpu_memory",
        "stint_nvtx_values",
        "stint_scopes",
        "stint_statistics",
        "stint_threads",
    };
    struct capture out = {0};
    char query[256];
    write_store(fixture_gpu());
    for (size_t i = 0; i < TEST_COUNT(tables); i++) {
        (void)snprintf(query, sizeof query,
                       "SELECT '== %s'; SELECT group_concat(name, '|') FROM pragma_table_xinfo('%s');"
                       "SELECT * FROM %s LIMIT 8",
                       tables[i], tables[i], tables[i]);
        run(query, &out);
    }
    assert_golden(&out, "store_gpu.txt");
    capture_free(&out);
}

static void it_is_a_sound_database(void **state)
{
    write_store(fixture_gpu());
    assert_rows("PRAGMA integrity_check", "ok\n");
    assert_rows("PRAGMA foreign_key_check", "");
    assert_rows("PRAGMA journal_mode", "delete\n");
}

/* -------------------------------------------------------------------------------------------------------- streaming */

static const char s_report[] =
    "{\"format\":\"stint-report\",\"version\":1,\"process\":{\"pid\":4711,\"command\":\"./a\","
    "\"start_unix_ns\":5}}";

static struct stint_store_writer *open_writer(void)
{
    char reason[256];
    struct stint_store_writer *writer = stint_store_writer_open(scratch_path, 4711, reason, sizeof reason);
    if (!writer)
        fail_msg("%s", reason);
    return writer;
}

static void tell_context(struct stint_store_writer *writer, uint32_t path, uint32_t parent, const char *set,
                         const char *name)
{
    struct stint_event_context context = {path, parent, set, name, "a.c", 7};
    assert_int_equal(stint_store_writer_context(writer, &context), 0);
}

static void tell_scope(struct stint_store_writer *writer, size_t path, uint64_t start_ns, uint64_t end_ns)
{
    struct stint_event event = {.kind = STINT_EVENT_SCOPE,
                                .start_ns = start_ns,
                                .end_ns = end_ns,
                                .pid = 4711,
                                .tid = 4712,
                                .context = path,
                                .name = "",
                                .set = ""};
    assert_int_equal(stint_store_writer_event(writer, &event), 0);
}

static void finish(struct stint_store_writer *writer)
{
    char reason[256];
    assert_int_equal(stint_store_writer_finish(writer, s_report, sizeof s_report - 1, reason, sizeof reason), 0);
}

/* Enough for several runs of rows, which overlap in time, as if every thread's events came late. */
static void events_that_came_in_any_order_are_read_by_start(void **state)
{
    enum { EVENTS = 600000 };
    struct stint_store_writer *writer = open_writer();
    struct stint_event_source *source;
    struct stint_store *store;
    struct stint_event event, last = {0};
    uint64_t seed = 1, sum = 0;
    int more, count = 0;
    tell_context(writer, 2, 0, "GlobalStatInfo", "scope");
    for (uint64_t i = 0; i < EVENTS; i++) {
        uint64_t start = i * 4 + test_random(&seed) % 2000000, length = test_random(&seed) % 50;
        tell_scope(writer, 2, start, start + length);
        sum += start * 3 + length;
    }
    finish(writer);
    store = open_store(scratch_path);
    source = stint_store_events(store);
    assert_int_equal(source->begin(source), 0);
    for (; (more = source->next(source, &event)) > 0; count++) {
        assert_true(event.start_ns > last.start_ns ||
                    (event.start_ns == last.start_ns && (!count || event.end_ns <= last.end_ns)));
        sum -= event.start_ns * 3 + event.end_ns - event.start_ns;
        last = event;
    }
    assert_int_equal(more, 0);
    assert_int_equal(count, EVENTS);
    assert_true(sum == 0);
    stint_store_close(store);
}

static void tell_range(struct stint_store_writer *writer, enum stint_event_kind kind, uint64_t start_ns,
                       const char *set, const char *name)
{
    struct stint_event event = {.kind = kind,
                                .start_ns = start_ns,
                                .end_ns = kind == STINT_EVENT_MARK ? start_ns : start_ns + 10,
                                .pid = 4711,
                                .tid = 4711,
                                .name = name,
                                .set = set};
    assert_int_equal(stint_store_writer_event(writer, &event), 0);
}

static void ranges_and_marks_keep_their_kind_set_and_name(void **state)
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
    struct stint_store_writer *writer = open_writer();
    struct stint_event_source *source;
    struct stint_store *store;
    struct stint_event event;
    for (uint32_t i = 0; i < TEST_COUNT(expected); i++) {
        if (expected[i].kind == STINT_EVENT_SCOPE) {
            tell_context(writer, i + 1, 0, expected[i].set, expected[i].name);
            tell_scope(writer, i + 1, i * 100, i * 100 + 10);
        } else {
            tell_range(writer, expected[i].kind, i * 100, expected[i].set, expected[i].name);
        }
    }
    finish(writer);
    store = open_store(scratch_path);
    source = stint_store_events(store);
    assert_int_equal(source->begin(source), 0);
    for (size_t i = 0; i < TEST_COUNT(expected); i++) {
        assert_int_equal(source->next(source, &event), 1);
        assert_int_equal(event.kind, expected[i].kind);
        assert_string_equal(event.set, expected[i].set);
        assert_string_equal(event.name, expected[i].name);
        assert_int_equal(event.end_ns - event.start_ns, event.kind == STINT_EVENT_MARK ? 0 : 10);
    }
    assert_int_equal(source->next(source, &event), 0);
    stint_store_close(store);
    assert_rows(
        "SELECT eventType, coalesce(d.name, '') || ':' || value FROM NVTX_EVENTS JOIN StringIds s ON s.id = textId "
        "LEFT JOIN stint_domains d ON d.id = domainId WHERE eventType <> 75 ORDER BY start",
        "59|stint:timer\n59|stint:pserver/timer\n59|:step\n59|cuDF:join\n60|:a\n60|cuDF:b\n34|:here\n34|"
        "cuDF:there\n");
}

/* A category has the name that its domain gives it, in a row as in nsys's export. */
static void ranges_and_marks_keep_their_color_and_category(void **state)
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
    struct stint_store_writer *writer = open_writer();
    struct stint_event event;
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_int_equal(stint_store_writer_name(writer, &names[i]), 0);
    for (size_t i = 0; i < TEST_COUNT(events); i++)
        assert_int_equal(stint_store_writer_event(writer, &events[i]), 0);
    finish(writer);
    struct stint_store *store = open_store(scratch_path);
    struct stint_event_source *source = stint_store_events(store);
    assert_int_equal(source->begin(source), 0);
    for (size_t i = 0; i < TEST_COUNT(events); i++) {
        assert_int_equal(source->next(source, &event), 1);
        assert_string_equal(event.name, events[i].name);
        assert_int_equal(event.color, events[i].color);
        assert_int_equal(event.category, events[i].category);
    }
    assert_int_equal(source->next(source, &event), 0);
    stint_store_close(store);
    assert_rows("SELECT s.value, e.color, e.category, n.value FROM NVTX_EVENTS e JOIN StringIds s ON s.id = e.textId "
                "LEFT JOIN NVTX_EVENTS c ON c.eventType = 33 AND c.category = e.category AND c.domainId = e.domainId "
                "LEFT JOIN StringIds n ON n.id = c.textId WHERE e.eventType IN (34, 60) ORDER BY e.start",
                "plain|-|-|-\nred|4294901760|-|-\nio|-|7|disk\nboth|1|4294967295|net\n");
    assert_rows("SELECT count(*), max(end), min(globalTid >> 24) FROM NVTX_EVENTS WHERE eventType = 33", "2|-|4711\n");
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
static void points_of_curves_are_kept_with_their_numbers(void **state)
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
        {STINT_EVENT_VALUE, 100, 100, .pid = 4711, .tid = 4712, .set = STINT_NVTX_COUNTER_SET, .name = "loss",
         .field = "", .value = -0.1},
        {STINT_EVENT_MARK, 200, 200, .pid = 4711, .tid = 4711, .set = STINT_NVTX_MARK_SET, .name = "mark"},
        {STINT_EVENT_VALUE, 300, 300, .pid = 4711, .set = STINT_SYSTEM_SET, .name = "GPU 0", .field = "power (W)",
         .value = 1e300},
        {STINT_EVENT_MEMORY, 400, 400, .pid = 4711, .tid = 4711, .set = "", .name = "", .memory = &allocated},
        {STINT_EVENT_MEMORY, 500, 500, .pid = 4711, .tid = 4711, .set = "", .name = "", .memory = &freed},
    };
    struct stint_store_writer *writer = open_writer();
    struct stint_event event;

    for (size_t i = 0; i < TEST_COUNT(events); i++)
        assert_int_equal(stint_store_writer_event(writer, &events[i]), 0);
    finish(writer);
    struct stint_store *store = open_store(scratch_path);
    struct stint_event_source *source = stint_store_events(store);
    assert_int_equal(source->begin(source), 0);
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
    stint_store_close(store);
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

static void texts_that_carry_data_are_kept_whole_beside_their_name(void **state)
{
    struct stint_store_writer *writer = open_writer();
    struct stint_event_source *source;
    struct stint_store *store;
    char text[64], *long_text = calloc(4000, 1);
    memset(long_text, 'x', 3999);
    memcpy(long_text, "Thunk#id=", 9);
    long_text[3998] = '#';
    tell_context(writer, 2, 0, "NVTX:TSL", "Thunk");
    for (unsigned i = 0; i < 10000; i++) { /* more than are remembered */
        snprintf(text, sizeof text, "Thunk:#id=%u#", i);
        tell_text(writer, 2, 2 * i, "Thunk", text);
        tell_text(writer, 2, 2 * i + 1, "Thunk", "Thunk:#id=same#");
    }
    tell_text(writer, 2, 20000, "Thunk", long_text);
    tell_text(writer, 2, 20000, "Thunk", long_text);
    tell_text(writer, 0, 20001, "XlaModule jit_f", "XlaModule:#hlo_module=jit_f#");
    tell_text(writer, 2, 20002, "Thunk", NULL);
    finish(writer);
    store = open_store(scratch_path);
    source = stint_store_events(store);
    assert_int_equal(source->begin(source), 0);
    for (unsigned i = 0; i < 10000; i++) {
        snprintf(text, sizeof text, "Thunk:#id=%u#", i);
        check_text(source, "Thunk", text);
        check_text(source, "Thunk", "Thunk:#id=same#");
    }
    check_text(source, "Thunk", long_text);
    check_text(source, "Thunk", long_text);
    check_text(source, "XlaModule jit_f", "XlaModule:#hlo_module=jit_f#");
    check_text(source, "Thunk", NULL);
    stint_store_close(store);
    free(long_text);
    assert_rows("SELECT count(*) < 10100 FROM StringIds", "1\n"); /* that the same text is remembered is no promise */
    assert_rows("SELECT count(*) FROM StringIds WHERE length(value) > 3000", "1\n");
    assert_rows("SELECT count(*) FROM StringIds s LEFT JOIN StringTable t ON t._id_ = s.id AND t.value = s.value "
                "WHERE t.value IS NULL",
                "0\n");
    assert_rows("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MARKER m JOIN StringTable t ON t._id_ = m.name "
                "WHERE t.value = 'Thunk:#id=9999#'",
                "1\n");
}

/* What follows the numbers is in the file once. Texts like those of old versions of PyTorch stay as they are, for other
 * programs that read them. */
static void texts_of_operations_are_taken_apart(void **state)
{
    struct stint_store_writer *writer = open_writer();
    struct stint_event_source *source;
    struct stint_store *store;
    char text[128];
    tell_context(writer, 2, 0, "NVTX:TSL", "mm");
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "mm, seq = %u, op_id = %u, sizes = [[%u, 4]], input_op_ids = [(%u,0)]", i,
                 2 * i + 9, i % 3, 2 * i + 7);
        tell_text(writer, 2, i, "mm", text);
    }
    tell_text(writer, 2, 1000, "mm", "mm, op_id = 5");
    tell_text(writer, 0, 1001, "aten::mul", "aten::mul, seq = 54");
    tell_text(writer, 0, 1002, "aten::mul", "aten::mul, seq = 54, sizes = [[2]]");
    finish(writer);
    store = open_store(scratch_path);
    source = stint_store_events(store);
    assert_int_equal(source->begin(source), 0);
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "mm, seq = %u, op_id = %u, sizes = [[%u, 4]], input_op_ids = [(%u,0)]", i,
                 2 * i + 9, i % 3, 2 * i + 7);
        check_text(source, "mm", text);
    }
    check_text(source, "mm", "mm, op_id = 5");
    check_text(source, "aten::mul", "aten::mul, seq = 54");
    check_text(source, "aten::mul", "aten::mul, seq = 54, sizes = [[2]]");
    stint_store_close(store);
    assert_rows("SELECT id, data FROM stint_operation_data",
                "1|, sizes = [[0, 4]], input_op_ids = [(+2,0)]\n2|, sizes = [[1, 4]], input_op_ids = [(+2,0)]\n"
                "3|, sizes = [[2, 4]], input_op_ids = [(+2,0)]\n4|, sizes = [[2]]\n");
    assert_rows("SELECT start, name, seq, op_id, sizes, data FROM stint_operations WHERE start IN (4, 1000, 1002)",
                "4|mm|4|17|[[1, 4]]|, sizes = [[1, 4]], input_op_ids = [(+2,0)]\n1000|mm|-|5|-|\n"
                "1002|aten::mul|54|-|[[2]]|, sizes = [[2]]\n");
    assert_rows("SELECT value FROM StringIds WHERE id >= 2147483648", "aten::mul, seq = 54\n");
    assert_rows("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MARKER m JOIN StringTable t ON t._id_ = m.name "
                "WHERE t.value = 'mm'",
                "1001\n");
}

static const char *long_operation(char *text, size_t size, unsigned i)
{
    (void)snprintf(text, size, "mm, op_id = 5, sizes = [[%u, %0*u]]", i, (int)size - 40, 7U);
    return text;
}

static void data_of_operations_beyond_a_limit_is_not_remembered(void **state)
{
    enum { SIZE = 32000, MANY = STINT_INSTANCE_MOST_BYTES / SIZE + 40 };
    static char text[SIZE];
    struct stint_store_writer *writer = open_writer();
    tell_context(writer, 2, 0, "NVTX:TSL", "mm");
    for (unsigned i = 0; i < MANY; i++)
        tell_text(writer, 2, i, "mm", long_operation(text, sizeof text, i));
    tell_text(writer, 2, MANY, "mm", "mm, op_id = 5, sizes = [[7]]");
    finish(writer);
    struct stint_store *store = open_store(scratch_path);
    struct stint_event_source *source = stint_store_events(store);
    assert_int_equal(source->begin(source), 0);
    for (unsigned i = 0; i < MANY; i++)
        check_text(source, "mm", long_operation(text, sizeof text, i));
    check_text(source, "mm", "mm, op_id = 5, sizes = [[7]]");
    stint_store_close(store);
    assert_rows("SELECT count(*) > 30 FROM stint_operation_data WHERE id > 262144", "1\n");
}

static void a_mark_has_no_end(void **state)
{
    struct stint_store_writer *writer = open_writer();
    tell_range(writer, STINT_EVENT_MARK, 1200, "NVTX marks", "here");
    finish(writer);
    assert_rows("SELECT start, end FROM NVTX_EVENTS", "1200|-\n");
}

static void tell_call(struct stint_store_writer *writer, uint64_t start_ns, const char *name)
{
    struct stint_gpu_event gpu = {.api = 1, .name = name, .start_ns = start_ns, .end_ns = start_ns + 10, .tid = 4711};
    struct stint_event event = {.kind = STINT_EVENT_CALL,
                                .start_ns = gpu.start_ns,
                                .end_ns = gpu.end_ns,
                                .pid = 4711,
                                .tid = 4711,
                                .name = name,
                                .set = STINT_API_SET,
                                .gpu = &gpu};
    assert_int_equal(stint_store_writer_event(writer, &event), 0);
}

static void calls_of_the_driver_have_the_class_1(void **state)
{
    struct stint_store_writer *writer = open_writer();
    tell_call(writer, 100, "cudaLaunchKernel");
    tell_call(writer, 200, "cuLaunchKernel");
    tell_call(writer, 300, "__cudaLaunchKernel");
    finish(writer);
    assert_rows("SELECT start, eventClass FROM CUPTI_ACTIVITY_KIND_RUNTIME", "100|0\n200|1\n300|0\n");
}

static void calls_of_the_c_library_have_a_table_of_their_own(void **state)
{
    struct stint_store_writer *writer = open_writer();
    struct stint_event event = {.kind = STINT_EVENT_SCOPE,
                                .start_ns = 100,
                                .end_ns = 1300,
                                .pid = 4711,
                                .tid = 4712,
                                .context = 2,
                                .name = "read",
                                .set = STINT_OS_SET};
    char reason[256];
    struct stint_event read = {0};
    tell_context(writer, 1, 0, "GlobalStatInfo", "step");
    tell_context(writer, 2, 1, STINT_OS_SET, "read");
    tell_scope(writer, 1, 50, 2000);
    assert_int_equal(stint_store_writer_event(writer, &event), 0);
    finish(writer);
    assert_rows("SELECT start, end, eventClass, globalTid & 0xffffff, value, returnValue FROM OSRT_API "
                "JOIN StringIds s ON s.id = nameId",
                "100|1300|27|4712|read|0\n");
    assert_rows("SELECT start FROM NVTX_EVENTS WHERE eventType = 59", "50\n");
    struct stint_store *store = stint_store_open(scratch_path, reason, sizeof reason);
    assert_non_null(store);
    struct stint_event_source *source = stint_store_events(store);
    assert_int_equal(source->begin(source), 0);
    assert_int_equal(source->next(source, &read), 1);
    assert_string_equal(read.name, "step");
    assert_int_equal(source->next(source, &read), 1);
    assert_int_equal(read.kind, STINT_EVENT_SCOPE);
    assert_string_equal(read.name, "read");
    assert_string_equal(read.set, STINT_OS_SET);
    assert_int_equal(read.end_ns, 1300);
    assert_int_equal(source->next(source, &read), 0);
    stint_store_close(store);
}

static void contexts_are_those_of_the_report(void **state)
{
    char reason[256];
    const struct stint_snapshot *training = fixture_training();
    struct capture report = report_of(training);
    struct stint_store_writer *writer = open_writer();
    struct stint_store *store;
    struct stint_event event;
    for (size_t i = 0; i < training->context_count; i++) {
        const struct stint_context *context = &training->contexts[i];
        const struct stint_stat *stat = &training->stats[context->stat];
        uint32_t parent = context->parent == STINT_NO_PARENT ? 0 : 100 + (uint32_t)context->parent;
        tell_context(writer, 100 + (uint32_t)i, parent, stat->set, stat->name);
        tell_scope(writer, 100 + i, i, i);
    }
    tell_context(writer, 99, 0, "GlobalStatInfo", "not in the report");
    tell_scope(writer, 99, training->context_count, training->context_count);
    assert_int_equal(stint_store_writer_finish(writer, report.text, report.length, reason, sizeof reason), 0);
    store = open_store(scratch_path);
    struct stint_event_source *source = stint_store_events(store);
    assert_int_equal(source->begin(source), 0);
    for (size_t i = 0; i < training->context_count; i++) {
        assert_int_equal(source->next(source, &event), 1);
        assert_int_equal(event.context, i);
    }
    assert_int_equal(source->next(source, &event), 1);
    assert_true(event.context == STINT_GPU_UNATTRIBUTED);
    assert_string_equal(event.name, "not in the report");
    stint_store_close(store);
    capture_free(&report);
}

/* nvprof's: two rows for a range, an object's bytes for its thread. */
static void a_range_is_two_markers(void **state)
{
    struct stint_store_writer *writer = open_writer();
    tell_context(writer, 2, 0, "NVTX", "step");
    tell_scope(writer, 2, 1000, 1500);
    tell_range(writer, STINT_EVENT_MARK, 1200, "NVTX marks", "here");
    finish(writer);
    assert_rows("SELECT flags, timestamp, hex(objectId), value FROM CUPTI_ACTIVITY_KIND_MARKER LEFT JOIN StringTable s "
                "ON s._id_ = name ORDER BY timestamp",
                "2|1000|671200006812000000000000|step\n1|1200|671200006712000000000000|here\n"
                "4|1500|671200006812000000000000|-\n");
    assert_rows("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MARKER a JOIN CUPTI_ACTIVITY_KIND_MARKER b ON a.id = b.id "
                "AND a.flags = 2 AND b.flags = 4",
                "1\n");
}

/* --------------------------------------------------------------------------------------------------------- failures */

static void a_file_that_cannot_be_made_is_told(void **state)
{
    char reason[256] = "";
    assert_null(stint_store_writer_open("nowhere/a.sqlite", 4711, reason, sizeof reason));
    assert_non_null(strstr(reason, "No such file"));
}

static void a_recording_that_cannot_be_read_leaves_the_old_file(void **state)
{
    char reason[256];
    struct stint_store *store;
    write_store(fixture_gpu());
    assert_int_equal(rename(scratch_path, "b.sqlite"), 0);
    write_store(fixture_gpu_calls());
    assert_int_equal(rename(scratch_path, "c.sqlite"), 0);
    assert_int_equal(rename("b.sqlite", scratch_path), 0);
    run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 5, end = 1", NULL);
    store = open_store(scratch_path);
    assert_int_equal(stint_store_write("c.sqlite", stint_store_snapshot(store), stint_store_events(store), NULL, reason,
                                       sizeof reason),
                     -1);
    assert_non_null(strstr(reason, "out of order"));
    stint_store_close(store);
    assert_int_equal(rename("c.sqlite", scratch_path), 0);
    assert_rows("SELECT count(*) > 0 FROM CUPTI_ACTIVITY_KIND_RUNTIME", "1\n");
    assert_int_equal(system("! ls c.sqlite.* >ls.txt 2>&1"), 0);
}

static void a_store_of_another_version_is_refused(void **state)
{
    write_store(fixture_gpu());
    run("PRAGMA user_version = 2", NULL);
    assert_refused("version 2");
}

static void a_store_without_its_report_is_refused(void **state)
{
    write_store(fixture_gpu());
    run("DELETE FROM stint_report", NULL);
    assert_refused("no report");
    write_store(fixture_gpu());
    run("UPDATE stint_report SET json = '{'", NULL);
    assert_refused("report cannot be read");
}

static void another_database_is_none_of_stints(void **state)
{
    (void)unlink(scratch_path);
    run("CREATE TABLE t(a)", NULL);
    assert_false(stint_store_is(scratch_path));
    assert_false(stint_store_is("nowhere.sqlite"));
    write_store(fixture_gpu());
    assert_true(stint_store_is(scratch_path));
}

/* Reads all of a file that nobody wrote, to an end or a failure. */
static void survive(const char *statements)
{
    char reason[256];
    struct stint_event event;
    write_store(fixture_gpu());
    run(statements, NULL);
    struct stint_store *store = stint_store_open(scratch_path, reason, sizeof reason);
    if (!store)
        return;
    struct stint_event_source *source = stint_store_events(store);
    int more = source->begin(source) ? -1 : 1;
    while (more > 0)
        more = source->next(source, &event);
    if (more < 0)
        assert_true(source->reason[0]);
    stint_store_close(store);
}

static void nonsense_in_the_tables_does_no_harm(void **state)
{
    survive("UPDATE stint_runs SET kind = 99");
    survive("UPDATE stint_runs SET kind = -1");
    survive("UPDATE stint_runs SET kind = 'x', first = 'y', last = NULL WHERE 0; UPDATE stint_runs SET last = 1 << 62");
    survive("UPDATE stint_runs SET start = -5");
    survive("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = -5, end = 'x'");
    survive("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 99999, context = -7, deviceId = 1 << 40");
    survive("UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET srcKind = -1, dstKind = 99, nameId = -1");
    survive("UPDATE stint_device_events SET kind = 99");
    survive("UPDATE stint_contexts SET parent = path");
    survive("DELETE FROM StringIds");
    survive("DROP TABLE StringIds");
    survive("DROP TABLE stint_runs; CREATE VIEW stint_runs AS SELECT 1 AS kind, 1 AS first, 1 AS last, 0 AS start");
    survive("INSERT INTO stint_runs SELECT kind, first, last, start FROM stint_runs");
    survive("DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET");
}

/* What libFuzzer begins with, tests/fuzz/store/own.sql, is made by hand: it has to have events in all tables still. */
static void seed_of_fuzzing_is_a_store_with_all_events(void **state)
{
    static char statements[1 << 17];
    struct stint_event event;
    size_t kinds[STINT_EVENT_SAMPLE + 1] = {0};
    int more;
    FILE *file = fopen(STINT_FUZZ_SEED, "r");
    assert_non_null(file);
    size_t length = fread(statements, 1, sizeof statements - 1, file);
    (void)fclose(file);
    assert_true(length && length < sizeof statements - 1);
    (void)unlink(scratch_path);
    run(statements, NULL);
    struct stint_store *store = open_store(scratch_path);
    struct stint_event_source *source = stint_store_events(store);
    assert_int_equal(source->begin(source), 0);
    while ((more = source->next(source, &event)) == 1)
        kinds[event.kind]++;
    if (more)
        fail_msg("%s", source->reason);
    assert_true(kinds[STINT_EVENT_SCOPE] && kinds[STINT_EVENT_RANGE] && kinds[STINT_EVENT_MARK] &&
                kinds[STINT_EVENT_CALL] && kinds[STINT_EVENT_SAMPLE]);
    assert_true(kinds[STINT_EVENT_DEVICE] >= 19); /* kernels 3, copies 3, a set, waits 2, others 10 */
    stint_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_of_fuzzing_is_a_store_with_all_events),
        cmocka_unit_test(every_report_from_a_store_is_that_of_the_program),
        cmocka_unit_test(events_are_those_of_the_snapshot),
        cmocka_unit_test(stores_of_earlier_builds_are_read),
        cmocka_unit_test(a_store_has_these_tables_and_rows),
        cmocka_unit_test(it_is_a_sound_database),
        cmocka_unit_test(events_that_came_in_any_order_are_read_by_start),
        cmocka_unit_test(ranges_and_marks_keep_their_kind_set_and_name),
        cmocka_unit_test(points_of_curves_are_kept_with_their_numbers),
        cmocka_unit_test(texts_that_carry_data_are_kept_whole_beside_their_name),
        cmocka_unit_test(ranges_and_marks_keep_their_color_and_category),
        cmocka_unit_test(texts_of_operations_are_taken_apart),
        cmocka_unit_test(data_of_operations_beyond_a_limit_is_not_remembered),
        cmocka_unit_test(a_mark_has_no_end),
        cmocka_unit_test(calls_of_the_driver_have_the_class_1),
        cmocka_unit_test(calls_of_the_c_library_have_a_table_of_their_own),
        cmocka_unit_test(contexts_are_those_of_the_report),
        cmocka_unit_test(a_range_is_two_markers),
        cmocka_unit_test(a_file_that_cannot_be_made_is_told),
        cmocka_unit_test(a_recording_that_cannot_be_read_leaves_the_old_file),
        cmocka_unit_test(a_store_of_another_version_is_refused),
        cmocka_unit_test(a_store_without_its_report_is_refused),
        cmocka_unit_test(another_database_is_none_of_stints),
        cmocka_unit_test(nonsense_in_the_tables_does_no_harm),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}

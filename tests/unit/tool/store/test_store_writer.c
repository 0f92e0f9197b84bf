#include "store/store.h"

#include <stdio.h>
#include <string.h>

#include "model/event.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "stint_test.h"
#include "store/scratch.h"
#include "store/store_fixture.h"

TEST_ONCE(scratch_make, scratch_remove)

/* Enough for several runs of rows, which overlap in time, as if every thread's events came late. */
TEST(events_that_came_in_any_order_are_read_by_start)
{
    enum { EVENTS = 600000 };
    struct stint_store_writer *writer = fixture_open_writer();
    struct stint_event event, last = {0};
    uint64_t seed = 1, sum = 0;
    int more, count = 0;
    fixture_tell_context(writer, 2, 0, "GlobalStatInfo", "scope");
    for (uint64_t i = 0; i < EVENTS; i++) {
        uint64_t start = i * 4 + test_random(&seed) % 2000000, length = test_random(&seed) % 50;
        fixture_tell_scope(writer, 2, start, start + length);
        sum += start * 3 + length;
    }
    fixture_finish(writer);
    struct stint_event_source *source = fixture_read_events();
    for (; (more = source->next(source, &event)) > 0; count++) {
        assert_true(event.start_ns > last.start_ns ||
                    (event.start_ns == last.start_ns && (!count || event.end_ns <= last.end_ns)));
        sum -= event.start_ns * 3 + event.end_ns - event.start_ns;
        last = event;
    }
    assert_int_equal(more, 0);
    assert_int_equal(count, EVENTS);
    assert_true(sum == 0);
}

TEST(a_mark_has_no_end)
{
    struct stint_store_writer *writer = fixture_open_writer();
    fixture_tell_range(writer, STINT_EVENT_MARK, 1200, "NVTX marks", "here");
    fixture_finish(writer);
    fixture_assert_rows("SELECT start, end FROM NVTX_EVENTS", "1200|-\n");
}

TEST(there_may_be_any_number_of_domains)
{
    struct stint_store_writer *writer = fixture_open_writer();
    for (int i = 0; i < 1500; i++) {
        char set[40];
        (void)snprintf(set, sizeof set, "NVTX marks:domain %d", i);
        fixture_tell_range(writer, STINT_EVENT_MARK, 1200, set, "here");
    }
    fixture_tell_range(writer, STINT_EVENT_MARK, 1300, "NVTX marks:domain 7", "again");
    fixture_finish(writer);
    fixture_assert_rows("SELECT count(*), max(id), (SELECT name FROM stint_domains WHERE id = 1500) FROM stint_domains",
                        "1500|1500|domain 1499\n");
    fixture_assert_rows("SELECT domainId FROM NVTX_EVENTS WHERE start = 1300", "8\n");
}

TEST(names_of_sets_and_ranges_are_whole)
{
    char set[4096], name[4096];
    memset(set, 's', sizeof set - 1);
    memset(name, 'n', sizeof name - 1);
    set[sizeof set - 1] = name[sizeof name - 1] = '\0';
    struct stint_store_writer *writer = fixture_open_writer();
    fixture_tell_context(writer, 2, 0, set, name);
    fixture_tell_scope(writer, 2, 100, 200);
    fixture_finish(writer);
    fixture_assert_rows("SELECT length(value) FROM NVTX_EVENTS JOIN StringIds ON id = textId WHERE eventType = 59",
                        "8191\n");
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

TEST(calls_of_the_driver_have_the_class_1)
{
    struct stint_store_writer *writer = fixture_open_writer();
    tell_call(writer, 100, "cudaLaunchKernel");
    tell_call(writer, 200, "cuLaunchKernel");
    tell_call(writer, 300, "__cudaLaunchKernel");
    fixture_finish(writer);
    fixture_assert_rows("SELECT start, eventClass FROM CUPTI_ACTIVITY_KIND_RUNTIME", "100|0\n200|1\n300|0\n");
}

TEST(calls_of_the_c_library_have_a_table_of_their_own)
{
    struct stint_store_writer *writer = fixture_open_writer();
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
    fixture_tell_context(writer, 1, 0, "GlobalStatInfo", "step");
    fixture_tell_context(writer, 2, 1, STINT_OS_SET, "read");
    fixture_tell_scope(writer, 1, 50, 2000);
    assert_int_equal(stint_store_writer_event(writer, &event), 0);
    fixture_finish(writer);
    fixture_assert_rows("SELECT start, end, eventClass, globalTid & 0xffffff, value, returnValue FROM OSRT_API "
                        "JOIN StringIds s ON s.id = nameId",
                        "100|1300|27|4712|read|0\n");
    fixture_assert_rows("SELECT start FROM NVTX_EVENTS WHERE eventType = 59", "50\n");
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

TEST(contexts_are_those_of_the_report)
{
    char reason[256];
    const struct stint_snapshot *training = fixture_training();
    struct capture report = fixture_report(training);
    struct stint_store_writer *writer = fixture_open_writer();
    struct stint_event event;
    for (size_t i = 0; i < training->context_count; i++) {
        const struct stint_context *context = &training->contexts[i];
        const struct stint_stat *stat = &training->stats[context->stat];
        uint32_t parent = context->parent == STINT_NO_PARENT ? 0 : 100 + (uint32_t)context->parent;
        fixture_tell_context(writer, 100 + (uint32_t)i, parent, stat->set, stat->name);
        fixture_tell_scope(writer, 100 + i, i, i);
    }
    fixture_tell_context(writer, 99, 0, "GlobalStatInfo", "not in the report");
    fixture_tell_scope(writer, 99, training->context_count, training->context_count);
    assert_int_equal(stint_store_writer_finish(writer, report.text, report.length, reason, sizeof reason), 0);
    struct stint_event_source *source = fixture_read_events();
    for (size_t i = 0; i < training->context_count; i++) {
        assert_int_equal(source->next(source, &event), 1);
        assert_int_equal(event.context, i);
    }
    assert_int_equal(source->next(source, &event), 1);
    assert_true(event.context == STINT_GPU_UNATTRIBUTED);
    assert_string_equal(event.name, "not in the report");
}

/* nvprof's: two rows for a range, an object's bytes for its thread. */
TEST(a_range_is_two_markers)
{
    struct stint_store_writer *writer = fixture_open_writer();
    fixture_tell_context(writer, 2, 0, "NVTX", "step");
    fixture_tell_scope(writer, 2, 1000, 1500);
    fixture_tell_range(writer, STINT_EVENT_MARK, 1200, "NVTX marks", "here");
    fixture_finish(writer);
    fixture_assert_rows(
        "SELECT flags, timestamp, hex(objectId), value FROM CUPTI_ACTIVITY_KIND_MARKER LEFT JOIN StringTable s "
        "ON s._id_ = name ORDER BY timestamp",
        "2|1000|671200006812000000000000|step\n1|1200|671200006712000000000000|here\n"
        "4|1500|671200006812000000000000|-\n");
    fixture_assert_rows(
        "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MARKER a JOIN CUPTI_ACTIVITY_KIND_MARKER b ON a.id = b.id "
        "AND a.flags = 2 AND b.flags = 4",
        "1\n");
}

TEST(a_file_that_cannot_be_made_is_told)
{
    char reason[256] = "";
    assert_null(stint_store_writer_open("nowhere/a.sqlite", 4711, reason, sizeof reason));
    assert_non_null(strstr(reason, "No such file"));
}

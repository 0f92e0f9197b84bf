/* The statements of a report, and the database that they run on. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "model/event.h"
#include "nsys/nsys_fixture.h"
#include "report/gpu_fixture.h"
#include "stint/nvtx_stats.h"
#include "stint_test.h"

TEST_ONCE(nsys_open_memory, nsys_close_memory)

TEST(scripts_have_names)
{
    assert_non_null(strstr(stint_nsys_script("views"), "CREATE TEMP VIEW report_kernels"));
    assert_null(stint_nsys_script("no_such_report"));
}

TEST(last_select_of_a_script_has_the_rows)
{
    sqlite3_stmt *select =
        stint_nsys_run_to_select(&nsys_memory, "SELECT 1; INSERT INTO t VALUES (7); SELECT x FROM t");
    assert_non_null(select);
    assert_int_equal(sqlite3_step(select), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(select, 0), 7);
    assert_int_equal(sqlite3_finalize(select), SQLITE_OK);
    assert_int_equal(nsys_memory.status, STINT_OK);
}

TEST(rows_are_kept_under_the_names_of_their_columns)
{
    sqlite3_stmt *select = stint_nsys_run_to_select(&nsys_memory, "SELECT 3 AS \"a \"\"b\"\":dur_ns\" UNION SELECT 4");
    stint_nsys_keep(&nsys_memory, select);
    assert_int_equal(
        (int)stint_nsys_number(&nsys_memory, sqlite3_mprintf("SELECT sum(\"a \"\"b\"\":dur_ns\") FROM report_result")),
        7);
    assert_int_equal(sqlite3_finalize(select), SQLITE_OK);
    assert_int_equal(nsys_memory.status, STINT_OK);
}

TEST(script_without_a_select_is_refused)
{
    assert_null(stint_nsys_run_to_select(&nsys_memory, "DELETE FROM t"));
    assert_int_equal(nsys_memory.status, STINT_ERROR_IO);
    assert_string_equal(nsys_memory.reason, "it has no SELECT");
}

TEST(mistake_in_a_script_has_sqlites_words_and_ends_it)
{
    nsys_memory.status = STINT_OK;
    assert_null(stint_nsys_run_to_select(&nsys_memory, "DELETE FROM missing; SELECT 1"));
    assert_string_equal(nsys_memory.reason, "no such table: missing");
    assert_null(stint_nsys_select(&nsys_memory, sqlite3_mprintf("SELECT 1")));
    assert_true(stint_nsys_number(&nsys_memory, sqlite3_mprintf("SELECT 1")) <= 0);
}

TEST(snapshot_without_a_recording_gets_all_tables)
{
    struct stint_nsys nsys = {.snapshot = fixture_gpu()};
    stint_nsys_open(&nsys);
    assert_int_equal(nsys.status, STINT_OK);
    assert_true(stint_nsys_number(&nsys, sqlite3_mprintf("SELECT count(*) FROM stint_statistics")) > 1);
    assert_true(stint_nsys_number(&nsys, sqlite3_mprintf("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL")) > 1);
    stint_nsys_close(&nsys);
    fixture_gpu_free();
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* A program of PyTorch. Thread 1 runs step [100, 900), in which backward [200, 800) waits for thread 2, which launches
 * two kernels: one within its own range, mul, and one within none. Thread 3 launches one that nobody waits for. */
enum { STEP, BACKWARD, ADOPTED, MUL };

static const struct stint_stat s_stats[] = {
    {.set = STINT_NVTX_SET, .name = "step", .file = "", .numbers = {.count = 1}},
    {.set = STINT_NVTX_SET, .name = "backward", .file = "", .numbers = {.count = 1}},
    {.set = "GlobalStatInfo", .name = STINT_ADOPTED, .file = ""},
    {.set = STINT_NVTX_SET, .name = "mul", .file = "", .numbers = {.count = 1}}};
static const struct stint_context s_contexts[] = {{.stat = STEP, .parent = STINT_NO_PARENT},
                                                  {.stat = BACKWARD, .parent = 0, .depth = 1},
                                                  {.stat = ADOPTED, .parent = 1, .depth = 2},
                                                  {.stat = MUL, .parent = 2, .depth = 3}};
static const char *const s_sets[] = {"GlobalStatInfo", STINT_NVTX_SET};
static const struct stint_gpu_activity s_activity = {
    .kind = STINT_GPU_KERNEL, .name = "k()", .mangled = "", .numbers = {.count = 3, .total_ns = 60}};
static const struct stint_snapshot s_snapshot = {
    .size = sizeof s_snapshot,
    .process = {.pid = 7, .command = "train", .host = "", .clock = ""},
    .sets = s_sets,
    .set_count = TEST_COUNT(s_sets),
    .stats = s_stats,
    .stat_count = TEST_COUNT(s_stats),
    .contexts = s_contexts,
    .context_count = TEST_COUNT(s_contexts),
    .gpu = {.collected = 1, .reason = ""},
    .gpu_activities = &s_activity,
    .gpu_activity_count = 1,
};

static const struct stint_gpu_event s_gpu[] = {
    {.api = 1, .correlation = 1},
    {.api = 1, .correlation = 2},
    {.api = 1, .correlation = 3},
    {.correlation = 1},
    {.correlation = 2, .bytes = 4, .grid = {1}},
    {.correlation = 3},
};

#define RANGE(context_, thread, from, to)                                                                              \
    {                                                                                                                  \
        .kind = STINT_EVENT_SCOPE, .start_ns = (from), .end_ns = (to), .pid = 7, .tid = (thread),                      \
        .context = (context_)                                                                                          \
    }
#define GPU(what, number, name_, context_, thread, from, to)                                                           \
    {                                                                                                                  \
        .kind = STINT_EVENT_##what, .start_ns = (from), .end_ns = (to), .pid = 7, .tid = (thread),                     \
        .context = (context_), .name = (name_), .set = "", .gpu = &s_gpu[number]                                       \
    }

static const struct stint_event s_events[] = {
    RANGE(STEP, 1, 100, 900),
    RANGE(BACKWARD, 1, 200, 800),
    RANGE(MUL, 2, 300, 400),
    GPU(CALL, 0, "cudaLaunchKernel", MUL, 2, 310, 320),
    GPU(DEVICE, 3, "k()", MUL, 0, 330, 340),
    GPU(CALL, 1, "cudaLaunchKernel", ADOPTED, 2, 500, 510),
    GPU(DEVICE, 4, "k()", ADOPTED, 0, 520, 540),
    GPU(CALL, 2, "cudaLaunchKernel", STINT_GPU_NO_SCOPE, 3, 600, 610),
    GPU(DEVICE, 5, "k()", STINT_GPU_NO_SCOPE, 0, 620, 650),
};

static size_t s_next, s_count;

static int begin(struct stint_event_source *source)
{
    s_next = 0;
    return 0;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    if (s_next == TEST_COUNT(s_events))
        return 0;
    if (s_next == s_count) {
        (void)snprintf(source->reason, sizeof source->reason, "the file is cut");
        return -1;
    }
    *event = s_events[s_next++];
    if (event->kind == STINT_EVENT_SCOPE) {
        event->name = s_stats[s_contexts[event->context].stat].name;
        event->set = s_stats[s_contexts[event->context].stat].set;
    }
    return 1;
}

static struct stint_event_source s_source = {.begin = begin, .next = next};

static int read_everything(void **state)
{
    s_count = TEST_COUNT(s_events);
    return 0;
}

static enum stint_status write_as(const char *name, struct capture *out)
{
    const struct stint_report_events events = {.source = &s_source, .snapshot = &s_snapshot};
    struct stint_report_form form;
    assert_int_equal(stint_report_form_read(&form, name, strlen(name)), 0);
    form.events = &events;
    return stint_report_form_write(&s_snapshot, &form, NULL, capture_write, out);
}

static void expect(const char *name, const char *rows)
{
    struct capture out = {0};
    assert_int_equal(write_as(name, &out), STINT_OK);
    assert_string_equal(strchr(out.text, '\n') + 1, rows);
}

TEST_SETUP(work_for_a_waiting_range_is_in_that_range, read_everything)
{
    expect("nvtx_kern_sum:csv", ":backward,PushPop,7,1,1,2,30,15.0,15.0,10,20,7.1,k()\n"
                                ":mul,PushPop,7,2,1,1,10,10.0,10.0,10,10,0.0,k()\n"
                                ":step,PushPop,7,1,1,2,30,15.0,15.0,10,20,7.1,k()\n");
    expect("nvtx_gpu_proj_trace:csv", ":step,330,210,100,800,PushPop,7,1,2,0,1,1,,:1\n"
                                      ":backward,330,210,200,600,PushPop,7,1,2,1,0,2,1,:1:2\n"
                                      ":mul,330,10,300,100,PushPop,7,2,1,0,0,3,,:3\n");
}

TEST_SETUP(events_that_cannot_be_read_are_an_error, read_everything)
{
    static const char *const names[] = {"nvtx_pushpop_trace", "nvtx_gpu_proj_trace", "nvtx_gpu_proj_sum",
                                        "nvtx_kern_sum:csv"};
    s_count = 3;
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        struct capture out = {0};
        assert_int_equal(write_as(names[i], &out), STINT_ERROR_IO);
        assert_int_equal(out.length, 0);
    }
    assert_string_equal(s_source.reason, "the file is cut");
}

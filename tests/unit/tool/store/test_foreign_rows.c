#include "store/foreign_dialect.h"

#include <stdio.h>

#include "foreign_fixture.h"
#include "report/golden.h"
#include "stint_test.h"

/* Writes start, end and name of all events. */
static void write_events(struct capture *out, const char *file, const char *statements)
{
    struct stint_event event;
    foreign_open(file, statements);
    struct stint_event_source *source = stint_foreign_events(foreign_opened);
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) == 1) {
        char line[256];
        int length = snprintf(line, sizeof line, "%llu %llu %.200s\n", (unsigned long long)event.start_ns,
                              (unsigned long long)event.end_ns, event.name);
        assert_int_equal(capture_write(out, line, (size_t)length), 0);
    }
    (void)foreign_close(NULL);
}

#define IN_ORDER(table, order)                                                                                         \
    "CREATE TEMP TABLE rows AS SELECT * FROM " table " ORDER BY " order "; DELETE FROM " table ";"                     \
    "INSERT INTO " table " SELECT * FROM rows; DROP TABLE rows;"

/* What is in order is not sorted, also if an index has it in another one. */
static void rows_of_any_order_are_read_by_start(void **state)
{
    static const char *const orders[][3] = {
        {"nsys.sql",
         IN_ORDER("NVTX_EVENTS", "start, end DESC") IN_ORDER("CUPTI_ACTIVITY_KIND_RUNTIME", "start, end DESC"),
         IN_ORDER("NVTX_EVENTS", "start DESC") IN_ORDER("CUPTI_ACTIVITY_KIND_RUNTIME", "end DESC")},
        {"nsys.sql", IN_ORDER("NVTX_EVENTS", "start, end DESC"),
         IN_ORDER("NVTX_EVENTS", "start, end DESC") "CREATE INDEX i ON NVTX_EVENTS (start DESC, end)"},
        {"nvprof.sql", IN_ORDER("CUPTI_ACTIVITY_KIND_MARKER", "timestamp"),
         IN_ORDER("CUPTI_ACTIVITY_KIND_MARKER", "timestamp DESC")},
    };
    for (size_t i = 0; i < TEST_COUNT(orders); i++) {
        struct capture a = {0}, b = {0};
        write_events(&a, orders[i][0], orders[i][1]);
        write_events(&b, orders[i][0], orders[i][2]);
        assert_true(a.length > 300);
        assert_string_equal(a.text, b.text);
        capture_free(&a);
        capture_free(&b);
    }
}

static void of_ranges_that_begin_together_the_longer_one_is_outside(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES "
                                 "(100, 200, 59, 'inner', 7, 0), (100, 300, 59, 'outer', 7, 0)");
    assert_int_equal(foreign_stat(snapshot, "NVTX", "outer")->numbers.self_ns, 100);
}

static void tables_and_columns_may_be_missing(void **state)
{
    const struct stint_snapshot *snapshot = foreign_open(
        NULL, "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (1, 'k');"
              "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName);"
              "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 30, 1)");
    assert_int_equal(snapshot->gpu_activity_count, 1);
    assert_string_equal(snapshot->gpu_activities[0].name, "k");
    assert_int_equal(snapshot->gpu_activities[0].numbers.total_ns, 20);
}

static void texts_in_place_of_times_are_counted(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'soon' WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_unknown, 1);
    assert_int_equal(foreign_charge(snapshot, "void gemm", "train/step/forward")->count, 1);
}

static void views_are_no_tables(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
                                 "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS SELECT * FROM CUPTI_ACTIVITY_KIND_MEMCPY");
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        assert_int_not_equal(snapshot->gpu_activities[i].kind, STINT_GPU_COPY);
}

static void events_can_be_read_again(void **state)
{
    foreign_open("nvprof.sql", NULL);
    struct stint_event_source *source = stint_foreign_events(foreign_opened);
    struct stint_event event;
    int counts[2] = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(source->begin(source), 0);
        while (source->next(source, &event) == 1)
            counts[i] += 1 + (event.context < stint_foreign_snapshot(foreign_opened)->context_count);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_true(counts[0] > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_any_order_are_read_by_start),
        cmocka_unit_test_teardown(of_ranges_that_begin_together_the_longer_one_is_outside, foreign_close),
        cmocka_unit_test_teardown(tables_and_columns_may_be_missing, foreign_close),
        cmocka_unit_test_teardown(texts_in_place_of_times_are_counted, foreign_close),
        cmocka_unit_test_teardown(views_are_no_tables, foreign_close),
        cmocka_unit_test_teardown(events_can_be_read_again, foreign_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

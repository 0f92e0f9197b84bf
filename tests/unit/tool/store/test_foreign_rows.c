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
TEST(rows_of_any_order_are_read_by_start)
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
    }
}

TEST_TEARDOWN(of_ranges_that_begin_together_the_longer_one_is_outside, foreign_close)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES "
                                 "(100, 200, 59, 'inner', 7, 0), (100, 300, 59, 'outer', 7, 0)");
    assert_int_equal(foreign_stat(snapshot, "NVTX", "outer")->numbers.self_ns, 100);
}

TEST_TEARDOWN(tables_and_columns_may_be_missing, foreign_close)
{
    const struct stint_snapshot *snapshot = foreign_open(
        NULL, "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (1, 'k');"
              "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName);"
              "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 30, 1)");
    assert_int_equal(snapshot->gpu_activity_count, 1);
    assert_string_equal(snapshot->gpu_activities[0].name, "k");
    assert_int_equal(snapshot->gpu_activities[0].numbers.total_ns, 20);
}

/* Columns may have been declared in any way, by what wrote the file or copied it. */
TEST_TEARDOWN(numbers_may_be_texts_or_have_fractions, foreign_close)
{
    static const char *const values[] = {"10, 30, 8", "'10', '30', '8'", "10.0, 30.0, 8.0", "9.6, 30.4, '8'"};
    static const char *const types[][3] = {
        {"", "", ""}, {"TEXT", "TEXT", "TEXT"}, {"REAL", "REAL", "REAL"}, {"INTEGER", "INTEGER", "INTEGER"}};
    for (size_t i = 0; i < TEST_COUNT(values); i++)
        for (size_t j = 0; j < TEST_COUNT(types); j++) {
            char statements[700];
            (void)snprintf(
                statements, sizeof statements,
                "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (1, "
                "'k'); CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start %s, end %s, bytes %s, copyKind);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (%s, 1), (9, 'never', 'N/A', 1)",
                types[j][0], types[j][1], types[j][2], values[i]);
            const struct stint_snapshot *snapshot = foreign_open(NULL, statements);
            assert_int_equal(snapshot->gpu_activity_count, 1);
            assert_int_equal(snapshot->gpu_activities[0].numbers.count, 1);
            assert_int_equal(snapshot->gpu_activities[0].numbers.total_ns, 20);
            assert_int_equal(snapshot->gpu_activities[0].bytes, 8);
            assert_int_equal(snapshot->dropped.gpu_invalid, 1);
            (void)foreign_close(NULL);
        }
}

TEST(texts_that_look_like_numbers_are_in_the_order_of_the_numbers)
{
    struct capture out = {0};
    write_events(&out, NULL,
                 "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
                 "CREATE TABLE NVTX_EVENTS (start TEXT, end TEXT, eventType TEXT, text TEXT, globalTid TEXT);"
                 "INSERT INTO NVTX_EVENTS VALUES ('100', '200', '59', 'b', '7'), ('9', '300', '59', 'a', '7')");
    assert_string_equal(out.text, "9 300 a\n100 200 b\n");
}

/* Later versions of tables are read as far as they are known; of others it is said what they have. */
TEST_TEARDOWN(tables_may_have_a_version_behind_their_names, foreign_close)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql", "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO CUPTI_ACTIVITY_KIND_KERNEL_V3;"
                    "ALTER TABLE StringIds RENAME TO StringIds_V2; ALTER TABLE NVTX_EVENTS RENAME TO NVTX_EVENTS_V2;"
                    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName);"
                    "CREATE TABLE KERNELS_OF_TOMORROW (start, end); INSERT INTO KERNELS_OF_TOMORROW VALUES (1, 2);"
                    "CREATE TABLE EMPTY_ONE (start, end)");
    assert_int_equal(foreign_charge(snapshot, "void gemm", "train/step/forward")->count, 1);
    assert_string_equal(stint_foreign_left_out(foreign_opened), "1 row of KERNELS_OF_TOMORROW");
}

TEST_TEARDOWN(texts_in_place_of_times_are_counted, foreign_close)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'soon' WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_invalid, 1);
    assert_int_equal(foreign_charge(snapshot, "void gemm", "train/step/forward")->count, 1);
}

TEST_TEARDOWN(views_are_no_tables, foreign_close)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
                                 "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS SELECT * FROM CUPTI_ACTIVITY_KIND_MEMCPY");
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        assert_int_not_equal(snapshot->gpu_activities[i].kind, STINT_GPU_COPY);
}

TEST_TEARDOWN(events_can_be_read_again, foreign_close)
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

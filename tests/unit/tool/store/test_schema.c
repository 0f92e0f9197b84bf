#include "store/schema.h"

#include "stint_test.h"
#include "store/scratch.h"

/* Returns the only value of the query. */
static int64_t value_of(struct stint_sql *sql, const char *text)
{
    struct stint_sql_query query = stint_sql_query(sql, text);
    assert_int_equal(stint_sql_step(&query), 1);
    int64_t value = stint_sql_i64(&query, 0);
    stint_sql_end(&query);
    return value;
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(columns_for_other_tools_are_there_at_the_end)
{
    struct stint_sql sql;
    assert_int_equal(stint_sql_create(&sql, scratch_path), 0);
    stint_schema_create(&sql);
    assert_false(stint_sql_has_column(&sql, "NVTX_EVENTS", "jsonText"));
    (void)stint_sql_run(&sql,
                        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 5, 9, 1, (3 << 24) + 4, 7, 1, 0, 0, 0)");
    (void)stint_sql_run(&sql, "INSERT INTO stint_report VALUES (1, '{\"process\":{\"pid\":3,\"command\":\"./a\"}}')");
    stint_schema_complete(&sql);
    stint_schema_index(&sql);
    assert_string_equal(sql.reason, "");
    assert_true(stint_sql_has_column(&sql, "NVTX_EVENTS", "jsonText"));
    assert_int_equal(value_of(&sql, "SELECT threadId FROM CUPTI_ACTIVITY_KIND_RUNTIME"), 4);
    assert_int_equal(value_of(&sql, "SELECT processId FROM CUPTI_ACTIVITY_KIND_DRIVER"), 3);
    assert_int_equal(value_of(&sql, "SELECT globalPid >> 24 FROM PROCESSES WHERE name = './a'"), 3);
    assert_int_equal(value_of(&sql, "SELECT count(*) FROM stint_statistics"), 0);
    stint_sql_close(&sql);
}

TEST(kinds_of_memory_have_numbers_of_nsight_systems)
{
    for (int kind = 0; kind < STINT_GPU_MEMORY_KINDS; kind++)
        assert_int_equal(stint_nsys_memory_kind(stint_nsys_memory((enum stint_gpu_memory_kind)kind)), kind);
    assert_int_equal(stint_nsys_memory_kind(-1), STINT_GPU_MEMORY_UNKNOWN);
    assert_int_equal(stint_nsys_memory_kind(INT64_MAX), STINT_GPU_MEMORY_UNKNOWN);
}

TEST(copies_and_moves_have_numbers_of_nsight_systems)
{
    struct stint_gpu_event event;
    for (int i = 1; i < STINT_GPU_DIRECTIONS; i++) {
        stint_nsys_read_copy(stint_nsys_copy(STINT_GPU_COPY, (enum stint_gpu_direction)i), &event);
        assert_int_equal(event.kind, STINT_GPU_COPY);
        assert_int_equal(event.direction, i);
    }
    stint_nsys_read_copy(stint_nsys_copy(STINT_GPU_UNIFIED, STINT_GPU_HTOD), &event);
    assert_int_equal(event.kind, STINT_GPU_UNIFIED);
    assert_int_equal(event.direction, STINT_GPU_HTOD);
    stint_nsys_read_copy(0, &event);
    assert_int_equal(event.kind, STINT_GPU_COPY);
    assert_int_equal(event.direction, STINT_GPU_DIRECTION_UNKNOWN);
}

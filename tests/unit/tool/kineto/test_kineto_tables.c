#include "kineto/kineto.h"

#include "stint_test.h"
#include "store/scratch.h"

static struct stint_sql s_sql;
static struct stint_kineto_tables s_tables;

static int begin(void **state)
{
    assert_int_equal(stint_sql_create(&s_sql, scratch_path), 0);
    stint_kineto_tables_begin(&s_tables, &s_sql);
    return s_sql.failed;
}

static int end(void **state)
{
    stint_sql_close(&s_sql);
    return 0;
}

/* The query has one row. */
static void assert_text(const char *text, const char *expected)
{
    struct stint_sql_query query = stint_sql_query(&s_sql, text);
    assert_int_equal(stint_sql_step(&query), 1);
    assert_string_equal(stint_sql_text(&query, 0), expected);
    assert_int_equal(stint_sql_step(&query), 0);
    stint_sql_end(&query);
}

TEST_ONCE(scratch_make, scratch_remove)
TEST_EACH(begin, end)

TEST(activities_and_calls_have_rows)
{
    s_tables.base_ns = 1000;
    stint_kineto_add(&s_tables, &(struct stint_kineto_event){.kind = STINT_KINETO_COPY,
                                                             .name = "Memcpy HtoD (Pageable -> Device)",
                                                             .start_ns = -2,
                                                             .has_end = 1,
                                                             .end_ns = 5,
                                                             .bytes = 64});
    stint_kineto_add(&s_tables,
                     &(struct stint_kineto_event){
                         .kind = STINT_KINETO_CALL, .name = "cudaMemcpy", .pid = 3, .tid = 4, .correlation = 9});
    stint_kineto_tables_end(&s_tables);
    assert_text("SELECT start || ' ' || \"end\" || ' ' || bytes FROM CUPTI_ACTIVITY_KIND_MEMCPY", "-2 5 64");
    assert_text("SELECT \"end\" IS NULL FROM CUPTI_ACTIVITY_KIND_RUNTIME", "1");
    assert_text("SELECT group_concat(value) FROM KINETO_FACTS WHERE name IN ('base', 'process')", "1000,3");
    assert_text("SELECT (globalTid & 16777215) || ' ' || value FROM CUPTI_ACTIVITY_KIND_RUNTIME r "
                "JOIN KINETO_STRINGS s ON s.id = r.nameId",
                "4 cudaMemcpy");
    assert_string_equal(s_sql.reason, "");
}

TEST(several_processes_have_no_number)
{
    struct stint_kineto_event event = {.kind = STINT_KINETO_CALL, .name = "f", .pid = 0, .tid = 1};
    stint_kineto_add(&s_tables, &event);
    event.pid = 3;
    stint_kineto_add(&s_tables, &event);
    stint_kineto_tables_end(&s_tables);
    assert_text("SELECT value FROM KINETO_FACTS WHERE name = 'process'", "0");
}

static void add_phase(char phase, const char *name, int64_t time)
{
    stint_kineto_add(&s_tables,
                     &(struct stint_kineto_event){.kind = phase == 'B' ? STINT_KINETO_RANGE : STINT_KINETO_NOTHING,
                                                  .phase = phase,
                                                  .category = "user_annotation",
                                                  .name = name,
                                                  .pid = 3,
                                                  .tid = 4,
                                                  .start_ns = time,
                                                  .sequence = -1});
}

/* An end without a name ends what is innermost at its time, wherever it is in the file. */
TEST(ends_find_their_beginnings)
{
    add_phase('E', "", 40);
    add_phase('B', "a", 10);
    add_phase('B', "b", 20);
    add_phase('E', "b", 30);
    add_phase('E', "of another", 35);
    add_phase('E', "", 45);
    add_phase('B', "c", 50);
    add_phase('B', "d", 60);
    add_phase('E', "c", 70);
    stint_kineto_tables_end(&s_tables);
    assert_text("SELECT group_concat(value || ' ' || start || '-' || coalesce(\"end\", '')) FROM NVTX_EVENTS "
                "JOIN KINETO_STRINGS ON id = textId",
                "a 10-40,b 20-30,c 50-70,d 60-");
    assert_int_equal(s_tables.ends, 2);
}

/* They are numbered from above, each once; equal texts have one number. */
TEST(threads_whose_numbers_are_too_large_get_others)
{
    struct stint_kineto_event event = {.kind = STINT_KINETO_CALL, .name = "f", .pid = 3, .tid = INT64_C(1) << 40};
    stint_kineto_add(&s_tables, &event);
    event.tid = -1;
    stint_kineto_add(&s_tables, &event);
    event.tid = INT64_C(1) << 40;
    stint_kineto_add(&s_tables, &event);
    stint_kineto_tables_end(&s_tables);
    assert_text("SELECT group_concat(16777215 - (globalTid & 16777215)) FROM CUPTI_ACTIVITY_KIND_RUNTIME", "0,1,0");
    assert_text("SELECT count(*) FROM KINETO_STRINGS", "1");
}

TEST(threads_processes_and_devices_are_described)
{
    const struct stint_kineto_device device = {.name = "H100", .id = 2, .multiprocessors = 132};
    stint_kineto_add(&s_tables,
                     &(struct stint_kineto_event){
                         .kind = STINT_KINETO_THREAD, .title = "thread 7 (pt_autograd_0)", .pid = 3, .tid = 7});
    stint_kineto_add(&s_tables, &(struct stint_kineto_event){.kind = STINT_KINETO_THREAD, .title = "stream 7"});
    stint_kineto_add(&s_tables,
                     &(struct stint_kineto_event){.kind = STINT_KINETO_PROCESS, .title = "python", .pid = 3});
    stint_kineto_add_device(&s_tables, &device);
    stint_kineto_add_rank(&s_tables, "5");
    stint_kineto_tables_end(&s_tables);
    assert_text("SELECT value FROM ThreadNames t JOIN KINETO_STRINGS s ON s.id = t.nameId", "pt_autograd_0");
    assert_text("SELECT name FROM PROCESSES WHERE pid = 3", "python");
    assert_text("SELECT name || smCount FROM TARGET_INFO_GPU JOIN TARGET_INFO_CUDA_DEVICE ON gpuId = id", "H100132");
    assert_text("SELECT value FROM KINETO_FACTS WHERE name = 'rank'", "5");
}

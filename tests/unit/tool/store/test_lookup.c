#include "store/rows.h"

#include "stint_test.h"
#include "store/schema.h"
#include "store/scratch.h"

static struct stint_sql s_sql;
static struct stint_lookup s_lookup;

/* "step", and "load" in it, of which only the former is in the report. */
static const char s_rows[] =
    "INSERT INTO StringIds VALUES (1, 'a'), (7, '_Z1fi'), (2147483648, 'mm, seq = 1');"
    "INSERT INTO stint_domains VALUES (3, 'cuDF');"
    "INSERT INTO stint_operation_data VALUES (2, ', sizes = []'), (1, 'first'), (1000000000, 'beyond');"
    "INSERT INTO stint_contexts VALUES (10, 0, 's', 'step', '', 0), (11, 10, 's', 'load', '', 0), "
    "(12, 99, 's', 'step', '', 0)";

static int begin(void **state)
{
    static const struct stint_stat stats[] = {{.set = "s", .name = "step"}};
    static const struct stint_context contexts[] = {{.stat = 0, .parent = STINT_NO_PARENT}};
    static const struct stint_snapshot snapshot = {
        .stats = stats, .stat_count = 1, .contexts = contexts, .context_count = 1, .sample_stack_count = 4};
    assert_int_equal(stint_sql_create(&s_sql, scratch_path), 0);
    stint_schema_create(&s_sql);
    assert_int_equal(stint_sql_run(&s_sql, s_rows), 0);
    s_lookup = (struct stint_lookup){.stack_count = 0};
    stint_lookup_read(&s_lookup, &s_sql, &snapshot);
    return s_sql.failed;
}

static int end(void **state)
{
    stint_lookup_free(&s_lookup);
    stint_sql_close(&s_sql);
    return 0;
}

TEST_ONCE(scratch_make, scratch_remove)
TEST_EACH(begin, end)

TEST(texts_are_found_by_number)
{
    assert_string_equal(stint_lookup_text(&s_lookup, 1), "a");
    assert_string_equal(stint_lookup_text(&s_lookup, 7), "_Z1fi");
    assert_string_equal(stint_lookup_text(&s_lookup, 2), "");
    assert_string_equal(stint_lookup_text(&s_lookup, -1), "");
    assert_string_equal(stint_lookup_kernel(&s_lookup, 1), "a");
    assert_string_equal(stint_lookup_kernel(&s_lookup, 2), "");
    assert_string_equal(stint_lookup_annotated(&s_lookup, STINT_STRINGS_ANNOTATED), "mm, seq = 1");
    assert_null(stint_lookup_annotated(&s_lookup, STINT_STRINGS_ANNOTATED + 1));
    assert_null(stint_lookup_annotated(&s_lookup, 1));
}

TEST(sets_are_those_of_domains)
{
    assert_string_equal(stint_lookup_set(&s_lookup, STINT_STORE_PUSH_POP, 3), "NVTX:cuDF");
    assert_string_equal(stint_lookup_set(&s_lookup, STINT_STORE_START_END, 3), "NVTX start/end:cuDF");
    assert_string_equal(stint_lookup_set(&s_lookup, STINT_STORE_MARK, 0), "NVTX marks");
}

TEST(data_of_operations_are_found_by_number)
{
    assert_string_equal(stint_lookup_data(&s_lookup, 0), "");
    assert_string_equal(stint_lookup_data(&s_lookup, 1), "first");
    assert_string_equal(stint_lookup_data(&s_lookup, 2), ", sizes = []");
    assert_string_equal(stint_lookup_data(&s_lookup, 1000000000), "beyond");
    assert_null(stint_lookup_data(&s_lookup, 3));
}

/* A parent that is not in the file stands for the root. */
TEST(contexts_are_those_of_the_report)
{
    assert_int_equal(stint_lookup_context(&s_lookup, 10)->context, 0);
    assert_string_equal(stint_lookup_context(&s_lookup, 11)->name, "load");
    assert_true(stint_lookup_context(&s_lookup, 11)->context == STINT_GPU_UNATTRIBUTED);
    assert_int_equal(stint_lookup_context(&s_lookup, 12)->context, 0);
    assert_null(stint_lookup_context(&s_lookup, 13));
    assert_int_equal(s_lookup.stack_count, 4);
}

#include "store/rows.h"

#include "stint_test.h"
#include "store/schema.h"
#include "store/scratch.h"

static struct stint_sql s_sql;
static struct stint_strings s_strings;

static int begin(void **state)
{
    assert_int_equal(stint_sql_create(&s_sql, scratch_path), 0);
    stint_schema_create(&s_sql);
    stint_strings_begin(&s_strings, &s_sql);
    return s_sql.failed;
}

static int end(void **state)
{
    stint_strings_end(&s_strings);
    stint_sql_close(&s_sql);
    return 0;
}

static uint32_t id_of(const char *text)
{
    return stint_strings_id(&s_strings, text, strlen(text));
}

static void assert_text(const char *query, uint32_t id, const char *expected)
{
    struct stint_sql_query select = stint_sql_query(&s_sql, query);
    stint_sql_bind_i64(&select, 1, id);
    assert_int_equal(stint_sql_step(&select), 1);
    assert_string_equal(stint_sql_text(&select, 0), expected);
    stint_sql_end(&select);
}

TEST_ONCE(scratch_make, scratch_remove)
TEST_EACH(begin, end)

TEST(a_text_is_written_once_to_both_tables)
{
    assert_int_equal(id_of("a"), 1);
    assert_int_equal(id_of(""), 2);
    assert_int_equal(id_of("a"), 1);
    assert_int_equal(stint_strings_id(&s_strings, "abc", 1), 1);
    assert_text("SELECT value FROM StringIds WHERE id = ?1", 1, "a");
    assert_text("SELECT value FROM StringTable WHERE _id_ = ?1", 2, "");
}

TEST(texts_with_data_have_numbers_of_their_own)
{
    assert_int_equal(stint_strings_annotated_id(&s_strings, "mm, seq = 1", 11), STINT_STRINGS_ANNOTATED);
    assert_int_equal(stint_strings_annotated_id(&s_strings, "mm, seq = 2", 11), STINT_STRINGS_ANNOTATED + 1);
    assert_int_equal(stint_strings_annotated_id(&s_strings, "mm, seq = 1", 11), STINT_STRINGS_ANNOTATED);
    assert_text("SELECT value FROM StringIds WHERE id = ?1", STINT_STRINGS_ANNOTATED + 1, "mm, seq = 2");
}

TEST(short_names_are_without_namespaces_parameters_and_results)
{
    static const char *const names[][2] = {
        {"void at::fill<float>(float*)", "fill"},
        {"axpy", "axpy"},
        {"ns::(anonymous namespace)::f(int)", "f"},
        {"void a::b<c<d>, (e)1>(f<g>)", "b"},
        {"g<(", "g<("},
        {">", ">"},
        {"", ""},
    };
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        uint32_t brief = stint_strings_short(&s_strings, id_of(names[i][0]));
        assert_int_equal(brief, id_of(names[i][1]));
        assert_int_equal(stint_strings_short(&s_strings, id_of(names[i][0])), brief);
    }
    assert_int_equal(stint_strings_short(&s_strings, 0), 0);
}

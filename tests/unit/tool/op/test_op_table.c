#include "op/op_table.h"

#include <string.h>

#include "op/op_recording.h"
#include "report/golden.h"
#include "stint_test.h"

static struct capture table_of(struct stint_op_table *table, const char *columns)
{
    struct capture out = {0};
    struct stint_text text;
    assert_null(stint_op_table_read(table, columns));
    op_example();
    stint_text_begin(&text, capture_write, &out);
    assert_int_equal(stint_op_table_put(table, &op_rows, &text), 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    return out;
}

TEST(columns_have_names_and_others_are_refused)
{
    struct stint_op_table table = {.csv = 1};
    char names[512];
    const char *wrong = "idx,seqs,sil";
    assert_null(stint_op_table_read(&table, stint_op_table_names(names, sizeof names)));
    assert_int_equal(table.count, STINT_OP_COLUMNS);
    assert_ptr_equal(stint_op_table_read(&table, wrong), wrong + 4);
    stint_op_table_take_all(&table, STINT_OP_BYTES);
    assert_int_equal(table.count, STINT_OP_BYTES + 1);
    assert_int_equal(table.columns[table.count - 1], STINT_OP_BYTES);
}

TEST_TEARDOWN(lines_are_words_that_blanks_separate, op_forget)
{
    struct stint_op_table table = {.count = 0};
    assert_non_null(strstr(table_of(&table, "idx,op,sil").text, "Idx Op Sil(ns)\n1 mm 3200\n2 mm 800\n"));
}

TEST_TEARDOWN(csv_has_everything_in_quotation_marks, op_forget)
{
    struct stint_op_table table = {.csv = 1};
    assert_non_null(strstr(table_of(&table, "idx,op,sil").text, "\"Idx\",\"Op\",\"Sil(ns)\"\n\"1\",\"mm\",\"3200\"\n"));
}

TEST_TEARDOWN(lines_of_a_width_are_padded_and_cut, op_forget)
{
    struct stint_op_table table = {.width = 0};
    assert_null(stint_op_table_read(&table, "idx,kernel,sil"));
    table.width = stint_op_table_least(&table) + 9;
    struct capture out = table_of(&table, "idx,kernel,sil");
    for (const char *line = out.text; *line; line = strchr(line, '\n') + 1)
        assert_int_equal(strcspn(line, "\n"), table.width);
    assert_non_null(strstr(out.text, "\n      1 volta_h884       3200\n"));
}

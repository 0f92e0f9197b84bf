#include "html/column.h"

static void put_cell(struct stint_json *json, int64_t value)
{
    char digits[STINT_NUMBER_SIZE];
    stint_number_i64(digits, value);
    stint_json_literal(json, digits);
}

static int all_equal(const void *rows, size_t count, stint_cell_fn *cell)
{
    for (size_t i = 1; i < count; i++)
        if (cell(rows, i) != cell(rows, 0))
            return 0;
    return count > 1;
}

void stint_column_put(struct stint_json *json, const char *key, const void *rows, size_t count, stint_cell_fn *cell)
{
    stint_json_key(json, key);
    if (all_equal(rows, count, cell)) {
        put_cell(json, cell(rows, 0));
        return;
    }
    stint_json_begin(json, "[");
    for (size_t i = 0; i < count; i++)
        put_cell(json, cell(rows, i));
    stint_json_end(json, "]");
}

static void put_texts(struct stint_json *json, struct stint_html_strings *strings, const struct stint_column_of *column,
                      const void *rows, size_t count)
{
    stint_json_key(json, column->key);
    stint_json_begin(json, "[");
    for (size_t i = 0; i < count; i++)
        stint_json_u64(json, stint_html_strings_add(strings, column->text(rows, i)));
    stint_json_end(json, "]");
}

void stint_column_put_table(struct stint_json *json, struct stint_html_strings *strings, const char *key,
                            const void *rows, size_t count, const struct stint_column_of *columns, size_t column_count)
{
    stint_json_new_line(json);
    stint_json_key(json, key);
    stint_json_begin(json, "{");
    stint_json_key_u64(json, "rows", count);
    for (size_t i = 0; i < column_count; i++)
        if (columns[i].text)
            put_texts(json, strings, &columns[i], rows, count);
        else
            stint_column_put(json, columns[i].key, rows, count, columns[i].cell);
    stint_json_end(json, "}");
}

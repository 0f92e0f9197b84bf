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

static void put_texts(struct stint_json *json, struct stint_html_strings *strings, const char *key,
                      stint_text_cell_fn *text, const void *rows, size_t count)
{
    stint_json_key(json, key);
    stint_json_begin(json, "[");
    for (size_t i = 0; i < count; i++)
        stint_json_u64(json, stint_html_strings_add(strings, text(rows, i)));
    stint_json_end(json, "]");
}

void stint_column_begin_table(struct stint_json *json, const char *key, size_t count)
{
    stint_json_new_line(json);
    stint_json_key(json, key);
    stint_json_begin(json, "{");
    stint_json_key_u64(json, "rows", count);
}

void stint_column_put_table(struct stint_json *json, struct stint_html_strings *strings, const char *key,
                            const void *rows, size_t count, const struct stint_column_of *columns, size_t column_count)
{
    stint_column_begin_table(json, key, count);
    for (size_t i = 0; i < column_count; i++)
        if (columns[i].text)
            put_texts(json, strings, columns[i].key, columns[i].text, rows, count);
        else
            stint_column_put(json, columns[i].key, rows, count, columns[i].cell);
    stint_json_end(json, "}");
}

/* ---------------------------------------------------------------------------------------------------------- members */

/* A member of rows. */
struct cells {
    const struct stint_column_rows *rows;
    const struct stint_member *member;
};

static const void *value_at(const struct cells *cells, size_t i)
{
    return (const char *)cells->rows->first + i * cells->rows->size + cells->member->at;
}

static const char *text_cell(const void *context, size_t i)
{
    return *(const char *const *)value_at(context, i);
}

static int64_t percentile(const struct stint_numbers *numbers, double p)
{
    return numbers->bin_count ? stint_cell(stint_numbers_percentile_ns(numbers, p)) : -1;
}

static int64_t number_cell(const void *context, size_t i)
{
    const struct cells *cells = context;
    const void *at = value_at(cells, i);
    switch (cells->member->type) {
    case STINT_MEMBER_U64:
        return stint_cell(*(const uint64_t *)at);
    case STINT_MEMBER_AVG:
        return stint_cell(stint_numbers_avg_ns(at));
    case STINT_MEMBER_P50:
        return percentile(at, 0.50);
    case STINT_MEMBER_P90:
        return percentile(at, 0.90);
    case STINT_MEMBER_P99:
        return percentile(at, 0.99);
    default:
        return *(const uint32_t *)at;
    }
}

void stint_column_put_members(struct stint_json *json, struct stint_html_strings *strings,
                              const struct stint_column_rows *rows, const char *keys)
{
    const struct stint_row_table *table = &stint_row_tables[rows->kind];
    for (size_t i = 0; i < table->count; i++) {
        struct cells cells = {rows, &table->members[i]};
        if (!stint_member_is_among(cells.member, keys))
            continue;
        if (cells.member->type == STINT_MEMBER_TEXT)
            put_texts(json, strings, cells.member->key, text_cell, &cells, rows->count);
        else
            stint_column_put(json, cells.member->key, &cells, rows->count, number_cell);
    }
}

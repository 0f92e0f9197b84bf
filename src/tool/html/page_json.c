/* Writes the JSON of a page: texts once each, lines of texts, sheets by columns; and lets none of it end the element
 * <script>. */
#include <string.h>

#include "html/page_json.h"

/* ------------------------------------------------------------------------------------------------------------ texts */

size_t stint_html_strings_add(struct stint_html_strings *strings, const char *text)
{
    static const struct stint_table_key s_text = STINT_TABLE_KEY_WHOLE(const char *);
    const void *row = stint_table_take(&strings->all, &s_text, strings->arena, &text);
    if (!row)
        strings->failed = 1;
    return row ? stint_table_position(&strings->all, &s_text, row) : 0;
}

int stint_html_lines_put(void *context, const char *text, size_t length)
{
    struct stint_html_lines *lines = context;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '\n') {
            if (lines->used < sizeof lines->line - 1)
                lines->line[lines->used++] = text[i];
            continue;
        }
        lines->line[lines->used] = '\0';
        stint_json_string(lines->json, lines->line);
        lines->used = 0;
    }
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- columns */

struct cell {
    int64_t number;
    const char *text; /* instead, unless it is NULL */
};

/* Keeps the cells of all rows, because they are written column by column. Returns -1 without memory. */
static int gather(struct stint_array *rows, struct stint_arena *arena, struct stint_sheet *sheet)
{
    sheet->is_measuring = 1; /* the values are needed, but not as text */
    for (size_t next = 0; stint_sheet_next(sheet, &next);) {
        struct cell *row = stint_array_add(rows, arena, sheet->count * sizeof *row);
        if (!row)
            return -1;
        for (size_t i = 0; i < sheet->count; i++)
            row[i] = (struct cell){.number = (int64_t)sheet->cell[i].value, .text = sheet->cell[i].label.name};
    }
    return 0;
}

/* A column of the rows. */
struct column {
    const struct stint_array *rows;
    size_t columns; /* in a row */
    size_t place;
};

static const struct cell *cell_at(const struct column *column, size_t row)
{
    return (const struct cell *)column->rows->items + row * column->columns + column->place;
}

static int is_one_number(const struct column *column)
{
    for (size_t i = 1; i < column->rows->count; i++)
        if (cell_at(column, i)->number != cell_at(column, 0)->number || cell_at(column, i)->text)
            return 0;
    return column->rows->count > 1;
}

static void put_column(struct stint_json *json, struct stint_html_strings *strings, const struct column *column)
{
    if (is_one_number(column)) {
        stint_json_i64(json, cell_at(column, 0)->number);
        return;
    }
    stint_json_begin(json, "[");
    for (size_t i = 0; i < column->rows->count; i++) {
        const struct cell *cell = cell_at(column, i);
        stint_json_i64(json, cell->text ? (int64_t)stint_html_strings_add(strings, cell->text) : cell->number);
    }
    stint_json_end(json, "]");
}

void stint_column_put_sheet(struct stint_json *json, struct stint_html_strings *strings, struct stint_sheet *sheet)
{
    struct stint_arena arena = {0};
    struct stint_array rows = {0};
    strings->failed |= gather(&rows, &arena, sheet) != 0;
    stint_json_key_u64(json, "rows", rows.count);
    for (size_t i = 0; i < sheet->count; i++) {
        stint_json_key(json, sheet->columns[i].key);
        put_column(json, strings, &(struct column){.rows = &rows, .columns = sheet->count, .place = i});
    }
    stint_arena_free(&arena);
}

void stint_column_put_table(struct stint_json *json, struct stint_html_strings *strings, const char *key,
                            struct stint_sheet *sheet)
{
    stint_json_new_line(json);
    stint_json_key(json, key);
    stint_json_begin(json, "{");
    stint_column_put_sheet(json, strings, sheet);
    stint_json_end(json, "}");
}

/* ---------------------------------------------------------------------------------------------------------- members */

struct members {
    const struct stint_column_rows *rows;
    struct stint_column columns[STINT_SHEET_COLUMNS];
    enum stint_member_type type[STINT_SHEET_COLUMNS];
    size_t at[STINT_SHEET_COLUMNS]; /* in a row */
};

static int64_t percentile(const struct stint_numbers *numbers, double p)
{
    return numbers->bin_count ? stint_cell(stint_numbers_percentile_ns(numbers, p)) : -1;
}

static int64_t number_at(enum stint_member_type type, const void *at)
{
    switch (type) {
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

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct members *members = context;
    if (*next == members->rows->count)
        return 0;
    const char *row = (const char *)members->rows->first + (*next)++ * members->rows->size;
    for (size_t i = 0; i < sheet->count; i++) {
        const void *at = row + members->at[i];
        if (members->type[i] == STINT_MEMBER_TEXT)
            stint_sheet_string(sheet, i, *(const char *const *)at);
        else
            stint_column_i64(sheet, i, number_at(members->type[i], at));
    }
    return 1;
}

static void add_columns(struct stint_sheet *sheet, struct members *members, const struct stint_column_members *from)
{
    const struct stint_row_table *table = &stint_row_tables[from->kind];
    for (size_t i = 0; i < table->count; i++) {
        if (sheet->count == STINT_SHEET_COLUMNS || !stint_member_is_among(&table->members[i], from->keys))
            continue;
        members->columns[sheet->count] = (struct stint_column){.key = table->members[i].key};
        members->type[sheet->count] = (enum stint_member_type)table->members[i].type;
        members->at[sheet->count++] = from->at + table->members[i].at;
    }
}

void stint_column_put_members(struct stint_json *json, struct stint_html_strings *strings, const char *key,
                              const struct stint_column_rows *rows, const struct stint_column_members *members,
                              size_t member_count)
{
    struct members context = {.rows = rows};
    struct stint_sheet sheet = {.columns = context.columns, .next = next_row, .context = &context};
    for (size_t i = 0; i < member_count; i++)
        add_columns(&sheet, &context, &members[i]);
    stint_column_put_table(json, strings, key, &sheet);
}

/* ----------------------------------------------------------------------------------------------------------- script */

static const char *escape_of(char c)
{
    switch (c) {
    case '<':
        return "\\u003c";
    case '>':
        return "\\u003e";
    case '&':
        return "\\u0026";
    default:
        return NULL;
    }
}

int stint_script_write(void *context, const char *text, size_t length)
{
    const struct stint_script *script = context;
    for (const char *end = text + length; text < end;) {
        size_t plain = 0;
        while (text + plain < end && !escape_of(text[plain]))
            plain++;
        const char *escape = plain ? NULL : escape_of(*text);
        if (script->write(script->context, escape ? escape : text, escape ? strlen(escape) : plain))
            return -1;
        text += escape ? 1 : plain;
    }
    return 0;
}

/* Writes the JSON of a page: texts once each, lines of texts, tables by columns; and lets none of it end the element
 * <script>. */
#include <stdio.h>
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

/* ----------------------------------------------------------------------------------------------------------- tables */

struct cell {
    uint64_t number;
    int is_negative;  /* the number is that of an int64_t */
    double real;      /* instead, unless it is 0: more than 64 bits hold */
    const char *text; /* instead, unless it is NULL */
};

static void add_cell(struct stint_html_table *table, struct cell cell)
{
    struct cell *added = stint_array_add(&table->cells, &table->arena, sizeof *added);
    if (added)
        *added = cell;
    else
        table->strings->failed = 1;
}

void stint_html_i64(struct stint_html_table *table, int64_t value)
{
    add_cell(table, (struct cell){.number = (uint64_t)value, .is_negative = value < 0});
}

void stint_html_u64(struct stint_html_table *table, uint64_t value)
{
    add_cell(table, (struct cell){.number = value});
}

void stint_html_real(struct stint_html_table *table, double value)
{
    if (value >= 0x1p64)
        add_cell(table, (struct cell){.real = value});
    else if (value >= 0)
        stint_html_u64(table, (uint64_t)value);
    else
        stint_html_i64(table, -1);
}

void stint_html_text(struct stint_html_table *table, const char *text)
{
    add_cell(table, (struct cell){.text = text});
}

static void put_number(struct stint_json *json, const struct cell *cell)
{
    if (cell->real > 0)
        stint_json_exact(json, cell->real);
    else if (cell->is_negative)
        stint_json_i64(json, (int64_t)cell->number);
    else
        stint_json_u64(json, cell->number);
}

static int is_same(const struct cell *cell, const struct cell *first)
{
    int is_real = cell->real > 0 || first->real > 0;
    return cell->number == first->number && cell->is_negative == first->is_negative && !cell->text && !is_real;
}

/* The column of which `cells` has the first one, a row having so many cells. */
static void put_column(struct stint_json *json, struct stint_html_strings *strings, const struct cell *cells,
                       size_t columns, size_t rows)
{
    size_t same = 1;
    while (same < rows && is_same(&cells[same * columns], cells))
        same++;
    if (rows > 1 && same == rows) {
        put_number(json, cells);
        return;
    }
    stint_json_begin(json, "[");
    for (size_t i = 0; i < rows; i++) {
        const struct cell *cell = &cells[i * columns];
        if (cell->text)
            stint_json_u64(json, stint_html_strings_add(strings, cell->text));
        else
            put_number(json, cell);
    }
    stint_json_end(json, "]");
}

void stint_html_columns_put(struct stint_html_table *table, struct stint_json *json)
{
    size_t columns = 1, column = 0;
    for (const char *at = table->keys; (at = strchr(at, ' ')); at++)
        columns++;
    size_t rows = table->strings->failed ? 0 : table->cells.count / columns;
    const struct cell *cells = table->cells.items;
    stint_json_key_u64(json, "rows", rows);
    for (const char *at = table->keys; column < columns; column++) {
        char key[32];
        size_t length = strcspn(at, " ");
        (void)snprintf(key, sizeof key, "%.*s", (int)length, at);
        at += length + 1;
        stint_json_key(json, key);
        put_column(json, table->strings, rows ? cells + column : NULL, columns, rows);
    }
    stint_arena_free(&table->arena);
}

void stint_html_table_put(struct stint_html_table *table, struct stint_json *json, const char *key)
{
    stint_json_new_line(json);
    stint_json_key(json, key);
    stint_json_begin(json, "{");
    stint_html_columns_put(table, json);
    stint_json_end(json, "}");
}

/* ---------------------------------------------------------------------------------------------------------- members */

static void put_cells(struct stint_html_table *table, const struct stint_column_members *members, const char *row)
{
    const struct stint_row_table *all = stint_row_tables[members->kind];
    for (size_t i = 0; i < all->count; i++) {
        if (!stint_member_is_among(&all->members[i], members->keys))
            continue;
        struct stint_value value = stint_member_value(all, &all->members[i], row + members->at);
        if (all->members[i].type == STINT_MEMBER_WORD)
            stint_html_i64(table, *(const uint32_t *)(const void *)(row + members->at + all->members[i].at));
        else if (value.kind == STINT_VALUE_TEXT)
            stint_html_text(table, value.text);
        else if (value.kind == STINT_VALUE_NONE)
            stint_html_i64(table, -1);
        else
            stint_html_u64(table, value.number);
    }
}

void stint_column_put_members(struct stint_json *json, struct stint_html_strings *strings, const char *key,
                              const struct stint_column_rows *rows, const struct stint_column_members *members,
                              size_t member_count)
{
    char keys[512] = "";
    size_t used = 0;
    struct stint_html_table table = {.strings = strings, .keys = keys};
    for (size_t i = 0; i < member_count; i++) {
        const struct stint_row_table *all = stint_row_tables[members[i].kind];
        for (size_t at = 0; at < all->count; at++)
            if (stint_member_is_among(&all->members[at], members[i].keys))
                used +=
                    (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", used ? " " : "", all->members[at].key);
    }
    for (size_t row = 0; row < rows->count; row++)
        for (size_t i = 0; i < member_count; i++)
            put_cells(&table, &members[i], (const char *)rows->first + row * rows->size);
    stint_html_table_put(&table, json, key);
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

#include "store/foreign_rows.h"

#include <stdio.h>
#include <string.h>

enum { QUERY_SIZE = 4096 };

/* Times from here on are not accepted, because the sum of two would overflow. */
#define MOST_NS "4611686018427387904"

/* ---------------------------------------------------------------------------------------------------------- queries */

/* Returns the name of a column without its table: "name" for "a.name". */
static const char *bare(const char *column)
{
    const char *dot = strchr(column, '.');
    return dot ? dot + 1 : column;
}

static int has(struct stint_sql *sql, const struct stint_foreign_table *table, enum stint_foreign_column column)
{
    return table->columns[column] && stint_sql_has_column(sql, table->name, bare(table->columns[column]));
}

/* Writes the SQL expression for a column; values of an unexpected type are read as NULL. */
static void put_value(char *out, size_t size, const struct stint_foreign_table *table, enum stint_foreign_column column)
{
    char name[80];
    const char *text = table->columns[column];
    (void)snprintf(name, sizeof name, "%.*s\"%s\"", (int)(bare(text) - text), text, bare(text));
    if (column == STINT_FOREIGN_OBJECT)
        (void)snprintf(out, size, "hex(%s)", name);
    else if (column == STINT_FOREIGN_TEXT)
        (void)snprintf(out, size, "CASE typeof(%s) WHEN 'text' THEN %s END", name, name);
    else if (column >= STINT_FOREIGN_DOUBLE)
        (void)snprintf(out, size, "CASE WHEN typeof(%s) IN ('real', 'integer') THEN %s END", name, name);
    else
        (void)snprintf(out, size, "CASE typeof(%s) WHEN 'integer' THEN %s END", name, name);
}

static void add(char *out, size_t size, const char *text)
{
    size_t used = strlen(out);
    (void)snprintf(out + used, size - used, "%s", text);
}

static void add_from(char *out, size_t size, const struct stint_foreign_table *table)
{
    add(out, size, " FROM ");
    add(out, size, table->from ? table->from : table->name);
    if (table->where) {
        add(out, size, " WHERE ");
        add(out, size, table->where);
    }
}

static struct stint_sql_query select_rows(struct stint_sql *sql, const struct stint_foreign_table *table)
{
    char text[QUERY_SIZE] = "SELECT ", value[240];
    for (int i = 0; i < STINT_FOREIGN_COLUMNS; i++) {
        add(text, sizeof text, i ? ", " : "");
        (void)snprintf(value, sizeof value, "NULL");
        if (has(sql, table, (enum stint_foreign_column)i))
            put_value(value, sizeof value, table, (enum stint_foreign_column)i);
        add(text, sizeof text, value);
    }
    add_from(text, sizeof text, table);
    add(text, sizeof text, " ORDER BY 1, 2 DESC");
    return stint_sql_query(sql, text);
}

/* Finds when the table's first row begins and its last row ends, ignoring invalid times. */
static void find_extent(struct stint_foreign_rows *rows, const struct stint_foreign_table *table)
{
    char text[QUERY_SIZE], start[240], end[240];
    put_value(start, sizeof start, table, STINT_FOREIGN_START);
    put_value(end, sizeof end, table, STINT_FOREIGN_END);
    (void)snprintf(text, sizeof text,
                   "SELECT min(nullif(a, 0)), max(max(a, ifnull(b, a))) FROM (SELECT %s AS a, %s AS b", start, end);
    add_from(text, sizeof text, table);
    add(text, sizeof text, ") WHERE a >= 0 AND a < " MOST_NS " AND ifnull(b, a) < " MOST_NS);
    struct stint_sql_query query = stint_sql_query(rows->sql, text);
    if (stint_sql_step(&query) && !stint_sql_is_null(&query, 1)) {
        int64_t first = stint_sql_i64(&query, 0), last = stint_sql_i64(&query, 1);
        if (first < rows->first)
            rows->first = first;
        if (last > rows->last)
            rows->last = last;
    }
    stint_sql_end(&query);
}

int stint_foreign_rows_find(struct stint_foreign_rows *rows, struct stint_sql *sql,
                            const struct stint_foreign_table *tables, size_t count)
{
    *rows = (struct stint_foreign_rows){.sql = sql, .first = INT64_MAX};
    for (size_t i = 0; i < count; i++) {
        if (!has(sql, &tables[i], STINT_FOREIGN_START) || !has(sql, &tables[i], STINT_FOREIGN_END))
            continue;
        rows->streams[rows->count++].table = &tables[i];
        find_extent(rows, &tables[i]);
    }
    if (rows->first == INT64_MAX)
        rows->first = 0;
    return sql->failed ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

int stint_foreign_has(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    return !stint_sql_is_null(&row->query, (int)column);
}

int64_t stint_foreign_i64(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    return stint_sql_i64(&row->query, (int)column);
}

/* Impossible numbers are 0, which stands for unknown. */
uint64_t stint_foreign_u64(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    int64_t value = stint_foreign_i64(row, column);
    return value < 0 ? 0 : (uint64_t)value;
}

uint32_t stint_foreign_u32(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    int64_t value = stint_foreign_i64(row, column);
    return value < 0 || value > UINT32_MAX ? 0 : (uint32_t)value;
}

/* Advances to the stream's next row that has a start time. */
static void advance(struct stint_foreign_rows *rows, struct stint_foreign_stream *stream)
{
    while ((stream->has_row = stint_sql_step(&stream->query))) {
        stream->start = stint_foreign_i64(stream, STINT_FOREIGN_START);
        stream->end = stint_foreign_i64(stream, STINT_FOREIGN_END);
        if (stint_foreign_has(stream, STINT_FOREIGN_START))
            return;
        rows->malformed++;
    }
}

void stint_foreign_rows_begin(struct stint_foreign_rows *rows)
{
    stint_foreign_rows_end(rows);
    rows->malformed = 0;
    for (size_t i = 0; i < rows->count; i++) {
        rows->streams[i].query = select_rows(rows->sql, rows->streams[i].table);
        advance(rows, &rows->streams[i]);
    }
}

/* Equal rows are sorted by the order of their tables. */
static int is_before(const struct stint_foreign_stream *a, const struct stint_foreign_stream *b)
{
    return a->start != b->start ? a->start < b->start : a->end > b->end;
}

const struct stint_foreign_stream *stint_foreign_rows_next(struct stint_foreign_rows *rows)
{
    struct stint_foreign_stream *first = NULL;
    if (rows->current)
        advance(rows, rows->current);
    for (size_t i = 0; i < rows->count; i++)
        if (rows->streams[i].has_row && (!first || is_before(&rows->streams[i], first)))
            first = &rows->streams[i];
    rows->current = rows->sql->failed ? NULL : first;
    return rows->current;
}

void stint_foreign_rows_end(struct stint_foreign_rows *rows)
{
    rows->current = NULL;
    for (size_t i = 0; i < rows->count; i++)
        stint_sql_end(&rows->streams[i].query);
}

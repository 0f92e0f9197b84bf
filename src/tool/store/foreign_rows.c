/* Selects the rows of the tables that a foreign file has, and merges them by time. */
#include "store/foreign_dialect.h"

#include <stdio.h>
#include <string.h>

enum { QUERY_SIZE = 4096 };

#define MOST_NS (INT64_C(1) << 62)

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

/* Writes the SQL expression for a column. Values are of any type. */
static void put_value(char *out, size_t size, const struct stint_foreign_table *table, enum stint_foreign_column column)
{
    const char *text = table->columns[column];
    const char *format = column == STINT_FOREIGN_OBJECT ? "hex(%.*s\"%s\")" : "%.*s\"%s\"";
    (void)snprintf(out, size, format, (int)(bare(text) - text), text, bare(text));
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
    add(out, size, table->from ? "" : " NOT INDEXED"); /* in the order of the file */
    if (table->where) {
        add(out, size, " WHERE ");
        add(out, size, table->where);
    }
}

/* The times have to be there. */
static void add_order(char *out, size_t size, const struct stint_foreign_stream *stream)
{
    if (!stream->is_sorted)
        add(out, size, " ORDER BY 1, 2 DESC");
}

static struct stint_sql_query select_rows(struct stint_sql *sql, struct stint_foreign_stream *stream)
{
    char text[QUERY_SIZE] = "SELECT ", value[240];
    signed char count = 0;
    for (int i = 0; i < STINT_FOREIGN_COLUMNS; i++) {
        stream->place[i] = -1;
        if (!has(sql, stream->table, (enum stint_foreign_column)i))
            continue;
        put_value(value, sizeof value, stream->table, (enum stint_foreign_column)i);
        add(text, sizeof text, count ? ", " : "");
        add(text, sizeof text, value);
        stream->place[i] = count++;
    }
    add_from(text, sizeof text, stream->table);
    add_order(text, sizeof text, stream);
    return stint_sql_query(sql, text);
}

/* Times before 0 or from here on are not accepted, because the sum of two would overflow. */
static int is_time(const struct stint_sql_query *query, int column)
{
    int64_t time = stint_sql_i64(query, column);
    return stint_sql_type(query, column) == STINT_SQL_INTEGER && time >= 0 && time < MOST_NS;
}

static void extend(struct stint_foreign_rows *rows, const struct stint_sql_query *query)
{
    int64_t start = stint_sql_i64(query, 0), end = start;
    int has_end = stint_sql_type(query, 1) == STINT_SQL_INTEGER;
    if (!is_time(query, 0) || (has_end && stint_sql_i64(query, 1) >= MOST_NS))
        return;
    if (has_end && stint_sql_i64(query, 1) > end)
        end = stint_sql_i64(query, 1);
    if (start && start < rows->first)
        rows->first = start;
    if (end > rows->last)
        rows->last = end;
}

/* Finds when the table's first row begins and its last row ends, ignoring invalid times, and whether its rows are in
 * order: then sorting them, which takes most of the time, is not necessary. Of a table that is joined with itself, each
 * time is in a row of its own; those that begin together began in the order in which they are. */
static void find_extent(struct stint_foreign_rows *rows, struct stint_foreign_stream *stream)
{
    const struct stint_foreign_table *table = stream->table;
    char text[QUERY_SIZE];
    const char *end = bare(table->columns[STINT_FOREIGN_END]), *start = bare(table->columns[STINT_FOREIGN_START]);
    int64_t last_start = INT64_MIN, last_end = INT64_MAX;
    (void)snprintf(text, sizeof text, "SELECT \"%s\", \"%s\" FROM %s NOT INDEXED", start, end, table->name);
    struct stint_sql_query query = stint_sql_query(rows->sql, text);
    stream->is_sorted = 1;
    while (stint_sql_step(&query)) {
        int64_t starts = stint_sql_i64(&query, 0);
        int64_t ends = stint_sql_type(&query, 1) == STINT_SQL_INTEGER ? stint_sql_i64(&query, 1) : INT64_MIN;
        extend(rows, &query);
        if (stint_sql_type(&query, 0) != STINT_SQL_INTEGER || starts < last_start ||
            (starts == last_start && !table->from && ends > last_end))
            stream->is_sorted = 0;
        last_start = starts;
        last_end = ends;
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
        rows->streams[rows->count].table = &tables[i];
        find_extent(rows, &rows->streams[rows->count++]);
    }
    if (rows->first == INT64_MAX)
        rows->first = 0;
    return sql->failed ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

/* The type that values of the column have, if they are there. */
static int is_expected(enum stint_foreign_column column, enum stint_sql_type type)
{
    if (column >= STINT_FOREIGN_TEXT)
        return type == STINT_SQL_TEXT;
    return type == STINT_SQL_INTEGER || (column >= STINT_FOREIGN_DOUBLE && type == STINT_SQL_REAL);
}

int stint_foreign_has(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    return row->place[column] >= 0 && is_expected(column, stint_sql_type(&row->query, row->place[column]));
}

/* Asks for the type only if it matters: that takes as long as the value. */
int64_t stint_foreign_i64(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    int64_t value = row->place[column] < 0 ? 0 : stint_sql_i64(&row->query, row->place[column]);
    return value && stint_foreign_has(row, column) ? value : 0;
}

double stint_foreign_double(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    return stint_foreign_has(row, column) ? stint_sql_double(&row->query, row->place[column]) : 0;
}

const char *stint_foreign_text(const struct stint_foreign_stream *row, enum stint_foreign_column column, size_t *length)
{
    const char *text = stint_foreign_has(row, column) ? stint_sql_text(&row->query, row->place[column]) : "";
    *length = *text ? stint_sql_length(&row->query, row->place[column]) : 0;
    return text;
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
        stream->has_end = stream->end || stint_foreign_has(stream, STINT_FOREIGN_END);
        if (stream->start || stint_foreign_has(stream, STINT_FOREIGN_START))
            return;
        rows->malformed++;
    }
}

void stint_foreign_rows_begin(struct stint_foreign_rows *rows)
{
    stint_foreign_rows_end(rows);
    rows->malformed = 0;
    for (size_t i = 0; i < rows->count; i++) {
        rows->streams[i].query = select_rows(rows->sql, &rows->streams[i]);
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

/* Selects the rows of the tables that a foreign file has, and merges them by time. */
#include "store/foreign_dialect.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { QUERY_SIZE = 4096 };

#define MOST_NS (INT64_C(1) << 62)

/* ---------------------------------------------------------------------------------------------------------- queries */

/* Returns the name of a column without its table: "name" for "a.name". */
static const char *bare(const char *column)
{
    const char *dot = strchr(column, '.');
    return dot ? dot + 1 : column;
}

static int has(struct stint_sql *sql, const struct stint_foreign_stream *stream, enum stint_foreign_column column)
{
    const char *name = stream->table->columns[column];
    return name && stint_sql_has_column(sql, stream->name, bare(name));
}

static void make_whole(sqlite3_context *to, int count, sqlite3_value **values)
{
    int type = sqlite3_value_numeric_type(*values); /* of what a text is, too */
    double number = type == SQLITE_FLOAT ? round(sqlite3_value_double(*values)) : NAN;
    (void)count;
    if (type == SQLITE_INTEGER)
        sqlite3_result_int64(to, sqlite3_value_int64(*values));
    else if (fabs(number) < (double)INT64_MAX)
        sqlite3_result_int64(to, (int64_t)number);
    else
        sqlite3_result_value(to, *values);
}

/* Writes the SQL expression for a column. Values are of any type; SQLite makes numbers of those that look like numbers
 * only in columns that it knows to be of integers. */
static void put_value(struct stint_sql *sql, char *out, size_t size, const struct stint_foreign_stream *stream,
                      enum stint_foreign_column column)
{
    char name[80];
    const char *text = stream->table->columns[column];
    int is_time = column == STINT_FOREIGN_START || column == STINT_FOREIGN_END;
    int is_whole = column >= STINT_FOREIGN_DOUBLE ||
                   (stint_sql_is_integer(sql, stream->name, bare(text)) && (!is_time || stream->has_whole_times));
    (void)snprintf(name, sizeof name, "%.*s\"%s\"", (int)(bare(text) - text), text, bare(text));
    if (is_whole)
        (void)snprintf(out, size, column == STINT_FOREIGN_OBJECT ? "hex(%s)" : "%s", name);
    else
        (void)snprintf(out, size, STINT_FOREIGN_WHOLE("%s"), name);
}

static void add(char *out, size_t size, const char *text)
{
    size_t used = strlen(out);
    (void)snprintf(out + used, size - used, "%s", text);
}

/* A table that is joined with itself names itself once more. */
static void add_from(char *out, size_t size, const struct stint_foreign_stream *stream)
{
    char text[512];
    const struct stint_foreign_table *table = stream->table;
    (void)snprintf(text, sizeof text, " FROM \"%s\"", stream->name);
    add(out, size, text);
    if (table->from) {
        (void)snprintf(text, sizeof text, table->from, stream->name);
        add(out, size, text);
    }
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
        if (!has(sql, stream, (enum stint_foreign_column)i))
            continue;
        put_value(sql, value, sizeof value, stream, (enum stint_foreign_column)i);
        add(text, sizeof text, count ? ", " : "");
        add(text, sizeof text, value);
        stream->place[i] = count++;
    }
    add_from(text, sizeof text, stream);
    add_order(text, sizeof text, stream);
    return stint_sql_query(sql, text);
}

/* --------------------------------------------------------------------------------------------------- first and last */

/* Later times, and earlier ones, are not accepted, because the sum of two would overflow. */
static int is_time(int64_t time)
{
    return time > -MOST_NS && time < MOST_NS;
}

static void extend(struct stint_foreign_rows *rows, int64_t start, int has_end, int64_t end)
{
    if (!is_time(start) || (has_end && end >= MOST_NS) || (rows->is_zero_unknown && !start && !end))
        return;
    rows->first = start < rows->first ? start : rows->first;
    rows->last = start > rows->last ? start : rows->last;
    rows->last = has_end && end > rows->last ? end : rows->last;
}

static int is_whole(enum stint_sql_type type)
{
    return type == STINT_SQL_INTEGER || type == STINT_SQL_NULL;
}

/* Of a table that is joined with itself, each time is in a row of its own. */
static struct stint_sql_query select_times(struct stint_sql *sql, const struct stint_foreign_stream *stream)
{
    char text[QUERY_SIZE], start[240], end[240];
    put_value(sql, start, sizeof start, stream, STINT_FOREIGN_START);
    put_value(sql, end, sizeof end, stream, stream->table->from ? STINT_FOREIGN_START : STINT_FOREIGN_END);
    (void)snprintf(text, sizeof text, "SELECT %s, %s FROM \"%s\" AS a NOT INDEXED", start, end, stream->name);
    return stint_sql_query(sql, text);
}

/* Finds when the table's first row begins and its last row ends, ignoring invalid times, and whether its rows are in
 * order: then sorting them, which takes most of the time, is not necessary. Those that begin together began in the
 * order in which they are. */
static void find_extent(struct stint_foreign_rows *rows, struct stint_foreign_stream *stream)
{
    int64_t last_start = INT64_MIN, last_end = INT64_MAX;
    int has_whole_times = 1;
    struct stint_sql_query query = select_times(rows->sql, stream);
    stream->is_sorted = 1;
    while (has_whole_times && stint_sql_step(&query)) {
        enum stint_sql_type start = stint_sql_type(&query, 0), end = stint_sql_type(&query, 1);
        int has_start = start == STINT_SQL_INTEGER, has_end = end == STINT_SQL_INTEGER;
        int64_t starts = stint_sql_i64(&query, 0), ends = has_end ? stint_sql_i64(&query, 1) : INT64_MIN;
        has_whole_times = !stream->has_whole_times || (is_whole(start) && is_whole(end));
        if (has_start && has_whole_times && (has_end || end == STINT_SQL_NULL))
            extend(rows, starts, has_end, has_end ? ends : 0);
        if (!has_start || starts < last_start || (starts == last_start && !stream->table->from && ends > last_end))
            stream->is_sorted = 0;
        last_start = starts;
        last_end = ends;
    }
    stint_sql_end(&query);
    if (has_whole_times || !stream->has_whole_times)
        return;
    stream->has_whole_times = 0;
    find_extent(rows, stream);
}

/* ----------------------------------------------------------------------------------------------------------- tables */

/* Selects the tables of that name, with or without a version behind it. */
static struct stint_sql_query select_tables(struct stint_sql *sql, const char *name)
{
    struct stint_sql_query query =
        stint_sql_query(sql, "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE "
                             "'%\"%' AND (name = ?1 COLLATE NOCASE OR name GLOB ?1 || '_V[0-9]*') ORDER BY name");
    stint_sql_bind_text(&query, 1, name, strlen(name));
    return query;
}

int stint_foreign_find_table(struct stint_sql *sql, const char *name, char *out)
{
    struct stint_sql_query query = select_tables(sql, name);
    int length = stint_sql_step(&query) ? snprintf(out, STINT_FOREIGN_TABLE_NAME, "%s", stint_sql_text(&query, 0)) : 0;
    stint_sql_end(&query);
    return length > 0 && length < STINT_FOREIGN_TABLE_NAME;
}

static void find_streams(struct stint_foreign_rows *rows, const struct stint_foreign_table *table)
{
    struct stint_sql_query query = select_tables(rows->sql, table->name);
    while (stint_sql_step(&query) && rows->count < STINT_FOREIGN_TABLES) {
        struct stint_foreign_stream *stream = &rows->streams[rows->count];
        *stream = (struct stint_foreign_stream){.table = table, .has_whole_times = 1};
        int length = snprintf(stream->name, sizeof stream->name, "%s", stint_sql_text(&query, 0));
        if (length < (int)sizeof stream->name && has(rows->sql, stream, STINT_FOREIGN_START) &&
            has(rows->sql, stream, STINT_FOREIGN_END))
            rows->count++;
    }
    stint_sql_end(&query);
}

int stint_foreign_rows_find(struct stint_foreign_rows *rows, struct stint_sql *sql,
                            const struct stint_foreign_dialect *dialect)
{
    *rows = (struct stint_foreign_rows){
        .sql = sql, .is_zero_unknown = dialect->is_zero_unknown, .first = INT64_MAX, .last = INT64_MIN};
    if (sqlite3_create_function(sql->database, "stint_whole", 1, SQLITE_UTF8, NULL, make_whole, NULL, NULL))
        return stint_sql_fail(sql, "there is not enough memory");
    for (size_t i = 0; i < dialect->table_count; i++)
        find_streams(rows, &dialect->tables[i]);
    for (size_t i = 0; i < rows->count; i++)
        find_extent(rows, &rows->streams[i]);
    if (rows->first == INT64_MAX)
        rows->first = rows->last = 0;
    return sql->failed ? -1 : 0;
}

static int is_read(const struct stint_foreign_rows *rows, const char *table)
{
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->streams[i].name, table) == 0)
            return 1;
    return 0;
}

static uint64_t count_rows(struct stint_sql *sql, const char *table)
{
    char text[QUERY_SIZE];
    (void)snprintf(text, sizeof text, "SELECT count(*) FROM \"%s\"", table);
    struct stint_sql_query query = stint_sql_query(sql, text);
    int64_t count = stint_sql_step(&query) ? stint_sql_i64(&query, 0) : 0;
    stint_sql_end(&query);
    return (uint64_t)count;
}

/* Returns whether the dialect has a table of that name, so that all in there is of interest. */
static int is_of_dialect(const struct stint_foreign_dialect *dialect, const char *name)
{
    for (size_t i = 0; i < dialect->table_count; i++) {
        size_t length = strlen(dialect->tables[i].name);
        if (strncasecmp(name, dialect->tables[i].name, length) == 0 && (!name[length] || name[length] == '_'))
            return 1;
    }
    return 0;
}

static int has_times(struct stint_sql *sql, const char *table)
{
    return stint_sql_has_column(sql, table, "start") && stint_sql_has_column(sql, table, "end");
}

/* A view could take forever. */
void stint_foreign_rows_left_out(const struct stint_foreign_rows *rows, const struct stint_foreign_dialect *dialect,
                                 char *out, size_t size)
{
    struct stint_sql_query query =
        stint_sql_query(rows->sql, "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT "
                                   "LIKE '%\"%'");
    size_t used = 0;
    *out = '\0';
    while (stint_sql_step(&query) && used < size) {
        const char *name = stint_sql_text(&query, 0);
        int is_known = is_of_dialect(dialect, name), is_view = strcmp(stint_sql_text(&query, 1), "view") == 0;
        int is_wanted = !is_read(rows, name) && (is_known || (!is_view && has_times(rows->sql, name)));
        uint64_t count = is_wanted && !is_view ? count_rows(rows->sql, name) : 0;
        if (count)
            used += (size_t)snprintf(out + used, size - used, "%s%llu row%s of %s", used ? ", " : "",
                                     (unsigned long long)count, count > 1 ? "s" : "", name);
        else if (is_wanted && is_view)
            used += (size_t)snprintf(out + used, size - used, "%sthe view %s", used ? ", " : "", name);
    }
    stint_sql_end(&query);
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
static int64_t read_number(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    int64_t value = row->place[column] < 0 ? 0 : stint_sql_i64(&row->query, row->place[column]);
    return value && stint_foreign_has(row, column) ? value : 0;
}

/* Returns whether the value is there, and is not of the type that is expected. */
static int is_odd(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    return row->place[column] >= 0 && !stint_sql_is_null(&row->query, row->place[column]) &&
           !stint_foreign_has(row, column);
}

int64_t stint_foreign_refuse(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    struct stint_foreign_impossible *impossible = row->impossible;
    if (!impossible->count++)
        (void)snprintf(impossible->first, sizeof impossible->first, "%s of %s", bare(row->table->columns[column]),
                       row->name);
    return 0;
}

int64_t stint_foreign_i64(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    int64_t value = read_number(row, column);
    return value || !is_odd(row, column) ? value : stint_foreign_refuse(row, column);
}

double stint_foreign_double(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    if (is_odd(row, column))
        return (double)stint_foreign_refuse(row, column);
    return stint_foreign_has(row, column) ? stint_sql_double(&row->query, row->place[column]) : 0;
}

const char *stint_foreign_text(const struct stint_foreign_stream *row, enum stint_foreign_column column, size_t *length)
{
    const char *text = stint_foreign_has(row, column) ? stint_sql_text(&row->query, row->place[column]) : "";
    *length = *text ? stint_sql_length(&row->query, row->place[column]) : 0;
    return text;
}

static int64_t read_between(const struct stint_foreign_stream *row, enum stint_foreign_column column, int64_t least,
                            int64_t most)
{
    int64_t value = stint_foreign_i64(row, column);
    return value >= least && value <= most ? value : stint_foreign_refuse(row, column);
}

uint64_t stint_foreign_u64(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    return (uint64_t)read_between(row, column, 0, INT64_MAX);
}

uint32_t stint_foreign_u32(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    return (uint32_t)read_between(row, column, 0, UINT32_MAX);
}

uint32_t stint_foreign_bits(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    return (uint32_t)read_between(row, column, INT32_MIN, UINT32_MAX);
}

/* Advances to the stream's next row whose times are whole numbers, or which has no end. */
static void advance(struct stint_foreign_rows *rows, struct stint_foreign_stream *stream)
{
    while ((stream->has_row = stint_sql_step(&stream->query))) {
        stream->start = read_number(stream, STINT_FOREIGN_START);
        stream->end = read_number(stream, STINT_FOREIGN_END);
        stream->has_end = stream->end || (!rows->is_zero_unknown && stint_foreign_has(stream, STINT_FOREIGN_END));
        if ((stream->start || stint_foreign_has(stream, STINT_FOREIGN_START)) &&
            (stream->end || !is_odd(stream, STINT_FOREIGN_END)))
            return;
        rows->malformed++;
    }
}

void stint_foreign_rows_begin(struct stint_foreign_rows *rows)
{
    stint_foreign_rows_end(rows);
    rows->malformed = rows->impossible.count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        rows->streams[i].impossible = &rows->impossible;
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

/* SQLite, as far as it is needed here: files of others are opened so that they can do no harm, and one failure sticks.
 *
 *     struct stint_sql sql;
 *     if (stint_sql_open(&sql, path) == 0) {
 *         struct stint_sql_query query = stint_sql_query(&sql, "SELECT id, value FROM StringIds WHERE id > ?1");
 *         stint_sql_bind_i64(&query, 1, 0);
 *         while (stint_sql_step(&query))
 *             use(stint_sql_i64(&query, 0), stint_sql_text(&query, 1));
 *         stint_sql_end(&query);
 *     }
 *     if (sql.failed)
 *         complain(sql.reason);
 *     stint_sql_close(&sql);
 *
 * After a failure everything is harmless: queries have no rows, statements do nothing, and the first reason stays. */
#ifndef STINT_STORE_SQL_H
#define STINT_STORE_SQL_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct sqlite3;
struct sqlite3_stmt;

struct stint_sql {
    struct sqlite3 *database;
    int failed;
    char reason[160];            /* "" unless it has failed */
    uint64_t most_work;          /* limit for the work of one query */
    uint64_t work;               /* work of the current query, in steps of SQLite's virtual machine */
    int64_t most_s;              /* limit for the seconds of one query */
    int64_t begin_s;             /* when the current one began */
    struct stint_array computed; /* columns whose values are not in the file */
    struct stint_array views;    /* const char *: names of the file's views, if others may be read */
    int has_temporary;           /* they may */
    struct stint_arena arena;
};

/* A zeroed query is none, and has no rows. */
struct stint_sql_query {
    struct stint_sql *sql;
    struct sqlite3_stmt *statement;
};

/* Opens a file for reading. Nothing in it is trusted: a query that reads a view or a generated column fails, and so
 * does opening a file with virtual tables; each page is checked, no value may be larger than the file can hold, and a
 * query fails if it takes more work than a file of that size can explain: some hundred steps for each of its bytes, and
 * a second for a million of them. Joins therefore need an index, or one that SQLite makes by itself. If a program died
 * while it wrote the file, what it had not completed is removed from the file first.
 *
 * Returns 0, or -1: sql->reason says why. Close it in either case. */
int stint_sql_open(struct stint_sql *sql, const char *path);

/* Lets the connection to a file that is open for reading have temporary tables and views. Queries may read these views,
 * though still none that are in the file. Returns 0, or -1. */
int stint_sql_allow_temporary(struct stint_sql *sql);

/* Opens an empty file for writing, which nobody reads before it is closed: without locks, and with no way back from a
 * statement that fails. Write all of it in one transaction. The path "" stands for a database that lives as long as it
 * is open, in memory while it is small. Returns and has to be closed like stint_sql_open. */
int stint_sql_fill(struct stint_sql *sql, const char *path);

/* The same with a new file, which replaces an existing one. */
int stint_sql_create(struct stint_sql *sql, const char *path);

void stint_sql_close(struct stint_sql *sql);

/* Makes it fail for a reason of the caller's, unless it has failed already. Returns -1. */
__attribute__((format(printf, 2, 3))) int stint_sql_fail(struct stint_sql *sql, const char *format, ...);

/* Runs statements that return no rows. Returns 0, or -1. */
int stint_sql_run(struct stint_sql *sql, const char *statements);

/* Returns whether there is such a table, or such a table with a column of that name. Views and virtual tables do not
 * count, because whoever made the file decides what they do. Names are compared as SQLite does, ignoring case. */
int stint_sql_has_table(struct stint_sql *sql, const char *table);
int stint_sql_has_column(struct stint_sql *sql, const char *table, const char *column);

/* Returns whether it has such a column, of which the values are in the file, in a file that is open for reading. */
int stint_sql_stores_column(struct stint_sql *sql, const char *table, const char *column);

/* Returns whether the column is declared so that SQLite makes integers of all values that look like integers. */
int stint_sql_is_integer(struct stint_sql *sql, const char *table, const char *column);

/* A query. End it with stint_sql_end before the file is closed. */
struct stint_sql_query stint_sql_query(struct stint_sql *sql, const char *text);
void stint_sql_end(struct stint_sql_query *query);

/* Bind a parameter; parameters are counted from 1. A text has to live until the query is reset or ended. */
void stint_sql_bind_i64(struct stint_sql_query *query, int parameter, int64_t value);
void stint_sql_bind_text(struct stint_sql_query *query, int parameter, const char *text, size_t length);
void stint_sql_bind_blob(struct stint_sql_query *query, int parameter, const void *bytes, size_t length);
void stint_sql_bind_null(struct stint_sql_query *query, int parameter);

/* Returns 1 if there is another row, 0 if there is none, or after a failure. */
int stint_sql_step(struct stint_sql_query *query);

/* Starts the query over; parameters keep their values. */
void stint_sql_reset(struct stint_sql_query *query);

/* Runs a statement that returns no rows, and resets it. */
void stint_sql_do(struct stint_sql_query *query);

/* Read a column of the row; columns are counted from 0. A number is 0 if the value is NULL or not a number; a text is
 * "" if it is NULL, and lives until the next step. */
enum stint_sql_type { STINT_SQL_NULL, STINT_SQL_INTEGER, STINT_SQL_REAL, STINT_SQL_TEXT, STINT_SQL_BLOB };
enum stint_sql_type stint_sql_type(const struct stint_sql_query *query, int column);
int stint_sql_is_null(const struct stint_sql_query *query, int column);
int64_t stint_sql_i64(const struct stint_sql_query *query, int column);
double stint_sql_double(const struct stint_sql_query *query, int column);
const char *stint_sql_text(const struct stint_sql_query *query, int column);
size_t stint_sql_length(const struct stint_sql_query *query, int column); /* of a text in bytes; call it after reading
                                                                           * the text */

#endif

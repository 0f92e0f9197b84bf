#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/sqlite_library.h"

enum {
    LONGEST_VALUE = 1000 * 1000 * 1000,
    LONGEST_PATH = 4096,
    WORK_INTERVAL = 10000, /* steps between two checks of the work that a query has done */
    WORK_OF_ANY = 50 * 1000 * 1000,
    WORK_PER_BYTE = 200
};

/* --------------------------------------------------------------------------------------------------------- failures */

int stint_sql_fail(struct stint_sql *sql, const char *format, ...)
{
    va_list arguments;
    if (sql->failed)
        return -1;
    sql->failed = 1;
    va_start(arguments, format);
    (void)vsnprintf(sql->reason, sizeof sql->reason, format, arguments);
    va_end(arguments);
    return -1;
}

/* Fails with SQLite's error, in words for people who use the file. */
static int fail_with(struct stint_sql *sql, int code)
{
    const char *message = sql->database ? stint_sqlite.errmsg(sql->database) : stint_sqlite.errstr(code);
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
        return stint_sql_fail(sql, "the database is damaged (%s)", message);
    case SQLITE_NOTADB:
        return stint_sql_fail(sql, "this is not an SQLite database, or it is damaged");
    case SQLITE_BUSY:
        return stint_sql_fail(sql, "the database is being written; try again when its program has ended");
    case SQLITE_INTERRUPT:
        return stint_sql_fail(sql, "reading the database takes more work than its size explains: it is damaged");
    case SQLITE_NOMEM:
        return stint_sql_fail(sql, "there is not enough memory");
    case SQLITE_FULL:
        return stint_sql_fail(sql, "the disk is full");
    default:
        return stint_sql_fail(sql, "SQLite says: %s", message);
    }
}

/* --------------------------------------------------------------------------------------------------- open and close */

static int is_too_much(void *context)
{
    struct stint_sql *sql = context;
    sql->work += WORK_INTERVAL;
    return sql->work > sql->most_work;
}

/* SQLite treats some names as something other than a file: ":memory:", and in some builds "file:...". */
static int file_path(char *out, const char *path)
{
    int length = snprintf(out, LONGEST_PATH, "%s%s", path[0] == '/' ? "" : "./", path);
    return length < LONGEST_PATH ? 0 : -1;
}

static int open_file(struct stint_sql *sql, const char *path, int flags)
{
    char name[LONGEST_PATH];
    *sql = (struct stint_sql){0};
    const char *missing = stint_sqlite_open();
    if (missing)
        return stint_sql_fail(sql, "%s", missing);
    if (file_path(name, path))
        return stint_sql_fail(sql, "its path is too long");
    int code = stint_sqlite.open_v2(name, &sql->database, flags | SQLITE_OPEN_NOMUTEX, NULL);
    return code ? fail_with(sql, code) : 0;
}

/* If a program died while it wrote the file, the file has its journal beside it. SQLite uses it to roll back what was
 * not completed, which writes to the file even when it is opened for reading. */
static int has_journal(const char *path)
{
    static const char *const suffixes[] = {"-journal", "-wal"};
    char name[LONGEST_PATH + 16];
    struct stat info;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        if (stat(name, &info) == 0 && info.st_size > 0)
            return 1;
    }
    return 0;
}

static void trust_nothing(struct stint_sql *sql, const char *path)
{
    struct stat info;
    stint_sqlite.db_config(sql->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    stint_sqlite.db_config(sql->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    stint_sqlite.db_config(sql->database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    stint_sqlite.limit(sql->database, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
    stint_sqlite.limit(sql->database, SQLITE_LIMIT_ATTACHED, 0);
    sql->most_work = WORK_OF_ANY;
    if (stat(path, &info) == 0)
        sql->most_work += (uint64_t)info.st_size * WORK_PER_BYTE;
    stint_sqlite.progress_handler(sql->database, WORK_INTERVAL, is_too_much, sql);
}

int stint_sql_open(struct stint_sql *sql, const char *path)
{
    int recovers = has_journal(path) && access(path, W_OK) == 0;
    if (open_file(sql, path, recovers ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY))
        return -1;
    trust_nothing(sql, path);
    (void)stint_sql_run(sql, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA temp_store=FILE");
    struct stint_sql_query query = stint_sql_query(sql, "SELECT count(*) FROM sqlite_master");
    (void)stint_sql_step(&query);
    stint_sql_end(&query);
    (void)stint_sql_run(sql, "PRAGMA query_only=ON");
    return sql->failed ? -1 : 0;
}

/* The file is created here, not by SQLite, so that an existing file is replaced and no link is followed. */
static int make_file(struct stint_sql *sql, const char *path)
{
    (void)unlink(path);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return stint_sql_fail(sql, "%s", strerror(errno));
    (void)close(file);
    return 0;
}

int stint_sql_create(struct stint_sql *sql, const char *path)
{
    *sql = (struct stint_sql){0};
    if (make_file(sql, path))
        return -1;
    return open_file(sql, path, SQLITE_OPEN_READWRITE);
}

void stint_sql_close(struct stint_sql *sql)
{
    if (sql->database)
        (void)stint_sqlite.close(sql->database);
    sql->database = NULL;
}

/* ---------------------------------------------------------------------------------------------------------- queries */

int stint_sql_run(struct stint_sql *sql, const char *statements)
{
    if (sql->failed)
        return -1;
    sql->work = 0;
    int code = stint_sqlite.exec(sql->database, statements, NULL, NULL, NULL);
    return code ? fail_with(sql, code) : 0;
}

struct stint_sql_query stint_sql_query(struct stint_sql *sql, const char *text)
{
    struct stint_sql_query query = {.sql = sql};
    if (sql->failed)
        return query;
    sql->work = 0;
    int code = stint_sqlite.prepare_v2(sql->database, text, -1, &query.statement, NULL);
    if (code)
        (void)fail_with(sql, code);
    return query;
}

void stint_sql_end(struct stint_sql_query *query)
{
    if (query->statement)
        (void)stint_sqlite.finalize(query->statement);
    *query = (struct stint_sql_query){0};
}

int stint_sql_step(struct stint_sql_query *query)
{
    if (!query->statement || query->sql->failed)
        return 0;
    int code = stint_sqlite.step(query->statement);
    if (code == SQLITE_ROW)
        return 1;
    if (code != SQLITE_DONE)
        (void)fail_with(query->sql, code);
    return 0;
}

void stint_sql_reset(struct stint_sql_query *query)
{
    if (!query->statement)
        return;
    query->sql->work = 0;
    (void)stint_sqlite.reset(query->statement);
}

void stint_sql_do(struct stint_sql_query *query)
{
    (void)stint_sql_step(query);
    stint_sql_reset(query);
}

/* ------------------------------------------------------------------------------------------------------- parameters */

static void check(struct stint_sql_query *query, int code)
{
    if (query->statement && code)
        (void)fail_with(query->sql, code);
}

void stint_sql_bind_i64(struct stint_sql_query *query, int parameter, int64_t value)
{
    check(query, stint_sqlite.bind_int64(query->statement, parameter, value));
}

void stint_sql_bind_text(struct stint_sql_query *query, int parameter, const char *text, size_t length)
{
    check(query, stint_sqlite.bind_text64(query->statement, parameter, text, length, SQLITE_STATIC, SQLITE_UTF8));
}

void stint_sql_bind_blob(struct stint_sql_query *query, int parameter, const void *bytes, size_t length)
{
    check(query, stint_sqlite.bind_blob64(query->statement, parameter, bytes, length, SQLITE_STATIC));
}

void stint_sql_bind_null(struct stint_sql_query *query, int parameter)
{
    check(query, stint_sqlite.bind_null(query->statement, parameter));
}

/* ---------------------------------------------------------------------------------------------------------- columns */

int stint_sql_is_null(const struct stint_sql_query *query, int column)
{
    return !query->statement || stint_sqlite.column_type(query->statement, column) == SQLITE_NULL;
}

int64_t stint_sql_i64(const struct stint_sql_query *query, int column)
{
    return query->statement ? stint_sqlite.column_int64(query->statement, column) : 0;
}

double stint_sql_double(const struct stint_sql_query *query, int column)
{
    return query->statement ? stint_sqlite.column_double(query->statement, column) : 0;
}

const char *stint_sql_text(const struct stint_sql_query *query, int column)
{
    const char *text = query->statement ? (const char *)stint_sqlite.column_text(query->statement, column) : NULL;
    return text ? text : "";
}

size_t stint_sql_length(const struct stint_sql_query *query, int column)
{
    return query->statement ? (size_t)stint_sqlite.column_bytes(query->statement, column) : 0;
}

/* ----------------------------------------------------------------------------------------------------------- schema */

static int finds(struct stint_sql *sql, const char *text, const char *table, const char *column)
{
    struct stint_sql_query query = stint_sql_query(sql, text);
    stint_sql_bind_text(&query, 1, table, strlen(table));
    if (column)
        stint_sql_bind_text(&query, 2, column, strlen(column));
    int found = stint_sql_step(&query);
    stint_sql_end(&query);
    return found;
}

/* Views and virtual tables have no root page. */
int stint_sql_has_table(struct stint_sql *sql, const char *table)
{
    return finds(sql, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?1 COLLATE NOCASE",
                 table, NULL);
}

int stint_sql_has_column(struct stint_sql *sql, const char *table, const char *column)
{
    return stint_sql_has_table(sql, table) &&
           finds(sql, "SELECT 1 FROM pragma_table_xinfo(?1) WHERE name = ?2 COLLATE NOCASE", table, column);
}

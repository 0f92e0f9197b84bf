/* Opens databases of others so that they can do no harm, writes new ones, and keeps the first failure. */
#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    LONGEST_VALUE = 1000 * 1000 * 1000, /* SQLite has no larger ones */
    LEAST_VALUE = 1000 * 1000,
    LONGEST_PATH = 4096,
    WORK_INTERVAL = 10000, /* steps between two checks of the work that a query has done */
    WORK_OF_ANY = 50 * 1000 * 1000,
    WORK_PER_BYTE = 200,
    SECONDS_OF_ANY = 60,
    BYTES_PER_SECOND = 1000 * 1000
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
    const char *message = sql->database ? sqlite3_errmsg(sql->database) : sqlite3_errstr(code);
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
        return stint_sql_fail(sql, "the database is damaged (%s)", message);
    case SQLITE_NOTADB:
        return stint_sql_fail(sql, "this is not an SQLite database, or it is damaged");
    case SQLITE_BUSY:
        return stint_sql_fail(sql, "the database is being written; try again when its program has ended");
    case SQLITE_INTERRUPT:
        return stint_sql_fail(sql, "reading the database takes more work than its size explains: it is damaged");
    case SQLITE_AUTH:
        return stint_sql_fail(sql, "it is not a recording: it has views or generated columns in place of tables");
    case SQLITE_NOMEM:
        return stint_sql_fail(sql, "there is not enough memory");
    case SQLITE_FULL:
        return stint_sql_fail(sql, "the disk is full");
    default:
        return stint_sql_fail(sql, "SQLite says: %s", message);
    }
}

/* --------------------------------------------------------------------------------------------------- open and close */

static int64_t now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void begin_work(struct stint_sql *sql)
{
    sql->work = 0;
    sql->begin_s = now_s();
}

static int is_too_much(void *context)
{
    struct stint_sql *sql = context;
    sql->work += WORK_INTERVAL;
    return sql->work > sql->most_work || now_s() - sql->begin_s > sql->most_s;
}

struct column {
    const char *table;
    const char *name;
};

static int is_computed(const struct stint_sql *sql, const char *table, const char *name)
{
    const struct column *columns = sql->computed.items;
    for (size_t i = 0; i < sql->computed.count; i++)
        if (strcmp(columns[i].table, table) == 0 && strcmp(columns[i].name, name) == 0)
            return 1;
    return 0;
}

/* For SQLite, WITH makes views, too. */
static int is_view_of_file(const struct stint_sql *sql, const char *name)
{
    const char *const *views = sql->views.items;
    for (size_t i = 0; i < sql->views.count; i++)
        if (strcasecmp(views[i], name) == 0)
            return 1;
    return 0;
}

/* Nothing of what stint reads is in a view or a generated column, of which a small file can make endless rows, or
 * values of any size. */
static int allow(void *context, int action, const char *table, const char *column, const char *database,
                 const char *view)
{
    (void)database;
    if (action == SQLITE_FUNCTION) /* of a view that is read, reading is what is refused */
        return SQLITE_OK;
    if (view && ((struct stint_sql *)context)->has_temporary && !is_view_of_file(context, view))
        view = NULL;
    return view || (action == SQLITE_READ && is_computed(context, table, column)) ? SQLITE_DENY : SQLITE_OK;
}

/* SQLite treats some names as something other than a file: ":memory:", and in some builds "file:...". With `immutable`
 * it is told that nobody writes the file, so that it neither locks it nor makes files beside it. Returns 0, or -1 if
 * the path is too long. */
static int name_file(char *out, size_t size, const char *path, int immutable)
{
    size_t used = (size_t)snprintf(out, size, "%s%s", immutable ? "file:" : "", path[0] == '/' ? "" : "./");
    for (; *path && used + 4 < size; path++)
        used += (size_t)snprintf(out + used, size - used, immutable && strchr("?#%", *path) ? "%%%02X" : "%c", *path);
    return *path || snprintf(out + used, size - used, "%s", immutable ? "?immutable=1" : "") >= (int)(size - used) ? -1
                                                                                                                   : 0;
}

static int open_file(struct stint_sql *sql, const char *path, int flags)
{
    char name[LONGEST_PATH];
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* its lock takes a tenth of the time; no effect once begun */
    *sql = (struct stint_sql){0};
    if (name_file(name, sizeof name, path, (flags & SQLITE_OPEN_URI) != 0))
        return stint_sql_fail(sql, "its path is too long");
    int code = sqlite3_open_v2(*path ? name : "", &sql->database, flags | SQLITE_OPEN_NOMUTEX, NULL);
    return code ? fail_with(sql, code) : 0;
}

/* Returns how many of the bytes at an offset could be read; -1 if there is no such file, -2 if it is a link or another
 * thing that is no file. */
static ssize_t read_bytes(const char *path, off_t at, unsigned char *bytes, size_t count)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (file < 0)
        return errno == ENOENT ? -1 : -2;
    int is_file = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    ssize_t length = is_file ? pread(file, bytes, count, at) : -2;
    (void)close(file);
    return length;
}

/* A program that writes a database has a file beside it, which says what is to be undone or added, and leaves it there
 * when it dies. Whoever made the database may have made that file, too. SQLite would do what it says: change the
 * database, and remove other files that it names. */
static int refuse_unfinished(struct stint_sql *sql, const char *path)
{
    static const char *const suffixes[] = {"-journal", "-wal"};
    char name[PATH_MAX + 16];
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        unsigned char first = 0;
        (void)snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        ssize_t length = read_bytes(name, 0, &first, 1);
        if (length == -2 || (length == 1 && first)) /* one that begins with 0 is over */
            return stint_sql_fail(sql,
                                  "it is being written, or was not completed: there is a file %s. Unless a program "
                                  "writes it, complete it: sqlite3 FILE .tables",
                                  suffixes[i]);
    }
    return 0;
}

/* If a database was last written with a write-ahead log, SQLite would make files beside it even to read it. */
static int has_log(const char *path)
{
    enum { VERSION_AT = 19, WITH_LOG = 2 };
    unsigned char version;
    return read_bytes(path, VERSION_AT, &version, 1) == 1 && version == WITH_LOG;
}

/* Recordings have tables of some forty columns. */
static void set_limits(struct sqlite3 *database, int longest_value)
{
    static const int limits[][2] = {{SQLITE_LIMIT_ATTACHED, 0},        {SQLITE_LIMIT_COLUMN, 250},
                                    {SQLITE_LIMIT_EXPR_DEPTH, 100},    {SQLITE_LIMIT_COMPOUND_SELECT, 50},
                                    {SQLITE_LIMIT_SQL_LENGTH, 100000}, {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                    {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        sqlite3_limit(database, limits[i][0], limits[i][1]);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, longest_value);
}

static void trust_nothing(struct stint_sql *sql, const char *path)
{
    struct stat info;
    sqlite3_db_config(sql->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sql->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(sql->database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    /* Virtual tables run code on what the file says; no file can have one of json_each. */
    sqlite3_drop_modules(sql->database, (const char *[]){"json_each", NULL});
    uint64_t bytes = stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
    uint64_t longest = LEAST_VALUE + 2 * bytes; /* as hexadecimal digits a value is twice as long */
    set_limits(sql->database, longest < LONGEST_VALUE ? (int)longest : LONGEST_VALUE);
    sql->most_work = WORK_OF_ANY + bytes * WORK_PER_BYTE;
    sql->most_s = SECONDS_OF_ANY + (int64_t)(bytes / BYTES_PER_SECOND);
    begin_work(sql);
    sqlite3_set_authorizer(sql->database, allow, sql);
    sqlite3_progress_handler(sql->database, WORK_INTERVAL, is_too_much, sql);
}

static int add_computed(struct stint_sql *sql, const struct stint_sql_query *query)
{
    struct column *column = stint_array_add(&sql->computed, &sql->arena, sizeof *column);
    if (!column)
        return stint_sql_fail(sql, "there is not enough memory");
    column->table = stint_arena_copy(&sql->arena, stint_sql_text(query, 0), stint_sql_length(query, 0));
    column->name = stint_arena_copy(&sql->arena, stint_sql_text(query, 1), stint_sql_length(query, 1));
    return column->table && column->name ? 0 : stint_sql_fail(sql, "there is not enough memory");
}

/* Finds the columns whose values are not in the file. Recordings of stint have some, for other tools. */
static void find_computed(struct stint_sql *sql)
{
    enum { MOST = 1000, VIRTUAL = 2 };
    struct stint_sql_query query =
        stint_sql_query(sql, "SELECT m.name, c.name, c.hidden FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS c "
                             "WHERE m.type = 'table' AND c.hidden <> 0");
    while (stint_sql_step(&query))
        if (stint_sql_i64(&query, 2) == VIRTUAL && (sql->computed.count == MOST || add_computed(sql, &query)))
            (void)stint_sql_fail(sql, "it is not a recording: it has too many generated columns");
    stint_sql_end(&query);
}

/* Without their modules they could not be used, but that would be told in words of SQLite. */
static int refuse_virtual(struct stint_sql *sql)
{
    struct stint_sql_query query =
        stint_sql_query(sql, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND ifnull(rootpage, 0) = 0");
    if (stint_sql_step(&query))
        (void)stint_sql_fail(sql, "it is not a recording: it has virtual tables");
    stint_sql_end(&query);
    return sql->failed ? -1 : 0;
}

int stint_sql_open(struct stint_sql *sql, const char *path)
{
    char target[PATH_MAX];
    *sql = (struct stint_sql){0};
    if (realpath(path, target)) /* the files beside it are where a link leads to */
        path = target;
    if (refuse_unfinished(sql, path) ||
        open_file(sql, path, SQLITE_OPEN_READONLY | (has_log(path) ? SQLITE_OPEN_URI : 0)))
        return -1;
    trust_nothing(sql, path);
    (void)stint_sql_run(sql, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA temp_store=FILE");
    struct stint_sql_query query = stint_sql_query(sql, "SELECT count(*) FROM sqlite_master");
    (void)stint_sql_step(&query);
    stint_sql_end(&query);
    (void)stint_sql_run(sql, "PRAGMA query_only=ON");
    if (refuse_virtual(sql) == 0)
        find_computed(sql);
    return sql->failed ? -1 : 0;
}

int stint_sql_allow_temporary(struct stint_sql *sql)
{
    struct stint_sql_query query = stint_sql_query(sql, "SELECT name FROM main.sqlite_master WHERE type = 'view'");
    while (stint_sql_step(&query)) {
        const char **view = stint_array_add(&sql->views, &sql->arena, sizeof *view);
        const char *name = stint_sql_text(&query, 0), *copy = stint_arena_copy(&sql->arena, name, strlen(name));
        if (!view || !copy)
            (void)stint_sql_fail(sql, "there is not enough memory");
        else
            *view = copy;
    }
    stint_sql_end(&query);
    sql->has_temporary = 1;
    return stint_sql_run(sql, "PRAGMA query_only=OFF"); /* the file itself is open for reading only */
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

/* What there is of a file that is not completed is removed, so that no journal is needed to take anything back. */
int stint_sql_fill(struct stint_sql *sql, const char *path)
{
    if (open_file(sql, path, *path ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE))
        return -1;
    return stint_sql_run(sql, "PRAGMA page_size=4096; PRAGMA auto_vacuum=NONE; PRAGMA locking_mode=EXCLUSIVE; "
                              "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; "
                              "PRAGMA cache_size=-16384; PRAGMA temp_store=FILE");
}

int stint_sql_create(struct stint_sql *sql, const char *path)
{
    *sql = (struct stint_sql){0};
    return make_file(sql, path) ? -1 : stint_sql_fill(sql, path);
}

void stint_sql_close(struct stint_sql *sql)
{
    if (sql->database)
        (void)sqlite3_close(sql->database);
    stint_arena_free(&sql->arena);
    sql->database = NULL;
}

/* ---------------------------------------------------------------------------------------------------------- queries */

int stint_sql_run(struct stint_sql *sql, const char *statements)
{
    if (sql->failed)
        return -1;
    begin_work(sql);
    int code = sqlite3_exec(sql->database, statements, NULL, NULL, NULL);
    return code ? fail_with(sql, code) : 0;
}

struct stint_sql_query stint_sql_query(struct stint_sql *sql, const char *text)
{
    struct stint_sql_query query = {.sql = sql};
    if (sql->failed)
        return query;
    begin_work(sql);
    int code = sqlite3_prepare_v2(sql->database, text, -1, &query.statement, NULL);
    if (code)
        (void)fail_with(sql, code);
    return query;
}

void stint_sql_end(struct stint_sql_query *query)
{
    if (query->statement)
        (void)sqlite3_finalize(query->statement);
    *query = (struct stint_sql_query){0};
}

int stint_sql_step(struct stint_sql_query *query)
{
    if (!query->statement || query->sql->failed)
        return 0;
    int code = sqlite3_step(query->statement);
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
    begin_work(query->sql);
    (void)sqlite3_reset(query->statement);
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
    check(query, sqlite3_bind_int64(query->statement, parameter, value));
}

void stint_sql_bind_text(struct stint_sql_query *query, int parameter, const char *text, size_t length)
{
    check(query, sqlite3_bind_text64(query->statement, parameter, text, length, SQLITE_STATIC, SQLITE_UTF8));
}

void stint_sql_bind_blob(struct stint_sql_query *query, int parameter, const void *bytes, size_t length)
{
    check(query, sqlite3_bind_blob64(query->statement, parameter, bytes, length, SQLITE_STATIC));
}

void stint_sql_bind_null(struct stint_sql_query *query, int parameter)
{
    check(query, sqlite3_bind_null(query->statement, parameter));
}

/* ---------------------------------------------------------------------------------------------------------- columns */

enum stint_sql_type stint_sql_type(const struct stint_sql_query *query, int column)
{
    switch (query->statement ? sqlite3_column_type(query->statement, column) : SQLITE_NULL) {
    case SQLITE_INTEGER:
        return STINT_SQL_INTEGER;
    case SQLITE_FLOAT:
        return STINT_SQL_REAL;
    case SQLITE_TEXT:
        return STINT_SQL_TEXT;
    case SQLITE_BLOB:
        return STINT_SQL_BLOB;
    default:
        return STINT_SQL_NULL;
    }
}

int stint_sql_is_null(const struct stint_sql_query *query, int column)
{
    return !query->statement || sqlite3_column_type(query->statement, column) == SQLITE_NULL;
}

int64_t stint_sql_i64(const struct stint_sql_query *query, int column)
{
    return query->statement ? sqlite3_column_int64(query->statement, column) : 0;
}

double stint_sql_double(const struct stint_sql_query *query, int column)
{
    return query->statement ? sqlite3_column_double(query->statement, column) : 0;
}

const char *stint_sql_text(const struct stint_sql_query *query, int column)
{
    const char *text = query->statement ? (const char *)sqlite3_column_text(query->statement, column) : NULL;
    return text ? text : "";
}

size_t stint_sql_length(const struct stint_sql_query *query, int column)
{
    return query->statement ? (size_t)sqlite3_column_bytes(query->statement, column) : 0;
}

/* ----------------------------------------------------------------------------------------------------------- schema */

/* Asks what SQLite has read of the schema, without a query. A view has no columns here. */
static int finds(struct stint_sql *sql, const char *table, const char *column, const char **type)
{
    if (sql->failed)
        return 0;
    int code = sqlite3_table_column_metadata(sql->database, "main", table, column, type, NULL, NULL, NULL, NULL);
    if (code != SQLITE_OK && code != SQLITE_ERROR)
        (void)fail_with(sql, code);
    return code == SQLITE_OK;
}

int stint_sql_has_table(struct stint_sql *sql, const char *table)
{
    return finds(sql, table, NULL, NULL);
}

int stint_sql_has_column(struct stint_sql *sql, const char *table, const char *column)
{
    return finds(sql, table, column, NULL);
}

int stint_sql_is_integer(struct stint_sql *sql, const char *table, const char *column)
{
    const char *type = NULL;
    return finds(sql, table, column, &type) && type && strcasestr(type, "INT");
}

int stint_sql_stores_column(struct stint_sql *sql, const char *table, const char *column)
{
    return stint_sql_has_column(sql, table, column) && !is_computed(sql, table, column);
}

/* Gathers events as rows, sorts them by time, and inserts them: a statement reads the rows that have been gathered for
 * a table as rows of a virtual table, which takes half the time of binding their values one by one. */
#include "store/rows.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "store/schema.h"

/* Number of rows that are gathered: enough to make runs few and long, and few enough to take only 10 MB. */
enum { RANGES = 1 << 18, GPU_ROWS = 1 << 15 };

/* ---------------------------------------------------------------------------------------------------- virtual table */

#define GATHERED "stint_gathered_rows"

static const char s_columns[] =
    "CREATE TABLE x(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, "
    "c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, "
    "c34, c35, c36, c37, c38, c39)";

struct gathered {
    struct sqlite3_vtab base; /* has to be the first member, as in the next */
    const struct stint_rows *rows;
};

/* Goes over the rows that have been gathered for the table that is written now. */
struct cursor {
    struct sqlite3_vtab_cursor base;
    const struct stint_rows *rows;
    size_t at;
};

static int connect_gathered(sqlite3 *database, void *rows, int count, const char *const *arguments,
                            sqlite3_vtab **connected, char **reason)
{
    struct gathered *gathered = calloc(1, sizeof *gathered);
    (void)count;
    (void)arguments;
    (void)reason;
    if (!gathered)
        return SQLITE_NOMEM;
    gathered->rows = rows;
    *connected = &gathered->base;
    return sqlite3_declare_vtab(database, s_columns);
}

static int free_gathered(sqlite3_vtab *gathered)
{
    free(gathered);
    return SQLITE_OK;
}

static int plan_nothing(sqlite3_vtab *gathered, sqlite3_index_info *info)
{
    (void)gathered;
    (void)info;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *gathered, sqlite3_vtab_cursor **opened)
{
    struct cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return SQLITE_NOMEM;
    cursor->rows = ((const struct gathered *)gathered)->rows;
    *opened = &cursor->base;
    return SQLITE_OK;
}

static int free_cursor(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

static void skip_rows_of_others(struct cursor *cursor)
{
    const struct stint_rows *rows = cursor->rows;
    if (rows->writing != STINT_STORE_RANGES)
        while (cursor->at < rows->gpu_count && rows->gpu[cursor->at].table != rows->writing)
            cursor->at++;
}

static int find_first(sqlite3_vtab_cursor *cursor, int number, const char *text, int count, sqlite3_value **values)
{
    (void)number;
    (void)text;
    (void)count;
    (void)values;
    ((struct cursor *)cursor)->at = 0;
    skip_rows_of_others((struct cursor *)cursor);
    return SQLITE_OK;
}

static int find_next(sqlite3_vtab_cursor *cursor)
{
    ((struct cursor *)cursor)->at++;
    skip_rows_of_others((struct cursor *)cursor);
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    const struct cursor *cursor = (const struct cursor *)base;
    const struct stint_rows *rows = cursor->rows;
    return cursor->at == (rows->writing == STINT_STORE_RANGES ? rows->range_count : rows->gpu_count);
}

static int write_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
    const struct cursor *cursor = (const struct cursor *)base;
    const struct stint_rows *rows = cursor->rows;
    if (rows->writing == STINT_STORE_RANGES)
        stint_event_columns_write(to, rows->writing, column, &rows->ranges[cursor->at]);
    else
        stint_event_columns_write(to, rows->writing, column, &rows->gpu[cursor->at]);
    return SQLITE_OK;
}

static int number_row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *number)
{
    *number = (sqlite3_int64)((const struct cursor *)cursor)->at;
    return SQLITE_OK;
}

/* Without a function that creates it, the table is there, and nothing of it is in the file. */
static const sqlite3_module s_gathered = {.xConnect = connect_gathered,
                                          .xDisconnect = free_gathered,
                                          .xBestIndex = plan_nothing,
                                          .xOpen = open_cursor,
                                          .xClose = free_cursor,
                                          .xFilter = find_first,
                                          .xNext = find_next,
                                          .xEof = is_at_end,
                                          .xColumn = write_column,
                                          .xRowid = number_row};

/* --------------------------------------------------------------------------------------------------- begin and end */

void stint_rows_begin(struct stint_rows *rows, struct stint_sql *sql, struct stint_strings *strings)
{
    *rows = (struct stint_rows){.sql = sql, .strings = strings};
    rows->ranges = malloc(RANGES * sizeof *rows->ranges);
    rows->gpu = malloc(GPU_ROWS * sizeof *rows->gpu);
    if (!rows->ranges || !rows->gpu || sqlite3_create_module(sql->database, GATHERED, &s_gathered, rows))
        (void)stint_sql_fail(sql, "there is not enough memory");
    for (int i = 0; i < STINT_STORE_TABLES; i++)
        rows->tables[i].insert = stint_event_columns_insert(sql, (enum stint_store_table)i, GATHERED);
    rows->insert_run = stint_sql_query(sql, "INSERT INTO stint_runs VALUES (?1, ?2, ?3, ?4, ?5)");
}

void stint_rows_end(struct stint_rows *rows)
{
    for (int i = 0; i < STINT_STORE_TABLES; i++)
        stint_sql_end(&rows->tables[i].insert);
    stint_sql_end(&rows->insert_run);
    if (rows->sql)
        (void)sqlite3_create_module(rows->sql->database, GATHERED, NULL, NULL); /* is none from now on */
    free(rows->ranges);
    free(rows->gpu);
}

/* ------------------------------------------------------------------------------------------------------------ order */

/* Sorts by start; of rows that start together, the longer one, which contains the others, comes first. */
static int compare_times(uint64_t start_a, uint64_t end_a, uint64_t start_b, uint64_t end_b)
{
    if (start_a != start_b)
        return start_a < start_b ? -1 : 1;
    return end_a == end_b ? 0 : end_a > end_b ? -1 : 1;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct stint_range_row *x = a, *y = b;
    return compare_times(x->start_ns, x->end_ns, y->start_ns, y->end_ns);
}

static int compare_gpu(const void *a, const void *b)
{
    const struct stint_gpu_row *x = a, *y = b;
    return compare_times(x->event.start_ns, x->event.end_ns, y->event.start_ns, y->event.end_ns);
}

/* Events of a recording are in order already. */
static void sort(void *rows, size_t count, size_t size, int (*compare)(const void *a, const void *b))
{
    const char *row = rows;
    size_t sorted = 1;
    for (; sorted < count && compare(row, row + size) <= 0; sorted++)
        row += size;
    if (sorted < count)
        qsort(rows, count, size, compare);
}

/* ----------------------------------------------------------------------------------------------------------- tables */

static void count_row(struct stint_rows_table *table, uint64_t start_ns, uint64_t end_ns)
{
    if (!table->gathered++)
        table->run_ns = table->run_end_ns = start_ns;
    if (start_ns > table->run_end_ns)
        table->run_end_ns = start_ns;
    if (end_ns > table->run_end_ns)
        table->run_end_ns = end_ns;
}

static enum stint_store_table table_of(const struct stint_gpu_row *row)
{
    static const enum stint_store_table tables[STINT_GPU_KINDS] = {
        [STINT_GPU_KERNEL] = STINT_STORE_KERNELS,    [STINT_GPU_COPY] = STINT_STORE_COPIES,
        [STINT_GPU_SET] = STINT_STORE_SETS,          [STINT_GPU_UNIFIED] = STINT_STORE_COPIES,
        [STINT_GPU_SPAN] = STINT_STORE_OTHERS,       [STINT_GPU_SYNC] = STINT_STORE_WAITS,
        [STINT_GPU_FAULT] = STINT_STORE_OTHERS,      [STINT_GPU_OVERHEAD] = STINT_STORE_OTHERS,
        [STINT_GPU_UNMEASURED] = STINT_STORE_OTHERS,
    };
    static const enum stint_store_table others[] = {[STINT_ROW_OF_OS_CALL] = STINT_STORE_OS,
                                                    [STINT_ROW_OF_VALUE] = STINT_STORE_VALUES,
                                                    [STINT_ROW_OF_MEMORY] = STINT_STORE_MEMORY,
                                                    [STINT_ROW_OF_SAMPLE] = STINT_STORE_SAMPLES};
    if (row->of != STINT_ROW_OF_GPU)
        return others[row->of];
    return row->event.api ? STINT_STORE_CALLS : tables[row->event.kind];
}

static uint32_t code_of(const struct stint_gpu_event *event, enum stint_store_table table)
{
    enum { OS_RUNTIME = 27 }; /* in ENUM_NSYS_EVENT_CLASS */
    if (table == STINT_STORE_OS)
        return OS_RUNTIME;
    if (table == STINT_STORE_CALLS)
        return (uint32_t)stint_call_is_driver(event->name);
    return table == STINT_STORE_COPIES ? stint_nsys_copy(event->kind, event->direction) : (uint32_t)event->wait;
}

static void place_gpu_row(struct stint_rows *rows, struct stint_gpu_row *row)
{
    row->table = table_of(row);
    if (row->table <= STINT_STORE_OS)
        row->code = code_of(&row->event, row->table);
    if (row->table == STINT_STORE_KERNELS)
        row->short_name = (uint32_t)stint_strings_short(rows->strings, row->name);
    count_row(&rows->tables[row->table], row->event.start_ns, row->event.end_ns);
}

/* ------------------------------------------------------------------------------------------------------------ write */

/* Inserts the rows that have been gathered for the table, as a run. */
static void write_run(struct stint_rows *rows, enum stint_store_table table)
{
    struct stint_rows_table *to = &rows->tables[table];
    if (!to->gathered)
        return;
    rows->writing = table;
    stint_sql_do(&to->insert);
    stint_sql_bind_i64(&rows->insert_run, 1, table);
    stint_sql_bind_i64(&rows->insert_run, 2, to->written + 1);
    stint_sql_bind_i64(&rows->insert_run, 3, to->written + to->gathered);
    stint_sql_bind_i64(&rows->insert_run, 4, (int64_t)to->run_ns);
    stint_sql_bind_i64(&rows->insert_run, 5, (int64_t)to->run_end_ns);
    stint_sql_do(&rows->insert_run);
    to->written += to->gathered;
    to->gathered = 0;
}

void stint_rows_flush(struct stint_rows *rows)
{
    sort(rows->ranges, rows->range_count, sizeof *rows->ranges, compare_ranges);
    sort(rows->gpu, rows->gpu_count, sizeof *rows->gpu, compare_gpu);
    for (size_t i = 0; i < rows->range_count; i++)
        count_row(&rows->tables[STINT_STORE_RANGES], rows->ranges[i].start_ns, rows->ranges[i].end_ns);
    for (size_t i = 0; i < rows->gpu_count; i++)
        place_gpu_row(rows, &rows->gpu[i]);
    for (int i = 0; i < STINT_STORE_TABLES; i++)
        write_run(rows, (enum stint_store_table)i);
    rows->range_count = rows->gpu_count = 0;
}

void stint_rows_add_range(struct stint_rows *rows, const struct stint_range_row *row)
{
    if (!rows->ranges || rows->sql->failed)
        return;
    rows->ranges[rows->range_count++] = *row;
    if (rows->range_count == RANGES)
        stint_rows_flush(rows);
}

void stint_rows_add_gpu(struct stint_rows *rows, const struct stint_gpu_row *row)
{
    if (!rows->gpu || rows->sql->failed)
        return;
    rows->gpu[rows->gpu_count++] = *row;
    if (rows->gpu_count == GPU_ROWS)
        stint_rows_flush(rows);
}

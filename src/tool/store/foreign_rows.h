/* The rows of a foreign file: those of all its tables, in the order of time. Which tables and columns it has depends on
 * the tool and on its version, so any of them may be missing. */
#ifndef STINT_STORE_FOREIGN_ROWS_H
#define STINT_STORE_FOREIGN_ROWS_H

#include "store/sql.h"

/* The kind of a table's rows. Rows with the same start and end are sorted by kind. */
enum stint_foreign_kind {
    STINT_FOREIGN_RANGE, /* ranges and marks of NVTX */
    STINT_FOREIGN_OS,    /* calls of the C library */
    STINT_FOREIGN_RUNTIME,
    STINT_FOREIGN_DRIVER,
    STINT_FOREIGN_KERNEL,
    STINT_FOREIGN_GRAPH,
    STINT_FOREIGN_COPY,
    STINT_FOREIGN_SET,
    STINT_FOREIGN_SYNC,
    STINT_FOREIGN_HOST_FAULT, /* of a page of unified memory */
    STINT_FOREIGN_DEVICE_FAULT
};

/* The meaning of columns. Values are whole numbers, except in the last columns. */
enum stint_foreign_column {
    STINT_FOREIGN_START,
    STINT_FOREIGN_END,
    STINT_FOREIGN_PROCESS,
    STINT_FOREIGN_THREAD,
    STINT_FOREIGN_END_THREAD,
    STINT_FOREIGN_CORRELATION,
    STINT_FOREIGN_TYPE,
    STINT_FOREIGN_NAME,    /* number of the name in the file's table of strings */
    STINT_FOREIGN_MANGLED, /* the same, for a kernel as the linker knows it */
    STINT_FOREIGN_DOMAIN,
    STINT_FOREIGN_CATEGORY,
    STINT_FOREIGN_COLOR,
    STINT_FOREIGN_DEVICE,
    STINT_FOREIGN_CONTEXT,
    STINT_FOREIGN_STREAM,
    STINT_FOREIGN_GRID_X, /* the first of three */
    STINT_FOREIGN_BLOCK_X = STINT_FOREIGN_GRID_X + 3,
    STINT_FOREIGN_REGISTERS = STINT_FOREIGN_BLOCK_X + 3,
    STINT_FOREIGN_STATIC_SHARED,
    STINT_FOREIGN_DYNAMIC_SHARED,
    STINT_FOREIGN_GRAPH_ID,
    STINT_FOREIGN_GRAPH_NODE,
    STINT_FOREIGN_BYTES, /* of faults, their number */
    STINT_FOREIGN_ADDRESS,
    STINT_FOREIGN_SOURCE,
    STINT_FOREIGN_DESTINATION,
    STINT_FOREIGN_SOURCE_DEVICE,
    STINT_FOREIGN_DESTINATION_DEVICE,
    STINT_FOREIGN_DESTINATION_CONTEXT,
    STINT_FOREIGN_UNSIGNED, /* payloads */
    STINT_FOREIGN_SIGNED,
    STINT_FOREIGN_UNSIGNED_32,
    STINT_FOREIGN_SIGNED_32,
    STINT_FOREIGN_DOUBLE, /* floating point from here on */
    STINT_FOREIGN_FLOAT,
    STINT_FOREIGN_TEXT,   /* a text */
    STINT_FOREIGN_OBJECT, /* bytes, as hexadecimal digits */
    STINT_FOREIGN_COLUMNS
};

/* A table. Columns are given by their names in the file; NULL if the table has no such column. */
struct stint_foreign_table {
    enum stint_foreign_kind kind;
    const char *name;
    const char *from;  /* NULL: this table alone. Otherwise the text after FROM, with columns as "a.name" */
    const char *where; /* NULL: all rows */
    const char *columns[STINT_FOREIGN_COLUMNS];
};

enum { STINT_FOREIGN_TABLES = 12 };

/* The rows of one table while they are being read. */
struct stint_foreign_stream {
    const struct stint_foreign_table *table;
    struct stint_sql_query query;
    signed char place[STINT_FOREIGN_COLUMNS]; /* in the query; -1: the file has no such column */
    int is_sorted;                            /* rows are in the file in the order in which they are read */
    int has_row;
    int64_t start, end; /* of the next row */
    int has_end;
};

struct stint_foreign_rows {
    struct stint_sql *sql;
    struct stint_foreign_stream streams[STINT_FOREIGN_TABLES];
    size_t count;
    struct stint_foreign_stream *current;
    int64_t first; /* the first start and the last end of all rows */
    int64_t last;
    uint64_t malformed; /* number of rows whose times are not whole numbers */
};

/* Finds out which of the tables exist, and the times that they cover. `count` is at most STINT_FOREIGN_TABLES. Returns
 * 0, or -1: see sql. */
int stint_foreign_rows_find(struct stint_foreign_rows *rows, struct stint_sql *sql,
                            const struct stint_foreign_table *tables, size_t count);

/* Begins at the first row; may be called again to start over. */
void stint_foreign_rows_begin(struct stint_foreign_rows *rows);

/* Advances to the next row: by start, and of rows that begin together the longer one first. Returns the row, or NULL
 * after the last row or a failure: see sql. */
const struct stint_foreign_stream *stint_foreign_rows_next(struct stint_foreign_rows *rows);

void stint_foreign_rows_end(struct stint_foreign_rows *rows);

/* Read a column of the row. A value that is missing or of an unexpected type is 0; stint_foreign_has tells whether
 * there is a value. */
int stint_foreign_has(const struct stint_foreign_stream *row, enum stint_foreign_column column);
int64_t stint_foreign_i64(const struct stint_foreign_stream *row, enum stint_foreign_column column);
uint32_t stint_foreign_u32(const struct stint_foreign_stream *row, enum stint_foreign_column column);
uint64_t stint_foreign_u64(const struct stint_foreign_stream *row, enum stint_foreign_column column);
double stint_foreign_double(const struct stint_foreign_stream *row, enum stint_foreign_column column);

/* Returns a text that lives until the next row, and its length; "" if there is none. */
const char *stint_foreign_text(const struct stint_foreign_stream *row, enum stint_foreign_column column,
                               size_t *length);

#endif

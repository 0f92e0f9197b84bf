/* Writes events as rows of a store's tables. Rows are gathered and written sorted, so that each run of rows listed in
 * stint_runs can be read in the order of time, and many runs can be merged without an index on time and without sorting
 * again. */
#ifndef STINT_STORE_ROWS_H
#define STINT_STORE_ROWS_H

#include "store/event_columns.h"
#include "store/string_ids.h"

/* A table that is written. */
struct stint_rows_table {
    struct stint_sql_query insert; /* all that have been gathered */
    int64_t written;
    int64_t gathered; /* since then, the first of which begins at run_ns */
    uint64_t run_ns;
};

struct stint_rows {
    struct stint_sql *sql;
    struct stint_strings *strings;
    struct stint_range_row *ranges;
    size_t range_count;
    struct stint_gpu_row *gpu;
    size_t gpu_count;
    struct stint_rows_table tables[STINT_STORE_TABLES];
    enum stint_store_table writing; /* the table that gathered rows are inserted into now */
    struct stint_sql_query insert_run;
};

void stint_rows_begin(struct stint_rows *rows, struct stint_sql *sql, struct stint_strings *strings);
void stint_rows_end(struct stint_rows *rows);

/* Add a row. */
void stint_rows_add_range(struct stint_rows *rows, const struct stint_range_row *row);
void stint_rows_add_gpu(struct stint_rows *rows, const struct stint_gpu_row *row);

/* Writes the gathered rows. */
void stint_rows_flush(struct stint_rows *rows);

#endif

/* Writes events as rows of a store's tables. Rows are gathered and written sorted, so that each run of rows listed in
 * stint_runs can be read in the order of time, and many runs can be merged without an index on time and without sorting
 * again. */
#ifndef STINT_STORE_ROWS_H
#define STINT_STORE_ROWS_H

#include "store/bulk.h"
#include "store/string_ids.h"

struct stint_rows {
    struct stint_sql *sql;
    struct stint_strings *strings;
    struct stint_range_row *ranges;
    size_t range_count;
    struct stint_gpu_row *gpu;
    size_t gpu_count;
    struct stint_bulk *bulk;                            /* ranges */
    struct stint_sql_query inserts[STINT_STORE_TABLES]; /* of the other tables */
    struct stint_sql_query insert_run;
    int64_t counts[STINT_STORE_TABLES]; /* number of rows written */
};

/* Begins; `bulk`, which takes ranges, has begun. */
void stint_rows_begin(struct stint_rows *rows, struct stint_sql *sql, struct stint_strings *strings,
                      struct stint_bulk *bulk);
void stint_rows_end(struct stint_rows *rows);

/* Add a row. */
void stint_rows_add_range(struct stint_rows *rows, const struct stint_range_row *row);
void stint_rows_add_gpu(struct stint_rows *rows, const struct stint_gpu_row *row);

/* Writes the gathered rows. */
void stint_rows_flush(struct stint_rows *rows);

#endif

/* Which column of a store's tables has which value of an event: what writes the rows and what reads them agree here. */
#ifndef STINT_STORE_EVENT_COLUMNS_H
#define STINT_STORE_EVENT_COLUMNS_H

#include "stint/gpu_stats.h"
#include "store/schema.h"

#define STINT_ROW_UNKNOWN UINT32_MAX /* a context that is not known: NULL */

/* A row of NVTX_EVENTS. */
struct stint_range_row {
    uint64_t start_ns;
    uint64_t end_ns; /* of marks and domains NULL */
    int64_t thread;  /* globalTid */
    uint32_t context;
    uint32_t text;
    uint32_t domain;
    uint32_t type; /* enum stint_store_type */
};

/* A row of any other table. */
struct stint_gpu_row {
    struct stint_gpu_event event;
    int64_t thread; /* globalTid of calls, else globalPid */
    uint32_t context;
    uint32_t name;
    uint32_t short_name; /* of kernels */
    uint32_t code;       /* of calls, copies and waits: Nsight Systems' number for what they are */
};

/* Return statements that insert a row, and that select those numbered from ?1 to ?2; start and end are the first two
 * columns. */
struct stint_sql_query stint_event_columns_insert(struct stint_sql *sql, enum stint_store_table table);
struct stint_sql_query stint_event_columns_select(struct stint_sql *sql, enum stint_store_table table);

/* Bind a row to the one, and read it from the other. A row is struct stint_range_row or struct stint_gpu_row; what is
 * NULL stays as it is. */
void stint_event_columns_bind(struct stint_sql_query *insert, enum stint_store_table table, const void *row);
void stint_event_columns_read(const struct stint_sql_query *selected, enum stint_store_table table, void *row);

#endif

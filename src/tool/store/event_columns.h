/* The columns of a store's tables of events, and which value each holds. Creating the tables, writing and reading rows
 * use this. */
#ifndef STINT_STORE_EVENT_COLUMNS_H
#define STINT_STORE_EVENT_COLUMNS_H

#include "model/event.h"
#include "store/schema.h"

#define STINT_ROW_UNKNOWN UINT32_MAX /* a context that is not known; NULL in the file */

/* A row of NVTX_EVENTS. */
struct stint_range_row {
    uint64_t start_ns;
    uint64_t end_ns; /* of push/pop and start/end ranges only */
    int64_t thread;  /* globalTid */
    uint32_t context;
    uint32_t text;
    uint32_t domain;
    uint32_t type;     /* enum stint_store_type */
    uint32_t category; /* 0: none, as in the next */
    uint32_t color;    /* 0xAARRGGBB */
    uint32_t has_seq;  /* of an operation (ctf_writer/instance_text.h), as the next three */
    uint64_t seq;
    uint64_t op_id; /* 0: none */
    uint32_t data;  /* in stint_operation_data; 0: none */
};

/* What a row of another table is of. */
enum stint_row_of {
    STINT_ROW_OF_GPU,     /* of what devices did, or a call of CUDA */
    STINT_ROW_OF_OS_CALL, /* of the C library: `event` has only the times */
    STINT_ROW_OF_VALUE,   /* a number: the same */
    STINT_ROW_OF_MEMORY,  /* allocated or freed: `event` has only the times */
    STINT_ROW_OF_SAMPLE   /* of a thread: the same */
};

/* A row of any other table. */
struct stint_gpu_row {
    struct stint_gpu_event event;
    enum stint_row_of of;
    uint32_t set; /* of a value, as the next two */
    uint32_t field;
    double value;
    struct stint_event_memory memory;
    struct stint_event_sample sample;
    int64_t thread; /* globalTid for calls, globalPid for everything else */
    uint32_t context;
    uint32_t name;
    uint32_t short_name;          /* of kernels */
    uint32_t code;                /* for calls, copies and waits: Nsight Systems' number for the kind */
    enum stint_store_table table; /* that it goes to */
};

struct sqlite3_context;

/* Creates the table. Columns that SQLite computes are added when all rows are written: it would compute them for each
 * row that is inserted. */
void stint_event_columns_create(struct stint_sql *sql, enum stint_store_table of);
void stint_event_columns_compute(struct stint_sql *sql, enum stint_store_table of);

/* Return statements that insert all rows of another table, whose columns are c0, c1, ..., c39; and that select the rows
 * numbered ?1 to ?2, with start and end as the first two columns. */
struct stint_sql_query stint_event_columns_insert(struct stint_sql *sql, enum stint_store_table of, const char *from);
struct stint_sql_query stint_event_columns_select(struct stint_sql *sql, enum stint_store_table of);

/* Write the value of a column of the former, of a row that is a struct stint_range_row or struct stint_gpu_row; and
 * read such a row from the latter: members whose columns are NULL are left unchanged. */
void stint_event_columns_write(struct sqlite3_context *to, enum stint_store_table table, int at, const void *row);
void stint_event_columns_read(const struct stint_sql_query *selected, enum stint_store_table table, void *row);

#endif

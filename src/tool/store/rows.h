/* The rows of a store's tables: their columns, how events are written as rows, and rows read as events; and the texts
 * and other things that numbers in them stand for. */
#ifndef STINT_STORE_ROWS_H
#define STINT_STORE_ROWS_H

#include "model/event.h"
#include "stint/snapshot.h"
#include "store/schema.h"
#include "store/sql.h"
#include "support/keyed_table.h"

/* -------------------------------------------------------------------------------------------------- event_columns.c */

/* The columns of a store's tables of events, and which value each holds. Creating the tables, writing and reading rows
 * use this. */

#define STINT_ROW_UNKNOWN UINT32_MAX /* a context that is not known; NULL in the file */

/* A row of NVTX_EVENTS. */
struct stint_range_row {
    uint64_t start_ns;
    uint64_t end_ns;    /* of push/pop and start/end ranges only */
    int64_t thread;     /* globalTid */
    int64_t end_thread; /* the same of the thread that it ended on, if that is another; 0 */
    uint32_t context;
    uint32_t text;
    uint32_t domain;
    uint32_t type;     /* enum stint_store_type */
    uint32_t category; /* 0: none, as in the next */
    uint32_t color;    /* 0xAARRGGBB */
    uint32_t has_seq;  /* of an operation (ctf_writer/ctf_writer.h), as the next three */
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

/* ----------------------------------------------------------------------------------------------------- string_ids.c */

/* The texts of a store that is being written: each of them once in StringIds, and in nvprof's StringTable. */

/* Ids from here on are of texts that carry data (support/annotation.h). */
#define STINT_STRINGS_ANNOTATED UINT32_C(0x80000000)

struct stint_strings_recent;

struct stint_strings {
    struct stint_arena arena;
    struct stint_table rows; /* of the ids from 1 on */
    struct stint_sql_query inserts[2];
    uint32_t annotated;                  /* number of texts that carry data */
    struct stint_strings_recent *recent; /* some of them; NULL: none yet */
};

void stint_strings_begin(struct stint_strings *strings, struct stint_sql *sql);
void stint_strings_end(struct stint_strings *strings);

/* Returns the text's id; a new text is written first. Returns 0 if there is no memory. */
uint32_t stint_strings_id(struct stint_strings *strings, const char *text, size_t length);

/* Returns the id of a text that carries data. There may be as many of them as events, so only some are remembered, and
 * a text may be written more than once. */
uint32_t stint_strings_annotated_id(struct stint_strings *strings, const char *text, size_t length);

/* Returns the id of a kernel's short name, without namespaces, parameters and result: "fill" for "void
 * at::fill<float>(float*)". */
uint32_t stint_strings_short(struct stint_strings *strings, uint32_t id);

/* ----------------------------------------------------------------------------------------------------------- rows.c */

/* Writes events as rows of a store's tables. Rows are gathered and written sorted, so that each run of rows listed in
 * stint_runs can be read in the order of time, and many runs can be merged without an index on time and without sorting
 * again. */

/* A table that is written. */
struct stint_rows_table {
    struct stint_sql_query insert; /* all that have been gathered */
    int64_t written;
    int64_t gathered; /* since then: the first of them begins at run_ns, the last one ends at run_end_ns */
    uint64_t run_ns;
    uint64_t run_end_ns;
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

/* --------------------------------------------------------------------------------------------------------- lookup.c */

/* Resolves the numbers in rows of a store: texts, domains, contexts. These are read once, except texts that carry data;
 * memory is needed for them, but not for events. */

/* A calling context of the file. */
struct stint_lookup_context {
    int64_t path;
    size_t context; /* the same context in the snapshot; STINT_GPU_UNATTRIBUTED if it has none */
    const char *set;
    const char *name;
};

struct stint_lookup {
    struct stint_arena arena;
    struct stint_table texts;
    struct stint_table contexts; /* struct stint_lookup_context */
    struct stint_table domains;
    size_t stack_count;                /* of the snapshot's call chains */
    struct stint_table data;           /* of operations */
    struct stint_sql_query other_data; /* reads one of those that are too many */
    struct stint_sql_query annotated;  /* reads one text; there may be as many of these as events */
};

/* Reads all of them. A context of the file is matched to the snapshot's context with the same sets and names from the
 * root down. */
void stint_lookup_read(struct stint_lookup *lookup, struct stint_sql *sql, const struct stint_snapshot *snapshot);
void stint_lookup_free(struct stint_lookup *lookup);

/* Returns the text; "" if there is none with that id. */
const char *stint_lookup_text(const struct stint_lookup *lookup, int64_t id);

/* Returns the text as a kernel's name, demangled. */
const char *stint_lookup_kernel(struct stint_lookup *lookup, int64_t id);

/* Returns a text that carries data, which lives until the next call; NULL if there is none with that id. */
const char *stint_lookup_annotated(struct stint_lookup *lookup, int64_t id);

/* Returns the data of operations with that id, 0 for none, which lives until the next call; NULL if there is none. */
const char *stint_lookup_data(struct stint_lookup *lookup, uint32_t id);

/* Returns the context with that path; NULL if there is none. */
const struct stint_lookup_context *stint_lookup_context(const struct stint_lookup *lookup, int64_t path);

/* Returns the name of the set of a range, by its type: push/pop, start/end, or mark. */
const char *stint_lookup_set(const struct stint_lookup *lookup, int type, int64_t domain);

/* ----------------------------------------------------------------------------------------------------- event_rows.c */

/* The rows of a store as events. */

/* A run of rows in the order of time, positioned at the next one. */
struct stint_store_run {
    enum stint_store_table table;
    struct stint_sql_query rows;
    uint64_t start_ns;
    uint64_t end_ns;
};

/* What the last event points to. */
struct stint_store_parts {
    struct stint_gpu_event gpu;
    struct stint_event_memory memory;
    char name[4096];
    char text[1 << 16]; /* of an operation */
};

/* Decodes the row at which a run is positioned. */
void stint_store_decode(const struct stint_store_run *run, struct stint_lookup *lookup, struct stint_event *event,
                        struct stint_store_parts *parts);

#endif

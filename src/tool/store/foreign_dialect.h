/* What reading databases of other tools consists of: their rows, their texts, and how the tools' files differ. */
#ifndef STINT_STORE_FOREIGN_DIALECT_H
#define STINT_STORE_FOREIGN_DIALECT_H

#include "model/event.h"
#include "replay/open.h"
#include "replay/replay.h"
#include "stint/snapshot.h"
#include "store/sql.h"
#include "support/keyed_table.h"

/* --------------------------------------------------------------------------------------------------- foreign_rows.c */

/* The rows of a foreign file: those of all its tables, in the order of time. Which tables and columns it has depends on
 * the tool and on its version, so any of them may be missing. */

struct stint_foreign_dialect;

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
    const char *name;  /* in the file "_V2" or another version may be behind it */
    const char *from;  /* NULL: this table alone. Otherwise what comes behind it, as "a", with columns as "a.name" */
    const char *where; /* NULL: all rows */
    const char *columns[STINT_FOREIGN_COLUMNS];
};

enum { STINT_FOREIGN_TABLES = 24, STINT_FOREIGN_TABLE_NAME = 64 };

/* Values that cannot be, and are read as 0: how many there were, and where the first is. */
struct stint_foreign_impossible {
    uint64_t count;
    char first[2 * STINT_FOREIGN_TABLE_NAME]; /* "gridX of CUPTI_ACTIVITY_KIND_KERNEL" */
};

/* The rows of one table while they are being read. */
struct stint_foreign_stream {
    const struct stint_foreign_table *table;
    char name[STINT_FOREIGN_TABLE_NAME]; /* of the table in the file */
    struct stint_sql_query query;
    signed char place[STINT_FOREIGN_COLUMNS]; /* in the query; -1: the file has no such column */
    int is_sorted;                            /* rows are in the file in the order in which they are read */
    int has_whole_times;                      /* no time is a text or has a fraction */
    struct stint_foreign_impossible *impossible;
    int has_row;
    int64_t start, end; /* of the next row */
    int has_end;
};

struct stint_foreign_rows {
    struct stint_sql *sql;
    struct stint_foreign_stream streams[STINT_FOREIGN_TABLES];
    size_t count;
    struct stint_foreign_stream *current;
    int is_zero_unknown; /* rows from 0 to 0 have no times */
    int64_t first;       /* the first start and the last end of all rows */
    int64_t last;
    uint64_t malformed; /* number of rows whose times are not whole numbers */
    struct stint_foreign_impossible impossible;
};

/* Finds the table of that name, or a later version of it, "NVTX_EVENTS_V2". Returns whether there is one, and its name
 * in `out`, of STINT_FOREIGN_TABLE_NAME bytes. */
int stint_foreign_find_table(struct stint_sql *sql, const char *name, char *out);

/* The function of SQL that makes a whole number of one that is a text or has a fraction; what is none stays. */
#define STINT_FOREIGN_WHOLE(value) "stint_whole(" value ")"

/* Finds out which of the dialect's tables exist, and the times that they cover. Returns 0, or -1: see sql. */
int stint_foreign_rows_find(struct stint_foreign_rows *rows, struct stint_sql *sql,
                            const struct stint_foreign_dialect *dialect);

/* Writes which tables with times, or of the dialect's, are none of these, and how many rows they have: "12 rows of
 * MPI_EVENTS". "": none. */
void stint_foreign_rows_left_out(const struct stint_foreign_rows *rows, const struct stint_foreign_dialect *dialect,
                                 char *out, size_t size);

/* Begins at the first row; may be called again to start over. */
void stint_foreign_rows_begin(struct stint_foreign_rows *rows);

/* Advances to the next row: by start, and of rows that begin together the longer one first. Returns the row, or NULL
 * after the last row or a failure: see sql. */
const struct stint_foreign_stream *stint_foreign_rows_next(struct stint_foreign_rows *rows);

void stint_foreign_rows_end(struct stint_foreign_rows *rows);

/* Read a column of the row. A value that is missing is 0, and so is one that cannot be there, which is counted;
 * stint_foreign_has tells whether there is a value of the type that is expected. */
int stint_foreign_has(const struct stint_foreign_stream *row, enum stint_foreign_column column);
int64_t stint_foreign_i64(const struct stint_foreign_stream *row, enum stint_foreign_column column);
uint32_t stint_foreign_u32(const struct stint_foreign_stream *row, enum stint_foreign_column column);
uint64_t stint_foreign_u64(const struct stint_foreign_stream *row, enum stint_foreign_column column);
uint32_t stint_foreign_bits(const struct stint_foreign_stream *row, enum stint_foreign_column column); /* signed, too */
double stint_foreign_double(const struct stint_foreign_stream *row, enum stint_foreign_column column);

/* Counts a value as impossible. Returns 0, as which it is read. */
int64_t stint_foreign_refuse(const struct stint_foreign_stream *row, enum stint_foreign_column column);

/* Returns a text that lives until the next row, and its length; "" if there is none. */
const char *stint_foreign_text(const struct stint_foreign_stream *row, enum stint_foreign_column column,
                               size_t *length);

/* -------------------------------------------------------------------------------------------------- foreign_names.c */

/* The texts of a foreign file, each kept once. The number of names is limited, the number of rows is not. */

/* Names and domains beyond these limits are not kept, and counted as dropped. */
enum { STINT_FOREIGN_MOST_NAMES = 1 << 18, STINT_FOREIGN_MOST_DOMAINS = 1 << 12, STINT_FOREIGN_MOST_NAME = 4095 };

/* A domain of NVTX: the sets that its statistics are in (stint/nvtx_stats.h). */
struct stint_foreign_domain {
    int64_t pid;
    int64_t id;
    const char *push_pop;
    const char *start_end;
    const char *marks;
};

struct stint_foreign_names {
    struct stint_sql *sql;
    struct stint_dropped *dropped;
    struct stint_sql_query lookup;
    struct stint_arena arena;
    struct stint_table texts;   /* struct stint_piece */
    struct stint_table ids;     /* in the file's table of strings */
    struct stint_table mangled; /* kernels */
    struct stint_table domains; /* struct stint_foreign_domain */
    const char *whole;          /* whole_text, if the text of the range that was named last carries data; else NULL */
    char whole_text[STINT_FOREIGN_MOST_NAME + 1];
};

/* Prepares to read numbered strings from that table, which has to have a key. Returns 0, or -1 if it has none (see
 * sql). */
int stint_foreign_names_begin(struct stint_foreign_names *names, struct stint_sql *sql, const char *table,
                              const char *id);

/* Return a text that stays valid and in place; equal texts have the same address. NULL if there is no such text, or no
 * room for more. */
const char *stint_foreign_name(struct stint_foreign_names *names, const char *text, size_t length);
const char *stint_foreign_name_of_id(struct stint_foreign_names *names, int64_t id);

/* The same for the name of a kernel, which may be mangled in the file. */
const char *stint_foreign_kernel_of_id(struct stint_foreign_names *names, int64_t id);

/* Notes the mangled name of a kernel, which stint_foreign_mangled returns; NULL: it is not known. */
void stint_foreign_add_mangled(struct stint_foreign_names *names, const char *kernel, int64_t id);
const char *stint_foreign_mangled(const struct stint_foreign_names *names, const char *kernel);

/* As the above for the text of a range, without the data that it carries. */
const char *stint_foreign_range(struct stint_foreign_names *names, const char *text, size_t length);
const char *stint_foreign_range_of_id(struct stint_foreign_names *names, int64_t id);

/* Returns the domain of a process; a domain that is not known yet is added with that name, "" for the default domain,
 * which stands for all for which there is no room. */
const struct stint_foreign_domain *stint_foreign_domain(struct stint_foreign_names *names, int64_t pid, int64_t id,
                                                        const char *name);

void stint_foreign_names_end(struct stint_foreign_names *names);

/* ------------------------------------------------------------------------------------------------- foreign_scopes.c */

/* Calling contexts of a foreign file. Zero it to begin. */
struct stint_foreign_scopes {
    struct stint_builder *builder; /* gets the contexts while the file is read for the first time; NULL otherwise */
    struct stint_dropped *dropped; /* counts those for which there is no room */
    struct stint_arena arena;
    struct stint_table nodes; /* struct node */
    struct stint_open_threads open;
    struct stint_helpers helpers;
};

/* Returns the thread at the start of the event; NULL if there is no memory. */
struct stint_open_thread *stint_foreign_thread_at(struct stint_foreign_scopes *scopes, const struct stint_event *event);

/* Returns the context that what begins on the thread is in; STINT_GPU_NO_SCOPE: none. */
size_t stint_foreign_context_around(struct stint_foreign_scopes *scopes, const struct stint_open_thread *thread,
                                    const struct stint_event *event);

/* Opens a scope on the thread, and sets the event's context. Returns whether there is room for it. */
int stint_foreign_scope_open(struct stint_foreign_scopes *scopes, struct stint_event *event,
                             struct stint_open_thread *thread);

/* Finds each context in the snapshot, which has an order of its own: later readings give events that one. Returns 0, or
 * -1 without memory. */
int stint_foreign_contexts_find(struct stint_foreign_scopes *scopes, const struct stint_snapshot *snapshot);

/* --------------------------------------------------------------------------------- foreign_nsys.c, foreign_nvprof.c */

/* The differences between the tools' files: which tables they have, and what is in them. */

struct stint_foreign_dialect {
    const char *strings; /* the table of strings, which identifies such a file, and its key */
    const char *string_id;
    const struct stint_foreign_table *tables;
    size_t table_count;
    int starts_at_0;     /* 1: times count from the session's start; 0: the first time in the file is the start */
    int is_zero_unknown; /* a time of 0 is none */

    /* Finds the kind of a row of ranges. Returns 0; -1 if the row names something else; 1 if its kind is not known. */
    int (*kind_of_range)(const struct stint_foreign_stream *row, enum stint_event_kind *kind);

    /* Sets the process and threads of a row; 0: unknown. */
    void (*owner)(const struct stint_foreign_stream *row, struct stint_event *event);

    /* Returns the name of a function, in `out` or elsewhere. */
    const char *(*call)(struct stint_foreign_names *names, const struct stint_foreign_stream *row, char *out,
                        size_t size);

    /* Returns the domain of a row of ranges. */
    const struct stint_foreign_domain *(*domain)(struct stint_foreign_names *names,
                                                 const struct stint_foreign_stream *row, int64_t pid);

    enum stint_gpu_memory_kind (*memory)(const struct stint_foreign_stream *row, enum stint_foreign_column column);

    /* Returns the command line of a process, in the builder's memory; "" if it is unknown. NULL: files of this kind
     * have no command lines. */
    const char *(*command)(struct stint_sql *sql, struct stint_replay *replay, int64_t pid);

    /* Adds threads, devices and domains, and describes the recording. Texts are allocated by the builder.
     * `process->pid` becomes the process of rows that do not name one. */
    void (*describe)(struct stint_sql *sql, struct stint_foreign_names *names, struct stint_replay *replay,
                     struct stint_process *process);
};

extern const struct stint_foreign_dialect stint_foreign_nsys;
extern const struct stint_foreign_dialect stint_foreign_nvprof;
extern const struct stint_foreign_dialect stint_foreign_kineto;

/* Returns the function with that number in CUPTI's list of the runtime's interface, or of the driver's; NULL if it is
 * not in the table of foreign_call_names.c. */
const char *stint_foreign_call_name(int is_driver, int64_t number);

/* Returns the name without the suffix of a variant: "cuMemAlloc" for "cuMemAlloc_v2". */
const char *stint_foreign_shown_call(const char *name, char *out, size_t size);

/* Returns the name of a range: a text of its own, or one from the file's table of strings. NULL if it has none, or if
 * there is no room for more. If its text carries data, the name is without them, and names->whole is the text. */
const char *stint_foreign_read_range(struct stint_foreign_names *names, const struct stint_foreign_stream *row);

/* Reads a number of a device's description. One that cannot be is 0, and is counted. */
uint64_t stint_foreign_device_number(const struct stint_sql_query *query, int column, uint64_t most,
                                     struct stint_dropped *dropped);

/* Reads a device activity, except for times, context and name. Returns the name; NULL as above. */
const char *stint_foreign_read_device(const struct stint_foreign_dialect *dialect, struct stint_foreign_names *names,
                                      const struct stint_foreign_stream *row, struct stint_gpu_event *gpu);

#endif

/* Traces of torch.profiler, and what reading one consists of: its JSON in pieces, its events, and the tables that they
 * become. */
#ifndef STINT_KINETO_KINETO_H
#define STINT_KINETO_KINETO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "import/import.h"
#include "stint/gpu.h"
#include "store/sql.h"
#include "support/annotation.h"
#include "support/keyed_table.h"

/* --------------------------------------------------------------------------------------------------------- kineto.c */

/* Traces of torch.profiler, also gzipped: what export_chrome_trace and the handler of TensorBoard write. */

/* Returns whether the file begins as such a trace does. */
int stint_kineto_is(const char *path);

/* What has to be said about the trace: what was left out, or is unknown, and how often. */
struct stint_kineto_notes {
    char lines[10][240];
    size_t count;
};

/* Writes the trace into the empty database (store/store.h reads it). Returns 0, or -1 with the cause in `reason` if
 * nothing could be read. */
int stint_kineto_convert(const char *path, struct stint_sql *sql, struct stint_kineto_notes *notes, char *reason,
                         size_t size);

/* ---------------------------------------------------------------------------------------------------- json_pieces.c */

/* Cuts a file with one JSON object, which may be larger than memory and compressed by gzip, into pieces that
 * import/import.h can read: the members of the object and, of one of them, an array, what fits into memory at a time.
 * The file may also be such an array alone. Of members only the end is found; the reader says whether they are
 * well-formed, and where the array and its elements end. */

struct stint_piece_file;

struct stint_json_piece {
    char *text; /* NUL-terminated; valid until the next piece is asked for */
    size_t length;
    size_t line;     /* of the file, in which it begins */
    const char *key; /* of the member, as in the file; "" if the file is an array */
    int is_elements; /* 1: what is behind the array's bracket, or was taken of it. 0: the value of another member */
    int is_last;     /* the file ends with it */
};

struct stint_json_pieces {
    struct stint_piece_file *file;
    const char *array; /* the member that is shown by elements */
    char *buffer;      /* what has been read and not yet been handed out, and a NUL */
    size_t size, used, at;
    size_t line; /* of `at` */
    char *end;   /* of the last piece: there was `under`; NULL: nothing to put back */
    char under;
    char key[100];
    int state;
    int is_bare; /* there is no object around the array */
    int is_over; /* the file has been read to its end */
    char reason[160];
};

/* Opens the file. Returns 0, or -1 with the cause in `reason`. Close it in either case. */
int stint_json_pieces_open(struct stint_json_pieces *pieces, const char *path, const char *array);

/* Returns 1 and the next piece; 0 after the last one; -1 with the cause in `reason`, and the line in `line`. A file
 * that was cut ends with -1, after everything that is in it. */
int stint_json_pieces_next(struct stint_json_pieces *pieces, struct stint_json_piece *piece);

/* Takes the first bytes of a piece of elements; the next piece has what is behind them, and more. `has_ended`: they end
 * with the array's bracket. */
void stint_json_pieces_take(struct stint_json_pieces *pieces, size_t length, int has_ended);

void stint_json_pieces_close(struct stint_json_pieces *pieces);

/* ------------------------------------------------------------------------------------------------------------- file */

/* A file that is read from its beginning to its end. What gzip has compressed is unpacked, if zlib was there to build
 * with. */
struct stint_piece_file;

/* Returns NULL if it cannot be opened, or is not a regular file: see errno. */
struct stint_piece_file *stint_piece_file_open(const char *path);

/* Returns how many bytes were read; 0 at the end; -1 after a failure, of which *reason says what it was. */
ssize_t stint_piece_file_read(struct stint_piece_file *file, char *to, size_t size, const char **reason);

void stint_piece_file_close(struct stint_piece_file *file);

/* --------------------------------------------------------------------------------------------------- kineto_event.c */

/* An event of a trace that torch.profiler wrote: Kineto's, in the form of Chrome's traces. */

enum stint_kineto_kind {
    STINT_KINETO_NOTHING,  /* says what other events say: arrows, marks of the profiler, ranges seen by GPUs */
    STINT_KINETO_LEFT_OUT, /* says something that is not read: see `category` */
    STINT_KINETO_THREAD,   /* names a thread */
    STINT_KINETO_PROCESS,  /* names a process */
    STINT_KINETO_RANGE,    /* an operation, or a range of the program */
    STINT_KINETO_PYTHON,   /* a function of Python */
    STINT_KINETO_CALL,     /* of CUDA's API */
    STINT_KINETO_KERNEL,
    STINT_KINETO_COPY,
    STINT_KINETO_SET,
    STINT_KINETO_SYNC
};

/* What an operation says about itself, as JSON. Those that may end with a quotation mark come first. */
enum stint_kineto_fact {
    STINT_KINETO_COLLECTIVE,
    STINT_KINETO_TYPE,
    STINT_KINETO_GROUP_SIZE,
    STINT_KINETO_IN_ELEMENTS,
    STINT_KINETO_OUT_ELEMENTS,
    STINT_KINETO_SIZES,
    STINT_KINETO_TYPES,
    STINT_KINETO_STRIDES,
    STINT_KINETO_INPUTS,
    STINT_KINETO_FACTS
};

/* Phases, as Chrome calls them, that take time; others are known only where they are read. */
enum { STINT_KINETO_WHOLE = 'X', STINT_KINETO_BEGIN = 'B', STINT_KINETO_END = 'E' };

struct stint_kineto_event {
    enum stint_kineto_kind kind;
    char phase; /* '\0': none */
    const char *category;
    const char *name;
    const char *title; /* of a thread or process */
    int64_t pid;       /* of device activities: the device */
    int64_t tid;
    int has_start, has_end;
    int64_t start_ns, end_ns; /* since the file's base time */
    int64_t sequence;         /* -1: none */
    uint64_t id;              /* of the operation; 0: none */
    int64_t forward_tid;      /* of a backward operation; 0: none */
    unsigned odd_numbers;     /* how many values should be numbers, and are none */
    struct stint_piece facts[STINT_KINETO_FACTS];
    uint64_t correlation;
    uint64_t device, context, stream, bytes, registers, shared;
    uint64_t grid[3], block[3];
};

/* Reads the next value, which has to be an event. Its texts are the reader's. */
void stint_kineto_read(struct stint_kineto_event *event, struct stint_reader *reader);

/* Writes a range's name with what is known about it behind the name, as emit_nvtx does (support/annotation.h): cut to
 * `size`, with a NUL. Returns the length that all of it has. */
size_t stint_kineto_text(const struct stint_kineto_event *event, char *out, size_t size);

/* What the names of copies and waits say. */
enum stint_gpu_direction stint_kineto_direction(const char *name);
enum stint_gpu_wait stint_kineto_wait(const char *name);

/* -------------------------------------------------------------------------------------------------- kineto_tables.c */

/* The tables that a trace is converted to: with names and columns as Nsight Systems' export has, from which
 * store/store.h reads them. */

enum stint_kineto_table {
    STINT_KINETO_STRINGS,
    STINT_KINETO_RANGES,
    STINT_KINETO_CALLS,
    STINT_KINETO_KERNELS,
    STINT_KINETO_COPIES,
    STINT_KINETO_SETS,
    STINT_KINETO_SYNCS,
    STINT_KINETO_THREADS,
    STINT_KINETO_PROCESSES,
    STINT_KINETO_GPUS,
    STINT_KINETO_DEVICES,
    STINT_KINETO_FACTS_TABLE,
    STINT_KINETO_PHASES,
    STINT_KINETO_TABLES
};

struct stint_kineto_tables {
    struct stint_sql *sql;
    struct stint_sql_query insert[STINT_KINETO_TABLES];
    struct stint_table strings; /* const char *, by number */
    struct stint_table ids;     /* int64_t: of processes and threads that are too large, by what they have instead */
    int64_t rows[STINT_KINETO_TABLES];
    int has_pid;
    int64_t pid;         /* of a process */
    int is_several;      /* there is another one */
    int64_t base_ns;     /* what times are since */
    uint64_t ends;       /* without a beginning */
    uint64_t left_out;   /* events that cannot be read, or without valid times */
    uint64_t impossible; /* values */
    struct stint_arena arena;
};

/* Begins with the empty database. Like all here, it makes the database fail if it fails. */
void stint_kineto_tables_begin(struct stint_kineto_tables *tables, struct stint_sql *sql);

/* Adds the event's row, if it has one. Its times have to be known, and to fit into 62 bits. */
void stint_kineto_add(struct stint_kineto_tables *tables, const struct stint_kineto_event *event);

/* A device, as the trace describes it. */
struct stint_kineto_device {
    const char *name;
    uint64_t id, memory_bytes, compute_major, compute_minor, multiprocessors;
};

void stint_kineto_add_device(struct stint_kineto_tables *tables, const struct stint_kineto_device *device);

/* The process' rank among those that a launcher started. */
void stint_kineto_add_rank(struct stint_kineto_tables *tables, const char *rank);

void stint_kineto_tables_end(struct stint_kineto_tables *tables);

/* ------------------------------------------------------------------------------------------------- kineto_members.c */

/* Reads the value of a member of the trace, other than its events, or passes over it. */
void stint_kineto_read_member(struct stint_kineto_tables *tables, struct stint_reader *reader, const char *key);

#endif

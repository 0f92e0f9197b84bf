/* The tables that a trace is converted to: with names and columns as Nsight Systems' export has, from which
 * store/store.h reads them. */
#ifndef STINT_KINETO_KINETO_TABLES_H
#define STINT_KINETO_KINETO_TABLES_H

#include "kineto/kineto_event.h"
#include "store/sql.h"
#include "support/keyed_table.h"

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
    STINT_KINETO_TABLES
};

struct stint_kineto_tables {
    struct stint_sql *sql;
    struct stint_sql_query insert[STINT_KINETO_TABLES];
    struct stint_table strings; /* const char *, by number */
    struct stint_table threads; /* int64_t: those whose numbers are too large, by the number that they have instead */
    int64_t pid;                /* of the process; 0: not known yet */
    uint64_t base_ns;           /* what times are since */
    struct stint_arena arena;
};

/* Begins with the empty database. Like all here, it makes the database fail if it fails. */
void stint_kineto_tables_begin(struct stint_kineto_tables *tables, struct stint_sql *sql);

/* Adds the event's row, if it has one. */
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

#endif

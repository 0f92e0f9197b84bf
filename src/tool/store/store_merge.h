/* The events of a store in the order of time, merged from the runs of its tables, each of which is in that order. A run
 * is opened when its first event is due, so that few are open at a time. */
#ifndef STINT_STORE_STORE_MERGE_H
#define STINT_STORE_STORE_MERGE_H

#include "model/event.h"
#include "store/lookup.h"
#include "store/schema.h"

/* An open run, positioned at its next event. */
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

struct stint_store_merge {
    struct stint_event_source source; /* has to be the first member */
    struct stint_sql *sql;
    struct stint_lookup *lookup;
    struct stint_sql_query runs; /* runs that have not been opened yet, by start */
    int has_run;
    struct stint_store_run *open; /* a heap: the first run has the earliest event */
    size_t open_count;
    size_t open_capacity;
    int told;         /* the event of the first run has been returned */
    uint64_t last_ns; /* start of the last event */
    struct stint_store_parts parts;
};

void stint_store_merge_begin(struct stint_store_merge *merge, struct stint_sql *sql, struct stint_lookup *lookup);
void stint_store_merge_end(struct stint_store_merge *merge);

/* Decodes the row at which a run is positioned: event_rows.c. */
void stint_store_decode(const struct stint_store_run *run, struct stint_lookup *lookup, struct stint_event *event,
                        struct stint_store_parts *parts);

#endif

/* The rows of a store as events. */
#ifndef STINT_STORE_EVENT_ROWS_H
#define STINT_STORE_EVENT_ROWS_H

#include "model/event.h"
#include "store/lookup.h"
#include "store/schema.h"

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

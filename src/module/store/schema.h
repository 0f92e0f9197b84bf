/* What a store has: tables with the names and columns of Nsight Systems' export, what nvprof's databases had, and
 * stint's own. docs/formats.md says it to those who query it. */
#ifndef STINT_STORE_SCHEMA_H
#define STINT_STORE_SCHEMA_H

#include "store/sql.h"

/* Raised when something that was there changes its meaning or disappears. */
#define STINT_STORE_VERSION 1

/* Values of NVTX_EVENTS.eventType. */
enum stint_store_type {
    STINT_STORE_MARK = 34,
    STINT_STORE_PUSH_POP = 59,
    STINT_STORE_START_END = 60,
    STINT_STORE_DOMAIN = 75
};

/* The tables that events are in, and what stint_runs.kind says of them. */
enum stint_store_table {
    STINT_STORE_RANGES,  /* NVTX_EVENTS */
    STINT_STORE_CALLS,   /* CUPTI_ACTIVITY_KIND_RUNTIME */
    STINT_STORE_KERNELS, /* CUPTI_ACTIVITY_KIND_KERNEL */
    STINT_STORE_COPIES,  /* CUPTI_ACTIVITY_KIND_MEMCPY */
    STINT_STORE_SETS,    /* CUPTI_ACTIVITY_KIND_MEMSET */
    STINT_STORE_WAITS,   /* CUPTI_ACTIVITY_KIND_SYNCHRONIZATION */
    STINT_STORE_OTHERS,  /* stint_device_events */
    STINT_STORE_TABLES
};

/* Threads of a process: hardware and virtual machine, which are 0, then 24 bits for either id. */
enum { STINT_STORE_PID_SHIFT = 24, STINT_STORE_ID_MASK = 0xFFFFFF };

/* Makes all tables and views in an empty file. */
void stint_schema_create(struct stint_sql *sql);

/* Fills the tables that say what was recorded - devices, times - from stint_report. */
void stint_schema_fill(struct stint_sql *sql);

/* Makes the indexes. Later than the rows, because so it takes a fraction of the time. */
void stint_schema_index(struct stint_sql *sql);

#endif

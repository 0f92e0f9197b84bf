/* The schema of a store: tables with the names and columns of Nsight Systems' export, those of nvprof's databases, and
 * stint's own. docs/formats.md describes them to users. */
#ifndef STINT_STORE_SCHEMA_H
#define STINT_STORE_SCHEMA_H

#include "store/sql.h"

/* Has to be increased when something that exists changes its meaning or disappears. */
#define STINT_STORE_VERSION 1

/* Values of NVTX_EVENTS.eventType. */
enum stint_store_type {
    STINT_STORE_CATEGORY = 33, /* names one */
    STINT_STORE_MARK = 34,
    STINT_STORE_PUSH_POP = 59,
    STINT_STORE_START_END = 60,
    STINT_STORE_DOMAIN = 75 /* names one */
};

/* The tables that hold events, and their numbers in stint_runs.kind. */
enum stint_store_table {
    STINT_STORE_RANGES,  /* NVTX_EVENTS */
    STINT_STORE_CALLS,   /* CUPTI_ACTIVITY_KIND_RUNTIME */
    STINT_STORE_KERNELS, /* CUPTI_ACTIVITY_KIND_KERNEL */
    STINT_STORE_COPIES,  /* CUPTI_ACTIVITY_KIND_MEMCPY */
    STINT_STORE_SETS,    /* CUPTI_ACTIVITY_KIND_MEMSET */
    STINT_STORE_WAITS,   /* CUPTI_ACTIVITY_KIND_SYNCHRONIZATION */
    STINT_STORE_OTHERS,  /* stint_device_events */
    STINT_STORE_OS,      /* OSRT_API */
    STINT_STORE_VALUES,  /* stint_values */
    STINT_STORE_MEMORY,  /* stint_memory_events */
    STINT_STORE_SAMPLES, /* stint_samples */
    STINT_STORE_TABLES
};

/* A globalTid: hardware and virtual machine, which are 0, then 24 bits each for process and thread. */
enum { STINT_STORE_PID_SHIFT = 24, STINT_STORE_ID_MASK = 0xFFFFFF };

/* Creates all tables in an empty file. */
void stint_schema_create(struct stint_sql *sql);

/* Adds columns that are computed, and views, and fills the tables that describe what was recorded - devices, times -
 * from stint_report. Call it after all rows of events have been written, and stint_report. */
void stint_schema_complete(struct stint_sql *sql);

/* Creates the indexes. Call it after all rows have been written, because this takes a fraction of the time. */
void stint_schema_index(struct stint_sql *sql);

#endif

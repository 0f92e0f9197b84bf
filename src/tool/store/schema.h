/* The schema of a store: tables with the names and columns of Nsight Systems' export, those of nvprof's databases, and
 * stint's own. docs/formats.md describes them to users. */
#ifndef STINT_STORE_SCHEMA_H
#define STINT_STORE_SCHEMA_H

#include "model/model.h"
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

/* Kinds of memory have CUPTI's numbers, except for unknown memory, which comes last. */
static inline int stint_nsys_memory(enum stint_gpu_memory_kind kind)
{
    return (kind == STINT_GPU_MEMORY_UNKNOWN ? STINT_GPU_MEMORY_KINDS : (int)kind) - 1;
}

static inline enum stint_gpu_memory_kind stint_nsys_memory_kind(int64_t number)
{
    return number >= 0 && number < STINT_GPU_MEMORY_KINDS - 1 ? (enum stint_gpu_memory_kind)(number + 1)
                                                              : STINT_GPU_MEMORY_UNKNOWN;
}

/* Copies have CUPTI's numbers, followed by the migrations of unified memory. */
static inline uint32_t stint_nsys_copy(enum stint_gpu_kind kind, enum stint_gpu_direction direction)
{
    return kind == STINT_GPU_UNIFIED ? (uint32_t)stint_gpu_direction_words[direction].nsys_move : (uint32_t)direction;
}

/* Sets the kind, STINT_GPU_COPY or STINT_GPU_UNIFIED, and the direction. */
static inline void stint_nsys_read_copy(int64_t number, struct stint_gpu_event *event)
{
    event->kind = STINT_GPU_COPY;
    event->direction = STINT_GPU_DIRECTION_UNKNOWN;
    for (int i = 1; i < STINT_GPU_DIRECTIONS; i++) {
        int is_move = number && stint_gpu_direction_words[i].nsys_move == number; /* 0: no such move */
        if (number != i && !is_move)
            continue;
        event->kind = is_move ? STINT_GPU_UNIFIED : STINT_GPU_COPY;
        event->direction = (enum stint_gpu_direction)i;
        return;
    }
}

static inline enum stint_gpu_wait stint_nsys_wait(int64_t number)
{
    return number > 0 && number < STINT_GPU_WAITS ? (enum stint_gpu_wait)number : STINT_GPU_WAIT_UNKNOWN;
}

#endif

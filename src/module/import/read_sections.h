/* The parts of a report that rows of others refer to by their place. */
#ifndef STINT_IMPORT_READ_SECTIONS_H
#define STINT_IMPORT_READ_SECTIONS_H

#include "base/array.h"
#include "import/reader.h"
#include "stat/builder.h"

/* Where the values of the report's keys are; NULL: not there. Read in the order that they need each other in. */
struct stint_places {
    const char *format, *process, *clock, *overhead, *dropped;
    uint64_t version;
    const char *sets, *threads, *stats, *contexts, *barriers;
    const char *gpu, *gpu_devices, *gpu_memory, *gpu_activities, *gpu_charges, *gpu_instances, *gpu_events;
    const char *nvtx, *nvtx_values, *nvtx_names;
};

/* A report under way. The arrays say where the builder has each row of the text. */
struct stint_import {
    struct stint_reader *reader;
    struct stint_builder builder;
    struct stint_process process;
    struct stint_dropped dropped;
    struct stint_array threads; /* size_t, likewise the following */
    struct stint_array stats;
    struct stint_array contexts;
    struct stint_array activities;
    struct stint_array instances;
};

/* Notes that the next row of the text is the builder's row `position`. */
void stint_import_note(struct stint_import *import, struct stint_array *rows, size_t position);

/* Returns where the builder has the row `index` of the text; fails if the text has none, and returns 0. `what` names
 * such rows. */
size_t stint_import_row(struct stint_import *import, const struct stint_array *rows, size_t index, const char *what);

/* The fields of numbers, but for their bins. NOLINTBEGIN(bugprone-macro-parentheses): `member` is a member's name. */
#define STINT_IMPORT_NUMBERS(row, member)                                                                              \
    STINT_FIELD(row, "count", U64, member.count), STINT_FIELD(row, "recursive", U64, member.recursive),                \
        STINT_FIELD(row, "total_ns", U64, member.total_ns), STINT_FIELD(row, "self_ns", U64, member.self_ns),          \
        STINT_FIELD(row, "min_ns", U64, member.min_ns), STINT_FIELD(row, "max_ns", U64, member.max_ns),                \
        STINT_FIELD(row, "square_ns2", NUMBER, member.square_ns2), STINT_FIELD(row, "running", U64, member.running),   \
        STINT_FIELD(row, "running_ns", U64, member.running_ns)

/* NOLINTEND(bugprone-macro-parentheses) */

/* Completes numbers whose square_ns2 was -1 before they were read: reads their bins, which live as long as the reader.
 * Reports of version 0.1.0 have no square_ns2, and it follows from stddev_ns, NaN if unknown, but for its rounding. */
void stint_import_complete(struct stint_import *import, struct stint_numbers *numbers, const char *bins,
                           double stddev_ns);

/* gpu.c: everything about GPUs. */
void stint_import_gpu(struct stint_import *import, const struct stint_places *places);

/* nvtx.c: what NVTX's events carried. */
void stint_import_nvtx(struct stint_import *import, const struct stint_places *places);

#endif

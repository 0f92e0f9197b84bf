/* What a page shows, as JSON (docs/formats.md). */
#ifndef STINT_HTML_DATA_H
#define STINT_HTML_DATA_H

#include "base/arena.h"
#include "cpu/cpu_profile.h"
#include "html/overview.h"
#include "html/page_json.h"
#include "op/op_sum.h"
#include "report/json.h"
#include "stint/snapshot.h"

/* The calling contexts that a page shows: all, or as many of the most expensive ones as fit. */
struct stint_html_contexts {
    size_t *shown; /* positions in the snapshot; a parent before its children */
    size_t count;
    size_t *place; /* of each of the snapshot's: its own position in `shown`, or that of the nearest one around it */
};

enum { STINT_HTML_CONTEXTS_MOST = 10000 };

/* Chooses them. Returns 0, or -1 without memory. */
int stint_html_contexts_choose(struct stint_html_contexts *contexts, const struct stint_snapshot *snapshot, size_t most,
                               struct stint_arena *arena);

/* Returns what a page stores for an event's context: a position in `shown`, -1: no scope, -2: unknown. */
int64_t stint_html_context(const struct stint_html_contexts *contexts, const struct stint_snapshot *snapshot,
                           size_t context);

/* ------------------------------------------------------------------------------------------------------- operations */

/* Operations of neural networks on the page: layers, in each its operations, in each of these its kernels; where
 * operations are below the roofs of their device, and what may be made faster. */

/* A sum on the page. */
struct stint_html_operation {
    const char *name;
    int64_t place;
};

struct stint_html_operations {
    struct stint_op_sums sums;
    struct stint_html_operation *shown; /* a sum each */
    uint64_t least_ns;                  /* what takes less is left out */
    size_t beyond;                      /* so many are left out */
    const char *advice;                 /* lines */
    const char *roofline;               /* an SVG image; "" if no operation or kernel has FLOPs and bytes */
    struct stint_arena arena;
};

/* Adds up rows; NULL: there are none. Returns 0, or -1 without memory. Free it in either case. */
int stint_html_operations_make(struct stint_html_operations *operations, const struct stint_op_rows *rows);

void stint_html_operations_free(struct stint_html_operations *operations);

/* Writes them. */
void stint_html_operations_put(struct stint_html_operations *operations, struct stint_html_strings *strings,
                               struct stint_json *json);

/* ---------------------------------------------------------------------------------------------------------- samples */

/* Samples on the page: a tree of calls for the flame graph, functions for a table, and how much of each was sampled in
 * which calling context, so that the page can show what is inside a scope. */

/* The source of functions that were sampled, those that took the most time, with what each line took. */
struct stint_html_sources {
    struct stint_array all; /* struct stint_cpu_source */
    size_t count;           /* of the first of them, which were read */
};

/* What was sampled of a row, a function or a node of the tree, in one calling context. */
struct stint_html_sample_part {
    int64_t row;       /* -1: none */
    int64_t context;   /* as stint_html_context has it */
    uint64_t self_ns;  /* of a node also that of nodes within it that have no row */
    uint64_t samples;  /* of self_ns */
    uint64_t total_ns; /* of a function also while others ran that it called */
};

struct stint_html_samples {
    int any; /* whether there are samples; all else is of them */
    struct stint_cpu_profile profile;
    struct stint_cpu_profile by_lines;
    const struct stint_cpu_function **lines; /* of each function the one of by_lines with most of its time, or NULL */
    struct stint_html_sources sources;
    struct stint_table nodes; /* struct stint_cpu_node */
    int64_t *node_places;     /* of each node, its row, or that of the nearest node around it; -1: none */
    int64_t *function_places; /* of each function its row; -1: it has none */
    size_t *counted;          /* of each function, the last sample, from 1 on, that it was counted for */
    uint64_t least_ns;        /* what took less is left out */
    size_t node_count, function_count;
    size_t nodes_beyond, functions_beyond;         /* that are left out */
    uint64_t crowded_ns;                           /* of samples whose calling context there was no room for */
    struct stint_table node_parts, function_parts; /* struct stint_html_sample_part */
};

/* Adds up the snapshot's samples, if it has any. Sources are looked for below `source_path`, too, unless it is NULL.
 * Returns 0, or -1 without memory. Free it in either case. */
int stint_html_samples_make(struct stint_html_samples *samples, const struct stint_snapshot *snapshot,
                            const struct stint_html_contexts *contexts, const char *source_path);

void stint_html_samples_free(struct stint_html_samples *samples);

/* Writes them; nothing if there are none. */
void stint_html_samples_put(struct stint_html_samples *samples, struct stint_html_strings *strings,
                            struct stint_json *json);

/* ------------------------------------------------------------------------------------------------------------- data */

struct stint_page_data {
    const struct stint_snapshot *snapshot;
    const struct stint_overview *overview;
    const char *remarks; /* lines; NULL: none */
    uint64_t from_ns;
    int is_served;
    int is_part; /* the timeline alone */
    struct stint_html_contexts contexts;
    struct stint_html_operations operations;
    struct stint_html_samples samples;
    struct stint_html_strings strings;
};

/* Writes all of it. */
void stint_data_put(struct stint_page_data *data, struct stint_json *json);

/* data_gpu.c: devices, their memory, activities and what launched them; how kernels on the timeline were launched. */
void stint_data_put_gpu(struct stint_page_data *data, struct stint_json *json);
void stint_data_put_launches(struct stint_page_data *data, struct stint_json *json);

/* data_timeline.c */
void stint_data_put_timeline(struct stint_page_data *data, struct stint_json *json);

/* data_gpu.c: writes the objects "counters" and "counter_scopes", which have no rows if nothing was counted. */
void stint_html_counters_put(const struct stint_snapshot *snapshot, struct stint_html_strings *strings,
                             struct stint_json *json);

#endif

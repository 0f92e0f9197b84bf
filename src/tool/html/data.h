/* What a page shows, as JSON (docs/formats.md). */
#ifndef STINT_HTML_DATA_H
#define STINT_HTML_DATA_H

#include "base/arena.h"
#include "html/operations.h"
#include "html/overview.h"
#include "html/page_json.h"
#include "html/samples.h"
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

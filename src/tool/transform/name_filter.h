/* Leaves out scopes, ranges, kernels and calls by name, and folds recursion, in the snapshot, so that all reports are
 * consistent. */
#ifndef STINT_TRANSFORM_NAME_FILTER_H
#define STINT_TRANSFORM_NAME_FILTER_H

#include "model/event.h"
#include "stint/snapshot.h"

enum { STINT_FILTER_MOST = 64 };

/* Patterns (support/annotation.h): the last one that matches decides. A name that none matches is kept, unless the
 * first one includes. Zeroed: everything is kept. */
struct stint_filter {
    struct {
        const char *pattern;
        int includes;
    } rules[STINT_FILTER_MOST];
    size_t count;
    int folds_recursion; /* a calling context within another of its own name becomes a part of that */
};

/* Rows of one kind: how many there were, and what was left out. */
struct stint_left_out {
    size_t all;
    size_t rows;
    uint64_t ns; /* of the rows left out; for scopes and ranges, their self time */
};

struct stint_filtered {
    struct stint_snapshot *snapshot; /* to be freed; NULL: no memory */
    struct stint_left_out scopes;    /* and ranges: all statistics except those of calls */
    struct stint_left_out calls;     /* of CUDA's API */
    struct stint_left_out gpu;       /* kernels and other operations, each name once */
};

/* Returns 0, or -1 if there are too many patterns. */
int stint_filter_add(struct stint_filter *filter, const char *pattern, int includes);

/* Whether a row of this name is kept. Patterns are compared with the name, with the name without C++'s return type and
 * parameters, and with the set and the name, as reports show them: "NVTX:cuDF/read_csv". */
int stint_filter_keeps(const struct stint_filter *filter, const char *set, const char *name);

/* Whether it changes anything. */
int stint_filter_is_asked_for(const struct stint_filter *filter);

/* Copies the rows that are kept. No time is lost: the children of a calling context that is left out, its self time and
 * the GPU work that it launched move up to the nearest context that is kept. If there is none, they are in no context.
 * Self times per thread do not change. Of a context that is folded, the number and the self time are added to the one
 * around it, in whose total it is already; what is below both becomes one. */
struct stint_filtered stint_filter_apply(const struct stint_filter *filter, const struct stint_snapshot *snapshot);

/* The events that are kept, and all calls, without which nobody knew what launched the work that is kept. */
struct stint_filter_events {
    struct stint_event_source source; /* has to be the first member */
    struct stint_event_source *whole;
    const struct stint_filter *filter;
};

/* Begins. `whole` and the filter have to outlive the events. There is nothing to free. */
void stint_filter_events_begin(struct stint_filter_events *events, struct stint_event_source *whole,
                               const struct stint_filter *filter);

#endif

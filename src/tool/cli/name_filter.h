/* Leaving out scopes, ranges, kernels and calls by name, so that every report agrees on what there is. */
#ifndef STINT_CLI_NAME_FILTER_H
#define STINT_CLI_NAME_FILTER_H

#include "stint/snapshot.h"

enum { STINT_FILTER_MOST = 64 };

/* Patterns (base/pattern.h), of which the last that matches decides. What none matches is kept, unless the first one
 * includes. Zeroed: everything is kept. */
struct stint_filter {
    struct {
        const char *pattern;
        int includes;
    } rules[STINT_FILTER_MOST];
    size_t count;
};

/* Rows of one kind: how many there were, and what was left out. */
struct stint_left_out {
    size_t all;
    size_t rows;
    uint64_t ns; /* of these; of scopes and ranges their self time */
};

struct stint_filtered {
    struct stint_snapshot *snapshot; /* to be freed; NULL: no memory */
    struct stint_left_out scopes;    /* and ranges: statistics but those of calls */
    struct stint_left_out calls;     /* of CUDA's API */
    struct stint_left_out gpu;       /* kernels and other operations, each name once */
};

/* Returns 0, or -1 if there are too many patterns. */
int stint_filter_add(struct stint_filter *filter, const char *pattern, int includes);

/* Whether what has this name is kept: as it is, without what C++ has around it, or with its set in front, as reports
 * show it: "NVTX:cuDF/read_csv". */
int stint_filter_keeps(const struct stint_filter *filter, const char *set, const char *name);

/* Copies what is kept. Times stay where they can be seen: what was below a calling context that is left out moves up to
 * the next one that is kept, and so do its own time and the GPU work that it launched. What is in no kept context any
 * more is in none. Per thread, self times are as they were. */
struct stint_filtered stint_filter_apply(const struct stint_filter *filter, const struct stint_snapshot *snapshot);

#endif

/* The rows of two sets of snapshots, side by side. */
#ifndef STINT_DIFF_DIFF_H
#define STINT_DIFF_DIFF_H

#include "diff/metric.h"
#include "report/label.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"

enum { STINT_DIFF_A, STINT_DIFF_B, STINT_DIFF_SIDES };

/* What samples say about a function: the time in it, and with functions that it called. */
struct stint_diff_function {
    const char *name; /* several may have the same one */
    uint64_t self_ns;
    uint64_t total_ns;
};

/* Functions of a snapshot. Zeroed: it was not sampled. */
struct stint_diff_functions {
    const struct stint_diff_function *items;
    size_t count;
    uint64_t samples;
    uint64_t time_ns; /* that they stand for */
};

/* Snapshots of repetitions of one thing. */
struct stint_diff_side {
    const struct stint_snapshot *const *snapshots;
    size_t count;
    const struct stint_diff_functions *functions; /* of each snapshot; NULL: none was sampled */
};

#define STINT_DIFF_NO_ROW ((size_t)-1)

/* One row in all files, matched by kind, set and name, for a calling context also by all contexts around it. */
struct stint_diff_row {
    enum stint_diff_kind kind;
    const char *set; /* "" if the row is in no set; of a counter its name, whose kernel is the name of the row */
    const char *name;
    int global;                         /* the set is the global one */
    size_t parent;                      /* of a context: position of the one around it; STINT_DIFF_NO_ROW: none */
    const char *path;                   /* of a context: the names from the root on, with "/" between; else the name */
    size_t files[STINT_DIFF_SIDES];     /* that have it */
    struct stint_metric_values *values; /* by file, those of A first */
};

/* Zeroed: an empty one. */
struct stint_diff {
    struct stint_diff_side side[STINT_DIFF_SIDES];
    struct stint_table rows; /* struct stint_diff_row, in the order in which files have them */
    struct stint_arena arena;
};

/* Gathers the rows. The snapshots have to outlive it. Returns 0, or -1 without memory; to be freed in any case. */
int stint_diff_begin(struct stint_diff *diff, const struct stint_diff_side *a, const struct stint_diff_side *b);

void stint_diff_free(struct stint_diff *diff);

const struct stint_diff_row *stint_diff_row_at(const struct stint_diff *diff, size_t position);

/* Returns a metric of the row in file `file` of a side. */
const struct stint_metric_value *stint_diff_value(const struct stint_diff *diff, const struct stint_diff_row *row,
                                                  int side, size_t file, enum stint_metric metric);

/* Returns the metric that tables show of the row. */
enum stint_metric stint_diff_main_metric(const struct stint_diff_row *row);

/* How tables name the row. */
struct stint_label stint_diff_label(const struct stint_diff_row *row);

#endif

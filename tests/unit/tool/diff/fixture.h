/* Small recordings to compare, made from rows written by hand. */
#ifndef STINT_TESTS_DIFF_FIXTURE_H
#define STINT_TESTS_DIFF_FIXTURE_H

#include <math.h>

#include "diff/diff.h"

/* A calling context: `slow` of its `count` activations take longer than `ns`, the others just that. */
struct fixture_scope {
    const char *set;
    const char *name;
    int parent; /* index of a row above; -1 for a root */
    uint64_t count;
    uint64_t ns;
    uint64_t slow;
    double error_ns; /* of the total, and of the self time, where activations were left out */
};

struct fixture_work {
    enum stint_gpu_kind kind;
    const char *name;
    uint32_t stream;
    uint64_t count;
    uint64_t ns;
    uint64_t bytes;
};

/* A hardware counter of a kernel, or of "scope:outer/inner". */
struct fixture_counter {
    const char *kernel;
    const char *metric;
    uint64_t count;
    double sum;
    double min;
    double max;
};

/* As cmocka's for float, with a double's digits. */
#define assert_near(a, b, within) assert_true(fabs((a) - (b)) <= (within))

enum { FIXTURE_ROWS = 8 };

struct fixture {
    struct fixture_scope scopes[FIXTURE_ROWS];          /* up to one without a name */
    struct fixture_work works[FIXTURE_ROWS];            /* likewise */
    struct fixture_counter counters[FIXTURE_ROWS];      /* up to one without a kernel */
    struct stint_diff_function functions[FIXTURE_ROWS]; /* up to one without a name */
    uint64_t samples;                                   /* one each millisecond; 0: it was not sampled */
    const char *gpu;                                    /* NULL: none */
    const char *host;
    const char *clock;
    uint64_t wall_ns;
    uint64_t slow_times; /* slow activations take so many times as long; 0: twice */
    struct stint_dropped dropped;
};

/* The caller frees it. */
struct stint_snapshot *fixture_take(const struct fixture *fixture);

/* Compares `a` recordings with the `b` behind them. The result lives until the next is made. */
const struct stint_diff *fixture_compare(const struct fixture *fixtures, size_t a, size_t b);

/* Returns the outcomes of rules (struct stint_check), which live as long as the comparison. */
const struct stint_array *fixture_checks(const struct stint_diff *diff, const char *rules);

/* Returns the row of that kind and path, or fails. */
const struct stint_diff_row *fixture_row(const struct stint_diff *diff, enum stint_diff_kind kind, const char *path);

/* A training program before and after a change: a scope and a kernel are slower, one is new, one is gone. */
extern const struct fixture fixture_before, fixture_after;

/* Names that break formats, on both sides. */
extern const struct fixture fixture_names;

#endif

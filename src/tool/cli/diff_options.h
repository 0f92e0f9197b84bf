/* The command line of stint diff. */
#ifndef STINT_CLI_DIFF_OPTIONS_H
#define STINT_CLI_DIFF_OPTIONS_H

#include <stddef.h>

#include "diff/diff.h"

enum stint_diff_format { STINT_DIFF_TABLE, STINT_DIFF_CSV, STINT_DIFF_JSON, STINT_DIFF_JUNIT, STINT_DIFF_MARKDOWN };

struct stint_diff_options {
    struct stint_arena arena;
    struct stint_array files; /* const char *, those of A first */
    size_t of_a;              /* how many are A's */
    struct stint_array rules; /* struct stint_gate_rule */
    enum stint_diff_format format;
    const char *output; /* NULL: stdout */
    enum stint_diff_sort sort;
    size_t top;
    unsigned kinds;
    int other_gpu;
};

/* Reads it. Returns -1 if the comparison can begin; else the exit code, after --help or saying what is wrong. */
int stint_diff_options_read(struct stint_diff_options *options, int count, char **arguments);

void stint_diff_options_free(struct stint_diff_options *options);

#endif

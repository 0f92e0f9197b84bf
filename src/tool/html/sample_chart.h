/* Samples on the timeline: what each thread did, and who had called it, over time. Samples of a thread that follow each
 * other and have the same callers make one block of each of these. */
#ifndef STINT_HTML_SAMPLE_CHART_H
#define STINT_HTML_SAMPLE_CHART_H

#include "export/functions.h"

struct stint_overview;

/* A thread has at most so many rows, all threads together so many: of a call chain that is longer, the innermost
 * function takes the last of them. */
enum { STINT_CHART_DEEPEST = 48, STINT_CHART_ROWS = 384 };

struct stint_sample_chart {
    struct stint_functions *functions; /* NULL: samples are left out */
    struct stint_table threads;        /* struct stint_chart_thread, in the overview's arena */
    size_t rows;
    uint64_t shortened; /* samples of which functions between the outermost and the innermost are left out */
    uint64_t hidden;    /* samples of threads that have no row */
};

/* Adds a sample to the overview's chart. Returns 0, or -1 without memory. */
int stint_sample_chart_add(struct stint_overview *overview, const struct stint_event *event);

/* Adds the blocks that have not ended. */
int stint_sample_chart_end(struct stint_overview *overview);

#endif

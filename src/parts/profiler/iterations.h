/* The window of iterations that are profiled. */
#ifndef STINT_PROFILER_ITERATIONS_H
#define STINT_PROFILER_ITERATIONS_H

#include <stdint.h>

struct stint_window {
    uint64_t first; /* how many iterations warm up before the window */
    uint64_t count; /* 0: to the end */
};

/* Returns whether the iteration, counted from 0, is in the window. */
int stint_window_has(const struct stint_window *window, uint64_t iteration);

/* Reads "first" or "first:count", decimal. Returns 0, or -1 for anything else; `window` is then unchanged. */
int stint_window_parse(struct stint_window *window, const char *text);

#endif

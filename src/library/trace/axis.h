/* From ticks to nanoseconds, while a program runs: what a moment became once, it stays, and the order of moments is
 * kept, although the clock's rate is known ever better. Between two looks at both clocks the axis is a straight line;
 * each look bends it towards where it ought to be by the next. */
#ifndef STINT_TRACE_AXIS_H
#define STINT_TRACE_AXIS_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/timeline.h"

enum { STINT_AXIS_PIECES = 4096 };

struct stint_axis {
    size_t count;
    struct stint_axis_piece {
        uint64_t ticks; /* from here on */
        double ns;      /* at `ticks`, since the process' start */
        double ns_per_tick;
    } pieces[STINT_AXIS_PIECES];
};

/* Begins with one look. What was before is put on the same line. */
void stint_axis_begin(struct stint_axis *axis, const struct stint_timeline_clock *clock);

/* Takes a later look, behind all ticks asked for so far; the next one comes in about `ahead_ns`. */
void stint_axis_bend(struct stint_axis *axis, const struct stint_timeline_clock *clock, double ahead_ns);

/* ns since the process' start; what is before it is 0. */
uint64_t stint_axis_ns(const struct stint_axis *axis, uint64_t ticks);

/* The last piece, as a clock: what stint_timeline_make takes. */
struct stint_timeline_clock stint_axis_clock(const struct stint_axis *axis, uint64_t start_unix_ns);

#endif

/* Converts ticks to nanoseconds while a program runs. What a moment was converted to never changes, and the order of
 * moments is kept, although the clock's rate becomes known ever more precisely. Between two readings of both clocks the
 * axis is a straight line; each reading bends it towards where it should be at the next one. */
#ifndef STINT_TRACE_AXIS_H
#define STINT_TRACE_AXIS_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/timeline.h"

enum { STINT_AXIS_PIECES = 4096 };

struct stint_axis {
    size_t count;
    struct stint_axis_piece {
        uint64_t ticks; /* the piece begins here */
        double ns;      /* at `ticks`, since the process' start */
        double ns_per_tick;
    } pieces[STINT_AXIS_PIECES];
};

/* Begins with one reading. Earlier moments are put on the same line. */
void stint_axis_begin(struct stint_axis *axis, const struct stint_timeline_clock *clock);

/* Takes a later reading, after all ticks converted so far; the next one follows in about `ahead_ns`. */
void stint_axis_bend(struct stint_axis *axis, const struct stint_timeline_clock *clock, double ahead_ns);

/* As stint_axis_ns, for a moment anywhere, and for one on a given piece. */
uint64_t stint_axis_ns_anywhere(const struct stint_axis *axis, uint64_t ticks);

static inline uint64_t stint_axis_ns_on(const struct stint_axis_piece *piece, uint64_t ticks)
{
    double ns = piece->ns + (double)(int64_t)(ticks - piece->ticks) * piece->ns_per_tick;

    return ns > 0 ? (uint64_t)ns : 0;
}

/* Returns ns since the process' start; 0 for a moment before it. Most moments are on the last piece. */
static inline uint64_t stint_axis_ns(const struct stint_axis *axis, uint64_t ticks)
{
    const struct stint_axis_piece *last = &axis->pieces[axis->count - 1];

    return ticks >= last->ticks ? stint_axis_ns_on(last, ticks) : stint_axis_ns_anywhere(axis, ticks);
}

/* Returns the last piece as a clock, which stint_timeline_make takes. */
struct stint_timeline_clock stint_axis_clock(const struct stint_axis *axis, uint64_t start_unix_ns);

#endif

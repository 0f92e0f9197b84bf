/* A line of many straight pieces from ticks to nanoseconds. Each reading of the clocks adds a piece, which begins where
 * the one before has got to and leads to where both clocks should meet: what was converted stays true. */
#include "recorder/emit.h"

#include <string.h>

void stint_axis_begin(struct stint_axis *axis, const struct stint_timeline_clock *clock)
{
    axis->count = 1;
    axis->pieces[0] = (struct stint_axis_piece){clock->ticks, (double)clock->ns, clock->ns_per_tick};
}

static double place(const struct stint_axis_piece *piece, uint64_t ticks)
{
    return piece->ns + (double)(int64_t)(ticks - piece->ticks) * piece->ns_per_tick;
}

/* Keeps half of the pieces. Earlier moments are then put on the line of the oldest piece that is kept: by now the rate
 * has been known for long, and the lines differ by less than a nanosecond. */
static void forget_oldest(struct stint_axis *axis)
{
    size_t kept = STINT_AXIS_PIECES / 2;
    memmove(axis->pieces, axis->pieces + axis->count - kept, kept * sizeof axis->pieces[0]);
    axis->count = kept;
}

/* The slope is never less than half the rate, whatever the clocks say, so that moments keep their order. It ends when
 * the next reading is due: a process that is stopped may come much later to it. */
void stint_axis_bend(struct stint_axis *axis, const struct stint_timeline_clock *clock, double ahead_ns)
{
    const struct stint_axis_piece *last = &axis->pieces[axis->count - 1];
    if (axis->count > 1 && clock->ticks <= last->ticks)
        last--;
    double reached = place(last, clock->ticks);
    double rate = clock->ns_per_tick * (1 + ((double)clock->ns - reached) / ahead_ns);
    if (clock->ticks <= last->ticks)
        return;
    if (!(rate > clock->ns_per_tick / 2))
        rate = clock->ns_per_tick / 2;
    axis->count = (size_t)(last - axis->pieces) + 1;
    if (axis->count + 2 > STINT_AXIS_PIECES)
        forget_oldest(axis);
    struct stint_axis_piece bent = {clock->ticks, reached, rate};
    uint64_t due = clock->ticks + (uint64_t)(ahead_ns / clock->ns_per_tick) + 1;
    axis->pieces[axis->count++] = bent;
    axis->pieces[axis->count++] = (struct stint_axis_piece){due, place(&bent, due), clock->ns_per_tick};
}

/* Returns the last piece that begins at or before `ticks`, otherwise the first. */
static const struct stint_axis_piece *piece_of(const struct stint_axis *axis, uint64_t ticks)
{
    size_t left = 0, right = axis->count;
    while (right - left > 1) {
        size_t middle = left + (right - left) / 2;
        if (axis->pieces[middle].ticks <= ticks)
            left = middle;
        else
            right = middle;
    }
    return &axis->pieces[left];
}

uint64_t stint_axis_ns_anywhere(const struct stint_axis *axis, uint64_t ticks)
{
    return stint_axis_ns_on(piece_of(axis, ticks), ticks);
}

struct stint_timeline_clock stint_axis_clock(const struct stint_axis *axis, uint64_t start_unix_ns)
{
    const struct stint_axis_piece *last = &axis->pieces[axis->count - (axis->count > 1 ? 2 : 1)];
    return (struct stint_timeline_clock){last->ticks, (uint64_t)last->ns, last->ns_per_tick, start_unix_ns};
}

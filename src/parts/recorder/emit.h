/* Gives the rows of chunks to a writer as events. */
#ifndef STINT_RECORDER_EMIT_H
#define STINT_RECORDER_EMIT_H

#include <stddef.h>
#include <stdint.h>

#include "model/event_writer.h"
#include "model/recorder.h"
#include "model/sampler.h"

/* ----------------------------------------------------------------------------------------------------------- axis.c */

/* Converts ticks to nanoseconds while a program runs. What a moment was converted to never changes, and the order of
 * moments is kept, although the clock's rate becomes known ever more precisely. Between two readings of both clocks the
 * axis is a straight line; each reading bends it towards where it should be at the next one. */

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

/* Returns ns since the process' start; 0 for a moment before it. Most moments are since the last reading. */
static inline uint64_t stint_axis_ns(const struct stint_axis *axis, uint64_t ticks)
{
    const struct stint_axis_piece *last = &axis->pieces[axis->count - 1];
    if (ticks < last->ticks && axis->count > 1)
        last--;
    return ticks >= last->ticks ? stint_axis_ns_on(last, ticks) : stint_axis_ns_anywhere(axis, ticks);
}

/* Returns the piece that began with the last reading as a clock, which stint_timeline_make takes. */
struct stint_timeline_clock stint_axis_clock(const struct stint_axis *axis, uint64_t start_unix_ns);

/* ----------------------------------------------------------------------------------------------------------- emit.c */

struct stint_emitter {
    const struct stint_recording_host *host;
    const char *path; /* of the trace */
    int64_t pid;
    struct stint_event_writer *writer; /* NULL: not opened yet, or failed */
    int failed;                        /* it could not be opened, or has failed; this was logged */
    int losing;                        /* some events could not be written; this was logged */
    uint32_t told;                     /* paths up to this one are known to the writer */
    int told_sampling;
    unsigned char told_modules[STINT_SAMPLER_MODULES / 8]; /* a bit for each that the writer knows */
    unsigned char told_chains[STINT_SAMPLER_CHAINS / 8 + 1];
    uint64_t events;
    uint64_t lost; /* of these, as the writer said last */
    struct stint_axis axis;
};

/* Gives all rows of the chunk to the writer, which is opened at the first. The axis must have begun. Rows that cannot
 * be given are counted. */
void stint_emit(struct stint_emitter *emitter, const struct stint_chunk *chunk);

/* Gives the samples that the sampler has kept until now to the writer, as stint_emit does. */
void stint_emit_samples(struct stint_emitter *emitter, const struct stint_sampler *sampler);

/* Tells the writer, once it is open, what the clocks show. */
void stint_emit_clock(struct stint_emitter *emitter);

/* Opens the writer if it is not. Returns 0, or -1. */
int stint_emit_open(struct stint_emitter *emitter);

/* Does the same as the writer's function, and says what it says. Returns 0, or -1. */
int stint_emit_dump(struct stint_emitter *emitter, const char *report, size_t length, int asked);

/* Do the same as the writer's functions. */
void stint_emit_checkpoint(struct stint_emitter *emitter, const char *report, size_t length);
void stint_emit_finish(struct stint_emitter *emitter, const char *report, size_t length);

#endif

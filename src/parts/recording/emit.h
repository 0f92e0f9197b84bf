/* Gives the rows of chunks to a writer as events. */
#ifndef STINT_TRACE_EMIT_H
#define STINT_TRACE_EMIT_H

#include <stddef.h>
#include <stdint.h>

#include "model/event_writer.h"
#include "model/sampler.h"
#include "record/chunk.h"
#include "recording/axis.h"

struct stint_emitter {
    const char *path; /* of the trace */
    int64_t pid;
    struct stint_event_writer *writer; /* NULL: not opened yet, or failed */
    int failed;                        /* it could not be opened, or has failed; this was logged */
    int losing;                        /* some events could not be written; this was logged */
    uint32_t told;                     /* paths up to this one are known to the writer */
    int told_sampling;
    uint32_t told_modules; /* how many the writer knows; and a bit for each call chain */
    unsigned char told_chains[STINT_SAMPLER_CHAINS / 8 + 1];
    uint64_t events;
    uint64_t lost; /* of these, as the writer said last */
    struct stint_axis axis;
};

/* Loads the module, unless it is loaded. A child of fork must not have to: another thread of its parent may have
 * been about to load something. Returns 0, or -1: `reason` says why. */
int stint_emit_prepare(char *reason, size_t size);

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

/* Functions that change trees without a range. All but stint_nvtx_sample must be called inside the guard
 * (stint_nvtx_begin). */
#ifndef STINT_NVTX_SAMPLE_H
#define STINT_NVTX_SAMPLE_H

#include <stdint.h>

#include "nvtx/abi.h"
#include "record/note.h"

/* Returns the ticks from `start` to `now`; 0 if the clock stepped back, which is counted. */
uint64_t stint_nvtx_span(uint64_t start, uint64_t now);

/* Return what is noted of an event beside its times: nothing without a trace; of a text, which may be NULL, nothing if
 * it carries no data. Beyond STINT_NOTE_TEXT_MOST a text is cut, which is counted. */
struct stint_note_more stint_nvtx_more_of_text(const char *text);
struct stint_note_more stint_nvtx_more(const struct stint_nvtx_attributes *whole);

/* Adds a sample of `ticks`, from `start` on and not within a scope, to the statistic; id 0: does nothing. */
void stint_nvtx_sample(uint32_t id, uint64_t start, uint64_t ticks, const struct stint_note_more *more);

/* As stint_nvtx_sample, for a sample of length 0, now. */
void stint_nvtx_mark(uint32_t id, struct stint_note_more more);

#endif

/* Functions that change trees without a range. All but stint_nvtx_sample must be called inside the guard
 * (stint_nvtx_begin). */
#ifndef STINT_NVTX_SAMPLE_H
#define STINT_NVTX_SAMPLE_H

#include <stdint.h>

/* Returns the ticks from `start` to `now`; 0 if the clock stepped back, which is counted. */
uint64_t stint_nvtx_span(uint64_t start, uint64_t now);

/* Returns how much of an event's text is noted in the trace: nothing without a trace or if it carries no data. Beyond
 * STINT_NOTE_TEXT_MOST it is cut, which is counted. */
uint32_t stint_nvtx_noted_length(const char *text);

/* Adds a sample of `ticks`, from `start` on and not within a scope, to the statistic; id 0: does nothing. The event's
 * text, which may be NULL, is noted in the trace. */
void stint_nvtx_sample(uint32_t id, uint64_t start, uint64_t ticks, const char *text);

/* As stint_nvtx_sample, for a sample of length 0, now. */
void stint_nvtx_mark(uint32_t id, const char *text);

#endif

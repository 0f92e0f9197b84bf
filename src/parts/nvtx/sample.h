/* Samples of what has a time but is no scope that runs on a thread: marks, and ranges that may start on one thread and
 * end on another. */
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

/* Ranges that may start on one thread and end on another. */

/* Makes room for STINT_NVTX_MAX_OPEN. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_spans_start(void);

/* Starts a range of the statistic; `more` is noted when it ends. Returns the number that ends it; 0 if too many ranges
 * are open, which is counted, or id is 0. */
uint64_t stint_nvtx_span_start(uint32_t id, struct stint_note_more more);

/* Ends the range: adds one sample, from its start to its end. Returns its statistic, or 0 if it is not open, which is
 * counted. Range 0, which stands for no range, is ignored. */
uint32_t stint_nvtx_span_end(uint64_t range);

/* Returns how many ranges are open. */
uint64_t stint_nvtx_spans_open(void);

#endif

/* Ranges that may start on one thread and end on another. */
#ifndef STINT_NVTX_START_END_H
#define STINT_NVTX_START_END_H

#include <stdint.h>

#include "record/note.h"

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

/* Spans: intervals on a stream between two CUDA events, as used by STINT_GPU_SCOPE. A span is timed once its events
 * have happened. This is found out by polling, never by waiting: its thread polls at later spans, and so does any
 * thread that reads the ledger. CUPTI is not used.
 *
 * Pairs of events belong to a context, and are kept per thread and context, so that a span takes one without a lock. */
#ifndef STINT_GPU_SPAN_H
#define STINT_GPU_SPAN_H

#include <stdint.h>

struct stint_span;

/* Records the first event. Returns NULL if the span cannot be measured; that is counted, unless the program has not
 * loaded CUDA, so that there is nothing to measure. */
struct stint_span *stint_span_begin(void *stream);

/* Tells that the scope has been entered on this thread: the statistic's id, and when. The second function tells that it
 * could not be entered. */
void stint_span_enter(struct stint_span *span, uint32_t id, uint64_t ticks);
void stint_span_cancel(struct stint_span *span);

/* Records the second event. To be called on the same thread. */
void stint_span_end(struct stint_span *span);

/* Collects the spans of all threads that devices have finished. Does not wait for devices. Not to be called in a signal
 * handler that is about to end the process. Does nothing if no span has ever been measured. */
void stint_span_resolve_all(void);

/* As stint_span_resolve_all, and counts spans that devices have not finished as not measured: before the last
 * report. */
void stint_span_finish(void);

/* Spans that have begun before now will not be counted: stint_reset. */
void stint_span_forget(void);

#endif

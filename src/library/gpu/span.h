/* Spans: intervals on a stream, between two events of CUDA, as STINT_GPU_SCOPE has them. A span is timed when its
 * events have happened, which is found out by asking, never by waiting: by its thread at later spans, or by whoever
 * reads the ledger. No CUPTI.
 *
 * Pairs of events belong to a context, and are kept per thread and context, so that a span takes one without a lock. */
#ifndef STINT_GPU_SPAN_H
#define STINT_GPU_SPAN_H

#include <stdint.h>

struct stint_span;

/* Records the first event. Returns NULL if the span cannot be measured; that is counted, unless the program has no CUDA
 * loaded, so that nothing is there to be measured. */
struct stint_span *stint_span_begin(void *stream);

/* The scope has been entered on this thread: the statistic's id, and when. Or it could not be. */
void stint_span_enter(struct stint_span *span, uint32_t id, uint64_t ticks);
void stint_span_cancel(struct stint_span *span);

/* Records the second event. On the same thread. */
void stint_span_end(struct stint_span *span);

/* Brings in the spans of all threads that devices have finished. Waits for no device; not for a signal handler about to
 * end the process. Nothing where no span has ever been measured. */
void stint_span_resolve_all(void);

/* Likewise, and counts those that devices have not finished as not measured: before the last report. */
void stint_span_finish(void);

/* Spans that have begun before now are in no number: stint_reset. */
void stint_span_forget(void);

#endif

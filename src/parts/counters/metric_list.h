/* Which metrics a device has. */
#ifndef STINT_COUNTERS_METRIC_LIST_H
#define STINT_COUNTERS_METRIC_LIST_H

#include <stddef.h>

/* In the order of CUPTI's types. */
enum stint_metric_kind { STINT_METRIC_COUNTER, STINT_METRIC_RATIO, STINT_METRIC_THROUGHPUT, STINT_METRIC_KINDS };

/* Names have no suffix; the description is "" if CUPTI has none. */
typedef void stint_metric_list_fn(enum stint_metric_kind kind, const char *name, const char *description);

/* Passes on each metric of the first device, by kind. CUDA has to be initialised; `cupti` is from dlopen. Returns 0, or
 * -1 and in `why` what prevents it. */
int stint_metric_list(void *cupti, stint_metric_list_fn *put, char *why, size_t size);

#endif

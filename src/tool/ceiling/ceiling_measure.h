/* Measures what a device can do at most: about two seconds on a device that nothing else uses. */
#ifndef STINT_CEILING_CEILING_MEASURE_H
#define STINT_CEILING_CEILING_MEASURE_H

#include <stddef.h>

#include "ceiling/ceilings.h"

/* Measures the first device. What it has no instructions for keeps its value, and so do CUPTI's. Returns 0, or -1 with
 * the cause in `reason`. */
int stint_ceilings_measure(struct stint_ceilings *ceilings, char *reason, size_t size);

#endif

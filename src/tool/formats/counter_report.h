/* Parts of the report "counters", for the page. */
#ifndef STINT_FORMATS_COUNTER_REPORT_H
#define STINT_FORMATS_COUNTER_REPORT_H

#include "base/text.h"
#include "verdict/kernel_figures.h"

/* Fills in the kernel whose values begin at *next, and advances *next to those of the next kernel. Returns 0 behind the
 * last. */
int stint_counted_kernel_next(struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot,
                              size_t *next);

/* Writes the lines about a kernel below its name: launches, verdict, precision, and its numbers. */
void stint_counted_kernel_put(struct stint_text *text, const struct stint_kernel_figures *figures);

#endif

/* The writers of nvprof's reports, and of two others. Like those of report/, they do not call malloc, and may run in a
 * signal handler. */
#ifndef STINT_FORMATS_FORMATS_H
#define STINT_FORMATS_FORMATS_H

#include "base/text.h"
#include "report/report_form.h"
#include "stint/report.h"
#include "verdict/kernel_figures.h"

/* The writer of the reports of nsys stats, which only the program stint has (nsys/nsys.h). */
enum stint_status stint_nsys_write(struct stint_text *text, const struct stint_snapshot *snapshot,
                                   const struct stint_report_form *form, const struct stint_layout *layout)
    __attribute__((weak));

/* Each of the list's reports that are not written elsewhere has a function that writes all of it, as CSV if asked for;
 * errors surface in stint_text_end. */
typedef void stint_formats_writer(struct stint_text *text, const struct stint_snapshot *snapshot,
                                  const struct stint_layout *layout, int csv);
#define STINT_FORMATS_NONE(...)
#define STINT_FORMATS_DECLARE(id, writer, ...) stint_formats_writer stint_report_##writer;
STINT_REPORT_LIST(STINT_FORMATS_NONE, STINT_FORMATS_DECLARE, STINT_FORMATS_DECLARE, STINT_FORMATS_NONE)

/* Whether the report on NVTX's ranges would list any. */
int stint_nvprof_has_ranges(const struct stint_snapshot *snapshot);

/* Parts of the report "counters", for the page.
 *
 * Fills in the kernel whose values begin at *next, and advances *next to those of the next kernel. Returns 0 behind the
 * last. */
int stint_counted_kernel_next(struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot,
                              size_t *next);

/* Writes the lines about a kernel below its name: launches, verdict, precision, and its numbers. */
void stint_counted_kernel_put(struct stint_text *text, const struct stint_kernel_figures *figures);

#endif

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

/* Each writes the whole report; errors surface in stint_text_end. */
void stint_report_nvprof(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_layout *layout);
void stint_report_nvprof_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);
void stint_report_gpu_trace(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout);
void stint_report_gpu_trace_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout);
void stint_report_api_trace(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout);
void stint_report_api_trace_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout);
void stint_report_nvprof_gpu(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);
void stint_report_nvprof_gpu_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                 const struct stint_layout *layout);
void stint_report_nvprof_api(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);
void stint_report_nvprof_api_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                 const struct stint_layout *layout);
void stint_report_nvprof_per_gpu(struct stint_text *text, const struct stint_snapshot *snapshot,
                                 const struct stint_layout *layout);
void stint_report_nvprof_per_gpu_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                     const struct stint_layout *layout);
void stint_report_nvprof_nvtx(struct stint_text *text, const struct stint_snapshot *snapshot,
                              const struct stint_layout *layout);
void stint_report_nvprof_nvtx_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                  const struct stint_layout *layout);
void stint_report_gpu_api_trace(struct stint_text *text, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout);
void stint_report_gpu_api_trace_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                    const struct stint_layout *layout);
void stint_report_summary(struct stint_text *text, const struct stint_snapshot *snapshot,
                          const struct stint_layout *layout);
void stint_report_processes(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout);
void stint_report_processes_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout);
void stint_report_threads(struct stint_text *text, const struct stint_snapshot *snapshot,
                          const struct stint_layout *layout);
void stint_report_threads_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                              const struct stint_layout *layout);
void stint_report_ranks(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout);
void stint_report_ranks_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout);
void stint_report_ranks_tree(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);

void stint_report_prometheus(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);
void stint_report_system(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_layout *layout);
void stint_report_system_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);
void stint_report_openmetrics(struct stint_text *text, const struct stint_snapshot *snapshot,
                              const struct stint_layout *layout);

void stint_report_counters(struct stint_text *text, const struct stint_snapshot *snapshot,
                           const struct stint_layout *layout);
void stint_report_counters_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                               const struct stint_layout *layout);

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

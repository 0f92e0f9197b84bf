/* Every report by its format or name: those of report/, and the writers of nvprof's and Nsight Systems' reports. As those of
 * report/, they do not call malloc, and may run in a signal handler. */
#ifndef STINT_FORMATS_FORMATS_H
#define STINT_FORMATS_FORMATS_H

#include "base/text.h"
#include "stint/report.h"

/* nvprof's summary and traces. */
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

/* Whether the report on NVTX's ranges has any. */
int stint_nvprof_has_ranges(const struct stint_snapshot *snapshot);

/* A report as STINT_REPORT names it: "tree", "nvtx_sum:csv". */
enum { STINT_REPORT_NSYS = -2 };

struct stint_report_form {
    int format;  /* an enum stint_format, or STINT_REPORT_NSYS */
    size_t nsys; /* which one of nsys */
    int csv;
};

/* Reads one of `length` bytes, in upper or lower case. Returns 0, or -1 if there is no such report. */
int stint_report_form_read(struct stint_report_form *form, const char *text, size_t length);

/* As stint_report_write. */
enum stint_status stint_report_form_write(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                          const struct stint_layout *layout, stint_write_fn *write, void *context);

/* Whether it ends with a blank line; others need one in front of what follows. */
int stint_report_form_ends_blank(const struct stint_report_form *form);

#endif

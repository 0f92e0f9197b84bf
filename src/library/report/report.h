/* The writers of report/, one file per format: from a snapshot to text. They read nothing else, do not
 * call malloc, and may run in a signal handler. */
#ifndef STINT_REPORT_REPORT_H
#define STINT_REPORT_REPORT_H

#include "base/text.h"
#include "stint/report.h"

/* Each writes the whole report; errors surface in stint_text_end. */
void stint_report_table(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout);
void stint_report_tree(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout);
void stint_report_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                      const struct stint_layout *layout);
void stint_report_json(struct stint_text *text, const struct stint_snapshot *snapshot);

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

void stint_report_gpu(struct stint_text *text, const struct stint_snapshot *snapshot,
                      const struct stint_layout *layout);

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

/* Paddle's lines without log prefix, each ended by '\n'. */
void stint_report_paddle(struct stint_text *text, const struct stint_snapshot *snapshot);

/* The timers of one set, its barriers if it has any, and the trailer. */
void stint_report_paddle_one(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                             const char *name);

/* Of one set: the rows of one statistic, or with `name` NULL the header and the rows of all. */
void stint_report_paddle_set(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                             const char *name);

#endif

/* Reports by name: "tree", "nvtx_sum:csv". */
#ifndef STINT_REPORT_REPORT_FORM_H
#define STINT_REPORT_REPORT_FORM_H

#include "report/report_list.h"
#include "stint/report.h"

#define STINT_REPORT_ONE_(id, ...) STINT_REPORT_##id,
enum stint_report {
    STINT_REPORT_LIST(STINT_REPORT_ONE_, STINT_REPORT_ONE_, STINT_REPORT_ONE_, STINT_REPORT_ONE_) STINT_REPORT_COUNT,
    STINT_REPORT_NONE = STINT_REPORT_COUNT,
    STINT_REPORT_NSYS = STINT_REPORT_NVTX_SUM /* the first of nsys's reports */
};
#undef STINT_REPORT_ONE_

struct stint_event_source;

/* The events of what is reported, for reports that snapshots do not have enough for. Their contexts are those of the
 * snapshot. */
struct stint_report_events {
    struct stint_event_source *source;
    const struct stint_snapshot *snapshot;
    const char *database; /* of stint's, that has just these events; NULL: there is none */
};

/* Which names of kernels a report has. */
enum stint_kernel_names {
    STINT_KERNELS_PLAIN,  /* as in the source */
    STINT_KERNELS_BASE,   /* the function alone, without its namespace, template's arguments and parameters */
    STINT_KERNELS_MANGLED /* as the linker knows them, where that is known */
};

struct stint_report_form {
    enum stint_report report;
    enum stint_kernel_names kernels;
    int csv;                                  /* 1: as CSV */
    const struct stint_report_events *events; /* NULL: there are none beyond those of the snapshot */
    const char *script;                       /* NULL, or a file of SQL, which is instead of nsys's */
};

/* Reads a report's name of `length` bytes, in upper or lower case. Returns 0, or -1 if there is no such report. */
int stint_report_form_read(struct stint_report_form *form, const char *text, size_t length);

/* Returns the form of a public format; for an unknown number, STINT_REPORT_NONE, which cannot be written. */
struct stint_report_form stint_report_form_of(enum stint_format format);

/* As stint_report_write. */
enum stint_status stint_report_form_write(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                          const struct stint_layout *layout, stint_write_fn *write, void *context);

/* Whether a writer of this folder writes it; stint_report_write_other writes the others. */
int stint_report_form_is_core(const struct stint_report_form *form);

/* Whether it ends with a blank line; after other reports, a blank line has to be inserted before what follows. */
int stint_report_form_ends_blank(const struct stint_report_form *form);

/* Whether it is read by programs, so that no blank line may be inserted. */
int stint_report_form_is_for_programs(const struct stint_report_form *form);

/* Whether it lists events, or is exact only if all events are known. */
int stint_report_form_wants_events(const struct stint_report_form *form);

/* Makes ready to write reports that this folder has no writer for. Returns 0, or -1 if they cannot be written, which
 * is logged once if `may_log`. The first call must not be in a signal handler. */
int stint_report_load_others(int may_log) __attribute__((weak));

/* Writes one. The program stint has the writers (formats); in libstint, the part modules loads them, and defines both
 * functions. If neither is linked in, such reports are unavailable. */
enum stint_status stint_report_write_other(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                           const struct stint_layout *layout, stint_write_fn *write, void *context)
    __attribute__((weak));

#endif

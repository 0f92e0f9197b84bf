/* The report writers, one file per format: they convert a snapshot to text. They read nothing else, do not call malloc,
 * and may run in a signal handler. */
#ifndef STINT_REPORT_REPORT_H
#define STINT_REPORT_REPORT_H

#include "base/text.h"
#include "report/report_list.h"
#include "stint/report.h"
#include "stint/snapshot.h"
#include "stint/statset.h"
#include "stint/version.h"

/* Each writes the whole report; errors are reported by stint_text_end. */
void stint_report_table(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout);
void stint_report_tree(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout);
void stint_report_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                      const struct stint_layout *layout);
void stint_report_json(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout);

/* Paddle's lines without a log prefix, each ended by '\n'. */
void stint_report_paddle(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_layout *layout);

/* The timers of one set, its barriers, if any, and the trailer. */
void stint_report_paddle_one(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                             const char *name);

/* For one set: the rows of one statistic or, with `name` NULL, the header and the rows of all. */
void stint_report_paddle_set(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                             const char *name);

/* ---------------------------------------------------------------------------------------------------- report_form.c */

/* Reports by name: "tree", "nvtx_sum:csv". */

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

/* --------------------------------------------------------------------------------------------------- module_reports */

/* The interface of libstint_module.so for a library that loads it to write reports that it does not contain itself. The
 * library passes a snapshot and where the text goes; the module keeps nothing between calls but
 * what it has told Prometheus, does not call malloc, and may run in a signal handler. */

/* As stint_report_write_other. */
typedef enum stint_status stint_module_write_fn(const struct stint_snapshot *snapshot,
                                                const struct stint_report_form *form, const struct stint_layout *layout,
                                                stint_write_fn *write, void *context);

/* The function named STINT_MODULE_REPORTS returns NULL if `version`, the library's STINT_MODULE_REPORTS_VERSION, is not
 * the module's own. The version changes with stint's version, and with most changes of the data that is passed. */
#define STINT_MODULE_REPORTS "stint_module_reports"
#define STINT_MODULE_REPORTS_VERSION                                                                                   \
    (((uint64_t)STINT_VERSION << 32) + ((uint64_t)STINT_REPORT_COUNT << 16) + sizeof(struct stint_snapshot))

typedef stint_module_write_fn *stint_module_reports_fn(uint64_t version);

/* --------------------------------------------------------------------------------------------------------- paddle.c */

/* Functions that Paddle's timer lines and barrier tables share. */

/* Writes `string` like "%-*s": Paddle counts bytes, not characters, when it pads. */
void stint_paddle_put_left(struct stint_text *text, const char *string, size_t length, size_t width);

/* Writes a name and pads it. Its control characters are escaped, so that they cannot break the line; other bytes are
 * written as they are, in any encoding. */
void stint_paddle_put_name(struct stint_text *text, const char *name, size_t width);

/* Writes a number like "%-*g". */
void stint_paddle_put_number(struct stint_text *text, double value, size_t width);

/* Writes the header and the tables of a set (NULL: of all sets) or, with `name`, only the table with that name. Part of
 * model/barrier_table.c, which a program may be linked without. */
void stint_report_barriers(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                           const char *name);

#endif

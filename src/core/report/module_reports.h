/* The interface of libstint_module.so for a library that loads it to write reports that it does not contain itself. The
 * library passes a snapshot and where the text goes; the module keeps nothing between calls but
 * what it has told Prometheus, does not call malloc, and may run in a signal handler. */
#ifndef STINT_REPORT_MODULE_REPORTS_H
#define STINT_REPORT_MODULE_REPORTS_H

#include "report/report_form.h"
#include "stint/snapshot.h"
#include "stint/version.h"

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

#endif

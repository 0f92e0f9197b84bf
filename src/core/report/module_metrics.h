/* The interface of libstint_module.so for a library that loads it to answer Prometheus. */
#ifndef STINT_REPORT_MODULE_METRICS_H
#define STINT_REPORT_MODULE_METRICS_H

#include <stddef.h>

#include "report/module_reports.h"
#include "stint/snapshot.h"

/* What the library lends: stint_snapshot_take and stint_snapshot_free. */
struct stint_module_snapshots {
    enum stint_status (*take)(struct stint_snapshot **snapshot);
    void (*free)(struct stint_snapshot *snapshot);
};

/* Answers as long as the process lives, or the socket. */
typedef void stint_module_serve_fn(const struct stint_module_snapshots *snapshots);

/* The function named STINT_MODULE_METRICS listens at `address`, a value of STINT_METRICS. Returns what is to be called
 * on a thread of its own; or NULL if it cannot listen: `reason` says why, and is "" where a forked child leaves its
 * parent's address alone. `version` is STINT_MODULE_REPORTS_VERSION; any other is refused. */
#define STINT_MODULE_METRICS "stint_module_metrics"

typedef stint_module_serve_fn *stint_module_metrics_fn(uint64_t version, const char *address, int is_forked,
                                                       char *reason, size_t size);

#endif

/* Prometheus' metrics of several processes in one text. */
#ifndef STINT_FORMATS_EXPOSITION_H
#define STINT_FORMATS_EXPOSITION_H

#include "base/text.h"
#include "formats/scope_series.h"

/* A process, and what was said about its scopes the last time. */
struct stint_exposed {
    const struct stint_snapshot *snapshot;
    struct stint_series_memory *memory;
};

/* Writes OpenMetrics, in which labels tell the processes apart. */
void stint_expose_processes(struct stint_text *text, const struct stint_exposed *processes, size_t count);

#endif

/* Traces of torch.profiler, also gzipped: what export_chrome_trace and the handler of TensorBoard write. */
#ifndef STINT_KINETO_KINETO_H
#define STINT_KINETO_KINETO_H

#include <stddef.h>
#include <stdint.h>

#include "store/sql.h"

/* Returns whether the file begins as such a trace does. */
int stint_kineto_is(const char *path);

/* What has to be said about the trace. */
struct stint_kineto_notes {
    char cut[200];      /* why the rest could not be read; "": all was read */
    char left_out[400]; /* "12 cpu_instant_event, 3 overhead"; "": nothing */
};

/* Writes the trace into the empty database (store/store.h reads it). Returns 0, or -1 with the cause in `reason` if
 * nothing could be read. */
int stint_kineto_convert(const char *path, struct stint_sql *sql, struct stint_kineto_notes *notes, char *reason,
                         size_t size);

#endif

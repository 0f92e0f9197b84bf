/* The writers of this stage, one file per format. */
#ifndef STINT_EXPORT_FORMAT_H
#define STINT_EXPORT_FORMAT_H

#include "export/export.h"
#include "export/out.h"

/* What a writer is given. */
struct stint_export_job {
    const struct stint_snapshot *snapshot;
    struct stint_event_source *events;
    const struct stint_function_names *names;
    enum stint_export_format format;
    struct stint_out *out;
};

/* Errors of writing the output are not among these: stint_out_end returns them. */
enum stint_export_result {
    STINT_EXPORT_DONE,
    STINT_EXPORT_NO_EVENTS, /* reading events failed: the source has the reason */
    STINT_EXPORT_NO_MEMORY
};

/* Each writer writes the whole output. */
typedef enum stint_export_result stint_export_fn(const struct stint_export_job *job);

/* Calls `add` for each event until `add` returns -1, which means that there is no memory. */
enum stint_export_result stint_export_each(const struct stint_export_job *job,
                                           int (*add)(void *context, const struct stint_event *event), void *context);

stint_export_fn stint_export_chrome;
stint_export_fn stint_export_perfetto;
stint_export_fn stint_export_collapsed;

#endif

/* Writes files for other tools: a snapshot and its events become a timeline or a flame graph.
 * Memory is needed for open events only, however many events there are. */
#ifndef STINT_EXPORT_EXPORT_H
#define STINT_EXPORT_EXPORT_H

#include <stddef.h>

#include "model/event.h"
#include "model/model.h"
#include "stint/report.h"
#include "stint/snapshot.h"

enum stint_export_format {
    STINT_EXPORT_CHROME,    /* Chrome's trace events in JSON, as PyTorch's profiler (Kineto) writes them */
    STINT_EXPORT_PERFETTO,  /* Perfetto's protobuf */
    STINT_EXPORT_COLLAPSED, /* stacks for flame graphs, weighted by host time in ns */
    STINT_EXPORT_COLLAPSED_GPU,
    STINT_EXPORT_COLLAPSED_BYTES,
    STINT_EXPORT_COLLAPSED_SAMPLES, /* of functions that were sampled, with their numbers */
    STINT_EXPORT_PPROF              /* the same as profile.proto, with CPU time; not compressed */
};

/* Returns the name of a format, from 0 on; NULL beyond the last. */
const char *stint_export_name(int format);

/* Returns one line about it, with the endings of its files; "" if that of the format before is about it, too. */
const char *stint_export_what(int format);

/* Returns the format of that name, or the one that the end of a file's name stands for, also with .gz behind it; -1 if
 * there is none. */
int stint_export_format_of(const char *name);
int stint_export_format_of_path(const char *path);
int stint_export_is_zipped(const char *path);

/* Whether the format is binary, so that it must not be written to a terminal. */
int stint_export_is_binary(enum stint_export_format format);

/* What is written. */
struct stint_stacks;

struct stint_export_input {
    const struct stint_snapshot *snapshot;
    struct stint_event_source *events;        /* NULL: there are none */
    const struct stint_function_names *names; /* NULL, or without `find`: functions that were sampled have addresses */
    const struct stint_stacks *samples;       /* for formats of samples alone; NULL: there are none */
};

/* Whether the format is one of samples alone. */
static inline int stint_export_is_of_samples(int format)
{
    return format == STINT_EXPORT_COLLAPSED_SAMPLES || format == STINT_EXPORT_PPROF;
}

/* Whether there is nothing of what the format shows: no events, no calling contexts of that weight, or no samples. */
int stint_export_is_empty(const struct stint_export_input *input, enum stint_export_format format);

/* Writes a file: to a temporary file beside it first, so that a reader sees either the old or the new file, complete.
 * Returns 0, or -1: `reason` says why. */
int stint_export_file(const struct stint_export_input *input, enum stint_export_format format, const char *path,
                      char *reason, size_t size);

/* Like stint_export_file, but writes to a sink. */
int stint_export_write(const struct stint_export_input *input, enum stint_export_format format, stint_write_fn *write,
                       void *context, char *reason, size_t size);

#endif

/* Writes a store: events as they come, and what was recorded, as a report in JSON. */
#ifndef STINT_STORE_STORE_WRITER_H
#define STINT_STORE_STORE_WRITER_H

#include "model/event.h"
#include "model/event_writer.h"
#include "model/function_names.h"
#include "stint/nvtx_stats.h"
#include "stint/snapshot.h"

struct stint_store_writer;

/* Creates a file, which appears at the path when it is finished. `pid` is that of the process that was recorded. Memory
 * is bounded except for names and contexts, which are kept. Returns NULL on failure: `reason`, of `size` bytes, says
 * why. */
struct stint_store_writer *stint_store_writer_open(const char *path, int64_t pid, char *reason, size_t size);

/* Add a context, and an event, as a struct stint_event_writer does. Return 0, or -1 if the writer has failed for good;
 * finishing then says why. */
int stint_store_writer_context(struct stint_store_writer *writer, const struct stint_event_context *context);
int stint_store_writer_event(struct stint_store_writer *writer, const struct stint_event *event);

/* Adds a name that was given through NVTX: of a category; other names are in the report only. Returns as the above. */
int stint_store_writer_name(struct stint_store_writer *writer, const struct stint_nvtx_name *name);

/* A function at a place that samples have. */
struct stint_store_function {
    size_t frame; /* index in the report's sample_frames */
    size_t depth; /* 0: the innermost there; those that it is inlined into follow */
    const char *name;
    const char *module; /* path of the file that it is in */
    int unresolved;     /* the name is an address */
};

/* Adds one. Returns as the above. */
int stint_store_writer_function(struct stint_store_writer *writer, const struct stint_store_function *function);

/* Completes the file and gives it its name. Without a report, NULL, the file is removed. Frees the writer in any case.
 * Returns 0, or -1 and the reason. */
int stint_store_writer_finish(struct stint_store_writer *writer, const char *report, size_t length, char *reason,
                              size_t size);

/* Writes the snapshot and all events, which may be NULL, to the file `path`: to a temporary file beside it first, so
 * that a reader sees either the old or the new file, complete. `names` may be NULL, or without `find`: then functions
 * that were sampled have addresses. Returns 0, or -1: `reason`, of `size` bytes, says why. */
int stint_store_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                      const struct stint_function_names *names, char *reason, size_t size);

#endif

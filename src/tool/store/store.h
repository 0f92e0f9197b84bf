/* Databases: those that stint writes and reads, and those of other tools that it reads. */
#ifndef STINT_STORE_STORE_H
#define STINT_STORE_STORE_H

#include "model/event.h"
#include "model/event_writer.h"
#include "model/model.h"
#include "stint/nvtx_stats.h"
#include "stint/snapshot.h"
#include "store/sql.h"

/* ---------------------------------------------------------------------------------------------------------- store.c */

/* Reads a store, whether it is complete or was left behind by a program that was killed. */

struct stint_store;

/* Returns whether the file is a database that stint wrote. */
int stint_store_is(const char *path);

/* Opens a store. Returns NULL if it cannot be read: `reason`, of `size` bytes, says why. */
struct stint_store *stint_store_open(const char *path, char *reason, size_t size);

/* Returns what was recorded until the end or the last checkpoint; valid as long as the store is open. */
struct stint_snapshot *stint_store_snapshot(const struct stint_store *store);

/* Returns all events; valid as long as the store is open. Reading needs memory only for events that overlap in time. */
struct stint_event_source *stint_store_events(struct stint_store *store);

void stint_store_close(struct stint_store *store);

/* --------------------------------------------------------------------------------------------------- store_writer.c */

/* Writes a store: events as they come, and what was recorded, as a report in JSON. */

struct stint_store_writer;

/* Creates a file, which appears at the path when it is finished; without a path, NULL, a database that lives as long as
 * it is open, in memory while it is small. `pid` is that of the process that was recorded. Memory is bounded except for
 * names and contexts, which are kept. Returns NULL on failure: `reason`, of `size` bytes, says why. */
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

/* Completes a database without a path, which has no report, and hands it over. Frees the writer in any case. Returns 0,
 * or -1 and the reason. */
int stint_store_writer_keep(struct stint_store_writer *writer, struct stint_sql *to, char *reason, size_t size);

/* Writes contexts and events to such a database. Returns as the above. */
int stint_store_write_events(struct stint_sql *to, const struct stint_snapshot *snapshot,
                             struct stint_event_source *events, char *reason, size_t size);

/* Writes the snapshot and all events, which may be NULL, to the file `path`: to a temporary file beside it first, so
 * that a reader sees either the old or the new file, complete. `names` may be NULL, or without `find`: then functions
 * that were sampled have addresses. Returns 0, or -1: `reason`, of `size` bytes, says why. */
int stint_store_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                      const struct stint_function_names *names, char *reason, size_t size);

/* -------------------------------------------------------------------------------------------------------- foreign.c */

/* Recordings of other tools: files that Nsight Systems writes with `nsys export --type sqlite`, and databases of
 * nvprof. Both are read row by row, in the order of time. */

struct stint_foreign;

/* Opens such a file, and reads it once. Returns NULL on failure: `reason`, of `size` bytes, says why. */
struct stint_foreign *stint_foreign_open(const char *path, char *reason, size_t size);

/* The same with a database that stint_sql_create has opened. It is taken over, and closed in any case. */
struct stint_sql;
struct stint_foreign *stint_foreign_take(struct stint_sql *sql, char *reason, size_t size);

/* Returns its statistics, without a trace; valid as long as the file is open. */
struct stint_snapshot *stint_foreign_snapshot(const struct stint_foreign *foreign);

/* Returns where the first value is that cannot be there; "" if there is none. The snapshot has their number. */
const char *stint_foreign_first_impossible(const struct stint_foreign *foreign);

/* Returns how many activities of devices several processes may have launched: they are unattributed. */
uint64_t stint_foreign_ambiguous(const struct stint_foreign *foreign);

/* Returns what other tables have: "12 rows of MPI_EVENTS"; "": nothing. */
const char *stint_foreign_left_out(const struct stint_foreign *foreign);

/* Returns its events; valid as long as the file is open. */
struct stint_event_source *stint_foreign_events(struct stint_foreign *foreign);

void stint_foreign_close(struct stint_foreign *foreign);

#endif

/* What tells one tool's files from the other's: which tables they have, and what stands in them. */
#ifndef STINT_STORE_FOREIGN_DIALECT_H
#define STINT_STORE_FOREIGN_DIALECT_H

#include "replay/replay.h"
#include "stat/event.h"
#include "store/foreign_names.h"
#include "store/foreign_rows.h"

struct stint_foreign_dialect {
    const char *strings; /* the table of strings, by which such a file is known, and its key */
    const char *string_id;
    const struct stint_foreign_table *tables;
    size_t table_count;
    int starts_at_0; /* 1: times count from the session's start; 0: the first one is the start */

    /* What a row of ranges is. Returns 0, or -1: nothing of interest. */
    int (*kind_of_range)(const struct stint_foreign_stream *row, enum stint_event_kind *kind);

    /* Whose it is; 0: unknown. */
    void (*owner)(const struct stint_foreign_stream *row, int64_t *pid, int64_t *tid);

    /* A function's name, in `out` or elsewhere. */
    const char *(*call)(struct stint_foreign_names *names, const struct stint_foreign_stream *row, char *out,
                        size_t size);

    /* The domain of a row of ranges, NULL: it has no place. */
    const struct stint_foreign_domain *(*domain)(struct stint_foreign_names *names,
                                                 const struct stint_foreign_stream *row, int64_t pid);

    enum stint_gpu_memory_kind (*memory)(const struct stint_foreign_stream *row, enum stint_foreign_column column);

    /* A process' command line, in the builder's memory; "" if it is unknown. NULL: it is unknown of all. */
    const char *(*command)(struct stint_sql *sql, struct stint_replay *replay, int64_t pid);

    /* Adds threads, devices and domains, and describes the recording. Texts are the builder's. `process->pid` becomes
     * whose rows are that name none. */
    void (*describe)(struct stint_sql *sql, struct stint_foreign_names *names, struct stint_replay *replay,
                     struct stint_process *process);
};

extern const struct stint_foreign_dialect stint_foreign_nsys;
extern const struct stint_foreign_dialect stint_foreign_nvprof;

/* The function with that number in CUPTI's list of the runtime's interface, or of the driver's; NULL: it is not in the
 * table of foreign_calls.c. */
const char *stint_foreign_call_name(int is_driver, int64_t number);

/* The name without what tells variants of a function apart: "cuMemAlloc" for "cuMemAlloc_v2". */
const char *stint_foreign_shown_call(const char *name, char *out, size_t size);

#endif

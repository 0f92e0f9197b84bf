/* The differences between the tools' files: which tables they have, and what is in them. */
#ifndef STINT_STORE_FOREIGN_DIALECT_H
#define STINT_STORE_FOREIGN_DIALECT_H

#include "model/event.h"
#include "replay/replay.h"
#include "store/foreign_names.h"
#include "store/foreign_rows.h"

struct stint_foreign_dialect {
    const char *strings; /* the table of strings, which identifies such a file, and its key */
    const char *string_id;
    const struct stint_foreign_table *tables;
    size_t table_count;
    int starts_at_0; /* 1: times count from the session's start; 0: the first time in the file is the start */

    /* Finds the kind of a row of ranges. Returns 0, or -1 if the row is of no interest. */
    int (*kind_of_range)(const struct stint_foreign_stream *row, enum stint_event_kind *kind);

    /* Sets the process and threads of a row; 0: unknown. */
    void (*owner)(const struct stint_foreign_stream *row, struct stint_event *event);

    /* Returns the name of a function, in `out` or elsewhere. */
    const char *(*call)(struct stint_foreign_names *names, const struct stint_foreign_stream *row, char *out,
                        size_t size);

    /* Returns the domain of a row of ranges; NULL if there is no room for it. */
    const struct stint_foreign_domain *(*domain)(struct stint_foreign_names *names,
                                                 const struct stint_foreign_stream *row, int64_t pid);

    enum stint_gpu_memory_kind (*memory)(const struct stint_foreign_stream *row, enum stint_foreign_column column);

    /* Returns the command line of a process, in the builder's memory; "" if it is unknown. NULL: files of this kind
     * have no command lines. */
    const char *(*command)(struct stint_sql *sql, struct stint_replay *replay, int64_t pid);

    /* Adds threads, devices and domains, and describes the recording. Texts are allocated by the builder.
     * `process->pid` becomes the process of rows that do not name one. */
    void (*describe)(struct stint_sql *sql, struct stint_foreign_names *names, struct stint_replay *replay,
                     struct stint_process *process);
};

extern const struct stint_foreign_dialect stint_foreign_nsys;
extern const struct stint_foreign_dialect stint_foreign_nvprof;
extern const struct stint_foreign_dialect stint_foreign_kineto;

/* Returns the function with that number in CUPTI's list of the runtime's interface, or of the driver's; NULL if it is
 * not in the table of foreign_call_names.c. */
const char *stint_foreign_call_name(int is_driver, int64_t number);

/* Returns the name without the suffix of a variant: "cuMemAlloc" for "cuMemAlloc_v2". */
const char *stint_foreign_shown_call(const char *name, char *out, size_t size);

/* Returns the name of a range: a text of its own, or one from the file's table of strings. NULL if it has none, or if
 * there is no room for more. If its text carries data, the name is without them, and names->whole is the text. */
const char *stint_foreign_read_range(struct stint_foreign_names *names, const struct stint_foreign_stream *row);

/* Reads a device activity, except for times, context and name. Returns the name; NULL as above. */
const char *stint_foreign_read_device(const struct stint_foreign_dialect *dialect, struct stint_foreign_names *names,
                                      const struct stint_foreign_stream *row, struct stint_gpu_event *gpu);

#endif

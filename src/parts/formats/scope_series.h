/* What Prometheus is told about a scope: numbers that never fall, except where counting began anew.
 *
 * Reports take off what recording costs, which is measured again for each of them, and convert ticks by a rate that
 * becomes more exact: the same state of a scope may look a little smaller in a later report. Prometheus takes a counter
 * that falls for one that began at 0, and would add all of it once more. So these are the numbers as they were
 * measured, and a process that writes them again and again remembers what it said last. */
#ifndef STINT_FORMATS_SCOPE_SERIES_H
#define STINT_FORMATS_SCOPE_SERIES_H

#include <stdint.h>

#include "base/text.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"

enum { STINT_SERIES_BOUNDS = 25 }; /* 1 us, 2 us, 5 us, ... 100 s */

struct stint_scope_series {
    uint64_t activations; /* that ended */
    uint64_t recursive;   /* of these, nested in another of the same name */
    uint64_t samples;     /* the others, which the next two are about */
    uint64_t sum_ns;
    uint64_t
        below[STINT_SERIES_BOUNDS]; /* how many did not take longer than stint_series_bounds; 0 without histogram */
    uint64_t self_ns;
    uint64_t cpu_ns;
};

extern const uint64_t stint_series_bounds[STINT_SERIES_BOUNDS]; /* in ns */

/* What the snapshot says. */
struct stint_scope_series stint_scope_series_of(const struct stint_stat *stat);

/* What was said last about the scopes of a process; a forked child begins anew. Zeroed, it is empty. */
struct stint_series_memory {
    struct stint_arena arena;
    struct stint_table said;
    int64_t process;
    uint64_t start_unix_ns;
};

/* Forgets what is in it, unless that is about the process. */
void stint_series_memory_of(struct stint_series_memory *memory, const struct stint_process *process);
void stint_series_memory_free(struct stint_series_memory *memory);

/* Between the two, the calling thread has the memory of the last process that was asked, for a snapshot of this one.
 * The first returns NULL if another thread, or the one that a signal handler has interrupted, has it now. */
struct stint_series_memory *stint_scope_series_begin(const struct stint_process *process);
void stint_scope_series_end(void);

/* As stint_scope_series_of, but no number is less than it was before in the same process. */
struct stint_scope_series stint_scope_series_steady(struct stint_series_memory *memory, const struct stint_stat *stat);

/* A process, and what was said about its scopes the last time. */
struct stint_exposed {
    const struct stint_snapshot *snapshot;
    struct stint_series_memory *memory;
};

/* Writes OpenMetrics, in which labels tell the processes apart. */
void stint_expose_processes(struct stint_text *text, const struct stint_exposed *processes, size_t count);

#endif

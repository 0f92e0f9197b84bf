/* The writers of nvprof's reports, and of two others. Like those of report/, they do not call malloc, and may run in a
 * signal handler. */
#ifndef STINT_FORMATS_FORMATS_H
#define STINT_FORMATS_FORMATS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "report/report.h"
#include "report/row_order.h"
#include "report/sheet.h"
#include "report/summary.h"
#include "stint/report.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"
#include "verdict/verdict.h"

/* The writer of the reports of nsys stats, which only the program stint has (nsys/nsys.h). */
enum stint_status stint_nsys_write(struct stint_text *text, const struct stint_snapshot *snapshot,
                                   const struct stint_report_form *form, const struct stint_layout *layout)
    __attribute__((weak));

/* Each of the list's reports that are not written elsewhere has a function that writes all of it, as CSV if asked for;
 * errors surface in stint_text_end. */
typedef void stint_formats_writer(struct stint_text *text, const struct stint_snapshot *snapshot,
                                  const struct stint_layout *layout, int csv);
#define STINT_FORMATS_NONE(...)
#define STINT_FORMATS_DECLARE(id, writer, ...) stint_formats_writer stint_report_##writer;
STINT_REPORT_LIST(STINT_FORMATS_NONE, STINT_FORMATS_DECLARE, STINT_FORMATS_DECLARE, STINT_FORMATS_NONE)

/* Whether the report on NVTX's ranges would list any. */
int stint_nvprof_has_ranges(const struct stint_snapshot *snapshot);

/* Parts of the report "counters", for the page.
 *
 * Fills in the kernel whose values begin at *next, and advances *next to those of the next kernel. Returns 0 behind the
 * last. */
int stint_counted_kernel_next(struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot,
                              size_t *next);

/* Writes the lines about a kernel below its name: launches, verdict, precision, and its numbers. */
void stint_counted_kernel_put(struct stint_text *text, const struct stint_kernel_figures *figures);

/* ----------------------------------------------------------------------------------------------------------- tables */

/* Tables that are reports of their own, and parts of others: processes, threads, what GPUs consumed. */

/* Writes the table between a title and what was dropped; CSV is the table alone. */
void stint_row_table_report(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout, int csv, stint_formats_writer *put);

/* Writes the rows, as wide as the screen, and a line on those that are left out. */
void stint_row_table_put(struct stint_sheet *sheet, const struct stint_rest *rest, const char *whole,
                         struct stint_text *text, const struct stint_layout *layout);

/* Writes all columns as CSV. */
void stint_row_table_csv(struct stint_sheet *sheet, struct stint_text *text);

/* Returns how many different values the ranks have; without memory, how many ranks there are. */
size_t stint_distinct(const struct stint_rank *ranks, size_t count, struct stint_arena *arena);

/* -------------------------------------------------------------------------------------------------------- processes */

/* Returns how many processes there are in a merged snapshot: one that executed another program is one. Ranks may have
 * the same id, as on several hosts. */
size_t stint_process_count(const struct stint_snapshot *snapshot);

/* Writes a row for each process: those with the most GPU time, or time if no GPU was used, as many as the layout says,
 * by rank, then by start; and a line about the others. The only process of a snapshot that was not merged is a row,
 * too. */
stint_formats_writer stint_process_table_put;

/* ---------------------------------------------------------------------------------------------------------- threads */

/* What a thread recorded. */
struct stint_thread_sum {
    uint64_t ns; /* within scopes and calls */
    uint64_t count;
};

/* Returns the sums of all threads, in the snapshot's order; NULL without memory. */
const struct stint_thread_sum *stint_thread_sums(const struct stint_snapshot *snapshot, struct stint_arena *arena);

/* Writes a row for each thread, by falling CPU time or, if that was not measured, time within scopes and calls: as many
 * as the layout says, and a line about the others. */
stint_formats_writer stint_thread_table_put;

/* Whether the CPU time of threads was measured. */
int stint_thread_table_has_cpu(const struct stint_snapshot *snapshot);

/* ------------------------------------------------------------------------------------------------------------- GPUs */

/* Writes a blank line and what moved in unified memory, by device and direction, and page faults: as many rows as the
 * layout says, and a line about the others. Writes nothing if it was not used. */
void stint_unified_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);

/* Whether that was sampled. */
int stint_system_table_is_needed(const struct stint_snapshot *snapshot);

/* Writes a row for each GPU, with what tells most. */
void stint_system_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout);

/* ------------------------------------------------------------------------------------------------------ rank_rows.c */

/* What reports on the ranks of a job have: rows, and sentences on ranks that are slow or wait. */

enum stint_rank_column {
    STINT_RANK_KIND,
    STINT_RANK_SET,
    STINT_RANK_SHARE,
    STINT_RANK_TOTAL,
    STINT_RANK_RANKS,
    STINT_RANK_COUNT,
    STINT_RANK_MIN,
    STINT_RANK_MIN_RANK,
    STINT_RANK_AVG,
    STINT_RANK_MAX,
    STINT_RANK_MAX_RANK,
    STINT_RANK_STD,
    STINT_RANK_COV,
    STINT_RANK_IMBALANCE,
    STINT_RANK_P50,
    STINT_RANK_P90,
    STINT_RANK_P99,
    STINT_RANK_BYTES,
    STINT_RANK_WAIT,
    STINT_RANK_NAME,
    STINT_RANK_COLUMNS
};

extern const struct stint_column stint_rank_columns[STINT_RANK_COLUMNS];

/* Fills the cells of a row but its name; `whole_ns` is 100 %, 0: the row has no share. */
void stint_rank_row_put(struct stint_sheet *sheet, const struct stint_numbers *numbers, uint64_t whole_ns);

/* Fills the cell of the bytes that calls of MPI sent or received, if that was counted. */
void stint_rank_row_put_bytes(struct stint_sheet *sheet, const struct stint_snapshot *snapshot,
                              const struct stint_stat *stat);

/* Returns the GPU time that the ranks spent on a scope, as numbers; without ranks that spent any, `spread` is NULL. */
struct stint_numbers stint_rank_gpu_numbers(const struct stint_stat *stat);

/* Writes all rows as CSV. */
void stint_rank_rows_csv(struct stint_text *text, const struct stint_snapshot *snapshot);

/* -------------------------------------------------------------------------------------------------------- sentences */

/* Writes a line for each scope in which a rank is much slower than the others, or much slower than it was before:
 * the five, or as many as the layout says, that cost most. What counts is self time: ranks that wait for a slow one
 * in calls of MPI are not slow. */
void stint_slow_ranks_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                          const struct stint_summary *summary, const struct stint_layout *layout);

/* Writes a line for each such kernel of which it is known: of five, or as many as the layout says, that took
 * longest. */
void stint_waiting_ranks_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);

/* --------------------------------------------------------------------------------------------------- scope_series.c */

/* What Prometheus is told about a scope: numbers that never fall, except where counting began anew.
 *
 * Reports take off what recording costs, which is measured again for each of them, and convert ticks by a rate that
 * becomes more exact: the same state of a scope may look a little smaller in a later report. Prometheus takes a counter
 * that falls for one that began at 0, and would add all of it once more. So these are the numbers as they were
 * measured, and a process that writes them again and again remembers what it said last. */

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

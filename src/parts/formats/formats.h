/* The writers of nvprof's reports, and of two others. Like those of report/, they do not call malloc, and may run in a
 * signal handler. */
#ifndef STINT_FORMATS_FORMATS_H
#define STINT_FORMATS_FORMATS_H

#include "base/arena.h"
#include "base/text.h"
#include "report/report_form.h"
#include "report/row_order.h"
#include "report/sheet.h"
#include "stint/report.h"
#include "stint/snapshot.h"
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

/* Whether that was sampled. */
int stint_system_table_is_needed(const struct stint_snapshot *snapshot);

/* Writes a row for each GPU, with what tells most. */
void stint_system_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout);

#endif

/* Where reports are written: to stderr, laid out for a terminal if it is one, or to a file. */
#ifndef STINT_RUNTIME_OUTPUT_H
#define STINT_RUNTIME_OUTPUT_H

#include <stddef.h>

#include "stint/report.h"

/* Reads STINT_REPORT and STINT_OUTPUT. */
void stint_output_start(void);

/* In a forked child, whose report must not overwrite its parent's: a path without %p gets the process id appended. */
void stint_output_after_fork(void);

/* Writes the report that the environment asks for to the place that it asks for. If the file cannot be written, this is
 * logged, and the report goes to stderr instead. May run in a signal handler. */
void stint_output_final(const struct stint_snapshot *snapshot);

/* Writes that report to the file, which has to be there (stint_output_is_file), so that it survives a power failure. */
void stint_output_checkpoint(const struct stint_snapshot *snapshot);

/* As stint_output_final, but with ".exec1.json", or the same with the first free number, appended to the name of the
 * file. */
void stint_output_before_exec(const struct stint_snapshot *snapshot);

/* Returns whether the environment names a file for the report. */
int stint_output_is_file(void);

/* Returns 1 unless STINT_REPORT=off. */
int stint_output_wanted(void);

/* Writes a report to stderr. */
enum stint_status stint_output_stderr(const struct stint_snapshot *snapshot, enum stint_format format);

/* Writes a report to a file named by a pattern, whole or not at all. */
enum stint_status stint_output_file(const struct stint_snapshot *snapshot, enum stint_format format,
                                    const char *pattern);

#endif

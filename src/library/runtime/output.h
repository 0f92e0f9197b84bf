/* Where reports go: stderr, laid out for a terminal if it is one, or a file. */
#ifndef STINT_RUNTIME_OUTPUT_H
#define STINT_RUNTIME_OUTPUT_H

#include <stddef.h>

#include "stint/report.h"

/* Reads STINT_REPORT and STINT_OUTPUT. */
void stint_output_start(void);

/* A child's report must not overwrite its parent's: a path without %p gets the process id behind it. */
void stint_output_after_fork(void);

/* Appends to the name of the file that the environment names, if it names one. */
void stint_output_append(const char *end);

/* Writes the report that the environment asks for to where it asks for. A file that cannot be written is logged, and
 * the report goes to stderr instead. May run in a signal handler. */
void stint_output_final(const struct stint_snapshot *snapshot);

/* Likewise, to a file beside: ".exec1.json" behind its name, or the first number that is free. */
void stint_output_before_exec(const struct stint_snapshot *snapshot);

/* Returns whether the environment names a file for it. */
int stint_output_is_file(void);

/* Returns 1 unless STINT_REPORT=off. */
int stint_output_wanted(void);

/* Writes a report to stderr. */
enum stint_status stint_output_stderr(const struct stint_snapshot *snapshot, enum stint_format format);

/* Writes a report to a file named by a pattern, whole or not at all. */
enum stint_status stint_output_file(const struct stint_snapshot *snapshot, enum stint_format format,
                                    const char *pattern);

#endif

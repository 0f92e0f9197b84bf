/* Whether counters that were asked for were read. */
#ifndef STINT_CLI_COUNTED_H
#define STINT_CLI_COUNTED_H

#include "cli/results.h"

/* Returns 0 if a kernel was counted in some process; -1 after saying why none was. */
int stint_counted_check(const struct stint_results *results);

/* Checks what --counters got. Returns 0, or -1 after saying that a word is neither a group nor may be a metric. */
int stint_counted_read(const char *metrics);

/* Checks what --launches got. Returns 0, or -1 after saying what is expected. */
int stint_counted_read_launches(const char *text);

#endif

/* Hardware counters that were asked for: in runs of the program, one after the other if kernels are not replayed (stint
 * run --replay-mode application). */
#ifndef STINT_CLI_COUNTER_RUNS_H
#define STINT_CLI_COUNTER_RUNS_H

#include "cli/recording.h"
#include "cli/results.h"

/* Returns 0 if a kernel was counted in some process; -1 after saying why none was. */
int stint_counted_check(const struct stint_results *results);

/* Checks what --counters got. Returns 0, or -1 after saying that a word is neither a group nor may be a metric. */
int stint_counted_read(const char *metrics);

/* Checks what --launches got. Returns 0, or -1 after saying what is expected. */
int stint_counted_read_launches(const char *text);

/* As stint_record. If kernels are not replayed, then has the program run as often again as its counters need, and adds
 * what each run counted to the results of the first, and to what that recorded, before they are reported. Says how
 * often, and what was launched otherwise than in the first run. */
int stint_record_runs(struct stint_recording *recording, char **arguments, stint_report_results *report, void *context);

#endif

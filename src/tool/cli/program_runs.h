/* Counters for which the program runs several times (stint run --replay-mode application). */
#ifndef STINT_CLI_PROGRAM_RUNS_H
#define STINT_CLI_PROGRAM_RUNS_H

#include "cli/recording.h"

/* As stint_record. If kernels are not replayed, then has the program run as often again as its counters need, and adds
 * what each run counted to the results of the first, and to what that recorded, before they are reported. Says how
 * often, and what was launched otherwise than in the first run. */
int stint_record_runs(struct stint_recording *recording, char **arguments, stint_report_results *report, void *context);

#endif

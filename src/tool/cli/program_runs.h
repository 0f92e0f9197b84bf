/* Counters for which the program runs several times (stint run --replay-mode application). */
#ifndef STINT_CLI_PROGRAM_RUNS_H
#define STINT_CLI_PROGRAM_RUNS_H

#include "cli/recording.h"

/* After the first run: has the program run as often again as its counters need, and adds what each run counted to the
 * results of the first. Says how often, and what was launched otherwise than in the first run. */
void stint_program_runs(const struct stint_recording *recording, struct stint_results *results, char **arguments);

#endif

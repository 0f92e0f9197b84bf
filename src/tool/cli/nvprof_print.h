/* What stint nvprof prints about a process. */
#ifndef STINT_CLI_NVPROF_PRINT_H
#define STINT_CLI_NVPROF_PRINT_H

#include "cli/nvprof_options.h"
#include "stint/snapshot.h"

/* Whether CUDA was used, or should have been recorded. */
int stint_nvprof_has_profile(const struct stint_snapshot *snapshot);

/* Writes the reports of these modes, blank lines between, to the descriptor. Returns 0, or -1 after saying what
 * failed. */
int stint_nvprof_print(const struct stint_nvprof_asked *asked, unsigned modes, const struct stint_snapshot *snapshot,
                       int file);

/* Writes nvprof's table of metrics, or that in CSV. */
void stint_nvprof_counters_print(const struct stint_nvprof_counters *counters, const struct stint_snapshot *snapshot,
                                 int csv, int file);

#endif

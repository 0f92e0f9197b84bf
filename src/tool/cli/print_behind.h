/* What stint run prints behind its reports: with --ops sums of the kernels by operation, and by layer, if the recording
 * is not kept; or a line for each kernel, which is the report "ops"; with --sample the functions that took most CPU
 * time. */
#ifndef STINT_CLI_PRINT_BEHIND_H
#define STINT_CLI_PRINT_BEHIND_H

#include "cli/print_reports.h"
#include "cli/results.h"
#include "op/op_table.h"

/* Takes "ops" or "ops:csv" out of a list of reports, and says in `lines` which columns it has. Returns whether one of
 * them was there. */
int stint_print_ops_take(char *reports, struct stint_op_table *lines);

/* Prints operations; the sums if `lines` has no columns. Returns 0, or -1 after saying what failed. */
int stint_print_ops(struct stint_print *print, const char *recording, const struct stint_op_table *lines);

/* Prints the functions if anything was sampled. Returns 0, or -1 after saying what failed. */
int stint_print_samples(struct stint_print *print, const struct stint_results *results);

#endif

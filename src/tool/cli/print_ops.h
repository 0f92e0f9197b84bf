/* What `stint run --ops` prints if the recording is not kept: sums of the kernels by operation, and by layer. */
#ifndef STINT_CLI_PRINT_OPS_H
#define STINT_CLI_PRINT_OPS_H

#include "cli/print_reports.h"

/* Prints them behind the reports. Returns 0, or -1 after saying what failed. */
int stint_print_ops(struct stint_print *print, const char *recording);

#endif

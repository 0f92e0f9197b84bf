/* What `stint run --sample` prints behind its reports: the functions that took most CPU time. */
#ifndef STINT_CLI_PRINT_SAMPLES_H
#define STINT_CLI_PRINT_SAMPLES_H

#include "cli/results.h"

/* Prints them if anything was sampled. Returns 0, or -1 after saying what failed. */
int stint_print_samples(struct stint_print *print, const struct stint_results *results);

#endif

/* What stint doctor --measure prints. */
#ifndef STINT_CLI_PRINT_CEILINGS_H
#define STINT_CLI_PRINT_CEILINGS_H

/* Measures the first device, prints what it can do at most, and what the CUPTI at that path takes, and keeps that. The
 * path may be "": there is none. Returns whether it did. */
int stint_print_ceilings(const char *cupti);

#endif

/* What the options of stint run say, and the environment they give a program. */
#ifndef STINT_CLI_RUN_H
#define STINT_CLI_RUN_H

#include "cli/folder.h"
#include "cli/locate.h"
#include "cli/print.h"

struct stint_run {
    const char *gpu;          /* for STINT_GPU; NULL: as it is */
    int nvtx;                 /* 1: record NVTX */
    unsigned long long trace; /* events; 0: none */
    int quiet;
    struct stint_print print;
    struct stint_folder folder;
    struct stint_located inject;
};

/* Sets the variables by which programs record, and report in JSON into the folder. */
void stint_run_set_environment(const struct stint_run *run);

#endif

/* Tries in a separate process whether GPU work can be recorded. */
#ifndef STINT_CLI_PROBE_H
#define STINT_CLI_PROBE_H

#include <limits.h>

#include "stint/status.h"

struct stint_probe {
    char library[256];   /* why libstint cannot be loaded; "": it was */
    char no_driver[256]; /* why libcuda.so.1 cannot be loaded or used; "": it works */
    int driver_version;  /* the newest CUDA it supports: 13000 is 13.0 */
    int devices;
    char device[128]; /* the first one's name */
    enum stint_status status;
    char reason[512];     /* of the status */
    char cupti[PATH_MAX]; /* the CUPTI that was opened; "": none */
    unsigned cupti_version;
};

/* `library` is libstint's path. Returns what stint_trial (cli/trial.h) does. */
int stint_probe(struct stint_probe *probe, const char *library);

#endif

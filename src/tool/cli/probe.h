/* Tries something in a process of its own, because opening drivers and CUPTI may hang, crash, or leave traces. */
#ifndef STINT_CLI_PROBE_H
#define STINT_CLI_PROBE_H

#include <limits.h>
#include <stddef.h>

#include "ceiling/ceilings.h"
#include "stint/status.h"

/* Fills `result`, which is all 0 before. */
typedef void stint_trial_fn(void *result, const char *path);

/* Runs `try` with a path, for a minute at most, and takes over its result of so many bytes. Returns 0; or, with a
 * result that is all 0, the signal that ended the process, or -1 if something else went wrong. */
int stint_trial(stint_trial_fn *try, const char *path, void *result, size_t size);

/* Writes why a trial gave no result, as stint_trial returned it: "the trial was ended by: Segmentation fault". */
void stint_trial_reason(int ended, char *out, size_t size);

/* ------------------------------------------------------------------------------------------------------------ probe */

/* Whether GPU work can be recorded. */
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

/* `library` is libstint's path. Returns what stint_trial does. */
int stint_probe(struct stint_probe *probe, const char *library);

/* Takes the median of several trials. To be called before this process uses CUDA, which is of no use in a forked one
 * then. Returns 0, or -1 with the cause. */
int stint_probe_cupti(struct stint_cupti_cost *cost, const char *cupti, char *reason, size_t size);

#endif

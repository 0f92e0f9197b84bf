/* What a device can do at most, as measured: how fast it copies, reads, and computes with numbers of each type; and how
 * much CUPTI can report of it, if nothing else is done. */
#ifndef STINT_CEILING_CEILINGS_H
#define STINT_CEILING_CEILINGS_H

#include <stddef.h>

#include "stint/snapshot.h"

enum stint_ceiling {
    STINT_CEILING_COPY, /* bytes that are read and written, device memory */
    STINT_CEILING_READ,
    STINT_CEILING_L2, /* bytes read */
    STINT_CEILING_FP64,
    STINT_CEILING_FP32,
    STINT_CEILING_FP16,
    STINT_CEILING_BF16,
    STINT_CEILING_TENSOR_FP64,
    STINT_CEILING_TENSOR_TF32,
    STINT_CEILING_TENSOR_FP16,
    STINT_CEILING_TENSOR_BF16,
    STINT_CEILING_CUPTI_KERNELS, /* launches that are reported, with records of their kernels, per second of CPU time */
    STINT_CEILING_CUPTI_CALLS,   /* the same of calls that launch nothing */
    STINT_CEILINGS
};

enum { STINT_CEILING_NAME_SIZE = 128 };

struct stint_ceilings {
    char device[STINT_CEILING_NAME_SIZE]; /* "NVIDIA H200" */
    int driver;                           /* the newest CUDA it supports: 13000 is 13.0 */
    double per_s[STINT_CEILINGS];         /* bytes, FLOPs, kernels or calls; 0: not measured */
};

/* "copy", "fp32", "tensor_fp16", ... */
const char *stint_ceiling_word(enum stint_ceiling ceiling);

/* ------------------------------------------------------------------------------------------------------------- file */

/* Where measured ceilings are kept: ceilings.tsv in the folder stint of XDG_STATE_HOME, or of ~/.local/state. Each line
 * has the device's name, the driver's version, what was measured, and how much of it the device does in a second.
 * Fills in the file's path. Returns 0, or -1 if neither XDG_STATE_HOME nor HOME is set. */
int stint_ceiling_path(char *path, size_t size);

/* Fills in what was measured last on a device of that name. Returns 0, or -1 if nothing was. */
int stint_ceilings_read(struct stint_ceilings *ceilings, const char *device);

/* Adds them to the file, instead of what it has of the same device and driver. Returns 0, or an errno value. */
int stint_ceilings_write(const struct stint_ceilings *ceilings);

/* Fills in what CUPTI itself takes, of which programs know nothing, if the snapshot is of this host and does not have
 * it yet. */
void stint_cupti_cost_fill(struct stint_snapshot *snapshot);

/* -------------------------------------------------------------------------------------------------------- measuring */

/* Measures what the first device can do at most: about two seconds on a device that nothing else uses. What it has no
 * instructions for keeps its value, and so do CUPTI's. Returns 0, or -1 with the cause in `reason`. */
int stint_ceilings_measure(struct stint_ceilings *ceilings, char *reason, size_t size);

/* What CUPTI takes for what it reports. */
struct stint_cupti_cost {
    double kernel_ns; /* CPU time, of all threads: for a kernel's record and the report of its launch */
    double call_ns;   /* for the report of a call that launches nothing */
};

/* Measures it: launches empty kernels and makes queries, first without CUPTI, then with it. Nothing of what it reports
 * is looked at. About half a second. The process should end afterwards, because CUDA stays slower in it.
 *
 * With the CUPTI at that path, and the first device. A cost may be less than 0 on a machine whose speed changes.
 * Returns NULL, or what failed: the name of a function, or "CUDA". */
const char *stint_cupti_measure(struct stint_cupti_cost *cost, const char *cupti);

#endif

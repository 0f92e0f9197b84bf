/* Snapshots with GPUs for the report writers, built by stat/builder.h from rows written by hand: charges add up to
 * activities by construction. Each function returns a new snapshot in place of the last one. */
#ifndef STINT_TESTS_REPORT_GPU_FIXTURE_H
#define STINT_TESTS_REPORT_GPU_FIXTURE_H

#include "stint/snapshot.h"

/* A training program on two H200: three streams, kernels of a graph, unified memory, a copy between the two, work
 * outside scopes and of launches that were not seen, 14 functions of CUDA's API, waits, memory, overheads, a trace. */
const struct stint_snapshot *fixture_gpu(void);

/* The same, but merged of three processes: a launcher and two ranks. */
const struct stint_snapshot *fixture_gpu_processes(void);

/* A kernel's name of 600 letters, others that break formats; devices that are not described; nothing of the API. */
const struct stint_snapshot *fixture_gpu_nasty(void);

/* 2^62 ns and 1 ns, 2^60 bytes in no time, more calls than columns have digits; something lost for every reason. */
const struct stint_snapshot *fixture_gpu_extreme(void);

/* STINT_GPU_SCOPE alone, because CUPTI was taken. */
const struct stint_snapshot *fixture_gpu_spans(void);

/* Calls of CUDA's API, and nothing on a device. */
const struct stint_snapshot *fixture_gpu_calls(void);

/* Ranges of NVTX in two domains, on one thread; every operation is in the trace. */
const struct stint_snapshot *fixture_gpu_nvtx(void);

/* 40 streams. */
const struct stint_snapshot *fixture_gpu_streams(void);

/* Frees the last one. */
void fixture_gpu_free(void);
int fixture_gpu_teardown(void **state); /* the same, for cmocka */

#endif

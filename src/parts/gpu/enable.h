/* Which kinds of records CUPTI is to write. */
#ifndef STINT_GPU_ENABLE_H
#define STINT_GPU_ENABLE_H

#include "gpu/library.h"

/* Enables the kinds in `wanted`, a sum of enum stint_gpu_what. If records of kernels cannot be enabled, returns CUPTI's
 * result. Other kinds that cannot be enabled are left out: returns 0, and *enabled receives the kinds that are
 * enabled. */
int stint_enable_kinds(const struct stint_cupti *cupti, unsigned wanted, unsigned *enabled);

/* Disables those kinds in `which` that are enabled, and only these: to disable unified memory's records twice, or in a
 * program that has used no managed memory, takes CUPTI 13.0 two seconds (on an H100). */
void stint_disable_kinds(const struct stint_cupti *cupti, unsigned which);

#endif

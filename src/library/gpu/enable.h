/* Which kinds of records CUPTI is to write. */
#ifndef STINT_GPU_ENABLE_H
#define STINT_GPU_ENABLE_H

#include "gpu/library.h"

/* Enables the kinds that `wanted`, of enum stint_gpu_what, consists of. Without records of kernels there is nothing to
 * collect: returns CUPTI's result. Whatever else cannot be had is left out: 0, and *enabled receives what there is. */
int stint_enable_kinds(const struct stint_cupti *cupti, unsigned wanted, unsigned *enabled);

void stint_disable_kinds(const struct stint_cupti *cupti, unsigned which);

#endif

/* What the names of CUDA's functions say. */
#ifndef STINT_GPU_CUPTI_NAMES_H
#define STINT_GPU_CUPTI_NAMES_H

#include <stddef.h>

/* Whether a call of the function may put something on a device: a kernel, a graph, a copy, a set or a move of unified
 * memory. Such a call's scope is remembered (gpu/correlate.h). Takes names of callbacks ("cuLaunchKernel_ptsz"), of
 * cuptiGetCallbackName ("cudaLaunchKernel_v7000"), and shown ones. */
int stint_cupti_launches(const char *name);

/* The name as users write it: "cuMemAlloc" for "cuMemAlloc_v2", without the suffixes _ptsz, _ptds and _v<number>.
 * Returns `name` itself if it has none, else `out`, where the name is put, cut to `size`. */
const char *stint_cupti_shown_name(const char *name, char *out, size_t size);

#endif

/* How the names of CUDA's functions are shown to users. */
#ifndef STINT_GPU_CUPTI_NAMES_H
#define STINT_GPU_CUPTI_NAMES_H

#include <stddef.h>

/* The name as users write it: "cuMemAlloc" for "cuMemAlloc_v2", without the suffixes _ptsz, _ptds and _v<number>.
 * Returns `name` itself if it has no suffix, else `out`, which receives the name, cut to `size`. */
const char *stint_cupti_shown_name(const char *name, char *out, size_t size);

#endif

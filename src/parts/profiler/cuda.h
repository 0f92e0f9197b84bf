/* The program's own CUDA: looked up, never linked, loaded or closed. */
#ifndef STINT_PROFILER_CUDA_H
#define STINT_PROFILER_CUDA_H

#include "stint/detail/profiler.h"

/* Codes that mean that there is no driver or no device, rather than a failure. cudaError_t and CUresult have the same
 * values for them. */
enum { STINT_CUDA_STUB_LIBRARY = 34, STINT_CUDA_INSUFFICIENT_DRIVER = 35, STINT_CUDA_NO_DEVICE = 100 };

/* Fills in the functions to call now; `peek` and `clear` are NULL where errors are not remembered. Returns 0, or -1 if
 * the program has no CUDA loaded. The result must not be kept, because what was loaded may be unloaded. */
int stint_cuda_find(struct stint_i_cuda_runtime *runtime);

#endif

/* What other files here need of the GPU collector. */
#ifndef STINT_RUNTIME_GPU_CALLS_H
#define STINT_RUNTIME_GPU_CALLS_H

/* Has snapshots hold what GPUs did. */
void stint_runtime_gpu_start(void);

/* Zeroes what GPUs did. Without the registry's lock, which threads that launch may need. */
void stint_runtime_gpu_reset(void);

/* Starts collecting because the program initialises CUDA, as the environment says; without a word of it, everything. */
void stint_runtime_gpu_inject(void);

#endif

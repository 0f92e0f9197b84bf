/* The functions of the GPU collector that other files of this stage need. */
#ifndef STINT_RUNTIME_GPU_CALLS_H
#define STINT_RUNTIME_GPU_CALLS_H

/* Has what GPUs did added to snapshots. */
void stint_runtime_gpu_start(void);

/* Zeroes what GPUs did. Must be called without the registry's lock, which threads that launch may need. */
void stint_runtime_gpu_reset(void);

/* To be called when the program initialises CUDA: starts to collect what the environment asks for, or everything if it
 * does not say. */
void stint_runtime_gpu_inject(void);

#endif

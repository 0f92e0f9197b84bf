/* Calls the libraries that the variables for CUDA's and NVTX's injection named before this one took their place:
 * STINT_CHAIN_CUDA and STINT_CHAIN_NVTX name them now. Each is called first, as if it were alone; after that every call
 * goes to both. */
#ifndef STINT_INJECT_CHAIN_H
#define STINT_INJECT_CHAIN_H

#include "nvtx/abi.h"

/* `self` is this library's function of the same name: a library that turns out to be this one is not called. */
void stint_chain_cuda(int (*self)(void));

/* Each passes what NVTX hands over to the other tool, and then to `ours`. Returns 1 if either accepts. */
typedef int stint_chain_nvtx_fn(stint_nvtx_get_table_fn *get_table);
typedef int stint_chain_extension_fn(struct stint_nvtx_module *module);

int stint_chain_nvtx(stint_chain_nvtx_fn *self, stint_chain_nvtx_fn *ours, stint_nvtx_get_table_fn *get_table);
int stint_chain_nvtx_extension(stint_chain_extension_fn *self, stint_chain_extension_fn *ours,
                               struct stint_nvtx_module *module);

#endif

/* Passes scopes as ranges to an NVTX tool if the environment says so. */
#ifndef STINT_NVTX_SCOPE_RANGES_H
#define STINT_NVTX_SCOPE_RANGES_H

/* Starts passing scopes on if STINT_NVTX says so. To be called once, when the registry has started, before any scope is
 * entered. */
void stint_ranges_start(void);

#endif

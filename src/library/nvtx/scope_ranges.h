/* Scopes as ranges of an NVTX tool: the environment's choice. */
#ifndef STINT_NVTX_SCOPE_RANGES_H
#define STINT_NVTX_SCOPE_RANGES_H

/* Listens to scopes if STINT_NVTX says so. Once, when the registry has started, before any scope is entered. */
void stint_ranges_start(void);

#endif

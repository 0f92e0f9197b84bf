/* Ranges of scopes, for a tool that listens to NVTX. */
#ifndef STINT_NVTX_OUTGOING_H
#define STINT_NVTX_OUTGOING_H

#include <stdint.h>

enum stint_nvtx {
    STINT_NVTX_ATTACHED,
    STINT_NVTX_NO_TOOL,
    STINT_NVTX_NO_MEMORY,
};

/* Loads the tool that NVTX's own environment variable names, if it is set, and asks it for the domain "stint". A tool
 * that knows no domains counts as none. `insist` makes ready for ranges even so. Once. */
enum stint_nvtx stint_nvtx_start(int insist);

/* A range of the calling thread, named after the statistic. If stint_nvtx_start said ATTACHED, or insisted and said
 * NO_TOOL: ranges then are the default domain's, of a tool without domains or one that attaches later. */
void stint_nvtx_push(uint32_t id);
void stint_nvtx_pop(uint32_t id);

#endif

/* Passes scopes as ranges to a tool that listens to NVTX. */
#ifndef STINT_NVTX_OUTGOING_H
#define STINT_NVTX_OUTGOING_H

#include <stdint.h>

#include "stint/detail/api.h"

enum stint_nvtx {
    STINT_NVTX_ATTACHED,
    STINT_NVTX_NO_TOOL,
    STINT_NVTX_NO_MEMORY,
};

/* Loads the tool that NVTX's own environment variable names, if it is set, and asks it for the domain "stint". A tool
 * without domains counts as no tool; but with `insist` ranges can be passed even then. To be called once. */
enum stint_nvtx stint_nvtx_start(int insist);

/* What the scope that is being entered says about an operation; NULL: nothing. */
struct stint_i_op;
extern STINT_I_THREAD_LOCAL const struct stint_i_op *stint_nvtx_operation __attribute__((tls_model("initial-exec")));

/* Pushes a range of the calling thread, named after the statistic. Only if stint_nvtx_start returned ATTACHED, or
 * NO_TOOL with `insist`: the ranges then belong to the default domain of a tool without domains, or of one that
 * attaches later. */
void stint_nvtx_push(uint32_t id);
void stint_nvtx_pop(uint32_t id);

#endif

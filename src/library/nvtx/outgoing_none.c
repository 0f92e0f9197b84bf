#include "nvtx/outgoing.h"

enum stint_nvtx stint_nvtx_start(int insist)
{
    (void)insist;
    return STINT_NVTX_NOT_BUILT_IN;
}

void stint_nvtx_push(uint32_t id)
{
    (void)id;
}

void stint_nvtx_pop(uint32_t id)
{
    (void)id;
}

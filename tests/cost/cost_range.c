#include "cost/cost_range.h"

#include "stint/annotate.h"

int stint_cost_has_nvtx(void)
{
    return STINT_HAS_NVTX;
}

void stint_cost_range(int steps)
{
    for (int i = 0; i < steps; i++) {
        STINT_RANGE("range");
        __asm__ volatile("" ::: "memory");
    }
}

/* Adds what was measured of CUPTI on this machine to snapshots that were taken on it. */
#include "cli/cupti_cost.h"

#include <limits.h>
#include <string.h>

#include "base/process.h"
#include "ceiling/ceilings.h"

static int is_of_this_host(const struct stint_snapshot *snapshot)
{
    char host[HOST_NAME_MAX + 1];
    stint_process_host(host, sizeof host);
    return snapshot->process.host && strcmp(snapshot->process.host, host) == 0;
}

void stint_cupti_cost_fill(struct stint_snapshot *snapshot)
{
    struct stint_gpu_info *gpu = &snapshot->gpu;
    struct stint_ceilings ceilings;
    if (!snapshot->gpu_device_count || gpu->cupti_kernel_ns > 0 || !is_of_this_host(snapshot) ||
        stint_ceilings_read(&ceilings, snapshot->gpu_devices[0].name) ||
        ceilings.per_s[STINT_CEILING_CUPTI_KERNELS] <= 0 || ceilings.per_s[STINT_CEILING_CUPTI_CALLS] <= 0)
        return;
    gpu->cupti_kernel_ns = 1e9 / ceilings.per_s[STINT_CEILING_CUPTI_KERNELS];
    gpu->cupti_call_ns = 1e9 / ceilings.per_s[STINT_CEILING_CUPTI_CALLS];
}

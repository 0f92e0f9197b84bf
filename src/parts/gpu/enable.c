/* Switches kinds of CUPTI's records on and off, and remembers which are on. Kernels are a must; any other kind may be
 * missing on a system or a device. */
#include "gpu/enable.h"

#include "stint/gpu.h"

/* Kernels are enabled first, because CUPTI prepares for them only the modules that are loaded from then on. Five kinds
 * are not enabled. KERNEL serialises kernels, unlike CONCURRENT_KERNEL. GRAPH_TRACE records whole graphs instead of the
 * work in them. PCIE makes launches from eight threads five times slower, and gpu/device_query.h finds out about the
 * link. Programs that share memory pools crash with MEMORY2: gpu/allocation_calls.h. SYNCHRONIZATION makes launches
 * slower: gpu/wait_calls.h. */
static const struct {
    uint32_t kind;
    unsigned what;
} s_kinds[] = {
    {STINT_CUPTI_KIND_CONCURRENT_KERNEL, STINT_GPU_ACTIVITIES},
    {STINT_CUPTI_KIND_MEMCPY, STINT_GPU_ACTIVITIES},
    {STINT_CUPTI_KIND_MEMCPY2, STINT_GPU_ACTIVITIES},
    {STINT_CUPTI_KIND_MEMSET, STINT_GPU_ACTIVITIES},
    {STINT_CUPTI_KIND_DEVICE, STINT_GPU_ACTIVITIES},
    {STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER, STINT_GPU_UNIFIED_MEMORY},
    {STINT_CUPTI_KIND_OVERHEAD, STINT_GPU_OVERHEADS},
};

enum { KINDS = sizeof s_kinds / sizeof s_kinds[0] };

static uint8_t s_enabled[KINDS];

static int configure_counters(const struct stint_cupti *cupti, uint32_t scope)
{
    static const uint32_t counters[] = {STINT_CUPTI_UM_HTOD, STINT_CUPTI_UM_DTOH, STINT_CUPTI_UM_DTOD,
                                        STINT_CUPTI_UM_CPU_PAGE_FAULT, STINT_CUPTI_UM_GPU_PAGE_FAULT};
    enum { COUNTERS = sizeof counters / sizeof counters[0] };
    struct stint_cupti_unified_memory_config configs[COUNTERS];

    for (uint32_t i = 0; i < COUNTERS; i++)
        configs[i] = (struct stint_cupti_unified_memory_config){scope, counters[i], 0, 1};
    return cupti->activity_configure_unified_memory_counter(configs, COUNTERS);
}

/* Not every system or device supports all counters. */
static int configure_unified_memory(const struct stint_cupti *cupti)
{
    return configure_counters(cupti, STINT_CUPTI_UM_ALL_DEVICES) ? configure_counters(cupti, STINT_CUPTI_UM_ONE_DEVICE)
                                                                 : 0;
}

static int enable_kind(const struct stint_cupti *cupti, uint32_t kind)
{
    if (kind == STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER && configure_unified_memory(cupti))
        return -1;
    return cupti->activity_enable(kind);
}

int stint_enable_kinds(const struct stint_cupti *cupti, unsigned wanted, unsigned *enabled)
{
    unsigned what = wanted;

    for (int i = 0; i < KINDS; i++) {
        int is_wanted = (s_kinds[i].what & wanted) != 0;
        int result = is_wanted ? enable_kind(cupti, s_kinds[i].kind) : 0;

        if (is_wanted && !result)
            s_enabled[i] = 1;
        if (result && s_kinds[i].kind == STINT_CUPTI_KIND_CONCURRENT_KERNEL)
            return result;
        if (result && s_kinds[i].what != STINT_GPU_ACTIVITIES)
            what &= ~s_kinds[i].what;
    }
    __atomic_store_n(enabled, what, __ATOMIC_RELAXED);
    return 0;
}

void stint_disable_kinds(const struct stint_cupti *cupti, unsigned which)
{
    for (int i = 0; i < KINDS; i++)
        if (s_kinds[i].what & which && s_enabled[i]) {
            s_enabled[i] = 0;
            (void)cupti->activity_disable(s_kinds[i].kind);
        }
}

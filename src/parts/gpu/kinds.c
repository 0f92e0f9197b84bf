/* What reports call the kinds of GPU activities. */
#include "gpu/activity_names.h"
#include "stat/gpu_words.h"

static const char s_overheads[][32] = {
    [STINT_OVERHEAD_UNKNOWN] = "[CUPTI overhead]",
    [STINT_OVERHEAD_COMPILER] = "[CUDA driver compiler]",
    [STINT_OVERHEAD_BUFFER_FLUSH] = "[CUPTI buffer flush]",
    [STINT_OVERHEAD_INSTRUMENTATION] = "[CUPTI instrumentation]",
    [STINT_OVERHEAD_RESOURCE] = "[CUPTI resource]",
    [STINT_OVERHEAD_RUNTIME_LOADING] = "[CUDA module loading]",
    [STINT_OVERHEAD_LAZY_LOADING] = "[CUDA lazy function loading]",
    [STINT_OVERHEAD_BUFFER_REQUEST] = "[CUPTI buffer request]",
    [STINT_OVERHEAD_INITIALIZATION] = "[CUPTI initialization]",
    [STINT_OVERHEAD_COMMAND_BUFFER_FULL] = "[CUDA command buffer full]",
};

const char *stint_name_of_kind(enum stint_gpu_kind kind, uint32_t what)
{
    const char *name = stint_gpu_name(kind, stint_activity_direction(kind, what), stint_activity_wait(kind, what));
    if (name)
        return name;
    if (kind == STINT_GPU_UNMEASURED)
        return "[launch without a record]";
    if (kind != STINT_GPU_OVERHEAD)
        return "(unnamed)";
    return s_overheads[what < sizeof s_overheads / sizeof s_overheads[0] ? what : STINT_OVERHEAD_UNKNOWN];
}

#include "gpu/activity_names.h"

static const char *const s_copies[] = {
    [STINT_COPY_UNKNOWN] = "[CUDA memcpy]",   [STINT_COPY_HTOD] = "[CUDA memcpy HtoD]",
    [STINT_COPY_DTOH] = "[CUDA memcpy DtoH]", [STINT_COPY_HTOA] = "[CUDA memcpy HtoA]",
    [STINT_COPY_ATOH] = "[CUDA memcpy AtoH]", [STINT_COPY_ATOA] = "[CUDA memcpy AtoA]",
    [STINT_COPY_ATOD] = "[CUDA memcpy AtoD]", [STINT_COPY_DTOA] = "[CUDA memcpy DtoA]",
    [STINT_COPY_DTOD] = "[CUDA memcpy DtoD]", [STINT_COPY_HTOH] = "[CUDA memcpy HtoH]",
    [STINT_COPY_PTOP] = "[CUDA memcpy PtoP]",
};

static const char *const s_moves[] = {
    [STINT_COPY_UNKNOWN] = "[CUDA Unified Memory memcpy]",
    [STINT_COPY_HTOD] = "[CUDA Unified Memory memcpy HtoD]",
    [STINT_COPY_DTOH] = "[CUDA Unified Memory memcpy DtoH]",
    [STINT_COPY_DTOD] = "[CUDA Unified Memory memcpy DtoD]",
};

static const char *const s_waits[] = {
    [STINT_WAIT_UNKNOWN] = "[CUDA synchronize]",
    [STINT_WAIT_EVENT] = "[CUDA event synchronize]",
    [STINT_WAIT_STREAM_WAIT_EVENT] = "[CUDA stream wait event]",
    [STINT_WAIT_STREAM] = "[CUDA stream synchronize]",
    [STINT_WAIT_CONTEXT] = "[CUDA context synchronize]",
};

static const char *const s_overheads[] = {
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

static const char *const s_sets[] = {"[CUDA memset]"};
static const char *const s_faults[] = {"[CUDA Unified Memory CPU page faults]"};
static const char *const s_others[] = {"(unnamed)"};

struct names {
    const char *const *name; /* by what; [0] stands for what is unknown */
    uint32_t count;
};

#define NAMES(array)                                                                                                   \
    {                                                                                                                  \
        (array), sizeof(array) / sizeof(array)[0]                                                                      \
    }

static struct names names_of(enum stint_gpu_kind kind)
{
    static const struct names by_kind[STINT_GPU_KINDS] = {
        [STINT_GPU_KERNEL] = NAMES(s_others), [STINT_GPU_COPY] = NAMES(s_copies),
        [STINT_GPU_SET] = NAMES(s_sets),      [STINT_GPU_UNIFIED] = NAMES(s_moves),
        [STINT_GPU_SPAN] = NAMES(s_others),   [STINT_GPU_SYNC] = NAMES(s_waits),
        [STINT_GPU_FAULT] = NAMES(s_faults),  [STINT_GPU_OVERHEAD] = NAMES(s_overheads),
    };

    return by_kind[(unsigned)kind < STINT_GPU_KINDS ? kind : STINT_GPU_KERNEL];
}

const char *stint_name_of_kind(enum stint_gpu_kind kind, uint32_t what)
{
    const struct names names = names_of(kind);

    return what < names.count && names.name[what] ? names.name[what] : names.name[0];
}

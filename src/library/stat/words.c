#include "stat/words.h"

const char *const stint_gpu_kind_words[] = {
    [STINT_GPU_KERNEL] = "kernel",   [STINT_GPU_COPY] = "copy",         [STINT_GPU_SET] = "set",
    [STINT_GPU_UNIFIED] = "unified", [STINT_GPU_SPAN] = "span",         [STINT_GPU_SYNC] = "sync",
    [STINT_GPU_FAULT] = "fault",     [STINT_GPU_OVERHEAD] = "overhead", [STINT_WORD_API] = "api",
};

const char *const stint_gpu_memory_words[] = {
    [STINT_GPU_MEMORY_UNKNOWN] = "unknown",
    [STINT_GPU_MEMORY_PAGEABLE] = "pageable",
    [STINT_GPU_MEMORY_PINNED] = "pinned",
    [STINT_GPU_MEMORY_DEVICE] = "device",
    [STINT_GPU_MEMORY_ARRAY] = "array",
    [STINT_GPU_MEMORY_MANAGED] = "managed",
    [STINT_GPU_MEMORY_DEVICE_STATIC] = "device_static",
    [STINT_GPU_MEMORY_MANAGED_STATIC] = "managed_static",
};

const char *const stint_nvtx_named_words[] = {
    "",
    [STINT_NVTX_CATEGORY] = "category",
    [STINT_NVTX_THREAD] = "thread",
    [STINT_NVTX_CUDA_DEVICE] = "cuda_device",
    [STINT_NVTX_CUDA_CONTEXT] = "cuda_context",
    [STINT_NVTX_CUDA_STREAM] = "cuda_stream",
    [STINT_NVTX_CUDA_EVENT] = "cuda_event",
    [STINT_NVTX_RESOURCE] = "resource",
};

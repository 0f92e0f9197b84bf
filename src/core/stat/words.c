/* Words for the values of enumerations in JSON, in tables by value. */
#include "stat/words.h"

#include "stat/gpu_words.h"
#include "stint/statset.h"

static const char s_barriers[][6] = {[STINT_BARRIER_END] = "end", [STINT_BARRIER_DELTA] = "delta"};

static const char s_gpu_kinds[][11] = {
    [STINT_GPU_KERNEL] = "kernel",   [STINT_GPU_COPY] = "copy",         [STINT_GPU_SET] = "set",
    [STINT_GPU_UNIFIED] = "unified", [STINT_GPU_SPAN] = "span",         [STINT_GPU_SYNC] = "sync",
    [STINT_GPU_FAULT] = "fault",     [STINT_GPU_OVERHEAD] = "overhead", [STINT_GPU_UNMEASURED] = "unmeasured",
    [STINT_WORD_API] = "api",
};

#define WORD(constant, word, name) [STINT_GPU_MEMORY_##constant] = word,
static const char s_gpu_memory[][15] = {STINT_GPU_MEMORY_ROWS(WORD)};
#undef WORD

static const char s_nvtx_named[][13] = {
    [STINT_NVTX_CATEGORY] = "category",       [STINT_NVTX_THREAD] = "thread",
    [STINT_NVTX_CUDA_DEVICE] = "cuda_device", [STINT_NVTX_CUDA_CONTEXT] = "cuda_context",
    [STINT_NVTX_CUDA_STREAM] = "cuda_stream", [STINT_NVTX_CUDA_EVENT] = "cuda_event",
    [STINT_NVTX_RESOURCE] = "resource",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *stint_word(enum stint_words words, unsigned value)
{
    switch (words) {
    case STINT_WORDS_STATUS:
        return stint_status_name((enum stint_status)value);
    case STINT_WORDS_BARRIER:
        return value < COUNT(s_barriers) ? s_barriers[value] : "";
    case STINT_WORDS_GPU_KIND:
        return value < STINT_GPU_KINDS ? s_gpu_kinds[value] : "";
    case STINT_WORDS_EVENT:
        return value < COUNT(s_gpu_kinds) ? s_gpu_kinds[value] : "";
    case STINT_WORDS_GPU_MEMORY:
        return value < COUNT(s_gpu_memory) ? s_gpu_memory[value] : "";
    case STINT_WORDS_NVTX_NAMED:
        return value < COUNT(s_nvtx_named) ? s_nvtx_named[value] : "";
    }
    return "";
}

/* What reports in JSON call kinds of things: who writes them and who reads them back agree here. */
#ifndef STINT_STAT_WORDS_H
#define STINT_STAT_WORDS_H

#include "stint/gpu_stats.h"
#include "stint/nvtx_stats.h"

enum { STINT_WORD_API = STINT_GPU_KINDS, STINT_GPU_MEMORY_KINDS = STINT_GPU_MEMORY_MANAGED_STATIC + 1 };

/* By enum stint_gpu_kind; the last is that of calls, which are events, too. */
extern const char *const stint_gpu_kind_words[STINT_GPU_KINDS + 1];

/* By enum stint_gpu_memory_kind. */
extern const char *const stint_gpu_memory_words[STINT_GPU_MEMORY_KINDS];

/* By enum stint_nvtx_named, whose first is 1. */
extern const char *const stint_nvtx_named_words[STINT_NVTX_RESOURCE + 1];

#endif

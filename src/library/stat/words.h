/* What reports in JSON call kinds of things: who writes them and who reads them back agree here. */
#ifndef STINT_STAT_WORDS_H
#define STINT_STAT_WORDS_H

#include "stint/gpu_stats.h"
#include "stint/nvtx_stats.h"

/* Which enumeration the words are of. */
enum stint_words {
    STINT_WORDS_STATUS,     /* enum stint_status */
    STINT_WORDS_BARRIER,    /* enum stint_barrier_kind */
    STINT_WORDS_GPU_KIND,   /* enum stint_gpu_kind */
    STINT_WORDS_EVENT,      /* likewise, or STINT_WORD_API, for a call */
    STINT_WORDS_GPU_MEMORY, /* enum stint_gpu_memory_kind */
    STINT_WORDS_NVTX_NAMED  /* enum stint_nvtx_named */
};

enum { STINT_WORD_API = STINT_GPU_KINDS, STINT_GPU_MEMORY_KINDS = STINT_GPU_MEMORY_MANAGED_STATIC + 1 };

/* What stands where a calling context's place would, if there is none. */
#define STINT_WORD_NO_SCOPE "(no scope)"
#define STINT_WORD_UNATTRIBUTED "(unattributed)"

/* No enumeration has a value beyond this one. */
enum { STINT_WORDS_MOST = 64 };

/* Returns the word for a value, or "" if it has none. */
const char *stint_word(enum stint_words words, unsigned value);

/* By enum stint_gpu_kind; the last is that of calls, which are events, too. */
extern const char *const stint_gpu_kind_words[STINT_GPU_KINDS + 1];

/* By enum stint_gpu_memory_kind. */
extern const char *const stint_gpu_memory_words[STINT_GPU_MEMORY_KINDS];

/* By enum stint_nvtx_named, whose first is 1. */
extern const char *const stint_nvtx_named_words[STINT_NVTX_RESOURCE + 1];

#endif

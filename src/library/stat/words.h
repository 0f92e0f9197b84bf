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

enum { STINT_WORD_API = STINT_GPU_KINDS };

/* What stands where a calling context's place would, if there is none. */
#define STINT_WORD_NO_SCOPE "(no scope)"
#define STINT_WORD_UNATTRIBUTED "(unattributed)"

/* No enumeration has a value beyond this one. */
enum { STINT_WORDS_MOST = 64 };

/* Returns the word for a value, or "" if it has none. */
const char *stint_word(enum stint_words words, unsigned value);

#endif

/* The words for kinds of things in JSON reports, shared by the code that writes them and the code that reads them. */
#ifndef STINT_STAT_WORDS_H
#define STINT_STAT_WORDS_H

#include "stint/gpu_stats.h"
#include "stint/nvtx_stats.h"

/* The enumeration that the words belong to. */
enum stint_words {
    STINT_WORDS_STATUS,     /* enum stint_status */
    STINT_WORDS_BARRIER,    /* enum stint_barrier_kind */
    STINT_WORDS_GPU_KIND,   /* enum stint_gpu_kind */
    STINT_WORDS_EVENT,      /* enum stint_gpu_kind, or STINT_WORD_API for a call */
    STINT_WORDS_GPU_MEMORY, /* enum stint_gpu_memory_kind */
    STINT_WORDS_NVTX_NAMED  /* enum stint_nvtx_named */
};

enum { STINT_WORD_API = STINT_GPU_KINDS };

/* Written in place of a calling context's position if there is none. */
#define STINT_WORD_NO_SCOPE "(no scope)"
#define STINT_WORD_UNATTRIBUTED "(unattributed)"

/* No enumeration has a value greater than this. */
enum { STINT_WORDS_MOST = 64 };

/* Returns the word for a value, or "" if it has none. */
const char *stint_word(enum stint_words words, unsigned value);

#endif

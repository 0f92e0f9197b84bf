/* The words for kinds of things in JSON reports, shared by the code that writes them and the code that reads them. */
#ifndef STINT_STAT_WORDS_H
#define STINT_STAT_WORDS_H

#include <stddef.h>

/* The enumeration that the words belong to. */
enum stint_words {
    STINT_WORDS_STATUS,     /* enum stint_status */
    STINT_WORDS_BARRIER,    /* enum stint_barrier_kind */
    STINT_WORDS_GPU_KIND,   /* enum stint_gpu_kind */
    STINT_WORDS_EVENT,      /* enum stint_gpu_kind, or STINT_WORD_API (model/gpu_words.h) for a call */
    STINT_WORDS_GPU_MEMORY, /* enum stint_gpu_memory_kind */
    STINT_WORDS_NVTX_NAMED  /* enum stint_nvtx_named */
};

/* Written in place of a calling context's position if there is none. */
#define STINT_WORD_NO_SCOPE "(no scope)"
#define STINT_WORD_UNATTRIBUTED "(unattributed)"

/* No enumeration has a value greater than this. */
enum { STINT_WORDS_MOST = 64 };

/* The words by value, one after the other in rows of an array. Without a pointer for each, which would need a
 * relocation. */
struct stint_word_list {
    const char *words;
    size_t size; /* of a row */
    unsigned count;
};

#define STINT_WORD_LIST(array)                                                                                         \
    {                                                                                                                  \
        (array)[0], sizeof(array)[0], sizeof(array) / sizeof(array)[0]                                                 \
    }

/* Those of what parts collect (src/parts/model), which a program may be linked without. */
extern const struct stint_word_list stint_word_list_barrier, stint_word_list_gpu_kind, stint_word_list_event,
    stint_word_list_gpu_memory, stint_word_list_nvtx_named;

/* Returns the word for a value, or "" if it has none. */
const char *stint_word(enum stint_words words, unsigned value);

#endif

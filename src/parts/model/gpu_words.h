/* The words for directions of copies, for waits and for kinds of memory, each in one row. */
#ifndef STINT_MODEL_GPU_WORDS_H
#define STINT_MODEL_GPU_WORDS_H

#include "stat/members.h"
#include "stint/gpu_stats.h"

enum {
    STINT_GPU_DIRECTIONS = STINT_GPU_PTOP + 1,
    STINT_GPU_WAITS = STINT_GPU_WAIT_CONTEXT + 1,
    STINT_GPU_MEMORY_KINDS = STINT_GPU_MEMORY_MANAGED_STATIC + 1
};

/* The word in JSON for an event that is a call. */
enum { STINT_WORD_API = STINT_GPU_KINDS };

/* Without pointers, so that the rows need no relocation. */
struct stint_gpu_direction_words {
    char constant[8];  /* as in CUPTI's and Nsight Systems' enumerators: "HTOD" */
    char copy[20];     /* the name of such an activity: "[CUDA memcpy HtoD]" */
    char move[36];     /* the name of such a move of unified memory */
    char timeline[12]; /* what PyTorch's profiler calls such a copy: "Memcpy HtoD" */
    char nsys[20];     /* "Host-to-Device" */
    char nvprof[20];   /* "Host To Device", for unified memory */
    int nsys_move;     /* Nsight Systems' number of such a move; 0: there are none in this direction. Copies have the
                          enumerator's own number */
};

struct stint_gpu_wait_words {
    char constant[20]; /* "EVENT_SYNCHRONIZE" */
    char name[28];     /* of such an activity: "[CUDA event synchronize]" */
    char timeline[20]; /* what PyTorch's profiler calls it: "Event Sync" */
    char nsys[20];     /* "Event sync" */
};

/* ROW(constant, word, name): the enumerator without STINT_GPU_MEMORY_, the word in JSON reports, and the name that
 * people read. */
#define STINT_GPU_MEMORY_ROWS(ROW)                                                                                     \
    ROW(UNKNOWN, "unknown", "Unknown")                                                                                 \
    ROW(PAGEABLE, "pageable", "Pageable")                                                                              \
    ROW(PINNED, "pinned", "Pinned")                                                                                    \
    ROW(DEVICE, "device", "Device")                                                                                    \
    ROW(ARRAY, "array", "Array")                                                                                       \
    ROW(MANAGED, "managed", "Managed")                                                                                 \
    ROW(DEVICE_STATIC, "device_static", "Device Static")                                                               \
    ROW(MANAGED_STATIC, "managed_static", "Managed Static")

/* Both are indexed by the enumerator. */
extern const struct stint_gpu_direction_words stint_gpu_direction_words[STINT_GPU_DIRECTIONS];
extern const struct stint_gpu_wait_words stint_gpu_wait_words[STINT_GPU_WAITS];

/* Returns the name of copies, sets, moves and faults of unified memory, and waits; NULL if activities of this kind have
 * names of their own. */
const char *stint_gpu_name(enum stint_gpu_kind kind, enum stint_gpu_direction direction, enum stint_gpu_wait wait);

/* The reverse, for names that were read from a file; 0 (unknown) if the name does not tell. */
enum stint_gpu_direction stint_gpu_direction_of(enum stint_gpu_kind kind, const char *name);
enum stint_gpu_wait stint_gpu_wait_of(enum stint_gpu_kind kind, const char *name);

/* Returns "Device Static"; "" if the kind is unknown. */
const char *stint_gpu_memory_name(enum stint_gpu_memory_kind kind);

#endif

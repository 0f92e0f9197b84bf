/* Numbers of Nsight Systems that differ from CUPTI's. */
#ifndef STINT_STORE_NSYS_NUMBERS_H
#define STINT_STORE_NSYS_NUMBERS_H

#include "model/gpu_words.h"

/* Kinds of memory have CUPTI's numbers, except for unknown memory, which comes last. */
static inline int stint_nsys_memory(enum stint_gpu_memory_kind kind)
{
    return (kind == STINT_GPU_MEMORY_UNKNOWN ? STINT_GPU_MEMORY_KINDS : (int)kind) - 1;
}

static inline enum stint_gpu_memory_kind stint_nsys_memory_kind(int64_t number)
{
    return number >= 0 && number < STINT_GPU_MEMORY_KINDS - 1 ? (enum stint_gpu_memory_kind)(number + 1)
                                                              : STINT_GPU_MEMORY_UNKNOWN;
}

/* Copies have CUPTI's numbers, followed by the migrations of unified memory. */
static inline uint32_t stint_nsys_copy(enum stint_gpu_kind kind, enum stint_gpu_direction direction)
{
    return kind == STINT_GPU_UNIFIED ? (uint32_t)stint_gpu_direction_words[direction].nsys_move : (uint32_t)direction;
}

/* Sets the kind, STINT_GPU_COPY or STINT_GPU_UNIFIED, and the direction. */
static inline void stint_nsys_read_copy(int64_t number, struct stint_gpu_event *event)
{
    event->kind = STINT_GPU_COPY;
    event->direction = STINT_GPU_DIRECTION_UNKNOWN;
    for (int i = 1; i < STINT_GPU_DIRECTIONS; i++) {
        int is_move = number && stint_gpu_direction_words[i].nsys_move == number; /* 0: no such move */
        if (number != i && !is_move)
            continue;
        event->kind = is_move ? STINT_GPU_UNIFIED : STINT_GPU_COPY;
        event->direction = (enum stint_gpu_direction)i;
        return;
    }
}

static inline enum stint_gpu_wait stint_nsys_wait(int64_t number)
{
    return number > 0 && number < STINT_GPU_WAITS ? (enum stint_gpu_wait)number : STINT_GPU_WAIT_UNKNOWN;
}

#endif

/* Numbers the threads of all processes, in the order in which they are first asked for. Zero one to begin. */
#ifndef STINT_EXPORT_THREAD_PLACES_H
#define STINT_EXPORT_THREAD_PLACES_H

#include "base/array.h"
#include "base/index.h"

struct stint_thread_places {
    struct stint_array keys;
    struct stint_index index;
};

/* Returns the thread's number: for a new one, that of threads before. STINT_INDEX_NONE: there was no memory. */
size_t stint_thread_place(struct stint_thread_places *places, struct stint_arena *arena, int64_t pid, int64_t tid);

#endif

/* Names of functions that a just-in-time compiler made, from the file that it wrote for perf: /tmp/perf-PID.map. */
#ifndef STINT_SYMBOLS_PERF_MAP_H
#define STINT_SYMBOLS_PERF_MAP_H

#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"

struct stint_perf_map {
    int64_t pid;
    struct stint_array rows; /* struct stint_range (symbols/range_list.h) */
};

/* Reads the file of that process; without one there are no rows. */
void stint_perf_map_read(struct stint_perf_map *map, int64_t pid, struct stint_arena *arena);

/* Returns the name of the function at the address; NULL if there is none. */
const char *stint_perf_map_find(const struct stint_perf_map *map, uint64_t address);

#endif

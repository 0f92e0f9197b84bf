/* Names of functions at addresses that samples have. Each is looked up once; texts live until the end. */
#ifndef STINT_SYMBOLS_SYMBOLS_H
#define STINT_SYMBOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "stint/samples.h"

/* A function at an address. */
struct stint_symbol {
    const char *function; /* in the source's form; "0x1234" if it has no name */
    const char *module;   /* the file that it is in, without the folder; "[jit]" for code that is in no file */
    const char *file;     /* of the source; "" if unknown */
    int line;             /* in it; 0: unknown */
};

struct stint_symbols;

/* Returns NULL without memory. */
struct stint_symbols *stint_symbols_begin(void);

/* Fills `found`, with room for `most`, with the function at an address of the module, as the module's file states it,
 * and with those that it was inlined into, the innermost first. Returns how many there are, one at least. */
size_t stint_symbols_find(struct stint_symbols *symbols, const struct stint_sample_module *module, uint64_t address,
                          struct stint_symbol *found, size_t most);

/* Returns a sentence on what could not be looked up, "" if there is nothing to say. */
const char *stint_symbols_remark(struct stint_symbols *symbols);

void stint_symbols_end(struct stint_symbols *symbols);

/* Names of functions that a just-in-time compiler made, from the file that it wrote for perf: /tmp/perf-PID.map. */
struct stint_perf_map {
    int64_t pid;
    struct stint_array rows; /* struct stint_range */
};

/* Reads the file of that process; without one there are no rows. */
void stint_perf_map_read(struct stint_perf_map *map, int64_t pid, struct stint_arena *arena);

/* Returns the name of the function at the address; NULL if there is none. */
const char *stint_perf_map_find(const struct stint_perf_map *map, uint64_t address);

#endif

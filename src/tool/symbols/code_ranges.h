/* Ranges of addresses that do not overlap, such as those of functions. */
#ifndef STINT_SYMBOLS_CODE_RANGES_H
#define STINT_SYMBOLS_CODE_RANGES_H

#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"

/* An item of the list. */
struct stint_range {
    uint64_t begin, end; /* the first address behind it */
    const char *name;    /* NULL: it has none */
};

/* Puts them in order, once all have been added. */
void stint_range_list_sort(struct stint_array *ranges);

/* Returns the range that the address is in; NULL if there is none. */
const struct stint_range *stint_range_list_find(const struct stint_array *ranges, uint64_t address);

struct Elf;

/* Where functions of a file begin and end, from .eh_frame: of those that have no names any more. Fills `ranges`, a list
 * of struct stint_range in the arena. What cannot be read is left out. */
void stint_code_ranges_read(struct stint_array *ranges, struct stint_arena *arena, struct Elf *elf);

#endif

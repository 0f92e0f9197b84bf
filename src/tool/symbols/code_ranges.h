/* Where functions of a file begin and end, from .eh_frame: of those that have no names any more. */
#ifndef STINT_SYMBOLS_CODE_RANGES_H
#define STINT_SYMBOLS_CODE_RANGES_H

#include <libelf.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"

/* Fills `ranges`, a list in the arena (symbols/range_list.h). What cannot be read is left out. */
void stint_code_ranges_read(struct stint_array *ranges, struct stint_arena *arena, Elf *elf);

#endif

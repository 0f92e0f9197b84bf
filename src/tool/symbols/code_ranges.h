/* Where functions of a file begin and end, from .eh_frame: of those that have no names any more. */
#ifndef STINT_SYMBOLS_CODE_RANGES_H
#define STINT_SYMBOLS_CODE_RANGES_H

#include <libelf.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"

/* Fills `ranges`, an array in the arena, by address. What cannot be read is left out. */
void stint_code_ranges_read(struct stint_array *ranges, struct stint_arena *arena, Elf *elf);

/* Returns where the function around the address begins; UINT64_MAX if that is not known. */
uint64_t stint_code_ranges_find(const struct stint_array *ranges, uint64_t address);

#endif

/* One file with code: an executable or a shared library, and its debugging information, wherever that is. */
#ifndef STINT_SYMBOLS_CODE_FILE_H
#define STINT_SYMBOLS_CODE_FILE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "symbols/symbols.h"

struct stint_code_file;

/* How opening one went. */
enum stint_code_state {
    STINT_CODE_FOUND,
    STINT_CODE_MISSING,  /* cannot be opened, or this program was built without libdw */
    STINT_CODE_DIFFERENT /* has another build id: it was replaced since */
};

/* Returns NULL, and says why, if the file is not the one with that build id; "" fits any. */
struct stint_code_file *stint_code_file_open(const char *path, const char *build_id, enum stint_code_state *state);

/* Fills function, file and line of the symbols at the address, with texts in the arena. Returns how many; 0: it is not
 * known. */
size_t stint_code_file_find(struct stint_code_file *code, uint64_t address, struct stint_arena *arena,
                            struct stint_symbol *found, size_t most);

void stint_code_file_close(struct stint_code_file *code);

/* ------------------------------------------------------------------------------------------- ranges (code_ranges.c) */

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

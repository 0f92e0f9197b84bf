/* One file with code: an executable or a shared library, and its debugging information, wherever that is. */
#ifndef STINT_SYMBOLS_CODE_FILE_H
#define STINT_SYMBOLS_CODE_FILE_H

#include <stdint.h>

#include "base/arena.h"
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

#endif

/* Functions at addresses that samples have, and the files with code that they are looked up in. */
#ifndef STINT_SYMBOLS_SYMBOLS_H
#define STINT_SYMBOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "stint/samples.h"
#include "support/elf.h"

/* -------------------------------------------------------------------------------------------------------- symbols.c */

/* Names of functions at addresses that samples have. Texts live until the end, or until they are renewed. */

/* A function at an address. Without a name it is called by an address: by where it begins, or, if that is not known
 * either, by the one that was looked up. */
struct stint_symbol {
    const char *function; /* in the source's form; "0x1234" if it has no name */
    const char *module; /* the file that it is in, without the folder; "[jit]" for code that is in no file; "Python" */
    const char *file;   /* of the source; "" if unknown */
    int line;           /* in it; 0: unknown */
    enum { STINT_SYMBOL_NAMED, STINT_SYMBOL_NAMELESS, STINT_SYMBOL_UNKNOWN } kind;
};

struct stint_symbols;

/* How much is looked up. Names are in tables; all else is in debugging information, which is read more slowly. */
enum stint_symbols_detail {
    STINT_SYMBOLS_NAMES,
    STINT_SYMBOLS_INLINED_IF_CHEAP, /* also what was inlined, where the file itself has it in a form read at once */
    STINT_SYMBOLS_INLINED,          /* wherever it is */
    STINT_SYMBOLS_LINES             /* this, and lines of the source */
};

/* Returns NULL without memory. */
struct stint_symbols *stint_symbols_begin(enum stint_symbols_detail detail);

/* Fills `found`, with room for `most`, with the function at an address of the module, as the module's file states it,
 * and with those that it was inlined into, the innermost first. Returns how many there are, one at least. */
size_t stint_symbols_find(struct stint_symbols *symbols, const struct stint_sample_module *module, uint64_t address,
                          struct stint_symbol *found, size_t most);

/* Whether it is a function of Python (stint/samples.h). */
int stint_symbols_is_python(const struct stint_sample_module *module);

/* Returns a sentence on what could not be looked up, "" if there is nothing to say. */
const char *stint_symbols_remark(struct stint_symbols *symbols);

/* Forgets all texts, and what just-in-time compilers had made, which make more. Files stay open: to open a large one
 * takes longest. */
void stint_symbols_renew(struct stint_symbols *symbols);

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

/* ------------------------------------------------------------------------------------------------------ code_file.c */

/* One file with code: an executable or a shared library, and its debugging information, wherever that is. */

struct stint_code_file;

/* How opening one went. */
enum stint_code_state {
    STINT_CODE_FOUND,
    STINT_CODE_MISSING,  /* cannot be opened */
    STINT_CODE_DIFFERENT /* has another build id: it was replaced since */
};

/* The path of code that the kernel puts into every process, which is in no file. */
#define STINT_VDSO "linux-vdso.so.1"

/* Returns NULL, and says why, if the file is not the one with that build id; "" fits any. */
struct stint_code_file *stint_code_file_open(const char *path, const char *build_id, enum stint_symbols_detail detail,
                                             enum stint_code_state *state);

/* Fills function, file and line of the symbols at the address, with texts in the arena. Returns how many; 0: it is not
 * known. */
size_t stint_code_file_find(struct stint_code_file *code, uint64_t address, struct stint_arena *arena,
                            struct stint_symbol *found, size_t most);

void stint_code_file_close(struct stint_code_file *code);

/* Returns a function's name as in the source, made from that which the linker knows, in the arena. */
const char *stint_code_name(struct stint_arena *arena, const char *name);

/* Opens, to read, a file that another file or process names: only a plain one, so that nothing is waited for and all
 * reading ends. `own`: neither a link, nor a file of another user than root. Returns -1 if it is not such a file. */
int stint_open_named(const char *path, int own);

/* ----------------------------------------------------------------------------------------------------- debug_info.c */

struct stint_debug_info;

/* Returns NULL if it can be read, or why it cannot. */
const char *stint_debug_info_missing(void);

/* Opens the debugging information in an open file, or, `is_anywhere`, where else the system has it. Returns NULL if
 * there is none, or it cannot be read. */
struct stint_debug_info *stint_debug_info_open(const char *path, int file, int is_anywhere, int has_lines);

/* As stint_code_file_find. */
size_t stint_debug_info_find(struct stint_debug_info *info, uint64_t address, struct stint_arena *arena,
                             struct stint_symbol *found, size_t most);

void stint_debug_info_close(struct stint_debug_info *info);

/* ------------------------------------------------------------------------------------------- ranges (code_ranges.c) */

/* An item of the list. */
struct stint_range {
    uint64_t begin, end; /* the first address behind it */
    const void *item;    /* what is there: a name, or what the list is of; NULL: nothing more is known */
};

/* Puts them in order, once all have been added. */
void stint_range_list_sort(struct stint_array *ranges);

/* Returns the range that the address is in; NULL if there is none. */
const struct stint_range *stint_range_list_find(const struct stint_array *ranges, uint64_t address);

/* Where functions of a file begin and end, from .eh_frame: of those that have no names any more. Fills `ranges`, a list
 * of struct stint_range in the arena. What cannot be read is left out. */
void stint_code_ranges_read(struct stint_array *ranges, struct stint_arena *arena, const struct stint_elf *elf);

#endif

/* Functions by address, from the symbol table of an ELF file. The file may be damaged or not an ELF file at all, so
 * every value in it is checked against the file's size before use. */
#ifndef STINT_FUNCTIONS_ELF_H
#define STINT_FUNCTIONS_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct stint_elf {
    const unsigned char *image; /* the whole file */
    size_t size;
    size_t symbols; /* offset of the symbol table */
    size_t symbol_count;
    size_t strings; /* offset of its names */
    size_t strings_size;
    uint32_t *slots; /* the functions by address: position in the table; 0, which is never a function: free */
    size_t mask;     /* of slots */
};

/* Finds the functions in .symtab or, if it has none, in .dynsym, and builds an index of them in memory of `arena`. The
 * image must stay mapped. Returns 0; or -1 if the file has no functions or is not of this machine's word size and byte
 * order, or memory is short. */
int stint_elf_open(struct stint_elf *elf, const void *image, size_t size, struct stint_arena *arena);

/* Returns the name of the function at an address of the file; NULL if there is none. The name is part of the image. */
const char *stint_elf_function_at(const struct stint_elf *elf, uint64_t address);

/* Returns the address of a function by name, 0 if the file does not define it. */
uint64_t stint_elf_address_of(const struct stint_elf *elf, const char *name);

/* Returns whether the file is the one that was loaded at `base` with these program headers: its headers must be the
 * same, and so must its notes, which include the build id. */
int stint_elf_is_loaded(const void *image, size_t size, uintptr_t base, const void *headers, size_t count);

#endif

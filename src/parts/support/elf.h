/* Functions by address, from the symbol table of an ELF file; its sections, and its build id. The file may be damaged
 * or not an ELF file at all, so every value in it is checked against the file's size before use. */
#ifndef STINT_SUPPORT_ELF_H
#define STINT_SUPPORT_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct stint_elf {
    const unsigned char *image; /* the whole file */
    size_t size;
    size_t sections; /* offset of their headers */
    uint64_t section_count;
    uint32_t section_names; /* number of the section that has them */
    size_t symbols;         /* offset of the symbol table */
    size_t symbol_count;
    size_t strings; /* offset of its names */
    size_t strings_size;
    int is_whole;      /* the table is .symtab, which has local functions, too */
    size_t *functions; /* positions in the table, by address */
    size_t function_count;
    uint64_t longest; /* size of a function */
};

/* Opens an image, which must stay mapped. Returns 0, or -1 if it is not of this machine's word size and byte order, or
 * has no sections. */
int stint_elf_open(struct stint_elf *elf, const void *image, size_t size);

/* Lists the functions in .symtab or, if it has none, in .dynsym, in memory of `arena`. Returns 0, or -1 if the file has
 * no functions, or memory is short. */
int stint_elf_list_functions(struct stint_elf *elf, struct stint_arena *arena);

/* Returns the name of the function at an address of the file; NULL if there is none. The name is part of the image. */
const char *stint_elf_function_at(const struct stint_elf *elf, uint64_t address);

/* Returns the address of a function by name, 0 if the file does not define it. */
uint64_t stint_elf_address_of(const struct stint_elf *elf, const char *name);

/* A section that is in the file. */
struct stint_elf_section {
    const unsigned char *bytes;
    size_t size;
    uint64_t address; /* where it is loaded */
    int is_compressed;
};

/* Returns 0, or -1 if there is no such section. */
int stint_elf_find_section(const struct stint_elf *elf, const char *name, struct stint_elf_section *section);

/* Writes a build id in hexadecimal digits, the file's or that in notes, wherever these are; "" if there is none. */
enum { STINT_BUILD_ID_SIZE = 65 };
void stint_elf_build_id(const struct stint_elf *elf, char text[STINT_BUILD_ID_SIZE]);
void stint_elf_build_id_in(char text[STINT_BUILD_ID_SIZE], const void *notes, size_t size);

/* Returns whether the file is the one that was loaded at `base` with these program headers: its headers must be the
 * same, and so must its notes, which include the build id. */
int stint_elf_is_loaded(const void *image, size_t size, uintptr_t base, const void *headers, size_t count);

#endif

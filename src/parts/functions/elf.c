/* Reads the symbols of functions from an ELF file that is mapped, and finds them by address: exact ones in a hash
 * table, those within a function by a search. The file is not trusted. */
#include "functions/object.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* Structures are copied, because they may have any alignment in a damaged file. */

#if UINTPTR_MAX > UINT32_MAX
#define NATIVE_CLASS ELFCLASS64
#define SYMBOL_TYPE(info) ELF64_ST_TYPE(info)
#define SYMBOL_BINDING(info) ELF64_ST_BIND(info)
#else
#define NATIVE_CLASS ELFCLASS32
#define SYMBOL_TYPE(info) ELF32_ST_TYPE(info)
#define SYMBOL_BINDING(info) ELF32_ST_BIND(info)
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE_DATA ELFDATA2LSB
#else
#define NATIVE_DATA ELFDATA2MSB
#endif

enum { LEAST_SLOTS = 16 };

/* Returns whether `count` items of `each` bytes from `offset` on lie in a file of this size. */
static int fits(size_t size, uint64_t offset, uint64_t count, size_t each)
{
    return offset <= size && count <= (size - offset) / each;
}

static int read_header(ElfW(Ehdr) * header, const unsigned char *image, size_t size)
{
    if (size < sizeof *header)
        return -1;
    memcpy(header, image, sizeof *header);
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != NATIVE_CLASS ||
        header->e_ident[EI_DATA] != NATIVE_DATA)
        return -1;
    return 0;
}

/* Whether a part of the file that is also in memory is the same there; 1 if it is not in memory, as with notes that are
 * not loaded. */
static int is_same_part(const unsigned char *image, size_t size, const ElfW(Phdr) * part, const char *memory,
                        const ElfW(Phdr) * headers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ElfW(Phdr) *segment = &headers[i];
        if (segment->p_type == PT_LOAD && part->p_offset >= segment->p_offset && part->p_filesz <= segment->p_filesz &&
            part->p_offset - segment->p_offset <= segment->p_filesz - part->p_filesz)
            return fits(size, part->p_offset, part->p_filesz, 1) &&
                   memcmp(image + part->p_offset, memory + part->p_vaddr, part->p_filesz) == 0;
    }
    return 1;
}

int stint_elf_is_loaded(const void *image, size_t size, uintptr_t base, const void *headers, size_t count)
{
    const char *memory = (const char *)base; /* NOLINT(performance-no-int-to-ptr) */
    const ElfW(Phdr) *parts = headers;
    ElfW(Ehdr) header;

    if (read_header(&header, image, size) || header.e_phentsize != sizeof *parts || header.e_phnum != count ||
        !fits(size, header.e_phoff, count, sizeof *parts) ||
        memcmp((const unsigned char *)image + header.e_phoff, headers, count * sizeof *parts) != 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (parts[i].p_type == PT_NOTE && !is_same_part(image, size, &parts[i], memory, headers, count))
            return 0;
    return 1;
}

/* --------------------------------------------------------------------------------------------------------- sections */

struct sections {
    size_t offset;
    uint64_t count;
};

static ElfW(Shdr) section_at(const struct stint_elf *elf, const struct sections *sections, uint64_t position)
{
    ElfW(Shdr) section;

    memcpy(&section, elf->image + sections->offset + position * sizeof section, sizeof section);
    return section;
}

static int find_sections(const struct stint_elf *elf, struct sections *sections)
{
    ElfW(Ehdr) header;

    if (read_header(&header, elf->image, elf->size) || !header.e_shoff || header.e_shentsize != sizeof(ElfW(Shdr)) ||
        !fits(elf->size, header.e_shoff, 1, sizeof(ElfW(Shdr))))
        return -1;
    sections->offset = header.e_shoff;
    sections->count = header.e_shnum;
    if (!sections->count) /* the count does not fit into the header's field */
        sections->count = section_at(elf, sections, 0).sh_size;
    return fits(elf->size, sections->offset, sections->count, sizeof(ElfW(Shdr))) ? 0 : -1;
}

/* Uses this section as the symbol table, if it and its names are within the file. */
static int use_table(struct stint_elf *elf, const struct sections *sections, const ElfW(Shdr) * table)
{
    ElfW(Shdr) names;

    if (table->sh_entsize != sizeof(ElfW(Sym)) || table->sh_link >= sections->count ||
        !fits(elf->size, table->sh_offset, table->sh_size, 1) || table->sh_size / sizeof(ElfW(Sym)) > UINT32_MAX)
        return -1;
    names = section_at(elf, sections, table->sh_link);
    if (names.sh_type != SHT_STRTAB || !fits(elf->size, names.sh_offset, names.sh_size, 1))
        return -1;
    elf->symbols = table->sh_offset;
    elf->symbol_count = table->sh_size / sizeof(ElfW(Sym));
    elf->strings = names.sh_offset;
    elf->strings_size = names.sh_size;
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- symbols */

static ElfW(Sym) symbol_at(const struct stint_elf *elf, size_t position)
{
    ElfW(Sym) symbol;

    memcpy(&symbol, elf->image + elf->symbols + position * sizeof symbol, sizeof symbol);
    return symbol;
}

/* Returns the name; NULL if there is none or its end is not within the file. */
static const char *name_of(const struct stint_elf *elf, const ElfW(Sym) * symbol)
{
    if (!symbol->st_name || symbol->st_name >= elf->strings_size)
        return NULL;
    const char *name = (const char *)elf->image + elf->strings + symbol->st_name;
    return *name && memchr(name, '\0', elf->strings_size - symbol->st_name) ? name : NULL;
}

static int is_function(const struct stint_elf *elf, const ElfW(Sym) * symbol)
{
    return SYMBOL_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value && name_of(elf, symbol);
}

/* Ranks the names of a function: the one that other objects know is preferred. An undefined symbol with an address is a
 * program's entry into a shared library, which stands for the function in comparisons of addresses. */
static int rank(const ElfW(Sym) * symbol)
{
    if (symbol->st_shndx == SHN_UNDEF)
        return 0;
    switch (SYMBOL_BINDING(symbol->st_info)) {
    case STB_GLOBAL:
        return 3;
    case STB_WEAK:
        return 2;
    default:
        return 1;
    }
}

static size_t slot_of(const struct stint_elf *elf, uint64_t address)
{
    return (size_t)(address * UINT64_C(0x9E3779B97F4A7C15) >> 32) & elf->mask;
}

static void add_to_index(struct stint_elf *elf, size_t position)
{
    const ElfW(Sym) symbol = symbol_at(elf, position);
    size_t at = slot_of(elf, symbol.st_value);
    for (; elf->slots[at]; at = (at + 1) & elf->mask) {
        const ElfW(Sym) other = symbol_at(elf, elf->slots[at]);
        if (other.st_value != symbol.st_value)
            continue;
        if (rank(&other) >= rank(&symbol))
            return;
        break;
    }
    elf->slots[at] = (uint32_t)position;
}

static int build_index(struct stint_elf *elf, struct stint_arena *arena)
{
    size_t functions = 0, slots = LEAST_SLOTS;
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const ElfW(Sym) symbol = symbol_at(elf, i);
        functions += (size_t)is_function(elf, &symbol);
    }
    if (!functions)
        return -1;
    while (slots < 2 * functions)
        slots *= 2;
    elf->slots = stint_arena_alloc(arena, slots * sizeof *elf->slots);
    if (!elf->slots)
        return -1;
    elf->mask = slots - 1;
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const ElfW(Sym) symbol = symbol_at(elf, i);
        if (is_function(elf, &symbol))
            add_to_index(elf, i);
    }
    return 0;
}

static int open_table(struct stint_elf *elf, const struct sections *sections, uint32_t type, struct stint_arena *arena)
{
    for (uint64_t i = 1; i < sections->count; i++) {
        const ElfW(Shdr) section = section_at(elf, sections, i);
        if (section.sh_type == type && !use_table(elf, sections, &section) && !build_index(elf, arena))
            return 0;
    }
    return -1;
}

int stint_elf_open(struct stint_elf *elf, const void *image, size_t size, struct stint_arena *arena)
{
    struct sections sections;
    *elf = (struct stint_elf){.image = image, .size = size};
    if (find_sections(elf, &sections))
        return -1;
    return open_table(elf, &sections, SHT_SYMTAB, arena) ? open_table(elf, &sections, SHT_DYNSYM, arena) : 0;
}

/* The innermost function that contains the address. A slow search, for addresses that are not the beginning of a
 * function. */
static const char *name_around(const struct stint_elf *elf, uint64_t address)
{
    const char *name = NULL;
    uint64_t nearest = 0;
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const ElfW(Sym) symbol = symbol_at(elf, i);
        if (is_function(elf, &symbol) && symbol.st_shndx != SHN_UNDEF && address >= symbol.st_value &&
            address - symbol.st_value < symbol.st_size && symbol.st_value > nearest) {
            nearest = symbol.st_value;
            name = name_of(elf, &symbol);
        }
    }
    return name;
}

const char *stint_elf_function_at(const struct stint_elf *elf, uint64_t address)
{
    for (size_t at = slot_of(elf, address); elf->slots[at]; at = (at + 1) & elf->mask) {
        const ElfW(Sym) symbol = symbol_at(elf, elf->slots[at]);
        if (symbol.st_value == address)
            return name_of(elf, &symbol);
    }
    return name_around(elf, address);
}

uint64_t stint_elf_address_of(const struct stint_elf *elf, const char *name)
{
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const ElfW(Sym) symbol = symbol_at(elf, i);
        if (is_function(elf, &symbol) && symbol.st_shndx != SHN_UNDEF && strcmp(name_of(elf, &symbol), name) == 0)
            return symbol.st_value;
    }
    return 0;
}

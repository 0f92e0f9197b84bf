/* Reads the symbols of functions from an ELF file that is mapped, and finds them by address; and its build id. The file
 * is not trusted. */
#include "support/elf.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* Structures are copied, because they may have any alignment in a damaged file. */

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
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB)
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

static ElfW(Shdr) section_at(const struct stint_elf *elf, uint64_t position)
{
    ElfW(Shdr) section;

    memcpy(&section, elf->image + elf->sections + position * sizeof section, sizeof section);
    return section;
}

static int find_sections(struct stint_elf *elf)
{
    ElfW(Ehdr) header;

    if (read_header(&header, elf->image, elf->size) || !header.e_shoff || header.e_shentsize != sizeof(ElfW(Shdr)) ||
        !fits(elf->size, header.e_shoff, 1, sizeof(ElfW(Shdr))))
        return -1;
    elf->sections = header.e_shoff;
    elf->section_names = header.e_shstrndx;
    elf->section_count = header.e_shnum;
    if (!elf->section_count) /* the count does not fit into the header's field */
        elf->section_count = section_at(elf, 0).sh_size;
    return fits(elf->size, elf->sections, elf->section_count, sizeof(ElfW(Shdr))) ? 0 : -1;
}

int stint_elf_open(struct stint_elf *elf, const void *image, size_t size)
{
    *elf = (struct stint_elf){.image = image, .size = size};
    return find_sections(elf);
}

static int is_in_file(const struct stint_elf *elf, const ElfW(Shdr) * section)
{
    return section->sh_type != SHT_NOBITS && fits(elf->size, section->sh_offset, section->sh_size, 1);
}

/* Whether the section is called so; its name may end beyond the file. */
static int is_called(const struct stint_elf *elf, const ElfW(Shdr) * names, const ElfW(Shdr) * section,
                     const char *name)
{
    size_t length = strlen(name) + 1;
    return section->sh_name < names->sh_size && length <= names->sh_size - section->sh_name &&
           memcmp(elf->image + names->sh_offset + section->sh_name, name, length) == 0;
}

int stint_elf_find_section(const struct stint_elf *elf, const char *name, struct stint_elf_section *section)
{
    ElfW(Shdr) names, found;
    if (elf->section_names >= elf->section_count)
        return -1;
    names = section_at(elf, elf->section_names);
    if (!is_in_file(elf, &names))
        return -1;
    for (uint64_t i = 1; i < elf->section_count; i++) {
        found = section_at(elf, i);
        if (!is_called(elf, &names, &found, name) || !is_in_file(elf, &found))
            continue;
        *section = (struct stint_elf_section){elf->image + found.sh_offset, found.sh_size, found.sh_addr,
                                              (found.sh_flags & SHF_COMPRESSED) != 0};
        return 0;
    }
    return -1;
}

/* Uses this section as the symbol table, if it and its names are within the file. */
static int use_table(struct stint_elf *elf, const ElfW(Shdr) * table)
{
    ElfW(Shdr) names;

    if (table->sh_entsize != sizeof(ElfW(Sym)) || table->sh_link >= elf->section_count ||
        !fits(elf->size, table->sh_offset, table->sh_size, 1) || table->sh_size / sizeof(ElfW(Sym)) > UINT32_MAX)
        return -1;
    names = section_at(elf, table->sh_link);
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

static int is_defined(const struct stint_elf *elf, const ElfW(Sym) * symbol)
{
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < elf->section_count;
}

static int is_local(const ElfW(Sym) * symbol)
{
    return ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
}

/* Functions of assembly language often have no type: what other objects know in a section with code is one. */
static int is_code(const struct stint_elf *elf, const ElfW(Sym) * symbol)
{
    switch (ELF64_ST_TYPE(symbol->st_info)) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        return 1;
    case STT_NOTYPE:
        return !is_local(symbol) && is_defined(elf, symbol) &&
               (section_at(elf, symbol->st_shndx).sh_flags & SHF_EXECINSTR);
    default:
        return 0;
    }
}

static int is_function(const struct stint_elf *elf, const ElfW(Sym) * symbol)
{
    return symbol->st_value && symbol->st_name && is_code(elf, symbol);
}

/* Ranks the names of a function: one that other objects know is preferred, of these the one with the fewest underscores
 * in front: "write" to "__write", and last what only old programs call: "cfree@GLIBC_2.2.5". An undefined symbol with
 * an address is a program's entry into a shared library, which stands for the function in comparisons of addresses. */
static int rank(const struct stint_elf *elf, const ElfW(Sym) * symbol)
{
    enum { UNTYPED = 1, LOCAL, KNOWN = 100, MOST_UNDERSCORES = 20 };
    const char *name = name_of(elf, symbol), *version = strchr(name, '@');
    int underscores = (int)strspn(name, "_");
    if (symbol->st_shndx == SHN_UNDEF)
        return 0;
    if (ELF64_ST_TYPE(symbol->st_info) == STT_NOTYPE)
        return UNTYPED;
    if (is_local(symbol))
        return LOCAL;
    if (underscores > MOST_UNDERSCORES || (version && version[1] != '@'))
        underscores = MOST_UNDERSCORES;
    return KNOWN - 2 * underscores + (ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL);
}

/* All functions of a file: where they begin, and how many there are in each of equal parts of these addresses. */
struct census {
    size_t count;
    uint64_t lowest, highest;
    unsigned shift;
    size_t *ends; /* of the parts, each behind the end of the one before */
};

static void count_functions(struct stint_elf *elf, struct census *census)
{
    census->lowest = UINT64_MAX;
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const ElfW(Sym) symbol = symbol_at(elf, i);
        if (!is_function(elf, &symbol))
            continue;
        census->count++;
        if (symbol.st_value < census->lowest)
            census->lowest = symbol.st_value;
        if (symbol.st_value > census->highest)
            census->highest = symbol.st_value;
        if (symbol.st_size > elf->longest)
            elf->longest = symbol.st_size;
    }
    while (census->count && (census->highest - census->lowest) >> census->shift >= census->count)
        census->shift++;
}

static size_t part_of(const struct census *census, const ElfW(Sym) * symbol)
{
    return (size_t)((symbol->st_value - census->lowest) >> census->shift);
}

/* Puts them into their parts, between the ends of which there is room for those in each. */
static void place_functions(struct stint_elf *elf, struct census *census)
{
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const ElfW(Sym) symbol = symbol_at(elf, i);
        if (is_function(elf, &symbol))
            census->ends[part_of(census, &symbol) + 1]++;
    }
    for (size_t part = 0; part < census->count; part++)
        census->ends[part + 1] += census->ends[part];
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const ElfW(Sym) symbol = symbol_at(elf, i);
        if (is_function(elf, &symbol))
            elf->functions[census->ends[part_of(census, &symbol)]++] = i;
    }
}

static int is_before(const void *context, size_t a, size_t b)
{
    return symbol_at(context, a).st_value < symbol_at(context, b).st_value;
}

/* Only those within a part, mostly few, have to be compared. */
static int list_functions(struct stint_elf *elf, struct stint_arena *arena)
{
    struct census census = {0};
    size_t begin = 0;
    elf->longest = 0;
    count_functions(elf, &census);
    elf->functions = census.count ? stint_arena_alloc(arena, census.count * sizeof *elf->functions) : NULL;
    census.ends = elf->functions ? stint_arena_alloc(arena, (census.count + 1) * sizeof *census.ends) : NULL;
    size_t *spare = census.ends ? stint_arena_alloc(arena, census.count * sizeof *spare) : NULL;
    if (!spare)
        return -1;
    place_functions(elf, &census);
    for (size_t part = 0; part < census.count; begin = census.ends[part++])
        stint_sort(elf->functions + begin, census.ends[part] - begin, is_before, elf, spare);
    elf->function_count = census.count;
    return 0;
}

static int open_table(struct stint_elf *elf, uint32_t type, struct stint_arena *arena)
{
    for (uint64_t i = 1; i < elf->section_count; i++) {
        const ElfW(Shdr) section = section_at(elf, i);
        if (section.sh_type == type && !use_table(elf, &section) && !list_functions(elf, arena))
            return 0;
    }
    return -1;
}

int stint_elf_list_functions(struct stint_elf *elf, struct stint_arena *arena)
{
    elf->is_whole = !open_table(elf, SHT_SYMTAB, arena);
    return elf->is_whole ? 0 : open_table(elf, SHT_DYNSYM, arena);
}

/* How many functions begin at the address or before. */
static size_t count_until(const struct stint_elf *elf, uint64_t address)
{
    size_t low = 0, high = elf->function_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbol_at(elf, elf->functions[middle]).st_value <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether the address is in the function. One without a size ends with its section, or where the next begins. */
static int has_address(const struct stint_elf *elf, const ElfW(Sym) * symbol, uint64_t address, uint64_t last_begin)
{
    if (symbol->st_value == address)
        return 1;
    if (!is_defined(elf, symbol))
        return 0;
    if (symbol->st_size)
        return address - symbol->st_value < symbol->st_size;
    const ElfW(Shdr) section = section_at(elf, symbol->st_shndx);
    return symbol->st_value == last_begin && address - section.sh_addr < section.sh_size;
}

/* The innermost one: of those that begin before the address, the last that does not end before it. */
const char *stint_elf_function_at(const struct stint_elf *elf, uint64_t address)
{
    size_t at = count_until(elf, address);
    uint64_t last_begin = at ? symbol_at(elf, elf->functions[at - 1]).st_value : 0;
    ElfW(Sym) best = {0};
    while (at--) {
        const ElfW(Sym) symbol = symbol_at(elf, elf->functions[at]);
        if (best.st_value && symbol.st_value != best.st_value)
            break;
        if (symbol.st_value != last_begin && address - symbol.st_value >= elf->longest)
            break;
        if (has_address(elf, &symbol, address, last_begin) && name_of(elf, &symbol) &&
            (!best.st_value || rank(elf, &symbol) > rank(elf, &best)))
            best = symbol;
    }
    return best.st_value ? name_of(elf, &best) : NULL;
}

uint64_t stint_elf_address_of(const struct stint_elf *elf, const char *name)
{
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const ElfW(Sym) symbol = symbol_at(elf, i);
        const char *other = is_function(elf, &symbol) && symbol.st_shndx != SHN_UNDEF ? name_of(elf, &symbol) : NULL;
        if (other && strcmp(other, name) == 0)
            return symbol.st_value;
    }
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- build id */

void stint_elf_build_id(const struct stint_elf *elf, char text[STINT_BUILD_ID_SIZE])
{
    text[0] = '\0';
    for (uint64_t i = 1; i < elf->section_count && !text[0]; i++) {
        const ElfW(Shdr) section = section_at(elf, i);
        if (section.sh_type == SHT_NOTE && is_in_file(elf, &section))
            stint_elf_build_id_in(text, elf->image + section.sh_offset, section.sh_size);
    }
}

void stint_elf_build_id_in(char text[STINT_BUILD_ID_SIZE], const void *notes, size_t size)
{
    const char *bytes = notes;
    size_t at = 0;
    text[0] = '\0';
    while (size - at >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, bytes + at, sizeof note);
        size_t name = at + sizeof note, content = name + (((size_t)note.n_namesz + 3) & ~(size_t)3);
        size_t end = content + (((size_t)note.n_descsz + 3) & ~(size_t)3);
        if (content > size || end > size || end < content)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
            note.n_descsz < STINT_BUILD_ID_SIZE / 2 + 1 && memcmp(bytes + name, "GNU", sizeof "GNU") == 0) {
            for (size_t i = 0; i < note.n_descsz; i++) {
                unsigned char byte = (unsigned char)bytes[content + i];
                *text++ = "0123456789abcdef"[byte >> 4];
                *text++ = "0123456789abcdef"[byte & 15];
            }
            *text = '\0';
            return;
        }
        at = end;
    }
}

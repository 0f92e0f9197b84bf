#include "support/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stint_test.h"

/* ------------------------------------------------------------------------------------------------------ small files */

enum { MAX_FILE = 1 << 16, MAX_SYMBOLS = 64, PAGE = 4096 };

enum { NONE, SYMTAB, SYMTAB_NAMES, DYNSYM, DYNSYM_NAMES, TEXT, NOTES, NAMES, SECTIONS };

/* A file under construction: header, one program header, section headers, then for each table symbols and names. */
struct file {
    unsigned char bytes[MAX_FILE];
    size_t size;
    ElfW(Sym) symbols[2][MAX_SYMBOLS]; /* .symtab, .dynsym */
    size_t symbol_count[2];
    char names[2][4096];
    size_t names_size[2];
};

enum { OF_SYMTAB, OF_DYNSYM };

static void add_symbol(struct file *file, int table, const char *name, uint64_t value, uint64_t size, unsigned info)
{
    ElfW(Sym) * symbol;

    if (!file->symbol_count[table]) { /* the first symbol is none, the first name is empty */
        file->symbol_count[table] = 1;
        file->names_size[table] = 1;
    }
    symbol = &file->symbols[table][file->symbol_count[table]++];
    symbol->st_name = (ElfW(Word))file->names_size[table];
    symbol->st_value = (ElfW(Addr))value;
    symbol->st_size = (ElfW(Addr))size;
    symbol->st_info = (unsigned char)info;
    symbol->st_shndx = TEXT;
    strcpy(file->names[table] + file->names_size[table], name);
    file->names_size[table] += strlen(name) + 1;
}

static size_t append(struct file *file, const void *bytes, size_t size)
{
    const size_t at = file->size;
    memcpy(file->bytes + at, bytes, size);
    file->size += (size + 7) / 8 * 8;
    return at;
}

static void add_table(struct file *file, int table, ElfW(Shdr) * sections, uint32_t type)
{
    const size_t symbols = sizeof(ElfW(Sym)) * file->symbol_count[table];
    sections[0].sh_type = type;
    sections[0].sh_link = (ElfW(Word))(type == SHT_SYMTAB ? SYMTAB_NAMES : DYNSYM_NAMES);
    sections[0].sh_entsize = sizeof(ElfW(Sym));
    sections[0].sh_size = symbols;
    sections[0].sh_offset = append(file, file->symbols[table], symbols);
    sections[1].sh_type = SHT_STRTAB;
    sections[1].sh_size = file->names_size[table];
    sections[1].sh_offset = append(file, file->names[table], file->names_size[table]);
}

static const char s_names[] = "\0.text\0.note";

/* A note of another owner, and the build id. */
static const uint32_t s_notes[] = {4, 2, NT_GNU_BUILD_ID, 0x00435241, 0xffff,
                                   4, 3, NT_GNU_BUILD_ID, 0x00554e47, 0x00cdab01};

static void finish(struct file *file)
{
    ElfW(Ehdr) header = {.e_phoff = sizeof header,
                         .e_phentsize = sizeof(ElfW(Phdr)),
                         .e_phnum = 1,
                         .e_shoff = sizeof header + sizeof(ElfW(Phdr)),
                         .e_shentsize = sizeof(ElfW(Shdr)),
                         .e_shnum = SECTIONS,
                         .e_shstrndx = NAMES};
    const ElfW(Phdr) segment = {.p_type = PT_LOAD, .p_memsz = 0x10000};
    ElfW(Shdr) sections[SECTIONS] = {0};

    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    file->size = 0;
    append(file, &header, sizeof header);
    append(file, &segment, sizeof segment);
    append(file, sections, sizeof sections);
    if (file->symbol_count[OF_SYMTAB])
        add_table(file, OF_SYMTAB, &sections[SYMTAB], SHT_SYMTAB);
    if (file->symbol_count[OF_DYNSYM])
        add_table(file, OF_DYNSYM, &sections[DYNSYM], SHT_DYNSYM);
    sections[TEXT].sh_type = SHT_PROGBITS;
    sections[TEXT].sh_flags = SHF_EXECINSTR;
    sections[TEXT].sh_name = 1;
    sections[TEXT].sh_addr = 0x1000;
    sections[TEXT].sh_size = 0x100;
    sections[NOTES].sh_type = SHT_NOTE;
    sections[NOTES].sh_name = 7;
    sections[NOTES].sh_size = sizeof s_notes;
    sections[NOTES].sh_offset = append(file, s_notes, sizeof s_notes);
    sections[NAMES].sh_type = SHT_STRTAB;
    sections[NAMES].sh_size = sizeof s_names;
    sections[NAMES].sh_offset = append(file, s_names, sizeof s_names);
    memcpy(file->bytes + header.e_shoff, sections, sizeof sections);
}

static const unsigned s_function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
static const unsigned s_local = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
static const unsigned s_weak = ELF64_ST_INFO(STB_WEAK, STT_FUNC);

static struct file s_file; /* large; cleared by begin */

static struct file *begin(void)
{
    memset(&s_file, 0, sizeof s_file);
    return &s_file;
}

/* A file with two functions and a variable. */
static struct file *typical(void)
{
    struct file *file = begin();
    add_symbol(file, OF_SYMTAB, "first", 0x1000, 0x20, s_local);
    add_symbol(file, OF_SYMTAB, "variable", 0x2000, 8, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT));
    add_symbol(file, OF_SYMTAB, "second", 0x1020, 0x10, s_function);
    add_symbol(file, OF_DYNSYM, "second", 0x1020, 0x10, s_function);
    finish(file);
    return file;
}

static struct stint_arena s_arena;
static struct stint_elf s_elf;

static int end(void **state)
{
    stint_arena_free(&s_arena);
    return 0;
}

static int open_file(const struct file *file)
{
    return stint_elf_open(&s_elf, file->bytes, file->size) || stint_elf_list_functions(&s_elf, &s_arena) ? -1 : 0;
}

static void assert_name(uint64_t address, const char *name)
{
    const char *found = stint_elf_function_at(&s_elf, address);
    if (!name) {
        assert_null(found);
        return;
    }
    assert_non_null(found);
    assert_string_equal(found, name);
}

/* --------------------------------------------------------------------------------------------------------- promises */

TEST_EACH(NULL, end)

TEST(functions_are_found_by_address)
{
    assert_int_equal(open_file(typical()), 0);
    assert_name(0x1000, "first");
    assert_name(0x1020, "second");
}

TEST(address_within_a_function_is_the_functions)
{
    assert_int_equal(open_file(typical()), 0);
    assert_name(0x101f, "first");
    assert_name(0x102f, "second");
    assert_name(0x1030, NULL);
    assert_name(0xfff, NULL);
}

TEST(variables_are_no_functions)
{
    assert_int_equal(open_file(typical()), 0);
    assert_name(0x2000, NULL);
}

TEST(functions_are_found_by_name)
{
    assert_int_equal(open_file(typical()), 0);
    assert_int_equal(stint_elf_address_of(&s_elf, "second"), 0x1020);
    assert_int_equal(stint_elf_address_of(&s_elf, "variable"), 0);
    assert_int_equal(stint_elf_address_of(&s_elf, "third"), 0);
}

TEST(of_several_names_the_most_global_wins)
{
    struct file *file = begin();
    add_symbol(file, OF_SYMTAB, "local", 0x10, 4, s_local);
    add_symbol(file, OF_SYMTAB, "global", 0x10, 4, s_function);
    add_symbol(file, OF_SYMTAB, "weak", 0x10, 4, s_weak);
    add_symbol(file, OF_SYMTAB, "other local", 0x20, 4, s_local);
    add_symbol(file, OF_SYMTAB, "other weak", 0x20, 4, s_weak);
    finish(file);
    assert_int_equal(open_file(file), 0);
    assert_name(0x10, "global");
    assert_name(0x20, "other weak");
}

TEST(of_names_that_others_know_the_one_without_underscores_wins)
{
    struct file *file = begin();
    add_symbol(file, OF_SYMTAB, "__write", 0x10, 4, s_function);
    add_symbol(file, OF_SYMTAB, "write", 0x10, 4, s_weak);
    add_symbol(file, OF_SYMTAB, "_write", 0x10, 4, s_function);
    add_symbol(file, OF_SYMTAB, "old@GLIBC_2.2.5", 0x10, 4, s_function);
    add_symbol(file, OF_SYMTAB, "a", 0x10, 4, s_local);
    finish(file);
    assert_int_equal(open_file(file), 0);
    assert_name(0x10, "write");
    assert_name(0x13, "write");
}

/* As assembly language has them. */
TEST(function_without_size_ends_where_another_begins_or_with_its_section)
{
    struct file *file = begin();
    add_symbol(file, OF_SYMTAB, "sizeless", 0x1000, 0, s_function);
    add_symbol(file, OF_SYMTAB, "sized", 0x1040, 0x10, s_function);
    add_symbol(file, OF_SYMTAB, "untyped", 0x1080, 0, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE));
    add_symbol(file, OF_SYMTAB, "label", 0x1090, 0, ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE));
    finish(file);
    assert_int_equal(open_file(file), 0);
    assert_name(0x103f, "sizeless");
    assert_name(0x104f, "sized");
    assert_name(0x1050, NULL);
    assert_name(0x10ff, "untyped");
    assert_name(0x1100, NULL);
}

TEST(innermost_of_functions_that_are_within_another_is_found)
{
    struct file *file = begin();
    add_symbol(file, OF_SYMTAB, "outer", 0x1000, 0x80, s_function);
    add_symbol(file, OF_SYMTAB, "inner", 0x1020, 0x10, s_local);
    add_symbol(file, OF_SYMTAB, "other", 0x1040, 0x10, s_local);
    finish(file);
    assert_int_equal(open_file(file), 0);
    assert_name(0x1025, "inner");
    assert_name(0x1035, "outer");
    assert_name(0x107f, "outer");
    assert_name(0x1080, NULL);
}

TEST(entry_into_a_shared_library_has_its_functions_name)
{
    struct file *file = begin();
    add_symbol(file, OF_SYMTAB, "imported", 0x400, 0, s_function);
    file->symbols[OF_SYMTAB][1].st_shndx = SHN_UNDEF;
    finish(file);
    assert_int_equal(open_file(file), 0);
    assert_name(0x400, "imported");
    assert_int_equal(stint_elf_address_of(&s_elf, "imported"), 0);
}

TEST(stripped_file_has_its_dynamic_symbols)
{
    struct file *file = begin();
    add_symbol(file, OF_DYNSYM, "exported", 0x30, 8, s_function);
    finish(file);
    assert_int_equal(open_file(file), 0);
    assert_name(0x30, "exported");
}

TEST(unusable_symbol_table_gives_way_to_the_dynamic_one)
{
    struct file *file = typical();
    ElfW(Shdr) section;
    unsigned char *at = file->bytes + sizeof(ElfW(Ehdr)) + sizeof(ElfW(Phdr)) + SYMTAB * sizeof section;

    memcpy(&section, at, sizeof section);
    section.sh_link = 99;
    memcpy(at, &section, sizeof section);
    assert_int_equal(open_file(file), 0);
    assert_name(0x1020, "second");
    assert_name(0x1000, NULL);
}

TEST(file_without_functions_is_refused)
{
    struct file *file = begin();
    finish(file);
    assert_int_equal(open_file(file), -1);
    add_symbol(file, OF_SYMTAB, "variable", 0x10, 4, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT));
    finish(file);
    assert_int_equal(open_file(file), -1);
}

TEST(other_machines_files_are_refused)
{
    struct file *file = typical();
    file->bytes[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
    assert_int_equal(open_file(file), -1);
    file->bytes[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
    file->bytes[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
    assert_int_equal(open_file(file), -1);
    file->bytes[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
    file->bytes[0] = 'x';
    assert_int_equal(open_file(file), -1);
}

TEST(sections_are_found_by_name)
{
    struct stint_elf_section section;
    const struct file *file = typical();
    assert_int_equal(open_file(file), 0);
    assert_int_equal(stint_elf_find_section(&s_elf, ".note", &section), 0);
    assert_int_equal(section.size, sizeof s_notes);
    assert_memory_equal(section.bytes, s_notes, sizeof s_notes);
    assert_int_equal(stint_elf_find_section(&s_elf, ".not", &section), -1);
    assert_int_equal(stint_elf_find_section(&s_elf, ".text2", &section), -1);
}

TEST(build_id_is_read_from_notes)
{
    char text[STINT_BUILD_ID_SIZE];
    assert_int_equal(open_file(typical()), 0);
    stint_elf_build_id(&s_elf, text);
    assert_string_equal(text, "01abcd");
    stint_elf_build_id_in(text, s_notes, sizeof s_notes - 1);
    assert_string_equal(text, "");
}

TEST(name_that_does_not_end_is_none)
{
    struct file *file = begin();
    char *names = file->names[OF_SYMTAB];
    add_symbol(file, OF_SYMTAB, "good", 0x10, 4, s_function);
    add_symbol(file, OF_SYMTAB, "endless", 0x20, 4, s_function);
    names[--file->names_size[OF_SYMTAB]] = 'x';
    finish(file);
    assert_int_equal(open_file(file), 0);
    assert_name(0x10, "good");
    assert_name(0x20, NULL);
}

TEST(headers_tell_files_apart)
{
    const struct file *file = typical();
    ElfW(Phdr) segments[2] = {{.p_type = PT_LOAD, .p_memsz = 0x10000}, {0}};

    assert_true(stint_elf_is_loaded(file->bytes, file->size, 0, segments, 1));
    assert_false(stint_elf_is_loaded(file->bytes, file->size, 0, segments, 2));
    assert_false(stint_elf_is_loaded(file->bytes, sizeof(ElfW(Ehdr)), 0, segments, 1));
    segments[0].p_memsz = 0x20000;
    assert_false(stint_elf_is_loaded(file->bytes, file->size, 0, segments, 1));
}

TEST(notes_tell_files_apart)
{
    const size_t size = sizeof(ElfW(Ehdr)) + 2 * sizeof(ElfW(Phdr)) + 16;
    unsigned char file[512] = {0}, memory[512];
    const ElfW(Phdr) segments[2] = {
        {.p_type = PT_LOAD, .p_filesz = size, .p_memsz = size},
        {.p_type = PT_NOTE, .p_offset = size - 16, .p_vaddr = size - 16, .p_filesz = 16},
    };
    ElfW(Ehdr) header;

    memcpy(&header, typical()->bytes, sizeof header);
    header.e_phnum = 2;
    memcpy(file, &header, sizeof header);
    memcpy(file + sizeof header, segments, sizeof segments);
    memcpy(memory, file, sizeof file);
    assert_true(stint_elf_is_loaded(file, size, (uintptr_t)memory, segments, 2));
    assert_false(stint_elf_is_loaded(file, size - 1, (uintptr_t)memory, segments, 2));
    file[size - 1] = 1;
    assert_false(stint_elf_is_loaded(file, size, (uintptr_t)memory, segments, 2));
}

/* ---------------------------------------------------------------------------------------------------- damaged files */

/* A copy that ends where the memory ends: reading beyond it is a fault. */
struct fenced {
    unsigned char *memory;
    size_t mapped;
    unsigned char *image;
};

static struct fenced fence(size_t size)
{
    struct fenced fenced = {.mapped = (size + PAGE - 1) / PAGE * PAGE + PAGE};
    fenced.memory = mmap(NULL, fenced.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(fenced.memory != MAP_FAILED);
    assert_int_equal(mprotect(fenced.memory + fenced.mapped - PAGE, PAGE, PROT_NONE), 0);
    fenced.image = fenced.memory + fenced.mapped - PAGE - size;
    return fenced;
}

/* Opens whatever this is and looks around. Every name must lie in the image, with its end. */
static int explore(const unsigned char *image, size_t size, uint64_t *random)
{
    struct stint_arena arena = {0};
    struct stint_elf elf;
    struct stint_elf_section section;
    char build_id[STINT_BUILD_ID_SIZE];
    if (stint_elf_open(&elf, image, size))
        return 0;
    stint_elf_build_id(&elf, build_id);
    if (!stint_elf_find_section(&elf, ".text", &section))
        assert_true(section.bytes >= image && section.size <= size - (size_t)(section.bytes - image));
    const int opened = !stint_elf_list_functions(&elf, &arena);
    for (int i = 0; opened && i < 8; ++i) {
        const uint64_t address = i < 3 ? 0x1000u + 0x10u * (unsigned)i : test_random(random);
        const char *name = stint_elf_function_at(&elf, address);
        if (name) {
            assert_true((const unsigned char *)name > image && (const unsigned char *)name < image + size);
            assert_non_null(memchr(name, '\0', (size_t)(image + size - (const unsigned char *)name)));
        }
    }
    if (opened)
        (void)stint_elf_address_of(&elf, "second");
    stint_arena_free(&arena);
    return opened;
}

TEST(truncated_file_is_harmless)
{
    const struct file *file = typical();
    uint64_t random = 1;
    int opened = 0;
    for (size_t size = 0; size <= file->size; ++size) {
        const struct fenced fenced = fence(size);
        memcpy(fenced.image, file->bytes, size);
        opened += explore(fenced.image, size, &random);
        munmap(fenced.memory, fenced.mapped);
    }
    assert_true(opened > 0);
}

/* Overwrites some bytes, often with numbers that are one off something. */
static void damage(unsigned char *image, size_t size, uint64_t *random)
{
    static const uint64_t words[] = {0, 1, 7, 0xff, 0xffff, UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 23};
    const size_t changes = 1 + test_random(random) % 6;
    for (size_t i = 0; i < changes; ++i) {
        const size_t at = test_random(random) % size;
        const size_t width = (size_t)1 << test_random(random) % 4;
        uint64_t word = test_random(random) % 2 ? words[test_random(random) % TEST_COUNT(words)] : test_random(random);
        if (test_random(random) % 4 == 0)
            word = size - word % 64;
        memcpy(image + at, &word, width < size - at ? width : size - at);
    }
}

static void explore_damaged(const unsigned char *bytes, size_t size, size_t front, int copies)
{
    const struct fenced fenced = fence(size);
    uint64_t random = 42;
    int opened = 0;
    for (int i = 0; i < copies; ++i) {
        memcpy(fenced.image, bytes, size);
        damage(fenced.image, front, &random);
        opened += explore(fenced.image, size, &random);
    }
    assert_true(opened > 0 && opened < copies); /* both kinds were met */
    munmap(fenced.memory, fenced.mapped);
}

TEST(damaged_file_is_harmless)
{
    const struct file *file = typical();
    explore_damaged(file->bytes, file->size, file->size, 40000);
}

/* ------------------------------------------------------------------------------------------------------ a real file */

static unsigned char *map_self(size_t *size)
{
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat stat;
    assert_true(file >= 0);
    assert_int_equal(fstat(file, &stat), 0);
    void *image = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    assert_true(image != MAP_FAILED);
    close(file);
    *size = (size_t)stat.st_size;
    return image;
}

static int base_of_program(struct dl_phdr_info *info, size_t size, void *base)
{
    *(struct dl_phdr_info *)base = *info;
    return 1; /* the program is the first */
}

TEST(this_programs_static_functions_are_found)
{
    struct dl_phdr_info program;
    size_t size;
    unsigned char *image = map_self(&size);
    uintptr_t address;
    void (*function)(void **) = this_programs_static_functions_are_found;
    dl_iterate_phdr(base_of_program, &program);
    memcpy(&address, &function, sizeof address);
    assert_true(stint_elf_is_loaded(image, size, program.dlpi_addr, program.dlpi_phdr, program.dlpi_phnum));
    assert_int_equal(stint_elf_open(&s_elf, image, size), 0);
    assert_int_equal(stint_elf_list_functions(&s_elf, &s_arena), 0);
    assert_name(address - program.dlpi_addr, "this_programs_static_functions_are_found");
    munmap(image, size);
}

TEST(this_program_damaged_is_harmless)
{
    size_t size;
    unsigned char *image = map_self(&size);
    ElfW(Ehdr) header;

    memcpy(&header, image, sizeof header);
    explore_damaged(image, size, sizeof header, 100);
    munmap(image, size);
}

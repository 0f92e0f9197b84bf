/* Takes any file as an ELF file. The names of functions that are found are within it. */
#include "support/elf.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { MOST_LOOK_UPS = 64, LOADED = 4096, NOTE = 16 };

static void look_up(const struct stint_elf *elf, const char *image, size_t size)
{
    for (size_t i = 0; i < elf->symbol_count && i < MOST_LOOK_UPS; i++) {
        ElfW(Sym) symbol;
        memcpy(&symbol, image + elf->symbols + i * sizeof symbol, sizeof symbol);
        const char *name = stint_elf_function_at(elf, symbol.st_value + i % 2);
        if (!name)
            continue;
        require(name >= image && name < image + size && memchr(name, '\0', (size_t)(image + size - name)),
                "a name is not within the file");
        (void)stint_elf_address_of(elf, name);
    }
    char *too_long = malloc(size + 1);
    require(too_long != NULL, "no memory");
    memset(too_long, 'f', size);
    too_long[size] = '\0';
    require(stint_elf_address_of(elf, too_long) == 0, "a function was found that is not there");
    free(too_long);
}

static void read_sections(const struct stint_elf *elf, const char *image, size_t size)
{
    char build_id[STINT_BUILD_ID_SIZE];
    struct stint_elf_section section;
    stint_elf_build_id(elf, build_id);
    require(strlen(build_id) % 2 == 0, "half a byte of a build id");
    if (stint_elf_find_section(elf, ".text", &section) == 0)
        require((const char *)section.bytes >= image &&
                    section.size <= size - (size_t)((const char *)section.bytes - image),
                "a section is not within the file");
}

/* What the loader says of a file is right, but the file may not be the one that was loaded. */
static void compare(const char *image, size_t size)
{
    static const char memory[LOADED];
    const size_t end = sizeof(ElfW(Ehdr)) + 2 * sizeof(ElfW(Phdr)) + NOTE;
    const ElfW(Phdr) segments[2] = {
        {.p_type = PT_LOAD, .p_filesz = LOADED, .p_memsz = LOADED},
        {.p_type = PT_NOTE, .p_offset = end - NOTE, .p_vaddr = end - NOTE, .p_filesz = NOTE},
    };
    (void)stint_elf_is_loaded(image, size, (uintptr_t)memory, segments, 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stint_elf elf;
    struct stint_arena arena = {0};
    char *image = malloc(size ? size : 1); /* no larger, so that a read beyond it is noticed */
    require(image != NULL, "no memory");
    if (size)
        memcpy(image, data, size);
    if (stint_elf_open(&elf, image, size) == 0) {
        read_sections(&elf, image, size);
        if (stint_elf_list_functions(&elf, &arena) == 0)
            look_up(&elf, image, size);
    }
    compare(image, size);
    stint_arena_free(&arena);
    free(image);
    return 0;
}

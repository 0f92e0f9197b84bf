/* Finds functions by the symbols of a file or of its debugging information, which may be another file; those that were
 * inlined, and lines, by the debugging information itself (debug_info.c). */
#include "symbols/symbols.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "demangle/demangle.h"
#include "support/elf.h"

struct image {
    int file;    /* -1: none */
    void *bytes; /* NULL: none */
    size_t size;
};

struct stint_code_file {
    struct image own, apart; /* apart: what has the debugging information */
    struct stint_elf elf;    /* of its own */
    struct stint_elf names;  /* of whichever has more of them */
    struct stint_arena arena;
    struct stint_array ranges; /* of functions; read when one without a name is asked for */
    int has_ranges;
    struct stint_debug_info *debug; /* NULL: none, or not asked for */
};

/* ------------------------------------------------------------------------------------------------------------- open */

int stint_open_named(const char *path, int own)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (own ? O_NOFOLLOW : 0));
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        (!own || status.st_uid == geteuid() || status.st_uid == 0))
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static void close_image(struct image *image)
{
    if (image->bytes && image->file >= 0)
        munmap(image->bytes, image->size);
    if (image->file >= 0)
        close(image->file);
    *image = (struct image){.file = -1};
}

static struct image map_file(const char *path)
{
    struct image image = {.file = stint_open_named(path, 0)};
    struct stat status;
    if (image.file < 0 || fstat(image.file, &status) || status.st_size <= 0)
        return image;
    image.size = (size_t)status.st_size;
    image.bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, image.file, 0);
    if (image.bytes == MAP_FAILED) {
        stint_memory_lacked = 1;
        image.bytes = NULL;
    }
    return image;
}

/* Code of the kernel's, the same in every process, and not in a file. */
static struct image copy_vdso(struct stint_arena *arena)
{
    enum { MOST = 1 << 16 };
    struct image image = {.file = -1};
    unsigned long place = getauxval(AT_SYSINFO_EHDR);
    int memory = place ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC) : -1;
    void *bytes = memory >= 0 ? stint_arena_alloc(arena, MOST) : NULL;
    ssize_t size = bytes ? pread(memory, bytes, MOST, (off_t)place) : 0;
    if (memory >= 0)
        close(memory);
    if (size > 0) {
        image.bytes = bytes;
        image.size = (size_t)size;
    }
    return image;
}

static int has_build_id(const struct stint_elf *elf, const char *wanted)
{
    char text[STINT_BUILD_ID_SIZE];
    stint_elf_build_id(elf, text);
    return !*wanted || strcmp(text, wanted) == 0;
}

/* --------------------------------------------------------------------------------------------------- symbols apart */

/* Opens a file with debugging information if it is that of the same build, and has more names. */
static int use_apart(struct stint_code_file *code, const char *path, const char *build_id)
{
    struct stint_elf elf;
    code->apart = map_file(path);
    int is_right = code->apart.bytes && !stint_elf_open(&elf, code->apart.bytes, code->apart.size) &&
                   has_build_id(&elf, build_id) && !stint_elf_list_functions(&elf, &code->arena) && elf.is_whole;
    if (is_right)
        code->names = elf;
    else
        close_image(&code->apart);
    return is_right;
}

/* Where distributions put it: by build id, below a folder of root's. Where programmers do: beside the program, by the
 * name in .gnu_debuglink. */
static void find_apart(struct stint_code_file *code, const char *path)
{
    char id[STINT_BUILD_ID_SIZE], place[PATH_MAX];
    struct stint_elf_section link;
    const char *slash = strrchr(path, '/');
    stint_elf_build_id(&code->elf, id);
    if (strlen(id) < 3)
        return;
    (void)snprintf(place, sizeof place, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
    if (use_apart(code, place, id) || !slash || stint_elf_find_section(&code->elf, ".gnu_debuglink", &link) ||
        !memchr(link.bytes, '\0', link.size) || strchr((const char *)link.bytes, '/'))
        return;
    (void)snprintf(place, sizeof place, "%.*s/%s", (int)(slash - path), path, (const char *)link.bytes);
    if (use_apart(code, place, id))
        return;
    (void)snprintf(place, sizeof place, "%.*s/.debug/%s", (int)(slash - path), path, (const char *)link.bytes);
    (void)use_apart(code, place, id);
}

/* ------------------------------------------------------------------------------------------------------------- open */

/* Debugging information that is read in a few milliseconds: in the file itself, as a compiler makes it. */
static int is_cheap(const struct stint_elf *elf)
{
    enum { MOST = 16 << 20 };
    struct stint_elf_section section;
    return stint_elf_find_section(elf, ".debug_info", &section) == 0 && !section.is_compressed && section.size <= MOST;
}

static void open_debug_info(struct stint_code_file *code, const char *path, enum stint_symbols_detail detail)
{
    int is_asked_for = detail >= STINT_SYMBOLS_INLINED;
    if (code->own.file >= 0 && (is_asked_for || (detail == STINT_SYMBOLS_INLINED_IF_CHEAP && is_cheap(&code->elf))))
        code->debug = stint_debug_info_open(path, code->own.file, is_asked_for, detail == STINT_SYMBOLS_LINES);
}

struct stint_code_file *stint_code_file_open(const char *path, const char *build_id, enum stint_symbols_detail detail,
                                             enum stint_code_state *state)
{
    struct stint_code_file *code = calloc(1, sizeof *code);
    *state = STINT_CODE_MISSING;
    if (!code) {
        stint_memory_lacked = 1;
        return NULL;
    }
    code->apart.file = -1;
    code->own = strcmp(path, STINT_VDSO) == 0 ? copy_vdso(&code->arena) : map_file(path);
    if (code->own.bytes && !stint_elf_open(&code->elf, code->own.bytes, code->own.size))
        *state = has_build_id(&code->elf, build_id) ? STINT_CODE_FOUND : STINT_CODE_DIFFERENT;
    if (*state != STINT_CODE_FOUND) {
        stint_code_file_close(code);
        return NULL;
    }
    code->names = code->elf;
    (void)stint_elf_list_functions(&code->names, &code->arena);
    if (!code->names.is_whole)
        find_apart(code, path);
    open_debug_info(code, path, detail);
    return code;
}

void stint_code_file_close(struct stint_code_file *code)
{
    if (!code)
        return;
    stint_debug_info_close(code->debug);
    close_image(&code->own);
    close_image(&code->apart);
    stint_arena_free(&code->arena);
    free(code);
}

/* ------------------------------------------------------------------------------------------------------------- find */

static const char *copy(struct stint_arena *arena, const char *text)
{
    const char *copied = stint_arena_copy(arena, text, strlen(text));
    return copied ? copied : "";
}

const char *stint_code_name(struct stint_arena *arena, const char *name)
{
    const char *readable = stint_demangle(arena, name);
    return readable ? readable : copy(arena, name);
}

/* Without the version that symbols of a library have: "memcpy@@GLIBC_2.14". */
static const char *name_of_symbol(struct stint_arena *arena, const char *name)
{
    const char *version = strchr(name, '@');
    const char *plain = version ? stint_arena_copy(arena, name, (size_t)(version - name)) : name;
    return plain ? stint_code_name(arena, plain) : "";
}

/* A function without a name is called by where it begins. */
static const char *name_by_place(struct stint_code_file *code, uint64_t address, struct stint_arena *arena)
{
    char text[24];
    if (!code->has_ranges)
        stint_code_ranges_read(&code->ranges, &code->arena, &code->elf);
    code->has_ranges = 1;
    const struct stint_range *range = stint_range_list_find(&code->ranges, address);
    if (!range)
        return NULL;
    (void)snprintf(text, sizeof text, "0x%llx", (unsigned long long)range->begin);
    return copy(arena, text);
}

/* Whether there are only jumps to functions of other libraries. */
static int is_jump(const struct stint_elf *elf, uint64_t address)
{
    static const char *const names[] = {".plt", ".plt.sec", ".plt.got"};
    struct stint_elf_section section;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (stint_elf_find_section(elf, names[i], &section) == 0 && address - section.address < section.size)
            return 1;
    return 0;
}

size_t stint_code_file_find(struct stint_code_file *code, uint64_t address, struct stint_arena *arena,
                            struct stint_symbol *found, size_t most)
{
    size_t used = code->debug ? stint_debug_info_find(code->debug, address, arena, found, most) : 0;
    const char *name = used ? NULL : stint_elf_function_at(&code->names, address);
    name = used || name || !is_jump(&code->elf, address) ? name : "(PLT)";
    const char *place = used || name ? NULL : name_by_place(code, address, arena);
    if (name)
        found[used++].function = name_of_symbol(arena, name);
    if (place) {
        found[used].kind = STINT_SYMBOL_NAMELESS;
        found[used++].function = place;
    }
    return used;
}

/* Asks the dynamic linker which object an address is in, and keeps one record with symbols for each. Objects may be
 * unloaded and others take their place, so records are checked against what is loaded. */
#include "functions/object.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "support/elf.h"

/* Emulators of processors answer the first alone with the program's file; it leads nowhere when main has ended. */
#define PROGRAM "/proc/self/exe"
#define PROGRAM_OF_THREAD "/proc/thread-self/exe"

enum { PATH_SIZE = 4096 };

/* ---------------------------------------------------------------------------------------------------- loader's list */

static const char *behind_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *path_of(const char *name)
{
    return name ? name : "";
}

static struct stint_loaded describe(const struct dl_phdr_info *info)
{
    struct stint_loaded loaded = {.base = info->dlpi_addr,
                                  .start = UINTPTR_MAX,
                                  .path = path_of(info->dlpi_name),
                                  .headers = info->dlpi_phdr,
                                  .header_count = info->dlpi_phnum};
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = loaded.base + segment->p_vaddr;
        if (segment->p_type != PT_LOAD)
            continue;
        if (start < loaded.start)
            loaded.start = start;
        if (start + segment->p_memsz > loaded.end)
            loaded.end = start + segment->p_memsz;
    }
    return loaded;
}

#ifdef DLFO_STRUCT_HAS_EH_COUNT

struct stint_loaded stint_loaded_at(uintptr_t address)
{
    struct stint_loaded loaded = {0};
    struct dl_find_object found;
    ElfW(Ehdr) header;

    if (_dl_find_object((void *)address, &found)) /* NOLINT(performance-no-int-to-ptr) */
        return loaded;
    loaded.base = found.dlfo_link_map->l_addr;
    loaded.start = (uintptr_t)found.dlfo_map_start;
    loaded.end = (uintptr_t)found.dlfo_map_end;
    loaded.path = path_of(found.dlfo_link_map->l_name);
    memcpy(&header, found.dlfo_map_start, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_phoff < loaded.end - loaded.start) {
        loaded.headers = (char *)found.dlfo_map_start + header.e_phoff;
        loaded.header_count = header.e_phnum;
    }
    return loaded;
}

#else

struct search {
    uintptr_t address;
    struct stint_loaded found;
};

static int search_one(struct dl_phdr_info *info, size_t size, void *context)
{
    struct stint_loaded loaded = describe(info);
    struct search *search = context;
    (void)size;
    if (search->address < loaded.start || search->address >= loaded.end)
        return 0;
    search->found = loaded;
    return 1;
}

struct stint_loaded stint_loaded_at(uintptr_t address)
{
    struct search search = {.address = address};
    dl_iterate_phdr(search_one, &search);
    return search.found;
}

#endif

static int is_cpp_runtime(struct dl_phdr_info *info, size_t size, void *context)
{
    static const char *const names[] = {"libstdc++.so", "libc++abi.so", "libc++.so"};
    const char *name = behind_folder(path_of(info->dlpi_name));
    (void)size;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(name, names[i], strlen(names[i])) == 0) {
            *(struct stint_loaded *)context = describe(info);
            return 1;
        }
    }
    return 0;
}

struct stint_loaded stint_loaded_cpp_runtime(void)
{
    struct stint_loaded loaded = {0};
    dl_iterate_phdr(is_cpp_runtime, &loaded);
    return loaded;
}

/* ---------------------------------------------------------------------------------------------------------- objects */

struct stint_object {
    uintptr_t base;
    uintptr_t start;
    uintptr_t end;
    uint64_t path_hash;
    const char *name;
    void *image; /* NULL: without symbols */
    size_t size;
    struct stint_elf elf;
    struct stint_arena arena; /* everything of this object, itself included */
    uintptr_t demangler;      /* 0: the object has none */
    int knows_demangler;
    int gone;
    struct stint_object *next;
};

static struct stint_object *s_objects;

static uint64_t hash_path(const char *path)
{
    return stint_hash(path, strlen(path), 0);
}

static int map_file(struct stint_object *object, const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat stat;
    void *image = MAP_FAILED;
    if (file < 0)
        return -1;
    if (!fstat(file, &stat) && S_ISREG(stat.st_mode) && stat.st_size > 0)
        image = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (image == MAP_FAILED)
        return -1;
    object->image = image;
    object->size = (size_t)stat.st_size;
    return 0;
}

static void unmap_file(struct stint_object *object)
{
    if (object->image)
        munmap(object->image, object->size);
    object->image = NULL;
}

static int is_image_of(const struct stint_object *object, const struct stint_loaded *loaded)
{
    return !loaded->headers ||
           stint_elf_is_loaded(object->image, object->size, loaded->base, loaded->headers, loaded->header_count);
}

/* The path may now belong to another file than the one that was loaded, for instance after an update. */
static void read_symbols(struct stint_object *object, const struct stint_loaded *loaded)
{
    if (map_file(object, *loaded->path ? loaded->path : PROGRAM) &&
        (*loaded->path || map_file(object, PROGRAM_OF_THREAD)))
        return;
    if (!is_image_of(object, loaded) || stint_elf_open(&object->elf, object->image, object->size) ||
        stint_elf_list_functions(&object->elf, &object->arena))
        unmap_file(object);
}

/* Returns the program's path, in memory of the arena. */
static const char *program_path(struct stint_arena *arena)
{
    char *path = stint_arena_alloc(arena, PATH_SIZE);
    if (path && readlink(PROGRAM, path, PATH_SIZE - 1) <= 0 && readlink(PROGRAM_OF_THREAD, path, PATH_SIZE - 1) <= 0)
        return "program";
    return path ? path : "program";
}

static const char *copy_name(struct stint_arena *arena, const char *path)
{
    const char *name = behind_folder(*path ? path : program_path(arena));
    return stint_arena_copy(arena, name, strlen(name));
}

static struct stint_object *new_object(const struct stint_loaded *loaded)
{
    struct stint_arena arena = {0};
    struct stint_object *object = stint_arena_alloc(&arena, sizeof *object);
    const char *name = object ? copy_name(&arena, loaded->path) : NULL;
    if (!name) {
        stint_arena_free(&arena);
        return NULL;
    }
    object->base = loaded->base;
    object->start = loaded->start;
    object->end = loaded->end;
    object->path_hash = hash_path(loaded->path);
    object->name = name;
    object->arena = arena;
    read_symbols(object, loaded);
    object->next = s_objects;
    s_objects = object;
    return object;
}

static int is_same(const struct stint_object *object, const struct stint_loaded *loaded)
{
    return loaded->path && object->base == loaded->base && object->path_hash == hash_path(loaded->path) &&
           (!object->image || is_image_of(object, loaded));
}

struct stint_object *stint_object_of(const struct stint_loaded *loaded)
{
    for (struct stint_object *object = s_objects; object; object = object->next)
        if (!object->gone && is_same(object, loaded))
            return object;
    return new_object(loaded);
}

const char *stint_object_name(const struct stint_object *object)
{
    return object->name;
}

const char *stint_object_function_at(const struct stint_object *object, uintptr_t address)
{
    return object->image ? stint_elf_function_at(&object->elf, address - object->base) : NULL;
}

uintptr_t stint_object_demangler(struct stint_object *object)
{
    uint64_t address = 0;
    if (object->knows_demangler)
        return object->demangler;
    if (object->image)
        address = stint_elf_address_of(&object->elf, "__cxa_demangle");
    object->demangler = address ? object->base + (uintptr_t)address : 0;
    object->knows_demangler = 1;
    return object->demangler;
}

uintptr_t stint_object_offset(const struct stint_object *object, uintptr_t address)
{
    return address - object->base;
}

/* ----------------------------------------------------------------------------------------------------------- forget */

uintptr_t stint_object_start(size_t position)
{
    const struct stint_object *object = s_objects;
    while (object && position--)
        object = object->next;
    return object ? object->start : 0;
}

size_t stint_objects_mark_gone(const struct stint_loaded *loaded)
{
    size_t count = 0;
    for (struct stint_object *object = s_objects; object; object = object->next) {
        if (object->start < loaded->end && loaded->start < object->end && !is_same(object, loaded)) {
            object->gone = 1;
            count++;
        }
    }
    return count;
}

int stint_object_is_gone(const struct stint_object *object)
{
    return object->gone;
}

void stint_objects_sweep(void)
{
    struct stint_object **at = &s_objects;
    while (*at) {
        struct stint_object *object = *at;
        if (!object->gone) {
            at = &object->next;
            continue;
        }
        *at = object->next;
        unmap_file(object);
        struct stint_arena arena = object->arena;
        stint_arena_free(&arena);
    }
}

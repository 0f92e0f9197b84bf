#include "functions/object.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/index.h"
#include "functions/elf.h"

#define PROGRAM "/proc/self/exe"

enum { PATH_SIZE = 4096 };

/* -------------------------------------------------------------------------------------------------------- loader's list */

static const char *behind_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static struct stint_loaded describe(const struct dl_phdr_info *info)
{
    return (struct stint_loaded){info->dlpi_addr, info->dlpi_name ? info->dlpi_name : "", info->dlpi_phdr,
                                 info->dlpi_phnum};
}

#ifdef DLFO_STRUCT_HAS_EH_COUNT

/* A handler may have interrupted the loader while it unmaps an object that is still in its list: only this function of
 * the loader is made for that. */
struct stint_loaded stint_loaded_at(uintptr_t address)
{
    struct stint_loaded loaded = {0};
    struct dl_find_object found;
    ElfW(Ehdr) header;

    if (_dl_find_object((void *)address, &found)) /* NOLINT(performance-no-int-to-ptr) */
        return loaded;
    loaded.base = found.dlfo_link_map->l_addr;
    loaded.path = found.dlfo_link_map->l_name ? found.dlfo_link_map->l_name : "";
    memcpy(&header, found.dlfo_map_start, sizeof header);
    if (!memcmp(header.e_ident, ELFMAG, SELFMAG) &&
        header.e_phoff < (size_t)((char *)found.dlfo_map_end - (char *)found.dlfo_map_start)) {
        loaded.headers = (char *)found.dlfo_map_start + header.e_phoff;
        loaded.header_count = header.e_phnum;
    }
    return loaded;
}

#else

static int contains(const struct dl_phdr_info *info, uintptr_t address)
{
    for (size_t i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

        if (segment->p_type == PT_LOAD && address - info->dlpi_addr - segment->p_vaddr < segment->p_memsz)
            return 1;
    }
    return 0;
}

struct search {
    uintptr_t address;
    struct stint_loaded found;
};

static int search_one(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;

    (void)size;
    if (!contains(info, search->address))
        return 0;
    search->found = describe(info);
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
    const char *name = behind_folder(info->dlpi_name ? info->dlpi_name : "");

    (void)size;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (!strncmp(name, names[i], strlen(names[i]))) {
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

/* Every entry of the list has the number, so the first will do. */
static int read_unloads(struct dl_phdr_info *info, size_t size, void *context)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *(uint64_t *)context = info->dlpi_subs;
    return 1;
}

uint64_t stint_unloads(void)
{
    uint64_t unloads = 0;

    dl_iterate_phdr(read_unloads, &unloads);
    return unloads;
}

static struct stint_object_id id_of(const struct stint_loaded *loaded)
{
    return (struct stint_object_id){loaded->base, stint_hash(loaded->path, strlen(loaded->path), 0)};
}

struct list {
    struct stint_object_id *ids; /* NULL: only to be counted */
    size_t count;
    size_t capacity;
};

static int list_one(struct dl_phdr_info *info, size_t size, void *context)
{
    const struct stint_loaded loaded = describe(info);
    struct list *list = context;

    (void)size;
    if (list->ids && list->count == list->capacity)
        return 1;
    if (list->ids)
        list->ids[list->count] = id_of(&loaded);
    ++list->count;
    return 0;
}

/* Twice, since memory must not be asked for while the loader is locked. What is loaded in between is left out, which
 * only costs looking it up again. */
struct stint_object_id *stint_loaded_list(struct stint_arena *arena, size_t *count)
{
    struct list list = {0};

    dl_iterate_phdr(list_one, &list);
    list = (struct list){stint_arena_alloc(arena, list.count * sizeof *list.ids), 0, list.count};
    if (list.ids)
        dl_iterate_phdr(list_one, &list);
    *count = list.ids ? list.count : 0;
    return list.ids;
}

/* ------------------------------------------------------------------------------------------------------------- objects */

struct stint_object {
    struct stint_object_id id;
    const char *name;
    void *image; /* NULL: without symbols */
    size_t size;
    struct stint_elf elf;
    struct stint_arena arena; /* everything of this object, itself included */
    struct stint_object *next;
    int gone;
};

static struct stint_object *s_objects;

static int map_file(struct stint_object *object, const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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

/* The file that has the path now may be another than the one that was loaded: an update of it, for instance. */
static void read_symbols(struct stint_object *object, const struct stint_loaded *loaded)
{
    if (map_file(object, *loaded->path ? loaded->path : PROGRAM))
        return;
    if ((loaded->headers &&
         !stint_elf_is_loaded(object->image, object->size, loaded->base, loaded->headers, loaded->header_count)) ||
        stint_elf_open(&object->elf, object->image, object->size, &object->arena))
        unmap_file(object);
}

/* Returns the program's path, in memory of the arena. */
static const char *program_path(struct stint_arena *arena)
{
    char *path = stint_arena_alloc(arena, PATH_SIZE);

    return path && readlink(PROGRAM, path, PATH_SIZE - 1) > 0 ? path : "program";
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
    object->id = id_of(loaded);
    object->name = name;
    object->arena = arena;
    read_symbols(object, loaded);
    object->next = s_objects;
    s_objects = object;
    return object;
}

static int same_id(const struct stint_object_id *a, const struct stint_object_id *b)
{
    return a->base == b->base && a->path_hash == b->path_hash;
}

struct stint_object *stint_object_of(const struct stint_loaded *loaded)
{
    const struct stint_object_id id = id_of(loaded);

    for (struct stint_object *object = s_objects; object; object = object->next)
        if (same_id(&object->id, &id))
            return object;
    return new_object(loaded);
}

const char *stint_object_name(const struct stint_object *object)
{
    return object->name;
}

const char *stint_object_function_at(const struct stint_object *object, uintptr_t address)
{
    return object->image ? stint_elf_function_at(&object->elf, address - object->id.base) : NULL;
}

uintptr_t stint_object_address_of(const struct stint_object *object, const char *name)
{
    const uint64_t address = object->image ? stint_elf_address_of(&object->elf, name) : 0;

    return address ? object->id.base + (uintptr_t)address : 0;
}

uintptr_t stint_object_offset(const struct stint_object *object, uintptr_t address)
{
    return address - object->id.base;
}

/* -------------------------------------------------------------------------------------------------------------- forget */

static int is_listed(const struct stint_object *object, const struct stint_object_id *loaded, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (same_id(&object->id, &loaded[i]))
            return 1;
    return 0;
}

void stint_objects_mark(const struct stint_object_id *loaded, size_t count)
{
    for (struct stint_object *object = s_objects; object; object = object->next)
        object->gone = !is_listed(object, loaded, count);
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
        struct stint_arena arena;

        if (!object->gone) {
            at = &object->next;
            continue;
        }
        *at = object->next;
        unmap_file(object);
        arena = object->arena;
        stint_arena_free(&arena);
    }
}

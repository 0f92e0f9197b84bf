/* What unwinding needs of each loaded module, looked up outside of signal handlers whenever the set of modules changes,
 * copied if the module may be unloaded. Two counters of handlers in turns tell when old copies may be freed. */
#include "sample/walk.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "support/elf.h"

static struct {
    struct stint_arena arena;                              /* of texts */
    struct stint_loaded_module modules[STINT_LOADED_MOST]; /* that of NOWHERE is not used */
    uint32_t count;                                        /* besides NOWHERE */
} s_known;

static struct {
    struct stint_loaded_set *set;
    struct stint_arena arena; /* of the set */
    unsigned turn;            /* odd or even: which of the two counts handlers add to */
    unsigned inside[2];
    unsigned long long changes; /* what the dynamic linker said when the set was made */
    uint64_t salt;
} s_loaded;

/* -------------------------------------------------------------------------------------------------- use in handlers */

const struct stint_loaded_set *stint_loaded_enter(unsigned *turn)
{
    for (;;) {
        *turn = __atomic_load_n(&s_loaded.turn, __ATOMIC_SEQ_CST) & 1;
        __atomic_add_fetch(&s_loaded.inside[*turn], 1, __ATOMIC_SEQ_CST);
        if ((__atomic_load_n(&s_loaded.turn, __ATOMIC_SEQ_CST) & 1) == *turn)
            return __atomic_load_n(&s_loaded.set, __ATOMIC_SEQ_CST);
        __atomic_sub_fetch(&s_loaded.inside[*turn], 1, __ATOMIC_SEQ_CST);
    }
}

void stint_loaded_leave(unsigned turn)
{
    __atomic_sub_fetch(&s_loaded.inside[turn], 1, __ATOMIC_SEQ_CST);
}

/* Returns 0, or -1 after a second. */
static int wait_until_left(unsigned turn)
{
    enum { TRIES = 10000 };
    struct timespec moment = {0, 100000};

    for (int i = 0; i < TRIES; i++) {
        if (!__atomic_load_n(&s_loaded.inside[turn], __ATOMIC_SEQ_CST))
            return 0;
        nanosleep(&moment, NULL);
    }
    return -1;
}

/* Handlers that the wait before this one has given up on may use any set. */
int stint_loaded_wait(void)
{
    unsigned turn = __atomic_load_n(&s_loaded.turn, __ATOMIC_SEQ_CST) & 1;
    if (wait_until_left(turn ^ 1))
        return -1;
    __atomic_add_fetch(&s_loaded.turn, 1, __ATOMIC_SEQ_CST);
    return wait_until_left(turn);
}

void stint_loaded_after_fork(void)
{
    s_loaded.inside[0] = s_loaded.inside[1] = 0;
}

const struct stint_loaded *stint_loaded_find(const struct stint_loaded_set *set, uint64_t address)
{
    size_t low = 0, high = set ? set->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->modules[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < set->modules[low - 1].end ? &set->modules[low - 1] : NULL;
}

/* Returns what is loaded there, NULL if nothing is. Sets *is_known to 0 before glibc 2.35, which cannot tell a signal
 * handler, nor a thread that walks over what is loaded. */
static struct link_map *map_at(uint64_t address, int *is_known)
{
#ifdef DLFO_STRUCT_HAS_EH_COUNT
    struct dl_find_object found;
    *is_known = 1;
    return _dl_find_object((void *)(uintptr_t)address, &found) ? NULL : found.dlfo_link_map;
#else
    *is_known = 0;
    return (void)address, NULL;
#endif
}

int stint_loaded_is_there(const struct stint_loaded *module, uint64_t address)
{
    int is_known;
    const struct link_map *map = map_at(address, &is_known);
    return !is_known || (map && strcmp(map->l_name, stint_loaded_module(module->module)->name) == 0);
}

/* ---------------------------------------------------------------------------------------------------- known modules */

const struct stint_loaded_module *stint_loaded_module(uint32_t module)
{
    static const struct stint_loaded_module nowhere = {.path = "", .name = "", .build_id = "", .end = UINT64_MAX};
    return module == STINT_LOADED_NOWHERE ? &nowhere : &s_known.modules[module];
}

static uint32_t known(const struct stint_loaded_module *like)
{
    for (uint32_t i = 1; i <= s_known.count; i++) {
        const struct stint_loaded_module *module = &s_known.modules[i];
        if (module->begin == like->begin && module->end == like->end && module->bias == like->bias &&
            strcmp(module->path, like->path) == 0 && strcmp(module->name, like->name) == 0 &&
            strcmp(module->build_id, like->build_id) == 0)
            return i;
    }
    return STINT_LOADED_NOWHERE;
}

/* Returns its number, added if it is new; NOWHERE beyond the limit. */
static uint32_t know(const struct stint_loaded_module *like)
{
    uint32_t number = known(like);
    if (number || s_known.count + 1 == STINT_LOADED_MOST)
        return number;
    struct stint_loaded_module *module = &s_known.modules[s_known.count + 1];
    *module = *like;
    module->path = stint_arena_copy(&s_known.arena, like->path, strlen(like->path));
    module->name = stint_arena_copy(&s_known.arena, like->name, strlen(like->name));
    module->build_id = stint_arena_copy(&s_known.arena, like->build_id, strlen(like->build_id));
    if (!module->path || !module->name || !module->build_id)
        return STINT_LOADED_NOWHERE;
    return ++s_known.count;
}

/* ----------------------------------------------------------------------------------------------------------- frames */

/* .eh_frame_hdr. */
struct head {
    uint8_t version;
    uint8_t frames_encoding;
    uint8_t count_encoding;
    uint8_t table_encoding;
    int32_t frames; /* distance from this member */
    uint32_t count;
    int32_t table[][2];
};

enum { RELATIVE_TO_HERE = 0x1B, FOUR_BYTES = 0x03, RELATIVE_TO_HEAD = 0x3B };

/* Returns how many bytes from there on are in a part of the file that can be read. */
static uint64_t readable(const struct dl_phdr_info *info, uint64_t address)
{
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t offset = address - info->dlpi_addr - part->p_vaddr;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_R) && offset < part->p_memsz)
            return part->p_memsz - offset;
    }
    return 0;
}

static int is_there(const struct dl_phdr_info *info, uint64_t address, uint64_t size)
{
    return size <= readable(info, address);
}

/* Returns where the last of the descriptions ends, or 0. */
static uint64_t end_of_frames(const struct dl_phdr_info *info, const struct head *head)
{
    int32_t last = head->table[0][1];
    uint32_t length;
    for (uint32_t i = 1; i < head->count; i++)
        if (head->table[i][1] > last)
            last = head->table[i][1];
    uint64_t at = (uintptr_t)head + (uint64_t)(int64_t)last;
    if (!is_there(info, at, sizeof length))
        return 0;
    memcpy(&length, (const void *)(uintptr_t)at, sizeof length);
    return at + sizeof length + length;
}

/* Whether the table is there, and as all linkers write it. */
static int is_usual(const struct dl_phdr_info *info, const struct head *head)
{
    return is_there(info, (uintptr_t)head, sizeof *head) && head->version == 1 &&
           head->frames_encoding == RELATIVE_TO_HERE && head->count_encoding == FOUR_BYTES &&
           head->table_encoding == RELATIVE_TO_HEAD && head->count &&
           is_there(info, (uintptr_t)head, sizeof *head + head->count * sizeof head->table[0]);
}

/* Where the module has what says how its frames are found; without a table: nowhere. Where the descriptions end takes a
 * look at all of them: only for a copy. */
static struct stint_cfi find_frames(const struct dl_phdr_info *info, const struct head *head, int stays)
{
    struct stint_cfi none = {.count = 0};
    if (!is_usual(info, head))
        return none;
    uint64_t frames = (uintptr_t)&head->frames + (uint64_t)(int64_t)head->frames;
    uint64_t size = stays ? readable(info, frames) : end_of_frames(info, head) - frames;
    if (!size || !is_there(info, frames, size))
        return none;
    return (struct stint_cfi){
        .frames = {.bytes = (const void *)(uintptr_t)frames, .size = size, .address = frames},
        .table = head->table,
        .count = head->count,
        .base = (uintptr_t)head,
    };
}

/* While the dynamic linker's lock is held, the module stays. */
static void copy_frames(struct stint_loaded *module)
{
    struct stint_cfi *cfi = &module->cfi;
    size_t table_size = cfi->count * sizeof cfi->table[0];
    struct stint_arena arena = {0}, *kept = stint_arena_alloc(&arena, sizeof *kept);
    void *table = stint_arena_alloc(&arena, table_size), *bytes = stint_arena_alloc(&arena, cfi->frames.size);
    if (!kept || !table || !bytes) {
        stint_arena_free(&arena);
        *cfi = (struct stint_cfi){.count = 0};
        return;
    }
    cfi->table = memcpy(table, cfi->table, table_size);
    cfi->frames.bytes = memcpy(bytes, cfi->frames.bytes, cfi->frames.size);
    *kept = arena;
    module->memory = kept;
}

static void free_frames(const struct stint_loaded *module)
{
    struct stint_arena arena = module->memory ? *module->memory : (struct stint_arena){0};
    stint_arena_free(&arena);
}

/* ---------------------------------------------------------------------------------------------------------- refresh */

struct refresh {
    struct stint_arena arena; /* of the new set */
    struct stint_loaded *modules;
    size_t count;
    size_t room;
    unsigned long long changes;
    uint64_t linker; /* where the dynamic linker is; 0: not known, or the modules that come now may be unloaded */
    int is_same;     /* nothing has changed */
};

static void measure(const struct dl_phdr_info *info, struct stint_loaded_module *module, char *build_id,
                    const struct head **head)
{
    module->begin = UINT64_MAX;
    module->bias = info->dlpi_addr;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t begin = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME)
            *head = (const struct head *)(uintptr_t)begin;
        if (part->p_type == PT_NOTE && !build_id[0] && is_there(info, begin, part->p_memsz))
            stint_elf_build_id_in(build_id, (const void *)(uintptr_t)begin, part->p_memsz);
        if (part->p_type != PT_LOAD)
            continue;
        if (begin < module->begin)
            module->begin = begin;
        if (begin + part->p_memsz > module->end)
            module->end = begin + part->p_memsz;
    }
}

static const struct stint_loaded *present(uint32_t number)
{
    for (size_t i = 0; s_loaded.set && i < s_loaded.set->count; i++)
        if (s_loaded.set->modules[i].module == number && number)
            return &s_loaded.set->modules[i];
    return NULL;
}

/* As it was started: of a script, the script. */
static void find_program(char *path)
{
    const char *started = (const char *)(uintptr_t)getauxval(AT_EXECFN); /* NOLINT(performance-no-int-to-ptr) */
    if (started && !realpath(started, path))
        (void)snprintf(path, PATH_MAX, "%s", started);
}

/* The program's own name is empty. One that is relative is so to where the process was when it loaded the module. */
static void find_path(char *path, const char *name, uint64_t begin)
{
    int is_known;
    struct link_map *map = map_at(begin, &is_known);
    char origin[PATH_MAX], whole[PATH_MAX];
    const char *slash = name[0] == '/' ? NULL : strrchr(name, '/');
    (void)snprintf(path, PATH_MAX, "%s", name);
    if (!name[0]) {
        ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
        if (length < 0) /* the main thread has ended */
            length = readlink("/proc/thread-self/exe", path, PATH_MAX - 1);
        path[length > 0 ? length : 0] = '\0';
        if (length < 0) /* nor is there /proc */
            find_program(path);
    } else if (slash && map && !dlinfo(map, RTLD_DI_ORIGIN, origin) &&
               snprintf(whole, sizeof whole, "%s%s", origin, slash) < (int)sizeof whole) {
        (void)snprintf(path, PATH_MAX, "%s", realpath(whole, origin) ? origin : whole);
    }
}

static void add_module(struct refresh *refresh, const struct dl_phdr_info *info)
{
    struct stint_loaded *to = &refresh->modules[refresh->count];
    char path[PATH_MAX] = "", build_id[STINT_BUILD_ID_SIZE] = "";
    struct stint_loaded_module module = {.path = path, .name = info->dlpi_name, .build_id = build_id};
    const struct head *head = NULL;
    measure(info, &module, build_id, &head);
    if (module.begin >= module.end)
        return;
    find_path(path, info->dlpi_name, module.begin);
    uint32_t number = know(&module);
    const struct stint_loaded *before = present(number);
    *to = before ? *before : (struct stint_loaded){.begin = module.begin, .end = module.end, .module = number};
    to->is_own = strstr(module.path, "/libstint_sample.so") != NULL;
    if (!before && head)
        to->cfi = find_frames(info, head, refresh->linker != 0);
    if (!before && to->cfi.count && !refresh->linker)
        copy_frames(to);
    refresh->count++;
}

/* The dynamic linker is among the modules that the program was started with, before those that dlopen has loaded: what
 * comes before it is never unloaded. */
static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct refresh *refresh = context;
    (void)size;
    if (!refresh->count) {
        refresh->changes = info->dlpi_adds + info->dlpi_subs;
        refresh->is_same = s_loaded.set && refresh->changes == s_loaded.changes;
        refresh->linker = info->dlpi_name[0] ? 0 : getauxval(AT_BASE); /* the program itself has no name */
    }
    if (refresh->is_same || refresh->count == refresh->room)
        return 1;
    add_module(refresh, info);
    if (info->dlpi_addr == refresh->linker)
        refresh->linker = 0;
    return 0;
}

static int module_before(const void *array, size_t a, size_t b)
{
    const struct stint_loaded *modules = array;
    return modules[a].begin < modules[b].begin;
}

static struct stint_loaded_set *make_set(struct refresh *refresh)
{
    struct stint_loaded_set *set = stint_arena_alloc(&refresh->arena, sizeof *set);
    size_t *order = stint_sorted(&refresh->arena, refresh->count, module_before, refresh->modules);
    if (!set || !order)
        return NULL;
    set->modules = stint_arena_alloc(&refresh->arena, (refresh->count + 1) * sizeof *set->modules);
    if (!set->modules)
        return NULL;
    for (size_t i = 0; i < refresh->count; i++)
        set->modules[i] = refresh->modules[order[i]];
    set->count = refresh->count;
    set->salt = s_loaded.salt += UINT64_C(0x9E3779B97F4A7C15);
    return set;
}

static int has(const struct stint_loaded_set *set, const struct stint_arena *memory)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->modules[i].memory == memory)
            return 1;
    return 0;
}

static void replace(struct stint_loaded_set *set, const struct refresh *refresh)
{
    struct stint_loaded_set *old = s_loaded.set;
    struct stint_arena arena = s_loaded.arena;
    __atomic_store_n(&s_loaded.set, set, __ATOMIC_SEQ_CST);
    s_loaded.arena = refresh->arena;
    s_loaded.changes = refresh->changes;
    if (!old || stint_loaded_wait())
        return;
    for (size_t i = 0; i < old->count; i++)
        if (old->modules[i].memory && !has(set, old->modules[i].memory))
            free_frames(&old->modules[i]);
    stint_arena_free(&arena);
}

void stint_loaded_refresh(void)
{
    struct refresh refresh = {.room = STINT_LOADED_MOST};
    refresh.modules = stint_arena_alloc(&refresh.arena, refresh.room * sizeof *refresh.modules);
    if (refresh.modules)
        (void)dl_iterate_phdr(visit, &refresh);
    struct stint_loaded_set *set = refresh.modules && !refresh.is_same ? make_set(&refresh) : NULL;
    if (set)
        replace(set, &refresh);
    else
        stint_arena_free(&refresh.arena);
}

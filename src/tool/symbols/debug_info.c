/* Finds functions that were inlined, and lines of the source, in debugging information, with libdw. Without libdw there
 * is none here. */
#include "symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef STINT_HAS_LIBDW

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------------------- library */

/* It is loaded when it is needed, since most programs have no debugging information that is read at once. */
#define LIBRARY "libdw.so.1"

#define FUNCTIONS(X)                                                                                                   \
    X(dwarf_attr)                                                                                                      \
    X(dwarf_attr_integrate)                                                                                            \
    X(dwarf_child)                                                                                                     \
    X(dwarf_cu_getdwarf)                                                                                               \
    X(dwarf_die_addr_die)                                                                                              \
    X(dwarf_diename)                                                                                                   \
    X(dwarf_dieoffset)                                                                                                 \
    X(dwarf_filesrc)                                                                                                   \
    X(dwarf_formstring)                                                                                                \
    X(dwarf_formudata)                                                                                                 \
    X(dwarf_getsrc_die)                                                                                                \
    X(dwarf_getsrcfiles)                                                                                               \
    X(dwarf_haspc)                                                                                                     \
    X(dwarf_lineno)                                                                                                    \
    X(dwarf_linesrc)                                                                                                   \
    X(dwarf_ranges)                                                                                                    \
    X(dwarf_siblingof)                                                                                                 \
    X(dwarf_tag)                                                                                                       \
    X(dwfl_begin)                                                                                                      \
    X(dwfl_build_id_find_elf)                                                                                          \
    X(dwfl_end)                                                                                                        \
    X(dwfl_module_nextcu)                                                                                              \
    X(dwfl_offline_section_address)                                                                                    \
    X(dwfl_report_begin)                                                                                               \
    X(dwfl_report_elf)                                                                                                 \
    X(dwfl_report_end)                                                                                                 \
    X(dwfl_standard_find_debuginfo)

#define DECLARE(name) __typeof__(name) *name;
#define NAME(name) #name,
#define ONE(name) +1

static union {
    struct {
        FUNCTIONS(DECLARE)
    };
    void *all[FUNCTIONS(ONE)]; /* ISO C has no conversion to a pointer to a function */
} s_dw;

const char *stint_debug_info_missing(void)
{
    static const char *const names[] = {FUNCTIONS(NAME)};
    static int s_is_loaded;
    void *library = s_is_loaded ? NULL : dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; !s_is_loaded && i < sizeof names / sizeof names[0]; i++) {
        s_dw.all[i] = library ? dlsym(library, names[i]) : NULL;
        if (!s_dw.all[i])
            return LIBRARY " (elfutils) cannot be loaded";
    }
    s_is_loaded = 1;
    return NULL;
}

struct stint_debug_info {
    Dwfl_Callbacks callbacks;
    Dwfl *session;
    Dwfl_Module *module;
    int has_lines;
    struct stint_arena arena;
    struct stint_array units; /* struct stint_range of struct unit */
    Dwarf_Addr bias;          /* of addresses to those of the debugging information */
};

/* ------------------------------------------------------------------------------------------------------------ names */

static const char *copy(struct stint_arena *arena, const char *text)
{
    const char *copied = text ? stint_arena_copy(arena, text, strlen(text)) : NULL;
    return copied ? copied : "";
}

/* The name that the linker sees, for it has the namespace; C has only the plain one. */
static const char *name_of(Dwarf_Die *die, struct stint_arena *arena)
{
    Dwarf_Attribute attribute;
    const char *name = s_dw.dwarf_formstring(s_dw.dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    if (!name)
        name = s_dw.dwarf_diename(die);
    return name ? stint_code_name(arena, name) : "";
}

/* As the compiler had it, and if that is relative, from the folder where the compiler was. */
static const char *copy_path(struct stint_arena *arena, const char *folder, const char *file)
{
    size_t size = (folder ? strlen(folder) : 0) + (file ? strlen(file) : 0) + 2;
    char *path = file && *file != '/' && folder && *folder == '/' ? stint_arena_alloc(arena, size) : NULL;
    if (!path)
        return copy(arena, file);
    (void)snprintf(path, size, "%s/%s", folder, file);
    return path;
}

static const char *folder_of(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    return s_dw.dwarf_formstring(s_dw.dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

/* Where the function `die` was inlined: a line of the function around it. */
static void place_call(Dwarf_Die *die, Dwarf_Die *unit, struct stint_arena *arena, struct stint_symbol *outer)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files *files;
    size_t count;
    if (s_dw.dwarf_formudata(s_dw.dwarf_attr(die, DW_AT_call_line, &attribute), &line) == 0)
        outer->line = (int)line;
    if (s_dw.dwarf_formudata(s_dw.dwarf_attr(die, DW_AT_call_file, &attribute), &file) == 0 &&
        s_dw.dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count)
        outer->file = copy_path(arena, folder_of(unit), s_dw.dwarf_filesrc(files, file, NULL, NULL));
}

/* ------------------------------------------------------------------------------------------------------------ units */

/* What a compiler made from one source. Units and functions are found by the ranges that they state themselves: libdw
 * finds units by .debug_aranges, which clang does not write, and no function within what has no addresses or others, as
 * a namespace, a module of Fortran, or the function around a local one. */
struct unit {
    Dwarf_Die die;
    struct stint_array functions; /* struct stint_range of Dwarf_Die.addr; read when the first address is asked for */
    int has_functions;
    Dwarf_Off last; /* what was read of it: each entry once, whatever the file says comes next */
};

static void add_ranges(struct stint_debug_info *info, struct stint_array *ranges, Dwarf_Die *die, const void *item)
{
    Dwarf_Addr base, begin, end;
    for (ptrdiff_t next = 0; (next = s_dw.dwarf_ranges(die, next, &base, &begin, &end)) > 0;) {
        struct stint_range *range = begin < end ? stint_array_add(ranges, &info->arena, sizeof *range) : NULL;
        if (range)
            *range = (struct stint_range){begin, end, item};
    }
}

static void add_functions(struct stint_debug_info *info, struct unit *unit, Dwarf_Die *around, unsigned depth)
{
    enum { DEEPEST = 200 };
    Dwarf_Die die;
    for (int end = s_dw.dwarf_child(around, &die); end == 0 && s_dw.dwarf_dieoffset(&die) > unit->last;
         end = s_dw.dwarf_siblingof(&die, &die)) {
        unit->last = s_dw.dwarf_dieoffset(&die);
        if (s_dw.dwarf_tag(&die) == DW_TAG_subprogram)
            add_ranges(info, &unit->functions, &die, die.addr);
        if (depth < DEEPEST)
            add_functions(info, unit, &die, depth + 1);
    }
}

static void add_units(struct stint_debug_info *info)
{
    for (Dwarf_Die *die = NULL; (die = s_dw.dwfl_module_nextcu(info->module, die, &info->bias));) {
        struct unit *unit = stint_arena_alloc(&info->arena, sizeof *unit);
        if (!unit)
            break;
        *unit = (struct unit){.die = *die, .last = s_dw.dwarf_dieoffset(die)};
        add_ranges(info, &info->units, die, unit);
    }
    stint_range_list_sort(&info->units);
}

/* Returns NULL if no unit has the address, which is one of the debugging information. */
static struct unit *unit_at(struct stint_debug_info *info, Dwarf_Addr address)
{
    const struct stint_range *range = stint_range_list_find(&info->units, address);
    struct unit *unit = range ? (struct unit *)range->item : NULL;
    if (unit && !unit->has_functions) {
        add_functions(info, unit, &unit->die, 0);
        stint_range_list_sort(&unit->functions);
        unit->has_functions = 1;
    }
    return unit;
}

/* ------------------------------------------------------------------------------------------------------------- find */

/* Finds what the address is in, directly within a function or block: one that was inlined there, or a block. */
static int find_inner(Dwarf_Die *around, Dwarf_Addr address, Dwarf_Die *inner)
{
    Dwarf_Off last = s_dw.dwarf_dieoffset(around);
    for (int end = s_dw.dwarf_child(around, inner); end == 0 && s_dw.dwarf_dieoffset(inner) > last;
         end = s_dw.dwarf_siblingof(inner, inner)) {
        int tag = s_dw.dwarf_tag(inner);
        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) && s_dw.dwarf_haspc(inner, address) > 0)
            return 1;
        last = s_dw.dwarf_dieoffset(inner);
    }
    return 0;
}

/* Where more is inlined than there is room for, it counts in what it was inlined into. */
static size_t find_inlined(const struct stint_debug_info *info, struct unit *unit, Dwarf_Addr address,
                           struct stint_arena *arena, struct stint_symbol *found, size_t most)
{
    enum { DEEPEST = 64 };
    Dwarf_Die functions[DEEPEST], inner;
    const struct stint_range *range = stint_range_list_find(&unit->functions, address);
    size_t count = 0, used = 0;
    if (!range ||
        !s_dw.dwarf_die_addr_die(s_dw.dwarf_cu_getdwarf(unit->die.cu), (void *)range->item, &functions[count++]))
        return 0;
    for (Dwarf_Die around = functions[0]; find_inner(&around, address, &inner); around = inner)
        if (s_dw.dwarf_tag(&inner) == DW_TAG_inlined_subroutine && count < most && count < DEEPEST)
            functions[count++] = inner;
    while (count--) {
        found[used++].function = name_of(&functions[count], arena);
        if (count && info->has_lines)
            place_call(&functions[count], &unit->die, arena, &found[used]);
    }
    return used;
}

/* ------------------------------------------------------------------------------------------------------------- open */

static int find_nowhere(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file,
                        const char *link, GElf_Word sum, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)sum, (void)found;
    return -1;
}

/* At address 0, so that addresses are those of the file. */
static Dwfl_Module *report(Dwfl *session, const char *path, int file)
{
    int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
        return NULL;
    s_dw.dwfl_report_begin(session);
    Dwfl_Module *module = s_dw.dwfl_report_elf(session, path, path, own, 0, 0);
    if (!module)
        close(own);
    (void)s_dw.dwfl_report_end(session, NULL, NULL);
    return module;
}

struct stint_debug_info *stint_debug_info_open(const char *path, int file, int is_anywhere, int has_lines)
{
    if (stint_debug_info_missing())
        return NULL;
    struct stint_debug_info *info = calloc(1, sizeof *info);
    if (!info) {
        stint_memory_lacked = 1;
        return NULL;
    }
    info->has_lines = has_lines;
    info->callbacks = (Dwfl_Callbacks){.find_elf = s_dw.dwfl_build_id_find_elf,
                                       .find_debuginfo = is_anywhere ? s_dw.dwfl_standard_find_debuginfo : find_nowhere,
                                       .section_address = s_dw.dwfl_offline_section_address};
    info->session = s_dw.dwfl_begin(&info->callbacks);
    info->module = info->session ? report(info->session, path, file) : NULL;
    if (info->module)
        add_units(info);
    if (info->units.count)
        return info;
    stint_debug_info_close(info);
    return NULL;
}

void stint_debug_info_close(struct stint_debug_info *info)
{
    if (!info)
        return;
    if (info->session)
        s_dw.dwfl_end(info->session);
    stint_arena_free(&info->arena);
    free(info);
}

size_t stint_debug_info_find(struct stint_debug_info *info, uint64_t address, struct stint_arena *arena,
                             struct stint_symbol *found, size_t most)
{
    Dwarf_Addr own = address - info->bias;
    struct unit *unit = unit_at(info, own);
    size_t used = unit ? find_inlined(info, unit, own, arena, found, most) : 0;
    Dwarf_Line *row = used && info->has_lines ? s_dw.dwarf_getsrc_die(&unit->die, own) : NULL;
    const char *file = row ? s_dw.dwarf_linesrc(row, NULL, NULL) : NULL;
    if (file) {
        found[0].file = copy_path(arena, folder_of(&unit->die), file);
        (void)s_dw.dwarf_lineno(row, &found[0].line);
    }
    return used;
}

#else

const char *stint_debug_info_missing(void)
{
    return "this stint was built without elfutils' libdw";
}

struct stint_debug_info *stint_debug_info_open(const char *path, int file, int is_anywhere, int has_lines)
{
    (void)path, (void)file, (void)is_anywhere, (void)has_lines;
    return NULL;
}

size_t stint_debug_info_find(struct stint_debug_info *info, uint64_t address, struct stint_arena *arena,
                             struct stint_symbol *found, size_t most)
{
    (void)info, (void)address, (void)arena, (void)found, (void)most;
    return 0;
}

void stint_debug_info_close(struct stint_debug_info *info)
{
    (void)info;
}

#endif

/* Looks names up in the order in which sources are trusted: a file's symbols, a compiler's map, the address itself.
 * Files are opened once, and what could not be found is said once. */
#include "symbols/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* "7f12c0de0 1f py::main:/a/train.py": where it begins, its size, its name. */
static void add_line(struct stint_array *rows, struct stint_arena *arena, char *line)
{
    char *at, *name;
    uint64_t begin = strtoull(line, &at, 16), size = strtoull(at, &name, 16);
    name += *name == ' ';
    name[strcspn(name, "\n")] = '\0';
    if (at == line || !size || !*name || begin + size < begin)
        return;
    const char *copied = stint_arena_copy(arena, name, strlen(name));
    struct stint_range *row = copied ? stint_array_add(rows, arena, sizeof *row) : NULL;
    if (row)
        *row = (struct stint_range){begin, begin + size, copied};
}

void stint_perf_map_read(struct stint_perf_map *map, int64_t pid, struct stint_arena *arena)
{
    char path[64], *line = NULL;
    size_t size = 0;
    *map = (struct stint_perf_map){.pid = pid};
    (void)snprintf(path, sizeof path, "/tmp/perf-%" PRId64 ".map", pid);
    int descriptor = stint_open_named(path, 1); /* others may write to /tmp as well */
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    while (file && getline(&line, &size, file) > 0)
        add_line(&map->rows, arena, line);
    free(line);
    if (file)
        (void)fclose(file);
    stint_range_list_sort(&map->rows);
}

const char *stint_perf_map_find(const struct stint_perf_map *map, uint64_t address)
{
    const struct stint_range *row = stint_range_list_find(&map->rows, address);
    return row ? row->item : NULL;
}

/* ------------------------------------------------------------------------------------------------------ all sources */

/* A file that was asked for, by path and build id. */
struct file {
    const char *path, *build_id;
    struct stint_code_file *code; /* NULL: it has no names for us */
};

struct stint_symbols {
    enum stint_symbols_detail detail;
    struct stint_arena arena; /* of texts that were found, and of maps */
    struct stint_array maps;  /* struct stint_perf_map */
    struct stint_arena kept;  /* of all else */
    struct stint_array files; /* struct file */
    size_t different;         /* files that were replaced since they were sampled */
    const char *one_different;
    char remark[400];
};

struct stint_symbols *stint_symbols_begin(enum stint_symbols_detail detail)
{
    struct stint_symbols *symbols = calloc(1, sizeof *symbols);
    if (symbols)
        symbols->detail = detail;
    else
        stint_memory_lacked = 1;
    return symbols;
}

void stint_symbols_renew(struct stint_symbols *symbols)
{
    stint_arena_free(&symbols->arena);
    symbols->maps = (struct stint_array){0};
}

void stint_symbols_end(struct stint_symbols *symbols)
{
    struct file *files = symbols ? symbols->files.items : NULL;
    for (size_t i = 0; files && i < symbols->files.count; i++)
        stint_code_file_close(files[i].code);
    if (symbols) {
        stint_arena_free(&symbols->arena);
        stint_arena_free(&symbols->kept);
    }
    free(symbols);
}

/* ------------------------------------------------------------------------------------------------------------ files */

static const char *copy_text(struct stint_arena *arena, const char *text)
{
    const char *copy = stint_arena_copy(arena, text, strlen(text));
    return copy ? copy : "";
}

static const char *keep(struct stint_symbols *symbols, const char *text)
{
    return copy_text(&symbols->arena, text);
}

static struct stint_code_file *open_file(struct stint_symbols *symbols, const struct stint_sample_module *module)
{
    enum stint_code_state state;
    struct stint_code_file *code = stint_code_file_open(module->path, module->build_id, symbols->detail, &state);
    struct file *file = stint_array_add(&symbols->files, &symbols->kept, sizeof *file);
    if (state == STINT_CODE_DIFFERENT && !symbols->different++)
        symbols->one_different = copy_text(&symbols->kept, module->path);
    if (!file) {
        stint_code_file_close(code);
        return NULL;
    }
    *file = (struct file){copy_text(&symbols->kept, module->path), copy_text(&symbols->kept, module->build_id), code};
    return code;
}

static struct stint_code_file *file_of(struct stint_symbols *symbols, const struct stint_sample_module *module)
{
    const struct file *files = symbols->files.items;
    for (size_t i = symbols->files.count; i--;)
        if (strcmp(files[i].path, module->path) == 0 && strcmp(files[i].build_id, module->build_id) == 0)
            return files[i].code;
    return open_file(symbols, module);
}

static const struct stint_perf_map *map_of(struct stint_symbols *symbols, int64_t pid)
{
    struct stint_perf_map *maps = symbols->maps.items, *map;
    for (size_t i = 0; i < symbols->maps.count; i++)
        if (maps[i].pid == pid)
            return &maps[i];
    map = stint_array_add(&symbols->maps, &symbols->arena, sizeof *map);
    if (map)
        stint_perf_map_read(map, pid, &symbols->arena);
    return map;
}

/* ------------------------------------------------------------------------------------------------------------- find */

static const char *module_name(const struct stint_sample_module *module)
{
    const char *slash = strrchr(module->path, '/');
    if (!*module->path)
        return "[jit]";
    if (strcmp(module->path, STINT_VDSO) == 0)
        return "[vdso]";
    return slash && slash[1] ? slash + 1 : module->path;
}

static const char *as_address(struct stint_symbols *symbols, uint64_t address)
{
    char text[24];
    (void)snprintf(text, sizeof text, "0x%" PRIx64, address);
    return keep(symbols, text);
}

int stint_symbols_is_python(const struct stint_sample_module *module)
{
    return strcmp(module->build_id, STINT_SAMPLE_PYTHON) == 0;
}

/* "/home/me/train.py:12 Model.step" is "train.py:12 Model.step" in line 12 of that file. */
static struct stint_symbol find_python(struct stint_symbols *symbols, const char *place)
{
    const char *slash = strrchr(place, '/'), *colon = strrchr(place, ':');
    struct stint_symbol found = {.function = keep(symbols, slash ? slash + 1 : place), .module = "Python", .file = ""};
    const char *file = colon ? stint_arena_copy(&symbols->arena, place, (size_t)(colon - place)) : NULL;
    if (file) {
        found.file = file;
        found.line = (int)strtol(colon + 1, NULL, 10);
    }
    return found;
}

/* What a library of stint's does in the program is one function: the program's user has not written it. */
static int is_of_stint(const char *name)
{
    return strncmp(name, "libstint", sizeof "libstint" - 1) == 0 && strstr(name, ".so") != NULL;
}

size_t stint_symbols_find(struct stint_symbols *symbols, const struct stint_sample_module *module, uint64_t address,
                          struct stint_symbol *found, size_t most)
{
    if (stint_symbols_is_python(module)) {
        found[0] = find_python(symbols, module->path);
        return 1;
    }
    const char *in = keep(symbols, module_name(module));
    if (is_of_stint(in)) {
        found[0] = (struct stint_symbol){.function = "(stint itself)", .module = in, .file = ""};
        return 1;
    }
    struct stint_code_file *code = *module->path ? file_of(symbols, module) : NULL;
    const struct stint_perf_map *map = *module->path ? NULL : map_of(symbols, module->pid);
    const char *compiled = map ? stint_perf_map_find(map, address + module->bias) : NULL;
    for (size_t i = 0; i < most; i++)
        found[i] = (struct stint_symbol){.function = "", .module = in, .file = ""};
    size_t count = code ? stint_code_file_find(code, address, &symbols->arena, found, most) : 0;
    if (count)
        return count;
    found[0].function = compiled ? compiled : as_address(symbols, address);
    found[0].kind = compiled ? STINT_SYMBOL_NAMED : STINT_SYMBOL_UNKNOWN;
    return 1;
}

const char *stint_symbols_remark(struct stint_symbols *symbols)
{
    const char *missing =
        symbols->files.count && symbols->detail >= STINT_SYMBOLS_INLINED ? stint_debug_info_missing() : NULL;
    if (missing)
        (void)snprintf(symbols->remark, sizeof symbols->remark, "inlined functions and lines are missing, because %s",
                       missing);
    if (missing || !symbols->different)
        return symbols->remark;
    (void)snprintf(symbols->remark, sizeof symbols->remark, "%.200s%s changed since: %s functions have no names",
                   symbols->one_different, symbols->different > 1 ? " and other files have" : " has",
                   symbols->different > 1 ? "their" : "its");
    return symbols->remark;
}

#include "cpu/cpu_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/pattern.h"
#include "base/sort.h"

/* ------------------------------------------------------------------------------------------------------- functions */

static int is_of(const struct stint_cpu_source *source, const struct stint_symbol *symbol)
{
    return strcmp(source->function, symbol->function) == 0 && strcmp(source->module, symbol->module) == 0 &&
           strcmp(source->file, symbol->file) == 0;
}

static struct stint_cpu_source *source_of(struct stint_array *sources, struct stint_arena *arena,
                                          const struct stint_symbol *symbol)
{
    struct stint_cpu_source *all = sources->items;
    for (size_t i = 0; i < sources->count; i++)
        if (is_of(&all[i], symbol))
            return &all[i];
    struct stint_cpu_source *source = stint_array_add(sources, arena, sizeof *source);
    if (source)
        *source =
            (struct stint_cpu_source){.function = symbol->function, .module = symbol->module, .file = symbol->file};
    return source;
}

/* Adds the lines that have samples. */
static int add_lines(struct stint_cpu_profile *profile, const char *pattern, struct stint_array *sources)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(profile, i);
        if (!function->total_samples || !function->symbol.line ||
            !stint_pattern_matches_name(pattern, strlen(pattern), function->symbol.function))
            continue;
        struct stint_cpu_source *source = source_of(sources, &profile->arena, &function->symbol);
        struct stint_cpu_source_line *line =
            source ? stint_array_add(&source->lines, &profile->arena, sizeof *line) : NULL;
        if (!line)
            return -1;
        *line = (struct stint_cpu_source_line){.line = function->symbol.line, .sampled = function};
        source->self_ns += function->self_ns;
    }
    return 0;
}

static int compare_lines(const void *a, const void *b)
{
    const struct stint_cpu_source_line *left = a, *right = b;
    return (left->line > right->line) - (left->line < right->line);
}

static int compare_sources(const void *a, const void *b)
{
    const struct stint_cpu_source *left = a, *right = b;
    if (left->self_ns != right->self_ns)
        return left->self_ns > right->self_ns ? -1 : 1;
    int order = strcmp(left->function, right->function);
    return order ? order : strcmp(left->file, right->file);
}

/* ----------------------------------------------------------------------------------------------------------- files */

static const char *found_at(struct stint_arena *arena, const char *folder, const char *file)
{
    size_t size = strlen(folder) + strlen(file) + 2;
    char *path = stint_arena_alloc(arena, size);
    struct stat status;
    if (!path)
        return NULL;
    (void)snprintf(path, size, "%s%s%s", folder, *folder ? "/" : "", file);
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? path : NULL;
}

static const char *find_file(struct stint_arena *arena, const char *folder, const char *file)
{
    const char *path = NULL;
    for (const char *rest = file; folder && rest && !path; rest = strchr(rest, '/')) {
        rest += strspn(rest, "/");
        path = found_at(arena, folder, rest);
    }
    path = path ? path : found_at(arena, "", file);
    char *real = path ? realpath(path, NULL) : NULL;
    const char *kept = real ? stint_arena_copy(arena, real, strlen(real)) : NULL;
    free(real);
    return kept;
}

/* Whether the source was changed after the program or library was made. */
static int is_newer(const struct stint_snapshot *snapshot, const struct stint_cpu_source *source)
{
    struct stat of_source, of_module;
    for (size_t i = 0; i < snapshot->sample_module_count; i++) {
        const char *path = snapshot->sample_modules[i].path, *slash = strrchr(path, '/');
        if (strcmp(slash ? slash + 1 : path, source->module) == 0)
            return stat(path, &of_module) == 0 && stat(source->path, &of_source) == 0 &&
                   of_source.st_mtime > of_module.st_mtime;
    }
    return 0;
}

/* The beginning of a long line, and blanks for tabs. */
static const char *keep_text(struct stint_arena *arena, const char *text, size_t length)
{
    enum { TAB = 8, MOST = 1000 };
    length = length < MOST ? length : MOST;
    char *kept = stint_arena_alloc(arena, TAB * length + 1), *at = kept;
    while (length && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    for (size_t i = 0; kept && i < length; i++) {
        if (text[i] != '\t')
            *at++ = text[i];
        else
            do
                *at++ = ' ';
            while ((at - kept) % TAB);
    }
    return kept;
}

/* Adds the lines around those in `sampled`, with their texts. Lines that the file does not have keep none. */
static int read_lines(FILE *file, struct stint_cpu_source *source, const struct stint_array *sampled,
                      struct stint_arena *arena)
{
    const struct stint_cpu_source_line *next = sampled->items, *end = next + sampled->count;
    char *text = NULL;
    size_t size = 0;
    ssize_t length;
    int last = -STINT_CPU_SOURCE_AROUND - 1, failed = 0;
    for (int number = 1; !failed && (length = getline(&text, &size, file)) >= 0; number++) {
        int is_sampled = next < end && next->line == number;
        if (is_sampled)
            last = number;
        int is_near =
            number <= last + STINT_CPU_SOURCE_AROUND || (next < end && next->line <= number + STINT_CPU_SOURCE_AROUND);
        struct stint_cpu_source_line *line = is_near ? stint_array_add(&source->lines, arena, sizeof *line) : NULL;
        if (line)
            *line = (struct stint_cpu_source_line){number, is_sampled ? next->sampled : NULL,
                                                   keep_text(arena, text, (size_t)length)};
        failed = is_near && (!line || !line->text);
        next += is_sampled;
        if (next == end && number > last + STINT_CPU_SOURCE_AROUND)
            break;
    }
    free(text);
    for (; next < end && !failed; next++) {
        struct stint_cpu_source_line *line = stint_array_add(&source->lines, arena, sizeof *line);
        failed = !line;
        if (line)
            *line = *next;
    }
    return failed;
}

int stint_cpu_source_read(struct stint_cpu_profile *profile, struct stint_cpu_source *source, const char *folder)
{
    struct stint_array sampled = source->lines;
    source->path = find_file(&profile->arena, folder, source->file);
    FILE *file = source->path ? fopen(source->path, "re") : NULL;
    if (!file) {
        source->path = NULL;
        return 0;
    }
    source->is_newer = is_newer(profile->snapshot, source);
    source->lines = (struct stint_array){.items = NULL};
    int failed = read_lines(file, source, &sampled, &profile->arena);
    (void)fclose(file);
    source->is_cut = source->lines.count > STINT_CPU_SOURCE_LINES;
    if (source->is_cut)
        source->lines.count = STINT_CPU_SOURCE_LINES;
    return failed;
}

int stint_cpu_sources_find(struct stint_cpu_profile *profile, const char *pattern, struct stint_array *sources)
{
    if (add_lines(profile, pattern, sources))
        return -1;
    struct stint_cpu_source *all = sources->items;
    if (sources->count)
        qsort(all, sources->count, sizeof *all, compare_sources);
    for (size_t i = 0; i < sources->count; i++)
        qsort(all[i].lines.items, all[i].lines.count, sizeof(struct stint_cpu_source_line), compare_lines);
    return 0;
}

/* The source of functions with what was sampled in each line: finding it, and listing it for people. */
#include "cpu/cpu_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/line.h"
#include "report/sheet.h"
#include "stat/numbers.h"
#include "support/annotation.h"

/* ------------------------------------------------------------------------------------------------------- functions */

static const struct stint_table_key s_source = STINT_TABLE_KEY(struct stint_cpu_source, function, module, file);

/* Adds the lines that have samples. */
static int add_lines(struct stint_cpu_profile *profile, const char *pattern, struct stint_table *sources)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(profile, i);
        if (!function->total_samples || !function->symbol.line ||
            !stint_pattern_matches_name(pattern, strlen(pattern), function->symbol.function))
            continue;
        struct stint_cpu_source like = {
            .function = function->symbol.function, .module = function->symbol.module, .file = function->symbol.file};
        struct stint_cpu_source *source = stint_table_take(sources, &s_source, &profile->arena, &like);
        struct stint_cpu_source_line *line =
            source ? stint_array_add(&source->lines, &profile->arena, sizeof *line) : NULL;
        if (!line)
            return -1;
        *line = (struct stint_cpu_source_line){.line = function->symbol.line, .sampled = function};
        stint_sum_up(&source->self_ns, function->self_ns);
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

/* Without its end, and with blanks for tabs. */
static char *keep_text(struct stint_arena *arena, const char *text)
{
    enum { TAB = 8 };
    size_t length = strcspn(text, "\r\n");
    char *kept = stint_arena_alloc(arena, TAB * length + 1), *at = kept;
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

/* Where the reading of a file is. */
struct reading {
    FILE *file;
    struct stint_cpu_source *source;
    struct stint_arena *arena;
    const struct stint_cpu_source_line *next, *end; /* lines with samples that are to come */
    int last;                                       /* the last one that came */
};

static int is_near(const struct reading *reading, int number)
{
    return number <= reading->last + STINT_CPU_SOURCE_AROUND ||
           (reading->next < reading->end && reading->next->line <= number + STINT_CPU_SOURCE_AROUND);
}

/* Adds a line if it, or one near it, has samples. Returns 0, or -1 without memory. */
static int take_line(struct reading *reading, int number, const char *text)
{
    const struct stint_cpu_function *sampled = NULL;
    if (reading->next < reading->end && reading->next->line == number) {
        sampled = reading->next++->sampled;
        reading->last = number;
    }
    if (!is_near(reading, number))
        return 0;
    struct stint_cpu_source_line *line = stint_array_add(&reading->source->lines, reading->arena, sizeof *line);
    if (!line)
        return -1;
    *line = (struct stint_cpu_source_line){number, sampled, keep_text(reading->arena, text)};
    return line->text ? 0 : -1;
}

/* Of a long line only the beginning. Lines that the file does not have keep no text. */
static int read_lines(struct reading *reading)
{
    char text[1024];
    int number = 0, is_begun = 0, failed = 0;
    while (!failed && fgets(text, sizeof text, reading->file)) {
        if (!is_begun)
            failed = take_line(reading, ++number, text);
        is_begun = !strchr(text, '\n');
        if (reading->next == reading->end && number > reading->last + STINT_CPU_SOURCE_AROUND)
            break;
    }
    for (; reading->next < reading->end && !failed; reading->next++) {
        struct stint_cpu_source_line *line = stint_array_add(&reading->source->lines, reading->arena, sizeof *line);
        failed = !line;
        if (line)
            *line = *reading->next;
    }
    return failed ? -1 : 0;
}

int stint_cpu_source_read(struct stint_cpu_profile *profile, struct stint_cpu_source *source, const char *folder)
{
    struct stint_array sampled = source->lines;
    source->path = find_file(&profile->arena, folder, source->file);
    int descriptor = source->path ? stint_open_named(source->path, 0) : -1;
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    if (!file) {
        source->path = NULL;
        return 0;
    }
    source->is_newer = is_newer(profile->snapshot, source);
    source->lines = (struct stint_array){.items = NULL};
    struct reading reading = {
        .file = file, .source = source, .arena = &profile->arena, .last = -STINT_CPU_SOURCE_AROUND - 1};
    reading.next = sampled.items;
    reading.end = reading.next + sampled.count;
    int failed = read_lines(&reading);
    (void)fclose(file);
    source->is_cut = source->lines.count > STINT_CPU_SOURCE_LINES;
    if (source->is_cut)
        source->lines.count = STINT_CPU_SOURCE_LINES;
    return failed;
}

int stint_cpu_sources_find(struct stint_cpu_profile *profile, const char *pattern, struct stint_array *sources)
{
    struct stint_table found = {0};
    if (add_lines(profile, pattern, &found))
        return -1;
    *sources = found.array;
    struct stint_cpu_source *all = sources->items;
    if (sources->count)
        qsort(all, sources->count, sizeof *all, compare_sources);
    for (size_t i = 0; i < sources->count; i++)
        qsort(all[i].lines.items, all[i].lines.count, sizeof(struct stint_cpu_source_line), compare_lines);
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- listing */

enum { SELF, ERROR, TOTAL, LINE, SOURCE, COLUMNS };

static const struct stint_column s_columns[COLUMNS] = {
    [SELF] = {.title = "Self", .unit = STINT_COLUMN_SHARE},
    [ERROR] = {.title = "+-", .hide = 2},
    [TOTAL] = {.title = "Total", .unit = STINT_COLUMN_SHARE, .hide = 1},
    [LINE] = {.title = "Line", .unit = STINT_COLUMN_COUNT},
    [SOURCE] = {.title = "Source", .unit = STINT_COLUMN_NAME},
};

struct listing {
    const struct stint_cpu_profile *profile;
    const struct stint_cpu_source *source;
    struct stint_label label; /* of the current line */
};

static void leave_empty(struct stint_sheet *sheet, size_t column)
{
    *stint_sheet_text(sheet, column) = '\0';
}

/* Of a line of code the beginning matters most. */
static void put_text(void *context, struct stint_text *text, size_t room)
{
    const struct listing *listing = context;
    stint_label_put_start(text, listing->label, room);
}

static int next_line(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct listing *listing = context;
    if (*next == listing->source->lines.count)
        return 0;
    const struct stint_cpu_source_line *line =
        (const struct stint_cpu_source_line *)listing->source->lines.items + (*next)++;
    const struct stint_cpu_function *sampled = line->sampled;
    for (size_t i = SELF; i <= TOTAL; i++)
        leave_empty(sheet, i);
    if (sampled && sampled->self_ns) {
        stint_sheet_number(sheet, SELF, stint_cpu_share(listing->profile, sampled->self_ns));
        (void)stint_number_fixed(stint_sheet_text(sheet, ERROR), stint_cpu_error(listing->profile, sampled->self_ns),
                                 2);
    }
    if (sampled)
        stint_sheet_number(sheet, TOTAL, stint_cpu_share(listing->profile, sampled->total_ns));
    stint_sheet_value(sheet, LINE, (uint64_t)line->line);
    listing->label = (struct stint_label){.set = "", .name = line->text ? line->text : ""};
    sheet->cell[SOURCE].label = listing->label;
    return 1;
}

static void put_line(const char *text, const struct stint_layout *layout, struct stint_text *out)
{
    struct stint_line line = {0};
    stint_line_string(&line, text);
    stint_line_put(&line, out, layout, STINT_LINE_DIM);
}

static void put_title(const struct listing *listing, const struct stint_layout *layout, struct stint_text *text)
{
    const struct stint_cpu_source *source = listing->source;
    struct stint_line line = {0};
    stint_line_escaped(&line, source->function, 200);
    stint_line_string(&line, "  [");
    stint_line_escaped(&line, source->module, 100);
    stint_line_string(&line, "]  ");
    stint_line_fixed(&line, stint_cpu_share(listing->profile, source->self_ns), 2);
    stint_line_string(&line, " % self time, in ");
    stint_line_escaped(&line, source->path ? source->path : source->file, 400);
    stint_line_put(&line, text, layout, STINT_LINE_BOLD);
    if (!source->path)
        put_line("the file was not found: name its folder by --source-path FOLDER", layout, text);
    if (source->is_newer)
        put_line("the file is newer than the program: lines may have moved", layout, text);
}

static void put_source(struct listing *listing, const struct stint_layout *layout, struct stint_text *text)
{
    enum { TEXT_LEAST = 30 };
    struct stint_sheet sheet = {STINT_COLUMNS(s_columns), .next = next_line,        .context = listing,
                                .put_name = put_text,     .name_floor = TEXT_LEAST, .name_least = TEXT_LEAST};
    put_title(listing, layout, text);
    stint_sheet_fit(&sheet, layout);
    stint_sheet_put(&sheet, text);
    if (listing->source->is_cut)
        put_line("... more lines are left out", layout, text);
}

int stint_cpu_sources_put(struct stint_cpu_profile *profile, const struct stint_array *sources, const char *folder,
                          const struct stint_layout *layout, struct stint_text *text)
{
    struct stint_line line = {0};
    size_t count = layout->top && layout->top < sources->count ? layout->top : sources->count;
    for (size_t i = 0; i < count; i++) {
        struct stint_cpu_source *source = (struct stint_cpu_source *)sources->items + i;
        if (stint_cpu_source_read(profile, source, folder))
            return -1;
        stint_text_string(text, i ? "\n" : "");
        put_source(&(struct listing){.profile = profile, .source = source}, layout, text);
    }
    if (count == sources->count)
        return 0;
    stint_text_string(text, "\n");
    stint_line_string(&line, "... ");
    stint_line_count(&line, sources->count - count, "more function, or part of one in another file",
                     "more functions, or parts of them in other files");
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    return 0;
}

/* Chooses the functions whose source goes onto the page, by the time that samples found in them, and writes it with the
 * time of each line. */
#include "html/sources.h"

#include "html/column.h"

enum { SOURCES_MOST = 200, LINES_MOST = 10000 };

static const struct stint_cpu_source *source_at(const struct stint_html_sources *sources, size_t at)
{
    return (const struct stint_cpu_source *)sources->all.items + at;
}

int stint_html_sources_make(struct stint_html_sources *sources, struct stint_cpu_profile *by_lines, const char *folder)
{
    size_t lines = 0;
    if (stint_cpu_sources_find(by_lines, "*", &sources->all))
        return -1;
    while (sources->count < sources->all.count && sources->count < SOURCES_MOST && lines < LINES_MOST) {
        struct stint_cpu_source *source = (struct stint_cpu_source *)sources->all.items + sources->count++;
        if (stint_cpu_source_read(by_lines, source, folder))
            return -1;
        lines += source->lines.count;
    }
    return 0;
}

/* -------------------------------------------------------------------------------------------------------------- put */

static int next_source(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct stint_html_sources *sources = context;
    if (*next == sources->count)
        return 0;
    const struct stint_cpu_source *source = source_at(sources, (*next)++);
    stint_sheet_string(sheet, 0, source->function);
    stint_sheet_string(sheet, 1, source->module);
    stint_sheet_string(sheet, 2, source->path ? source->path : source->file);
    stint_column_i64(sheet, 3, source->path != NULL);
    stint_column_i64(sheet, 4, source->is_newer);
    stint_column_i64(sheet, 5, source->is_cut);
    return 1;
}

/* The lines of one source after the other. */
struct lines {
    const struct stint_html_sources *sources;
    size_t source, line;
};

static int next_line(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct lines *lines = context;
    if (!*next)
        lines->source = lines->line = 0;
    while (lines->source < lines->sources->count &&
           lines->line == source_at(lines->sources, lines->source)->lines.count) {
        lines->source++;
        lines->line = 0;
    }
    if (lines->source == lines->sources->count)
        return 0;
    const struct stint_cpu_source_line *line =
        (const struct stint_cpu_source_line *)source_at(lines->sources, lines->source)->lines.items + lines->line++;
    (*next)++;
    stint_column_u64(sheet, 0, lines->source);
    stint_column_i64(sheet, 1, line->line);
    stint_column_u64(sheet, 2, line->sampled ? line->sampled->self_ns : 0);
    stint_column_u64(sheet, 3, line->sampled ? line->sampled->total_ns : 0);
    stint_sheet_string(sheet, 4, line->text ? line->text : "");
    return 1;
}

void stint_html_sources_put(const struct stint_html_sources *sources, struct stint_html_strings *strings,
                            struct stint_json *json)
{
    static const struct stint_column of_sources[] = {{.key = "name"},  {.key = "module"}, {.key = "file"},
                                                     {.key = "found"}, {.key = "newer"},  {.key = "cut"}};
    static const struct stint_column of_lines[] = {
        {.key = "of"}, {.key = "line"}, {.key = "self"}, {.key = "total"}, {.key = "code"}};
    struct lines lines = {.sources = sources};
    struct stint_sheet all = {STINT_COLUMNS(of_sources), .next = next_source, .context = (void *)(uintptr_t)sources};
    struct stint_sheet each = {STINT_COLUMNS(of_lines), .next = next_line, .context = &lines};
    stint_column_put_table(json, strings, "sources", &all);
    stint_column_put_table(json, strings, "source_lines", &each);
    stint_json_key_u64(json, "sources_beyond", sources->all.count - sources->count);
}

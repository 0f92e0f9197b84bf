/* Functions line by line. */
#include "cpu/cpu_source_table.h"

#include "report/label.h"
#include "report/line.h"
#include "report/sheet.h"

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
    stint_line_string(&line, " % of the time itself, in ");
    stint_line_escaped(&line, source->path ? source->path : source->file, 400);
    stint_line_put(&line, text, layout, STINT_LINE_BOLD);
    if (!source->path)
        put_line("the file is not there: --source-path FOLDER names a folder that has it", layout, text);
    if (source->is_newer)
        put_line("the file was changed after the program was made: lines may have moved", layout, text);
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

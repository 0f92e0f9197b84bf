/* Prints a profile as a table of functions or as a tree of calls. */
#include "cpu/cpu_profile.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "report/line.h"
#include "report/sheet.h"
#include "stat/numbers.h"

/* ------------------------------------------------------------------------------------------------------------- flat */

enum { SELF_SHARE, ERROR, SELF, TOTAL_SHARE, TOTAL, SAMPLES, FUNCTION, MODULE, FILE_OF, LINE_OF, COLUMNS };

static const struct stint_column s_columns[COLUMNS] = {
    [SELF_SHARE] = {.key = "self_percent", .title = "Self", .unit = STINT_COLUMN_SHARE},
    [ERROR] = {.key = "error_percent", .title = "+-", .hide = 3},
    [SELF] = {.key = "self_ns", .title = "Self", .unit = STINT_COLUMN_SUM},
    [TOTAL_SHARE] = {.key = "total_percent", .title = "Total", .unit = STINT_COLUMN_SHARE, .hide = 4},
    [TOTAL] = {.key = "total_ns", .title = "Total", .unit = STINT_COLUMN_SUM, .hide = 2},
    [SAMPLES] = {.key = "samples", .title = "Samples", .unit = STINT_COLUMN_COUNT, .hide = 1},
    [FUNCTION] = {.key = "function", .title = "Function", .unit = STINT_COLUMN_NAME},
    [MODULE] = {.key = "module", .unit = STINT_COLUMN_NAME},
    [FILE_OF] = {.key = "file", .unit = STINT_COLUMN_NAME},
    [LINE_OF] = {.key = "line", .unit = STINT_COLUMN_COUNT},
};

struct flat {
    const struct stint_cpu_profile *profile;
    const struct stint_cpu_view *view;
    size_t *order;
    size_t count, left_out;
    uint64_t left_out_ns;
    char name[1024];
};

static void put_name(const struct stint_cpu_function *function, char *out, size_t size)
{
    const struct stint_symbol *symbol = &function->symbol;
    const char *slash = strrchr(symbol->file, '/');
    if (function->places) {
        (void)snprintf(out, size, "%s, %zu place%s", symbol->function, function->places,
                       function->places == 1 ? "" : "s");
        return;
    }
    stint_cpu_short_name(symbol->function, out, size);
    size_t used = strlen(out);
    if (symbol->line)
        (void)snprintf(out + used, size - used, "  [%s:%d]", slash ? slash + 1 : symbol->file, symbol->line);
    else
        (void)snprintf(out + used, size - used, *symbol->module == '[' ? "  %s" : "  [%s]", symbol->module);
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct flat *flat = context;
    if (*next == flat->count)
        return 0;
    const struct stint_cpu_function *function = stint_cpu_function_at(flat->profile, flat->order[(*next)++]);
    stint_sheet_number(sheet, SELF_SHARE, stint_cpu_share(flat->profile, function->self_ns));
    (void)stint_number_fixed(stint_sheet_text(sheet, ERROR), stint_cpu_error(flat->profile, function->self_ns), 2);
    stint_sheet_value(sheet, SELF, function->self_ns);
    stint_sheet_number(sheet, TOTAL_SHARE, stint_cpu_share(flat->profile, function->total_ns));
    stint_sheet_value(sheet, TOTAL, function->total_ns);
    stint_sheet_value(sheet, SAMPLES, function->self_samples);
    put_name(function, flat->name, sizeof flat->name);
    stint_sheet_string(sheet, FUNCTION, sheet->csv ? function->symbol.function : flat->name);
    stint_sheet_string(sheet, MODULE, function->symbol.module);
    stint_sheet_string(sheet, FILE_OF, function->symbol.file);
    stint_sheet_value(sheet, LINE_OF, (uint64_t)function->symbol.line);
    return 1;
}

static int has_more_self(const void *array, size_t a, size_t b)
{
    const struct stint_cpu_function *functions = array;
    if (functions[a].self_ns != functions[b].self_ns)
        return functions[a].self_ns > functions[b].self_ns;
    return functions[a].total_ns != functions[b].total_ns ? functions[a].total_ns > functions[b].total_ns : a < b;
}

static uint64_t rank_of(const struct stint_cpu_function *function)
{
    return function->code_ns > function->self_ns ? function->code_ns : function->self_ns;
}

/* A function does not fall behind others because all of its time is in what was inlined into it. */
static int has_more_code(const void *array, size_t a, size_t b)
{
    const struct stint_cpu_function *functions = array;
    uint64_t left = rank_of(&functions[a]), right = rank_of(&functions[b]);
    return left != right ? left > right : has_more_self(array, a, b);
}

/* Chooses the rows, the first in this order, as many as the layout says. */
static int choose(struct flat *flat, struct stint_cpu_profile *profile, unsigned top, stint_before_fn *is_before)
{
    flat->order = stint_sorted(&profile->arena, profile->functions.count, is_before, profile->functions.items);
    if (!flat->order)
        return -1;
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(profile, flat->order[i]);
        if (!function->total_samples || (flat->view->is_brief && !rank_of(function)))
            break; /* of what is asked for, nothing ran there */
        int is_shown =
            (!top || flat->count < top) && stint_cpu_share(profile, function->total_ns) >= flat->view->least_percent;
        if (is_shown) {
            flat->order[flat->count++] = flat->order[i];
        } else {
            flat->left_out++;
            stint_sum_up(&flat->left_out_ns, function->self_ns);
        }
    }
    return 0;
}

/* "Functions (136 samples of 541.0 ms of CPU time)": what a head says where the table is the report. */
static void write_title(char *title, size_t size, const struct stint_cpu_profile *profile)
{
    (void)snprintf(title, size, "Functions (%ju sample%s of %s of %s)", (uintmax_t)profile->samples,
                   profile->samples == 1 ? "" : "s", stint_time_text((double)profile->time_ns).text,
                   profile->snapshot->sampling.wall ? "threads' time" : "CPU time");
}

static int put_flat(struct stint_cpu_profile *profile, const struct stint_cpu_view *view,
                    const struct stint_layout *layout, struct stint_text *text)
{
    enum { NAME_FLOOR = 20 };
    char title[96] = "Function";
    struct stint_column columns[COLUMNS];
    struct flat flat = {.profile = profile, .view = view};
    struct stint_sheet sheet = {.columns = columns,
                                .count = COLUMNS,
                                .next = next_row,
                                .context = &flat,
                                .name_floor = NAME_FLOOR,
                                .name_least = layout->columns * 5 / 8};
    struct stint_line line = {0};
    memcpy(columns, s_columns, sizeof columns);
    if (view->is_brief)
        write_title(title, sizeof title, profile);
    columns[FUNCTION].title = title;
    columns[FUNCTION].least = (unsigned char)strlen(title);
    if (choose(&flat, profile, view->csv ? 0 : layout->top, has_more_code))
        return -1;
    if (view->is_brief)
        stint_sort(flat.order, flat.count, has_more_self, profile->functions.items, flat.order + flat.count);
    if (view->csv) {
        stint_sheet_put_csv(&sheet, text, layout);
        return 0;
    }
    stint_sheet_fit(&sheet, layout);
    stint_sheet_put(&sheet, text);
    if (!flat.left_out)
        return 0;
    stint_line_say(&line, "... %ju more function%s, %.1f %% of the time (--top 0 shows all)", (uintmax_t)flat.left_out,
                   flat.left_out == 1 ? "" : "s", stint_cpu_share(profile, flat.left_out_ns));
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- tree */

struct drawing {
    struct stint_cpu_profile *profile;
    const struct stint_cpu_view *view;
    const struct stint_cpu_node *nodes;
    struct stint_text *text;
    int module; /* whether to name files */
    size_t columns;
};

static void put_padded(struct stint_text *text, const char *what, size_t width)
{
    size_t length = strlen(what);
    stint_text_fill(text, ' ', length < width ? width - length : 0);
    stint_text_put(text, what, length);
}

/* "12.34%  1.234ms  | | name" */
static void put_node(const struct drawing *drawing, const struct stint_cpu_node *node, unsigned depth)
{
    char share[STINT_NUMBER_SIZE + 1], time[STINT_NUMBER_SIZE], full[1024];
    struct stint_line name = {0};
    const struct stint_cpu_function *function = stint_cpu_function_at(drawing->profile, node->function);
    memcpy(share + stint_number_fixed(share, stint_cpu_share(drawing->profile, node->total_ns), 2), "%", 2);
    (void)stint_time_format(time, (double)node->total_ns);
    put_padded(drawing->text, share, 8);
    put_padded(drawing->text, time, 12);
    stint_text_string(drawing->text, "  ");
    for (unsigned i = 0; i < depth; i++)
        stint_text_string(drawing->text, "| ");
    size_t used = 22 + 2 * (size_t)depth, room = drawing->columns > used + 20 ? drawing->columns - used : 20;
    if (drawing->module)
        put_name(function, full, sizeof full);
    stint_line_escaped(&name, drawing->module ? full : function->symbol.function,
                       drawing->columns ? room : sizeof name.text - 1);
    stint_text_put(drawing->text, name.text, name.used);
    stint_text_string(drawing->text, "\n");
}

/* Without recursion, for chains may be deep. */
static void put_tree(const struct drawing *drawing)
{
    const struct stint_cpu_node *nodes = drawing->nodes;
    size_t at = nodes[0].child;
    unsigned depth = 0;
    while (at) {
        int is_shown = stint_cpu_share(drawing->profile, nodes[at].total_ns) >= drawing->view->least_percent;
        int is_within = !drawing->view->deepest || depth + 1 < drawing->view->deepest;
        if (is_shown)
            put_node(drawing, &nodes[at], depth);
        if (is_shown && is_within && nodes[at].child) {
            at = nodes[at].child;
            depth++;
            continue;
        }
        while (at && !nodes[at].next) {
            at = nodes[at].parent == STINT_CPU_ROOT ? 0 : nodes[at].parent;
            depth -= depth > 0;
        }
        if (at)
            at = nodes[at].next;
    }
}

static int draw(struct drawing *drawing)
{
    struct stint_table nodes = {0};
    if (stint_cpu_tree_make(drawing->profile, drawing->view->mode == STINT_CPU_BOTTOM_UP, &nodes))
        return -1;
    drawing->nodes = nodes.items;
    put_tree(drawing);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- head */

/* How many were taken, of time that threads used or that passed for them. */
static uint64_t rate_of(const struct stint_cpu_profile *profile)
{
    double time_s = (double)profile->time_ns / 1e9;
    return time_s > 0 ? (uint64_t)((double)profile->samples / time_s + 0.5) : 0;
}

static void put_head(const struct stint_cpu_profile *profile, const struct stint_layout *layout,
                     struct stint_text *text)
{
    struct stint_line line = {0};
    size_t threads = profile->snapshot->sample_thread_count;
    stint_line_say(&line, "%s of %s time in %ju sample%s, %ju per second, %zu thread%s",
                   stint_time_text((double)profile->time_ns).text,
                   profile->snapshot->sampling.wall ? "threads'" : "CPU", (uintmax_t)profile->samples,
                   profile->samples == 1 ? "" : "s", (uintmax_t)rate_of(profile), threads, threads == 1 ? "" : "s");
    stint_line_put(&line, text, layout, STINT_LINE_BOLD);
    stint_text_string(text, "\n");
}

static void put_count(const struct stint_layout *layout, struct stint_text *text, uint64_t count, const char *what)
{
    struct stint_line line = {0};
    if (!count)
        return;
    stint_line_say(&line, "%ju sample%s %s", (uintmax_t)count, count == 1 ? "" : "s", what);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
}

/* Why there are fewer samples than were asked for: the system looks at timers of CPU time once per tick only. */
static void put_tick(const struct stint_cpu_profile *profile, const struct stint_layout *layout,
                     struct stint_text *text)
{
    enum { SAMPLES_LEAST = 20 };
    const struct stint_sample_info *info = &profile->snapshot->sampling;
    struct stint_line line = {0};
    if (info->wall || profile->samples < SAMPLES_LEAST || rate_of(profile) * 5 / 4 >= info->hz)
        return;
    stint_line_say(&line,
                   "%ju samples per second were requested, but the kernel takes at most one per clock tick; "
                   "--sample=wall is not limited by ticks",
                   (uintmax_t)info->hz);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
}

enum { HINT_PERCENT = 5 };

static int is_much_compiled_in_time(const struct stint_cpu_profile *profile)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(profile, i);
        if (function->places && strcmp(function->symbol.module, "[jit]") == 0 &&
            stint_cpu_share(profile, function->self_ns) >= HINT_PERCENT)
            return 1;
    }
    return 0;
}

/* Where functions of Python are known, the loop that runs them is not to be seen. */
static int is_much_unknown_python(const struct stint_cpu_profile *profile)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(profile, i);
        if (strcmp(function->symbol.function, "_PyEval_EvalFrameDefault") == 0)
            return stint_cpu_share(profile, function->total_ns) >= HINT_PERCENT;
    }
    return 0;
}

static void put_hints(const struct stint_cpu_profile *profile, const struct stint_layout *layout,
                      struct stint_text *text)
{
    struct stint_line line = {0};
    if (is_much_compiled_in_time(profile))
        stint_line_string(&line, "JIT code has names with: node --perf-basic-prof, "
                                 "java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit");
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (stint_cpu_share(profile, profile->nameless_ns) >= HINT_PERCENT)
        stint_line_say(&line,
                       "much of %s has no symbols: install its debug package, or use a build that is not stripped",
                       profile->nameless);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (is_much_unknown_python(profile))
        stint_line_string(&line, "Python functions could not be read: stint supports CPython 3.9 to 3.13");
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
}

/* What the tables do not have, or have in the wrong place. Below other tables, only what matters much is told. */
static void put_foot(const struct stint_cpu_profile *profile, const struct stint_cpu_view *view,
                     const struct stint_layout *layout, struct stint_text *text)
{
    enum { USUAL_HZ = 997, BRIEF_SHARE = 10 };
    const struct stint_sample_info *info = &profile->snapshot->sampling;
    const char *remark = stint_symbols_remark(profile->symbols);
    struct stint_line line = {0};
    uint64_t least = view->is_brief ? profile->samples / BRIEF_SHARE : 0;
    put_count(layout, text, info->leaves > least ? info->leaves : 0,
              "without a known caller: counted in the function that ran");
    put_count(layout, text, info->cut > least ? info->cut : 0, "without the outermost callers");
    put_count(layout, text, info->deep > least ? info->deep : 0,
              "with deeper call stacks than are kept: the outermost callers are missing");
    put_count(layout, text, info->crowded, "for which there was no room: counted in a caller, or nowhere");
    if (info->unsampled)
        stint_line_say(&line, "%ju %s not sampled", (uintmax_t)info->unsampled,
                       info->unsampled == 1 ? "thread was" : "threads were");
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (!view->is_brief || info->hz != USUAL_HZ)
        put_tick(profile, layout, text);
    put_hints(profile, layout, text);
    stint_line_string(&line, remark);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
}

int stint_cpu_table_put(struct stint_cpu_profile *profile, const struct stint_cpu_view *view,
                        const struct stint_layout *layout, struct stint_text *text)
{
    struct drawing drawing = {profile, view, NULL, text, 1, layout->columns};
    if (view->csv)
        return put_flat(profile, view, layout, text);
    if (!view->is_brief)
        put_head(profile, layout, text);
    int failed = view->mode == STINT_CPU_FLAT ? put_flat(profile, view, layout, text) : draw(&drawing);
    put_foot(profile, view, layout, text);
    return failed;
}

/* ----------------------------------------------------------------------------------------------------------- nvprof */

static int put_functions(struct stint_cpu_profile *profile, const struct drawing *drawing)
{
    struct flat flat = {.profile = profile, .view = drawing->view};
    if (choose(&flat, profile, 0, has_more_self))
        return -1;
    for (size_t i = 0; i < flat.count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(profile, flat.order[i]);
        if (function->self_ns)
            put_node(drawing, &(struct stint_cpu_node){.function = flat.order[i], .total_ns = function->self_ns}, 0);
    }
    return 0;
}

int stint_cpu_table_put_nvprof(struct stint_cpu_profile *profile, const struct stint_cpu_view *view, int module,
                               struct stint_text *text)
{
    static const char *const titles[] = {"flat", "top down", "bottom up"};
    struct drawing drawing = {profile, view, NULL, text, module, 0};
    char line[80];
    (void)snprintf(line, sizeof line, "======== CPU profiling result (%s):\n", titles[view->mode]);
    stint_text_string(text, line);
    put_padded(text, "Time(%)", 8);
    put_padded(text, "Time", 12);
    stint_text_string(text, "  Name\n");
    int failed = view->mode == STINT_CPU_FLAT ? put_functions(profile, &drawing) : draw(&drawing);
    (void)snprintf(line, sizeof line, "\n======== Data collected at %uHz frequency\n",
                   (unsigned)profile->snapshot->sampling.hz);
    stint_text_string(text, line);
    return failed;
}

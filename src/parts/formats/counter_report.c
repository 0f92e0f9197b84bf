/* Hardware counters: a section for each kernel, with the verdict; in CSV a row for each kernel and metric. */
#include <math.h>
#include <string.h>

#include "formats/formats.h"
#include "report/line.h"
#include "report/sheet.h"
#include "verdict/verdict.h"

struct page {
    struct stint_text *text;
    const struct stint_layout *layout;
};

enum { LEFT = 13 }; /* width of the words in front */

/* ---------------------------------------------------------------------------------------------------------- numbers */

/* "1.50 G", with three or four digits. */
static void put_quantity(struct stint_line *line, double value, const char *unit)
{
    static const char prefixes[] = " kMGTPE";
    size_t prefix = 0;
    for (; value >= 999.5 && prefixes[prefix + 1]; prefix++)
        value /= 1000;
    stint_line_fixed(line, value, prefix ? value < 10 ? 2 : value < 100 ? 1 : 0 : 0);
    if (prefix || *unit)
        stint_line_string(line, " ");
    if (prefix)
        stint_line_bytes(line, &prefixes[prefix], 1);
    stint_line_string(line, unit);
}

static void begin_line(struct stint_line *line, const char *word)
{
    size_t used = strlen(word) + 2;
    stint_line_string(line, "  ");
    stint_line_string(line, word);
    for (; used < LEFT; used++)
        stint_line_string(line, " ");
}

static void finish(const struct page *page, struct stint_line *line, enum stint_line_style style)
{
    stint_line_put(line, page->text, page->layout, style);
}

/* A word and a value, if it is known; *count is how many there were in the line. */
static void put_named(struct stint_line *line, int *count, const char *name, double value, const char *unit)
{
    if (isnan(value))
        return;
    stint_line_say(line, "%s%s ", (*count)++ ? ", " : "", name);
    if (strcmp(unit, "%") == 0)
        stint_line_say(line, "%.1f %%", value);
    else if (strcmp(unit, "#") == 0)
        stint_line_u64(line, (uint64_t)value);
    else if (strcmp(unit, "1") == 0)
        stint_line_fixed(line, value, 2);
    else
        put_quantity(line, value, unit);
}

/* ------------------------------------------------------------------------------------------------------------ lines */

static void put_name(const struct page *page, const struct stint_kernel_figures *figures)
{
    struct stint_line line = {0};
    stint_line_escaped(&line, figures->kernel, 300);
    finish(page, &line, STINT_LINE_BOLD);
}

static void put_launches(const struct page *page, const struct stint_kernel_figures *figures)
{
    struct stint_line line = {0};
    begin_line(&line, "launches");
    stint_line_say(&line, "%ju, counted %ju", figures->launches, figures->counted);
    if (figures->counted && !isnan(figures->passes))
        stint_line_say(&line, ", each replayed in %ju %s", (uintmax_t)figures->passes,
                       (uint64_t)figures->passes == 1 ? "pass" : "passes");
    else if (figures->counted)
        stint_line_say(&line, " in each of %ju run%s of the program, without replay", (uintmax_t)figures->runs,
                       (uint64_t)figures->runs == 1 ? "" : "s");
    if (!isnan(figures->time_ns))
        stint_line_say(&line, "; %s each", stint_time_text(figures->time_ns).text);
    finish(page, &line, STINT_LINE_PLAIN);
    if (!figures->why_skipped)
        return;
    begin_line(&line, "skipped");
    stint_line_say(&line, "%ju: ", figures->skipped);
    stint_line_escaped(&line, figures->why_skipped, 300);
    finish(page, &line, STINT_LINE_PLAIN);
}

static void put_share(struct stint_line *line, const struct stint_verdict *verdict)
{
    static const char *const of[STINT_BOUNDS] = {
        [STINT_BOUND_GRID] = " of the blocks that the device has room for",
        [STINT_BOUND_REGISTERS] = " of a multiprocessor's warps at most",
        [STINT_BOUND_SHARED_SIZE] = " of a multiprocessor's warps at most",
        [STINT_BOUND_BLOCK_SIZE] = " of a multiprocessor's warps at most",
        [STINT_BOUND_LATENCY] = " of what is used most",
    };
    if (isnan(verdict->share))
        return;
    stint_line_say(line, ": %.1f %%%s", verdict->share, of[verdict->bound] ? of[verdict->bound] : " of its peak");
}

static void put_verdict(const struct page *page, const struct stint_kernel_figures *figures)
{
    struct stint_verdict verdict = stint_verdict(figures);
    struct stint_line line = {0};
    if (verdict.bound == STINT_BOUND_UNKNOWN)
        return;
    begin_line(&line, "bound by");
    stint_line_say(&line, "%s, %s", stint_bound_name(verdict.bound), stint_certainty_word(verdict.certainty));
    put_share(&line, &verdict);
    if (verdict.next)
        stint_line_say(&line, "; %s is close: %.1f %%", stint_bound_name(verdict.next), verdict.next_share);
    if (verdict.stall)
        stint_line_say(&line, "; warps wait for %s: %.1f %% of all waits", verdict.stall, verdict.stall_share);
    finish(page, &line, STINT_LINE_PLAIN);
    begin_line(&line, "try");
    stint_line_string(&line, stint_verdict_advice(&verdict, figures));
    finish(page, &line, STINT_LINE_PLAIN);
}

static void put_precision(const struct page *page, const struct stint_kernel_figures *figures)
{
    enum stint_precision precision = stint_precision(figures);
    struct stint_line line = {0};
    if (precision == STINT_PRECISION_FINE)
        return;
    begin_line(&line, precision == STINT_PRECISION_SUSPECT ? "PRECISION" : "precision");
    put_quantity(&line, stint_fp64_instructions(figures), "");
    stint_line_string(&line, " fp64 instructions in a launch");
    if (precision == STINT_PRECISION_SUSPECT)
        stint_line_string(
            &line,
            ", though none of its arguments is a double: a constant such as 0.0, or a variable, may be one by mistake");
    finish(page, &line, precision == STINT_PRECISION_SUSPECT ? STINT_LINE_BOLD : STINT_LINE_PLAIN);
}

/* A section of named values; those that were not counted are left out. */
struct named {
    const char *name;
    size_t at; /* of the value in struct stint_kernel_figures */
    const char *unit;
};

#define NAMED(name, field, unit)                                                                                       \
    {                                                                                                                  \
        name, offsetof(struct stint_kernel_figures, field), unit                                                       \
    }

static const struct named s_speeds[] = {
    NAMED("SM", sm, "%"),     NAMED("memory", memory, "%"), NAMED("DRAM", dram, "%"),
    NAMED("L2", l2, "%"),     NAMED("L1", l1, "%"),         NAMED("fp32", fma, "%"),
    NAMED("fp64", fp64, "%"), NAMED("integer", alu, "%"),   NAMED("tensor", tensor, "%"),
};

static const struct named s_memory[] = {
    NAMED("DRAM read", dram_read, "B"),
    NAMED("written", dram_written, "B"),
    NAMED("L2", l2_bytes, "B"),
    NAMED("L1", l1_bytes, "B"),
    NAMED("L2 hits", l2_hits, "%"),
    NAMED("L1 hits", l1_hits, "%"),
    NAMED("sectors per load", load_sectors, "1"),
    NAMED("per store", store_sectors, "1"),
    NAMED("bytes used of 32 loaded", load_bytes, "1"),
    NAMED("stored", store_bytes, "1"),
    NAMED("bank conflicts", bank_conflicts, ""),
};

enum { SPEEDS = sizeof s_speeds / sizeof s_speeds[0], MEMORY = sizeof s_memory / sizeof s_memory[0], TRAFFIC = 4 };

/* Each value times `times`. */
static void put_values(struct stint_line *line, int *count, const struct named *named, size_t values,
                       const struct stint_kernel_figures *figures, double times)
{
    for (size_t i = 0; i < values; i++)
        put_named(line, count, named[i].name,
                  times * *(const double *)(const void *)((const char *)figures + named[i].at), named[i].unit);
}

static void put_section_of(const struct page *page, const char *word, const struct named *named, size_t values,
                           const struct stint_kernel_figures *figures)
{
    struct stint_line line = {0};
    int count = 0;
    begin_line(&line, word);
    put_values(&line, &count, named, values, figures, 1);
    if (count)
        finish(page, &line, STINT_LINE_PLAIN);
}

static void put_used(struct stint_line *line, int *count, const char *name, double value)
{
    if (value > 0)
        put_named(line, count, name, value, "");
}

/* Of so many launches. */
static void put_operations(struct stint_line *line, int *count, const struct stint_kernel_figures *figures,
                           double launches)
{
    put_named(line, count, "fp64", launches * stint_fp64_flops(figures), "");
    put_named(line, count, "fp32", launches * stint_fp32_flops(figures), "");
    put_named(line, count, "fp16", launches * stint_fp16_flops(figures), "");
    put_used(line, count, "tensor fp16", launches * figures->tensor_fp16);
    put_used(line, count, "tensor bf16", launches * figures->tensor_bf16);
    put_used(line, count, "tensor tf32", launches * figures->tensor_tf32);
    put_used(line, count, "tensor fp64", launches * figures->tensor_fp64);
    put_used(line, count, "tensor fp8", launches * figures->tensor_fp8);
    put_used(line, count, "tensor int8", launches * figures->tensor_int8);
}

static void put_flops(const struct page *page, const struct stint_kernel_figures *figures)
{
    struct stint_line line = {0};
    int count = 0;
    begin_line(&line, "flops");
    put_operations(&line, &count, figures, 1);
    if (count)
        finish(page, &line, STINT_LINE_PLAIN);
}

static void put_occupancy(const struct page *page, const struct stint_kernel_figures *figures)
{
    struct stint_line line = {0};
    int count = 0;
    begin_line(&line, "occupancy");
    put_named(&line, &count, "achieved", figures->occupancy, "%");
    put_named(&line, &count, "possible", figures->most_occupancy, "%");
    put_named(&line, &count, "blocks", figures->blocks, "#");
    put_named(&line, &count, "threads", figures->threads, "#");
    put_named(&line, &count, "registers", figures->registers, "#");
    put_named(&line, &count, "shared memory", figures->static_shared + figures->dynamic_shared, "B");
    put_named(&line, &count, "waves", figures->waves, "1");
    if (count)
        finish(page, &line, STINT_LINE_PLAIN);
}

/* ----------------------------------------------------------------------------------------------------------- report */

static void put_section(const struct page *page, const struct stint_kernel_figures *figures)
{
    put_launches(page, figures);
    if (!figures->counted)
        return;
    put_verdict(page, figures);
    put_precision(page, figures);
    put_section_of(page, "peak", s_speeds, SPEEDS, figures);
    put_flops(page, figures);
    put_section_of(page, "memory", s_memory, MEMORY, figures);
    put_occupancy(page, figures);
}

/* What adds up over launches; shares of the device do not. */
static void put_scope(const struct page *page, const struct stint_kernel_figures *figures)
{
    struct stint_line line = {0};
    double launches = (double)figures->counted;
    int count = 1;
    stint_line_string(&line, "  ");
    stint_line_escaped(&line, figures->kernel, 300);
    stint_line_say(&line, ": %ju %s", figures->counted, figures->counted == 1 ? "launch" : "launches");
    if (!isnan(figures->time_ns))
        stint_line_say(&line, ", %s", stint_time_text(figures->time_ns * launches).text);
    put_values(&line, &count, s_memory, TRAFFIC, figures, launches);
    put_operations(&line, &count, figures, launches);
    finish(page, &line, STINT_LINE_PLAIN);
}

static void put_scopes(const struct page *page, const struct stint_snapshot *snapshot)
{
    struct stint_kernel_figures figures;
    for (size_t next = 0, i = 0; stint_scope_figures_next(&figures, snapshot, &next); i++) {
        if (!i)
            stint_text_string(page->text, "\nBy scope, sums over the launches that were counted:\n");
        put_scope(page, &figures);
    }
}

static void put_absent(const struct page *page, const struct stint_snapshot *snapshot, const char *prefix,
                       const char *title)
{
    static const size_t wide = sizeof STINT_COUNTER_WIDE - 1;
    struct stint_line line = {0};
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &snapshot->nvtx_values[i];
        int is_wide = strncmp(value->field, STINT_COUNTER_WIDE, wide) == 0;
        if (strcmp(value->set, STINT_COUNTER_SET) != 0 || strcmp(value->name, STINT_COUNTER_ABSENT) != 0 ||
            is_wide != (*prefix != '\0'))
            continue;
        stint_line_string(&line, line.used ? ", " : title);
        stint_line_escaped(&line, value->field + strlen(prefix), 100);
    }
    finish(page, &line, STINT_LINE_PLAIN);
}

static void put_title(const struct page *page, size_t kernels, int is_replayed)
{
    struct stint_line line = {0};
    if (kernels)
        stint_line_say(&line, "GPU counters: %zu kernel%s; each launch that is counted runs %s, alone", kernels,
                       kernels == 1 ? "" : "s", is_replayed ? "several times" : "once");
    else
        stint_line_string(&line, "GPU counters: none (stint run --counters GROUP reads them)");
    finish(page, &line, STINT_LINE_PLAIN);
}

void stint_counted_kernel_put(struct stint_text *text, const struct stint_kernel_figures *figures)
{
    put_section(&(struct page){text, &(struct stint_layout){0}}, figures);
}

int stint_counted_kernel_next(struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot, size_t *next)
{
    while (stint_kernel_figures_next(figures, snapshot, next))
        if (strcmp(figures->kernel, STINT_COUNTER_ABSENT) != 0)
            return 1;
    return 0;
}

static void put_kernels(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout)
{
    struct page page = {text, layout};
    struct stint_kernel_figures figures;
    size_t kernels = 0, next = 0;
    int is_replayed = 1;
    for (; stint_counted_kernel_next(&figures, snapshot, &next); kernels++)
        is_replayed &= isnan(figures.runs);
    put_title(&page, kernels, is_replayed);
    next = 0;
    while (stint_counted_kernel_next(&figures, snapshot, &next)) {
        stint_text_string(text, "\n");
        put_name(&page, &figures);
        put_section(&page, &figures);
    }
    put_scopes(&page, snapshot);
    put_absent(&page, snapshot, "", "The device has no such metric: ");
    put_absent(&page, snapshot, STINT_COUNTER_WIDE, "Counted by a replay of kernels only: ");
}

/* -------------------------------------------------------------------------------------------------------------- CSV */

enum { KERNEL, METRIC, LAUNCHES, MIN, MAX, AVG, SCOPE, COLUMNS };

static const struct stint_column s_columns[COLUMNS] = {
    [KERNEL] = {.key = "kernel", .title = "Kernel", .unit = STINT_COLUMN_NAME},
    [METRIC] = {.key = "metric", .title = "Metric", .unit = STINT_COLUMN_NAME},
    [LAUNCHES] = {.key = "launches", .title = "Launches", .unit = STINT_COLUMN_COUNT},
    [MIN] = {.key = "min", .title = "Min"},
    [MAX] = {.key = "max", .title = "Max"},
    [AVG] = {.key = "avg", .title = "Avg"},
    [SCOPE] = {.key = "scope", .title = "Scope", .unit = STINT_COLUMN_NAME},
};

/* Counts are whole numbers, of up to 2^53. */
static void put_number(struct stint_sheet *sheet, size_t column, double value)
{
    (void)stint_number_fixed(stint_sheet_text(sheet, column), value, value == floor(value) ? 0 : 6);
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct stint_snapshot *snapshot = context;
    while (*next < snapshot->nvtx_value_count && strcmp(snapshot->nvtx_values[*next].set, STINT_COUNTER_SET) != 0 &&
           strcmp(snapshot->nvtx_values[*next].set, STINT_COUNTER_SCOPE_SET) != 0)
        (*next)++;
    if (*next == snapshot->nvtx_value_count)
        return 0;
    const struct stint_nvtx_value *value = &snapshot->nvtx_values[(*next)++];
    int is_scope = strcmp(value->set, STINT_COUNTER_SCOPE_SET) == 0;
    stint_sheet_string(sheet, KERNEL, is_scope ? "" : value->name);
    stint_sheet_string(sheet, SCOPE, is_scope ? value->name : "");
    stint_sheet_string(sheet, METRIC, value->field);
    stint_sheet_value(sheet, LAUNCHES, value->count);
    put_number(sheet, MIN, value->min);
    put_number(sheet, MAX, value->max);
    put_number(sheet, AVG, value->sum / (double)value->count);
    return 1;
}

void stint_report_counters(struct stint_text *text, const struct stint_snapshot *snapshot,
                           const struct stint_layout *layout, int csv)
{
    struct stint_sheet sheet = {STINT_COLUMNS(s_columns), .next = next_row, .context = (void *)(uintptr_t)snapshot};
    if (csv)
        stint_row_table_csv(&sheet, text);
    else
        put_kernels(text, snapshot, layout);
}

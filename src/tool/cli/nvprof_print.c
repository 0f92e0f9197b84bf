/* Prints the reports of stint nvprof, and what counters counted in nvprof's tables. */
#include "cli/command_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/command.h"
#include "counters/counter_plan.h"
#include "cpu/cpu_profile.h"
#include "formats/formats.h"
#include "report/sheet.h"
#include "support/keyed_table.h"

int stint_nvprof_has_profile(const struct stint_snapshot *snapshot)
{
    const struct stint_gpu_info *gpu = &snapshot->gpu;
    if (gpu->collected || snapshot->gpu_activity_count || snapshot->sampling.samples)
        return 1;
    return gpu->status != STINT_OK && gpu->status != STINT_ERROR_NOT_STARTED && gpu->reason && *gpu->reason;
}

/* ------------------------------------------------------------------------------------------------------------ names */

struct mangled_name {
    const char *plain, *mangled;
};

static const struct stint_table_key s_name = STINT_TABLE_KEY(struct mangled_name, plain);

/* A snapshot whose kernels have mangled names. Without memory it stays unchanged. */
struct mangled {
    struct stint_snapshot snapshot;
    struct stint_arena arena;
    struct stint_table names; /* struct mangled_name, of activities */
    const struct stint_snapshot *plain;
};

static void *copy(struct mangled *mangled, const void *from, size_t size)
{
    void *made = stint_arena_alloc(&mangled->arena, size + 1);
    return made && size ? memcpy(made, from, size) : made;
}

static int mangle_activities(struct mangled *mangled, struct stint_gpu_activity *activities)
{
    for (size_t i = 0; i < mangled->plain->gpu_activity_count; i++) {
        const struct stint_gpu_activity *plain = &mangled->plain->gpu_activities[i];
        if (!*plain->mangled)
            continue;
        activities[i].name = plain->mangled;
        if (!stint_table_take(&mangled->names, &s_name, &mangled->arena,
                              &(struct mangled_name){plain->name, plain->mangled}))
            return -1;
    }
    return 0;
}

static void mangle_events(struct mangled *mangled, struct stint_gpu_event *events)
{
    for (size_t i = 0; i < mangled->plain->gpu_event_count; i++) {
        if (events[i].api || events[i].kind != STINT_GPU_KERNEL)
            continue;
        const struct mangled_name *name =
            stint_table_find(&mangled->names, &s_name, &(struct mangled_name){.plain = events[i].name});
        if (name)
            events[i].name = name->mangled;
    }
}

static void mangle(struct mangled *mangled, const struct stint_snapshot *plain)
{
    struct stint_gpu_activity *activities;
    struct stint_gpu_event *events;
    *mangled = (struct mangled){.snapshot = *plain, .plain = plain};
    activities = copy(mangled, plain->gpu_activities, plain->gpu_activity_count * sizeof *activities);
    events = copy(mangled, plain->gpu_events, plain->gpu_event_count * sizeof *events);
    if (!activities || !events || mangle_activities(mangled, activities)) {
        (void)stint_cli_say_no_memory("for --demangling off: names are demangled");
        return;
    }
    mangle_events(mangled, events);
    mangled->snapshot.gpu_activities = activities;
    mangled->snapshot.gpu_events = events;
}

/* ---------------------------------------------------------------------------------------------------------- reports */

enum { MOST_REPORTS = 5 };

/* The same rows are not printed in two summaries, and two traces are merged. */
static size_t choose(unsigned modes, const struct stint_snapshot *snapshot, const char *reports[MOST_REPORTS])
{
    size_t count = 0;
    unsigned both = STINT_NVPROF_GPU_SUMMARY | STINT_NVPROF_API_SUMMARY;
    if (modes & STINT_NVPROF_SUMMARY || (modes & both) == both)
        reports[count++] = "nvprof";
    else if (modes & both)
        reports[count++] = modes & STINT_NVPROF_GPU_SUMMARY ? "nvprof-gpu" : "nvprof-api";
    if (modes & STINT_NVPROF_SUMMARY && stint_nvprof_has_ranges(snapshot))
        reports[count++] = "nvprof-nvtx";
    if (modes & STINT_NVPROF_PER_GPU)
        reports[count++] = "nvprof-per-gpu";
    if ((modes & STINT_NVPROF_TRACES) == STINT_NVPROF_TRACES)
        reports[count++] = "gpu-api-trace";
    else if (modes & STINT_NVPROF_TRACES)
        reports[count++] = modes & STINT_NVPROF_GPU_TRACE ? "gpu-trace" : "api-trace";
    return count;
}

static int put_samples(const struct stint_nvprof_cpu *asked, const struct stint_snapshot *snapshot, int file)
{
    struct stint_cpu_options options = {.by_lines = asked->by_lines};
    struct stint_cpu_view view = {
        .mode = asked->mode, .least_percent = asked->least_percent, .deepest = asked->deepest};
    struct stint_cpu_profile profile;
    struct stint_text text;
    int failed = stint_cpu_profile_make(&profile, snapshot, &options);
    stint_text_begin(&text, stint_write_fd, &file);
    stint_text_string(&text, "\n");
    failed = failed || stint_cpu_table_put_nvprof(&profile, &view, asked->library, &text);
    failed |= stint_text_end(&text) != STINT_OK;
    stint_cpu_profile_free(&profile);
    if (failed)
        stint_cli_say("samples cannot be written: %s", strerror(errno));
    return failed ? -1 : 0;
}

static int print_all(const struct stint_nvprof_asked *asked, unsigned modes, const struct stint_snapshot *snapshot,
                     int file)
{
    const char *reports[MOST_REPORTS];
    size_t count = choose(modes, snapshot, reports);
    struct stint_layout layout = {.unit = asked->unit};
    enum stint_status status = STINT_OK;
    if (asked->system)
        reports[count++] = "system";
    for (size_t i = 0; i < count && !status; i++) {
        if (i)
            (void)stint_write_fd(&file, "\n", 1);
        status = stint_report_named(snapshot, reports[i], asked->csv, &layout, stint_write_fd, &file);
    }
    if (status)
        stint_cli_say("the report cannot be written: %s",
                      status == STINT_ERROR_IO ? strerror(errno) : stint_status_string(status));
    if (!status && snapshot->sampling.samples)
        return put_samples(&asked->cpu, snapshot, file);
    return status ? -1 : 0;
}

int stint_nvprof_print(const struct stint_nvprof_asked *asked, unsigned modes, const struct stint_snapshot *snapshot,
                       int file)
{
    struct mangled mangled;
    if (!asked->mangled)
        return print_all(asked, modes, snapshot, file);
    mangle(&mangled, snapshot);
    int failed = print_all(asked, modes, &mangled.snapshot, file);
    stint_arena_free(&mangled.arena);
    return failed;
}

/* --------------------------------------------------------------------------------------------------------- counters */

enum { NAME_SIZE = 256 };

struct page {
    const struct stint_snapshot *snapshot;
    int csv;
    struct stint_text text;
    const char *kernel;
    int has_title; /* the kernel's name has been written */
};

struct value {
    uint64_t count;
    double min, max, avg;
};

int stint_nvprof_has_counters(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++)
        if (strcmp(snapshot->nvtx_values[i].set, STINT_COUNTER_SET) == 0)
            return 1;
    return 0;
}

static const struct stint_nvtx_value *find_value(const struct page *page, const char *metric)
{
    for (size_t i = 0; i < page->snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &page->snapshot->nvtx_values[i];
        if (strcmp(value->set, STINT_COUNTER_SET) == 0 && strcmp(value->name, page->kernel) == 0 &&
            strcmp(value->field, metric) == 0)
            return value;
    }
    return NULL;
}

/* The least and greatest sums of several counters are not known, only those of each; so sums of these are shown, which
 * are the same where all launches do the same. */
static struct value value_of(const struct page *page, const struct stint_nvprof_metric *metric)
{
    struct value sum = {.count = UINT64_MAX};
    for (size_t i = 0; i < STINT_NVPROF_TERMS && metric->terms[i].metric; i++) {
        const struct stint_nvtx_value *value = find_value(page, metric->terms[i].metric);
        double factor = metric->terms[i].factor;
        if (!value)
            return (struct value){.count = 0};
        sum.count = value->count < sum.count ? value->count : sum.count;
        sum.min += factor * value->min;
        sum.max += factor * value->max;
        sum.avg += factor * value->sum / (double)value->count;
    }
    return sum;
}

static void put_row(struct page *page, const char *name, const char *description, const struct value *value)
{
    char row[NAME_SIZE + 512];
    if (!value->count)
        return;
    if (page->csv) {
        stint_csv_quoted(&page->text, page->kernel);
        (void)snprintf(row, sizeof row, ",%" PRIu64 ",\"%s\",\"%s\",%.6f,%.6f,%.6f\n", value->count, name, description,
                       value->min, value->max, value->avg);
    } else {
        if (!page->has_title) {
            stint_text_string(&page->text, "    Kernel: ");
            stint_escape_put(&page->text, stint_escape_terminal, page->kernel);
            stint_text_string(&page->text, "\n");
        }
        (void)snprintf(row, sizeof row, "%11" PRIu64 "  %40s  %-50s  %12.6g  %12.6g  %12.6g\n", value->count, name,
                       description, value->min, value->max, value->avg);
    }
    page->has_title = 1;
    stint_text_string(&page->text, row);
}

static void put_raw(struct page *page, const char *name)
{
    const struct stint_nvtx_value *value = find_value(page, name);
    if (!value)
        return;
    put_row(page, name, "", &(struct value){value->count, value->min, value->max, value->sum / (double)value->count});
}

static void put_every(struct page *page)
{
    const struct stint_nvprof_metric *metric;
    for (size_t i = 0; (metric = stint_nvprof_metric_at(i)); i++) {
        struct value value = value_of(page, metric);
        put_row(page, metric->name, metric->description, &value);
    }
}

static void put_group(struct page *page, const char *metrics)
{
    char name[NAME_SIZE];
    for (size_t length; (length = strcspn(metrics, " ")); metrics += length + 1) {
        (void)snprintf(name, sizeof name, "%.*s", (int)length, metrics);
        put_raw(page, name);
    }
}

static void put_word(struct page *page, const char *word, size_t length)
{
    const struct stint_nvprof_metric *metric = stint_nvprof_metric(word, length);
    const char *group = stint_counter_group(word, length);
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (strcmp(name, "all") == 0) {
        put_every(page);
    } else if (metric) {
        struct value value = value_of(page, metric);
        put_row(page, metric->name, metric->description, &value);
    } else if (group) {
        put_group(page, group);
    } else {
        put_raw(page, name);
    }
}

static void put_kernel(struct page *page, const struct stint_nvprof_counters *counters)
{
    size_t length;
    page->has_title = 0;
    for (const char *at = counters->words; *at; at += length + (at[length] == ',')) {
        length = strcspn(at, ",");
        put_word(page, at, length);
    }
}

int stint_nvprof_counters_print(const struct stint_nvprof_counters *counters, const struct stint_snapshot *snapshot,
                                int csv, int file)
{
    struct page page = {.snapshot = snapshot, .csv = csv, .kernel = ""};
    char title[32] = "========";
    if (snapshot->process.pid)
        (void)snprintf(title, sizeof title, "==%lld==", (long long)snapshot->process.pid);
    stint_text_begin(&page.text, stint_write_fd, &file);
    stint_text_string(&page.text, title);
    stint_text_string(&page.text, " Metric result:\n");
    stint_text_string(
        &page.text, csv ? "\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\",\"Avg\"\n"
                        : "Invocations                               Metric Name  Metric Description               "
                          "                            Min           Max           Avg\n");
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &snapshot->nvtx_values[i];
        if (strcmp(value->set, STINT_COUNTER_SET) != 0 || strcmp(value->name, page.kernel) == 0)
            continue;
        page.kernel = value->name;
        put_kernel(&page, counters);
    }
    int failed = stint_text_end(&page.text) != STINT_OK;
    if (failed)
        stint_cli_say("the metrics cannot be written: %s", strerror(errno));
    return failed ? -1 : 0;
}

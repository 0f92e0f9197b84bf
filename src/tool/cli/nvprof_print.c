/* Prints the reports of `stint nvprof`. */
#include "cli/nvprof_print.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "cli/command.h"
#include "cpu/cpu_table.h"
#include "formats/formats.h"
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
        stint_cli_say("not enough memory for --demangling off: names are demangled");
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

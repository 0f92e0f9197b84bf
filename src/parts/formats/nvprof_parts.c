/* Parts of nvprof's summary: --print-gpu-summary, --print-api-summary, and --print-summary-per-gpu. */
#include <string.h>

#include "formats/formats.h"
#include "formats/nvprof.h"

/* ------------------------------------------------------------------------------------------------------------- sums */

int stint_nvprof_sums_begin(struct stint_nvprof_sums *sums, struct stint_arena *arena, size_t size)
{
    *sums = (struct stint_nvprof_sums){
        .rows = stint_arena_alloc(arena, (size + 1) * sizeof *sums->rows),
        .touched = stint_arena_alloc(arena, (size + 1) * sizeof *sums->touched),
    };
    return sums->rows && sums->touched ? 0 : -1;
}

void stint_nvprof_sums_add(struct stint_nvprof_sums *sums, size_t index, const char *name,
                           const struct stint_numbers *numbers)
{
    struct stint_nvprof_row *row = &sums->rows[index];
    if (!numbers->count)
        return;
    if (!row->numbers.count)
        sums->touched[sums->count++] = index;
    row->name = name;
    stint_gpu_add_numbers(&row->numbers, numbers);
}

void stint_nvprof_sums_take(struct stint_nvprof_sums *sums, struct stint_nvprof_rows *rows,
                            const struct stint_layout *layout)
{
    struct stint_nvprof_row *all;
    *rows = (struct stint_nvprof_rows){.whole_ns = 0};
    all = stint_arena_alloc(&rows->arena, (sums->count + 1) * sizeof *all);
    for (size_t i = 0; i < sums->count; i++) {
        struct stint_nvprof_row *row = &sums->rows[sums->touched[i]];
        if (all)
            all[i] = *row;
        *row = (struct stint_nvprof_row){0};
    }
    if (all)
        stint_nvprof_rows_set(rows, all, sums->count, layout->sort, layout->top);
    sums->count = 0;
}

/* Activities of one kind and name are adjacent. */
size_t *stint_nvprof_leaders(const struct stint_snapshot *snapshot, struct stint_arena *arena)
{
    const struct stint_gpu_activity *activities = snapshot->gpu_activities;
    size_t *leaders = stint_arena_alloc(arena, (snapshot->gpu_activity_count + 1) * sizeof *leaders);
    for (size_t i = 0; leaders && i < snapshot->gpu_activity_count; i++) {
        int follows = i && activities[i].kind == activities[i - 1].kind &&
                      strcmp(activities[i].name, activities[i - 1].name) == 0;
        leaders[i] = follows ? leaders[i - 1] : i;
    }
    return leaders;
}

/* ----------------------------------------------------------------------------------------------------------- groups */

void stint_nvprof_put_groups(struct stint_text *text, const struct stint_snapshot *snapshot, unsigned groups,
                             const struct stint_layout *layout, int csv)
{
    struct stint_nvprof_rows rows[STINT_NVPROF_GROUPS] = {{.snapshot = NULL}};
    if (!stint_nvprof_put_empty(text, snapshot, groups))
        return;
    for (enum stint_nvprof_group group = 0; group < STINT_NVPROF_GROUPS; group++)
        if (groups >> group & 1)
            stint_nvprof_rows_begin(&rows[group], snapshot, group, layout->sort, layout->top);
    stint_nvprof_put_table(text, rows, layout, csv);
    for (enum stint_nvprof_group group = 0; group < STINT_NVPROF_GROUPS; group++)
        stint_nvprof_rows_end(&rows[group]);
}

static void put_alone(struct stint_text *text, const struct stint_snapshot *snapshot, unsigned groups,
                      const struct stint_layout *layout, int csv)
{
    struct stint_layout shown = stint_nvprof_layout(layout, csv);
    stint_nvprof_head(text, snapshot);
    stint_nvprof_result(text, snapshot);
    stint_nvprof_put_groups(text, snapshot, groups, &shown, csv);
}

void stint_report_nvprof_gpu(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout, int csv)
{
    put_alone(text, snapshot, STINT_NVPROF_GPU_BIT, layout, csv);
}

void stint_report_nvprof_api(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout, int csv)
{
    put_alone(text, snapshot, STINT_NVPROF_API_BIT, layout, csv);
}

/* ---------------------------------------------------------------------------------------------------------- devices */

struct devices {
    const struct stint_snapshot *snapshot;
    struct stint_layout layout;
    int csv;
    struct stint_arena arena;
    const size_t *leaders; /* NULL if there is no memory */
    struct stint_nvprof_sums sums;
};

static void begin_devices(struct devices *devices)
{
    const size_t *leaders = stint_nvprof_leaders(devices->snapshot, &devices->arena);
    if (stint_nvprof_sums_begin(&devices->sums, &devices->arena, devices->snapshot->gpu_activity_count) == 0)
        devices->leaders = leaders;
}

/* Returns whether any device from *device on has rows; *device receives the first such device. */
static int next_device(const struct devices *devices, uint64_t *device)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < devices->snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &devices->snapshot->gpu_activities[i];
        if (stint_nvprof_is_row(activity) && activity->device >= *device && activity->device < least)
            least = activity->device;
    }
    *device = least;
    return least != UINT64_MAX;
}

static void put_device(struct stint_text *text, struct devices *devices, uint32_t device)
{
    const struct stint_snapshot *snapshot = devices->snapshot;
    struct stint_gpu_device description = stint_gpu_device_of(snapshot, device);
    struct stint_nvprof_rows rows[STINT_NVPROF_GROUPS] = {{.snapshot = NULL}};
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (stint_nvprof_is_row(activity) && activity->device == device)
            stint_nvprof_sums_add(&devices->sums, devices->leaders[i], activity->name, &activity->numbers);
    }
    stint_nvprof_sums_take(&devices->sums, &rows[STINT_NVPROF_GPU], &devices->layout);
    stint_nvprof_begin(text, snapshot);
    stint_text_string(text, "Device ");
    stint_nvprof_quoted_device(text, &description);
    stint_text_string(text, "\n");
    stint_nvprof_put_table(text, rows, &devices->layout, devices->csv);
    stint_text_string(text, "\n");
    stint_nvprof_rows_end(&rows[STINT_NVPROF_GPU]);
}

void stint_report_nvprof_per_gpu(struct stint_text *text, const struct stint_snapshot *snapshot,
                                 const struct stint_layout *layout, int csv)
{
    struct devices devices = {.snapshot = snapshot, .layout = stint_nvprof_layout(layout, csv), .csv = csv};
    uint64_t first = 0;
    begin_devices(&devices);
    stint_nvprof_head(text, snapshot);
    stint_nvprof_result(text, snapshot);
    if (!next_device(&devices, &first))
        stint_text_string(text, "No kernels were profiled.\n");
    for (uint64_t device = 0; devices.leaders && next_device(&devices, &device); device++)
        put_device(text, &devices, (uint32_t)device);
    stint_nvprof_begin(text, snapshot);
    stint_text_string(text, "API calls:\n");
    stint_nvprof_put_groups(text, snapshot, STINT_NVPROF_API_BIT, &devices.layout, csv);
    stint_arena_free(&devices.arena);
}

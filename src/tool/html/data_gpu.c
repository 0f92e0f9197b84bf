/* Puts devices on the page: their memory, activities, what launched these, how kernels were launched; and hardware
 * counters. */
#include "html/data.h"

#include <math.h>

#include "formats/formats.h"
#include "html/page_json.h"
#include "report/gpu_sum.h"
#include "verdict/occupancy.h"
#include "verdict/verdict.h"

/* ------------------------------------------------------------------------------------------------------- activities */

/* The most expensive ones come first. */
enum { ACTIVITIES_MOST = 10000 };

static size_t activity_count(const struct stint_snapshot *snapshot)
{
    return snapshot->gpu_activity_count < ACTIVITIES_MOST ? snapshot->gpu_activity_count : ACTIVITIES_MOST;
}

static int next_peak(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct stint_snapshot *snapshot = ((const struct stint_page_data *)context)->snapshot;
    if (*next == activity_count(snapshot))
        return 0;
    const struct stint_gpu_activity *activity = &snapshot->gpu_activities[(*next)++];
    struct stint_gpu_device device = stint_gpu_device_of(snapshot, activity->device);
    stint_column_u64(sheet, 0, (uint64_t)stint_gpu_peak(activity, &device));
    return 1;
}

static void put_activities(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column_members members = {
        STINT_ROWS_GPU_ACTIVITIES, 0, " kind name device context stream count total_ns min_ns max_ns bytes "};
    const struct stint_snapshot *snapshot = data->snapshot;
    static const struct stint_column columns[] = {{.key = "bytes_per_s"}};
    struct stint_sheet peaks = {STINT_COLUMNS(columns), .next = next_peak, .context = data};
    size_t count = activity_count(snapshot);
    stint_column_put_members(
        json, &data->strings, "activities",
        &(struct stint_column_rows){snapshot->gpu_activities, sizeof *snapshot->gpu_activities, count}, &members, 1);
    stint_json_key_u64(json, "activities_beyond", snapshot->gpu_activity_count - count);
    stint_column_put_table(json, &data->strings, "peaks", &peaks);
}

/* ---------------------------------------------------------------------------------------------------------- charges */

/* Those of the most expensive activities come first. */
enum { CHARGES_MOST = 10000 };

static size_t charge_count(const struct stint_snapshot *snapshot)
{
    return snapshot->gpu_charge_count < CHARGES_MOST ? snapshot->gpu_charge_count : CHARGES_MOST;
}

static int next_charge(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct stint_page_data *data = context;
    if (*next == charge_count(data->snapshot))
        return 0;
    const struct stint_gpu_charge *charge = &data->snapshot->gpu_charges[(*next)++];
    size_t i = 0; /* in the order of the columns */
    stint_column_u64(sheet, i++, charge->activity);
    stint_column_i64(sheet, i++, stint_html_context(&data->contexts, data->snapshot, charge->context));
    stint_column_u64(sheet, i++, charge->count);
    stint_column_u64(sheet, i, charge->total_ns);
    return 1;
}

static void put_charges(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column columns[] = {
        {.key = "activity"}, {.key = "context"}, {.key = "count"}, {.key = "total"}};
    struct stint_sheet sheet = {STINT_COLUMNS(columns), .next = next_charge, .context = data};
    stint_column_put_table(json, &data->strings, "charges", &sheet);
    stint_json_key_u64(json, "charges_beyond", data->snapshot->gpu_charge_count - charge_count(data->snapshot));
}

/* --------------------------------------------------------------------------------------------------------- launches */

static uint64_t product(const uint32_t dimensions[3])
{
    return (uint64_t)dimensions[0] * dimensions[1] * dimensions[2];
}

static void put_dimensions(struct stint_json *json, const char *key, const uint32_t dimensions[3])
{
    stint_json_key(json, key);
    stint_json_begin(json, "[");
    for (int i = 0; i < 3; i++)
        stint_json_u64(json, dimensions[i]);
    stint_json_end(json, "]");
}

static void put_occupancy(struct stint_json *json, const struct stint_event_class *what,
                          const struct stint_snapshot *snapshot)
{
    struct stint_gpu_device device = stint_gpu_device_of(snapshot, what->device);
    struct stint_occupancy occupancy = stint_occupancy_of(&(struct stint_kernel_launch){
        .compute_major = device.compute_major,
        .compute_minor = device.compute_minor,
        .multiprocessors = device.multiprocessors,
        .blocks = product(what->grid),
        .threads = product(what->block),
        .registers = what->registers,
        .shared_bytes = (uint64_t)what->static_shared + what->dynamic_shared,
    });
    if (occupancy.limit == STINT_OCCUPANCY_UNKNOWN)
        return;
    stint_json_key_u64(json, "warps", occupancy.warps);
    stint_json_key_u64(json, "most", occupancy.most);
    stint_json_key_string(json, "limit", stint_occupancy_word(occupancy.limit));
}

static void put_launch(struct stint_page_data *data, struct stint_json *json, const struct stint_event_class *what)
{
    stint_json_begin(json, "{");
    stint_json_key_u64(json, "name", stint_html_strings_add(&data->strings, what->name));
    stint_json_key_u64(json, "what",
                       (uint64_t)(what - (const struct stint_event_class *)data->overview->whats.all.items));
    stint_json_key_u64(json, "device", what->device);
    put_dimensions(json, "grid", what->grid);
    put_dimensions(json, "block", what->block);
    stint_json_key_u64(json, "registers", what->registers);
    stint_json_key_u64(json, "static", what->static_shared);
    stint_json_key_u64(json, "dynamic", what->dynamic_shared);
    put_occupancy(json, what, data->snapshot);
    stint_json_end(json, "}");
}

/* Kernels, once for each way in which they were launched. */
void stint_data_put_launches(struct stint_page_data *data, struct stint_json *json)
{
    const struct stint_event_class *whats = data->overview->whats.all.items;
    stint_json_begin_rows(json, "launches");
    for (size_t i = 0; i < data->overview->whats.all.count; i++)
        if (whats[i].kind == STINT_EVENT_DEVICE && whats[i].gpu_kind == STINT_GPU_KERNEL)
            put_launch(data, json, &whats[i]);
    stint_json_end(json, "]");
}

void stint_data_put_gpu(struct stint_page_data *data, struct stint_json *json)
{
    const struct stint_snapshot *snapshot = data->snapshot;
    stint_json_rows(json, "devices", STINT_ROWS_GPU_DEVICES, snapshot->gpu_devices, snapshot->gpu_device_count);
    stint_json_rows(json, "memory", STINT_ROWS_GPU_MEMORY, snapshot->gpu_memory, snapshot->gpu_memory_count);
    put_activities(data, json);
    put_charges(data, json);
}

/* --------------------------------------------------------------------------------------------------------- counters */

enum { UNKNOWN = -1 };

static int64_t whole(double number)
{
    return isnan(number) || number < 0 ? UNKNOWN : number < 9e18 ? (int64_t)number : INT64_MAX;
}

static int64_t ppm_of_percent(double percent)
{
    return isnan(percent) ? UNKNOWN : whole(1e4 * percent);
}

/* --------------------------------------------------------------------------------------------------------- kernels */

static const struct stint_column s_kernel_columns[] = {
    {.key = "name"},  {.key = "launches"},  {.key = "counted"}, {.key = "ns"},
    {.key = "sm"},    {.key = "memory"},    {.key = "dram"},    {.key = "occupancy"},
    {.key = "bound"}, {.key = "certainty"}, {.key = "fp64"},    {.key = "suspect"},
};

static int next_kernel(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct stint_kernel_figures figures;
    if (!stint_counted_kernel_next(&figures, context, next))
        return 0;
    struct stint_verdict verdict = stint_verdict(&figures);
    int is_known = figures.counted && verdict.bound != STINT_BOUND_UNKNOWN;
    size_t i = 0; /* in the order of the columns */
    stint_sheet_string(sheet, i++, figures.kernel);
    stint_column_u64(sheet, i++, figures.launches);
    stint_column_u64(sheet, i++, figures.counted);
    stint_column_i64(sheet, i++, whole(figures.time_ns));
    stint_column_i64(sheet, i++, ppm_of_percent(figures.sm));
    stint_column_i64(sheet, i++, ppm_of_percent(figures.memory));
    stint_column_i64(sheet, i++, ppm_of_percent(figures.dram));
    stint_column_i64(sheet, i++, ppm_of_percent(figures.occupancy));
    stint_sheet_string(sheet, i++, is_known ? stint_bound_name(verdict.bound) : "");
    stint_sheet_string(sheet, i++, is_known ? stint_certainty_word(verdict.certainty) : "");
    stint_column_i64(sheet, i++, whole(stint_fp64_instructions(&figures)));
    stint_column_i64(sheet, i, stint_precision(&figures) == STINT_PRECISION_SUSPECT);
    return 1;
}

static void put_lines(const struct stint_snapshot *snapshot, struct stint_json *json)
{
    struct stint_html_lines lines = {.json = json};
    struct stint_kernel_figures figures;
    stint_json_begin_rows(json, "counter_lines");
    for (size_t next = 0; stint_counted_kernel_next(&figures, snapshot, &next);) {
        struct stint_text text;
        stint_json_begin(json, "[");
        stint_text_begin(&text, stint_html_lines_put, &lines);
        stint_counted_kernel_put(&text, &figures);
        (void)stint_text_end(&text);
        stint_json_end(json, "]");
    }
    stint_json_end(json, "]");
}

/* ---------------------------------------------------------------------------------------------------------- scopes */

static const struct stint_column s_scope_columns[] = {
    {.key = "name"}, {.key = "counted"}, {.key = "ns"},   {.key = "dram"},
    {.key = "l2"},   {.key = "fp64"},    {.key = "fp32"}, {.key = "tensor"},
};

/* Sums over the launches that were counted. */
static int next_scope(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct stint_kernel_figures figures;
    if (!stint_scope_figures_next(&figures, context, next))
        return 0;
    double launches = (double)figures.counted;
    size_t i = 0; /* in the order of the columns */
    stint_sheet_string(sheet, i++, figures.kernel);
    stint_column_u64(sheet, i++, figures.counted);
    stint_column_i64(sheet, i++, whole(launches * figures.time_ns));
    stint_column_i64(sheet, i++, whole(launches * (figures.dram_read + figures.dram_written)));
    stint_column_i64(sheet, i++, whole(launches * figures.l2_bytes));
    stint_column_i64(sheet, i++, whole(launches * stint_fp64_flops(&figures)));
    stint_column_i64(sheet, i++, whole(launches * stint_fp32_flops(&figures)));
    stint_column_i64(sheet, i, whole(launches * stint_tensor_flops(&figures)));
    return 1;
}

void stint_html_counters_put(const struct stint_snapshot *snapshot, struct stint_html_strings *strings,
                             struct stint_json *json)
{
    void *context = (void *)(uintptr_t)snapshot;
    struct stint_sheet kernels = {STINT_COLUMNS(s_kernel_columns), .next = next_kernel, .context = context};
    struct stint_sheet scopes = {STINT_COLUMNS(s_scope_columns), .next = next_scope, .context = context};
    stint_column_put_table(json, strings, "counters", &kernels);
    put_lines(snapshot, json);
    stint_column_put_table(json, strings, "counter_scopes", &scopes);
}

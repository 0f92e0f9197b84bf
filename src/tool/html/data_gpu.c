/* Puts devices on the page: their memory, activities, what launched these, how kernels were launched; and hardware
 * counters. */
#include "html/data.h"

#include "formats/formats.h"
#include "html/page_json.h"
#include "model/model.h"
#include "verdict/verdict.h"

/* ------------------------------------------------------------------------------------------------------- activities */

/* The most expensive ones come first. */
enum { ACTIVITIES_MOST = 10000 };

static void put_activities(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column_members members = {
        STINT_ROWS_GPU_ACTIVITIES, 0, " kind name device context stream count total_ns min_ns max_ns bytes "};
    const struct stint_snapshot *snapshot = data->snapshot;
    const struct stint_gpu_activity *activities = snapshot->gpu_activities;
    struct stint_html_table peaks = {.strings = &data->strings, .keys = "bytes_per_s"};
    size_t all = snapshot->gpu_activity_count, count = all < ACTIVITIES_MOST ? all : ACTIVITIES_MOST;
    stint_column_put_members(json, &data->strings, "activities",
                             &(struct stint_column_rows){activities, sizeof *activities, count}, &members, 1);
    stint_json_key_u64(json, "activities_beyond", all - count);
    for (size_t i = 0; i < count; i++) {
        struct stint_gpu_device device = stint_gpu_device_of(snapshot, activities[i].device);
        stint_html_u64(&peaks, (uint64_t)stint_gpu_peak(&activities[i], &device));
    }
    stint_html_table_put(&peaks, json, "peaks");
}

/* Those of the most expensive activities come first. */
enum { CHARGES_MOST = 10000 };

static void put_charges(struct stint_page_data *data, struct stint_json *json)
{
    struct stint_html_table table = {.strings = &data->strings, .keys = "activity context count total"};
    size_t all = data->snapshot->gpu_charge_count, count = all < CHARGES_MOST ? all : CHARGES_MOST;
    for (size_t i = 0; i < count; i++) {
        const struct stint_gpu_charge *charge = &data->snapshot->gpu_charges[i];
        stint_html_u64(&table, charge->activity);
        stint_html_i64(&table, stint_html_context(&data->contexts, data->snapshot, charge->context));
        stint_html_u64(&table, charge->count);
        stint_html_u64(&table, charge->total_ns);
    }
    stint_html_table_put(&table, json, "charges");
    stint_json_key_u64(json, "charges_beyond", all - count);
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

static double ppm_of_percent(double percent)
{
    return 1e4 * percent;
}

static void put_kernels(const struct stint_snapshot *snapshot, struct stint_html_strings *strings,
                        struct stint_json *json)
{
    struct stint_html_table table = {
        .strings = strings, .keys = "name launches counted ns sm memory dram occupancy bound certainty fp64 suspect"};
    struct stint_kernel_figures figures;
    for (size_t next = 0; stint_counted_kernel_next(&figures, snapshot, &next);) {
        struct stint_verdict verdict = stint_verdict(&figures);
        int is_known = figures.counted && verdict.bound != STINT_BOUND_UNKNOWN;
        stint_html_text(&table, figures.kernel);
        stint_html_u64(&table, figures.launches);
        stint_html_u64(&table, figures.counted);
        stint_html_real(&table, figures.time_ns);
        stint_html_real(&table, ppm_of_percent(figures.sm));
        stint_html_real(&table, ppm_of_percent(figures.memory));
        stint_html_real(&table, ppm_of_percent(figures.dram));
        stint_html_real(&table, ppm_of_percent(figures.occupancy));
        stint_html_text(&table, is_known ? stint_bound_name(verdict.bound) : "");
        stint_html_text(&table, is_known ? stint_certainty_word(verdict.certainty) : "");
        stint_html_real(&table, stint_fp64_instructions(&figures));
        stint_html_i64(&table, stint_precision(&figures) == STINT_PRECISION_SUSPECT);
    }
    stint_html_table_put(&table, json, "counters");
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

/* Sums over the launches that were counted. */
static void put_counted_scopes(const struct stint_snapshot *snapshot, struct stint_html_strings *strings,
                               struct stint_json *json)
{
    struct stint_html_table table = {.strings = strings, .keys = "name counted ns dram l2 fp64 fp32 tensor"};
    struct stint_kernel_figures figures;
    for (size_t next = 0; stint_scope_figures_next(&figures, snapshot, &next);) {
        double launches = (double)figures.counted;
        stint_html_text(&table, figures.kernel);
        stint_html_u64(&table, figures.counted);
        stint_html_real(&table, launches * figures.time_ns);
        stint_html_real(&table, launches * (figures.dram_read + figures.dram_written));
        stint_html_real(&table, launches * figures.l2_bytes);
        stint_html_real(&table, launches * stint_fp64_flops(&figures));
        stint_html_real(&table, launches * stint_fp32_flops(&figures));
        stint_html_real(&table, launches * stint_tensor_flops(&figures));
    }
    stint_html_table_put(&table, json, "counter_scopes");
}

void stint_html_counters_put(const struct stint_snapshot *snapshot, struct stint_html_strings *strings,
                             struct stint_json *json)
{
    put_kernels(snapshot, strings, json);
    put_lines(snapshot, json);
    put_counted_scopes(snapshot, strings, json);
}

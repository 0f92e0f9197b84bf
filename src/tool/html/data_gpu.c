#include "html/column.h"
#include "html/data.h"
#include "report/gpu_sum.h"
#include "stat/occupancy.h"

static void put_devices(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "devices");
    for (size_t i = 0; i < snapshot->gpu_device_count; i++) {
        const struct stint_gpu_device *device = &snapshot->gpu_devices[i];
        stint_json_begin(json, "{");
        stint_json_key_u64(json, "id", device->id);
        stint_json_key_string(json, "name", device->name);
        stint_json_key_u64(json, "compute_major", device->compute_major);
        stint_json_key_u64(json, "compute_minor", device->compute_minor);
        stint_json_key_u64(json, "multiprocessors", device->multiprocessors);
        stint_json_key_u64(json, "memory_bytes", device->memory_bytes);
        stint_json_key_u64(json, "memory_bytes_per_s", device->memory_bytes_per_s);
        stint_json_key_u64(json, "link_bytes_per_s", device->link_bytes_per_s);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

static void put_memory(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "memory");
    for (size_t i = 0; i < snapshot->gpu_memory_count; i++) {
        const struct stint_gpu_memory *memory = &snapshot->gpu_memory[i];
        stint_json_begin(json, "{");
        stint_json_key_u64(json, "device", memory->device);
        stint_json_key_string(json, "kind", stint_gpu_memory_name(memory->kind));
        stint_json_key_bool(json, "pool", memory->pool);
        stint_json_key_u64(json, "allocations", memory->allocations);
        stint_json_key_u64(json, "frees", memory->frees);
        stint_json_key_u64(json, "current", memory->current_bytes);
        stint_json_key_u64(json, "peak", memory->peak_bytes);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

/* --------------------------------------------------------------------------------------------------------- activities */

#define ACTIVITY(name, value)                                                                                          \
    static int64_t activity_##name(const void *rows, size_t i)                                                         \
    {                                                                                                                  \
        const struct stint_gpu_activity *activity = (const struct stint_gpu_activity *)rows + i;                       \
        return stint_cell(value);                                                                                      \
    }

ACTIVITY(kind, (uint64_t)activity->kind)
ACTIVITY(device, activity->device)
ACTIVITY(context, activity->context)
ACTIVITY(stream, activity->stream)
ACTIVITY(count, activity->numbers.count)
ACTIVITY(total, activity->numbers.total_ns)
ACTIVITY(min, activity->numbers.min_ns)
ACTIVITY(max, activity->numbers.max_ns)
ACTIVITY(bytes, activity->bytes)

static const char *activity_name(const void *rows, size_t i)
{
    return ((const struct stint_gpu_activity *)rows)[i].name;
}

/* The most expensive ones come first. */
enum { ACTIVITIES_MOST = 10000 };

static void put_activities(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column_of columns[] = {
        {"kind", activity_kind, NULL},       {"name", NULL, activity_name},     {"device", activity_device, NULL},
        {"context", activity_context, NULL}, {"stream", activity_stream, NULL}, {"count", activity_count, NULL},
        {"total", activity_total, NULL},     {"min", activity_min, NULL},       {"max", activity_max, NULL},
        {"bytes", activity_bytes, NULL},
    };
    const struct stint_snapshot *snapshot = data->snapshot;
    size_t count = snapshot->gpu_activity_count < ACTIVITIES_MOST ? snapshot->gpu_activity_count : ACTIVITIES_MOST;
    stint_column_put_table(json, &data->strings, "activities", snapshot->gpu_activities, count, columns,
                           sizeof columns / sizeof columns[0]);
    stint_json_key_u64(json, "activities_beyond", snapshot->gpu_activity_count - count);
}

/* ------------------------------------------------------------------------------------------------------------ charges */

static const struct stint_gpu_charge *charge_at(const void *rows, size_t i)
{
    return &((const struct stint_page_data *)rows)->snapshot->gpu_charges[i];
}

static int64_t charge_activity(const void *rows, size_t i)
{
    return stint_cell(charge_at(rows, i)->activity);
}

static int64_t charge_context(const void *rows, size_t i)
{
    const struct stint_page_data *data = rows;
    return stint_html_context(&data->contexts, data->snapshot, charge_at(rows, i)->context);
}

static int64_t charge_count(const void *rows, size_t i)
{
    return stint_cell(charge_at(rows, i)->count);
}

static int64_t charge_total(const void *rows, size_t i)
{
    return stint_cell(charge_at(rows, i)->total_ns);
}

/* Those of the most expensive activities come first. */
enum { CHARGES_MOST = 10000 };

static void put_charges(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column_of columns[] = {
        {"activity", charge_activity, NULL},
        {"context", charge_context, NULL},
        {"count", charge_count, NULL},
        {"total", charge_total, NULL},
    };
    size_t all = data->snapshot->gpu_charge_count;
    size_t count = all < CHARGES_MOST ? all : CHARGES_MOST;
    stint_column_put_table(json, &data->strings, "charges", data, count, columns, sizeof columns / sizeof columns[0]);
    stint_json_key_u64(json, "charges_beyond", all - count);
}

/* ----------------------------------------------------------------------------------------------------------- launches */

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

static void put_occupancy(struct stint_json *json, const struct stint_what *what, const struct stint_snapshot *snapshot)
{
    static const char *const limits[] = {
        [STINT_OCCUPANCY_WARPS] = "warps",         [STINT_OCCUPANCY_BLOCKS] = "blocks",
        [STINT_OCCUPANCY_REGISTERS] = "registers", [STINT_OCCUPANCY_SHARED] = "shared memory",
        [STINT_OCCUPANCY_GRID] = "grid",
    };
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
    stint_json_key_string(json, "limit", limits[occupancy.limit]);
}

static void put_launch(struct stint_page_data *data, struct stint_json *json, const struct stint_what *what)
{
    stint_json_begin(json, "{");
    stint_json_key_u64(json, "name", stint_html_strings_add(&data->strings, what->name));
    stint_json_key_u64(json, "what", (uint64_t)(what - (const struct stint_what *)data->overview->whats.all.items));
    stint_json_key_u64(json, "device", what->device);
    put_dimensions(json, "grid", what->grid);
    put_dimensions(json, "block", what->block);
    stint_json_key_u64(json, "registers", what->registers);
    stint_json_key_u64(json, "static", what->static_shared);
    stint_json_key_u64(json, "dynamic", what->dynamic_shared);
    stint_json_key_u64(json, "count", what->count);
    stint_json_key_u64(json, "total", what->total_ns);
    stint_json_key_u64(json, "max", what->max_ns);
    put_occupancy(json, what, data->snapshot);
    stint_json_end(json, "}");
}

/* Kernels, once for each way in which they were launched. */
static void put_launches(struct stint_page_data *data, struct stint_json *json)
{
    const struct stint_what *whats = data->overview->whats.all.items;
    stint_json_begin_rows(json, "launches");
    for (size_t i = 0; i < data->overview->whats.all.count; i++)
        if (whats[i].kind == STINT_EVENT_DEVICE && whats[i].gpu_kind == STINT_GPU_KERNEL)
            put_launch(data, json, &whats[i]);
    stint_json_end(json, "]");
}

void stint_data_put_gpu(struct stint_page_data *data, struct stint_json *json)
{
    put_devices(json, data->snapshot);
    put_memory(json, data->snapshot);
    put_activities(data, json);
    put_charges(data, json);
    put_launches(data, json);
}

/* The builder's functions that add what GPUs did. */
#include <string.h>

#include "stat/builder.h"
#include "stat/numbers.h"

/* ------------------------------------------------------------------------------------------------------------ names */

static int same_name(const void *array, size_t position, const void *key)
{
    const char *const *names = ((const struct stint_builder *)array)->gpu_names.items;

    return strcmp(names[position], key) == 0;
}

/* Returns the builder's copy of a name: every event of a trace has a name, but there are few different ones. */
static const char *name_of(struct stint_builder *builder, const char *name)
{
    uint64_t hash = stint_hash(name, strlen(name), 0);
    size_t at = stint_index_find(&builder->gpu_name_index, hash, same_name, builder, name);
    const char **row;

    if (at != STINT_INDEX_NONE)
        return ((const char **)builder->gpu_names.items)[at];
    name = stint_builder_text(builder, name);
    row = stint_builder_row(builder, &builder->gpu_names, sizeof *row);
    if (!row)
        return "";
    *row = name;
    if (stint_index_add(&builder->gpu_name_index, stint_builder_arena(builder), hash, builder->gpu_names.count - 1))
        builder->failed = 1;
    return name;
}

/* ------------------------------------------------------------------------------------------------- info and devices */

void stint_builder_gpu_info(struct stint_builder *builder, const struct stint_gpu_info *info)
{
    struct stint_gpu_info *into = &builder->gpu;

    if (!into->collected) {
        into->collected = info->collected;
        into->status = info->status;
        into->reason = info->reason && *info->reason ? stint_builder_text(builder, info->reason) : "";
        into->cupti_version = info->cupti_version;
    }
    into->what |= info->what;
    into->early += info->early;
    into->reading_ns += info->reading_ns;
    if (info->clock_error_ns > into->clock_error_ns)
        into->clock_error_ns = info->clock_error_ns;
    if (info->cupti_kernel_ns > into->cupti_kernel_ns)
        into->cupti_kernel_ns = info->cupti_kernel_ns;
    if (info->cupti_call_ns > into->cupti_call_ns)
        into->cupti_call_ns = info->cupti_call_ns;
}

static struct stint_gpu_device *device_of(struct stint_builder *builder, uint32_t id)
{
    struct stint_gpu_device *rows = builder->gpu_devices.items;

    for (size_t i = 0; i < builder->gpu_devices.count; i++)
        if (rows[i].id == id)
            return &rows[i];
    rows = stint_builder_row(builder, &builder->gpu_devices, sizeof *rows);
    if (rows) {
        rows->id = id;
        rows->name = "";
    }
    return rows;
}

static void fill32(uint32_t *into, uint32_t value)
{
    if (!*into)
        *into = value;
}

static void fill64(uint64_t *into, uint64_t value)
{
    if (!*into)
        *into = value;
}

/* If two processes have different devices with the same id, the first one is kept: a mixture would describe neither. */
void stint_builder_gpu_device(struct stint_builder *builder, const struct stint_gpu_device *like)
{
    struct stint_gpu_device *row = device_of(builder, like->id);

    if (!row || (*row->name && *like->name && strcmp(row->name, like->name) != 0))
        return;
    if (!*row->name && *like->name)
        row->name = stint_builder_text(builder, like->name);
    fill32(&row->compute_major, like->compute_major);
    fill32(&row->compute_minor, like->compute_minor);
    fill32(&row->multiprocessors, like->multiprocessors);
    fill32(&row->core_clock_khz, like->core_clock_khz);
    fill64(&row->memory_bytes, like->memory_bytes);
    fill64(&row->memory_bytes_per_s, like->memory_bytes_per_s);
    fill64(&row->link_bytes_per_s, like->link_bytes_per_s);
}

static struct stint_gpu_memory *memory_of(struct stint_builder *builder, const struct stint_gpu_memory *like)
{
    struct stint_gpu_memory *rows = builder->gpu_memory.items;

    for (size_t i = 0; i < builder->gpu_memory.count; i++)
        if (rows[i].device == like->device && rows[i].kind == like->kind && rows[i].pool == like->pool)
            return &rows[i];
    rows = stint_builder_row(builder, &builder->gpu_memory, sizeof *rows);
    if (rows) {
        rows->device = like->device;
        rows->kind = like->kind;
        rows->pool = like->pool;
    }
    return rows;
}

/* Peaks are added up as well: memory must be enough even if all processes reach theirs at the same time. */
void stint_builder_gpu_memory(struct stint_builder *builder, const struct stint_gpu_memory *like)
{
    struct stint_gpu_memory *row = memory_of(builder, like);

    if (!row)
        return;
    row->allocations += like->allocations;
    row->frees += like->frees;
    row->current_bytes += like->current_bytes;
    row->peak_bytes += like->peak_bytes;
}

/* ------------------------------------------------------------------------------------------------------- activities */

static int same_activity(const void *array, size_t position, const void *key)
{
    const struct stint_gpu_activity *row =
        (const struct stint_gpu_activity *)((const struct stint_builder *)array)->gpu_activities.items + position;
    const struct stint_gpu_activity *like = key;

    return row->kind == like->kind && row->device == like->device && row->context == like->context &&
           row->stream == like->stream && strcmp(row->name, like->name) == 0 &&
           strcmp(row->mangled, like->mangled) == 0;
}

static uint64_t activity_hash(const struct stint_gpu_activity *activity)
{
    const uint32_t words[] = {(uint32_t)activity->kind, activity->device, activity->context, activity->stream};
    uint64_t name = stint_hash(activity->name, strlen(activity->name), 0);

    return stint_hash(words, sizeof words, stint_hash(activity->mangled, strlen(activity->mangled), name));
}

static struct stint_gpu_activity *new_activity(struct stint_builder *builder, const struct stint_gpu_activity *like)
{
    const char *name = name_of(builder, like->name), *mangled = name_of(builder, like->mangled);
    struct stint_gpu_activity *row = stint_builder_row(builder, &builder->gpu_activities, sizeof *row);

    if (!row)
        return NULL;
    row->kind = like->kind;
    row->direction = like->direction;
    row->wait = like->wait;
    row->name = name;
    row->mangled = mangled;
    row->device = like->device;
    row->context = like->context;
    row->stream = like->stream;
    return row;
}

size_t stint_builder_gpu_activity(struct stint_builder *builder, const struct stint_gpu_activity *like)
{
    uint64_t hash = activity_hash(like);
    size_t at = stint_index_find(&builder->gpu_activity_index, hash, same_activity, builder, like);

    if (at != STINT_INDEX_NONE)
        return at;
    if (!new_activity(builder, like))
        return 0;
    at = builder->gpu_activities.count - 1;
    if (stint_index_add(&builder->gpu_activity_index, stint_builder_arena(builder), hash, at))
        builder->failed = 1;
    return at;
}

void stint_builder_add_gpu_activity(struct stint_builder *builder, size_t activity,
                                    const struct stint_gpu_activity *like)
{
    if (builder->failed || !like->numbers.count)
        return;
    struct stint_gpu_activity *row = (struct stint_gpu_activity *)builder->gpu_activities.items + activity;
    if (!row->numbers.count || like->min_bytes < row->min_bytes)
        row->min_bytes = like->min_bytes;
    if (like->max_bytes > row->max_bytes)
        row->max_bytes = like->max_bytes;
    row->bytes += like->bytes;
    row->square_bytes2 += like->square_bytes2;
    if (stint_numbers_add(&row->numbers, &like->numbers, stint_builder_arena(builder)))
        builder->failed = 1;
    row->numbers.self_ns = row->numbers.total_ns;
}

/* ---------------------------------------------------------------------------------------------------------- charges */

static int same_charge(const void *array, size_t position, const void *key)
{
    const struct stint_gpu_charge *row =
        (const struct stint_gpu_charge *)((const struct stint_builder *)array)->gpu_charges.items + position;
    const struct stint_gpu_charge *like = key;

    return row->activity == like->activity && row->context == like->context;
}

static size_t known_context(const struct stint_builder *builder, size_t context)
{
    return context < builder->contexts.count || context == STINT_GPU_NO_SCOPE ? context : STINT_GPU_UNATTRIBUTED;
}

static struct stint_gpu_charge *charge_of(struct stint_builder *builder, size_t activity, size_t context)
{
    struct stint_gpu_charge like = {.activity = activity, .context = context};
    const size_t words[] = {activity, context};
    uint64_t hash = stint_hash(words, sizeof words, 0);
    size_t at = stint_index_find(&builder->gpu_charge_index, hash, same_charge, builder, &like);
    struct stint_gpu_charge *row;

    if (at != STINT_INDEX_NONE)
        return (struct stint_gpu_charge *)builder->gpu_charges.items + at;
    row = stint_builder_row(builder, &builder->gpu_charges, sizeof *row);
    if (!row)
        return NULL;
    *row = like;
    if (stint_index_add(&builder->gpu_charge_index, stint_builder_arena(builder), hash, builder->gpu_charges.count - 1))
        builder->failed = 1;
    return row;
}

void stint_builder_gpu_charge(struct stint_builder *builder, const struct stint_gpu_charge *like)
{
    if (builder->failed || !like->count)
        return;
    struct stint_gpu_charge *row = charge_of(builder, like->activity, known_context(builder, like->context));
    if (!row)
        return;
    if (!row->count || like->min_ns < row->min_ns)
        row->min_ns = like->min_ns;
    if (like->max_ns > row->max_ns)
        row->max_ns = like->max_ns;
    row->count += like->count;
    row->total_ns += like->total_ns;
    row->bytes += like->bytes;
}

/* ----------------------------------------------------------------------------------------------------------- events */

static size_t known_instance(const struct stint_builder *builder, size_t instance)
{
    return instance < builder->gpu_instances.count ? instance : STINT_GPU_NO_INSTANCE;
}

size_t stint_builder_gpu_instance(struct stint_builder *builder, size_t parent, size_t context)
{
    struct stint_gpu_instance like = {known_context(builder, context), known_instance(builder, parent)};
    struct stint_gpu_instance *row = stint_builder_row(builder, &builder->gpu_instances, sizeof *row);

    if (!row)
        return STINT_GPU_NO_INSTANCE;
    *row = like;
    return builder->gpu_instances.count - 1;
}

void stint_builder_gpu_event(struct stint_builder *builder, const struct stint_gpu_event *like)
{
    const char *name = builder->failed ? NULL : name_of(builder, like->name);
    struct stint_gpu_event *row = stint_builder_row(builder, &builder->gpu_events, sizeof *row);

    if (!row)
        return;
    *row = *like;
    row->name = name;
    row->context = known_context(builder, like->context);
    row->instance = known_instance(builder, like->instance);
}

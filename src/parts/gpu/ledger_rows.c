/* Writes the ledger into a snapshot: activities, their parts by calling context, memory, devices, and events on one
 * axis of time. Numbers of paths and instances become positions of rows, which are added when they are first needed. */
#include "gpu/activity_table.h"

#include "contexts/contexts.h"
#include "gpu/activity.h"
#include "gpu/callback.h"
#include "gpu/correlate.h"
#include "gpu/timeline.h"
#include "model/model.h"
#include "record/collect.h"
#include "record/registry.h"

struct writer {
    struct stint_builder *builder;
    struct stint_arena scratch;
    uint32_t last_path; /* the last path when writing began; no charge has a later one */
    uint32_t last_id;
    size_t *contexts; /* by path: position in the builder + 1; 0: not there yet */
    size_t *stats;    /* by id: as in `contexts` */
    uint32_t *below;  /* the paths from one path up to the root */
    uint32_t last_instance;
    size_t *instances;        /* by number: position in the builder + 1; 0: not there yet */
    uint32_t *below_instance; /* the instances from one up to the outermost */
    struct stint_bin *bins;   /* room for those of an activity */
    uint64_t early;
};

/* --------------------------------------------------------------------------------------------------------- contexts */

/* Parts of the tables that are not touched use no memory. */
static int begin(struct writer *writer, struct stint_builder *builder)
{
    *writer = (struct writer){.builder = builder, .last_path = stint_path_last()};
    writer->last_id = stint_registry_last_id(); /* read after the last path, so that no path has a later id */
    writer->contexts = stint_arena_alloc(&writer->scratch, ((size_t)writer->last_path + 1) * sizeof *writer->contexts);
    writer->below = stint_arena_alloc(&writer->scratch, ((size_t)writer->last_path + 1) * sizeof *writer->below);
    writer->stats = stint_arena_alloc(&writer->scratch, ((size_t)writer->last_id + 1) * sizeof *writer->stats);
    writer->last_instance = stint_instance_last();
    writer->instances =
        stint_arena_alloc(&writer->scratch, ((size_t)writer->last_instance + 1) * sizeof *writer->instances);
    writer->below_instance =
        stint_arena_alloc(&writer->scratch, ((size_t)writer->last_instance + 1) * sizeof *writer->below_instance);
    writer->bins = stint_arena_alloc(&writer->scratch, STINT_I_BUCKETS * sizeof *writer->bins);
    return writer->contexts && writer->below && writer->stats && writer->instances && writer->below_instance &&
                   writer->bins
               ? 0
               : -1;
}

static size_t stat_of(struct writer *writer, uint32_t id)
{
    if (!writer->stats[id])
        writer->stats[id] = stint_collect_stat(writer->builder, id) + 1;
    return writer->stats[id] - 1;
}

/* Adds the missing contexts from the root down. Does not recurse, because contexts may be nested to any depth. */
static size_t context_of(struct writer *writer, uint32_t path)
{
    size_t count = 0, parent;
    if (path == STINT_PATH_ROOT)
        return STINT_GPU_NO_SCOPE;
    if (path == STINT_PATH_NONE || path > writer->last_path)
        return STINT_GPU_UNATTRIBUTED;
    for (; path != STINT_PATH_ROOT && !writer->contexts[path]; path = stint_path_at(path).parent)
        writer->below[count++] = path;
    parent = path == STINT_PATH_ROOT ? STINT_NO_PARENT : writer->contexts[path] - 1;
    while (count) {
        path = writer->below[--count];
        parent = stint_builder_context(writer->builder, parent, stat_of(writer, stint_path_at(path).id));
        writer->contexts[path] = parent + 1;
    }
    return parent;
}

/* ------------------------------------------------------------------------------------------------------- activities */

static size_t add_activity(struct writer *writer, const struct stint_activity_entry *activity)
{
    struct stint_gpu_activity row = {
        .kind = activity->key.kind,
        .direction = stint_activity_direction(activity->key.kind, activity->what),
        .wait = stint_activity_wait(activity->key.kind, activity->what),
        .name = activity->name,
        .mangled = activity->mangled,
        .device = activity->key.device,
        .context = activity->key.context,
        .stream = activity->key.stream,
        .bytes = activity->sum.bytes,
        .min_bytes = activity->min_bytes,
        .max_bytes = activity->max_bytes,
        .square_bytes2 = activity->square_bytes2,
        .numbers = {.count = activity->sum.count,
                    .total_ns = activity->sum.total_ns,
                    .self_ns = activity->sum.total_ns,
                    .min_ns = activity->sum.min_ns,
                    .max_ns = activity->sum.max_ns,
                    .square_ns2 = activity->square_ns2,
                    .bins = writer->bins},
    };
    row.numbers.bin_count = stint_activities_bins(activity, writer->bins);
    size_t position = stint_builder_gpu_activity(writer->builder, &row);
    stint_builder_add_gpu_activity(writer->builder, position, &row);
    return position;
}

static void add_charge(struct writer *writer, size_t activity, size_t context, const struct stint_activity_sum *sum)
{
    struct stint_gpu_charge row = {
        .activity = activity,
        .context = context,
        .count = sum->count,
        .total_ns = sum->total_ns,
        .min_ns = sum->min_ns,
        .max_ns = sum->max_ns,
        .bytes = sum->bytes,
    };
    if (sum->count)
        stint_builder_add(writer->builder, STINT_ROWS_GPU_CHARGES, &row);
}

static void add_books(struct writer *writer)
{
    size_t activities = stint_activities_activity_count(), charges = stint_activities_charge_count();
    size_t *rows = stint_arena_alloc(&writer->scratch, activities * sizeof *rows);
    if (!rows) {
        writer->builder->failed = 1;
        return;
    }
    for (size_t i = 0; i < activities; i++) {
        const struct stint_activity_entry *activity = stint_activities_activity(i);
        rows[i] = add_activity(writer, activity);
        add_charge(writer, rows[i], STINT_GPU_NO_SCOPE, &activity->no_scope);
        add_charge(writer, rows[i], STINT_GPU_UNATTRIBUTED, &activity->unattributed);
    }
    for (size_t i = 0; i < charges; i++) {
        const struct stint_activity_charge *charge = stint_activities_charge(i);
        if (charge->activity < activities)
            add_charge(writer, rows[charge->activity], context_of(writer, charge->path), &charge->sum);
    }
}

/* --------------------------------------------------------------------------------------------------------- hardware */

static void add_memory(struct writer *writer)
{
    const struct stint_gpu_memory *memory;
    for (size_t i = 0; (memory = stint_memory_at(i)); i++)
        if (memory->allocations || memory->frees || memory->current_bytes)
            stint_builder_add(writer->builder, STINT_ROWS_GPU_MEMORY, memory);
}

/* Whether the activity runs on a device. Records of other activities (waits, overheads) may name a device, too. */
static int is_on_device(const struct stint_activity_entry *activity)
{
    return activity->key.kind <= STINT_GPU_SPAN;
}

static int is_used(uint32_t device)
{
    const struct stint_gpu_memory *memory;
    for (size_t i = 0, count = stint_activities_activity_count(); i < count; i++)
        if (stint_activities_activity(i)->key.device == device && is_on_device(stint_activities_activity(i)))
            return 1;
    for (size_t i = 0; (memory = stint_memory_at(i)); i++)
        if (memory->device == device)
            return 1;
    return 0;
}

static void add_used(struct writer *writer, uint32_t device)
{
    stint_builder_add(writer->builder, STINT_ROWS_GPU_DEVICES, &(struct stint_gpu_device){.id = device, .name = ""});
}

/* Adds the devices that were used, whether or not anything is known of them. */
static void add_devices(struct writer *writer)
{
    const struct stint_gpu_device *device;
    const struct stint_gpu_memory *memory;
    for (size_t i = 0; (device = stint_devices_at(i)); i++)
        if (is_used(device->id))
            stint_builder_add(writer->builder, STINT_ROWS_GPU_DEVICES, device);
    for (size_t i = 0, count = stint_activities_activity_count(); i < count; i++)
        if (is_on_device(stint_activities_activity(i)))
            add_used(writer, stint_activities_activity(i)->key.device);
    for (size_t i = 0; (memory = stint_memory_at(i)); i++)
        add_used(writer, memory->device);
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* As context_of, for instances: adds the missing ones from the outermost down. */
static size_t instance_of(struct writer *writer, uint32_t number)
{
    size_t count = 0, parent;
    if (!number || number > writer->last_instance)
        return STINT_GPU_NO_INSTANCE;
    for (; number && !writer->instances[number]; number = stint_instance_at(number).parent)
        writer->below_instance[count++] = number;
    parent = number ? writer->instances[number] - 1 : STINT_GPU_NO_INSTANCE;
    while (count) {
        number = writer->below_instance[--count];
        parent =
            stint_builder_add(writer->builder, STINT_ROWS_GPU_INSTANCES,
                              &(struct stint_gpu_instance){context_of(writer, stint_instance_at(number).path), parent});
        writer->instances[number] = parent + 1;
    }
    return parent;
}

static void add_events(struct writer *writer, const struct stint_timeline *timeline)
{
    size_t slots = stint_trace_slots();
    struct stint_trace_event traced;
    for (size_t i = 0; i < slots; i++) {
        struct stint_gpu_event event;
        if (!stint_trace_read(i, &traced))
            continue;
        writer->early += (uint64_t)stint_trace_place(timeline, &traced, &event);
        event.context = context_of(writer, (uint32_t)traced.event.context);
        event.instance = instance_of(writer, traced.instance);
        stint_builder_add(writer->builder, STINT_ROWS_GPU_EVENTS, &event);
    }
}

/* ------------------------------------------------------------------------------------------------------------ whole */

void stint_ledger_add_rows(struct stint_builder *builder)
{
    struct stint_timeline_clock clock = stint_timeline_clock_now();
    struct stint_timeline timeline;
    struct writer writer;
    stint_timeline_make(&timeline, &clock);
    if (begin(&writer, builder)) {
        builder->failed = 1;
    } else {
        add_books(&writer);
        add_memory(&writer);
        add_devices(&writer);
        add_events(&writer, &timeline);
        stint_builder_add(builder, STINT_ROWS_GPU,
                          &(struct stint_gpu_info){.clock_error_ns = timeline.error_ns,
                                                   .early = writer.early,
                                                   .reading_ns = stint_ledger_reading(0),
                                                   .reason = ""});
    }
    stint_arena_free(&writer.scratch);
}

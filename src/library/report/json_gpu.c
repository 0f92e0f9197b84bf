/* What GPUs did, in JSON. */
#include <string.h>

#include "report/json.h"
#include "stat/words.h"

static const char *kind_name(enum stint_gpu_kind kind)
{
    return (unsigned)kind < STINT_GPU_KINDS ? stint_gpu_kind_words[kind] : "";
}

static const char *memory_name(enum stint_gpu_memory_kind kind)
{
    return (unsigned)kind < STINT_GPU_MEMORY_KINDS ? stint_gpu_memory_words[kind] : "";
}

/* A place in `contexts`, or which of the two others it is. */
static void key_context(struct stint_json *json, size_t context)
{
    if (context == STINT_GPU_NO_SCOPE)
        stint_json_key_string(json, "context", "(no scope)");
    else if (context == STINT_GPU_UNATTRIBUTED)
        stint_json_key_string(json, "context", "(unattributed)");
    else
        stint_json_key_u64(json, "context", context);
}

/* ---------------------------------------------------------------------------------------------------------- together */

static void put_info(struct stint_json *json, const struct stint_gpu_info *info)
{
    stint_json_new_line(json);
    stint_json_key(json, "gpu");
    stint_json_begin(json, "{");
    stint_json_key_bool(json, "collected", info->collected);
    stint_json_key_string(json, "status", stint_status_name(info->status));
    stint_json_key_string(json, "reason", info->reason ? info->reason : "");
    stint_json_key_u64(json, "what", info->what);
    stint_json_key_u64(json, "cupti_version", info->cupti_version);
    stint_json_key_number(json, "clock_error_ns", info->clock_error_ns);
    stint_json_key_u64(json, "early", info->early);
    stint_json_end(json, "}");
}

static void put_devices(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "gpu_devices");
    for (size_t i = 0; i < snapshot->gpu_device_count; i++) {
        const struct stint_gpu_device *device = &snapshot->gpu_devices[i];
        stint_json_begin_row(json);
        stint_json_key_u64(json, "id", device->id);
        stint_json_key_string(json, "name", device->name);
        stint_json_key_u64(json, "compute_major", device->compute_major);
        stint_json_key_u64(json, "compute_minor", device->compute_minor);
        stint_json_key_u64(json, "multiprocessors", device->multiprocessors);
        stint_json_key_u64(json, "core_clock_khz", device->core_clock_khz);
        stint_json_key_u64(json, "memory_bytes", device->memory_bytes);
        stint_json_key_u64(json, "memory_bytes_per_s", device->memory_bytes_per_s);
        stint_json_key_u64(json, "link_bytes_per_s", device->link_bytes_per_s);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

static void put_memory(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "gpu_memory");
    for (size_t i = 0; i < snapshot->gpu_memory_count; i++) {
        const struct stint_gpu_memory *memory = &snapshot->gpu_memory[i];
        stint_json_begin_row(json);
        stint_json_key_u64(json, "device", memory->device);
        stint_json_key_string(json, "kind", memory_name(memory->kind));
        stint_json_key_bool(json, "pool", memory->pool);
        stint_json_key_u64(json, "allocations", memory->allocations);
        stint_json_key_u64(json, "frees", memory->frees);
        stint_json_key_u64(json, "current_bytes", memory->current_bytes);
        stint_json_key_u64(json, "peak_bytes", memory->peak_bytes);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

static void put_activities(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "gpu_activities");
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        stint_json_begin_row(json);
        stint_json_key_string(json, "kind", kind_name(activity->kind));
        stint_json_key_string(json, "name", activity->name);
        stint_json_key_string(json, "mangled", activity->mangled);
        stint_json_key_u64(json, "device", activity->device);
        stint_json_key_u64(json, "context", activity->context);
        stint_json_key_u64(json, "stream", activity->stream);
        stint_json_put_numbers(json, &activity->numbers);
        stint_json_key_u64(json, "bytes", activity->bytes);
        stint_json_key_u64(json, "min_bytes", activity->min_bytes);
        stint_json_key_u64(json, "max_bytes", activity->max_bytes);
        stint_json_key_number(json, "square_bytes2", activity->square_bytes2);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

static void put_charges(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "gpu_charges");
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++) {
        const struct stint_gpu_charge *charge = &snapshot->gpu_charges[i];
        stint_json_begin_row(json);
        stint_json_key_u64(json, "activity", charge->activity);
        key_context(json, charge->context);
        stint_json_key_u64(json, "count", charge->count);
        stint_json_key_u64(json, "total_ns", charge->total_ns);
        stint_json_key_u64(json, "min_ns", charge->min_ns);
        stint_json_key_u64(json, "max_ns", charge->max_ns);
        stint_json_key_u64(json, "bytes", charge->bytes);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

/* -------------------------------------------------------------------------------------------------------------- events */

static void key_dimensions(struct stint_json *json, const char *name, const uint32_t dimensions[3])
{
    stint_json_key(json, name);
    stint_json_begin(json, "[");
    for (size_t i = 0; i < 3; i++)
        stint_json_u64(json, dimensions[i]);
    stint_json_end(json, "]");
}

static void put_launch(struct stint_json *json, const struct stint_gpu_event *event)
{
    key_dimensions(json, "grid", event->grid);
    key_dimensions(json, "block", event->block);
    stint_json_key_u64(json, "registers", event->registers);
    stint_json_key_u64(json, "static_shared", event->static_shared);
    stint_json_key_u64(json, "dynamic_shared", event->dynamic_shared);
}

/* Events are many: what one does not have is left out. */
static void put_gpu_event(struct stint_json *json, const struct stint_gpu_event *event)
{
    stint_json_key_u64(json, "device", event->device);
    stint_json_key_u64(json, "device_context", event->device_context);
    stint_json_key_u64(json, "stream", event->stream);
    if (event->kind == STINT_GPU_KERNEL)
        put_launch(json, event);
    if (event->bytes)
        stint_json_key_u64(json, "bytes", event->bytes);
    if (event->source)
        stint_json_key_string(json, "source", memory_name(event->source));
    if (event->destination)
        stint_json_key_string(json, "destination", memory_name(event->destination));
    if (event->graph) {
        stint_json_key_u64(json, "graph", event->graph);
        stint_json_key_u64(json, "graph_node", event->graph_node);
    }
    if (event->peer) {
        stint_json_key_u64(json, "peer_device", event->peer_device);
        stint_json_key_u64(json, "peer_context", event->peer_context);
    }
}

static void put_instances(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "gpu_instances");
    for (size_t i = 0; i < snapshot->gpu_instance_count; i++) {
        stint_json_begin_row(json);
        key_context(json, snapshot->gpu_instances[i].context);
        stint_json_key_index(json, "parent", snapshot->gpu_instances[i].parent);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

static void put_events(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "gpu_events");
    for (size_t i = 0; i < snapshot->gpu_event_count; i++) {
        const struct stint_gpu_event *event = &snapshot->gpu_events[i];
        stint_json_begin_row(json);
        stint_json_key_string(json, "kind", event->api ? stint_gpu_kind_words[STINT_WORD_API] : kind_name(event->kind));
        stint_json_key_string(json, "name", event->name);
        stint_json_key_u64(json, "start_ns", event->start_ns);
        stint_json_key_u64(json, "end_ns", event->end_ns);
        stint_json_key_u64(json, "correlation", event->correlation);
        key_context(json, event->context);
        if (event->instance < snapshot->gpu_instance_count)
            stint_json_key_u64(json, "instance", event->instance);
        if (event->tid)
            stint_json_key_i64(json, "tid", event->tid);
        if (!event->api)
            put_gpu_event(json, event);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

/* ------------------------------------------------------------------------------------------------------------- scopes */

void stint_json_key_use(struct stint_json *json, const char *name, const struct stint_gpu_use *use)
{
    static const struct stint_gpu_use nothing;
    if (memcmp(use, &nothing, sizeof nothing) == 0)
        return;
    stint_json_key(json, name);
    stint_json_begin(json, "{");
    stint_json_key_u64(json, "kernels", use->kernels);
    stint_json_key_u64(json, "kernel_ns", use->kernel_ns);
    stint_json_key_u64(json, "copies", use->copies);
    stint_json_key_u64(json, "copy_ns", use->copy_ns);
    stint_json_key_u64(json, "copy_bytes", use->copy_bytes);
    stint_json_key_u64(json, "sets", use->sets);
    stint_json_key_u64(json, "set_ns", use->set_ns);
    stint_json_key_u64(json, "set_bytes", use->set_bytes);
    stint_json_key_u64(json, "spans", use->spans);
    stint_json_key_u64(json, "span_ns", use->span_ns);
    stint_json_key_u64(json, "launches", use->launches);
    stint_json_key_u64(json, "launch_ns", use->launch_ns);
    stint_json_end(json, "}");
}

void stint_json_put_gpu(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    put_info(json, &snapshot->gpu);
    put_devices(json, snapshot);
    put_memory(json, snapshot);
    put_activities(json, snapshot);
    put_charges(json, snapshot);
    put_instances(json, snapshot);
    put_events(json, snapshot);
}

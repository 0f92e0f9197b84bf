/* What GPUs did, as src/library/report/json_gpu.c wrote it. */
#include <math.h>
#include <string.h>

#include "import/read_sections.h"
#include "stat/words.h"

/* Returns the position of `name` among `count` names; fails if it is none of them, and returns 0. */
static unsigned choose(struct stint_reader *reader, const char *const *names, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    stint_reader_fail(reader, reader->at, "\"%.40s\" is not known here", name);
    return 0;
}

static enum stint_gpu_memory_kind choose_memory(struct stint_reader *reader, const char *name)
{
    return (enum stint_gpu_memory_kind)choose(reader, stint_gpu_memory_words, STINT_GPU_MEMORY_KINDS, name);
}

/* Reads "context": a place in contexts, or one of the two words for none. */
static void read_context(struct stint_reader *reader, void *context)
{
    static const char *const names[] = {"(no scope)", "(unattributed)"};
    reader->at += strspn(reader->at, " \t\r\n");
    if (*reader->at == '"')
        *(size_t *)context = STINT_GPU_NO_SCOPE - choose(reader, names, 2, stint_reader_text(reader));
    else
        *(size_t *)context = (size_t)stint_reader_u64(reader);
}

static size_t context_of(struct stint_import *import, const char *place)
{
    size_t context = STINT_GPU_UNATTRIBUTED;
    stint_reader_visit(import->reader, place, read_context, &context);
    if (context == STINT_GPU_NO_SCOPE || context == STINT_GPU_UNATTRIBUTED)
        return context;
    return stint_import_row(import, &import->contexts, context, "calling context");
}

/* ----------------------------------------------------------------------------------------------------------- together */

struct info_row {
    struct stint_gpu_info info;
    const char *status;
    uint32_t what;
};

/* A status of a later version is an error of some kind. */
static enum stint_status status_of(const char *name)
{
    for (int status = STINT_OK; status < 64; status++)
        if (strcmp(stint_status_name((enum stint_status)status), name) == 0)
            return (enum stint_status)status;
    return STINT_ERROR_UNAVAILABLE;
}

static void read_info(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD(struct info_row, "collected", SWITCH, info.collected),
        STINT_FIELD(struct info_row, "status", TEXT, status),
        STINT_FIELD(struct info_row, "reason", TEXT, info.reason),
        STINT_FIELD(struct info_row, "what", U32, what),
        STINT_FIELD(struct info_row, "cupti_version", U32, info.cupti_version),
        STINT_FIELD(struct info_row, "clock_error_ns", NUMBER, info.clock_error_ns),
        STINT_FIELD(struct info_row, "early", U64, info.early),
    };
    struct info_row row = {.info.reason = "", .status = "STINT_OK"};
    STINT_READER_ROW(reader, fields, &row);
    row.info.status = status_of(row.status);
    row.info.what = row.what;
    stint_builder_gpu_info(context, &row.info);
}

static void read_devices(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct stint_gpu_device, "id", U32, id),
        STINT_FIELD(struct stint_gpu_device, "name", TEXT, name),
        STINT_FIELD(struct stint_gpu_device, "compute_major", U32, compute_major),
        STINT_FIELD(struct stint_gpu_device, "compute_minor", U32, compute_minor),
        STINT_FIELD(struct stint_gpu_device, "multiprocessors", U32, multiprocessors),
        STINT_FIELD(struct stint_gpu_device, "core_clock_khz", U32, core_clock_khz),
        STINT_FIELD(struct stint_gpu_device, "memory_bytes", U64, memory_bytes),
        STINT_FIELD(struct stint_gpu_device, "memory_bytes_per_s", U64, memory_bytes_per_s),
        STINT_FIELD(struct stint_gpu_device, "link_bytes_per_s", U64, link_bytes_per_s),
    };
    struct stint_import *import = context;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        struct stint_gpu_device row = {.name = ""};
        STINT_READER_ROW(reader, fields, &row);
        stint_builder_gpu_device(&import->builder, &row);
    }
}

struct memory_row {
    struct stint_gpu_memory memory;
    const char *kind;
};

static void read_memory(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct memory_row, "device", U32, memory.device),
        STINT_FIELD_NEEDED(struct memory_row, "kind", TEXT, kind),
        STINT_FIELD(struct memory_row, "pool", SWITCH, memory.pool),
        STINT_FIELD(struct memory_row, "allocations", U64, memory.allocations),
        STINT_FIELD(struct memory_row, "frees", U64, memory.frees),
        STINT_FIELD(struct memory_row, "current_bytes", U64, memory.current_bytes),
        STINT_FIELD(struct memory_row, "peak_bytes", U64, memory.peak_bytes),
    };
    struct stint_import *import = context;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        struct memory_row row = {.kind = ""};
        STINT_READER_ROW(reader, fields, &row);
        row.memory.kind = choose_memory(reader, row.kind);
        stint_builder_gpu_memory(&import->builder, &row.memory);
    }
}

/* --------------------------------------------------------------------------------------------------------- activities */

struct activity_row {
    struct stint_gpu_activity activity;
    const char *kind, *bins;
    double stddev_ns;
};

static void add_activity(struct stint_import *import, struct activity_row *row)
{
    row->activity.kind = (enum stint_gpu_kind)choose(import->reader, stint_gpu_kind_words, STINT_GPU_KINDS, row->kind);
    stint_import_complete(import, &row->activity.numbers, row->bins, row->stddev_ns);
    if (import->reader->status)
        return;
    size_t activity = stint_builder_gpu_activity(&import->builder, &row->activity);
    stint_builder_add_gpu_activity(&import->builder, activity, &row->activity);
    stint_import_note(import, &import->activities, activity);
}

static void read_activities(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct activity_row, "kind", TEXT, kind),
        STINT_FIELD_NEEDED(struct activity_row, "name", TEXT, activity.name),
        STINT_FIELD(struct activity_row, "mangled", TEXT, activity.mangled),
        STINT_FIELD(struct activity_row, "device", U32, activity.device),
        STINT_FIELD(struct activity_row, "context", U32, activity.context),
        STINT_FIELD(struct activity_row, "stream", U32, activity.stream),
        STINT_IMPORT_NUMBERS(struct activity_row, activity.numbers),
        STINT_FIELD(struct activity_row, "stddev_ns", NUMBER, stddev_ns),
        STINT_FIELD(struct activity_row, "bins", PLACE, bins),
        STINT_FIELD(struct activity_row, "bytes", U64, activity.bytes),
        STINT_FIELD(struct activity_row, "min_bytes", U64, activity.min_bytes),
        STINT_FIELD(struct activity_row, "max_bytes", U64, activity.max_bytes),
        STINT_FIELD(struct activity_row, "square_bytes2", NUMBER, activity.square_bytes2),
    };
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        struct activity_row row = {.activity = {.mangled = "", .numbers.square_ns2 = -1}, .stddev_ns = NAN};
        STINT_READER_ROW(reader, fields, &row);
        if (!reader->status)
            add_activity(context, &row);
    }
}

struct charge_row {
    struct stint_gpu_charge charge;
    const char *context;
};

static void read_charges(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct charge_row, "activity", INDEX, charge.activity),
        STINT_FIELD_NEEDED(struct charge_row, "context", PLACE, context),
        STINT_FIELD(struct charge_row, "count", U64, charge.count),
        STINT_FIELD(struct charge_row, "total_ns", U64, charge.total_ns),
        STINT_FIELD(struct charge_row, "min_ns", U64, charge.min_ns),
        STINT_FIELD(struct charge_row, "max_ns", U64, charge.max_ns),
        STINT_FIELD(struct charge_row, "bytes", U64, charge.bytes),
    };
    struct stint_import *import = context;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        struct charge_row row = {0};
        STINT_READER_ROW(reader, fields, &row);
        row.charge.context = context_of(import, row.context);
        row.charge.activity = stint_import_row(import, &import->activities, row.charge.activity, "activity");
        if (!reader->status)
            stint_builder_gpu_charge(&import->builder, &row.charge);
    }
}

/* ---------------------------------------------------------------------------------------------------------- instances */

struct instance_row {
    const char *context;
    size_t parent;
};

static void read_instances(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct instance_row, "context", PLACE, context),
        STINT_FIELD(struct instance_row, "parent", INDEX, parent),
    };
    struct stint_import *import = context;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        struct instance_row row = {.parent = STINT_GPU_NO_INSTANCE};
        STINT_READER_ROW(reader, fields, &row);
        size_t at = context_of(import, row.context);
        if (row.parent != STINT_GPU_NO_INSTANCE)
            row.parent = stint_import_row(import, &import->instances, row.parent, "instance in front of this one");
        if (!reader->status)
            stint_import_note(import, &import->instances, stint_builder_gpu_instance(&import->builder, row.parent, at));
    }
}

/* ------------------------------------------------------------------------------------------------------------- events */

struct event_row {
    struct stint_gpu_event event;
    const char *kind, *context, *grid, *block, *source, *destination;
    uint64_t peer_device, peer_context; /* of the former, UINT64_MAX: not there */
};

static void read_dimensions(struct stint_reader *reader, void *context)
{
    uint32_t *dimensions = context;
    size_t count = 0;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    for (; stint_reader_next(reader, &list); count++) {
        uint64_t value = stint_reader_u64(reader);
        if (count == 3 || value > UINT32_MAX)
            stint_reader_fail(reader, reader->at, "a grid or block is three numbers");
        else
            dimensions[count] = (uint32_t)value;
    }
}

static void add_event(struct stint_import *import, struct event_row *row)
{
    struct stint_reader *reader = import->reader;
    struct stint_gpu_event *event = &row->event;
    unsigned kind = choose(reader, stint_gpu_kind_words, STINT_GPU_KINDS + 1, row->kind);
    event->api = kind == STINT_WORD_API;
    event->kind = kind == STINT_WORD_API ? STINT_GPU_KERNEL : (enum stint_gpu_kind)kind;
    event->source = choose_memory(reader, row->source);
    event->destination = choose_memory(reader, row->destination);
    event->context = context_of(import, row->context);
    if (event->instance != STINT_GPU_NO_INSTANCE)
        event->instance = stint_import_row(import, &import->instances, event->instance, "instance");
    event->peer = row->peer_device != UINT64_MAX;
    event->peer_device = event->peer ? (uint32_t)row->peer_device : 0;
    event->peer_context = (uint32_t)row->peer_context;
    stint_reader_visit(reader, row->grid, read_dimensions, event->grid);
    stint_reader_visit(reader, row->block, read_dimensions, event->block);
    if (!reader->status)
        stint_builder_gpu_event(&import->builder, event);
}

static void read_events(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct event_row, "kind", TEXT, kind),
        STINT_FIELD_NEEDED(struct event_row, "name", TEXT, event.name),
        STINT_FIELD(struct event_row, "start_ns", U64, event.start_ns),
        STINT_FIELD(struct event_row, "end_ns", U64, event.end_ns),
        STINT_FIELD(struct event_row, "correlation", U64, event.correlation),
        STINT_FIELD(struct event_row, "context", PLACE, context),
        STINT_FIELD(struct event_row, "instance", INDEX, event.instance),
        STINT_FIELD(struct event_row, "tid", I64, event.tid),
        STINT_FIELD(struct event_row, "device", U32, event.device),
        STINT_FIELD(struct event_row, "device_context", U32, event.device_context),
        STINT_FIELD(struct event_row, "stream", U32, event.stream),
        STINT_FIELD(struct event_row, "grid", PLACE, grid),
        STINT_FIELD(struct event_row, "block", PLACE, block),
        STINT_FIELD(struct event_row, "registers", U32, event.registers),
        STINT_FIELD(struct event_row, "static_shared", U32, event.static_shared),
        STINT_FIELD(struct event_row, "dynamic_shared", U32, event.dynamic_shared),
        STINT_FIELD(struct event_row, "graph", U32, event.graph),
        STINT_FIELD(struct event_row, "graph_node", U64, event.graph_node),
        STINT_FIELD(struct event_row, "bytes", U64, event.bytes),
        STINT_FIELD(struct event_row, "source", TEXT, source),
        STINT_FIELD(struct event_row, "destination", TEXT, destination),
        STINT_FIELD(struct event_row, "peer_device", U64, peer_device),
        STINT_FIELD(struct event_row, "peer_context", U64, peer_context),
    };
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        struct event_row row = {.event.instance = STINT_GPU_NO_INSTANCE,
                                .source = "unknown",
                                .destination = "unknown",
                                .peer_device = UINT64_MAX};
        STINT_READER_ROW(reader, fields, &row);
        if (!reader->status)
            add_event(context, &row);
    }
}

void stint_import_gpu(struct stint_import *import, const struct stint_places *places)
{
    struct stint_reader *reader = import->reader;
    stint_reader_visit(reader, places->gpu, read_info, &import->builder);
    stint_reader_visit(reader, places->gpu_devices, read_devices, import);
    stint_reader_visit(reader, places->gpu_memory, read_memory, import);
    stint_reader_visit(reader, places->gpu_activities, read_activities, import);
    stint_reader_visit(reader, places->gpu_charges, read_charges, import);
    stint_reader_visit(reader, places->gpu_instances, read_instances, import);
    stint_reader_visit(reader, places->gpu_events, read_events, import);
}

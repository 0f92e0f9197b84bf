/* Names and other texts of Perfetto's traces, which packets refer to by number once they have been told. */
#include <stdio.h>
#include <string.h>

#include "export/perfetto.h"
#include "report/gpu_sum.h"

/* InternedData, and the fields of its entries. */
enum {
    CATEGORIES = 1,
    NAMES = 2,
    PLACES = 4,
    CONTEXTS = 23,
    SPECIFICATIONS = 24,
    KERNELS = 1000,
    ARGUMENT_NAMES = 1001,
    ENTRY_ID = 1,
    ENTRY_NAME = 2
};

enum { NAMES_MOST = 1 << 18, FIRST_QUEUE = 16 };

struct stint_perfetto_name {
    const char *text;
    int is_kernel;
};

struct stint_perfetto_context {
    int64_t pid;
    uint32_t context;
};

void stint_perfetto_entry(struct stint_perfetto *perfetto, uint32_t field, uint64_t id, const char *text)
{
    STINT_PROTO_MESSAGE(&perfetto->interned, field, {ENTRY_ID, .value = id}, {ENTRY_NAME, .text = text});
}

/* Writes the name of a stage and its category: compute, or other. */
static void put_stage(struct stint_perfetto *perfetto, uint64_t id, const char *name, int is_compute)
{
    enum { CATEGORY = 4, OTHER = 0, COMPUTE = 2 };
    STINT_PROTO_MESSAGE(&perfetto->interned, SPECIFICATIONS, {ENTRY_ID, .value = id}, {ENTRY_NAME, .text = name},
                        {CATEGORY, .value = is_compute ? COMPUTE : OTHER});
}

void stint_perfetto_intern_fixed(struct stint_perfetto *perfetto)
{
#define TEXT(id, name) [STINT_PERFETTO_##id] = name,
    static const char *const categories[] = {STINT_PERFETTO_CATEGORIES(TEXT)};
    static const char *const stages[] = {STINT_PERFETTO_STAGES(TEXT)};
    static const char *const arguments[] = {STINT_PERFETTO_ARGUMENTS(TEXT)};
    for (size_t i = 1; i < sizeof categories / sizeof categories[0]; i++)
        stint_perfetto_entry(perfetto, CATEGORIES, i, categories[i]);
    for (size_t i = 1; i < sizeof stages / sizeof stages[0]; i++)
        put_stage(perfetto, i, stages[i], i == STINT_PERFETTO_KERNEL);
    for (size_t i = 1; i < sizeof arguments / sizeof arguments[0]; i++)
        stint_perfetto_entry(perfetto, ARGUMENT_NAMES, i, arguments[i]);
}

/* ------------------------------------------------------------------------------------------------------------ names */

static const struct stint_table_key s_name = STINT_TABLE_KEY_COPYING(struct stint_perfetto_name, text);

uint64_t stint_perfetto_name(struct stint_perfetto *perfetto, const char *name)
{
    size_t count = perfetto->names.count;
    struct stint_perfetto_name like = {.text = name};
    const void *row = count < NAMES_MOST
                          ? stint_table_take(&perfetto->names, &s_name, &perfetto->walk.tracks.arena, &like)
                          : stint_table_find(&perfetto->names, &s_name, &like);
    size_t number = stint_table_position(&perfetto->names, &s_name, row) + 1;
    if (perfetto->names.count > count)
        stint_perfetto_entry(perfetto, NAMES, number, name);
    return number;
}

uint64_t stint_perfetto_scope_name(struct stint_perfetto *perfetto, size_t stat, const char *name)
{
    uint32_t *known = &perfetto->stats[stat].name;
    if (!*known || strcmp(((const struct stint_perfetto_name *)perfetto->names.items)[*known - 1].text, name) != 0)
        *known = (uint32_t)stint_perfetto_name(perfetto, name);
    return *known;
}

/* Returns the number of the kernel's name. */
uint64_t stint_perfetto_kernel(struct stint_perfetto *perfetto, uint64_t name, const struct stint_event *event)
{
    enum { DEMANGLED_NAME = 3, ARCHITECTURE = 4 };
    struct stint_perfetto_name *item = name ? (struct stint_perfetto_name *)perfetto->names.items + name - 1 : NULL;
    if (!item || item->is_kernel)
        return name;
    struct stint_gpu_device device = stint_gpu_device_of(perfetto->walk.snapshot, event->gpu->device);
    char architecture[32];
    size_t entry = stint_proto_begin(&perfetto->interned, KERNELS);
    (void)snprintf(architecture, sizeof architecture, "sm_%u%u", device.compute_major, device.compute_minor);
    stint_proto_u64(&perfetto->interned, ENTRY_ID, name);
    stint_proto_string(&perfetto->interned, ENTRY_NAME, event->name);
    stint_proto_string(&perfetto->interned, DEMANGLED_NAME, event->name);
    if (device.compute_major)
        stint_proto_string(&perfetto->interned, ARCHITECTURE, architecture);
    stint_proto_end(&perfetto->interned, entry);
    item->is_kernel = 1;
    return name;
}

/* ----------------------------------------------------------------------------------------------------------- others */

uint64_t stint_perfetto_queue(struct stint_perfetto *perfetto, const struct stint_event *event)
{
    struct stint_track track = stint_track_of(event);
    size_t known = perfetto->queues.lanes.count;
    size_t position = stint_tracks_find(&perfetto->queues, &track);
    char name[STINT_WORDS_SIZE];
    if (position == STINT_INDEX_NONE)
        return 0;
    if (position == known) {
        stint_words_track(name, perfetto->walk.snapshot, &track);
        put_stage(perfetto, FIRST_QUEUE + position, name, 1);
    }
    return FIRST_QUEUE + position;
}

static void put_context(struct stint_perfetto *perfetto, uint64_t id, int64_t pid)
{
    enum { PID = 2, API = 3, CUDA = 4 };
    STINT_PROTO_MESSAGE(&perfetto->interned, CONTEXTS, {ENTRY_ID, .value = id}, {PID, .value = (uint64_t)pid},
                        {API, .value = CUDA});
}

uint64_t stint_perfetto_context(struct stint_perfetto *perfetto, const struct stint_event *event)
{
    const struct stint_perfetto_context *contexts = perfetto->contexts.items;
    for (size_t i = 0; i < perfetto->contexts.count; i++)
        if (contexts[i].pid == event->pid && contexts[i].context == event->gpu->device_context)
            return i + 1;
    struct stint_perfetto_context *context =
        stint_array_add(&perfetto->contexts, &perfetto->walk.tracks.arena, sizeof *context);
    if (!context)
        return 0;
    *context = (struct stint_perfetto_context){event->pid, event->gpu->device_context};
    put_context(perfetto, perfetto->contexts.count, event->pid);
    return perfetto->contexts.count;
}

uint64_t stint_perfetto_place(struct stint_perfetto *perfetto, size_t stat)
{
    enum { FILE_NAME = 2, FUNCTION = 3, LINE = 4 };
    const struct stint_stat *at = &perfetto->walk.snapshot->stats[stat];
    if (!*at->file)
        return 0;
    if (perfetto->stats[stat].has_place)
        return stat + 1;
    STINT_PROTO_MESSAGE(&perfetto->interned, PLACES, {ENTRY_ID, .value = stat + 1}, {FILE_NAME, .text = at->file},
                        {FUNCTION, .text = at->function}, {LINE, .value = at->line});
    perfetto->stats[stat].has_place = 1;
    return stat + 1;
}

/* Names and other texts of Perfetto's traces, which packets refer to by number once they have been told; and samples,
 * as Perfetto's own sampling profiler writes them: a packet for each, which refers to a call chain. The chain's
 * functions, and the files of code that they are in, come with the first sample that needs them. */
#include <stdio.h>
#include <string.h>

#include "export/perfetto.h"
#include "model/model.h"
#include "stat/numbers.h"

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

/* ---------------------------------------------------------------------------------------------------------- samples */

/* InternedData, and the fields of its entries. */
enum { FUNCTION_NAMES = 5, FRAMES = 6, CHAINS = 7, BUILD_IDS = 16, PATHS = 17, SOURCES = 18, MAPPINGS = 19 };

/* Readers put a slash in front of each part of the path. */
static void put_mapping(struct stint_perfetto *perfetto, uint64_t id, const struct stint_sample_module *module)
{
    enum { BUILD_ID = 2, START = 4, END = 5, PATH = 7 };
    stint_perfetto_entry(perfetto, PATHS, id, *module->path ? module->path + (*module->path == '/') : "[jit]");
    stint_perfetto_entry(perfetto, BUILD_IDS, id, module->build_id);
    STINT_PROTO_MESSAGE(&perfetto->interned, MAPPINGS, {ENTRY_ID, .value = id}, {BUILD_ID, .value = id},
                        {START, .value = module->begin}, {END, .value = module->end}, {PATH, .value = id});
}

/* Functions are known to readers in the order of their numbers. */
static void put_functions(struct stint_perfetto *perfetto, uint32_t last)
{
    for (; perfetto->known_functions <= last; perfetto->known_functions++) {
        const struct stint_function *function =
            stint_functions_at(&perfetto->walk.functions, perfetto->known_functions);
        stint_perfetto_entry(perfetto, FUNCTION_NAMES, (uint64_t)perfetto->known_functions + 1, function->name);
        if (*function->file)
            stint_perfetto_entry(perfetto, SOURCES, (uint64_t)perfetto->known_functions + 1, function->file);
    }
}

static void put_place(struct stint_perfetto *perfetto, uint32_t number, const struct stint_sample_frame *frame)
{
    enum { NAME = 2, MAPPING = 3, ADDRESS = 4, SOURCE = 5, LINE = 6 };
    struct stint_function_place place = stint_functions_place(&perfetto->walk.functions, number);
    put_functions(perfetto, place.function);
    size_t entry = stint_proto_begin(&perfetto->interned, FRAMES);
    stint_proto_u64(&perfetto->interned, ENTRY_ID, (uint64_t)number + 1);
    stint_proto_u64(&perfetto->interned, NAME, (uint64_t)place.function + 1);
    stint_proto_u64(&perfetto->interned, MAPPING, frame->module + 1);
    stint_proto_u64(&perfetto->interned, ADDRESS, frame->address);
    if (*stint_functions_at(&perfetto->walk.functions, place.function)->file)
        stint_proto_u64(&perfetto->interned, SOURCE, (uint64_t)place.function + 1);
    if (place.line)
        stint_proto_u64(&perfetto->interned, LINE, place.line);
    stint_proto_end(&perfetto->interned, entry);
}

/* Goes on in another packet if this one is half full: what does not fit is left out. */
static void keep_room(struct stint_perfetto *perfetto)
{
    if (perfetto->interned.used < STINT_PROTO_SIZE / 2)
        return;
    stint_perfetto_end(perfetto);
    stint_perfetto_begin(perfetto);
}

/* Writes the places of a frame, and its module, unless readers know them. */
static void put_frame(struct stint_perfetto *perfetto, size_t at)
{
    const struct stint_sample_frame *frame = &perfetto->walk.snapshot->sample_frames[at];
    const struct stint_function_places *range = &perfetto->walk.functions.frames[at];
    if (perfetto->known_frames[at])
        return;
    perfetto->known_frames[at] = 1;
    if (!perfetto->known_modules[frame->module]) {
        perfetto->known_modules[frame->module] = 1;
        put_mapping(perfetto, frame->module + 1, &perfetto->walk.snapshot->sample_modules[frame->module]);
    }
    for (uint32_t i = range->first; i < range->first + range->count; i++) {
        keep_room(perfetto);
        put_place(perfetto, i, frame);
    }
}

/* Returns the number of the call chain, which readers know then; 0 without memory. */
static uint64_t chain_of(struct stint_perfetto *perfetto, size_t stack)
{
    enum { FRAME = 2 };
    const struct stint_snapshot *snapshot = perfetto->walk.snapshot;
    if (perfetto->known_chains[stack])
        return stack + 1;
    size_t count = stint_functions_chain(&perfetto->walk.functions, stack);
    if (count == SIZE_MAX)
        return 0;
    stint_perfetto_begin(perfetto);
    for (size_t at = stack; at < snapshot->sample_stack_count; at = snapshot->sample_stacks[at].parent)
        put_frame(perfetto, snapshot->sample_stacks[at].frame);
    size_t entry = stint_proto_begin(&perfetto->interned, CHAINS);
    stint_proto_u64(&perfetto->interned, ENTRY_ID, stack + 1);
    for (size_t i = 0; i < count; i++)
        stint_proto_u64(&perfetto->interned, FRAME, (uint64_t)perfetto->walk.functions.chain[i] + 1);
    stint_proto_end(&perfetto->interned, entry);
    stint_perfetto_end(perfetto);
    perfetto->known_chains[stack] = 1;
    return stack + 1;
}

static void put_sample(struct stint_perfetto *perfetto, const struct stint_event *event, uint64_t chain)
{
    enum { SAMPLE = 66, PID = 2, TID = 3, CHAIN = 4, CPU_MODE = 5, TIMEBASE = 6, USER = 2 };
    stint_sum_up(&perfetto->sampled_ns, event->sample.time_ns);
    size_t message = stint_proto_begin(&perfetto->packet, SAMPLE);
    stint_proto_u64(&perfetto->packet, PID, (uint64_t)event->pid);
    stint_proto_u64(&perfetto->packet, TID, (uint64_t)event->tid);
    if (chain)
        stint_proto_u64(&perfetto->packet, CHAIN, chain);
    stint_proto_u64(&perfetto->packet, CPU_MODE, USER);
    stint_proto_u64(&perfetto->packet, TIMEBASE, perfetto->sampled_ns);
    stint_proto_end(&perfetto->packet, message);
}

static int begin_samples(struct stint_perfetto *perfetto)
{
    const struct stint_snapshot *snapshot = perfetto->walk.snapshot;
    struct stint_arena *arena = &perfetto->walk.tracks.arena;
    perfetto->known_modules = stint_arena_alloc(arena, snapshot->sample_module_count + 1);
    perfetto->known_frames = stint_arena_alloc(arena, snapshot->sample_frame_count + 1);
    perfetto->known_chains = stint_arena_alloc(arena, snapshot->sample_stack_count + 1);
    return perfetto->known_modules && perfetto->known_frames && perfetto->known_chains ? 0 : -1;
}

/* The lane describes the thread, if that has done nothing else yet. */
int stint_perfetto_sample(struct stint_walk *walk, const struct stint_event *event, struct stint_lane *lane)
{
    struct stint_perfetto *perfetto = (struct stint_perfetto *)walk;
    (void)lane;
    if (!perfetto->known_chains && begin_samples(perfetto))
        return -1;
    int is_known = event->sample.stack < walk->snapshot->sample_stack_count;
    uint64_t chain = is_known ? chain_of(perfetto, event->sample.stack) : 0;
    if (is_known && !chain)
        return -1;
    stint_perfetto_begin_at(perfetto, event->start_ns);
    put_sample(perfetto, event, chain);
    stint_perfetto_end(perfetto);
    return 0;
}

/* PerfSampleDefaults: what the samples' counter counts. */
void stint_perfetto_sampling(struct stint_perfetto *perfetto)
{
    enum { DEFAULTS = 12, TIMEBASE = 1, FREQUENCY = 2, COUNTER = 4, NAME = 10, CPU_CLOCK = 1 };
    const struct stint_sample_info *info = &perfetto->walk.snapshot->sampling;
    if (!info->sampled)
        return;
    size_t defaults = stint_proto_begin(&perfetto->packet, DEFAULTS);
    STINT_PROTO_MESSAGE(&perfetto->packet, TIMEBASE, {FREQUENCY, .value = info->hz}, {COUNTER, .value = CPU_CLOCK},
                        {NAME, .text = info->wall ? "time that passed (ns)" : "CPU time (ns)"});
    stint_proto_end(&perfetto->packet, defaults);
}

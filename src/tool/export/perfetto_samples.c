/* Samples in Perfetto's traces, as its own sampling profiler writes them: a packet for each, which refers to a call
 * chain. The chain's functions, and the files of code that they are in, come with the first sample that needs them. */
#include <string.h>

#include "export/perfetto.h"

/* InternedData, and the fields of its entries. */
enum {
    FUNCTION_NAMES = 5,
    FRAMES = 6,
    CHAINS = 7,
    BUILD_IDS = 16,
    PATHS = 17,
    SOURCES = 18,
    MAPPINGS = 19,
    ENTRY_ID = 1
};

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
    perfetto->sampled_ns += event->sample.time_ns;
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

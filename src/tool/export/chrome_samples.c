/* Samples in Chrome's trace events, as V8's sampling profiler writes them, which DevTools and Perfetto show: a profile
 * for each thread, in chunks of some samples, each chunk with the nodes of the tree of calls that it is the first to
 * need. There a sample holds until the next one. So one is written for when the time begins that it stands for, and
 * "(idle)" where that ends before the next. */
#include "export/chrome.h"

#define PUT STINT_CHROME_PUT

/* Nodes that are in each profile; those of functions follow. */
enum { ROOT = 1, IDLE, UNKNOWN, FIRST_NODE };

enum { CHUNK = 128 };

/* A node of a profile's tree of calls. */
struct node {
    uint32_t parent;
    uint32_t function;
};

struct stint_chrome_profile {
    int64_t lane_pid; /* the lane that the thread is shown on */
    uint64_t lane_id;
    struct stint_table nodes; /* struct node; their ids are their positions + FIRST_NODE */
    int is_begun;             /* nodes have been written, */
    size_t told;              /* so many of these */
    uint64_t end_ns;          /* of the time that the last sample stands for */
    uint64_t told_us;         /* when the last sample that is written begins */
    size_t count;             /* samples of the chunk */
    uint32_t samples[CHUNK];
    uint64_t starts_us[CHUNK];
};

static void begin_event(struct stint_chrome *chrome, const struct stint_chrome_profile *profile, const char *name,
                        uint64_t us)
{
    stint_chrome_begin(chrome, "P");
    PUT(chrome, "\"cat\": \"disabled-by-default-v8.cpu_profiler\", \"name\": \"");
    stint_out_string(chrome->walk.out, name);
    PUT(chrome, "\", \"id\": \"");
    stint_out_u64(chrome->walk.out, profile->lane_id);
    PUT(chrome, "\", ");
    stint_chrome_place(chrome, profile->lane_pid, profile->lane_id, us * 1000);
    PUT(chrome, ", \"args\": {\"data\": {");
}

/* ------------------------------------------------------------------------------------------------------------ nodes */

static void put_node(struct stint_chrome *chrome, uint64_t id, uint64_t parent, const char *name, const char *file)
{
    PUT(chrome, "{\"id\": ");
    stint_out_u64(chrome->walk.out, id);
    if (parent) {
        PUT(chrome, ", \"parent\": ");
        stint_out_u64(chrome->walk.out, parent);
    }
    PUT(chrome, ", \"callFrame\": {\"functionName\": ");
    stint_out_json(chrome->walk.out, name);
    PUT(chrome, ", \"codeType\": \"other\", \"scriptId\": 0");
    if (*file) {
        PUT(chrome, ", \"url\": ");
        stint_out_json(chrome->walk.out, file);
    }
    PUT(chrome, "}}");
}

static void put_first_nodes(struct stint_chrome *chrome)
{
    put_node(chrome, ROOT, 0, "(root)", "");
    PUT(chrome, ",\n");
    put_node(chrome, IDLE, ROOT, "(idle)", "");
    PUT(chrome, ",\n");
    put_node(chrome, UNKNOWN, ROOT, "(unknown)", "");
}

static void put_new_nodes(struct stint_chrome *chrome, struct stint_chrome_profile *profile)
{
    const struct node *nodes = profile->nodes.items;
    int is_first = !profile->is_begun;
    if (is_first)
        put_first_nodes(chrome);
    profile->is_begun = 1;
    for (size_t i = profile->told; i < profile->nodes.count; i++) {
        const struct stint_function *function = stint_functions_at(&chrome->walk.functions, nodes[i].function);
        stint_out_string(chrome->walk.out, is_first || i > profile->told ? ",\n" : "");
        put_node(chrome, i + FIRST_NODE, nodes[i].parent, function->name, function->file);
    }
    profile->told = profile->nodes.count;
}

/* Returns the id of a node; 0 without memory. */
static uint32_t node_of(struct stint_chrome *chrome, struct stint_chrome_profile *profile, uint32_t parent,
                        uint32_t function)
{
    static const struct stint_table_key key = STINT_TABLE_KEY(struct node, parent, function);
    struct node like = {parent, function};
    const void *node = stint_table_take(&profile->nodes, &key, &chrome->walk.tracks.arena, &like);
    return node ? (uint32_t)stint_table_position(&profile->nodes, &key, node) + FIRST_NODE : 0;
}

/* Returns the id of the call chain's last node; 0 without memory. */
static uint32_t chain_of(struct stint_chrome *chrome, struct stint_chrome_profile *profile, size_t stack)
{
    size_t count = stint_functions_chain(&chrome->walk.functions, stack);
    uint32_t node = count ? ROOT : UNKNOWN;
    if (count == SIZE_MAX)
        return 0;
    for (size_t i = 0; i < count && node; i++)
        node = node_of(chrome, profile, node,
                       stint_functions_place(&chrome->walk.functions, chrome->walk.functions.chain[i]).function);
    return node;
}

/* ---------------------------------------------------------------------------------------------------------- samples */

static void put_chunk(struct stint_chrome *chrome, struct stint_chrome_profile *profile)
{
    if (!profile->count)
        return;
    begin_event(chrome, profile, "ProfileChunk", profile->starts_us[0]);
    PUT(chrome, "\"cpuProfile\": {\"nodes\": [");
    put_new_nodes(chrome, profile);
    PUT(chrome, "], \"samples\": [");
    for (size_t i = 0; i < profile->count; i++) {
        stint_out_string(chrome->walk.out, i ? "," : "");
        stint_out_u64(chrome->walk.out, profile->samples[i]);
    }
    PUT(chrome, "]}, \"timeDeltas\": [");
    for (size_t i = 0; i < profile->count; i++) {
        stint_out_string(chrome->walk.out, i ? "," : "");
        stint_out_u64(chrome->walk.out, profile->starts_us[i] - profile->told_us);
        profile->told_us = profile->starts_us[i];
    }
    PUT(chrome, "]}}}");
    profile->count = 0;
}

static void add_sample(struct stint_chrome *chrome, struct stint_chrome_profile *profile, uint32_t node,
                       uint64_t begin_ns)
{
    if (profile->count == CHUNK)
        put_chunk(chrome, profile);
    profile->samples[profile->count] = node;
    profile->starts_us[profile->count++] = begin_ns / 1000;
}

/* Returns the profile of the lane's thread, which is begun if there is none; NULL without memory. */
static struct stint_chrome_profile *profile_of(struct stint_chrome *chrome, struct stint_lane *lane)
{
    struct stint_arena *arena = &chrome->walk.tracks.arena;
    if (lane->data)
        return lane->data;
    struct stint_chrome_profile *profile = stint_arena_alloc(arena, sizeof *profile);
    struct stint_chrome_profile **row = stint_array_add(&chrome->profiles, arena, sizeof(void *));
    if (!profile || !row)
        return NULL;
    lane->data = *row = profile;
    profile->lane_pid = lane->pid;
    profile->lane_id = lane->id;
    begin_event(chrome, profile, "Profile", 0);
    PUT(chrome, "\"startTime\": 0}}}");
    return profile;
}

int stint_chrome_sample(struct stint_walk *walk, const struct stint_event *event, struct stint_lane *lane)
{
    struct stint_chrome *chrome = (struct stint_chrome *)walk;
    struct stint_chrome_profile *profile = profile_of(chrome, lane);
    uint32_t node = profile ? chain_of(chrome, profile, event->sample.stack) : 0;
    if (!node)
        return -1;
    struct stint_sample_span span = stint_sample_span(event, profile->end_ns);
    if (span.begin_ns > profile->end_ns)
        add_sample(chrome, profile, IDLE, profile->end_ns);
    add_sample(chrome, profile, node, span.begin_ns);
    profile->end_ns = span.end_ns;
    return 0;
}

void stint_chrome_samples_end(struct stint_chrome *chrome)
{
    struct stint_chrome_profile **all = chrome->profiles.items;
    for (size_t i = 0; i < chrome->profiles.count; i++) {
        add_sample(chrome, all[i], IDLE, all[i]->end_ns);
        put_chunk(chrome, all[i]);
    }
}

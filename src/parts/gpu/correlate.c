/* What records are charged to: the scope that ran when a launch was made, the call that captured a node of a graph, and
 * for records that tell only a time, whether that moment was to be recorded. Written by the threads that launch, read
 * later when the record of the work comes. */
#include "gpu/correlate.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/clock.h"
#include "contexts/contexts.h"
#include "gpu/activity_table.h"

/* --------------------------------------------------------------------------------------------------------- launches */

enum { SLOTS = 1 << 20 };

/* A slot is one word, so that it is always read whole: the id in the upper half, the path in the lower, and
 * STINT_CORRELATE_LAUNCH until a record of the launch has come. */
static uint64_t *s_slots;
static uint64_t *s_ticks; /* by slot; NULL: not kept */

static int make(uint64_t **table)
{
    uint64_t *made;
    if (__atomic_load_n(table, __ATOMIC_RELAXED))
        return 0;
    made = stint_pages_map(SLOTS * sizeof *made);
    if (!made)
        return -1;
    __atomic_store_n(table, made, __ATOMIC_RELEASE);
    return 0;
}

int stint_correlate_start(int times)
{
    if (times && make(&s_ticks))
        return -1;
    return make(&s_slots);
}

/* Ticks are stored between two stores to the slot: a reader who finds the slot unchanged after reading the ticks has
 * read the ticks that belong to it. Only two launches that are 2^20 apart, and yet at this point at the same time,
 * could confuse it. */
void stint_correlate_put(uint32_t correlation, uint32_t path, uint64_t ticks)
{
    uint64_t *slots = __atomic_load_n(&s_slots, __ATOMIC_ACQUIRE);
    uint64_t *times = __atomic_load_n(&s_ticks, __ATOMIC_ACQUIRE);
    uint32_t at = correlation % SLOTS;
    if (!slots || !correlation)
        return;
    if (times) {
        __atomic_store_n(&slots[at], 0, __ATOMIC_RELAXED);
        __atomic_store_n(&times[at], ticks, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&slots[at], (uint64_t)correlation << 32 | path, __ATOMIC_RELEASE);
}

static uint64_t ticks_of(const uint64_t *slot, uint64_t word, uint32_t at)
{
    const uint64_t *times = __atomic_load_n(&s_ticks, __ATOMIC_ACQUIRE);
    uint64_t ticks = times ? __atomic_load_n(&times[at], __ATOMIC_ACQUIRE) : 0;
    return __atomic_load_n(slot, __ATOMIC_RELAXED) == word ? ticks : 0;
}

/* Another launch may be about to take the slot. */
static void take_launch(uint64_t *slot, uint64_t word)
{
    if (word & STINT_CORRELATE_LAUNCH)
        (void)__atomic_compare_exchange_n(slot, &word, word & ~(uint64_t)STINT_CORRELATE_LAUNCH, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED);
}

uint32_t stint_correlate_get(uint32_t correlation, uint64_t *ticks)
{
    uint64_t *slots = __atomic_load_n(&s_slots, __ATOMIC_ACQUIRE);
    uint32_t at = correlation % SLOTS;
    uint64_t word = slots && correlation ? __atomic_load_n(&slots[at], __ATOMIC_ACQUIRE) : 0;
    int known = word && word >> 32 == correlation;
    if (ticks)
        *ticks = known ? ticks_of(&slots[at], word, at) : 0;
    if (!known)
        return STINT_PATH_NONE;
    take_launch(&slots[at], word);
    return (uint32_t)word & ~STINT_CORRELATE_LAUNCH;
}

void stint_correlate_missing(void (*visit)(uint32_t path))
{
    uint64_t *slots = __atomic_load_n(&s_slots, __ATOMIC_ACQUIRE);
    for (uint32_t at = 0; slots && at < SLOTS; at++) {
        uint64_t word = __atomic_load_n(&slots[at], __ATOMIC_ACQUIRE);
        if (!(word & STINT_CORRELATE_LAUNCH))
            continue;
        take_launch(&slots[at], word);
        visit((uint32_t)word & ~STINT_CORRELATE_LAUNCH);
    }
}

void stint_correlate_forget(void)
{
    stint_pages_zero(__atomic_load_n(&s_slots, __ATOMIC_ACQUIRE), SLOTS * sizeof *s_slots);
    stint_pages_zero(__atomic_load_n(&s_ticks, __ATOMIC_ACQUIRE), SLOTS * sizeof *s_ticks);
}

/* -------------------------------------------------------------------------------------------------- nodes of graphs */

/* A hash table from nodes to calls, filled while graphs are captured and cloned. With it, work of a graph is charged to
 * the scope that captured it.
 *
 * CUPTI uses no id twice, so that nodes are never taken out. */
struct node {
    uint64_t id;
    uint32_t call;
};

enum { NODES = 1 << 20 };

/* Written by threads that capture, without locks. A slot gets its id once, and the call after it. */
static struct {
    struct node *nodes;
    uint32_t used;
} s_graphs;

int stint_graph_nodes_start(void)
{
    if (!s_graphs.nodes)
        __atomic_store_n(&s_graphs.nodes, stint_pages_map(NODES * sizeof *s_graphs.nodes), __ATOMIC_RELEASE);
    return s_graphs.nodes ? 0 : -1;
}

/* Returns the node's slot; NULL: it has none, and got none because it was not to be added, or because half of them are
 * taken. */
static struct node *node_slot(uint64_t id, int adds)
{
    struct node *nodes = __atomic_load_n(&s_graphs.nodes, __ATOMIC_ACQUIRE);
    if (!nodes || !id)
        return NULL;
    for (uint32_t at = (uint32_t)stint_hash_mix(id, 0);; at++) {
        struct node *node = &nodes[at % NODES];
        uint64_t found = __atomic_load_n(&node->id, __ATOMIC_RELAXED);
        if (!found && (!adds || __atomic_load_n(&s_graphs.used, __ATOMIC_RELAXED) >= NODES / 2))
            return NULL;
        if (!found && __atomic_compare_exchange_n(&node->id, &found, id, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            __atomic_add_fetch(&s_graphs.used, 1, __ATOMIC_RELAXED);
            return node;
        }
        if (found == id)
            return node;
    }
}

static void put_node(uint64_t id, uint32_t call)
{
    struct node *node = call ? node_slot(id, 1) : NULL;
    if (node)
        __atomic_store_n(&node->call, call, __ATOMIC_RELAXED);
}

void stint_graph_node_created(uint64_t node, uint32_t correlation)
{
    put_node(node, correlation);
}

void stint_graph_node_cloned(uint64_t node, uint64_t original)
{
    put_node(node, stint_graph_node_call(original));
}

uint32_t stint_graph_node_call(uint64_t node)
{
    const struct node *found = node_slot(node, 0);
    return found ? __atomic_load_n(&found->call, __ATOMIC_RELAXED) : 0;
}

/* ----------------------------------------------------------------------------------------------------------- pauses */

/* The latest changes, in a ring: twice the ticks, plus 1 if recording was held back from then on. No lock, because
 * recording may be switched in a signal handler. */
static uint64_t s_changes[STINT_PAUSES];
static size_t s_count;
static int s_held;

/* One moment on both clocks. With the tick rate it converts other times accurately enough. */
static struct {
    uint64_t ticks;
    uint64_t cupti_ns; /* 0: not known */
} s_pair;

void stint_pause_note(int held)
{
    if (__atomic_exchange_n(&s_held, held, __ATOMIC_ACQ_REL) == held)
        return;
    size_t at = __atomic_fetch_add(&s_count, 1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&s_changes[at % STINT_PAUSES], stint_clock_ticks() << 1 | (uint64_t)(held != 0), __ATOMIC_RELEASE);
}

void stint_pause_align(uint64_t ticks, uint64_t cupti_ns)
{
    s_pair.ticks = ticks;
    s_pair.cupti_ns = cupti_ns;
}

static uint64_t ticks_at(uint64_t cupti_ns)
{
    double ns = (double)(int64_t)(cupti_ns - s_pair.cupti_ns);
    return s_pair.ticks + (uint64_t)(int64_t)(ns / stint_clock_ns_per_tick());
}

int stint_pause_at(uint64_t cupti_ns)
{
    size_t count = __atomic_load_n(&s_count, __ATOMIC_ACQUIRE);
    size_t kept = count < STINT_PAUSES ? count : STINT_PAUSES;
    uint64_t change = 0, ticks;
    if (!count || !s_pair.cupti_ns)
        return __atomic_load_n(&s_held, __ATOMIC_ACQUIRE);
    ticks = ticks_at(cupti_ns);
    for (size_t i = 1; i <= kept; i++) {
        change = __atomic_load_n(&s_changes[(count - i) % STINT_PAUSES], __ATOMIC_ACQUIRE);
        if (change >> 1 <= ticks)
            return (int)(change & 1);
    }
    return !(change & 1);
}

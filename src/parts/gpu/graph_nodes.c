/* A hash table from nodes of CUDA graphs to the calls that made them, filled while graphs are captured and cloned. With
 * it, work of a graph is charged to the scope that captured it. */
#include "gpu/graph_nodes.h"

#include <stddef.h>

#include "base/index.h"
#include "gpu/pages.h"

/* CUPTI uses no id twice, so that nodes are never taken out. */
struct node {
    uint64_t id;
    uint32_t call;
};

enum { SLOTS = 1 << 20 };

/* Written by threads that capture, without locks. A slot gets its id once, and the call after it. */
static struct {
    struct node *nodes;
    uint32_t used;
} s_graphs;

int stint_graph_nodes_start(void)
{
    if (!s_graphs.nodes)
        __atomic_store_n(&s_graphs.nodes, stint_pages_map(SLOTS * sizeof *s_graphs.nodes), __ATOMIC_RELEASE);
    return s_graphs.nodes ? 0 : -1;
}

/* Returns the node's slot; NULL: it has none, and got none because it was not to be added, or because half of them are
 * taken. */
static struct node *slot_of(uint64_t id, int adds)
{
    struct node *nodes = __atomic_load_n(&s_graphs.nodes, __ATOMIC_ACQUIRE);

    if (!nodes || !id)
        return NULL;
    for (uint32_t at = (uint32_t)stint_hash_mix(id, 0);; at++) {
        struct node *node = &nodes[at % SLOTS];
        uint64_t found = __atomic_load_n(&node->id, __ATOMIC_RELAXED);

        if (!found && (!adds || __atomic_load_n(&s_graphs.used, __ATOMIC_RELAXED) >= SLOTS / 2))
            return NULL;
        if (!found && __atomic_compare_exchange_n(&node->id, &found, id, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            __atomic_add_fetch(&s_graphs.used, 1, __ATOMIC_RELAXED);
            return node;
        }
        if (found == id)
            return node;
    }
}

static void put(uint64_t id, uint32_t call)
{
    struct node *node = call ? slot_of(id, 1) : NULL;

    if (node)
        __atomic_store_n(&node->call, call, __ATOMIC_RELAXED);
}

void stint_graph_node_created(uint64_t node, uint32_t correlation)
{
    put(node, correlation);
}

void stint_graph_node_cloned(uint64_t node, uint64_t original)
{
    put(node, stint_graph_node_call(original));
}

uint32_t stint_graph_node_call(uint64_t node)
{
    const struct node *found = slot_of(node, 0);

    return found ? __atomic_load_n(&found->call, __ATOMIC_RELAXED) : 0;
}

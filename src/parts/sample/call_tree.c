/* One tree for the call chains of all threads, in an array of nodes with a hash table beside it. A signal handler only
 * ever adds nodes with atomic operations, so it may interrupt anything. */
#include "sample/call_tree.h"

#include <stddef.h>
#include <sys/mman.h>

#include "base/arena.h"

/* Twice as many slots as nodes. A search gives up after so many of them. The first are near those of the parent, so
 * that few nodes take few pages of the table. */
enum { SLOTS = 2 * STINT_CALL_NODES, MOST_TRIES = 64, NEAR_TRIES = 8, NEAR = 64 };

static struct {
    struct stint_call_node *nodes; /* number 0 is not used */
    uint32_t *slots;               /* numbers of nodes by hash; 0: free */
    uint32_t used;                 /* may exceed STINT_CALL_NODES */
} s_tree;

static void *reserve(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

int stint_call_tree_start(void)
{
    if (!s_tree.nodes)
        s_tree.nodes = reserve(((size_t)STINT_CALL_NODES + 1) * sizeof *s_tree.nodes);
    if (!s_tree.slots && (s_tree.slots = reserve(SLOTS * sizeof *s_tree.slots)))
        __atomic_store_n(s_tree.slots, 0, __ATOMIC_RELAXED); /* a page that is read first costs two faults */
    return s_tree.nodes && s_tree.slots ? 0 : -1;
}

struct stint_call_node *stint_call_tree_at(uint32_t node)
{
    return &s_tree.nodes[node];
}

uint32_t stint_call_tree_last(void)
{
    uint32_t used = __atomic_load_n(&s_tree.used, __ATOMIC_ACQUIRE);
    return used < STINT_CALL_NODES ? used : STINT_CALL_NODES;
}

/* Returns the number of a new node, which nothing refers to yet, or 0. */
static uint32_t new_node(uint32_t parent, uint32_t module, uint64_t address, uint32_t latest)
{
    if (stint_call_tree_last() == STINT_CALL_NODES)
        return 0;
    uint32_t number = __atomic_add_fetch(&s_tree.used, 1, __ATOMIC_ACQ_REL);
    if (number > STINT_CALL_NODES)
        return 0;
    struct stint_call_node *node = &s_tree.nodes[number];
    node->address = address;
    node->module = module;
    node->parent = parent;
    node->sibling = latest;
    __atomic_store_n(&node->ready, 1, __ATOMIC_RELEASE);
    return number;
}

static int is_it(uint32_t number, uint32_t parent, uint32_t module, uint64_t address)
{
    const struct stint_call_node *node = &s_tree.nodes[number];
    return node->parent == parent && node->address == address && node->module == module;
}

static uint32_t *slot_of(uint32_t parent, uint64_t hash, uint64_t tries)
{
    uint64_t place = tries < NEAR_TRIES ? 2 * (uint64_t)parent + (hash + tries) % NEAR : hash + tries;
    return &s_tree.slots[place % SLOTS];
}

/* Other threads add nodes at the same time, but never one below the same parent. */
uint32_t stint_call_tree_child(uint32_t parent, uint32_t module, uint64_t address, uint32_t *latest)
{
    uint64_t hash = stint_hash_mix((uint64_t)parent << 32 | module, address);
    uint32_t added = 0;
    for (uint64_t i = 0; i < MOST_TRIES; i++) {
        uint32_t *slot = slot_of(parent, hash, i);
        uint32_t there = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
        if (there && is_it(there, parent, module, address))
            return there;
        if (there)
            continue;
        if (!added && !(added = new_node(parent, module, address, *latest)))
            return 0;
        if (__atomic_compare_exchange_n(slot, &there, added, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            *latest = added;
            return added;
        }
    }
    return 0;
}

static void add(struct stint_call_sum *sum, uint64_t samples, uint64_t time_ns)
{
    __atomic_add_fetch(&sum->samples, samples, __ATOMIC_RELAXED);
    __atomic_add_fetch(&sum->time_ns, time_ns, __ATOMIC_RELAXED);
}

void stint_call_tree_count(uint32_t node, uint64_t samples, uint64_t time_ns)
{
    add(&s_tree.nodes[node].now, samples, time_ns);
}

static struct stint_call_sum take(struct stint_call_sum *sum)
{
    return (struct stint_call_sum){__atomic_exchange_n(&sum->samples, 0, __ATOMIC_RELAXED),
                                   __atomic_exchange_n(&sum->time_ns, 0, __ATOMIC_RELAXED)};
}

void stint_call_tree_retire(uint32_t latest)
{
    for (; latest; latest = s_tree.nodes[latest].sibling) {
        struct stint_call_sum sum = take(&s_tree.nodes[latest].now);
        if (sum.samples || sum.time_ns)
            add(&s_tree.nodes[latest].past, sum.samples, sum.time_ns);
    }
}

void stint_call_tree_reset(void)
{
    for (uint32_t i = 1; i <= stint_call_tree_last(); i++) {
        (void)take(&s_tree.nodes[i].now);
        (void)take(&s_tree.nodes[i].past);
    }
}

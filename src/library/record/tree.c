#include "record/tree.h"

#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "record/count.h"
#include "record/note.h"
#include "record/path.h"
#include "record/registry.h"

/* At most one slot in 8 is taken, so that nearly every node sits in the slot where the fast path looks. */
enum { FIRST_SLOTS = 256, SPARSE = 8 };

/* Fills free slots: its id equals that of no site. */
static struct stint_i_node s_nobody = {.id = UINT32_MAX};

static uint32_t s_buckets = STINT_I_BUCKETS;

void stint_tree_set_percentiles(int enabled)
{
    STINT_I_STORE(&s_buckets, enabled ? STINT_I_BUCKETS : 0u);
}

/* ------------------------------------------------------------------------------------------------------------ slots */

static struct stint_i_node **slot_of(const struct stint_i_tree *hot, const struct stint_i_node *parent, uint32_t id)
{
    uint32_t at = (parent->salt + id) & hot->mask;

    while (hot->slots[at] != &s_nobody && (hot->slots[at]->id != id || hot->slots[at]->parent != parent))
        at = (at + 1) & hot->mask;
    return &hot->slots[at];
}

/* The old slots stay in the arena: a signal handler may have interrupted a look-up in them. */
static int set_slots(struct stint_tree *tree, uint32_t count)
{
    struct stint_i_tree bigger = tree->hot;

    bigger.slots = stint_arena_alloc(&tree->arena, count * sizeof(struct stint_i_node *));
    if (!bigger.slots)
        return -1;
    bigger.mask = count - 1;
    for (uint32_t i = 0; i < count; i++)
        bigger.slots[i] = &s_nobody;
    for (struct stint_i_node *node = tree->root ? tree->root->next : NULL; node; node = node->next)
        *slot_of(&bigger, node->parent, node->id) = node;
    tree->hot.slots = bigger.slots; /* before the mask: a signal handler may look up in between */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tree->hot.mask = bigger.mask;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ nodes */

static uint64_t s_node_count; /* in all threads' trees */

static void leave_limit(const struct stint_tree *tree)
{
    if (tree->kind != STINT_TREE_SUM)
        __atomic_sub_fetch(&s_node_count, 1, __ATOMIC_RELAXED);
}

static int within_limit(const struct stint_tree *tree)
{
    if (tree->kind == STINT_TREE_SUM)
        return 1;
    if (__atomic_add_fetch(&s_node_count, 1, __ATOMIC_RELAXED) <= stint_limits.nodes)
        return 1;
    stint_count_dropped(&stint_dropped.nodes);
    leave_limit(tree);
    return 0;
}

static uint32_t has_ancestor(const struct stint_i_node *node, uint32_t id)
{
    for (; node; node = node->parent)
        if (node->id == id)
            return 1;
    return 0;
}

static struct stint_i_node *new_node(struct stint_tree *tree, struct stint_i_node *parent, uint32_t id,
                                     uint32_t buckets)
{
    size_t size = buckets ? sizeof(struct stint_i_node) : offsetof(struct stint_i_node, bucket);
    struct stint_i_node *node = stint_arena_alloc(&tree->arena, size);

    if (!node) {
        if (tree->kind != STINT_TREE_SUM)
            stint_count_dropped(&stint_dropped.memory);
        return NULL;
    }
    node->parent = parent;
    node->id = id;
    node->min = UINT64_MAX;
    node->buckets = buckets;
    node->index = tree->node_count;
    STINT_I_STORE(&tree->node_count, node->index + 1);
    node->salt = (uint32_t)((node->index + 1) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    node->recursive = id ? has_ancestor(parent, id) : 0;
    node->epoch = __atomic_load_n(&stint_registry_entry(id)->epoch, __ATOMIC_ACQUIRE);
    return node;
}

static void publish(struct stint_tree *tree, struct stint_i_node *node)
{
    __atomic_store_n(&tree->last->next, node, __ATOMIC_RELEASE);
    tree->last = node;
}

struct stint_i_node *stint_tree_child(struct stint_tree *tree, struct stint_i_node *parent, uint32_t id)
{
    struct stint_i_node *node = *slot_of(&tree->hot, parent, id);

    if (node != &s_nobody)
        return node;
    if (!within_limit(tree))
        return NULL;
    node = new_node(tree, parent, id, tree->kind == STINT_TREE_THREAD ? STINT_I_LOAD(&s_buckets) : STINT_I_BUCKETS);
    if (!node) {
        leave_limit(tree);
        return NULL;
    }
    publish(tree, node);
    if (stint_notes_are_on && tree->kind == STINT_TREE_THREAD)
        stint_path_learn(node);
    if (tree->node_count > tree->hot.mask / SPARSE && !set_slots(tree, 2 * (tree->hot.mask + 1)))
        return node; /* placed with all others */
    *slot_of(&tree->hot, parent, id) = node;
    return node;
}

int stint_tree_begin_again(struct stint_tree *tree)
{
    tree->generation = stint_registry_generation();
    tree->hot.state = UINT32_MAX; /* equals no stint_i_state, so the slow path runs first */
    tree->hot.ordered = (uint32_t)stint_clock_is_ordered();
    if (set_slots(tree, FIRST_SLOTS))
        return -1;
    tree->root = new_node(tree, NULL, 0, 0);
    tree->floating = new_node(tree, NULL, 0, 0);
    if (!tree->root || !tree->floating)
        return -1;
    tree->root->path = STINT_PATH_ROOT;
    tree->floating->path = STINT_PATH_ROOT;
    tree->floating->index = tree->root->index;
    tree->floating->salt = ~tree->root->salt; /* otherwise equal to that of the first scope, which has index 1 */
    STINT_I_STORE(&tree->node_count, 1u);
    tree->last = tree->root;
    tree->hot.current = tree->root;
    return 0;
}

int stint_tree_begin(struct stint_tree *tree, enum stint_tree_kind kind)
{
    *tree = (struct stint_tree){.kind = kind};
    return stint_tree_begin_again(tree);
}

void stint_tree_empty(struct stint_tree *tree)
{
    struct stint_arena arena = tree->arena;

    if (tree->node_count > 1 && tree->kind != STINT_TREE_SUM)
        __atomic_sub_fetch(&s_node_count, tree->node_count - 1, __ATOMIC_RELAXED);
    stint_arena_reuse(&arena);
    *tree = (struct stint_tree){.kind = tree->kind, .arena = arena};
}

void stint_tree_end(struct stint_tree *tree)
{
    stint_tree_empty(tree);
    stint_arena_free(&tree->arena);
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

int stint_node_is_stale(const struct stint_i_node *node)
{
    uint32_t epoch = __atomic_load_n(&node->epoch, __ATOMIC_ACQUIRE);

    return epoch != __atomic_load_n(&stint_registry_entry(node->id)->epoch, __ATOMIC_ACQUIRE);
}

uint64_t stint_node_start(const struct stint_i_node *node)
{
    uint64_t start = STINT_I_LOAD(&node->start);
    uint64_t reset = STINT_I_LOAD(&stint_registry_entry(node->id)->reset_ticks);

    return start && reset > start ? reset : start;
}

/* The buckets that can be other than 0 lie between those of min and max. */
static uint32_t first_bucket(const struct stint_i_node *node)
{
    uint32_t bucket = stint_i_bucket(STINT_I_LOAD(&node->min));

    return bucket < node->buckets ? bucket : node->buckets ? node->buckets - 1 : 0;
}

static uint32_t end_bucket(const struct stint_i_node *node)
{
    uint32_t bucket = stint_i_bucket(STINT_I_LOAD(&node->max));

    return bucket < node->buckets ? bucket + 1 : node->buckets;
}

static void zero(struct stint_i_node *node)
{
    for (uint32_t i = first_bucket(node), end = end_bucket(node); i < end; i++)
        STINT_I_STORE(&node->bucket[i], 0u);
    STINT_I_STORE(&node->count, UINT64_C(0));
    STINT_I_STORE(&node->total, UINT64_C(0));
    STINT_I_STORE(&node->self, UINT64_C(0));
    STINT_I_STORE(&node->cpu, UINT64_C(0));
    STINT_I_STORE(&node->min, UINT64_MAX);
    STINT_I_STORE(&node->max, UINT64_C(0));
    __atomic_store(&node->square, &(double){0}, __ATOMIC_RELAXED);
    STINT_I_STORE(&node->halved, 0u);
}

/* Catches up with resets. The new epoch is published last: a reader that sees it reads zeroes. */
static void refresh(struct stint_i_node *node)
{
    const struct stint_entry *entry = stint_registry_entry(node->id);
    uint32_t epoch = __atomic_load_n(&entry->epoch, __ATOMIC_ACQUIRE);

    if (node->epoch == epoch)
        return;
    zero(node);
    __atomic_store_n(&node->epoch, epoch, __ATOMIC_RELEASE);
}

/* A running scope that was reset counts from the reset on. Its parent may count from another moment, or from its
 * beginning. The parent's child time is set so that, when the child has ended and added its whole span, it is the
 * child's time within the parent's. The innermost scope goes first, because its old start is needed for its parent. */
static void move_starts(struct stint_tree *tree)
{
    for (struct stint_i_node *node = tree->hot.current, *parent; (parent = node->parent); node = parent) {
        uint64_t old = node->start, new = stint_node_start(node);
        uint64_t parent_start = stint_node_start(parent);

        if (node == tree->hot.current && new != old)
            STINT_I_STORE(&node->child, UINT64_C(0));
        if (parent_start != parent->start)
            STINT_I_STORE(&parent->child, new - (old > parent_start ? old : parent_start));
        else
            STINT_I_ADD(&parent->child, new - old);
        STINT_I_STORE(&node->start, new);
    }
}

void stint_tree_refresh(struct stint_tree *tree)
{
    uint32_t generation = stint_registry_generation();

    if (tree->generation == generation)
        return;
    move_starts(tree);
    for (struct stint_i_node *node = tree->root->next; node; node = node->next)
        refresh(node);
    tree->generation = generation;
}

void stint_tree_begin_earlier(struct stint_i_node *node, uint64_t ticks)
{
    uint64_t earlier = node->start - (ticks < node->start ? ticks : node->start - 1);
    uint64_t reset = STINT_I_LOAD(&stint_registry_entry(node->id)->reset_ticks);
    uint64_t start = earlier < reset && reset <= node->start ? reset : earlier;

    node->early = node->start - start;
    node->early_start = start;
    STINT_I_STORE(&node->start, start);
    STINT_I_STORE(&node->parent->child, node->parent->child - node->early); /* leaving adds the whole span */
}

void stint_tree_abandon(struct stint_tree *tree)
{
    struct stint_i_node *node = tree->hot.current;

    if (node->early && node->early_start == node->start)
        STINT_I_ADD(&node->parent->child, node->early);
    STINT_I_STORE(&node->start, UINT64_C(0));
    STINT_I_STORE(&tree->hot.current, node->parent);
}

/* When a bucket is full, all are halved: this keeps the shape, and `halved` restores the scale. */
static void halve(struct stint_i_node *node)
{
    for (uint32_t i = 0; i < node->buckets; i++)
        STINT_I_STORE(&node->bucket[i], STINT_I_LOAD(&node->bucket[i]) / 2);
    STINT_I_STORE(&node->halved, node->halved + 1);
}

void stint_count_slow(struct stint_i_node *node, uint64_t span)
{
    uint32_t *bucket = stint_i_bucket_of(node, span);

    stint_i_count(node, span, bucket);
    if (bucket && *bucket == UINT32_MAX)
        halve(node);
}

static uint32_t rescaled(uint32_t samples, uint32_t from, uint32_t to)
{
    if (from >= to)
        return samples << (from - to);
    return to - from < 32 ? samples >> (to - from) : 0;
}

/* Adds buckets, at the coarser scale of the two, and halves when a sum would not fit. */
static void add_buckets(struct stint_i_node *into, const struct stint_i_node *from)
{
    uint32_t halved = STINT_I_LOAD(&from->halved);

    while (into->halved < halved)
        halve(into);
    for (uint32_t i = first_bucket(from), end = end_bucket(from); i < end; i++) {
        uint32_t samples = STINT_I_LOAD(&from->bucket[i]);

        while ((uint64_t)into->bucket[i] + rescaled(samples, halved, into->halved) >= UINT32_MAX)
            halve(into);
        into->bucket[i] += rescaled(samples, halved, into->halved);
    }
}

static void add_numbers(struct stint_i_node *into, const struct stint_i_node *from)
{
    uint64_t min = STINT_I_LOAD(&from->min), max = STINT_I_LOAD(&from->max);
    double square;

    if (into->buckets && from->buckets)
        add_buckets(into, from);
    __atomic_load(&from->square, &square, __ATOMIC_RELAXED);
    into->count += STINT_I_LOAD(&from->count);
    into->total += STINT_I_LOAD(&from->total);
    into->self += STINT_I_LOAD(&from->self);
    into->cpu += STINT_I_LOAD(&from->cpu);
    into->min = min < into->min ? min : into->min;
    into->max = max > into->max ? max : into->max;
    into->square += square;
}

/* Returns the counterpart of `node` in the tree merged into, or NULL if there is no room for it. */
static struct stint_i_node *counterpart(struct stint_tree *into, struct stint_i_node *parent,
                                        const struct stint_i_node *node)
{
    struct stint_i_node *there = parent ? stint_tree_child(into, parent, node->id) : NULL;

    if (there)
        refresh(there);
    return there;
}

/* Adds one node. Returns -1 if it has no counterpart. */
static int merge_node(struct stint_tree *into, const struct stint_i_node *node, const struct stint_merged *merged)
{
    struct stint_i_node *there = counterpart(into, merged->nodes[node->parent->index], node);

    merged->nodes[node->index] = there;
    if (there && !stint_node_is_stale(node))
        add_numbers(there, node);
    return there ? 0 : -1;
}

struct stint_merged stint_tree_merge(struct stint_tree *into, const struct stint_tree *from,
                                     struct stint_arena *scratch)
{
    uint32_t count = STINT_I_LOAD(&from->node_count);
    struct stint_merged merged = {stint_arena_alloc(scratch, count * sizeof(struct stint_i_node *)), count};
    const struct stint_i_node *node = from->root;

    if (!merged.nodes)
        return merged;
    merged.nodes[0] = into->root;
    while ((node = __atomic_load_n(&node->next, __ATOMIC_ACQUIRE)) && node->index < count) {
        if (!merge_node(into, node, &merged))
            continue;
        if (into->kind == STINT_TREE_SUM)
            return (struct stint_merged){NULL, 0};
        if (!stint_node_is_stale(node))
            __atomic_add_fetch(&stint_dropped.nodes, STINT_I_LOAD(&node->count), __ATOMIC_RELAXED);
    }
    return merged;
}

/* Nodes of a calling-context tree: made and found, counted, reset, merged. One thread writes while others read, so a
 * node is complete before it is linked, and nothing that a reader may hold is ever freed. */
#include "record/tree.h"

#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "record/registry.h"
#include "record/scope.h"
#include "record/thread.h"
#include "stat/numbers.h"

void (*stint_tree_tell_child)(struct stint_i_node *node);
const struct stint_budget *stint_budget;

/* At most one slot in 8 is taken, so that nearly every node sits in the slot where the fast path looks; in a tree
 * without a fast path, one in 2. */
enum { FIRST_NODE_SLOTS = 256, SPARSE = 8, DENSE = 2 };

/* Fills free slots: its id equals that of no site. */
static struct stint_i_node s_nobody = {.key = UINT32_MAX};

static int s_percentiles = 1;

void stint_tree_set_percentiles(int enabled)
{
    STINT_I_STORE(&s_percentiles, enabled);
}

/* ------------------------------------------------------------------------------------------------------------ slots */

static struct stint_i_node **slot_of(const struct stint_i_tree *hot, const struct stint_i_node *parent, uint32_t id)
{
    uint32_t at = (parent->salt + id) & hot->mask;
    while (hot->table[at] != &s_nobody && (hot->table[at]->id != id || hot->table[at]->parent != parent))
        at = (at + 1) & hot->mask;
    return &hot->table[at];
}

/* The old slots stay in the arena: a signal handler may have interrupted a look-up in them. */
__attribute__((cold)) static int set_slots(struct stint_tree *tree, uint32_t count)
{
    struct stint_i_tree bigger = tree->hot;
    bigger.table = stint_arena_alloc(&tree->arena, count * sizeof(struct stint_i_node *));
    if (!bigger.table)
        return -1;
    bigger.mask = count - 1;
    for (uint32_t i = 0; i < count; i++)
        bigger.table[i] = &s_nobody;
    for (struct stint_i_node *node = tree->root ? tree->root->next : NULL; node; node = node->next)
        *slot_of(&bigger, node->parent, node->id) = node;
    tree->hot.table = bigger.table; /* before the mask: a signal handler may look up in between */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tree->hot.mask = bigger.mask;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ nodes */

static uint64_t s_node_count; /* in all threads' trees */

static int is_limited(const struct stint_tree *tree)
{
    return tree->kind < STINT_TREE_PROBE;
}

static void leave_limit(const struct stint_tree *tree)
{
    if (is_limited(tree))
        __atomic_sub_fetch(&s_node_count, 1, __ATOMIC_RELAXED);
}

static int count_node(const struct stint_tree *tree)
{
    if (!is_limited(tree))
        return 1;
    if (__atomic_add_fetch(&s_node_count, 1, __ATOMIC_RELAXED) <= stint_limits.nodes)
        return 1;
    stint_count_dropped(&stint_dropped.nodes);
    leave_limit(tree);
    return 0;
}

static int has_windows(const struct stint_tree *tree)
{
    return tree->kind == STINT_TREE_THREAD || tree->kind == STINT_TREE_PROBE;
}

static int has_ancestor(const struct stint_i_node *node, uint32_t id)
{
    for (; node; node = node->parent)
        if (node->id == id)
            return 1;
    return 0;
}

static struct stint_i_node *new_node(struct stint_tree *tree, struct stint_i_node *parent, uint32_t id, int window)
{
    size_t size = window ? sizeof(struct stint_i_node) : offsetof(struct stint_i_node, window);
    int may_thin = stint_budget && id && tree->kind != STINT_TREE_PROBE && stint_budget->may_thin(id);
    size_t front = may_thin ? sizeof(struct stint_i_thinning) : 0;
    char *room = stint_arena_alloc(&tree->arena, front + size);
    if (!room) {
        if (is_limited(tree))
            stint_count_dropped(&stint_dropped.memory);
        return NULL;
    }
    struct stint_i_node *node = (struct stint_i_node *)(void *)(room + front);
    node->parent = parent;
    node->id = id;
    node->key = front ? ~id : id;
    node->min = UINT64_MAX;
    node->base = window ? STINT_I_UNPLACED : STINT_I_NO_WINDOW;
    node->newest = STINT_I_WINDOW;
    node->index = tree->node_count;
    STINT_I_STORE(&tree->node_count, node->index + 1);
    node->salt = (uint32_t)((node->index + 1) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    node->outer_salt = parent ? parent->salt : 0;
    node->recursive = id && has_ancestor(parent, id);
    node->epoch = __atomic_load_n(&stint_registry_entry(id)->epoch, __ATOMIC_ACQUIRE);
    return node;
}

static void publish_node(struct stint_tree *tree, struct stint_i_node *node)
{
    __atomic_store_n(&tree->last->next, node, __ATOMIC_RELEASE);
    tree->last = node;
}

int stint_tree_has_child(const struct stint_tree *tree, const struct stint_i_node *parent, uint32_t id)
{
    return *slot_of(&tree->hot, parent, id) != &s_nobody;
}

struct stint_i_node *stint_tree_child(struct stint_tree *tree, struct stint_i_node *parent, uint32_t id)
{
    struct stint_i_node *node = *slot_of(&tree->hot, parent, id);
    if (node != &s_nobody)
        return node;
    if (!count_node(tree))
        return NULL;
    node = new_node(tree, parent, id, has_windows(tree) && STINT_I_LOAD(&s_percentiles));
    if (!node) {
        leave_limit(tree);
        return NULL;
    }
    publish_node(tree, node);
    void (*tell)(struct stint_i_node *) = STINT_I_LOAD(&stint_tree_tell_child);
    if (tell && tree->kind == STINT_TREE_THREAD)
        tell(node);
    if (tree->node_count > tree->hot.mask / (tree->kind == STINT_TREE_SUM ? DENSE : SPARSE)) {
        if (!set_slots(tree, 2 * (tree->hot.mask + 1)))
            return node; /* placed with all others */
        if (!is_limited(tree))
            return NULL;
    }
    *slot_of(&tree->hot, parent, id) = node;
    return node;
}

__attribute__((cold)) int stint_tree_begin_again(struct stint_tree *tree)
{
    tree->generation = stint_registry_generation();
    /* They equal no stint_i_state, so the slow path runs first. */
    tree->hot.state = tree->hot.counting = tree->hot.quick = tree->hot.complete = UINT32_MAX;
    tree->hot.unordered = !stint_clock_waits();
    tree->hot.plain = !tree->hot.unordered && !stint_budget;
    if (set_slots(tree, FIRST_NODE_SLOTS))
        return -1;
    tree->root = new_node(tree, NULL, 0, 0);
    tree->floating = new_node(tree, NULL, 0, 0);
    tree->exact = new_node(tree, NULL, 0, 0);
    if (!tree->root || !tree->floating || !tree->exact)
        return -1;
    tree->root->path = STINT_PATH_ROOT;
    tree->floating->path = STINT_PATH_ROOT;
    tree->exact->path = STINT_PATH_ROOT;
    tree->floating->index = tree->exact->index = tree->root->index;
    tree->floating->salt = ~tree->root->salt; /* otherwise equal to that of the first scope, which has index 1 */
    tree->exact->salt = tree->floating->salt / 2;
    STINT_I_STORE(&tree->node_count, 1u);
    tree->last = tree->root;
    stint_i_set_current(&tree->hot, tree->root);
    return 0;
}

int stint_tree_begin(struct stint_tree *tree, enum stint_tree_kind kind)
{
    *tree = (struct stint_tree){.kind = kind};
    return stint_tree_begin_again(tree);
}

static void empty(struct stint_tree *tree, void (*empty_arena)(struct stint_arena *arena))
{
    struct stint_arena arena = tree->arena;
    if (tree->node_count > 1 && is_limited(tree))
        __atomic_sub_fetch(&s_node_count, tree->node_count - 1, __ATOMIC_RELAXED);
    empty_arena(&arena);
    *tree = (struct stint_tree){.kind = tree->kind, .arena = arena};
}

void stint_tree_empty(struct stint_tree *tree)
{
    empty(tree, stint_arena_reuse);
}

void stint_tree_end(struct stint_tree *tree)
{
    empty(tree, stint_arena_free);
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

static int has_window(const struct stint_i_node *node)
{
    return STINT_I_LOAD(&node->base) < STINT_I_UNPLACED;
}

static void empty_window(struct stint_i_node *node)
{
    STINT_I_STORE(&node->newest, (uint16_t)STINT_I_WINDOW);
    for (uint32_t i = 0; i <= STINT_I_WINDOW; i++)
        STINT_I_STORE(&node->window[i], (uint16_t)0);
}

static void zero_node(struct stint_i_node *node)
{
    if (has_window(node))
        empty_window(node);
    stint_histogram_zero(node->more);
    if (stint_node_is_thinned(node))
        stint_budget->zero(node);
    STINT_I_STORE(&node->count, UINT64_C(0));
    STINT_I_STORE(&node->total, UINT64_C(0));
    STINT_I_STORE(&node->self, UINT64_C(0));
    STINT_I_STORE(&node->cpu, UINT64_C(0));
    STINT_I_STORE(&node->passed, UINT64_C(0));
    STINT_I_STORE(&node->added, UINT64_C(0));
    STINT_I_STORE(&node->min, UINT64_MAX);
    STINT_I_STORE(&node->max, UINT64_C(0));
    __atomic_store(&node->square, &(double){0}, __ATOMIC_RELAXED);
}

/* Catches up with resets. The new epoch is published last: a reader that sees it reads zeroes. */
static void refresh(struct stint_i_node *node)
{
    const struct stint_entry *entry = stint_registry_entry(node->id);
    uint32_t epoch = __atomic_load_n(&entry->epoch, __ATOMIC_ACQUIRE);
    if (node->epoch == epoch)
        return;
    zero_node(node);
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
        if (!old) { /* left out: what was recorded in it before is no part of its parent's time any more */
            if (parent_start != parent->start)
                STINT_I_STORE(&parent->child, UINT64_C(0) - node->child);
            continue;
        }
        if (node == tree->hot.current && new != old)
            STINT_I_STORE(&node->child, UINT64_C(0));
        if (parent_start != parent->start)
            STINT_I_STORE(&parent->child, new - (old > parent_start ? old : parent_start));
        else
            STINT_I_ADD(&parent->child, new - old);
        STINT_I_STORE(&node->start, new);
    }
}

__attribute__((cold)) void stint_tree_refresh(struct stint_tree *tree)
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

__attribute__((cold)) void stint_tree_abandon(struct stint_tree *tree)
{
    struct stint_i_node *node = tree->hot.current;
    if (node->early && node->early_start == node->start)
        STINT_I_ADD(&node->parent->child, node->early);
    STINT_I_ADD(&node->parent->child, STINT_I_LOAD(&node->child));
    STINT_I_STORE(&node->start, UINT64_C(0));
    stint_i_set_parent(&tree->hot, node, node->parent);
}

struct stint_short stint_node_short(const struct stint_i_node *node, uint64_t limit)
{
    const struct stint_histogram *more = __atomic_load_n(&node->more, __ATOMIC_ACQUIRE);
    uint32_t first = has_window(node) ? STINT_I_LOAD(&node->base) * STINT_I_GROUP : UINT32_MAX;
    uint32_t newest = has_window(node) ? STINT_I_LOAD(&node->newest) : 0, last = stint_i_bucket(limit);
    uint64_t count = STINT_I_LOAD(&node->count);
    struct stint_short sum = {0, 0};
    for (uint32_t bucket = stint_i_bucket(STINT_I_LOAD(&node->min)); bucket <= last && sum.count < count; bucket++) {
        uint32_t place = bucket - first;
        uint64_t samples = stint_histogram_samples(more, bucket);
        if (bucket >= first && place < STINT_I_WINDOW)
            samples += STINT_I_LOAD(&node->window[place]) + (uint64_t)(place == newest);
        sum.count += samples;
        sum.ticks += (double)samples * stint_bucket_middle(bucket);
    }
    return sum;
}

/* Here and below, what counts samples returns how many it had no memory for. */
static uint64_t add_more(struct stint_i_node *node, uint32_t bucket, uint64_t samples, struct stint_arena *arena)
{
    return stint_histogram_add(&node->more, bucket, samples, arena) ? samples : 0;
}

static uint64_t add_window(struct stint_i_node *into, const struct stint_i_node *from, struct stint_arena *arena)
{
    uint32_t first = STINT_I_LOAD(&from->base) * STINT_I_GROUP, newest = STINT_I_LOAD(&from->newest);
    uint32_t low = stint_i_bucket(STINT_I_LOAD(&from->min)), high = stint_i_bucket(STINT_I_LOAD(&from->max));
    uint64_t lost = 0;
    for (uint32_t i = low > first ? low - first : 0; i < STINT_I_WINDOW && first + i <= high; i++) {
        uint32_t samples = STINT_I_LOAD(&from->window[i]) + (uint32_t)(i == newest);
        if (samples)
            lost += add_more(into, first + i, samples, arena);
    }
    return lost;
}

/* Places the window so that a sample is in its second octave. There it stays until a shorter sample comes: those that
 * are longer than the first ones are rare, or cost little to count compared with their own time. */
static uint64_t place_window(struct stint_i_node *node, uint32_t group, struct stint_arena *arena)
{
    uint32_t last = STINT_I_GROUPS - STINT_I_WINDOW / STINT_I_GROUP;
    uint64_t lost = 0;
    if (has_window(node)) {
        lost = add_window(node, node, arena);
        empty_window(node);
    }
    group -= group > 0;
    STINT_I_STORE(&node->base, (uint8_t)(group < last ? group : last));
    return lost;
}

static uint64_t count_anywhere(struct stint_i_node *node, uint32_t bucket, struct stint_arena *arena)
{
    uint64_t lost = 0;
    int place_again = bucket / STINT_I_GROUP < node->base;
    if (place_again && has_window(node) && !arena)
        return 1; /* what the window holds has nowhere to go */
    if (place_again)
        lost = place_window(node, bucket / STINT_I_GROUP, arena);
    uint32_t place = bucket - node->base * STINT_I_GROUP;
    if (place >= STINT_I_WINDOW)
        return lost + add_more(node, bucket, 1, arena);
    int is_full = node->window[node->newest] == UINT16_MAX;
    if (is_full && add_more(node, node->base * STINT_I_GROUP + node->newest, UINT16_MAX, arena)) {
        STINT_I_STORE(&node->newest, (uint16_t)place);
        return lost + 1; /* the counter stays full, and lacks the newest */
    }
    if (is_full)
        STINT_I_STORE(&node->window[node->newest], (uint16_t)0);
    STINT_I_ADD(&node->window[node->newest], 1u);
    STINT_I_STORE(&node->newest, (uint16_t)place);
    return lost;
}

static void lack(uint64_t samples)
{
    if (samples)
        __atomic_add_fetch(&stint_dropped.percentiles, samples, __ATOMIC_RELAXED);
}

void stint_count_slow(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span, int guarded)
{
    uint32_t bucket = stint_i_bucket(span);
    int mine = !guarded && stint_guard_begin();
    struct stint_tree *whole = (struct stint_tree *)(void *)tree;
    /* Outside the guard this interrupted code that may be using the arena. Costs are measured in it (measure.c). */
    struct stint_arena *arena = guarded || mine || whole->kind == STINT_TREE_PROBE ? &whole->arena : NULL;
    lack(count_anywhere(node, bucket < STINT_I_BUCKETS ? bucket : STINT_I_BUCKETS - 1, arena));
    if (mine)
        stint_guard_end();
}

static uint64_t merge_histogram(struct stint_i_node *into, const struct stint_i_node *from, struct stint_arena *arena)
{
    const struct stint_histogram *more = __atomic_load_n(&from->more, __ATOMIC_ACQUIRE);
    uint64_t lost = has_window(from) ? add_window(into, from, arena) : 0;
    return lost + stint_histogram_merge(&into->more, more, arena);
}

static uint64_t add_node_numbers(struct stint_tree *tree, struct stint_i_node *into, const struct stint_i_node *from)
{
    uint64_t min = STINT_I_LOAD(&from->min), max = STINT_I_LOAD(&from->max);
    double square;
    __atomic_load(&from->square, &square, __ATOMIC_RELAXED);
    into->count += STINT_I_LOAD(&from->count);
    stint_sum_up(&into->total, STINT_I_LOAD(&from->total));
    into->self = into->parent == tree->exact ? into->total : into->self + STINT_I_LOAD(&from->self);
    into->cpu += STINT_I_LOAD(&from->cpu);
    into->passed += STINT_I_LOAD(&from->passed);
    into->added += STINT_I_LOAD(&from->added);
    into->min = min < into->min ? min : into->min;
    into->max = max > into->max ? max : into->max;
    into->square += square;
    if (stint_node_is_thinned(into))
        stint_budget->merge(into, from);
    return merge_histogram(into, from, &tree->arena);
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

/* Adds one node, and the number of samples that percentiles lack then. Returns -1 if it has no counterpart. */
static int merge_node(struct stint_tree *into, const struct stint_tree *from, const struct stint_i_node *node,
                      const struct stint_merged *merged, uint64_t *lost)
{
    struct stint_i_node *parent = node->parent == from->exact ? into->exact : merged->nodes[node->parent->index];
    struct stint_i_node *there = counterpart(into, parent, node);
    merged->nodes[node->index] = there;
    if (!there || stint_node_is_stale(node))
        return there ? 0 : -1;
    *lost += add_node_numbers(into, there, node);
    return 0;
}

/* For each activation of a node that there was no room for. If its parent had one, the first has been counted. */
static void count_dropped_node(const struct stint_i_node *node, int counted)
{
    uint64_t *cause = stint_last_dropped() == STINT_ERROR_NO_MEMORY ? &stint_dropped.memory : &stint_dropped.nodes;
    __atomic_add_fetch(cause, STINT_I_LOAD(&node->count) - (uint64_t)counted, __ATOMIC_RELAXED);
}

/* Makes room for as many nodes at once in a snapshot's tree. */
static int reserve_slots(struct stint_tree *tree, uint32_t nodes)
{
    uint32_t slots = tree->hot.mask + 1;
    while (slots / DENSE <= nodes)
        slots *= 2;
    return slots > tree->hot.mask + 1 ? set_slots(tree, slots) : 0;
}

struct stint_merged stint_tree_merge(struct stint_tree *into, const struct stint_tree *from,
                                     struct stint_arena *scratch)
{
    uint32_t count = STINT_I_LOAD(&from->node_count);
    struct stint_merged merged = {stint_arena_alloc(scratch, count * sizeof(struct stint_i_node *)), count};
    const struct stint_i_node *node = from->root;
    uint64_t lost = 0;
    if (!merged.nodes || (into->kind == STINT_TREE_SUM && reserve_slots(into, count)))
        return (struct stint_merged){NULL, 0};
    merged.nodes[0] = into->root;
    while ((node = __atomic_load_n(&node->next, __ATOMIC_ACQUIRE)) && node->index < count) {
        int failed = merge_node(into, from, node, &merged, &lost);
        if (into->kind == STINT_TREE_SUM && (failed || lost))
            return (struct stint_merged){NULL, 0};
        if (failed && !stint_node_is_stale(node))
            count_dropped_node(node, merged.nodes[node->parent->index] != NULL);
    }
    lack(lost);
    return merged;
}

/* Changes the tree of running scopes when a range ends that others are still within. Whichever way is taken, each
 * moment stays in the self time of exactly one node. */
#include "nvtx/range.h"

#include <string.h>

#include "record/thread.h"

static int is_running(const struct stint_tree *tree, const struct stint_i_node *node)
{
    for (const struct stint_i_node *at = tree->hot.current; at->parent; at = at->parent)
        if (at == node)
            return 1;
    return 0;
}

/* The room of what was kept is free again when it is the last, or when nothing is kept of any other range. */
static void forget_kept(struct stint_nvtx_ranges *ranges, const struct stint_nvtx_open *open)
{
    uint32_t length = stint_nvtx_kept_length(open);
    if (!ranges->special)
        ranges->kept_used = 0;
    else if (length && open->kept + length == ranges->kept_used)
        ranges->kept_used = open->kept;
}

static void remove_open(struct stint_nvtx_ranges *ranges, uint32_t at)
{
    ranges->special -= (uint32_t)(ranges->open[at].state != 0);
    forget_kept(ranges, &ranges->open[at]);
    memmove(&ranges->open[at], &ranges->open[at + 1], (ranges->depth - at - 1) * sizeof *ranges->open);
    ranges->depth--;
}

static void note_more(struct stint_tree *tree, const struct stint_i_node *node, uint64_t span, const char *kept)
{
    struct stint_note_more more;
    memcpy(&more, kept, sizeof more);
    more.text = kept + sizeof more;
    stint_note_more(tree, node, node->start, span, STINT_NOTE_SCOPE, &more);
}

static void note(struct stint_tree *tree, const struct stint_nvtx_ranges *ranges, const struct stint_nvtx_open *open,
                 uint64_t span)
{
    if (stint_nvtx_kept_length(open))
        note_more(tree, open->node, span, ranges->kept + open->kept);
    else
        stint_note(&tree->hot, open->node, open->node->start, span, STINT_NOTE_SCOPE);
}

/* Counts the activation of an open range within which a scope runs that began at `inner_start`. From now on, that
 * scope's time belongs to the parent of the range's node. Returns the ticks of the inner scope until now. */
static uint64_t count(struct stint_tree *tree, const struct stint_nvtx_ranges *ranges,
                      const struct stint_nvtx_open *open, uint64_t inner_start, uint64_t now)
{
    struct stint_i_node *node = open->node;
    uint64_t span = stint_nvtx_span(node->start, now), inner = stint_nvtx_span(inner_start, now);
    stint_cpu_end(node);
    stint_count(&tree->hot, node, span, 1);
    STINT_I_ADD(&node->self, span - (node->child + inner));
    STINT_I_ADD(&node->parent->child, span);
    note(tree, ranges, open, span);
    return inner;
}

/* ----------------------------------------------------------------------------------------------------------- shells */

/* The running node whose parent is `node`. */
static const struct stint_i_node *running_child(const struct stint_tree *tree, const struct stint_i_node *node)
{
    const struct stint_i_node *at = tree->hot.current;
    while (at->parent != node)
        at = at->parent;
    return at;
}

/* The inner scope adds its whole time to `child` when it ends. `child` starts with minus the part that is counted by
 * now; the result is added to the parent when the shell is removed. */
static void make_shell(struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at, uint64_t now)
{
    struct stint_i_node *node = ranges->open[at].node;
    uint64_t inner = count(tree, ranges, &ranges->open[at], running_child(tree, node)->start, now);
    STINT_I_STORE(&node->child, 0 - inner);
    STINT_I_STORE(&node->start, now);
    ranges->special += (uint32_t)(ranges->open[at].state == 0);
    ranges->open[at].state |= STINT_NVTX_ENDED;
}

void stint_nvtx_settle(struct stint_tree *tree, struct stint_nvtx_ranges *ranges)
{
    while (ranges->depth && ranges->open[ranges->depth - 1].state & STINT_NVTX_ENDED) {
        struct stint_i_node *node = ranges->open[ranges->depth - 1].node;
        if (node == tree->hot.current) {
            STINT_I_ADD(&node->parent->child, node->child);
            STINT_I_STORE(&node->start, UINT64_C(0));
            stint_i_set_parent(&tree->hot, node, node->parent);
        } else if (is_running(tree, node)) {
            return;
        }
        remove_open(ranges, ranges->depth - 1);
    }
}

/* ----------------------------------------------------------------------------------------------------------- moving */

/* Returns whether only ranges that were pushed later run below the range at that position. */
static int holds_ranges_only(const struct stint_tree *tree, const struct stint_nvtx_ranges *ranges, uint32_t at)
{
    uint32_t inner = ranges->depth;
    for (const struct stint_i_node *node = tree->hot.current; node != ranges->open[at].node; node = node->parent)
        do
            if (--inner == at)
                return 0;
        while (ranges->open[inner].node != node);
    return 1;
}

/* Removes the node of every later range that does not run any more, because a scope around it has ended. */
static void forget_lost(const struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at)
{
    const struct stint_i_node *node = tree->hot.current;
    for (uint32_t inner = ranges->depth - 1; inner > at; inner--)
        if (ranges->open[inner].node == node)
            node = node->parent;
        else
            ranges->open[inner].node = NULL;
}

/* Makes the nodes to which the ranges inside the one at that position are moved. Returns 0, or -1 if there is no
 * room. */
static int make_places(struct stint_tree *tree, const struct stint_nvtx_ranges *ranges, uint32_t at)
{
    struct stint_i_node *parent = ranges->open[at].node->parent;
    for (uint32_t i = at + 1; i < ranges->depth && parent; i++)
        if (ranges->open[i].node)
            parent = stint_tree_child(tree, parent, ranges->open[i].node->id);
    return parent ? 0 : -1;
}

/* Moves a running activation to another node, below its parent's new place. */
static void move(struct stint_i_node *from, struct stint_i_node *to)
{
    uint64_t start = from->start, child = from->child;
    to->early = from->early;
    to->early_start = from->early_start;
    to->cpu_start = from->cpu_start;
    STINT_I_STORE(&from->start, UINT64_C(0));
    STINT_I_STORE(&to->child, child);
    STINT_I_STORE(&to->start, start);
}

/* Moves the outermost of these activations. Its time until now does not belong to its new parent, but leaving will add
 * all of it. */
static void move_outermost(struct stint_i_node *from, struct stint_i_node *to, uint64_t early)
{
    move(from, to);
    to->early = early;
    to->early_start = to->start;
    STINT_I_STORE(&to->parent->child, to->parent->child - early);
}

/* Remembers which range goes on, unless it is within a range that is remembered already. */
static void keep_outlived(struct stint_nvtx_ranges *ranges, const struct stint_i_node *node)
{
    if (stint_nvtx_has_outlived(ranges))
        return;
    STINT_I_STORE(&ranges->outlived_start, node->start);
    __atomic_store_n(&ranges->outlived, node, __ATOMIC_RELEASE);
}

/* All nodes exist. Works from the outermost in: the target of one range may be the node that the range around it
 * left. */
static void end_and_move(struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at, uint64_t now)
{
    struct stint_i_node *node = ranges->open[at].node, *outer = node->parent, *parent = outer;
    uint64_t early = count(tree, ranges, &ranges->open[at], running_child(tree, node)->start, now);
    STINT_I_STORE(&node->start, UINT64_C(0));
    for (uint32_t i = at + 1; i < ranges->depth; i++) {
        struct stint_nvtx_open *inner = &ranges->open[i];
        if (!inner->node)
            continue;
        parent = stint_tree_child(tree, parent, inner->node->id);
        if (parent->parent == outer) {
            move_outermost(inner->node, parent, early);
            keep_outlived(ranges, parent);
        } else {
            move(inner->node, parent);
        }
        inner->node = parent;
    }
    stint_i_set_current(&tree->hot, parent);
}

int stint_nvtx_has_outlived(const struct stint_nvtx_ranges *ranges)
{
    const struct stint_i_node *node = __atomic_load_n(&ranges->outlived, __ATOMIC_ACQUIRE);
    return node && STINT_I_LOAD(&node->start) == STINT_I_LOAD(&ranges->outlived_start);
}

/* -------------------------------------------------------------------------------------------------------------- end */

static void end_innermost(struct stint_tree *tree, const struct stint_nvtx_ranges *ranges,
                          const struct stint_nvtx_open *open, uint64_t now)
{
    uint64_t span = stint_nvtx_span(open->node->start, now);
    note(tree, ranges, open, span);
    stint_cpu_end(open->node);
    stint_end_unnoted(&tree->hot, open->node, span, 1);
}

static void move_or_make_shell(struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at, uint64_t now)
{
    forget_lost(tree, ranges, at);
    if (make_places(tree, ranges, at)) {
        make_shell(tree, ranges, at, now);
    } else {
        end_and_move(tree, ranges, at, now);
        remove_open(ranges, at);
    }
}

void stint_nvtx_end_range(struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at, uint64_t now)
{
    struct stint_i_node *node = ranges->open[at].node;
    if (node && node == tree->hot.current) {
        end_innermost(tree, ranges, &ranges->open[at], now);
        remove_open(ranges, at);
    } else if (!node || !is_running(tree, node)) {
        remove_open(ranges, at);
    } else if (holds_ranges_only(tree, ranges, at)) {
        move_or_make_shell(tree, ranges, at, now);
    } else {
        make_shell(tree, ranges, at, now);
    }
    stint_nvtx_settle(tree, ranges);
}

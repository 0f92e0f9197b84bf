#include "nvtx/overlap.h"

#include <string.h>

#include "nvtx/sample.h"

static int is_running(const struct stint_tree *tree, const struct stint_i_node *node)
{
    for (const struct stint_i_node *at = tree->hot.current; at->parent; at = at->parent)
        if (at == node)
            return 1;
    return 0;
}

static void remove_open(struct stint_nvtx_ranges *ranges, uint32_t at)
{
    ranges->ended -= (uint32_t)(ranges->open[at].ended != 0);
    memmove(&ranges->open[at], &ranges->open[at + 1], (ranges->depth - at - 1) * sizeof *ranges->open);
    ranges->depth--;
}

/* Counts the activation of a node below which something runs, which began at `inner_start`. It goes on as its parent's
 * time. Returns the ticks of it that are the node's. */
static uint64_t count(struct stint_i_tree *hot, struct stint_i_node *node, uint64_t inner_start, uint64_t now)
{
    uint64_t span = stint_nvtx_span(node->start, now), inner = stint_nvtx_span(inner_start, now);

    stint_i_count(node, span);
    STINT_I_ADD(&node->self, span - (node->child + inner));
    STINT_I_ADD(&node->parent->child, span);
    if (hot->noted_limit)
        stint_i_note(hot, node, node->start, span, 0);
    return inner;
}

/* ----------------------------------------------------------------------------------------------------------- shells */

/* The one among the running nodes whose parent `node` is. */
static const struct stint_i_node *running_child(const struct stint_tree *tree, const struct stint_i_node *node)
{
    const struct stint_i_node *at = tree->hot.current;

    while (at->parent != node)
        at = at->parent;
    return at;
}

/* What the inner scope adds when it ends, less what is counted by now, is left in `child`: it goes to the parent when
 * the shell is removed. */
static void make_shell(struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at, uint64_t now)
{
    struct stint_i_node *node = ranges->open[at].node;
    uint64_t inner = count(&tree->hot, node, running_child(tree, node)->start, now);

    STINT_I_STORE(&node->child, 0 - inner);
    STINT_I_STORE(&node->start, now);
    ranges->open[at].ended = 1;
    ranges->ended++;
}

void stint_nvtx_settle(struct stint_tree *tree, struct stint_nvtx_ranges *ranges)
{
    while (ranges->depth && ranges->open[ranges->depth - 1].ended) {
        struct stint_i_node *node = ranges->open[ranges->depth - 1].node;

        if (node == tree->hot.current) {
            STINT_I_ADD(&node->parent->child, node->child);
            STINT_I_STORE(&node->start, UINT64_C(0));
            STINT_I_STORE(&tree->hot.current, node->parent);
        } else if (is_running(tree, node)) {
            return;
        }
        remove_open(ranges, ranges->depth - 1);
    }
}

/* ----------------------------------------------------------------------------------------------------------- moving */

/* Returns whether what runs below the range at that position is nothing but ranges that were pushed later. */
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

/* Takes the nodes from those among the later ranges that do not run any more, because a scope around them ended. */
static void forget_lost(const struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at)
{
    const struct stint_i_node *node = tree->hot.current;

    for (uint32_t inner = ranges->depth - 1; inner > at; inner--)
        if (ranges->open[inner].node == node)
            node = node->parent;
        else
            ranges->open[inner].node = NULL;
}

/* Makes the nodes that the ranges inside the one at that position go to. Returns 0, or -1 if there is no room. */
static int make_places(struct stint_tree *tree, const struct stint_nvtx_ranges *ranges, uint32_t at)
{
    struct stint_i_node *parent = ranges->open[at].node->parent;

    for (uint32_t i = at + 1; i < ranges->depth && parent; i++)
        if (ranges->open[i].node)
            parent = stint_tree_child(tree, parent, ranges->open[i].node->id);
    return parent ? 0 : -1;
}

/* Moves a running activation to below where its parent went. */
static void move(struct stint_i_node *from, struct stint_i_node *to)
{
    uint64_t start = from->start, child = from->child;

    to->early = from->early;
    to->early_start = from->early_start;
    STINT_I_STORE(&from->start, UINT64_C(0));
    STINT_I_STORE(&to->child, child);
    STINT_I_STORE(&to->start, start);
}

/* Moves the outermost of them. The part of it until now is none of its new parent's time, but leaving adds it all. */
static void move_outermost(struct stint_i_node *from, struct stint_i_node *to, uint64_t early)
{
    move(from, to);
    to->early = early;
    to->early_start = to->start;
    STINT_I_STORE(&to->parent->child, to->parent->child - early);
}

/* Remembers which range goes on, unless one that it is in already does. */
static void keep_outlived(struct stint_nvtx_ranges *ranges, const struct stint_i_node *node)
{
    if (stint_nvtx_has_outlived(ranges))
        return;
    STINT_I_STORE(&ranges->outlived_start, node->start);
    __atomic_store_n(&ranges->outlived, node, __ATOMIC_RELEASE);
}

/* The places are there. Outermost first: the place of one may be where the one before comes from. */
static void end_and_move(struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at, uint64_t now)
{
    struct stint_i_node *node = ranges->open[at].node, *outer = node->parent, *parent = outer;
    uint64_t early = count(&tree->hot, node, running_child(tree, node)->start, now);

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
    __atomic_store_n(&tree->hot.current, parent, __ATOMIC_RELEASE);
}

int stint_nvtx_has_outlived(const struct stint_nvtx_ranges *ranges)
{
    const struct stint_i_node *node = __atomic_load_n(&ranges->outlived, __ATOMIC_ACQUIRE);

    return node && STINT_I_LOAD(&node->start) == STINT_I_LOAD(&ranges->outlived_start);
}

/* -------------------------------------------------------------------------------------------------------------- end */

static void end_innermost(struct stint_tree *tree, struct stint_i_node *node, uint64_t now)
{
    stint_i_end(&tree->hot, node, stint_nvtx_span(node->start, now));
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
        end_innermost(tree, node, now);
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

/* Counting and ending activations from inside the library. What stint/detail/record.h does inline gives up, before it
 * changes anything, where a bucket becomes full or a note finds no room; these do the rest. */
#ifndef STINT_RECORD_COUNT_H
#define STINT_RECORD_COUNT_H

#include "stint/detail/record.h"

/* Counts one activation of `node` that took `span` ticks, and halves the buckets when one of them is full. */
void stint_count_slow(struct stint_i_node *node, uint64_t span);

/* Notes an activation for the trace, in a chunk that may have to be handed over first. Counts it as dropped if there is
 * no room, or if this interrupted a note. */
void stint_note_slow(struct stint_i_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                     uint32_t form);

static inline void stint_count(struct stint_i_node *node, uint64_t span)
{
    uint32_t *bucket = stint_i_bucket_of(node, span);

    if (STINT_I_LIKELY(stint_i_has_room(bucket)))
        stint_i_count(node, span, bucket);
    else
        stint_count_slow(node, span);
}

/* Does nothing without a trace. */
static inline void stint_note(struct stint_i_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                              uint32_t form)
{
    if (STINT_I_UNLIKELY(tree->noted_limit != NULL) && !stint_i_note(tree, node, start, span, form))
        stint_note_slow(tree, node, start, span, form);
}

/* Ends the running activation of tree->current, which took `span` ticks, without noting it. */
static inline void stint_end_unnoted(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span)
{
    stint_count(node, span);
    stint_i_finish(tree, node, span);
}

/* Ends the running activation of tree->current, which took `span` ticks. */
static inline void stint_end(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span)
{
    stint_note(tree, node, STINT_I_LOAD(&node->start), span, 0);
    stint_end_unnoted(tree, node, span);
}

#endif

/* Counting and ending activations from inside the library. What stint/detail/record.h does inline gives up, before it
 * changes anything, where the histogram needs memory or a note finds no room; these do the rest. `guarded` says whether
 * the caller is inside the guard. */
#ifndef STINT_RECORD_COUNT_H
#define STINT_RECORD_COUNT_H

#include "stint/detail/record.h"

/* Counts a sample in the histogram of `node`, with memory of the tree if it needs some. */
void stint_count_slow(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span, int guarded);

struct stint_thread_record;

/* Makes sure that the thread has room for a note, where that is possible. To be called inside the guard, by the thread
 * itself. Set where activations are noted for a trace, as soon as a tree has a noted_limit. */
extern void (*stint_note_make_room)(struct stint_thread_record *record);

/* Of struct stint_i_noted's `form`: a sample that no scope of the thread encloses. */
enum { STINT_NOTE_SCOPE = 0, STINT_NOTE_FLOATING = 1 };

/* Notes an activation for the trace, in memory that may have to be made room in first. Counts it as dropped if there is
 * no room, or if this interrupted a note. */
void stint_note_slow(struct stint_i_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                     uint32_t form);

static inline void stint_count(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span, int guarded)
{
    uint32_t place;
    stint_i_count(node, span);
    if (STINT_I_UNLIKELY(!stint_i_find_place(node, span, &place)))
        stint_count_slow(tree, node, span, guarded);
    else if (STINT_I_LIKELY(place < STINT_I_WINDOW))
        stint_i_count_newest(node, place);
}

/* Does nothing without a trace. */
static inline void stint_note(struct stint_i_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                              uint32_t form)
{
    if (STINT_I_UNLIKELY(tree->noted_limit != NULL) && !stint_i_note(tree, node, start, span, form))
        stint_note_slow(tree, node, start, span, form);
}

/* Ends the running activation of tree->current, which took `span` ticks, without noting it. */
static inline void stint_end_unnoted(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span, int guarded)
{
    stint_count(tree, node, span, guarded);
    stint_i_finish(tree, node, span);
}

/* Ends the running activation of tree->current, which took `span` ticks. */
static inline void stint_end(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span, int guarded)
{
    stint_note(tree, node, STINT_I_LOAD(&node->start), span, 0);
    stint_end_unnoted(tree, node, span, guarded);
}

#endif

/* Adds to a thread's tree what has a time but is no scope that runs on it: marks, and ranges from one thread to
 * another. */
#include "nvtx/sample.h"

#include <string.h>

#include "base/annotation.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "nvtx/attributes.h"
#include "nvtx/state.h"
#include "record/count.h"
#include "record/scope.h"

uint64_t stint_nvtx_span(uint64_t start, uint64_t now)
{
    if (now >= start)
        return now - start;
    stint_count_dropped(&stint_dropped.negative);
    return 0;
}

struct stint_note_more stint_nvtx_more_of_text(const char *text)
{
    struct stint_annotation annotation;
    size_t length;

    if (!stint_notes_are_on || !text)
        return (struct stint_note_more){0};
    length = strlen(text);
    if (!stint_annotation_read(&annotation, text, length))
        return (struct stint_note_more){0};
    if (length > STINT_NOTE_TEXT_MOST) {
        stint_count_dropped(&stint_dropped.truncated);
        length = stint_utf8_cut(text, STINT_NOTE_TEXT_MOST);
    }
    return (struct stint_note_more){.length = (uint32_t)length, .text = text};
}

struct stint_note_more stint_nvtx_more(const struct stint_nvtx_attributes *whole)
{
    struct stint_note_more more = stint_nvtx_more_of_text(stint_nvtx_event_text(whole));

    if (stint_notes_are_on) {
        more.color = whole->color_type != STINT_NVTX_COLOR_NONE ? whole->color : 0;
        more.category = whole->category;
    }
    return more;
}

static void add(struct stint_tree *tree, uint32_t id, uint64_t start, uint64_t ticks,
                const struct stint_note_more *more)
{
    struct stint_i_node *node = stint_tree_child(tree, tree->floating, id);

    if (!node)
        return;
    stint_count(&tree->hot, node, ticks, 1);
    STINT_I_ADD(&node->self, ticks);
    if (stint_note_is_plain(more))
        stint_note_floating(tree, node, start, ticks);
    else
        stint_note_more(tree, node, start, ticks, STINT_NOTE_FLOATING, more);
}

void stint_nvtx_sample(uint32_t id, uint64_t start, uint64_t ticks, const struct stint_note_more *more)
{
    int error;

    if (!id || !stint_nvtx_begin(&error))
        return;
    struct stint_thread_record *record = stint_thread_acquire();
    if (record) {
        stint_scope_catch_up(record);
        add(&record->tree, id, start, ticks, more);
    }
    stint_nvtx_end(error);
}

void stint_nvtx_mark(uint32_t id, struct stint_note_more more)
{
    stint_nvtx_sample(id, stint_clock_ticks(), 0, &more);
}

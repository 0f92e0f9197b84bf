#include "nvtx/sample.h"

#include <string.h>

#include "base/annotation.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "nvtx/state.h"
#include "record/count.h"
#include "record/note.h"
#include "record/scope.h"

uint64_t stint_nvtx_span(uint64_t start, uint64_t now)
{
    if (now >= start)
        return now - start;
    stint_count_dropped(&stint_dropped.negative);
    return 0;
}

uint32_t stint_nvtx_noted_length(const char *text)
{
    struct stint_annotation annotation;
    size_t length;

    if (!stint_notes_are_on || !text)
        return 0;
    length = strlen(text);
    if (!stint_annotation_read(&annotation, text, length))
        return 0;
    if (length <= STINT_NOTE_TEXT_MOST)
        return (uint32_t)length;
    stint_count_dropped(&stint_dropped.truncated);
    return (uint32_t)stint_utf8_cut(text, STINT_NOTE_TEXT_MOST);
}

static void add(struct stint_tree *tree, uint32_t id, uint64_t start, uint64_t ticks, const char *text)
{
    uint32_t length = stint_nvtx_noted_length(text);
    struct stint_i_node *node = stint_tree_child(tree, tree->floating, id);

    if (!node)
        return;
    stint_count(&tree->hot, node, ticks, 1);
    STINT_I_ADD(&node->self, ticks);
    if (length)
        stint_note_text(tree, node, start, ticks, STINT_NOTE_FLOATING, text, length);
    else
        stint_note_floating(tree, node, start, ticks);
}

void stint_nvtx_sample(uint32_t id, uint64_t start, uint64_t ticks, const char *text)
{
    int error;

    if (!id || !stint_nvtx_begin(&error))
        return;
    struct stint_thread_record *record = stint_thread_acquire();
    if (record) {
        stint_scope_catch_up(record);
        add(&record->tree, id, start, ticks, text);
    }
    stint_nvtx_end(error);
}

void stint_nvtx_mark(uint32_t id, const char *text)
{
    stint_nvtx_sample(id, stint_clock_ticks(), 0, text);
}

#include "record/note.h"

#include <string.h>

#include "record/call.h"
#include "record/path.h"
#include "record/registry.h"

_Static_assert(sizeof(struct stint_note) == sizeof(struct stint_i_activation), "each becomes a note where it is");

enum { ROWS = sizeof((struct stint_chunk *)0)->rows / sizeof(struct stint_i_activation) };

static int s_on;

/* Where a thread without a chunk would note: to the slow half. */
static struct stint_i_activation s_nowhere;

void stint_notes_start(void)
{
    s_on = 1;
}

static struct stint_i_activation *activations(struct stint_chunk *chunk)
{
    return (struct stint_i_activation *)(void *)chunk->rows;
}

/* ----------------------------------------------------------------------------------------------------------- hand over */

/* How many activations the thread has written. Those handed over before are chunk->count. */
static uint32_t written(struct stint_chunk *chunk)
{
    uint32_t count = chunk->count;

    while (count < ROWS && __atomic_load_n(&activations(chunk)[count].node, __ATOMIC_ACQUIRE))
        ++count;
    return count;
}

/* Returns 0 for what is not to be handed over. Under the registry's lock. */
static int name(struct stint_note *note, const struct stint_tree *tree, const struct stint_i_activation *activation)
{
    struct stint_i_node *const node = activation->node;
    const struct stint_note named = {
        .path = stint_path_of(node),
        .floating = node->parent == tree->floating,
        .start = STINT_I_LOAD(&activation->start),
        .span = STINT_I_LOAD(&activation->span),
    };

    if (stint_call_is(node->id))
        return 0;
    if (named.path == STINT_PATH_NONE) {
        stint_count_dropped(&stint_dropped.events);
        return 0;
    }
    memcpy(note, &named, sizeof named); /* it may be where the activation was */
    return 1;
}

/* Hands over the rows of `from` that have not been yet, in `into`, which may be `from`. Under the registry's lock. */
static void hand_over(const struct stint_thread_record *record, struct stint_chunk *from, struct stint_chunk *into)
{
    const uint32_t end = written(from);
    uint32_t count = 0;

    for (uint32_t i = from->count; i < end; ++i)
        count += (uint32_t)name((struct stint_note *)(void *)into->rows + count, &record->tree, &activations(from)[i]);
    from->count = end;
    into->count = count;
    into->tid = record->tid;
    if (count)
        stint_chunks_put(into);
    else
        stint_chunks_give_back(into);
}

void stint_notes_sweep(void)
{
    struct stint_chunk *copy;

    stint_registry_lock();
    for (struct stint_thread_record *record = stint_thread_first(); record; record = record->next)
        if (record->noted && written(record->noted) > record->noted->count && (copy = stint_chunks_get()))
            hand_over(record, record->noted, copy);
    stint_registry_unlock();
}

/* ------------------------------------------------------------------------------------------------------------- threads */

/* Whoever has no chunk goes to the slow half. */
static void set_chunk(struct stint_thread_record *record, struct stint_chunk *chunk)
{
    record->noted = chunk;
    record->tree.hot.noted = chunk ? activations(chunk) : &s_nowhere;
    record->tree.hot.noted_limit = chunk ? activations(chunk) + ROWS : &s_nowhere;
}

void stint_notes_begin(struct stint_thread_record *record)
{
    if (s_on)
        set_chunk(record, NULL);
}

void stint_notes_end(struct stint_thread_record *record)
{
    struct stint_chunk *const chunk = record->noted;

    if (!chunk)
        return;
    set_chunk(record, NULL);
    hand_over(record, chunk, chunk);
}

void stint_notes_after_fork(void)
{
    struct stint_thread_record *const self = stint_thread_self();

    if (!s_on)
        return;
    stint_chunks_after_fork(NULL);
    if (self)
        set_chunk(self, NULL);
}

/* -------------------------------------------------------------------------------------------------------- the slow half */

static void change_chunk(struct stint_thread_record *record)
{
    struct stint_chunk *const next = stint_chunks_get();

    if (!next && !record->noted)
        return;
    stint_registry_lock();
    stint_notes_end(record);
    set_chunk(record, next);
    stint_registry_unlock();
}

void stint_notes_make_room(struct stint_thread_record *record)
{
    struct stint_i_tree *const hot = &record->tree.hot;

    if (hot->noted != hot->noted_limit || hot->noting)
        return;
    hot->noting = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    change_chunk(record);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    hot->noting = 0;
}

STINT_API void stint_i_note_slow(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t start, uint64_t span)
{
    if (!tree->noting && stint_guard_begin()) {
        stint_notes_make_room((struct stint_thread_record *)(void *)tree);
        stint_guard_end();
        if (tree->noted != tree->noted_limit) {
            stint_i_note(tree, node, start, span);
            return;
        }
    }
    stint_count_dropped(&stint_dropped.events);
}

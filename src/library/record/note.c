#include "record/note.h"

#include <string.h>

#include "base/clock.h"
#include "record/api_call.h"
#include "record/registry.h"

enum { ROWS = sizeof((struct stint_chunk *)0)->rows / sizeof(struct stint_i_noted) };

int stint_notes_are_on;

/* Where threads without a chunk point, so that they take the slow path. */
static struct stint_i_noted s_nowhere;

void stint_notes_start(void)
{
    stint_notes_are_on = 1;
}

static struct stint_i_noted *rows(struct stint_chunk *chunk)
{
    return (struct stint_i_noted *)(void *)chunk->rows;
}

/* -------------------------------------------------------------------------------------------------------- hand over */

/* The functions below need the registry's lock. */

/* How many rows the thread has written. */
static uint32_t written(struct stint_chunk *chunk)
{
    uint32_t count = chunk->first;

    while (count < ROWS && __atomic_load_n(&rows(chunk)[count].path, __ATOMIC_ACQUIRE))
        count++;
    return count;
}

static void hand_over(const struct stint_thread_record *record, struct stint_chunk *chunk, uint32_t count)
{
    chunk->count = count;
    chunk->tid = record->tid;
    if (chunk->count > chunk->first)
        stint_chunks_put(chunk);
    else
        stint_chunks_give_back(chunk);
}

/* Hands over a copy of what was noted; the thread goes on writing to the rest of the chunk. */
static void hand_over_copy(struct stint_thread_record *record)
{
    uint32_t first = record->noted->first, end = written(record->noted);
    struct stint_chunk *copy = end > first ? stint_chunks_get() : NULL;

    if (!copy)
        return;
    for (uint32_t i = first; i < end; i++) {
        const struct stint_i_noted *from = &rows(record->noted)[i];

        rows(copy)[i - first] = (struct stint_i_noted){STINT_I_LOAD(&from->start), STINT_I_LOAD(&from->span),
                                                       STINT_I_LOAD(&from->form), STINT_I_LOAD(&from->path)};
    }
    record->noted->first = end;
    hand_over(record, copy, end - first);
}

void stint_notes_sweep(void)
{
    stint_registry_lock();
    for (struct stint_thread_record *record = stint_thread_first(); record; record = record->next)
        if (record->noted)
            hand_over_copy(record);
    stint_registry_unlock();
}

/* Returns the row of the activation that is running in `node`, with path 0 if it is not a scope. */
static struct stint_i_noted running(const struct stint_i_node *node, uint64_t now)
{
    uint64_t start = stint_node_start(node);

    if (!start || start > now || stint_call_is(node->id))
        return (struct stint_i_noted){0};
    return (struct stint_i_noted){start, now - start, 0, STINT_I_LOAD(&node->path)};
}

static void hand_over_running(const struct stint_thread_record *record, uint64_t now)
{
    struct stint_chunk *chunk = stint_chunks_get();
    uint32_t count = 0;

    if (!chunk)
        return;
    for (const struct stint_i_node *node = __atomic_load_n(&record->tree.hot.current, __ATOMIC_ACQUIRE);
         node && node->parent && count < ROWS; node = node->parent) {
        rows(chunk)[count] = running(node, now);
        count += rows(chunk)[count].path != 0;
    }
    hand_over(record, chunk, count);
}

void stint_notes_sweep_running(void)
{
    uint64_t now = stint_clock_ticks();

    stint_registry_lock();
    for (const struct stint_thread_record *record = stint_thread_first(); record; record = record->next)
        hand_over_running(record, now);
    stint_registry_unlock();
}

/* ---------------------------------------------------------------------------------------------------------- threads */

/* A thread without a chunk takes the slow path. */
static void set_chunk(struct stint_thread_record *record, struct stint_chunk *chunk)
{
    record->noted = chunk;
    record->tree.hot.noted = chunk ? rows(chunk) : &s_nowhere;
    record->tree.hot.noted_limit = chunk ? rows(chunk) + ROWS : &s_nowhere;
}

void stint_notes_begin(struct stint_thread_record *record)
{
    if (stint_notes_are_on)
        set_chunk(record, NULL);
}

void stint_notes_end(struct stint_thread_record *record)
{
    struct stint_chunk *chunk = record->noted;

    if (!chunk)
        return;
    set_chunk(record, NULL);
    hand_over(record, chunk, written(chunk));
}

void stint_notes_after_fork(void)
{
    struct stint_thread_record *self = stint_thread_self();

    if (!stint_notes_are_on)
        return;
    stint_chunks_after_fork();
    if (self)
        set_chunk(self, NULL);
}

/* ---------------------------------------------------------------------------------------------------- the slow path */

static void change_chunk(struct stint_thread_record *record)
{
    struct stint_chunk *next = stint_chunks_get();

    if (!next && !record->noted)
        return;
    stint_registry_lock();
    stint_notes_end(record);
    set_chunk(record, next);
    stint_registry_unlock();
}

static int has_room(const struct stint_i_tree *hot, uint32_t rows)
{
    return (size_t)(hot->noted_limit - hot->noted) >= rows;
}

static void make_room(struct stint_thread_record *record, uint32_t rows)
{
    struct stint_i_tree *hot = &record->tree.hot;

    if (!hot->noted_limit || has_room(hot, rows) || hot->noting)
        return;
    hot->noting = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    change_chunk(record);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    hot->noting = 0;
}

void stint_notes_make_room(struct stint_thread_record *record)
{
    make_room(record, 1);
}

void stint_note_slow(struct stint_i_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                     uint32_t form)
{
    if (!tree->noting && stint_guard_begin()) {
        stint_notes_make_room((struct stint_thread_record *)(void *)tree);
        stint_guard_end();
        if (stint_i_note(tree, node, start, span, form))
            return;
    }
    stint_count_dropped(&stint_dropped.events);
}

_Static_assert((STINT_NOTE_TEXT_MOST + STINT_NOTE_TEXT_BYTES - 1) / STINT_NOTE_TEXT_BYTES < ROWS,
               "a chunk has room for a note with the longest text");

/* The rows of the text are written first, because whoever sweeps takes rows up to the first that has no path. */
static void put_text(struct stint_i_noted *row, const char *text, uint32_t length)
{
    for (; length; row++) {
        uint32_t part = length < STINT_NOTE_TEXT_BYTES ? length : STINT_NOTE_TEXT_BYTES;

        memcpy(row, text, part);
        STINT_I_STORE(&row->path, UINT32_MAX);
        text += part;
        length -= part;
    }
}

void stint_note_text(struct stint_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                     uint32_t form, const char *text, uint32_t length)
{
    struct stint_i_tree *hot = &tree->hot;
    uint32_t rows = 1 + stint_note_text_rows(length);

    if (!hot->noted_limit)
        return;
    make_room((struct stint_thread_record *)(void *)tree, rows);
    if (hot->noting || !has_room(hot, rows)) {
        stint_count_dropped(&stint_dropped.events);
        return;
    }
    hot->noting = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    struct stint_i_noted *note = hot->noted;
    put_text(note + 1, text, length);
    STINT_I_STORE(&note->start, start);
    STINT_I_STORE(&note->span, span);
    STINT_I_STORE(&note->form, form | length << STINT_NOTE_TEXT_SHIFT);
    __atomic_store_n(&note->path, STINT_I_LOAD(&node->path), __ATOMIC_RELEASE);
    hot->noted = note + rows;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    hot->noting = 0;
}

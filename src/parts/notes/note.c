/* Notes single activations, and what belongs to them, in rows of a chunk; gets a new chunk when one is full, and hands
 * over what there is when asked. Other threads see a row when its path is stored, which is last. */
#include "notes/note.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process.h"
#include "contexts/contexts.h"
#include "record/part.h"
#include "record/registry.h"
#include "record/scope.h"

enum { ROWS = sizeof((struct stint_chunk *)0)->rows / sizeof(struct stint_i_noted) };

int stint_notes_are_on;

/* Where threads without a chunk point, so that they take the slow path. */
static struct stint_i_noted s_nowhere;

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
    if (chunk->count > chunk->first || chunk->name[0])
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

static void begin_thread(struct stint_thread_record *record)
{
    if (stint_notes_are_on)
        set_chunk(record, NULL);
}

static void give_up_chunk(struct stint_thread_record *record)
{
    struct stint_chunk *chunk = record->noted;
    if (!chunk)
        return;
    set_chunk(record, NULL);
    hand_over(record, chunk, written(chunk));
}

/* The thread's name is handed over with what it noted: when it has ended, nobody knows it. */
__attribute__((cold)) static void end_thread(struct stint_thread_record *record)
{
    if (record->noted && record->tid == syscall(SYS_gettid) && !stint_process_was_confined())
        (void)prctl(PR_GET_NAME, record->noted->name, 0, 0, 0);
    give_up_chunk(record);
}

STINT_PART(notes) = {.name = "notes", .thread_begins = begin_thread, .thread_ends = end_thread};

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

__attribute__((cold)) static void change_chunk(struct stint_thread_record *record)
{
    stint_chunks_wait();
    struct stint_chunk *next = stint_chunks_get();
    if (!next && !record->noted)
        return;
    stint_registry_lock();
    give_up_chunk(record);
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

static void make_room_for_one(struct stint_thread_record *record)
{
    make_room(record, 1);
}

void stint_notes_start(void)
{
    stint_notes_are_on = 1;
    stint_paths_start();
    stint_note_make_room = make_room_for_one;
}

_Static_assert((STINT_NOTE_TEXT_MOST + STINT_NOTE_TEXT_BYTES - 1) / STINT_NOTE_TEXT_BYTES < ROWS - 1,
               "a chunk has room for a note with a look and the longest text");

/* Begins a note of several rows. Returns the first, or NULL if there is no trace, or no room, which is counted. */
static struct stint_i_noted *begin_rows(struct stint_tree *tree, uint32_t count)
{
    struct stint_i_tree *hot = &tree->hot;
    if (!hot->noted_limit)
        return NULL;
    make_room((struct stint_thread_record *)(void *)tree, count);
    if (hot->noting || !has_room(hot, count)) {
        stint_count_dropped(&stint_dropped.events);
        return NULL;
    }
    hot->noting = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return hot->noted;
}

/* The first row's path is stored last, because whoever sweeps takes rows up to the first that has no path. */
static void end_rows(struct stint_tree *tree, uint32_t count, const struct stint_i_noted *first)
{
    struct stint_i_tree *hot = &tree->hot;
    STINT_I_STORE(&hot->noted->start, first->start);
    STINT_I_STORE(&hot->noted->span, first->span);
    STINT_I_STORE(&hot->noted->form, first->form);
    __atomic_store_n(&hot->noted->path, first->path, __ATOMIC_RELEASE);
    hot->noted += count;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    hot->noting = 0;
}

static void put_row(struct stint_i_noted *row, uint64_t start, uint64_t span)
{
    STINT_I_STORE(&row->start, start);
    STINT_I_STORE(&row->span, span);
    STINT_I_STORE(&row->path, UINT32_MAX);
}

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

void stint_note_more(struct stint_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                     uint32_t form, const struct stint_note_more *more)
{
    struct stint_i_noted first = {start, span, form | more->length << STINT_NOTE_TEXT_SHIFT, 0};
    if (more->color | more->category)
        first.form |= STINT_NOTE_LOOK;
    uint32_t count = stint_note_rows(&first);
    struct stint_i_noted *note = begin_rows(tree, count);
    if (!note)
        return;
    if (first.form & STINT_NOTE_LOOK)
        put_row(note + 1, more->color, more->category);
    put_text(note + stint_note_text_at(&first), more->text, more->length);
    first.path = STINT_I_LOAD(&node->path);
    end_rows(tree, count, &first);
}

void stint_note_value(struct stint_tree *tree, uint32_t id, const char *field, double value)
{
    struct stint_i_noted first = {stint_clock_ticks(), 0, STINT_NOTE_VALUE, id};
    struct stint_i_noted *note = begin_rows(tree, 2);
    if (!note)
        return;
    memcpy(&first.span, &value, sizeof value);
    put_row(note + 1, (uintptr_t)field, 0);
    end_rows(tree, 2, &first);
}

struct noted {
    uint32_t form;
    const struct stint_note_more *more;
};

static void note_left(struct stint_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                      const void *context)
{
    const struct noted *noted = context;
    stint_note_more(tree, node, start, span, noted->form, noted->more);
}

void stint_note_leave(struct stint_i_node *node, uint64_t counter, uint32_t form, const struct stint_note_more *more)
{
    (void)stint_scope_leave_noted(node, counter, note_left, &(struct noted){form, more});
}

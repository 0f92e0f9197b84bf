/* Notes activations one by one as they end, for a trace: each thread notes its own in a chunk, inline
 * (stint/detail/record.h), and hands the chunk over when it is full or the thread ends. Calls of CUDA's API are not
 * noted: they are traced with what they launch (gpu/event_slots.h). */
#ifndef STINT_RECORD_NOTE_H
#define STINT_RECORD_NOTE_H

#include "record/chunk.h"
#include "record/count.h"
#include "record/thread.h"

/* From now on, each thread notes what it does, from its first scope on. To be called before any scope. */
void stint_notes_start(void);
extern int stint_notes_are_on;

/* To be called when a thread begins to record. */
void stint_notes_begin(struct stint_thread_record *record);

/* Makes sure that the thread has room for a note, if a chunk is free. To be called inside the guard, by the thread
 * itself, before it ends a scope there, because the slow path cannot make room inside the guard. Does nothing without a
 * trace. */
void stint_notes_make_room(struct stint_thread_record *record);

/* Values of `form` in struct stint_i_noted. */
enum { STINT_NOTE_SCOPE = 0, STINT_NOTE_FLOATING = 1, STINT_NOTE_TEXT_SHIFT = 1 };

/* A text takes as many of the rows after its note as it needs. Each has room for some bytes in front of its path, which
 * is not 0 and means nothing. */
enum { STINT_NOTE_TEXT_BYTES = offsetof(struct stint_i_noted, path), STINT_NOTE_TEXT_MOST = 16383 };

static inline uint32_t stint_note_text_length(const struct stint_i_noted *note)
{
    return note->form >> STINT_NOTE_TEXT_SHIFT;
}

static inline uint32_t stint_note_text_rows(uint32_t length)
{
    return (length + STINT_NOTE_TEXT_BYTES - 1) / STINT_NOTE_TEXT_BYTES;
}

/* Notes an activation with a text of `length` bytes, STINT_NOTE_TEXT_MOST at most. Inside the guard. Does nothing
 * without a trace. */
void stint_note_text(struct stint_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                     uint32_t form, const char *text, uint32_t length);

/* Notes a sample that no scope of the thread encloses. */
static inline void stint_note_floating(struct stint_tree *tree, const struct stint_i_node *node, uint64_t start,
                                       uint64_t span)
{
    stint_note(&tree->hot, node, start, span, STINT_NOTE_FLOATING);
}

/* Hands over what a thread noted that is ending or has ended. Under the registry's lock. */
void stint_notes_end(struct stint_thread_record *record);

/* Hands over what live threads have noted so far, as far as chunks are free. Any thread, inside the guard. */
void stint_notes_sweep(void);

/* Also hands over the activations that are running, as if they ended now. Called at the end, so that the trace includes
 * those that never end. */
void stint_notes_sweep_running(void);

/* In a forked child, after stint_thread_after_fork: discards what was noted before, which is the parent's. */
void stint_notes_after_fork(void);

#endif

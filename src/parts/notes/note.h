/* Notes activations one by one as they end, for a trace: each thread notes its own in a chunk, inline
 * (stint/detail/record.h), and hands the chunk over when it is full or the thread ends. Calls of CUDA's API are not
 * noted: they are traced with what they launch (gpu/timeline.h). */
#ifndef STINT_NOTES_NOTE_H
#define STINT_NOTES_NOTE_H

#include "notes/chunk.h"
#include "record/count.h"
#include "record/thread.h"

/* From now on, each thread notes what it does, from its first scope on. To be called before any scope. */
void stint_notes_start(void);
extern int stint_notes_are_on;

/* Further values of `form` in struct stint_i_noted, of which LOOK may be added to others. OPERATION says that the text
 * is bytes of support/operation_note.h. A look is a row of its own after the note: its `start` is the color, its `span`
 * the category. Of a value `path` is the statistic's id and `span` the bits of a double; a row follows whose `start` is
 * the address of the field's name, which lives until the process ends. */
enum { STINT_NOTE_LOOK = 2, STINT_NOTE_VALUE = 4, STINT_NOTE_OPERATION = 8 };

/* The length of a text is in the upper bits of `form`. It takes as many of the rows after those as it needs. Each has
 * room for some bytes in front of its path, which is not 0 and means nothing. */
enum {
    STINT_NOTE_TEXT_SHIFT = 4,
    STINT_NOTE_TEXT_BYTES = offsetof(struct stint_i_noted, path),
    STINT_NOTE_TEXT_MOST = 16383
};

static inline uint32_t stint_note_text_length(const struct stint_i_noted *note)
{
    return note->form >> STINT_NOTE_TEXT_SHIFT;
}

/* Where the text begins, and how many rows there are with the note's own. */
static inline uint32_t stint_note_text_at(const struct stint_i_noted *note)
{
    return note->form & (STINT_NOTE_LOOK | STINT_NOTE_VALUE) ? 2 : 1;
}

static inline uint32_t stint_note_text_rows(uint32_t length)
{
    return (length + STINT_NOTE_TEXT_BYTES - 1) / STINT_NOTE_TEXT_BYTES;
}

static inline uint32_t stint_note_rows(const struct stint_i_noted *note)
{
    return stint_note_text_at(note) + stint_note_text_rows(stint_note_text_length(note));
}

/* What is noted of an NVTX event beside its times: all 0 in most. */
struct stint_note_more {
    uint32_t color;
    uint32_t category;
    uint32_t length; /* of the text; STINT_NOTE_TEXT_MOST at most */
    const char *text;
};

static inline int stint_note_is_plain(const struct stint_note_more *more)
{
    return !(more->color | more->category | more->length);
}

/* Notes an activation with more than its times. Inside the guard. Does nothing without a trace. */
void stint_note_more(struct stint_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                     uint32_t form, const struct stint_note_more *more);

/* Notes a number of the statistic with that id, now. Inside the guard. Does nothing without a trace. */
void stint_note_value(struct stint_tree *tree, uint32_t id, const char *field, double value);

/* Ends the node's activation at `counter`, as stint_scope_leave does, and notes it with more than its times. */
void stint_note_leave(struct stint_i_node *node, uint64_t counter, uint32_t form, const struct stint_note_more *more);

/* Hands over what live threads have noted so far, as far as chunks are free. Any thread, inside the guard. */
void stint_notes_sweep(void);

/* Also hands over the activations that are running, as if they ended now. Called at the end, so that the trace includes
 * those that never end. */
void stint_notes_sweep_running(void);

/* In a forked child, after stint_thread_after_fork: discards what was noted before, which is the parent's. */
void stint_notes_after_fork(void);

#endif

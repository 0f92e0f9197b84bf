/* Notes activations one by one as they end, for a trace, in chunks that are handed over. */
#ifndef STINT_NOTES_NOTE_H
#define STINT_NOTES_NOTE_H

#include <stddef.h>
#include <stdint.h>

#include "model/recorder.h"
#include "record/scope.h"
#include "record/thread.h"

/* ---------------------------------------------------------------------------------------------------------- chunk.c */

/* Chunks: buffers in which events wait until they are written. Their number is fixed, so that a program that records
 * faster than its events can be written uses no more memory than these. model/recorder.h says what is in them. */

/* Makes room for `count` chunks; parts that are never used take no memory. Returns 0, or -1 if there is no memory. To
 * be called once. */
int stint_chunks_start(size_t count);

/* Returns a chunk, its rows zeroed, or NULL if none is free. For any thread, but not for a signal handler that
 * interrupted stint. */
struct stint_chunk *stint_chunks_get(void);
void stint_chunks_give_back(struct stint_chunk *chunk);

/* Threads that need a chunk wait for up to `ns` while half of all chunks or more have yet to be written; 0, as at
 * first: they never do. */
void stint_chunks_set_patience(uint64_t ns);
void stint_chunks_wait(void);

/* Hand over a chunk to be written, and take the one that was handed over first. The latter returns NULL if there is
 * none. */
void stint_chunks_put(struct stint_chunk *chunk);
struct stint_chunk *stint_chunks_take(void);

/* Returns how many chunks wait to be taken. */
size_t stint_chunks_waiting(void);

/* In a forked child: makes all chunks free. */
void stint_chunks_after_fork(void);

/* ----------------------------------------------------------------------------------------------------------- note.c */

/* Notes activations one by one as they end, for a trace: each thread notes its own in a chunk, inline
 * (stint/detail/record.h), and hands the chunk over when it is full or the thread ends. Calls of CUDA's API are not
 * noted: they are traced with what they launch (gpu/timeline.h). */

/* From now on, each thread notes what it does, from its first scope on. To be called before any scope. */
void stint_notes_start(void);
extern int stint_notes_are_on;

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
__attribute__((cold)) void stint_notes_sweep(void);

/* Also hands over the activations that are running, as if they ended now. Called at the end, so that the trace includes
 * those that never end. */
__attribute__((cold)) void stint_notes_sweep_running(void);

/* In a forked child, after stint_thread_after_fork: discards what was noted before, which is the parent's. */
void stint_notes_after_fork(void);

#endif

/* Activations that ended, one by one, for a trace: each thread notes its own in a chunk, inline
 * (stint/detail/record.h), and hands it over when it is full, or when the thread ends. Calls of CUDA's API are not
 * noted: they are traced with what they launch (gpu/event_slots.h). */
#ifndef STINT_RECORD_NOTE_H
#define STINT_RECORD_NOTE_H

#include "record/chunk.h"
#include "record/thread.h"

/* From now on threads note what they do, from the first scope of each on: to be called before any. */
void stint_notes_start(void);
extern int stint_notes_are_on;

/* A thread begins to record. */
void stint_notes_begin(struct stint_thread_record *record);

/* Sees to it that the thread has room for a note, if a chunk is free. Inside the guard, on the thread: in front of what
 * ends a scope inside the guard, for there the slow half cannot do it. Without a trace nothing. */
void stint_notes_make_room(struct stint_thread_record *record);

/* Notes a sample that no scope of the thread encloses. */
static inline void stint_note_floating(struct stint_tree *tree, const struct stint_i_node *node, uint64_t start,
                                       uint64_t span)
{
    if (tree->hot.noted_limit)
        stint_i_note(&tree->hot, node, start, span, 1);
}

/* The thread ends, or did: hands over what it noted. Under the registry's lock. */
void stint_notes_end(struct stint_thread_record *record);

/* Hands over what live threads have noted so far, as far as chunks are free. Any thread, inside the guard. */
void stint_notes_sweep(void);

/* Likewise what runs, as if it ended now: at the end, so that what never ends is in the trace, too. */
void stint_notes_sweep_running(void);

/* In a forked child, behind stint_thread_after_fork: what was noted before is the parent's. */
void stint_notes_after_fork(void);

#endif

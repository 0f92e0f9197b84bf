/* Activations that ended, one by one, for a trace: each thread notes its own in a chunk, inline (stint/detail/record.h),
 * and hands it over when it is full, or when the thread ends. */
#ifndef STINT_RECORD_NOTE_H
#define STINT_RECORD_NOTE_H

#include "record/chunk.h"
#include "record/thread.h"

/* A row of a chunk that was handed over. Calls of CUDA's API are none: they are traced with what they launch. */
struct stint_note {
    uint32_t path; /* record/path.h */
    uint32_t
        floating;   /* 1: no activation of a scope, but a timer's sample, an NVTX range that was started, or a mark */
    uint64_t start; /* ticks */
    uint64_t span;  /* ticks */
};

/* From now on threads note what they do, from the first scope of each on: to be called before any. */
void stint_notes_start(void);

/* A thread begins to record. */
void stint_notes_begin(struct stint_thread_record *record);

/* Sees to it that the thread has room for a note, if a chunk is free. Inside the guard, on the thread: in front of what
 * ends a scope inside the guard, for there the slow half cannot do it. Without a trace nothing. */
void stint_notes_make_room(struct stint_thread_record *record);

/* Notes a sample that no scope of the thread encloses. */
static inline void stint_note_floating(struct stint_tree *tree, struct stint_i_node *node, uint64_t start,
                                       uint64_t span)
{
    if (tree->hot.noted_limit)
        stint_i_note(&tree->hot, node, start, span);
}

/* The thread ends, or did: hands over what it noted. Under the registry's lock. */
void stint_notes_end(struct stint_thread_record *record);

/* Hands over what live threads have noted so far, as far as chunks are free. Any thread, inside the guard. */
void stint_notes_sweep(void);

/* In a forked child, behind stint_thread_after_fork: what was noted before is the parent's. */
void stint_notes_after_fork(void);

#endif

/* Chunks: buffers in which events wait until they are written. Their number is fixed, so that a program that records
 * faster than its events can be written uses no more memory than these. */
#ifndef STINT_NOTES_CHUNK_H
#define STINT_NOTES_CHUNK_H

#include <stddef.h>
#include <stdint.h>

enum { STINT_CHUNK_BYTES = 32768 };

enum stint_chunk_kind {
    STINT_CHUNK_NOTES, /* rows are struct stint_i_noted */
    STINT_CHUNK_GPU    /* rows are struct stint_trace_event (gpu/timeline.h) */
};

struct stint_chunk {
    struct stint_chunk *next;
    enum stint_chunk_kind kind;
    uint32_t first; /* rows before this one are in another chunk */
    uint32_t count;
    int64_t tid;   /* of the thread whose rows these are; 0: each has its own, or none */
    char name[16]; /* of that thread, which has ended; "": it has not, or its name is not known */
    _Alignas(16) unsigned char rows[STINT_CHUNK_BYTES - 48];
};

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

#endif

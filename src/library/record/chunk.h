/* Chunks: where events wait until they are written. There is a fixed number, so that a program that is faster than what
 * writes its events fills these, and no more. */
#ifndef STINT_RECORD_CHUNK_H
#define STINT_RECORD_CHUNK_H

#include <stddef.h>
#include <stdint.h>

enum { STINT_CHUNK_BYTES = 32768 };

enum stint_chunk_kind {
    STINT_CHUNK_NOTES, /* rows are struct stint_i_noted */
    STINT_CHUNK_GPU    /* rows are struct stint_trace_event (gpu/event_slots.h) */
};

struct stint_chunk {
    struct stint_chunk *next;
    enum stint_chunk_kind kind;
    uint32_t first; /* rows before are in another chunk */
    uint32_t count;
    int64_t tid; /* of the thread whose rows these are; 0: each has its own, or none */
    _Alignas(16) unsigned char rows[STINT_CHUNK_BYTES - 32];
};

/* Makes room for `count` chunks; parts never used cost nothing. Returns 0, or -1 without memory. Once. */
int stint_chunks_start(size_t count);

/* Returns a chunk, its rows zeroed, or NULL if none is free. Any thread, but no signal handler that interrupted
 * stint. */
struct stint_chunk *stint_chunks_get(void);
void stint_chunks_give_back(struct stint_chunk *chunk);

/* Hands over a chunk to be written, and takes the one that was handed over first; NULL: there is none. */
void stint_chunks_put(struct stint_chunk *chunk);
struct stint_chunk *stint_chunks_take(void);

/* How many wait to be taken. */
size_t stint_chunks_waiting(void);

/* Has `tell` called when so many wait, each time their number grows to it; by the thread that handed over the last,
 * which has no time to lose. */
void stint_chunks_on_backlog(size_t chunks, void (*tell)(void));

/* In a forked child: all are free. */
void stint_chunks_after_fork(void);

#endif

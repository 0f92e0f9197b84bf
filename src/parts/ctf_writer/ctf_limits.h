/* How much of what a program does a recording is to have, and when pieces of it are put aside: STINT_TRACE_MAX,
 * STINT_TRACE_RING, STINT_TRACE_ROTATE and STINT_DUMP_SLOW. */
#ifndef STINT_CTF_WRITER_CTF_LIMITS_H
#define STINT_CTF_WRITER_CTF_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/event_writer.h"

enum { STINT_CTF_MOST_SLOW = 16 };

/* A scope that is slow if it takes as long as that. */
struct stint_ctf_slow {
    char name[128]; /* a pattern */
    uint64_t ns;
};

struct stint_ctf_limits {
    uint64_t bytes;                 /* of all events; UINT64_MAX: no limit */
    uint64_t until_ns;              /* what ends later is left out; UINT64_MAX: no limit */
    uint64_t ring_bytes;            /* of each stream, of which the last are kept; 0: no ring, or one of time alone */
    uint64_t ring_ns;               /* what has ended before that is overwritten; 0: no ring, or one of bytes alone */
    uint64_t piece_bytes, piece_ns; /* when another piece begins; 0: never */
    uint64_t pieces;                /* how many are kept; 0: all */
    struct stint_ctf_slow slow[STINT_CTF_MOST_SLOW];
    size_t slow_count;
};

static inline int stint_ctf_limits_is_ring(const struct stint_ctf_limits *limits)
{
    return limits->ring_bytes || limits->ring_ns;
}

static inline int stint_ctf_limits_has_pieces(const struct stint_ctf_limits *limits)
{
    return limits->piece_bytes || limits->piece_ns;
}

/* Read a value of STINT_TRACE_MAX, STINT_TRACE_RING, STINT_TRACE_ROTATE and STINT_DUMP_SLOW. Return 0, or -1 if it is
 * none. */
int stint_ctf_limits_read_max(struct stint_ctf_limits *limits, const char *text);
int stint_ctf_limits_read_ring(struct stint_ctf_limits *limits, const char *text);
int stint_ctf_limits_read_pieces(struct stint_ctf_limits *limits, const char *text);
int stint_ctf_limits_read_slow(struct stint_ctf_limits *limits, const char *text);

/* Reads the environment. Returns 0, or -1 if it is not understood: `reason` says why. */
int stint_ctf_limits_read(struct stint_ctf_limits *limits, char *reason, size_t size);

/* Notices scopes that take longer than STINT_DUMP_SLOW says. */

/* Zero it to begin. */
struct stint_ctf_watch {
    struct stint_array slow; /* uint64_t, by path: in how many ns a scope of that context is slow */
    uint64_t next_ns;        /* when the next is of interest */
    uint64_t noticed;
    uint64_t pause_ns; /* between two that are noticed: mostly what is slow is so again and again */
};

/* Returns 0, or -1 without memory. */
int stint_ctf_watch_context(struct stint_ctf_watch *watch, const struct stint_ctf_limits *limits,
                            const struct stint_event_context *context, struct stint_arena *arena);

/* Returns 1 if the scope is slow, and of interest. */
static inline int stint_ctf_watch_scope(struct stint_ctf_watch *watch, uint32_t path, uint64_t start_ns,
                                        uint64_t end_ns)
{
    enum { MOST = 16 }; /* since each makes a dump */
    if (path >= watch->slow.count || end_ns - start_ns < ((const uint64_t *)watch->slow.items)[path] ||
        end_ns < watch->next_ns || watch->noticed == MOST)
        return 0;
    watch->noticed++;
    watch->next_ns = end_ns + watch->pause_ns;
    return 1;
}

#endif

/* How much of what a program does a recording is to have, and when pieces of it are put aside: STINT_TRACE_MAX,
 * STINT_TRACE_RING, STINT_TRACE_ROTATE and STINT_DUMP_SLOW. */
#ifndef STINT_CTF_WRITER_CTF_LIMITS_H
#define STINT_CTF_WRITER_CTF_LIMITS_H

#include <stddef.h>
#include <stdint.h>

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

#endif

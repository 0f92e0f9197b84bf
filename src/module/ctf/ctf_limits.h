/* How much of what a program does a recording is to have: STINT_TRACE_MAX and STINT_TRACE_RING. */
#ifndef STINT_CTF_CTF_LIMITS_H
#define STINT_CTF_CTF_LIMITS_H

#include <stddef.h>
#include <stdint.h>

struct stint_ctf_limits {
    uint64_t bytes;      /* of all events; UINT64_MAX: no limit */
    uint64_t until_ns;   /* what ends later is left out; UINT64_MAX: no limit */
    uint64_t ring_bytes; /* of each stream, of which the last are kept; 0: all */
};

/* Read a value of STINT_TRACE_MAX and of STINT_TRACE_RING. Return 0, or -1 if it is none. */
int stint_ctf_limits_read_max(struct stint_ctf_limits *limits, const char *text);
int stint_ctf_limits_read_ring(struct stint_ctf_limits *limits, const char *text);

/* Reads the environment. Returns 0, or -1 if it is not understood: `reason` says why. */
int stint_ctf_limits_read(struct stint_ctf_limits *limits, char *reason, size_t size);

#endif

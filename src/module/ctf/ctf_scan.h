/* Finds the packets of a recording, whatever has become of its files: each packet is checked as a whole, and where one
 * is damaged, the search goes on behind it. */
#ifndef STINT_CTF_CTF_SCAN_H
#define STINT_CTF_CTF_SCAN_H

#include <stddef.h>

#include "base/array.h"
#include "ctf/ctf_packet.h"

/* A sound packet of the file with that number. `bytes` are valid until it returns. Returns 0, or -1 to stop. */
typedef int stint_ctf_packet_fn(void *context, uint32_t file, uint64_t at, const struct stint_ctf_head *head,
                                struct stint_ctf_reader *reader);

struct stint_ctf_scan {
    stint_ctf_packet_fn *packet; /* set by the caller, as is `context` */
    void *context;
    struct stint_arena arena;
    struct stint_array files; /* const char *: their paths */
    unsigned char uuid[16];
    uint64_t damaged_bytes;  /* which belong to no sound packet */
    uint64_t missing_events; /* that sound packets say were between them */
    uint64_t events_before;  /* that the first sound packets of streams say were before them */
    struct stint_ctf_packet buffer;
    char reason[160];
};

/* Reads all files of the folder. Returns 0, or -1: `reason` says why. Free the arena in either case. */
int stint_ctf_scan(struct stint_ctf_scan *scan, const char *folder);

/* Reads `size` bytes at `at` from a file. Returns 0, or -1. */
int stint_ctf_read_at(const char *path, uint64_t at, unsigned char *bytes, size_t size);

#endif

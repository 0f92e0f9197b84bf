/* Snapshots as few bytes, to be sent from rank to rank: all members that stat/members.c lists, but for those that
 * follow from others. For processes of one job, which have the same stint; files have stint's JSON. */
#ifndef STINT_RANKS_PACK_H
#define STINT_RANKS_PACK_H

#include <stddef.h>

#include "base/arena.h"
#include "stat/members.h"
#include "stint/snapshot.h"

/* Bytes, in memory of malloc. A zeroed struct is empty. */
struct stint_packed {
    unsigned char *bytes;
    size_t size;
    size_t room;
    int failed; /* for want of memory */
};

/* Appends the snapshot. Returns 0, or -1 if there is no memory. */
int stint_pack(struct stint_packed *packed, const struct stint_snapshot *snapshot);

void stint_packed_free(struct stint_packed *packed);

/* A snapshot that was read from bytes: for reading, and not to be freed by stint_snapshot_free. A zeroed struct is
 * empty; one that was used may be used again, and keeps its memory for that. */
struct stint_unpacked {
    struct stint_snapshot snapshot;
    struct stint_arena arena;
};

/* Reads a snapshot. Returns 0, or -1 if the bytes are not one, or there is no memory. Free it in either case. */
int stint_unpack(struct stint_unpacked *unpacked, const unsigned char *bytes, size_t size);

void stint_unpacked_free(struct stint_unpacked *unpacked);

#endif

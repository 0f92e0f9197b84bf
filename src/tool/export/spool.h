/* Lists of bytes that are written interleaved and read again one list after the other. They are kept in an unnamed
 * temporary file, except for the last piece of each list. */
#ifndef STINT_EXPORT_SPOOL_H
#define STINT_EXPORT_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct stint_spool {
    int file;
    uint64_t size; /* of what has been reserved for lists */
};

enum { STINT_SPOOL_PIECE = 4096 };

/* A piece as it is in the file. */
struct stint_spool_piece {
    uint64_t next; /* position of the list's next piece */
    uint32_t used;
    uint8_t bytes[STINT_SPOOL_PIECE - 12];
};

struct stint_spool_list {
    struct stint_spool_piece last;
    uint64_t first_at;
    uint64_t last_at;
};

/* Returns 0, or -1 if the file cannot be made: errno says why. */
int stint_spool_open(struct stint_spool *spool);
void stint_spool_close(struct stint_spool *spool);

/* Returns a new list, or NULL if there is no memory. */
struct stint_spool_list *stint_spool_add(struct stint_spool *spool, struct stint_arena *arena);

/* Appends a record, of 64 bytes at most. Returns 0, or -1 and errno. */
int stint_spool_put(struct stint_spool *spool, struct stint_spool_list *list, const void *bytes, size_t length);

/* Passes a list's records on, several at a time and each of them complete. Returns 0, or -1 and errno. */
int stint_spool_read(const struct stint_spool *spool, const struct stint_spool_list *list,
                     void (*take)(void *context, const uint8_t *bytes, size_t length), void *context);

#endif

#include "export/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"

int stint_spool_open(struct stint_spool *spool)
{
    const char *folder = stint_env_text("TMPDIR");
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/stint_export_XXXXXX", folder ? folder : "/tmp");
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    *spool = (struct stint_spool){.file = mkstemp(path)};
    if (spool->file >= 0)
        (void)unlink(path);
    return spool->file < 0 ? -1 : 0;
}

void stint_spool_close(struct stint_spool *spool)
{
    (void)close(spool->file);
}

static uint64_t promise(struct stint_spool *spool)
{
    uint64_t at = spool->size;
    spool->size += sizeof(struct stint_spool_piece);
    return at;
}

struct stint_spool_list *stint_spool_add(struct stint_spool *spool, struct stint_arena *arena)
{
    struct stint_spool_list *list = stint_arena_alloc(arena, sizeof *list);
    if (list)
        list->first_at = list->last_at = promise(spool);
    return list;
}

static int write_piece(const struct stint_spool *spool, const struct stint_spool_piece *piece, uint64_t at)
{
    const char *bytes = (const char *)piece;
    for (size_t done = 0; done < sizeof *piece;) {
        ssize_t wrote = pwrite(spool->file, bytes + done, sizeof *piece - done, (off_t)(at + done));
        if (wrote < 0 && errno != EINTR)
            return -1;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return 0;
}

int stint_spool_put(struct stint_spool *spool, struct stint_spool_list *list, const void *bytes, size_t length)
{
    if (list->last.used + length > sizeof list->last.bytes) {
        list->last.next = promise(spool);
        if (write_piece(spool, &list->last, list->last_at))
            return -1;
        list->last_at = list->last.next;
        list->last.used = 0;
    }
    memcpy(list->last.bytes + list->last.used, bytes, length);
    list->last.used += (uint32_t)length;
    return 0;
}

static int read_piece(const struct stint_spool *spool, struct stint_spool_piece *piece, uint64_t at)
{
    char *bytes = (char *)piece;
    for (size_t done = 0; done < sizeof *piece;) {
        ssize_t got = pread(spool->file, bytes + done, sizeof *piece - done, (off_t)(at + done));
        if (got == 0)
            errno = EIO; /* the file has been truncated by someone else */
        if (got == 0 || (got < 0 && errno != EINTR))
            return -1;
        done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

int stint_spool_read(const struct stint_spool *spool, const struct stint_spool_list *list,
                     void (*take)(void *context, const uint8_t *bytes, size_t length), void *context)
{
    struct stint_spool_piece piece;
    for (uint64_t at = list->first_at; at != list->last_at; at = piece.next) {
        if (read_piece(spool, &piece, at))
            return -1;
        take(context, piece.bytes, piece.used);
    }
    take(context, list->last.bytes, list->last.used);
    return 0;
}

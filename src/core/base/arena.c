/* Bytes handed out one after the other from chunks of mmap, whose sizes double. Nothing is freed by itself, so an
 * allocation is an addition, and works where malloc must not be called. */
#include "base/arena.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "stint/detail/api.h"

enum {
    PACKED = 16,
    LINE = 64,
    PAGE = 4096,
    FIRST_CHUNK = 4 * PAGE,
    LARGEST_CHUNK = 256 * PAGE,
    LARGE_PAGE = 512 * PAGE,
    BRIEF_CHUNK = 8 * LARGE_PAGE
};

struct stint_arena_chunk {
    struct stint_arena_chunk *next;
    size_t size; /* bytes mapped, this header included */
    size_t used; /* bytes in use, this header included */
};

int stint_memory_lacked;

/* The unit is a power of 2. */
static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) & ~(unit - 1);
}

/* Chunk sizes double, so that few chunks are needed, up to a size at which their number no longer matters. With large
 * pages the end of each chunk is a page that is cleared in vain, but pages that nobody touches cost nothing. */
static size_t chunk_size(const struct stint_arena *arena, size_t need)
{
    size_t size = arena->mapped < FIRST_CHUNK ? FIRST_CHUNK : arena->mapped;
    if (size > LARGEST_CHUNK)
        size = LARGEST_CHUNK;
    if (arena->is_brief)
        size = BRIEF_CHUNK;
    return round_up(need > size ? need : size, arena->is_brief ? LARGE_PAGE : PAGE);
}

/* A scope may begin or end between a call of the program and its check of errno. */
static struct stint_arena_chunk *map_chunk(struct stint_arena *arena, size_t need)
{
    size_t size = chunk_size(arena, need);
    int error = errno;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct stint_arena_chunk *chunk = memory;
    if (arena->is_brief) /* harmless where it fails */
        (void)madvise(memory, size, MADV_HUGEPAGE);
    errno = error;
    if (memory == MAP_FAILED) {
        STINT_I_STORE(&stint_memory_lacked, 1);
        return NULL;
    }
    chunk->size = size;
    arena->mapped += size;
    return chunk;
}

static struct stint_arena_chunk *take_spare(struct stint_arena *arena, size_t need)
{
    for (struct stint_arena_chunk **at = &arena->spare; *at; at = &(*at)->next) {
        struct stint_arena_chunk *chunk = *at;
        if (chunk->size >= need) {
            *at = chunk->next;
            return chunk;
        }
    }
    return NULL;
}

static struct stint_arena_chunk *add_chunk(struct stint_arena *arena, size_t need)
{
    struct stint_arena_chunk *chunk = take_spare(arena, need);
    if (!chunk)
        chunk = map_chunk(arena, need);
    if (!chunk)
        return NULL;
    chunk->next = arena->chunks;
    chunk->used = round_up(sizeof *chunk, LINE);
    arena->chunks = chunk;
    return chunk;
}

/* Takes bytes from a multiple of `unit` on. */
static char *take_bytes(struct stint_arena *arena, size_t size, size_t unit)
{
    struct stint_arena_chunk *chunk = arena->chunks;
    if (size > SIZE_MAX / 2)
        return NULL;
    if (!chunk || chunk->size < round_up(chunk->used, unit) + size)
        chunk = add_chunk(arena, size + round_up(sizeof *chunk, LINE));
    if (!chunk)
        return NULL;
    size_t at = round_up(chunk->used, unit);
    chunk->used = at + size;
    return (char *)chunk + at;
}

void *stint_arena_alloc(struct stint_arena *arena, size_t size)
{
    return take_bytes(arena, size, LINE);
}

void *stint_arena_pack(struct stint_arena *arena, size_t size)
{
    return take_bytes(arena, size, PACKED);
}

/* Texts stand close together. */
char *stint_arena_copy(struct stint_arena *arena, const char *bytes, size_t length)
{
    char *copy = take_bytes(arena, length + 1, 1);
    if (copy)
        memcpy(copy, bytes, length);
    return copy;
}

void stint_arena_reuse(struct stint_arena *arena)
{
    while (arena->chunks) {
        struct stint_arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        memset(chunk + 1, 0, chunk->used - sizeof *chunk);
        chunk->next = arena->spare;
        arena->spare = chunk;
    }
}

int stint_arena_stays;

static void unmap_all(struct stint_arena_chunk *chunk)
{
    while (chunk && !STINT_I_LOAD(&stint_arena_stays)) {
        struct stint_arena_chunk *next = chunk->next;
        munmap(chunk, chunk->size);
        chunk = next;
    }
}

void stint_arena_free(struct stint_arena *arena)
{
    unmap_all(arena->chunks);
    unmap_all(arena->spare);
    *arena = (struct stint_arena){0};
}

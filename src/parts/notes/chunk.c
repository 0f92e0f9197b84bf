/* A fixed number of buffers that go around: a thread gets an empty one, fills it and hands it over, the writer gives it
 * back. If there is none, events are lost and counted, and the program goes on. */
#include "notes/note.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "stint/detail/api.h"

static struct {
    pthread_mutex_t lock;
    struct stint_arena arena;
    struct stint_chunk *all;
    size_t count;
    size_t fresh; /* chunks from here on have never been used */
    struct stint_chunk *free;
    struct stint_chunk *first, *last; /* handed over */
    size_t waiting;
    uint64_t patience_ns;
} s_chunks = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Under the lock, so that in programs with ThreadSanitizer this precedes what other threads write. */
int stint_chunks_start(size_t count)
{
    pthread_mutex_lock(&s_chunks.lock);
    s_chunks.all = stint_arena_alloc(&s_chunks.arena, count * sizeof *s_chunks.all);
    s_chunks.count = s_chunks.all ? count : 0;
    pthread_mutex_unlock(&s_chunks.lock);
    return s_chunks.all ? 0 : -1;
}

/* Looks without the lock first: while none is free, all threads try again and again. */
static struct stint_chunk *get(void)
{
    struct stint_chunk *chunk = NULL;
    if (!STINT_I_LOAD(&s_chunks.free) && STINT_I_LOAD(&s_chunks.fresh) == s_chunks.count)
        return NULL;
    pthread_mutex_lock(&s_chunks.lock);
    if (s_chunks.free) {
        chunk = s_chunks.free;
        STINT_I_STORE(&s_chunks.free, chunk->next);
    } else if (s_chunks.fresh < s_chunks.count) {
        chunk = &s_chunks.all[s_chunks.fresh];
        STINT_I_STORE(&s_chunks.fresh, s_chunks.fresh + 1);
    }
    pthread_mutex_unlock(&s_chunks.lock);
    return chunk;
}

struct stint_chunk *stint_chunks_get(void)
{
    struct stint_chunk *chunk = get();
    if (chunk)
        memset(chunk, 0, sizeof *chunk);
    return chunk;
}

void stint_chunks_give_back(struct stint_chunk *chunk)
{
    pthread_mutex_lock(&s_chunks.lock);
    chunk->next = s_chunks.free;
    STINT_I_STORE(&s_chunks.free, chunk);
    pthread_mutex_unlock(&s_chunks.lock);
}

void stint_chunks_put(struct stint_chunk *chunk)
{
    chunk->next = NULL;
    pthread_mutex_lock(&s_chunks.lock);
    if (s_chunks.last)
        s_chunks.last->next = chunk;
    else
        s_chunks.first = chunk;
    s_chunks.last = chunk;
    STINT_I_STORE(&s_chunks.waiting, s_chunks.waiting + 1);
    pthread_mutex_unlock(&s_chunks.lock);
}

struct stint_chunk *stint_chunks_take(void)
{
    pthread_mutex_lock(&s_chunks.lock);
    struct stint_chunk *chunk = s_chunks.first;
    if (chunk) {
        s_chunks.first = chunk->next;
        if (!chunk->next)
            s_chunks.last = NULL;
        STINT_I_STORE(&s_chunks.waiting, s_chunks.waiting - 1);
    }
    pthread_mutex_unlock(&s_chunks.lock);
    return chunk;
}

size_t stint_chunks_waiting(void)
{
    return STINT_I_LOAD(&s_chunks.waiting);
}

void stint_chunks_set_patience(uint64_t ns)
{
    STINT_I_STORE(&s_chunks.patience_ns, ns);
}

/* Half of the chunks are left to those that cannot wait. */
void stint_chunks_wait(void)
{
    static const struct timespec nap = {0, 200000};
    for (uint64_t ns = 0; ns < STINT_I_LOAD(&s_chunks.patience_ns); ns += (uint64_t)nap.tv_nsec)
        if (stint_chunks_waiting() >= s_chunks.count / 2)
            (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL); /* keeps errno */
        else
            return;
}

/* The thread that held the lock does not exist in the child. */
void stint_chunks_after_fork(void)
{
    s_chunks.patience_ns = 0;
    pthread_mutex_init(&s_chunks.lock, NULL);
    s_chunks.free = s_chunks.first = s_chunks.last = NULL;
    s_chunks.waiting = 0;
    for (size_t i = s_chunks.fresh; i--;)
        stint_chunks_give_back(&s_chunks.all[i]);
}

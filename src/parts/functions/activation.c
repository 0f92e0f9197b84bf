/* Memory for the stack of running functions of each thread: entries are linked in chunks, so that it grows without
 * moving, and are freed when the thread ends. */
#include "functions/activation.h"

#include <pthread.h>
#include <sys/mman.h>

#include "functions/tally.h"

/* Most threads need one page; deep recursion takes larger chunks. */
enum { FIRST_SIZE = 4096, NEXT_SIZE = 1 << 16 };

struct chunk {
    struct chunk *next;
    size_t size;
    struct stint_activation entries[];
};

struct stint_activation stint_no_activation = {.frame = STINT_NO_FRAME};

STINT_I_THREAD_LOCAL struct stint_activation *stint_tl_activation __attribute__((tls_model("initial-exec"))) =
    &stint_no_activation;

static STINT_I_THREAD_LOCAL struct chunk *tl_chunks __attribute__((tls_model("initial-exec")));

static pthread_key_t s_key;
static int s_has_key;

/* The thread ends. Functions may still be called in later destructors: they start with an empty list. */
static void free_chunks(void *argument)
{
    struct chunk *chunk = argument;

    stint_tally_end();
    stint_tl_activation = &stint_no_activation;
    tl_chunks = NULL;
    while (chunk) {
        struct chunk *next = chunk->next;

        munmap(chunk, chunk->size);
        chunk = next;
    }
}

int stint_activation_start(void)
{
    s_has_key = pthread_key_create(&s_key, free_chunks) == 0;
    return s_has_key ? 0 : -1;
}

static struct chunk *new_chunk(size_t size)
{
    struct chunk *chunk = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (chunk == MAP_FAILED)
        return NULL;
    chunk->size = size;
    chunk->next = tl_chunks;
    tl_chunks = chunk;
    if (s_has_key)
        pthread_setspecific(s_key, chunk);
    return chunk;
}

/* Links the entries of a chunk into a list above `below`, and returns the first. */
static struct stint_activation *link_entries(struct chunk *chunk, struct stint_activation *below)
{
    struct stint_activation *first = chunk->entries;
    size_t count = (chunk->size - sizeof *chunk) / sizeof *first;

    for (size_t i = 0; i < count; i++) {
        first[i].below = i ? &first[i - 1] : below;
        first[i].above = i + 1 < count ? &first[i + 1] : NULL;
        first[i].frame = STINT_NO_FRAME;
    }
    return first;
}

struct stint_activation *stint_activation_more(void)
{
    struct stint_activation *top = stint_tl_activation;

    if (top->above) /* a signal handler has added entries meanwhile */
        return top->above;
    struct chunk *chunk = new_chunk(top == &stint_no_activation ? FIRST_SIZE : NEXT_SIZE);
    if (!chunk)
        return NULL;
    if (top == &stint_no_activation) { /* shared by all threads, so each replaces it by an entry of its own */
        stint_tl_activation = link_entries(chunk, NULL);
        return stint_tl_activation->above;
    }
    top->above = link_entries(chunk, top);
    return top->above;
}

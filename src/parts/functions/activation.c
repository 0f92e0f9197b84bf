/* Memory for the stack of running functions of each thread: entries are linked in chunks, so that it grows without
 * moving, and are freed when the thread ends. With it each thread has a counter of the calls that were left out, so
 * that a report can say how many: threads only write their own, and whoever reads adds up all that there are. */
#include "functions/activation.h"

#include <pthread.h>
#include <sys/mman.h>

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

enum { PAGE = 4096 };

STINT_I_THREAD_LOCAL struct stint_tally *stint_tl_tally __attribute__((tls_model("initial-exec")));

static struct stint_tally *s_tallies; /* all there are, linked by `next` */
static uint64_t s_tiny;               /* functions */

static struct stint_tally *first(void)
{
    return __atomic_load_n(&s_tallies, __ATOMIC_ACQUIRE);
}

static struct stint_tally *take_one(void)
{
    for (struct stint_tally *tally = first(); tally; tally = tally->next)
        if (!__atomic_exchange_n(&tally->taken, 1, __ATOMIC_ACQUIRE))
            return tally;
    return NULL;
}

static void add_some(void)
{
    struct stint_tally *some = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t last = PAGE / sizeof *some - 1;
    if (some == MAP_FAILED)
        return;
    for (size_t i = 0; i < last; i++)
        some[i].next = &some[i + 1];
    some[last].next = first();
    while (!__atomic_compare_exchange_n(&s_tallies, &some[last].next, some, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        continue;
}

void stint_tally_begin(void)
{
    struct stint_tally *tally = take_one();
    if (!tally) {
        add_some();
        tally = take_one();
    }
    stint_tl_tally = tally;
}

void stint_tally_end(void)
{
    struct stint_tally *tally = stint_tl_tally;
    stint_tl_tally = NULL;
    if (tally)
        __atomic_store_n(&tally->taken, 0, __ATOMIC_RELEASE);
}

void stint_tally_after_fork(void)
{
    for (struct stint_tally *tally = first(); tally; tally = tally->next) {
        tally->taken = tally == stint_tl_tally;
        __builtin_memset(tally->calls, 0, sizeof tally->calls);
    }
}

void stint_tally_tiny(void)
{
    __atomic_add_fetch(&s_tiny, 1, __ATOMIC_RELAXED);
}

void stint_tally_sum(struct stint_i_left_out *sum)
{
    *sum = (struct stint_i_left_out){.tiny_functions = __atomic_load_n(&s_tiny, __ATOMIC_RELAXED)};
    for (const struct stint_tally *tally = first(); tally; tally = tally->next) {
        sum->excluded_calls += STINT_I_LOAD(&tally->calls[STINT_FUNCTION_EXCLUDED]);
        sum->tiny_calls += STINT_I_LOAD(&tally->calls[STINT_FUNCTION_TINY]);
    }
}

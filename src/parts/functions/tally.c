/* A counter for each thread of calls that were left out, so that a report can say how many. Threads only write their
 * own; whoever reads adds up all that there are. */
#include "functions/tally.h"

#include <sys/mman.h>

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

/* Times a call of MPI as a scope, and counts its bytes. Calls that the MPI library makes within another call are not
 * counted again. */
#include "mpi/timed_call.h"

#include <string.h>

#include "base/env.h"
#include "mpi/exchange.h"
#include "stat/builder.h"

/* ----------------------------------------------------------------------------------------------------------- wanted */

int stint_mpi_wanted(void)
{
    static int s_wanted = -1;
    int wanted = __atomic_load_n(&s_wanted, __ATOMIC_RELAXED);
    const char *text = wanted < 0 ? stint_env_text("STINT_MPI") : NULL;
    if (wanted >= 0)
        return wanted;
    wanted = STINT_MPI_TIMERS | STINT_MPI_REPORT;
    if (text && strcmp(text, "timers") == 0)
        wanted = STINT_MPI_TIMERS;
    else if (text && strcmp(text, "report") == 0)
        wanted = STINT_MPI_REPORT;
    else if ((text && strcmp(text, "off") == 0) || !stint_mpi_is_known())
        wanted = 0;
    __atomic_store_n(&s_wanted, wanted, __ATOMIC_RELAXED);
    return wanted;
}

/* ------------------------------------------------------------------------------------------------------------ bytes */

static struct bytes {
    uint64_t count; /* of calls that gave or took any */
    uint64_t sum;
    uint64_t least; /* + 1; 0: none yet */
    uint64_t most;
} s_bytes[STINT_MPI_CALL_COUNT];

static void raise_to(uint64_t *most, uint64_t value)
{
    uint64_t found = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (found < value && !__atomic_compare_exchange_n(most, &found, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void lower_to(uint64_t *least, uint64_t value)
{
    uint64_t found = __atomic_load_n(least, __ATOMIC_RELAXED);
    while ((!found || found > value) &&
           !__atomic_compare_exchange_n(least, &found, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void count_bytes(struct bytes *into, uint64_t bytes)
{
    (void)__atomic_fetch_add(&into->count, 1, __ATOMIC_RELAXED);
    (void)__atomic_fetch_add(&into->sum, bytes, __ATOMIC_RELAXED);
    raise_to(&into->most, bytes);
    lower_to(&into->least, bytes + 1);
}

void stint_mpi_call_add_bytes(struct stint_builder *builder)
{
#define NAME(name, ...) #name,
    static const char *const names[] = {STINT_MPI_CALLS(NAME, NAME)};
#undef NAME
    for (size_t i = 0; i < STINT_MPI_CALL_COUNT; i++) {
        struct bytes bytes = s_bytes[i];
        if (bytes.count)
            stint_builder_add(builder, STINT_ROWS_NVTX_VALUES,
                              &(struct stint_nvtx_value){.set = STINT_MPI_SET,
                                                         .name = names[i],
                                                         .field = "bytes",
                                                         .count = bytes.count,
                                                         .sum = (double)bytes.sum,
                                                         .min = (double)(bytes.least - 1),
                                                         .max = (double)bytes.most});
    }
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static __thread int s_is_within;

int stint_mpi_call_begin(void)
{
    if (s_is_within || !(stint_mpi_wanted() & STINT_MPI_TIMERS))
        return 0;
    s_is_within = 1;
    return 1;
}

struct stint_statset *stint_mpi_set(void)
{
    static struct stint_statset *s_set;
    struct stint_statset *set = __atomic_load_n(&s_set, __ATOMIC_RELAXED);
    if (!set) {
        set = stint_statset_get(STINT_MPI_SET);
        __atomic_store_n(&s_set, set, __ATOMIC_RELAXED);
    }
    return set;
}

void stint_mpi_call_end(enum stint_mpi_call_number call, uint64_t bytes)
{
    if (bytes)
        count_bytes(&s_bytes[call], bytes);
    stint_mpi_note();
    s_is_within = 0;
}

/* What statistics are as series of numbers that never fall, as Prometheus wants them. */
#include "formats/formats.h"
#include "stat/numbers.h"

#include <string.h>
#include <unistd.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
#define S UINT64_C(1000000000)

const uint64_t stint_series_bounds[STINT_SERIES_BOUNDS] = {
    US, 2 * US, 5 * US, 10 * US, 20 * US, 50 * US, 100 * US, 200 * US, 500 * US,
    MS, 2 * MS, 5 * MS, 10 * MS, 20 * MS, 50 * MS, 100 * MS, 200 * MS, 500 * MS,
    S,  2 * S,  5 * S,  10 * S,  20 * S,  50 * S,  100 * S};

/* ---------------------------------------------------------------------------------------------------- of a snapshot */

static void count_bins(struct stint_scope_series *series, const struct stint_bin *bins, size_t count)
{
    uint64_t sum = 0;
    for (size_t bound = 0, i = 0; bound < STINT_SERIES_BOUNDS; bound++) {
        for (; i < count && bins[i].ns <= stint_series_bounds[bound]; i++)
            stint_sum_up(&sum, bins[i].count);
        series->below[bound] = sum;
    }
    /* A thread that records meanwhile may have counted in one place, and not yet in the other. */
    if (series->samples < sum)
        series->samples = sum;
}

struct stint_scope_series stint_scope_series_of(const struct stint_stat *stat)
{
    const struct stint_numbers *numbers = &stat->numbers;
    struct stint_scope_series series = {.activations = numbers->count,
                                        .recursive = numbers->recursive,
                                        .samples = numbers->count - numbers->recursive,
                                        .sum_ns = stint_sum_of(numbers->total_ns, numbers->overhead_ns),
                                        .self_ns = stint_sum_of(numbers->self_ns, numbers->self_overhead_ns),
                                        .cpu_ns = numbers->cpu_ns};
    if (numbers->raw_bin_count)
        count_bins(&series, numbers->raw_bins, numbers->raw_bin_count);
    else
        count_bins(&series, numbers->bins, numbers->bin_count);
    return series;
}

/* ----------------------------------------------------------------------------------------------- what was said last */

struct said {
    const char *set;
    const char *name;
    struct stint_scope_series series;
};

static const struct stint_table_key s_said_key = STINT_TABLE_KEY_COPYING(struct said, set, name);

void stint_series_memory_free(struct stint_series_memory *memory)
{
    stint_arena_free(&memory->arena);
    memset(memory, 0, sizeof *memory);
}

void stint_series_memory_of(struct stint_series_memory *memory, const struct stint_process *process)
{
    if (memory->process == process->pid && memory->start_unix_ns == process->start_unix_ns)
        return;
    stint_series_memory_free(memory);
    memory->process = process->pid;
    memory->start_unix_ns = process->start_unix_ns;
}

static struct stint_series_memory s_own;
static pid_t s_holder; /* 0: nobody. The parent's, in a child that was forked meanwhile, is nobody either */

struct stint_series_memory *stint_scope_series_begin(const struct stint_process *process)
{
    pid_t self = getpid(), holder = __atomic_load_n(&s_holder, __ATOMIC_RELAXED);
    if (holder == self || !__atomic_compare_exchange_n(&s_holder, &holder, self, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return NULL;
    stint_series_memory_of(&s_own, process);
    return &s_own;
}

void stint_scope_series_end(void)
{
    __atomic_store_n(&s_holder, 0, __ATOMIC_RELEASE);
}

static void keep(uint64_t *now, uint64_t before)
{
    if (*now < before)
        *now = before;
}

struct stint_scope_series stint_scope_series_steady(struct stint_series_memory *memory, const struct stint_stat *stat)
{
    struct stint_scope_series now = stint_scope_series_of(stat);
    struct said like = {.set = stat->set, .name = stat->name};
    struct said *said = stint_table_take(&memory->said, &s_said_key, &memory->arena, &like);
    if (!said)
        return now;
    if (now.activations >= said->series.activations) { /* else there was a reset */
        keep(&now.recursive, said->series.recursive);
        keep(&now.samples, said->series.samples);
        keep(&now.sum_ns, said->series.sum_ns);
        keep(&now.self_ns, said->series.self_ns);
        keep(&now.cpu_ns, said->series.cpu_ns);
        for (size_t i = 0; i < STINT_SERIES_BOUNDS; i++)
            keep(&now.below[i], said->series.below[i]);
    }
    said->series = now;
    return now;
}

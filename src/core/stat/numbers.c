/* Adding up numbers and histograms, and what follows from them; by which way a statistic was recorded. */
#include "stat/numbers.h"

#include <math.h>
#include <string.h>

static uint64_t outermost(const struct stint_numbers *numbers)
{
    return numbers->count - numbers->recursive;
}

void stint_sums_up(uint64_t *sums, const uint64_t *more, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (__builtin_add_overflow(sums[i], more[i], &sums[i]))
            sums[i] = UINT64_MAX;
}

void stint_sum_up(uint64_t *sum, uint64_t more)
{
    stint_sums_up(sum, &more, 1);
}

static int add_bins(const struct stint_bin **into, size_t *into_count, const struct stint_bin *from, size_t from_count,
                    struct stint_arena *arena)
{
    const struct stint_bin *a = *into, *b = from;
    const struct stint_bin *a_end = a ? a + *into_count : NULL, *b_end = b ? b + from_count : NULL;
    struct stint_bin *bins, *end;
    if (!from_count)
        return 0;
    end = bins = stint_arena_pack(arena, (*into_count + from_count) * sizeof *bins);
    if (!bins)
        return -1;
    while (a != a_end || b != b_end) {
        const struct stint_bin *next = b == b_end || (a != a_end && a->ns < b->ns) ? a++ : b++;
        if (end != bins && stint_bin_is_same(&end[-1], next))
            stint_sum_up(&end[-1].count, next->count);
        else
            *end++ = *next;
    }
    *into = bins;
    *into_count = (size_t)(end - bins);
    return 0;
}

/* Where something was taken off one of the two only, the numbers of the other are as they were measured. */
static int add_raw(struct stint_numbers *into, const struct stint_numbers *from, struct stint_arena *arena)
{
    struct stint_numbers raw = *from;
    if (!into->raw_max_ns && !from->raw_max_ns)
        return 0;
    if (!into->raw_max_ns) {
        into->raw_min_ns = into->min_ns;
        into->raw_max_ns = into->max_ns;
        into->raw_bins = into->bins;
        into->raw_bin_count = into->bin_count;
    }
    if (!from->raw_max_ns) {
        raw.raw_min_ns = from->min_ns;
        raw.raw_max_ns = from->max_ns;
        raw.raw_bins = from->bins;
        raw.raw_bin_count = from->bin_count;
    }
    if (outermost(from) && (!outermost(into) || raw.raw_min_ns < into->raw_min_ns))
        into->raw_min_ns = raw.raw_min_ns;
    if (raw.raw_max_ns > into->raw_max_ns)
        into->raw_max_ns = raw.raw_max_ns;
    return add_bins(&into->raw_bins, &into->raw_bin_count, raw.raw_bins, raw.raw_bin_count, arena);
}

/* Errors of independent estimates, of their sum. */
static double joint(double a, double b)
{
    return sqrt(a * a + b * b);
}

int stint_numbers_add(struct stint_numbers *into, const struct stint_numbers *from, struct stint_arena *arena)
{
    int failed = add_raw(into, from, arena);
    if (outermost(from)) {
        if (!outermost(into) || from->min_ns < into->min_ns)
            into->min_ns = from->min_ns;
        if (!outermost(into) || from->max_ns > into->max_ns)
            into->max_ns = from->max_ns;
    }
    into->square_ns2 += from->square_ns2;
    into->error_ns = joint(into->error_ns, from->error_ns);
    into->self_error_ns = joint(into->self_error_ns, from->self_error_ns);
    stint_sum_up(&into->left_out, from->left_out);
    STINT_SUMS_UP(into, from, count, self_ns);
    STINT_SUMS_UP(into, from, cpu_ns, self_overhead_ns);
    STINT_SUMS_UP(into, from, running, running_ns);
    return failed | add_bins(&into->bins, &into->bin_count, from->bins, from->bin_count, arena);
}

/* Returns whether there is a bar for each of the `count` bars to be added. */
static int has_all(const struct stint_bin *bins, size_t bin_count, const struct stint_bin *added, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < bin_count && found < count; i++)
        found += (size_t)stint_bin_is_same(&bins[i], &added[found]);
    return found == count;
}

static void add_counts(const struct stint_bin *bins, const struct stint_bin *added, size_t count)
{
    struct stint_bin *to = (struct stint_bin *)(uintptr_t)bins;
    for (size_t i = 0; i < count; to++) {
        if (!stint_bin_is_same(to, &added[i]))
            continue;
        to->ns = added[i].ns < to->ns ? added[i].ns : to->ns;
        stint_sum_up(&to->count, added[i++].count);
    }
}

/* If `into` has all bars already, as most often where many are added, histograms need no memory. */
int stint_numbers_add_own(struct stint_numbers *into, const struct stint_numbers *from, struct stint_arena *arena)
{
    struct stint_numbers rest = *from;
    if (!into->raw_max_ns == !from->raw_max_ns && (!into->raw_bins || into->raw_bins != into->bins) &&
        has_all(into->bins, into->bin_count, from->bins, from->bin_count) &&
        has_all(into->raw_bins, into->raw_bin_count, from->raw_bins, from->raw_bin_count)) {
        add_counts(into->bins, from->bins, from->bin_count);
        add_counts(into->raw_bins, from->raw_bins, from->raw_bin_count);
        rest.bin_count = rest.raw_bin_count = 0;
    }
    return stint_numbers_add(into, &rest, arena);
}

uint64_t stint_numbers_avg_ns(const struct stint_numbers *numbers)
{
    return outermost(numbers) ? numbers->total_ns / outermost(numbers) : 0;
}

double stint_numbers_stddev_ns(const struct stint_numbers *numbers)
{
    double n = (double)outermost(numbers);
    if (outermost(numbers) < 2 || numbers->total_ns == outermost(numbers) * numbers->max_ns)
        return 0;
    double mean = (double)numbers->total_ns / n;
    double variance = numbers->square_ns2 / n - mean * mean;
    return variance > 0 ? sqrt(variance) : 0;
}

static uint64_t clamp(uint64_t ns, const struct stint_numbers *numbers)
{
    if (ns < numbers->min_ns)
        return numbers->min_ns;
    return ns > numbers->max_ns ? numbers->max_ns : ns;
}

/* libm's ceil is an instruction on some processors only, and every program that stint is preloaded into would load libm
 * for it. From 2^53 on all numbers are whole. */
static double round_up_whole(double value)
{
    if (value >= 9007199254740992.0)
        return value;
    double whole = (double)(uint64_t)value;
    return whole < value ? whole + 1 : whole;
}

uint64_t stint_numbers_percentile_ns(const struct stint_numbers *numbers, double p)
{
    uint64_t samples = 0, seen = 0;
    if (!numbers->bin_count)
        return 0;
    if (!(p > 0))
        return numbers->min_ns;
    if (p >= 1)
        return numbers->max_ns;
    for (size_t i = 0; i < numbers->bin_count; i++)
        stint_sum_up(&samples, numbers->bins[i].count);
    double rank = round_up_whole(p * (double)samples);
    for (size_t i = 0; i < numbers->bin_count; i++) {
        stint_sum_up(&seen, numbers->bins[i].count);
        if ((double)seen >= rank)
            return clamp(numbers->bins[i].ns, numbers);
    }
    return numbers->max_ns;
}

enum stint_cost_kind stint_cost_kind_of(const char *set, const char *function, uint32_t line)
{
    if (strcmp(set, STINT_API_SET) == 0)
        return STINT_COST_CALL;
    if (strncmp(set, STINT_NVTX_SET, sizeof STINT_NVTX_SET - 1) == 0)
        return STINT_COST_RANGE;
    return !line && function && *function ? STINT_COST_FUNCTION : STINT_COST_SCOPE;
}

struct stint_cost stint_recording_cost(const struct stint_process *process, enum stint_cost_kind way)
{
    const struct stint_cost costs[STINT_COST_KINDS] = {{process->scope_ns, process->inside_ns},
                                                       process->function,
                                                       process->range,
                                                       process->call,
                                                       {process->added_ns, 0}};
    return costs[way].whole_ns > 0 ? costs[way] : costs[STINT_COST_SCOPE];
}

int stint_gpu_is_call(const struct stint_stat *stat)
{
    return strcmp(stat->set, STINT_API_SET) == 0;
}

const struct stint_stat *stint_snapshot_find(const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    if (!snapshot || !name)
        return NULL;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        if (strcmp(stat->name, name) == 0 && strcmp(stat->set, set ? set : "GlobalStatInfo") == 0)
            return stat;
    }
    return NULL;
}

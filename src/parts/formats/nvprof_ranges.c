/* nvprof's "NVTX result": how often and how long each range ran, and the GPU work and the calls within it. */
#include <string.h>

#include "base/arena.h"
#include "formats/formats.h"
#include "formats/nvprof.h"
#include "stint/nvtx_stats.h"

/* A range in which something happened. */
struct range {
    size_t stat;
    int64_t tid; /* the thread that it ran on; 0 if there were several, or if it is unknown */
    const char *domain;
    const char *name;
};

struct ranges {
    const struct stint_snapshot *snapshot;
    struct stint_arena arena;
    const size_t *leaders;
    size_t *end;       /* for each context: the first position after the contexts below it */
    size_t *first;     /* for each context: position of its first charge in `charges`; one more at the end */
    size_t *charges;   /* sorted by context */
    size_t *of_stat;   /* for each statistic: position of its first context in `contexts`; one more at the end */
    size_t *contexts;  /* sorted by statistic, then as in the snapshot */
    ptrdiff_t *thread; /* for each statistic: 1 + the thread that recorded it, 0 if none did, -1 if several did */
    struct stint_nvprof_sums sums[STINT_NVPROF_GROUPS];
    struct range *all;
    size_t count;
};

/* Returns the domain of a push/pop range, "" for the default domain; NULL for other statistics. */
static const char *domain_of(const struct stint_stat *stat)
{
    size_t length = sizeof STINT_NVTX_SET - 1;
    if (strncmp(stat->set, STINT_NVTX_SET, length) != 0)
        return NULL;
    if (stat->set[length] == ':')
        return stat->set + length + 1;
    return stat->set[length] ? NULL : "";
}

/* ---------------------------------------------------------------------------------------------------------- indices */

static size_t *alloc(struct ranges *ranges, size_t count)
{
    return stint_arena_alloc(&ranges->arena, (count + 2) * sizeof(size_t));
}

static int make_room(struct ranges *ranges)
{
    const struct stint_snapshot *snapshot = ranges->snapshot;
    ranges->leaders = stint_nvprof_leaders(snapshot, &ranges->arena);
    ranges->end = alloc(ranges, snapshot->context_count);
    ranges->first = alloc(ranges, snapshot->context_count);
    ranges->charges = alloc(ranges, snapshot->gpu_charge_count);
    ranges->of_stat = alloc(ranges, snapshot->stat_count);
    ranges->contexts = alloc(ranges, snapshot->context_count);
    ranges->thread = (ptrdiff_t *)alloc(ranges, snapshot->stat_count);
    ranges->all = stint_arena_alloc(&ranges->arena, (snapshot->stat_count + 1) * sizeof *ranges->all);
    if (!ranges->leaders || !ranges->end || !ranges->first || !ranges->charges || !ranges->of_stat ||
        !ranges->contexts || !ranges->thread || !ranges->all)
        return -1;
    return stint_nvprof_sums_begin(&ranges->sums[STINT_NVPROF_GPU], &ranges->arena, snapshot->gpu_activity_count) ||
                   stint_nvprof_sums_begin(&ranges->sums[STINT_NVPROF_API], &ranges->arena, snapshot->stat_count)
               ? -1
               : 0;
}

/* Contexts are in pre-order: those below a context follow it, up to its end. */
static void find_ends(struct ranges *ranges)
{
    const struct stint_snapshot *snapshot = ranges->snapshot;
    for (size_t i = snapshot->context_count; i-- > 0;) {
        size_t end = i + 1;
        while (end < snapshot->context_count && snapshot->contexts[end].depth > snapshot->contexts[i].depth)
            end = ranges->end[end];
        ranges->end[i] = end;
    }
}

/* A counting sort: `first` receives the position of each key's first element, and after the last key their number.
 * Elements with a key beyond the last are left out. */
static void index_by(size_t *first, size_t keys, size_t *order, size_t count, size_t (*key_of)(const void *, size_t),
                     const void *array)
{
    for (size_t i = 0; i < count; i++)
        if (key_of(array, i) < keys)
            first[key_of(array, i)]++;
    for (size_t key = 1; key <= keys; key++)
        first[key] += first[key - 1];
    for (size_t i = count; i-- > 0;)
        if (key_of(array, i) < keys)
            order[--first[key_of(array, i)]] = i;
}

static size_t context_of(const void *charges, size_t i)
{
    return ((const struct stint_gpu_charge *)charges)[i].context;
}

static size_t stat_of(const void *contexts, size_t i)
{
    return ((const struct stint_context *)contexts)[i].stat;
}

static void find_threads(struct ranges *ranges)
{
    const struct stint_snapshot *snapshot = ranges->snapshot;
    for (size_t i = 0; i < snapshot->thread_stat_count; i++) {
        const struct stint_thread_stat *part = &snapshot->thread_stats[i];
        ptrdiff_t *thread = &ranges->thread[part->stat];
        *thread = *thread == 0 ? (ptrdiff_t)part->thread + 1 : -1;
    }
    for (size_t i = 0; snapshot->thread_count == 1 && i < snapshot->stat_count; i++)
        ranges->thread[i] = 1;
}

/* ------------------------------------------------------------------------------------------------------------- sums */

static void add_charges(struct ranges *ranges, size_t begin, size_t end)
{
    const struct stint_snapshot *snapshot = ranges->snapshot;
    for (size_t i = ranges->first[begin]; i < ranges->first[end]; i++) {
        const struct stint_gpu_charge *charge = &snapshot->gpu_charges[ranges->charges[i]];
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[charge->activity];
        struct stint_numbers numbers = {
            .count = charge->count, .total_ns = charge->total_ns, .min_ns = charge->min_ns, .max_ns = charge->max_ns};
        if (stint_nvprof_is_row(activity))
            stint_nvprof_sums_add(&ranges->sums[STINT_NVPROF_GPU], ranges->leaders[charge->activity], activity->name,
                                  &numbers);
    }
}

static void add_calls(struct ranges *ranges, size_t begin, size_t end)
{
    const struct stint_snapshot *snapshot = ranges->snapshot;
    for (size_t i = begin; i < end; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        const struct stint_stat *stat = &snapshot->stats[context->stat];
        if (stint_gpu_is_call(stat))
            stint_nvprof_sums_add(&ranges->sums[STINT_NVPROF_API], context->stat, stat->name, &context->numbers);
    }
}

/* Adds up what is within a range, counting it once where the range is nested in itself. Returns whether there is
 * anything. */
static int add_range(struct ranges *ranges, size_t stat)
{
    size_t done = 0;
    for (size_t i = ranges->of_stat[stat]; i < ranges->of_stat[stat + 1]; i++) {
        size_t context = ranges->contexts[i];
        if (context < done)
            continue;
        done = ranges->end[context];
        add_charges(ranges, context, done);
        add_calls(ranges, context, done);
    }
    return ranges->sums[STINT_NVPROF_GPU].count || ranges->sums[STINT_NVPROF_API].count;
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

static int is_before(const void *array, size_t a, size_t b)
{
    const struct range *all = array;
    if (all[a].tid != all[b].tid)
        return all[a].tid < all[b].tid;
    int by_domain = strcmp(all[a].domain, all[b].domain);
    return by_domain ? by_domain < 0 : all[a].stat < all[b].stat;
}

static void find_ranges(struct ranges *ranges)
{
    const struct stint_snapshot *snapshot = ranges->snapshot;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        const char *domain = domain_of(stat);
        ptrdiff_t thread = ranges->thread[i];
        if (!domain || !stat->numbers.count)
            continue;
        ranges->all[ranges->count++] = (struct range){
            .stat = i,
            .tid = thread > 0 ? snapshot->threads[thread - 1].tid : 0,
            .domain = domain,
            .name = stat->name,
        };
    }
}

static int begin_ranges(struct ranges *ranges, const struct stint_snapshot *snapshot)
{
    *ranges = (struct ranges){.snapshot = snapshot};
    if (make_room(ranges))
        return -1;
    find_ends(ranges);
    index_by(ranges->first, snapshot->context_count, ranges->charges, snapshot->gpu_charge_count, context_of,
             snapshot->gpu_charges);
    index_by(ranges->of_stat, snapshot->stat_count, ranges->contexts, snapshot->context_count, stat_of,
             snapshot->contexts);
    find_threads(ranges);
    find_ranges(ranges);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ lines */

static void put_line(struct stint_text *text, const struct stint_snapshot *snapshot, const char *what, const char *name)
{
    stint_nvprof_begin(text, snapshot);
    stint_text_say(text, "%s \"", what);
    stint_nvprof_name(text, *name ? name : "<unnamed>");
    stint_text_string(text, "\"");
}

static void put_heads(struct stint_text *text, const struct stint_snapshot *snapshot, const struct range *range,
                      const struct range *before)
{
    int new_thread = !before || before->tid != range->tid;
    if (new_thread) {
        put_line(text, snapshot, "  Thread", range->tid ? "" : "<several>");
        stint_text_say(text, " (id = %jd)\n", range->tid);
    }
    if (new_thread || strcmp(before->domain, range->domain) != 0) {
        put_line(text, snapshot, "    Domain", range->domain);
        stint_text_string(text, "\n");
    }
    put_line(text, snapshot, "      Range", range->name);
    stint_text_string(text, "\n");
}

static void put_range(struct stint_text *text, struct ranges *ranges, const struct range *range,
                      const struct stint_layout *layout, int csv)
{
    struct stint_nvprof_rows rows[STINT_NVPROF_GROUPS] = {{.snapshot = NULL}};
    struct stint_nvprof_row own = {.name = range->name, .numbers = ranges->snapshot->stats[range->stat].numbers};
    stint_nvprof_rows_set(&rows[STINT_NVPROF_RANGE], &own, 1, STINT_SORT_TOTAL, 0);
    for (enum stint_nvprof_group group = STINT_NVPROF_GPU; group < STINT_NVPROF_GROUPS; group++)
        stint_nvprof_sums_take(&ranges->sums[group], &rows[group], layout);
    stint_nvprof_put_table(text, rows, layout, csv);
    stint_text_string(text, "\n");
    for (enum stint_nvprof_group group = 0; group < STINT_NVPROF_GROUPS; group++)
        stint_nvprof_rows_end(&rows[group]);
}

void stint_report_nvprof_nvtx(struct stint_text *text, const struct stint_snapshot *snapshot,
                              const struct stint_layout *layout, int csv)
{
    struct stint_layout shown = stint_nvprof_layout(layout, csv);
    struct ranges ranges;
    const struct range *before = NULL;
    const size_t *order =
        begin_ranges(&ranges, snapshot) ? NULL : stint_sorted(&ranges.arena, ranges.count, is_before, ranges.all);
    stint_nvprof_begin(text, snapshot);
    stint_text_string(text, "NVTX result:\n");
    for (size_t i = 0; order && i < ranges.count; i++) {
        const struct range *range = &ranges.all[order[i]];
        if (!add_range(&ranges, range->stat))
            continue;
        put_heads(text, snapshot, range, before);
        put_range(text, &ranges, range, &shown, csv);
        before = range;
    }
    if (!before)
        stint_text_string(text, "No ranges with GPU work or calls were profiled.\n");
    stint_arena_free(&ranges.arena);
}

int stint_nvprof_has_ranges(const struct stint_snapshot *snapshot)
{
    struct ranges ranges;
    int has = 0;
    if (begin_ranges(&ranges, snapshot) == 0)
        for (size_t i = 0; !has && i < ranges.count; i++)
            has = add_range(&ranges, ranges.all[i].stat);
    stint_arena_free(&ranges.arena);
    return has;
}

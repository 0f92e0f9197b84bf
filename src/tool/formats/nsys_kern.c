/* Kernels by range: each kernel belongs to all ranges that were open on the launching thread. */
#include <string.h>

#include "formats/nsys_span.h"
#include "formats/nvprof_trace.h"

/* What one activity did in one range. */
struct link {
    size_t next; /* next link of the part; STINT_INDEX_NONE: this is the last */
    size_t activity;
    uint64_t charged;
};

/* One kernel in one range. */
struct part {
    size_t stat;
    const char *kernel;
    struct stint_nsys_spread spread; /* a kernel within a range that is within another of its name counts twice */
    uint64_t kernels;                /* each once */
    size_t links;                    /* its links, newest first */
    uint64_t traced;                 /* samples of the spread that are in the trace */
    uint64_t instances;              /* of the range, that launched those */
};

struct parts {
    struct stint_nsys_ranges ranges;
    struct stint_array parts; /* struct part; rows have the same positions */
    struct stint_array links; /* struct link */
    struct stint_index index;
};

struct key {
    size_t stat;
    const char *kernel;
};

static struct part *part_at(const struct parts *parts, size_t position)
{
    return (struct part *)parts->parts.items + position;
}

static struct link *link_at(const struct parts *parts, size_t position)
{
    return (struct link *)parts->links.items + position;
}

static uint64_t hash_of(const struct key *key)
{
    return stint_hash(key->kernel, strlen(key->kernel), key->stat);
}

static int is_part(const void *array, size_t position, const void *like)
{
    const struct part *part = (const struct part *)array + position;
    const struct key *key = like;
    return part->stat == key->stat && strcmp(part->kernel, key->kernel) == 0;
}

static size_t find_part(const struct parts *parts, const struct key *key)
{
    return stint_index_find(&parts->index, hash_of(key), is_part, parts->parts.items, key);
}

static struct part *part_of(struct stint_nsys *nsys, struct parts *parts, const struct key *key)
{
    size_t at = find_part(parts, key);
    struct part *part;
    if (at != STINT_INDEX_NONE)
        return part_at(parts, at);
    part = stint_array_add(&parts->parts, &nsys->arena, sizeof *part);
    if (!part || stint_index_add(&parts->index, &nsys->arena, hash_of(key), parts->parts.count - 1)) {
        nsys->failed = 1;
        return NULL;
    }
    *part = (struct part){.stat = key->stat, .kernel = key->kernel, .links = STINT_INDEX_NONE};
    return part;
}

/* ---------------------------------------------------------------------------------------------------------- charges */

static void add_to_spread(struct stint_nsys_spread *spread, const struct stint_gpu_charge *charge)
{
    if (!spread->count || charge->min_ns < spread->min)
        spread->min = charge->min_ns;
    if (charge->max_ns > spread->max)
        spread->max = charge->max_ns;
    spread->count += charge->count;
    spread->total += charge->total_ns;
}

/* The charges of an activity are adjacent, so if a part has a link to the activity, it is the part's newest. */
static void add_to_links(struct stint_nsys *nsys, struct parts *parts, struct part *part,
                         const struct stint_gpu_charge *charge)
{
    struct link *link;
    if (part->links != STINT_INDEX_NONE && link_at(parts, part->links)->activity == charge->activity) {
        link_at(parts, part->links)->charged += charge->count;
        return;
    }
    link = stint_array_add(&parts->links, &nsys->arena, sizeof *link);
    if (!link) {
        nsys->failed = 1;
        return;
    }
    *link = (struct link){part->links, charge->activity, charge->count};
    part->links = parts->links.count - 1;
}

static void add_charge(struct stint_nsys *nsys, struct parts *parts, const struct stint_gpu_charge *charge)
{
    const struct stint_gpu_activity *activity = &nsys->snapshot->gpu_activities[charge->activity];
    struct key key = {0, activity->name};
    int is_again;
    if (activity->kind != STINT_GPU_KERNEL || !charge->count)
        return;
    stint_nsys_begin_climb(&parts->ranges);
    for (size_t context = charge->context;
         (key.stat = stint_nsys_climb(&parts->ranges, &context, &is_again)) != STINT_NO_PARENT;) {
        struct part *part = part_of(nsys, parts, &key);
        if (!part)
            return;
        part->kernels += is_again ? 0 : charge->count;
        add_to_spread(&part->spread, charge);
        add_to_links(nsys, parts, part, charge);
    }
}

/* ----------------------------------------------------------------------------------------------------------- spread */

/* Charges have no histograms, but activities do: an activity that is charged to one range only contributes its own. */
static struct stint_nsys_spread spread_of(struct stint_nsys *nsys, const struct parts *parts, const struct part *part)
{
    struct stint_nsys_spread spread = part->spread;
    struct stint_numbers numbers = {0};
    if (stint_nsys_spread_simple(&spread))
        return spread;
    for (size_t i = part->links; i != STINT_INDEX_NONE; i = link_at(parts, i)->next) {
        const struct link *link = link_at(parts, i);
        const struct stint_gpu_activity *activity = &nsys->snapshot->gpu_activities[link->activity];
        if (link->charged != activity->numbers.count)
            return spread;
        stint_nsys_add_numbers(nsys, &numbers, &activity->numbers);
    }
    return stint_nsys_spread_of(&numbers);
}

static void sample(struct stint_nsys *nsys, struct parts *parts, struct stint_nsys_samples *samples,
                   const struct stint_gpu_event *event)
{
    struct key key = {0, event->name};
    int is_again;
    stint_nsys_begin_climb(&parts->ranges);
    for (size_t context = event->context;
         (key.stat = stint_nsys_climb(&parts->ranges, &context, &is_again)) != STINT_NO_PARENT;) {
        size_t row = find_part(parts, &key);
        if (row == STINT_INDEX_NONE)
            continue;
        part_at(parts, row)->traced++;
        stint_nsys_sample(nsys, samples, row, stint_trace_duration_ns(event));
    }
}

/* Counts the instances of ranges that an event was launched in. */
static void count_instances(struct stint_nsys *nsys, struct parts *parts, struct stint_nsys_pairs *pairs,
                            const struct stint_gpu_event *event)
{
    const struct stint_snapshot *snapshot = nsys->snapshot;
    for (size_t i = event->instance; i < snapshot->gpu_instance_count; i = snapshot->gpu_instances[i].parent) {
        size_t context = snapshot->gpu_instances[i].context;
        if (context >= snapshot->context_count)
            continue;
        struct key key = {snapshot->contexts[context].stat, event->name};
        size_t row = find_part(parts, &key);
        if (row != STINT_INDEX_NONE)
            part_at(parts, row)->instances += stint_nsys_add_pair(nsys, pairs, row, i);
    }
}

static void settle_by_trace(struct stint_nsys *nsys, struct parts *parts)
{
    struct stint_nsys_samples samples = {0};
    struct stint_nsys_pairs pairs = {{0}, {0}};
    for (size_t i = 0; i < nsys->snapshot->gpu_event_count && !nsys->failed; i++) {
        const struct stint_gpu_event *event = &nsys->snapshot->gpu_events[i];
        if (event->api || event->kind != STINT_GPU_KERNEL)
            continue;
        sample(nsys, parts, &samples, event);
        count_instances(nsys, parts, &pairs, event);
    }
    stint_nsys_settle(nsys, &samples);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

enum { NO_THREAD = 0, SEVERAL_THREADS = -1 };

/* Returns for each statistic the position + 1 of the only thread that recorded it, or one of the values above. */
static ptrdiff_t *find_threads(struct stint_nsys *nsys)
{
    const struct stint_snapshot *snapshot = nsys->snapshot;
    ptrdiff_t *threads = stint_nsys_alloc(nsys, snapshot->stat_count, sizeof *threads);
    for (size_t i = 0; threads && i < snapshot->thread_stat_count; i++) {
        const struct stint_thread_stat *part = &snapshot->thread_stats[i];
        ptrdiff_t *of = &threads[part->stat];
        *of = *of == NO_THREAD ? (ptrdiff_t)part->thread + 1 : SEVERAL_THREADS;
    }
    for (size_t i = 0; threads && snapshot->thread_count == 1 && i < snapshot->stat_count; i++)
        threads[i] = 1;
    return threads;
}

/* What exited threads did is summed up without a thread id. */
static void set_thread(struct stint_nsys *nsys, struct stint_nsys_row *row, ptrdiff_t of)
{
    const struct stint_thread *threads = nsys->snapshot->threads;
    row->pid = nsys->snapshot->thread_count ? threads[0].pid : nsys->snapshot->process.pid;
    for (size_t i = 1; i < nsys->snapshot->thread_count; i++)
        if (threads[i].pid != row->pid)
            row->pid = 0; /* merged from several processes */
    if (of > 0) {
        row->pid = threads[of - 1].pid;
        row->tid = threads[of - 1].tid;
    }
    if (!row->pid || !row->tid)
        nsys->notes |= STINT_NSYS_NO_THREAD;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static void add_rows(struct stint_nsys *nsys, const struct parts *parts)
{
    const ptrdiff_t *threads = find_threads(nsys);
    for (size_t i = 0; i < parts->parts.count && !nsys->failed; i++) {
        const struct part *part = part_at(parts, i);
        struct stint_nsys_row *row = stint_nsys_add_row(nsys);
        if (!row)
            return;
        row->name = part->kernel;
        row->range = stint_nsys_range_name(nsys, part->stat);
        row->style = stint_nsys_style_name(parts->ranges.style[part->stat]);
        row->spread = spread_of(nsys, parts, part);
        row->operations = part->kernels;
        set_thread(nsys, row, threads[part->stat]);
    }
}

/* How many instances of a range had a kernel is known if one of the two ran once, or from a trace of all launches. A
 * range that was split into parts, because a range around it ended first (src/parts/nvtx/overlap.h), has more. */
static void set_instances(struct stint_nsys *nsys, const struct parts *parts)
{
    for (size_t i = 0; i < nsys->rows.count; i++) {
        const struct part *part = part_at(parts, i);
        const struct stint_numbers *numbers = &nsys->snapshot->stats[part->stat].numbers;
        uint64_t entered = numbers->count + numbers->running;
        struct stint_nsys_row *row = stint_nsys_row_at(nsys, i);
        if (entered == 1)
            row->instances = 1;
        else if (part->kernels == 1)
            row->instances = part->spread.count;
        else if (part->traced == part->spread.count && part->instances && part->instances <= entered)
            row->instances = part->instances;
        else
            nsys->notes |= STINT_NSYS_NO_INSTANCES;
    }
}

static void sum_charges(struct stint_nsys *nsys)
{
    struct parts parts = {0};
    if (stint_nsys_find_ranges(nsys, &parts.ranges))
        return;
    for (size_t i = 0; i < nsys->snapshot->gpu_charge_count && !nsys->failed; i++)
        add_charge(nsys, &parts, &nsys->snapshot->gpu_charges[i]);
    if (!nsys->failed)
        add_rows(nsys, &parts);
    if (!nsys->failed)
        settle_by_trace(nsys, &parts);
    if (!nsys->failed)
        set_instances(nsys, &parts);
}

void stint_nsys_collect_range_kernels(struct stint_nsys *nsys)
{
    if (stint_nsys_sum_range_kernels(nsys))
        sum_charges(nsys);
}

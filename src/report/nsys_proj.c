/* Ranges on devices: how much work each launched, and from when to when that took. */
#include "report/nsys.h"
#include "report/trace.h"

/* What there is to know of a range, by statistic. */
struct range {
    uint64_t operations;
    uint64_t operation_ns;
    uint64_t entered; /* by contexts, running ones too */
    double levels;    /* sums over all instances */
    double children;
    uint64_t traced; /* operations in the trace */
    uint64_t start_ns;
    uint64_t end_ns;
};

struct projection {
    struct stint_nsys_ranges ranges;
    struct range *of; /* each statistic */
};

/* Kernels, copies and sets: what a call puts into a stream. */
static int is_operation(enum stint_gpu_kind kind)
{
    return kind == STINT_GPU_KERNEL || kind == STINT_GPU_COPY || kind == STINT_GPU_SET;
}

static void add_charge(struct projection *projection, const struct stint_gpu_charge *charge)
{
    stint_nsys_begin_climb(&projection->ranges);
    for (size_t context = charge->context, stat;
         (stat = stint_nsys_climb(&projection->ranges, &context)) != STINT_NO_PARENT;) {
        projection->of[stat].operations += charge->count;
        projection->of[stat].operation_ns += charge->total_ns;
    }
}

static void add_event(struct projection *projection, const struct stint_gpu_event *event)
{
    stint_nsys_begin_climb(&projection->ranges);
    for (size_t context = event->context, stat;
         (stat = stint_nsys_climb(&projection->ranges, &context)) != STINT_NO_PARENT;) {
        struct range *range = &projection->of[stat];
        if (!range->traced || event->start_ns < range->start_ns)
            range->start_ns = event->start_ns;
        if (event->end_ns > range->end_ns)
            range->end_ns = event->end_ns;
        range->traced++;
    }
}

/* Fills `levels` of all contexts: how many ranges stand above each. */
static void add_contexts(struct projection *projection, size_t *levels, size_t *parents)
{
    const struct stint_snapshot *snapshot = projection->ranges.snapshot;
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        uint64_t entered = context->numbers.count + context->numbers.running;
        size_t above = context->parent;
        int is_below = above != STINT_NO_PARENT && projection->ranges.style[snapshot->contexts[above].stat];
        parents[i] = above == STINT_NO_PARENT ? STINT_NO_PARENT : is_below ? above : parents[above];
        levels[i] = parents[i] == STINT_NO_PARENT ? 0 : levels[parents[i]] + 1;
        if (!projection->ranges.style[context->stat])
            continue;
        projection->of[context->stat].entered += entered;
        projection->of[context->stat].levels += (double)entered * (double)levels[i];
        if (parents[i] != STINT_NO_PARENT)
            projection->of[snapshot->contexts[parents[i]].stat].children += (double)entered;
    }
}

/* Where one instance launched all, its work is the range's. */
static void project(struct stint_nsys *nsys, struct stint_nsys_row *row, const struct range *range)
{
    if (range->entered != 1 || range->traced != range->operations) {
        nsys->notes |= STINT_NSYS_NO_PROJECTION;
        return;
    }
    row->spread.count = 1;
    row->spread.total = row->spread.min = row->spread.max = range->end_ns - range->start_ns;
    stint_nsys_spread_simple(&row->spread);
}

static void add_row(struct stint_nsys *nsys, const struct projection *projection, size_t stat)
{
    const struct range *range = &projection->of[stat];
    const struct stint_numbers numbers = stint_nsys_range_numbers(nsys, stat);
    double entered = range->entered ? (double)range->entered : 1;
    struct stint_nsys_row *row = stint_nsys_add_row(nsys);
    if (!row)
        return;
    row->range = stint_nsys_range_name(nsys, stat);
    row->style = stint_nsys_style_name(projection->ranges.style[stat]);
    row->range_ns = numbers.total_ns;
    row->instances = numbers.count;
    row->operations = range->operations;
    row->operation_ns = range->operation_ns;
    row->level = range->levels / entered;
    row->children = range->children / entered;
    project(nsys, row, range);
}

void stint_nsys_collect_projections(struct stint_nsys *nsys)
{
    const struct stint_snapshot *snapshot = nsys->snapshot;
    struct projection projection = {.of = stint_nsys_alloc(nsys, snapshot->stat_count, sizeof *projection.of)};
    size_t *levels = stint_nsys_alloc(nsys, snapshot->context_count, sizeof *levels);
    size_t *parents = stint_nsys_alloc(nsys, snapshot->context_count, sizeof *parents);
    if (stint_nsys_find_ranges(nsys, &projection.ranges))
        return;
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++)
        if (is_operation(snapshot->gpu_activities[snapshot->gpu_charges[i].activity].kind))
            add_charge(&projection, &snapshot->gpu_charges[i]);
    for (size_t i = 0; i < snapshot->gpu_event_count; i++)
        if (!snapshot->gpu_events[i].api && is_operation(snapshot->gpu_events[i].kind))
            add_event(&projection, &snapshot->gpu_events[i]);
    add_contexts(&projection, levels, parents);
    for (size_t i = 0; i < snapshot->stat_count && !nsys->failed; i++)
        if (projection.of[i].operations && snapshot->stats[i].numbers.count)
            add_row(nsys, &projection, i);
}

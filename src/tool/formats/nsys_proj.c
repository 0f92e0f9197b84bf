/* Ranges projected onto devices: how much work each range launched, and from when to when the work ran. */
#include "formats/nsys_span.h"
#include "formats/nvprof_trace.h"

/* Sums for a range, kept by statistic. */
struct range {
    uint64_t operations;
    uint64_t operation_ns;
    uint64_t entered; /* instances in all contexts, including running ones */
    double levels;    /* sums over all instances */
    double children;
    uint64_t traced; /* operations in the trace whose instance is known */
    struct stint_nsys_spread spread;
    size_t row; /* set once the range has a row */
};

/* The work of one instance of any scope. */
struct extent {
    uint64_t operations;
    uint64_t start_ns;
    uint64_t end_ns;
};

static uint64_t ns_of(const struct extent *extent)
{
    return extent->end_ns > extent->start_ns ? extent->end_ns - extent->start_ns : 0;
}

struct projection {
    struct stint_nsys_ranges ranges;
    struct range *of;       /* for each statistic */
    struct extent *extents; /* for each instance */
};

/* Kernels, copies and sets: operations that a call puts into a stream. */
static int is_operation(enum stint_gpu_kind kind)
{
    return kind == STINT_GPU_KERNEL || kind == STINT_GPU_COPY || kind == STINT_GPU_SET;
}

static void add_charge(struct projection *projection, const struct stint_gpu_charge *charge)
{
    int is_again;
    stint_nsys_begin_climb(&projection->ranges);
    for (size_t context = charge->context, stat;
         (stat = stint_nsys_climb(&projection->ranges, &context, &is_again)) != STINT_NO_PARENT;) {
        projection->of[stat].operations += charge->count;
        projection->of[stat].operation_ns += charge->total_ns;
    }
}

static void add_event(struct projection *projection, const struct stint_gpu_event *event)
{
    struct extent *extent = &projection->extents[event->instance];
    int is_again;
    stint_nsys_begin_climb(&projection->ranges);
    for (size_t context = event->context, stat;
         (stat = stint_nsys_climb(&projection->ranges, &context, &is_again)) != STINT_NO_PARENT;)
        projection->of[stat].traced++;
    if (!extent->operations || event->start_ns < extent->start_ns)
        extent->start_ns = event->start_ns;
    if (event->end_ns > extent->end_ns)
        extent->end_ns = event->end_ns;
    extent->operations++;
}

static void widen(struct extent *extent, const struct extent *by)
{
    if (!extent->operations || by->start_ns < extent->start_ns)
        extent->start_ns = by->start_ns;
    if (by->end_ns > extent->end_ns)
        extent->end_ns = by->end_ns;
    extent->operations += by->operations;
}

/* Work that was launched in an instance counts for the enclosing instance, too, which comes earlier in the array. */
static void add_enclosed(struct projection *projection)
{
    for (size_t i = projection->ranges.snapshot->gpu_instance_count; i-- > 0;) {
        size_t parent = projection->ranges.snapshot->gpu_instances[i].parent;
        if (parent != STINT_GPU_NO_INSTANCE && projection->extents[i].operations)
            widen(&projection->extents[parent], &projection->extents[i]);
    }
}

/* Returns the range of an instance that has work; NULL if it is not an instance of a range. */
static struct range *range_of(const struct projection *projection, size_t instance)
{
    const struct stint_snapshot *snapshot = projection->ranges.snapshot;
    size_t context = snapshot->gpu_instances[instance].context;
    if (!projection->extents[instance].operations || context >= snapshot->context_count ||
        projection->ranges.style[snapshot->contexts[context].stat] != STINT_NSYS_PUSH_POP)
        return NULL;
    return &projection->of[snapshot->contexts[context].stat];
}

static void add_instances(struct projection *projection)
{
    for (size_t i = 0; i < projection->ranges.snapshot->gpu_instance_count; i++) {
        struct range *range = range_of(projection, i);
        if (range)
            stint_nsys_add_sample(&range->spread, ns_of(&projection->extents[i]));
    }
}

/* Fills `levels` for all contexts: the number of ranges above each. */
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

/* A range may have been split into parts because a range around it ended first (src/parts/nvtx/overlap.h); its parts
 * look like instances, and there are too many. */
static int is_known(const struct range *range)
{
    return range->traced == range->operations && range->spread.count <= range->entered;
}

/* Fills what only instances with work count for. How long these took is known if all had work. */
static void project(struct stint_nsys *nsys, struct stint_nsys_row *row, const struct range *range, uint64_t range_ns)
{
    if (range->entered == 1) {
        row->instances = 1;
        row->range_ns = range_ns;
    }
    if (!is_known(range)) {
        nsys->notes |= STINT_NSYS_NO_PROJECTION;
        return;
    }
    row->spread = range->spread;
    row->instances = range->spread.count;
    if (row->instances == range->entered)
        row->range_ns = range_ns;
    else
        nsys->notes |= STINT_NSYS_NO_RANGE_TIME;
    stint_nsys_spread_simple(&row->spread);
}

static void settle(struct stint_nsys *nsys, const struct projection *projection)
{
    struct stint_nsys_samples samples = {0};
    for (size_t i = 0; i < nsys->snapshot->gpu_instance_count && !nsys->failed; i++) {
        const struct range *range = range_of(projection, i);
        if (range && is_known(range) && range->row < nsys->rows.count)
            stint_nsys_sample(nsys, &samples, range->row, ns_of(&projection->extents[i]));
    }
    stint_nsys_settle(nsys, &samples);
}

static void add_row(struct stint_nsys *nsys, const struct projection *projection, size_t stat)
{
    struct range *range = &projection->of[stat];
    struct stint_numbers numbers = stint_nsys_range_numbers(nsys, stat);
    double entered = range->entered ? (double)range->entered : 1;
    struct stint_nsys_row *row = stint_nsys_add_row(nsys);
    if (!row)
        return;
    range->row = nsys->rows.count - 1;
    row->range = stint_nsys_range_name(nsys, stat);
    row->style = stint_nsys_style_name(projection->ranges.style[stat]);
    row->operations = range->operations;
    row->operation_ns = range->operation_ns;
    row->level = range->levels / entered;
    row->children = range->children / entered;
    project(nsys, row, range, numbers.total_ns);
}

static void add_work(struct projection *projection)
{
    const struct stint_snapshot *snapshot = projection->ranges.snapshot;
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++)
        if (is_operation(snapshot->gpu_activities[snapshot->gpu_charges[i].activity].kind))
            add_charge(projection, &snapshot->gpu_charges[i]);
    for (size_t i = 0; i < snapshot->gpu_event_count; i++) {
        const struct stint_gpu_event *event = &snapshot->gpu_events[i];
        if (!event->api && is_operation(event->kind) && event->instance < snapshot->gpu_instance_count)
            add_event(projection, event);
    }
    add_enclosed(projection);
    add_instances(projection);
}

static void sum_instances(struct stint_nsys *nsys)
{
    const struct stint_snapshot *snapshot = nsys->snapshot;
    struct projection projection = {
        .of = stint_nsys_alloc(nsys, snapshot->stat_count, sizeof *projection.of),
        .extents = stint_nsys_alloc(nsys, snapshot->gpu_instance_count, sizeof *projection.extents)};
    size_t *levels = stint_nsys_alloc(nsys, snapshot->context_count, sizeof *levels);
    size_t *parents = stint_nsys_alloc(nsys, snapshot->context_count, sizeof *parents);
    if (stint_nsys_find_ranges(nsys, &projection.ranges))
        return;
    add_work(&projection);
    add_contexts(&projection, levels, parents);
    for (size_t i = 0; i < snapshot->stat_count && !nsys->failed; i++) {
        projection.of[i].row = STINT_INDEX_NONE;
        if (projection.of[i].operations && snapshot->stats[i].numbers.count)
            add_row(nsys, &projection, i);
    }
    if (!nsys->failed)
        settle(nsys, &projection);
}

void stint_nsys_collect_projections(struct stint_nsys *nsys)
{
    if (stint_nsys_sum_projections(nsys))
        sum_instances(nsys);
}

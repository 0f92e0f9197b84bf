/* Makes a snapshot of what threads have recorded so far, without stopping them. */
#include "record/collect.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process.h"
#include "record/part.h"
#include "record/registry.h"
#include "record/thread.h"
#include "stat/builder.h"
#include "stat/numbers.h"

enum { COMMAND_SIZE = 4096, HOST_SIZE = 256 };

/* Where the builder's rows of an id are: positions + 1; 0: not there yet. */
struct of_id {
    size_t stat;
    size_t thread_stat; /* of the thread that is being added */
    size_t nodes;       /* of the sum */
};

struct collector {
    struct stint_builder builder;
    struct stint_tree sum;      /* of all threads; its arena has what else is needed meanwhile */
    struct stint_arena scratch; /* what is needed while one tree is added */
    struct stint_bin *bins;     /* room for those of a node */
    struct stint_bin *measured; /* the same, before anything is taken off */
    uint64_t now;               /* ticks */
    double ns_per_tick;
    struct stint_tree_costs tree_costs;
    struct of_id *by_id;
    struct stint_numbers *exact; /* by id, too: samples in ns, which few statistics have, of this thread or the sum */
    int has_exact;               /* whether any of them are not zero */
    int has_exact_nodes;         /* of the sum */
    int is_sum;                  /* whether numbers are those of statistics, rather than of a thread */
    uint64_t added;              /* samples that the program measured itself */
};

/* Self time can only be negative when the clock stepped back; samples in ns have been measured by the program. */
static uint64_t not_negative(uint64_t self, int exact)
{
    return exact || self <= (uint64_t)INT64_MAX ? self : 0;
}

/* ------------------------------------------------------------------------------------------------------------ stats */

/* Neighbours are often of one file, and of one function. */
__attribute__((noinline)) static const char *site_text(struct stint_builder *builder, const char *before,
                                                       const char *text)
{
    return strcmp(before, text) == 0 ? before : stint_builder_text(builder, text);
}

static void set_site(struct stint_builder *builder, size_t at, const struct stint_entry *entry)
{
    struct stint_stat *stat = stint_builder_row(builder, STINT_ROWS_STATS, at);
    stat->file = site_text(builder, at ? stat[-1].file : "", entry->file);
    stat->function = site_text(builder, at ? stat[-1].function : "", entry->function);
    stat->line = entry->line;
    stat->by_thread = entry->by_thread;
}

size_t stint_collect_stat(struct stint_builder *builder, uint32_t id)
{
    const struct stint_entry *entry = stint_registry_entry(id);
    size_t count = builder->rows[STINT_ROWS_STATS].count;
    size_t at = stint_builder_find(builder, STINT_ROWS_STATS,
                                   &(struct stint_stat){.set = entry->set->name, .name = entry->name});
    if (at == count && !builder->failed)
        set_site(builder, at, entry);
    return at;
}

/* Adds the row of an id that has none: every id has another name. */
static size_t add_stat(struct stint_builder *builder, const struct stint_entry *entry)
{
    size_t set = stint_builder_set(builder, entry->set->name);
    struct stint_stat *stat = stint_builder_blank(builder, STINT_ROWS_STATS);
    size_t at = builder->rows[STINT_ROWS_STATS].count - 1;
    if (!stat)
        return 0;
    stat->set = ((const char **)builder->sets.items)[set];
    stat->name = stint_builder_text(builder, entry->name);
    set_site(builder, at, entry);
    return at;
}

static size_t row_of(struct collector *collector, uint32_t id)
{
    size_t *row = &collector->by_id[id].stat;
    if (!*row)
        *row = add_stat(&collector->builder, stint_registry_entry(id)) + 1;
    return *row - 1;
}

/* Ticks to ns, in place. */
static void convert(struct stint_numbers *numbers, double ns_per_tick)
{
    double total = stint_real(numbers->total_ns) * ns_per_tick;
    uint64_t samples = numbers->count - numbers->recursive;
#define PLACE(time) offsetof(struct stint_numbers, time) / sizeof(uint64_t)
    static const uint8_t times[] = {PLACE(total_ns),   PLACE(self_ns),     PLACE(min_ns),
                                    PLACE(max_ns),     PLACE(raw_min_ns),  PLACE(raw_max_ns),
                                    PLACE(running_ns), PLACE(overhead_ns), PLACE(self_overhead_ns)};
#undef PLACE
    for (size_t i = 0; ns_per_tick != 1.0 && i < sizeof times; i++) {
        uint64_t *time = &((uint64_t *)(void *)numbers)[times[i]];
        if (*time)
            *time = stint_whole_ns(stint_real(*time) * ns_per_tick);
    }
    numbers->square_ns2 *= ns_per_tick * ns_per_tick;
    numbers->error_ns *= ns_per_tick;
    numbers->self_error_ns *= ns_per_tick;
    if (samples) /* the total was rounded: keep square/n - (total/n)^2, which the rounding would change */
        numbers->square_ns2 +=
            (stint_real(numbers->total_ns) - total) * (stint_real(numbers->total_ns) + total) / stint_real(samples);
    if (numbers->cpu_ns > numbers->total_ns) /* what was used before a reset, and to read the CPU time itself */
        numbers->cpu_ns = numbers->total_ns;
}

/* For an activation nested in another of the same name, a flat row takes the count and the self time only. */
static void keep_outermost(struct stint_numbers *numbers)
{
    numbers->recursive = numbers->count;
    numbers->total_ns = numbers->min_ns = numbers->max_ns = numbers->running_ns = numbers->cpu_ns = 0;
    numbers->raw_min_ns = numbers->raw_max_ns = 0;
    numbers->overhead_ns = 0;
    numbers->square_ns2 = numbers->error_ns = 0;
    numbers->bins = numbers->raw_bins = NULL;
    numbers->bin_count = numbers->raw_bin_count = 0;
}

/* --------------------------------------------------------------------------------------------------------- one node */

static struct stint_cost_parts *cost_parts_of(struct collector *collector, const struct stint_tree *tree,
                                              uint32_t count)
{
    struct stint_cost_parts *parts = NULL;
    collector->builder.failed |=
        stint_tree_cost_parts(&collector->tree_costs, tree, count, &collector->scratch, &parts);
    return parts;
}

/* What running activations contain, which took `running` ticks, is not in the node's total. */
static void leave_running(struct stint_cost_parts *parts, const struct stint_i_node *node, uint64_t running)
{
    double total = stint_real(STINT_I_LOAD(&node->total));
    double share = total > 0 ? total / (total + stint_real(running)) : 0;
    if (parts) {
        parts[node->index].below *= share;
        parts[node->index].beside *= share;
        parts[node->index].estimate.self *= share;
    }
}

/* To numbers in ticks. */
static void add_estimate(struct stint_numbers *numbers, const struct stint_cost_parts *parts,
                         const struct stint_i_node *node)
{
    if (parts && stint_budget)
        stint_budget->add(numbers, &parts[node->index].estimate);
}

/* The numbers of a node in ticks. */
__attribute__((noinline)) static struct stint_numbers ticks_of(const struct stint_i_node *node, int exact,
                                                               const struct stint_cost_parts *parts)
{
    struct stint_numbers numbers = {
        .count = STINT_I_LOAD(&node->count),
        .total_ns = STINT_I_LOAD(&node->total),
        .self_ns = not_negative(STINT_I_LOAD(&node->self), exact),
        .cpu_ns = STINT_I_LOAD(&node->cpu),
        .min_ns = STINT_I_LOAD(&node->min),
        .max_ns = STINT_I_LOAD(&node->max),
    };
    __atomic_load(&node->square, &numbers.square_ns2, __ATOMIC_RELAXED);
    numbers.min_ns = numbers.count ? numbers.min_ns : 0;
    add_estimate(&numbers, parts, node);
    return numbers;
}

/* The numbers of a node of the sum, in ns. `parts` is NULL if nothing is taken off. */
static struct stint_numbers numbers_of(struct collector *collector, const struct stint_i_node *node,
                                       const struct stint_cost_parts *parts)
{
    int exact = node->parent == collector->sum.exact;
    double ns_per_tick = exact ? 1 : collector->ns_per_tick;
    struct stint_numbers numbers = ticks_of(node, exact, parts);
    numbers.running = node->start;
    numbers.running_ns = node->child;
    convert(&numbers, ns_per_tick);
    if (node->count)
        numbers.bin_count = stint_histogram_bins(node->more, ns_per_tick, collector->measured);
    numbers.bins = numbers.bin_count ? collector->measured : NULL;
    if (parts) {
        const struct stint_cost_parts *ticks = &parts[node->index];
        struct stint_cost_parts ns = {.own = ticks->own * ns_per_tick,
                                      .below = ticks->below * ns_per_tick,
                                      .beside = ticks->beside * ns_per_tick};
        stint_compensate(&numbers, &ns, collector->bins);
    }
    return numbers;
}

/* Gives the statistic of a context with no other the same numbers. The others' are added up in ticks, and rounded once:
 * they get nothing but the histogram. */
static void add_to_stat(struct collector *collector, const struct of_id *rows, size_t context,
                        const struct stint_numbers *numbers, int recursive)
{
    struct stint_builder *builder = &collector->builder;
    if (builder->failed)
        return;
    if (rows->nodes == 1) {
        const struct stint_context *of = stint_builder_row(builder, STINT_ROWS_CONTEXTS, context);
        ((struct stint_stat *)stint_builder_row(builder, STINT_ROWS_STATS, rows->stat - 1))->numbers = of->numbers;
    } else if (!recursive) {
        struct stint_numbers bins = {.bins = numbers->bins,
                                     .bin_count = numbers->bin_count,
                                     .raw_max_ns = numbers->raw_max_ns,
                                     .raw_bins = numbers->raw_bins,
                                     .raw_bin_count = numbers->raw_bin_count};
        stint_builder_add_stat(builder, rows->stat - 1, &bins);
    }
}

/* Nodes are of one context each, unless samples in ns were added outside any scope, where a scope of that name may have
 * been, too. */
static size_t add_context(struct collector *collector, size_t parent, size_t stat)
{
    struct stint_builder *builder = &collector->builder;
    struct stint_array *rows = &builder->rows[STINT_ROWS_CONTEXTS];
    if (collector->has_exact_nodes)
        return stint_builder_context(builder, parent, stat);
    struct stint_context *row = stint_builder_blank(builder, STINT_ROWS_CONTEXTS);
    if (!row)
        return 0;
    row->parent = parent;
    row->stat = stat;
    row->depth = parent == STINT_NO_PARENT ? 0 : ((struct stint_context *)rows->items)[parent].depth + 1;
    return rows->count - 1;
}

static void add_contexts(struct collector *collector, const struct stint_cost_parts *parts)
{
    size_t *contexts = stint_arena_alloc(&collector->sum.arena, collector->sum.node_count * sizeof *contexts);
    if (!contexts) {
        collector->builder.failed = 1;
        return;
    }
    stint_builder_reserve(&collector->builder, STINT_ROWS_CONTEXTS, collector->sum.node_count);
    contexts[0] = STINT_NO_PARENT;
    for (const struct stint_i_node *node = collector->sum.root->next; node; node = node->next) {
        struct stint_numbers numbers = numbers_of(collector, node, parts);
        size_t stat = row_of(collector, node->id);
        contexts[node->index] = add_context(collector, contexts[node->parent->index], stat);
        stint_builder_add_context(&collector->builder, contexts[node->index], &numbers);
        collector->added += node->parent == collector->sum.exact ? node->count : 0;
        add_to_stat(collector, &collector->by_id[node->id], contexts[node->index], &numbers, node->recursive);
    }
}

/* --------------------------------------------------------------------------------------------------------- by id */

/* Returns the numbers of the row that the id has, of the thread or of the sum, made if it is missing. Until they are
 * finished, they are in ticks, and a thread's row refers to the id. */
static struct stint_numbers *numbers_by_id(struct collector *collector, uint32_t id)
{
    struct stint_builder *builder = &collector->builder;
    size_t *at = &collector->by_id[id].thread_stat;
    if (collector->is_sum)
        return &((struct stint_stat *)stint_builder_row(builder, STINT_ROWS_STATS, row_of(collector, id)))->numbers;
    if (!*at) {
        struct stint_thread_stat *row = stint_builder_blank(builder, STINT_ROWS_THREAD_STATS);
        if (!row)
            return NULL;
        row->stat = id;
        *at = builder->rows[STINT_ROWS_THREAD_STATS].count;
    }
    return &((struct stint_thread_stat *)stint_builder_row(builder, STINT_ROWS_THREAD_STATS, *at - 1))->numbers;
}

/* Most threads have one node of an id. */
static void add_by_id(struct collector *collector, uint32_t id, int exact, const struct stint_numbers *part)
{
    struct stint_numbers *sum = numbers_by_id(collector, id);
    if (collector->builder.failed)
        return;
    if (exact)
        sum = &collector->exact[id];
    collector->has_exact |= exact;
    if (sum->count || sum->running)
        (void)stint_numbers_add(sum, part, &collector->sum.arena); /* no bins: cannot fail */
    else
        *sum = *part;
}

/* Turns the id's numbers into ns. */
static void finish_id(struct collector *collector, uint32_t id, struct stint_numbers *numbers)
{
    convert(numbers, collector->ns_per_tick);
    if (!collector->has_exact)
        return;
    (void)stint_numbers_add(numbers, &collector->exact[id], &collector->sum.arena); /* no bins: cannot fail */
    collector->exact[id] = (struct stint_numbers){0};
}

static void add_node(struct collector *collector, const struct stint_tree *tree, const struct stint_i_node *node,
                     const struct stint_cost_parts *parts)
{
    int exact = node->parent == tree->exact;
    if (!STINT_I_LOAD(&node->count) || stint_node_is_stale(node))
        return;
    struct stint_numbers part = ticks_of(node, exact, parts);
    if (parts)
        stint_compensate(&part, &parts[node->index], NULL);
    if (node->recursive)
        keep_outermost(&part);
    add_by_id(collector, node->id, exact, &part);
}

/* Adds activations that are still running. */
__attribute__((cold)) static void add_running_part(struct collector *collector, const struct stint_i_node *node,
                                                   uint64_t running, uint64_t span)
{
    struct stint_numbers part = {.running = running, .running_ns = span};
    if (node->recursive)
        keep_outermost(&part);
    if (running)
        add_by_id(collector, node->id, 0, &part);
}

/* Walks up from the innermost running scope. A start of 0 means that the scope is just beginning or ending. */
__attribute__((cold)) static void add_running(struct collector *collector, const struct stint_tree *tree,
                                              const struct stint_merged *merged, struct stint_cost_parts *parts)
{
    const struct stint_i_node *node = __atomic_load_n(&tree->hot.current, __ATOMIC_ACQUIRE);
    for (; node->parent; node = node->parent) {
        uint64_t start = stint_node_start(node);
        uint64_t span = start && start < collector->now ? collector->now - start : 0;
        /* The node is newer than the merge, or was just being made. */
        if (!start || node->index >= merged->count || !merged->nodes[node->index])
            continue;
        merged->nodes[node->index]->start++;
        merged->nodes[node->index]->child += span;
        leave_running(parts, node, span);
        add_running_part(collector, node, 1, span);
    }
}

__attribute__((cold)) static void add_usage(struct stint_thread *thread)
{
    struct stint_thread_usage usage =
        thread->exited ? stint_thread_exits.usage : stint_process_thread_usage(thread->tid);
    memcpy(thread->state, usage.state, sizeof thread->state);
    thread->cpu_ns = usage.cpu_ns;
    thread->waits = usage.waits;
    thread->preempted = usage.preempted;
}

/* Finishes the thread's rows, those from the `first` on, and adds the thread if there are any. */
static void finish_thread(struct collector *collector, size_t first, int64_t tid, int exited)
{
    struct stint_thread thread = {.pid = getpid(), .tid = tid, .exited = exited};
    struct stint_builder *builder = &collector->builder;
    if (builder->failed || builder->rows[STINT_ROWS_THREAD_STATS].count == first)
        return;
    if (exited)
        thread.exits = stint_thread_exits.count;
    else
        stint_process_thread_name(thread.name, sizeof thread.name, tid);
    if (stint_cpu_is_on)
        add_usage(&thread);
    size_t at = stint_builder_add(builder, STINT_ROWS_THREADS, &thread);
    for (size_t i = first; i < builder->rows[STINT_ROWS_THREAD_STATS].count; i++) {
        struct stint_thread_stat *row = stint_builder_row(builder, STINT_ROWS_THREAD_STATS, i);
        uint32_t id = (uint32_t)row->stat;
        finish_id(collector, id, &row->numbers);
        row->thread = at;
        row->stat = row_of(collector, id);
        collector->by_id[id].thread_stat = 0;
    }
    collector->has_exact = 0;
}

/* The numbers, over all threads, of the statistics of several contexts. */
static void add_stats(struct collector *collector, const struct stint_cost_parts *parts)
{
    uint32_t last = stint_registry_last_id();
    collector->is_sum = 1;
    for (const struct stint_i_node *node = collector->sum.root->next; node; node = node->next) {
        collector->has_exact_nodes |= node->parent == collector->sum.exact;
        collector->by_id[node->id].nodes++;
    }
    for (const struct stint_i_node *node = collector->sum.root->next; node; node = node->next)
        if (collector->by_id[node->id].nodes > 1) {
            add_node(collector, &collector->sum, node, parts);
            add_running_part(collector, node, node->start, node->child); /* as numbers_of has them */
        }
    for (uint32_t id = 1; id <= last && !collector->builder.failed; id++)
        if (collector->by_id[id].nodes > 1 && collector->by_id[id].stat)
            finish_id(collector, id, numbers_by_id(collector, id));
}

static void add_tree(struct collector *collector, const struct stint_tree *tree, int64_t tid, int exited)
{
    size_t first = collector->builder.rows[STINT_ROWS_THREAD_STATS].count;
    struct stint_merged merged = stint_tree_merge(&collector->sum, tree, &collector->scratch);
    const struct stint_i_node *node = tree->root;
    if (!merged.nodes) {
        collector->builder.failed = 1;
        return;
    }
    struct stint_cost_parts *parts = cost_parts_of(collector, tree, merged.count);
    add_running(collector, tree, &merged, parts);
    while ((node = __atomic_load_n(&node->next, __ATOMIC_ACQUIRE)))
        add_node(collector, tree, node, node->index < merged.count ? parts : NULL);
    finish_thread(collector, first, tid, exited);
    stint_arena_reuse(&collector->scratch);
}

/* ------------------------------------------------------------------------------------------------------------ whole */

__attribute__((cold)) static struct stint_process with_costs(const struct stint_costs *costs)
{
    struct stint_i_left_out left_out = stint_measure_left_out();
    return (struct stint_process){
        .clock_read_ns = costs->clock_read_ns,
        .scope_ns = costs->way[STINT_COST_SCOPE].whole_ns,
        .inside_ns = costs->way[STINT_COST_SCOPE].inside_ns,
        .function = costs->way[STINT_COST_FUNCTION],
        .range = costs->way[STINT_COST_RANGE],
        .call = costs->way[STINT_COST_CALL],
        .added_ns = costs->way[STINT_COST_SAMPLE].whole_ns,
        .left_out_ns = costs->left_out_ns,
        .excluded_calls = left_out.excluded_calls,
        .tiny_calls = left_out.tiny_calls,
        .tiny_functions = left_out.tiny_functions,
        .budget = stint_budget ? stint_budget->share : 0,
        .thinned_ns = costs->thinned_ns[STINT_COST_SCOPE],
        .thinned_hooks_ns = costs->thinned_ns[STINT_COST_FUNCTION],
    };
}

/* How much a snapshot is going to have, at a guess: threads go on. */
struct extent {
    uint32_t ids;
    size_t nodes;
    size_t thread_stats;
};

static void add_extent(struct extent *extent, const struct stint_tree *tree)
{
    uint32_t nodes = STINT_I_LOAD(&tree->node_count);
    extent->nodes += nodes;
    extent->thread_stats += nodes < extent->ids ? nodes : extent->ids;
}

static struct extent measure(void)
{
    struct extent extent = {.ids = stint_registry_last_id()};
    for (const struct stint_thread_record *record = stint_thread_first(); record; record = record->next)
        add_extent(&extent, &record->tree);
    if (stint_thread_exited())
        add_extent(&extent, stint_thread_exited());
    return extent;
}

/* The table has room for every possible id, because new ones may appear meanwhile if the lock is not held. Untouched
 * parts take no memory. */
__attribute__((cold)) static void begin_collector(struct collector *collector, const struct stint_costs *costs)
{
    enum { MANY_NODES = 500 }; /* as many fill a page of 2 MB */
    size_t ids = (size_t)stint_limits.names + 1;
    struct extent extent = measure();
    struct stint_arena *arena = &collector->sum.arena;
    *collector = (struct collector){.ns_per_tick = stint_clock_ns_per_tick(), .now = stint_clock_ticks()};
    collector->tree_costs = stint_tree_costs_of(costs, collector->ns_per_tick);
    stint_builder_begin_in(&collector->builder, (struct stint_arena){.is_brief = extent.nodes > MANY_NODES});
    collector->builder.failed |= stint_tree_begin(&collector->sum, STINT_TREE_SUM);
    arena->is_brief = collector->scratch.is_brief = extent.nodes > MANY_NODES;
    collector->bins = stint_arena_alloc(arena, 2 * STINT_I_BUCKETS * sizeof *collector->bins +
                                                   ids * (sizeof *collector->by_id + sizeof *collector->exact));
    if (!collector->bins) {
        collector->builder.failed = 1;
        return;
    }
    collector->measured = collector->bins + STINT_I_BUCKETS;
    collector->by_id = (struct of_id *)(void *)(collector->measured + STINT_I_BUCKETS);
    collector->exact = (struct stint_numbers *)(void *)(collector->by_id + ids);
    stint_builder_reserve(&collector->builder, STINT_ROWS_STATS, extent.ids);
    stint_builder_reserve(&collector->builder, STINT_ROWS_THREAD_STATS, extent.thread_stats);
}

static void add_everything(struct collector *collector)
{
    for (size_t i = 0; stint_registry_set_at(i); i++)
        stint_builder_set(&collector->builder, stint_registry_set_at(i)->name);
    for (const struct stint_thread_record *record = stint_thread_first(); record; record = record->next)
        add_tree(collector, &record->tree, record->tid, 0);
    if (stint_thread_exited())
        add_tree(collector, stint_thread_exited(), 0, 1);
    if (!collector->builder.failed) {
        struct stint_cost_parts *parts = cost_parts_of(collector, &collector->sum, collector->sum.node_count);
        for (const struct stint_i_node *node = collector->sum.root->next; node; node = node->next)
            leave_running(parts, node, node->child);
        add_stats(collector, parts);
        add_contexts(collector, parts); /* with the statistics' histograms */
    }
}

__attribute__((cold)) static int tree_has_samples(const struct stint_tree *tree, uint32_t id)
{
    const struct stint_i_node *node = tree->root;
    while ((node = __atomic_load_n(&node->next, __ATOMIC_ACQUIRE)))
        if (node->id == id && STINT_I_LOAD(&node->count) && !stint_node_is_stale(node))
            return 1;
    return 0;
}

int stint_collect_has_samples(uint32_t id)
{
    for (const struct stint_thread_record *record = stint_thread_first(); record; record = record->next)
        if (tree_has_samples(&record->tree, id))
            return 1;
    return stint_thread_exited() && tree_has_samples(stint_thread_exited(), id);
}

static const char *keep_process_text(struct stint_builder *builder, const char *text)
{
    struct stint_arena *arena = stint_builder_arena(builder);
    const char *copy = arena ? stint_arena_copy(arena, text, strlen(text)) : NULL;
    if (!copy)
        builder->failed = 1;
    return copy ? copy : "";
}

static char s_rank[sizeof((struct stint_process *)0)->rank];

void stint_collect_learn_rank(void)
{
    const char *rank = stint_process_rank();
    (void)snprintf(s_rank, sizeof s_rank, "%s", rank ? rank : "");
}

__attribute__((cold)) static struct stint_process describe_process(struct collector *collector,
                                                                   const struct stint_costs *costs)
{
    struct stint_process process = with_costs(costs);
    char text[COMMAND_SIZE];
    process.added_samples = collector->added;
    process.pid = getpid();
    process.start_unix_ns = stint_clock_start_unix_ns();
    process.wall_ns = stint_clock_wall_ns();
    process.clock = stint_clock_name();
    process.clock_hz = 1e9 / collector->ns_per_tick;
    memcpy(process.rank, s_rank, sizeof process.rank);
    stint_process_command(text, sizeof text);
    process.command = keep_process_text(&collector->builder, text);
    stint_process_host(text, HOST_SIZE);
    process.host = keep_process_text(&collector->builder, text);
    return process;
}

static struct stint_dropped read_dropped(void)
{
#define READ(name, ...) .name = STINT_I_LOAD(&stint_dropped.name),
    return (struct stint_dropped){STINT_I_DROPPED(READ)};
#undef READ
}

enum stint_status stint_collect(struct stint_snapshot **snapshot, const struct stint_costs *costs, int emergency)
{
    int guarded = stint_guard_begin();
    struct collector collector;
    *snapshot = NULL;
    if (!guarded && !emergency)
        return STINT_ERROR_BUSY;
    int locked = stint_registry_lock_for(emergency);
    begin_collector(&collector, costs);
    if (!collector.builder.failed)
        add_everything(&collector);
    if (locked)
        stint_registry_unlock();
    stint_parts_collect(&collector.builder, emergency);
    if (guarded)
        stint_guard_end();
    {
        struct stint_process process = describe_process(&collector, costs);
        struct stint_dropped dropped = read_dropped();
        *snapshot = stint_builder_end(&collector.builder, &process, &dropped);
    }
    stint_tree_end(&collector.sum);
    stint_arena_free(&collector.scratch);
    return *snapshot ? STINT_OK : STINT_ERROR_NO_MEMORY;
}

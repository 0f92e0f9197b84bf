#include "ranks/reduction.h"

#include <stdio.h>
#include <string.h>

#include "stat/numbers.h"
#include "stat/spread.h"

/* What is added is copied, and outgrown histograms are freed with the builder: after so many it begins anew. */
enum { ADDED_MOST = 64 };

static void begin_builder(struct stint_reduction *reduction)
{
    if (reduction->spare)
        stint_builder_begin_in(&reduction->builder, reduction->spare);
    else
        stint_builder_begin(&reduction->builder);
}

void stint_reduction_begin(struct stint_reduction *reduction, struct stint_spare_memory *spare)
{
    *reduction = (struct stint_reduction){
        .lowest = UINT32_MAX, .process = {.command = "", .host = "", .clock = ""}, .spare = spare};
    begin_builder(reduction);
}

int64_t stint_rank_number(const struct stint_process *process)
{
    int64_t rank = 0;
    const char *at = process->rank;
    for (; *at >= '0' && *at <= '9' && rank < UINT32_MAX; at++)
        rank = 10 * rank + (*at - '0');
    return *process->rank && !*at && rank < UINT32_MAX ? rank : -1;
}

/* ------------------------------------------------------------------------------------------------------- histograms */

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
        to->count += added[i++].count;
    }
}

/* Adds the histograms of `from` to those of a row of the builder, if these have all bars already: as most often, and
 * then without memory. Returns what remains to be added. */
static struct stint_numbers add_histograms(const struct stint_numbers *into, const struct stint_numbers *from)
{
    struct stint_numbers rest = *from;
    if (!into->raw_max_ns != !from->raw_max_ns || (into->raw_bins && into->raw_bins == into->bins) ||
        !has_all(into->bins, into->bin_count, from->bins, from->bin_count) ||
        !has_all(into->raw_bins, into->raw_bin_count, from->raw_bins, from->raw_bin_count))
        return rest;
    add_counts(into->bins, from->bins, from->bin_count);
    add_counts(into->raw_bins, from->raw_bins, from->raw_bin_count);
    rest.bins = rest.raw_bins = NULL;
    rest.bin_count = rest.raw_bin_count = 0;
    return rest;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static void add_stats(struct stint_builder *builder, const struct stint_snapshot *snapshot, size_t *stats)
{
    for (size_t i = 0; i < snapshot->set_count; i++)
        (void)stint_builder_set(builder, snapshot->sets[i]);
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        stats[i] = stint_builder_stat(builder, stat);
        if (builder->failed)
            return;
        struct stint_numbers rest =
            add_histograms(&((struct stint_stat *)builder->stats.items)[stats[i]].numbers, &stat->numbers);
        stint_builder_add_stat(builder, stats[i], &rest);
        stint_spread_add(builder, STINT_SPREAD_STATS, stats[i], stat->numbers.spread);
        stint_spread_add(builder, STINT_SPREAD_STATS_GPU, stats[i], stat->gpu_spread);
    }
}

static void add_contexts(struct stint_builder *builder, const struct stint_snapshot *snapshot, const size_t *stats,
                         size_t *contexts)
{
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        size_t parent = context->parent == STINT_NO_PARENT ? STINT_NO_PARENT : contexts[context->parent];
        contexts[i] = stint_builder_context(builder, parent, stats[context->stat]);
        if (builder->failed)
            return;
        struct stint_numbers rest =
            add_histograms(&((struct stint_context *)builder->contexts.items)[contexts[i]].numbers, &context->numbers);
        stint_builder_add_context(builder, contexts[i], &rest);
        stint_spread_add(builder, STINT_SPREAD_CONTEXTS, contexts[i], context->numbers.spread);
    }
}

static void add_activities(struct stint_builder *builder, const struct stint_snapshot *snapshot, const size_t *contexts,
                           size_t *activities)
{
    stint_builder_gpu_info(builder, &snapshot->gpu);
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        struct stint_gpu_activity activity = snapshot->gpu_activities[i];
        activity.device = activity.context = activity.stream = 0;
        activities[i] = stint_builder_gpu_activity(builder, &activity);
        stint_builder_add_gpu_activity(builder, activities[i], &activity);
        stint_spread_add(builder, STINT_SPREAD_ACTIVITIES, activities[i], activity.numbers.spread);
    }
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++) {
        struct stint_gpu_charge charge = snapshot->gpu_charges[i];
        charge.activity = activities[charge.activity];
        if (charge.context != STINT_GPU_NO_SCOPE && charge.context != STINT_GPU_UNATTRIBUTED)
            charge.context = contexts[charge.context];
        stint_builder_gpu_charge(builder, &charge);
    }
}

static void add_others(struct stint_builder *builder, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->barrier_count; i++)
        stint_builder_barrier(builder, &snapshot->barriers[i]);
    stint_builder_nvtx_info(builder, &snapshot->nvtx);
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++)
        stint_builder_nvtx_value(builder, &snapshot->nvtx_values[i]);
}

static void add_rows(struct stint_builder *builder, const struct stint_snapshot *snapshot)
{
    struct stint_arena scratch = {0};
    size_t *stats = stint_arena_alloc(&scratch, (snapshot->stat_count + 1) * sizeof *stats);
    size_t *contexts = stint_arena_alloc(&scratch, (snapshot->context_count + 1) * sizeof *contexts);
    size_t *activities = stint_arena_alloc(&scratch, (snapshot->gpu_activity_count + 1) * sizeof *activities);
    if (stats && contexts && activities) {
        add_stats(builder, snapshot, stats);
        add_contexts(builder, snapshot, stats, contexts);
        add_activities(builder, snapshot, contexts, activities);
        add_others(builder, snapshot);
    } else {
        builder->failed = 1;
    }
    stint_arena_free(&scratch);
}

/* ---------------------------------------------------------------------------------------------------------- process */

static const char *keep(struct stint_reduction *reduction, const char *text)
{
    return stint_builder_text(&reduction->builder, text);
}

static void keep_texts(struct stint_reduction *reduction)
{
    struct stint_process *process = &reduction->process;
    process->command = keep(reduction, process->command);
    process->host = keep(reduction, process->host);
    process->clock = keep(reduction, process->clock);
}

/* Takes the process of a lower rank, but what all have together. */
static void take_process(struct stint_reduction *reduction, const struct stint_process *from, uint32_t rank)
{
    struct stint_process sum = reduction->process;
    if (rank >= reduction->lowest)
        return;
    reduction->lowest = rank;
    reduction->process = *from;
    reduction->process.ranks = sum.ranks;
    reduction->process.start_unix_ns = sum.start_unix_ns;
    reduction->process.wall_ns = sum.wall_ns;
    reduction->process.added_samples = sum.added_samples;
    reduction->process.excluded_calls = sum.excluded_calls;
    reduction->process.tiny_calls = sum.tiny_calls;
    reduction->process.tiny_functions = sum.tiny_functions;
    keep_texts(reduction);
}

static void add_process(struct stint_reduction *reduction, const struct stint_snapshot *from, uint32_t rank)
{
    struct stint_process *sum = &reduction->process;
    const struct stint_process *process = &from->process;
    take_process(reduction, process, rank);
    sum->ranks += process->ranks;
    if (!sum->start_unix_ns || process->start_unix_ns < sum->start_unix_ns)
        sum->start_unix_ns = process->start_unix_ns;
    sum->wall_ns = process->wall_ns > sum->wall_ns ? process->wall_ns : sum->wall_ns;
    sum->added_samples += process->added_samples;
    sum->excluded_calls += process->excluded_calls;
    sum->tiny_calls += process->tiny_calls;
    sum->tiny_functions += process->tiny_functions;
#define ADD(name, ...) reduction->dropped.name += from->dropped.name;
    STINT_I_DROPPED(ADD)
#undef ADD
}

static void free_sum(struct stint_reduction *reduction, struct stint_snapshot *sum)
{
    if (reduction->spare)
        stint_snapshot_recycle(sum, reduction->spare);
    else
        stint_snapshot_free(sum);
}

/* Ends the builder, and begins another one with the same rows, in the order of the snapshot. Returns that, for the
 * caller to free, or NULL. */
static struct stint_snapshot *begin_anew(struct stint_reduction *reduction)
{
    struct stint_snapshot *sum = stint_builder_end(&reduction->builder, &reduction->process, &reduction->dropped);
    begin_builder(reduction);
    if (sum) {
        add_rows(&reduction->builder, sum);
        keep_texts(reduction);
    } else {
        reduction->builder.failed = 1;
    }
    reduction->added = 0;
    return sum;
}

/* ------------------------------------------------------------------------------------------------------ of one rank */

void stint_reduction_add_process(struct stint_reduction *reduction, const struct stint_snapshot *process)
{
    add_process(reduction, process, reduction->added++ ? UINT32_MAX : 0);
    add_rows(&reduction->builder, process);
}

static int is_counted(const struct stint_numbers *numbers)
{
    return numbers->count || numbers->running;
}

/* A statistic that the rank's history tells to have become slower says so. */
static void add_drift(struct stint_spread *spread, const struct stint_history *history, const struct stint_stat *stat,
                      const struct stint_process *process)
{
    struct stint_drift drift;
    if (!history || stint_history_drift(history, stat->set, stat->name, &drift))
        return;
    spread->slow_lost_ns = spread->lost_ns = drift.lost_ns;
    spread->slow_since_unix_ns = process->start_unix_ns + drift.since_ns;
    spread->slow_before_ns = drift.before_ns;
    spread->slow_after_ns = drift.after_ns;
    spread->slow_host = process->host;
}

/* What scopes had GPUs do is known only of snapshots. */
static void add_gpu_spreads(struct stint_reduction *reduction, uint32_t rank)
{
    struct stint_snapshot *own = begin_anew(reduction);
    for (size_t i = 0; own && i < own->stat_count; i++) {
        const struct stint_gpu_use *use = &own->stats[i].gpu;
        struct stint_numbers numbers = {.total_ns = stint_gpu_use_ns(use)};
        struct stint_spread spread = stint_spread_of_rank(&numbers, rank, reduction->process.host);
        if (use->kernels || use->copies || use->sets)
            stint_spread_add(&reduction->builder, STINT_SPREAD_STATS_GPU, i, &spread);
    }
    free_sum(reduction, own);
}

void stint_reduction_close_rank(struct stint_reduction *reduction, uint32_t rank, const struct stint_history *history)
{
    struct stint_builder *builder = &reduction->builder;
    struct stint_process *process = &reduction->process;
    for (size_t i = 0; i < builder->stats.count; i++) {
        const struct stint_stat *stat = (const struct stint_stat *)builder->stats.items + i;
        struct stint_spread spread = stint_spread_of_rank(&stat->numbers, rank, process->host);
        add_drift(&spread, history, stat, process);
        if (is_counted(&stat->numbers))
            stint_spread_add(builder, STINT_SPREAD_STATS, i, &spread);
    }
    for (size_t i = 0; i < builder->contexts.count; i++) {
        const struct stint_numbers *numbers = &((const struct stint_context *)builder->contexts.items)[i].numbers;
        struct stint_spread spread = stint_spread_of_rank(numbers, rank, process->host);
        if (is_counted(numbers))
            stint_spread_add(builder, STINT_SPREAD_CONTEXTS, i, &spread);
    }
    for (size_t i = 0; i < builder->gpu_activities.count; i++) {
        const struct stint_gpu_activity *row = (const struct stint_gpu_activity *)builder->gpu_activities.items + i;
        struct stint_spread spread = stint_spread_of_rank(&row->numbers, rank, process->host);
        stint_spread_add(builder, STINT_SPREAD_ACTIVITIES, i, &spread);
    }
    process->ranks = 1;
    reduction->lowest = rank;
    (void)snprintf(process->rank, sizeof process->rank, "%u", rank);
    if (builder->gpu_charges.count)
        add_gpu_spreads(reduction, rank);
}

/* ------------------------------------------------------------------------------------------------------- of several */

void stint_reduction_add_ranks(struct stint_reduction *reduction, const struct stint_snapshot *ranks)
{
    int64_t lowest = stint_rank_number(&ranks->process);
    if (reduction->added++ == ADDED_MOST)
        free_sum(reduction, begin_anew(reduction));
    add_process(reduction, ranks, lowest < 0 ? UINT32_MAX - 1 : (uint32_t)lowest);
    add_rows(&reduction->builder, ranks);
}

struct stint_snapshot *stint_reduction_end(struct stint_reduction *reduction)
{
    reduction->process.pid = reduction->process.ranks > 1 ? 0 : reduction->process.pid;
    return stint_builder_end(&reduction->builder, &reduction->process, &reduction->dropped);
}

/* The sum of the ranks of a job, in a builder that begins anew from time to time; memory of sums that are spare. */
#include "ranks/ranks.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"

/* What is added is copied, and outgrown histograms are freed with the builder: after so many it begins anew. */
enum { ADDED_MOST = 64 };

static void begin_builder(struct stint_reduction *reduction)
{
    struct stint_spare_memory *spare = reduction->spare;
    stint_builder_begin_in(&reduction->builder,
                           spare && spare->count ? spare->arenas[--spare->count] : (struct stint_arena){0});
    reduction->builder.add_spread = stint_spread_add;
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

/* ------------------------------------------------------------------------------------------------------------- rows */

/* Devices, contexts and streams have other numbers in each process. */
static void forget_device(const struct stint_addition *addition, void *row)
{
    struct stint_gpu_activity *activity = row;
    (void)addition;
    activity->device = activity->context = activity->stream = 0;
}

static void add_rows(struct stint_builder *builder, const struct stint_snapshot *snapshot)
{
    uint64_t kinds = STINT_ROWS_BIT(DROPPED) | STINT_ROWS_BIT(STATS) | STINT_ROWS_BIT(CONTEXTS) |
                     STINT_ROWS_BIT(BARRIERS) | STINT_ROWS_BIT(GPU) | STINT_ROWS_BIT(GPU_ACTIVITIES) |
                     STINT_ROWS_BIT(GPU_CHARGES) | STINT_ROWS_BIT(NVTX) | STINT_ROWS_BIT(NVTX_VALUES);
    stint_builder_add_snapshot(builder, &(struct stint_addition){.kinds = kinds,
                                                                 .adapted = STINT_ROWS_GPU_ACTIVITIES,
                                                                 .adapt = forget_device,
                                                                 .snapshot = snapshot});
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
    stint_builder_merge(&reduction->builder, STINT_ROWS_OVERHEAD, sum, process);
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
    struct stint_snapshot *sum =
        stint_builder_end(&reduction->builder, &reduction->process, &reduction->builder.whole.dropped);
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
    struct stint_stat *stats = reduction->builder.rows[STINT_ROWS_STATS].items;
    for (size_t i = 0; own && i < own->stat_count; i++) {
        const struct stint_gpu_use *use = &own->stats[i].gpu;
        struct stint_numbers numbers = {.total_ns = stint_gpu_use_ns(use)};
        struct stint_spread spread = stint_spread_of_rank(&numbers, rank, reduction->process.host);
        if (use->kernels || use->copies || use->sets)
            stint_spread_add(&reduction->builder, &stats[i].gpu_spread, &spread);
    }
    free_sum(reduction, own);
}

void stint_reduction_close_rank(struct stint_reduction *reduction, uint32_t rank, const struct stint_history *history)
{
    struct stint_builder *builder = &reduction->builder;
    struct stint_process *process = &reduction->process;
    struct stint_stat *stats = builder->rows[STINT_ROWS_STATS].items;
    struct stint_context *contexts = builder->rows[STINT_ROWS_CONTEXTS].items;
    struct stint_gpu_activity *activities = builder->rows[STINT_ROWS_GPU_ACTIVITIES].items;
    for (size_t i = 0; i < builder->rows[STINT_ROWS_STATS].count; i++) {
        struct stint_spread spread = stint_spread_of_rank(&stats[i].numbers, rank, process->host);
        add_drift(&spread, history, &stats[i], process);
        if (is_counted(&stats[i].numbers))
            stint_spread_add(builder, &stats[i].numbers.spread, &spread);
    }
    for (size_t i = 0; i < builder->rows[STINT_ROWS_CONTEXTS].count; i++) {
        struct stint_spread spread = stint_spread_of_rank(&contexts[i].numbers, rank, process->host);
        if (is_counted(&contexts[i].numbers))
            stint_spread_add(builder, &contexts[i].numbers.spread, &spread);
    }
    for (size_t i = 0; i < builder->rows[STINT_ROWS_GPU_ACTIVITIES].count; i++) {
        struct stint_spread spread = stint_spread_of_rank(&activities[i].numbers, rank, process->host);
        stint_spread_add(builder, &activities[i].numbers.spread, &spread);
    }
    process->ranks = 1;
    reduction->lowest = rank;
    (void)snprintf(process->rank, sizeof process->rank, "%u", rank);
    if (builder->rows[STINT_ROWS_GPU_CHARGES].count)
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
    return stint_builder_end(&reduction->builder, &reduction->process, &reduction->builder.whole.dropped);
}

/* ----------------------------------------------------------------------------------------------------------- memory */

void stint_snapshot_recycle(struct stint_snapshot *snapshot, struct stint_spare_memory *spare)
{
    if (!snapshot || spare->count == sizeof spare->arenas / sizeof spare->arenas[0]) {
        stint_snapshot_free(snapshot);
        return;
    }
    struct stint_arena *arena = &spare->arenas[spare->count++];
    *arena = stint_snapshot_arena(snapshot);
    stint_arena_reuse(arena);
}

void stint_spare_memory_free(struct stint_spare_memory *spare)
{
    while (spare->count)
        stint_arena_free(&spare->arenas[--spare->count]);
}

/* A job of two ranks, of which the second is slow and the first waits for it. */
#ifndef STINT_TESTS_FORMATS_RANK_FIXTURE_H
#define STINT_TESTS_FORMATS_RANK_FIXTURE_H

#include "stint/snapshot.h"

static const struct stint_spread s_spreads[] = {
    {.ranks = 2,
     .min_rank = 0,
     .max_rank = 1,
     .busy_rank = 1,
     .min_ns = 10000000,
     .max_ns = 30000000,
     .square_low = UINT64_C(1000000000000000),
     .idle_ns = 10000000,
     .busy_ns = 30000000,
     .busy_host = "node7"},
    {.ranks = 2,
     .min_rank = 1,
     .max_rank = 0,
     .min_ns = 2000000,
     .max_ns = 22000000,
     .square_low = UINT64_C(488000000000000),
     .shortest_ns = 1000000},
};

static const struct stint_stat s_compute = {
    .set = "GlobalStatInfo",
    .name = "compute",
    .file = "",
    .function = "",
    .numbers = {.count = 8, .total_ns = 40000000, .self_ns = 40000000, .spread = &s_spreads[0]}};

static const struct stint_gpu_activity s_reduce = {
    .kind = STINT_GPU_KERNEL,
    .name = "ncclAllReduce",
    .mangled = "",
    .numbers = {.count = 4, .total_ns = 24000000, .spread = &s_spreads[1]}};

static const struct stint_context s_context = {.parent = STINT_NO_PARENT,
                                               .numbers = {.count = 8, .total_ns = 40000000, .self_ns = 40000000}};

static struct stint_snapshot two_ranks(void)
{
    static const char *const sets[] = {"GlobalStatInfo"};
    return (struct stint_snapshot){
        .size = sizeof(struct stint_snapshot),
        .process = {.command = "./solver", .host = "", .clock = "", .wall_ns = 50000000, .ranks = 2},
        .sets = sets,
        .set_count = 1,
        .stats = &s_compute,
        .stat_count = 1,
        .contexts = &s_context,
        .context_count = 1,
        .gpu = {.collected = 1, .reason = ""},
        .gpu_activities = &s_reduce,
        .gpu_activity_count = 1,
    };
}

#endif

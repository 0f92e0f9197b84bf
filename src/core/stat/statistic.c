/* Tells by which way a statistic's activations were recorded, and what one of them cost; finds one in a snapshot. */
#include "stat/statistic.h"

#include <string.h>

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

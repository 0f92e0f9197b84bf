#include "stat/way.h"

#include <string.h>

enum stint_way stint_way_of(const char *set, const char *function, uint32_t line)
{
    if (strcmp(set, STINT_API_SET) == 0)
        return STINT_WAY_CALL;
    if (strncmp(set, STINT_NVTX_SET, sizeof STINT_NVTX_SET - 1) == 0)
        return STINT_WAY_RANGE;
    return !line && function && *function ? STINT_WAY_FUNCTION : STINT_WAY_SCOPE;
}

struct stint_cost stint_way_cost(const struct stint_process *process, enum stint_way way)
{
    const struct stint_cost costs[STINT_WAYS] = {{process->scope_ns, process->inside_ns},
                                                 process->function,
                                                 process->range,
                                                 process->call,
                                                 {process->added_ns, 0}};

    return costs[way].whole_ns > 0 ? costs[way] : costs[STINT_WAY_SCOPE];
}

/* What a report without rows lacks, and how to get it. */
#include <sqlite3.h>
#include <string.h>

#include "model/model.h"
#include "nsys/nsys.h"
#include "stint/gpu.h"

int stint_nsys_needs_of(const char *sql)
{
    static const struct {
        const char *word;
        int need;
    } words[] = {{"calls", STINT_NSYS_CALLS},           {"kernels", STINT_NSYS_KERNELS},
                 {"operations", STINT_NSYS_OPERATIONS}, {"ranges", STINT_NSYS_RANGES},
                 {"values", STINT_NSYS_VALUES},         {"events", STINT_NSYS_EVENTS},
                 {"unified", STINT_NSYS_UNIFIED},       {"os_calls", STINT_NSYS_OS_CALLS}};
    static const char mark[] = "\n-- needs ";
    const char *at = strstr(sql, mark);
    int needs = 0;
    at = at ? at + sizeof mark - 1 : "";
    while (*at && *at != '\n') {
        size_t length = strcspn(at, " \n");
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (strlen(words[i].word) == length && strncmp(words[i].word, at, length) == 0)
                needs |= words[i].need;
        at += length + (at[length] == ' ');
    }
    return needs;
}

static int has_activity(const struct stint_snapshot *snapshot, int kernels)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (stint_gpu_occupies(snapshot->gpu_activities[i].kind) &&
            (!kernels || snapshot->gpu_activities[i].kind == STINT_GPU_KERNEL))
            return 1;
    return 0;
}

static int has_ranges(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->stat_count; i++)
        if (stint_nsys_range_style(snapshot->stats[i].set, snapshot->stats[i].name))
            return 1;
    return 0;
}

const char *stint_nsys_missing(const struct stint_snapshot *snapshot, int needs)
{
    if (!needs)
        return NULL;
    if (needs & STINT_NSYS_CALLS)
        return "CUDA trace data";
    if (needs & STINT_NSYS_UNIFIED)
        return "CUDA Unified Memory data";
    if (needs == STINT_NSYS_VALUES)
        return "NVTX payloads or counters";
    if (needs == STINT_NSYS_OS_CALLS)
        return "OS Runtime trace data";
    if (needs & STINT_NSYS_RANGES && (!(needs & ~(STINT_NSYS_RANGES | STINT_NSYS_EVENTS)) || !has_ranges(snapshot)))
        return "NV Tools Extension (NVTX) data";
    if (!(needs & STINT_NSYS_EVENTS) && needs & STINT_NSYS_RANGES &&
        has_activity(snapshot, needs & STINT_NSYS_KERNELS && !(needs & STINT_NSYS_OPERATIONS)))
        return NULL;
    if (needs & STINT_NSYS_KERNELS && needs & STINT_NSYS_OPERATIONS)
        return "GPU trace data";
    if (needs & STINT_NSYS_OPERATIONS)
        return needs & STINT_NSYS_RANGES ? "GPU trace data" : "GPU memory data";
    return "CUDA kernel data";
}

static int has_events(struct stint_nsys *nsys)
{
    return stint_nsys_number(nsys, sqlite3_mprintf("SELECT EXISTS (SELECT 1 FROM CUPTI_ACTIVITY_KIND_RUNTIME) OR "
                                                   "EXISTS (SELECT 1 FROM CUPTI_ACTIVITY_KIND_KERNEL) OR "
                                                   "EXISTS (SELECT 1 FROM CUPTI_ACTIVITY_KIND_MEMCPY) OR "
                                                   "EXISTS (SELECT 1 FROM CUPTI_ACTIVITY_KIND_MEMSET)")) > 0;
}

const char *stint_nsys_why_not(struct stint_nsys *nsys, int needs)
{
    const struct stint_snapshot *snapshot = nsys->snapshot;
    const struct stint_gpu_info *gpu = &snapshot->gpu;
    if (needs == STINT_NSYS_OS_CALLS)
        return "OS runtime: calls were not recorded; stint run --osrt records them";
    if (needs & STINT_NSYS_RANGES && needs & STINT_NSYS_EVENTS && has_ranges(snapshot))
        return "NVTX: only recordings have single ranges; stint run --store FILE makes one";
    if (!(needs & ~(STINT_NSYS_RANGES | STINT_NSYS_EVENTS)) || needs == STINT_NSYS_VALUES || stint_gpu_has_failed(gpu))
        return NULL;
    if (gpu->collected && needs & STINT_NSYS_EVENTS && !has_events(nsys))
        return "GPU: no trace was kept; STINT_GPU_TRACE=N keeps the first N events";
    if (!gpu->collected)
        return "GPU: activity was not collected; set STINT_GPU=on, or call stint_gpu_start()";
    if ((needs & ~STINT_NSYS_EVENTS) == STINT_NSYS_CALLS && !(gpu->what & STINT_GPU_API))
        return "GPU: CUDA API calls were not collected; set STINT_GPU=on";
    return NULL;
}

/* Kernels under other names than those of the source: the function alone, or the linker's name. */
#include <string.h>

#include "base/pattern.h"
#include "nsys/nsys.h"

int stint_nsys_has_kernels(enum stint_report report)
{
    switch (report) {
    case STINT_REPORT_NVTX_KERN_SUM:
    case STINT_REPORT_CUDA_GPU_KERN_SUM:
    case STINT_REPORT_CUDA_GPU_KERN_GB_SUM:
    case STINT_REPORT_CUDA_GPU_SUM:
    case STINT_REPORT_CUDA_API_GPU_SUM:
    case STINT_REPORT_CUDA_KERN_EXEC_SUM:
    case STINT_REPORT_CUDA_KERN_EXEC_TRACE:
    case STINT_REPORT_CUDA_GPU_TRACE:
        return 1;
    default:
        return 0;
    }
}

/* "gemm" of "void ns::gemm<float>(float const*)": the last part of the name, up to its template's arguments. */
static const char *base_of(struct stint_nsys *nsys, const char *name)
{
    size_t length, depth = 0;
    const char *part = stint_bare_name(name, &length), *end = part + length;
    for (const char *at = part; at < end; at++) {
        depth += strchr("<([{", *at) != NULL;
        if (strchr(">)]}", *at) && depth)
            depth--;
        if (!depth && at[0] == ':' && at[1] == ':')
            part = at + 2;
    }
    size_t shown = strcspn(part, "<");
    const char *copy = stint_arena_copy(&nsys->arena, part, shown && part + shown < end ? shown : (size_t)(end - part));
    return copy ? copy : "";
}

/* Events do not have mangled names, but activities of the same name do. */
static const char *mangled_of(const struct stint_snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind == STINT_GPU_KERNEL && *activity->mangled && strcmp(activity->name, name) == 0)
            return activity->mangled;
    }
    return NULL;
}

const char *stint_nsys_kernel_name(struct stint_nsys *nsys, const char *name, const char *mangled)
{
    if (nsys->kernels == STINT_KERNELS_BASE)
        return base_of(nsys, name);
    if (*mangled)
        return mangled;
    const char *found = mangled_of(nsys->snapshot, name);
    if (!found && nsys->events)
        found = mangled_of(nsys->events->snapshot, name);
    return found ? found : name;
}

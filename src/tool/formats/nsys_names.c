/* Kernels under other names than those of the source: the function alone, or the linker's name. */
#include <string.h>

#include "base/pattern.h"
#include "formats/nsys.h"

struct renamed {
    const char *name;
    const char *shown;
};

struct stint_nsys_naming {
    enum stint_kernel_names kernels;
    struct stint_array renamed; /* struct renamed: each name once */
    struct stint_index index;
};

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

/* ------------------------------------------------------------------------------------------------------------ names */

static uint64_t hash_of(const char *name)
{
    return stint_hash(name, strlen(name), 0);
}

static int is_named(const void *array, size_t position, const void *name)
{
    return strcmp(((const struct renamed *)array)[position].name, name) == 0;
}

static const char *find(const struct stint_nsys_naming *naming, const char *name)
{
    size_t at = stint_index_find(&naming->index, hash_of(name), is_named, naming->renamed.items, name);
    return at == STINT_INDEX_NONE ? NULL : ((const struct renamed *)naming->renamed.items)[at].shown;
}

static const char *copy_of(struct stint_nsys *nsys, const char *text, size_t length)
{
    const char *copy = stint_arena_copy(&nsys->arena, text, length);
    nsys->failed |= !copy;
    return copy ? copy : "";
}

static const char *add(struct stint_nsys *nsys, const char *name, const char *shown)
{
    struct stint_nsys_naming *naming = nsys->naming;
    struct renamed *row = stint_array_add(&naming->renamed, &nsys->arena, sizeof *row);
    if (!row || stint_index_add(&naming->index, &nsys->arena, hash_of(name), naming->renamed.count - 1)) {
        nsys->failed = 1;
        return "";
    }
    row->name = copy_of(nsys, name, strlen(name));
    return row->shown = shown;
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
    return copy_of(nsys, part, shown && part + shown < end ? shown : (size_t)(end - part));
}

const char *stint_nsys_kernel(struct stint_nsys *nsys, const char *name)
{
    if (!nsys->naming)
        return name;
    const char *shown = find(nsys->naming, name);
    if (shown)
        return shown;
    int is_base = nsys->naming->kernels == STINT_KERNELS_BASE;
    return add(nsys, name, is_base ? base_of(nsys, name) : copy_of(nsys, name, strlen(name)));
}

/* Events do not have mangled names, but activities of the same name do. */
static void learn_mangled(struct stint_nsys *nsys, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count && !nsys->failed; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind == STINT_GPU_KERNEL && *activity->mangled && !find(nsys->naming, activity->name))
            (void)add(nsys, activity->name, activity->mangled);
    }
}

/* -------------------------------------------------------------------------------------------------------- snapshots */

/* Returns a copy of an array, or NULL without memory. */
static void *copy_rows(struct stint_nsys *nsys, const void *rows, size_t count, size_t size)
{
    void *copy = stint_nsys_alloc(nsys, count, size);
    if (copy && count)
        memcpy(copy, rows, count * size);
    return copy;
}

static int is_like(const void *array, size_t position, const void *key)
{
    const struct stint_gpu_activity *row = (const struct stint_gpu_activity *)array + position, *like = key;
    return row->kind == like->kind && strcmp(row->name, like->name) == 0;
}

/* Fills for each activity the first of the same kind and name. */
static size_t *group(struct stint_nsys *nsys, const struct stint_gpu_activity *activities, size_t count)
{
    struct stint_index index = {0};
    size_t *first = stint_nsys_alloc(nsys, count, sizeof *first);
    for (size_t i = 0; first && i < count && !nsys->failed; i++) {
        uint64_t hash = hash_of(activities[i].name) + (uint64_t)activities[i].kind;
        first[i] = stint_index_find(&index, hash, is_like, activities, &activities[i]);
        if (first[i] != STINT_INDEX_NONE)
            continue;
        first[i] = i;
        nsys->failed |= stint_index_add(&index, &nsys->arena, hash, i) != 0;
    }
    return first;
}

static int group_before(const void *array, size_t a, size_t b)
{
    const size_t *first = array;
    return first[a] != first[b] ? first[a] < first[b] : a < b;
}

/* Activities of one kind and name stand next to each other in a snapshot, also under their new names. */
static void rename_activities(struct stint_nsys *nsys, struct stint_snapshot *renamed)
{
    size_t count = renamed->gpu_activity_count;
    struct stint_gpu_activity *activities = copy_rows(nsys, renamed->gpu_activities, count, sizeof *activities);
    struct stint_gpu_charge *charges =
        copy_rows(nsys, renamed->gpu_charges, renamed->gpu_charge_count, sizeof *charges);
    size_t *place = stint_nsys_alloc(nsys, count, sizeof *place);
    for (size_t i = 0; !nsys->failed && i < count; i++)
        if (activities[i].kind == STINT_GPU_KERNEL)
            activities[i].name = nsys->naming->kernels == STINT_KERNELS_MANGLED && *activities[i].mangled
                                     ? activities[i].mangled
                                     : stint_nsys_kernel(nsys, activities[i].name);
    struct stint_array rows = {activities, count, count};
    struct stint_array groups = {nsys->failed ? NULL : group(nsys, activities, count), count, count};
    const size_t *order = nsys->failed ? NULL : stint_nsys_order(nsys, &groups, group_before);
    if (!order)
        return;
    stint_nsys_reorder(nsys, &rows, sizeof *activities, order);
    for (size_t i = 0; i < count; i++)
        place[order[i]] = i;
    for (size_t i = 0; i < renamed->gpu_charge_count; i++)
        charges[i].activity = place[charges[i].activity];
    renamed->gpu_activities = rows.items;
    renamed->gpu_charges = charges;
}

static void rename_events(struct stint_nsys *nsys, struct stint_snapshot *renamed)
{
    struct stint_gpu_event *events = copy_rows(nsys, renamed->gpu_events, renamed->gpu_event_count, sizeof *events);
    for (size_t i = 0; events && i < renamed->gpu_event_count && !nsys->failed; i++)
        if (!events[i].api && events[i].kind == STINT_GPU_KERNEL)
            events[i].name = stint_nsys_kernel(nsys, events[i].name);
    renamed->gpu_events = events;
}

void stint_nsys_rename(struct stint_nsys *nsys, enum stint_kernel_names kernels)
{
    struct stint_snapshot *renamed = copy_rows(nsys, nsys->snapshot, 1, sizeof *renamed);
    nsys->naming = stint_nsys_alloc(nsys, 1, sizeof *nsys->naming);
    if (nsys->failed)
        return;
    nsys->naming->kernels = kernels;
    if (kernels == STINT_KERNELS_MANGLED) {
        learn_mangled(nsys, nsys->snapshot);
        if (nsys->events)
            learn_mangled(nsys, nsys->events->snapshot);
    }
    rename_activities(nsys, renamed);
    rename_events(nsys, renamed);
    nsys->snapshot = renamed;
}

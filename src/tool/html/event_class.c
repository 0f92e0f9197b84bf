/* Finds out what events have in common, and counts them by that. */
#include "html/overview.h"

#include <string.h>

#include "model/model.h"
#include "stat/numbers.h"
#include "stint/snapshot.h"

int stint_is_waiting(const char *set, const char *name)
{
    if (strcmp(set, STINT_API_SET) == 0)
        return stint_call_kind(name) == STINT_CALL_WAIT;
    return strcmp(set, STINT_OS_SET) == 0;
}

static struct stint_event_class describe(const struct stint_event *event)
{
    struct stint_event_class what = {.kind = event->kind,
                                     .set = event->set,
                                     .name = event->name,
                                     .color = event->color,
                                     .category = event->category,
                                     .pid = event->category ? event->pid : 0};
    const struct stint_gpu_event *gpu = event->gpu;
    if (event->kind != STINT_EVENT_DEVICE || !gpu)
        return what;
    what.gpu_kind = gpu->kind;
    what.source = gpu->source;
    what.destination = gpu->destination;
    if (gpu->kind != STINT_GPU_KERNEL)
        return what;
    what.device = gpu->device;
    memcpy(what.grid, gpu->grid, sizeof what.grid);
    memcpy(what.block, gpu->block, sizeof what.block);
    what.registers = gpu->registers;
    what.static_shared = gpu->static_shared;
    what.dynamic_shared = gpu->dynamic_shared;
    return what;
}

static const struct stint_table_key s_class =
    STINT_TABLE_KEY_COPYING(struct stint_event_class, set, name, numbers, pid);

/* The last one stands for all events that have no class of their own. Returns NULL without memory. */
static struct stint_event_class *class_of(struct stint_event_classes *classes, const struct stint_event *event)
{
    static const struct stint_event_class others = {.kind = STINT_EVENT_RANGE, .set = "", .name = "(others)"};
    struct stint_event_class like = describe(event);
    if (classes->all.count < STINT_EVENT_CLASSES_MOST - 1)
        return stint_table_take(&classes->all, &s_class, classes->arena, &like);
    struct stint_event_class *known = stint_table_find(&classes->all, &s_class, &like);
    if (known)
        return known;
    classes->beyond++;
    return stint_table_take(&classes->all, &s_class, classes->arena, &others);
}

size_t stint_event_classes_add(struct stint_event_classes *classes, const struct stint_event *event)
{
    struct stint_event_class *what = class_of(classes, event);
    if (!what)
        return SIZE_MAX;
    uint64_t ns = event->end_ns - event->start_ns;
    what->count++;
    stint_sum_up(&what->total_ns, ns);
    if (ns > what->max_ns || what->count == 1) {
        what->max_ns = ns;
        what->max_start_ns = event->start_ns;
    }
    return stint_table_position(&classes->all, &s_class, what);
}

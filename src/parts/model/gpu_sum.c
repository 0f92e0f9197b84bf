/* Adds a snapshot's GPU activity up by calling context and in total, and what recording it cost, for columns, titles
 * and notes. */
#include "model/model.h"

#include "stat/numbers.h"

static struct stint_gpu_use *use_of(struct stint_gpu_sum *sum, size_t context)
{
    if (context == STINT_GPU_NO_SCOPE)
        return &sum->no_scope;
    return context == STINT_GPU_UNATTRIBUTED ? &sum->unattributed : &sum->scopes;
}

static void add_charges(struct stint_gpu_sum *sum, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++) {
        const struct stint_gpu_charge *charge = &snapshot->gpu_charges[i];
        stint_gpu_use_add(use_of(sum, charge->context), snapshot->gpu_activities[charge->activity].kind, charge);
    }
}

struct stint_gpu_sum stint_gpu_summarize(const struct stint_snapshot *snapshot)
{
    struct stint_gpu_sum sum = {0};
    uint64_t span_ns = 0;
    int devices = 0, spans = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (stint_gpu_occupies(activity->kind)) {
            devices = 1;
            stint_sum_up(&sum.total_ns, activity->numbers.total_ns);
            stint_sum_up(&sum.kernels, activity->kind == STINT_GPU_KERNEL ? activity->numbers.count : 0);
        } else if (activity->kind == STINT_GPU_SPAN) {
            spans = 1;
            stint_sum_up(&span_ns, activity->numbers.total_ns);
        }
    }
    sum.any = devices || spans;
    sum.spans = spans && !devices;
    if (sum.spans)
        sum.total_ns = span_ns;
    for (size_t i = 0; i < snapshot->stat_count; i++)
        sum.calls |= snapshot->stats[i].gpu.launches != 0;
    add_charges(&sum, snapshot);
    return sum;
}

int stint_gpu_has_failed(const struct stint_gpu_info *info)
{
    return info->status != STINT_OK && info->status != STINT_ERROR_NOT_STARTED && info->reason && *info->reason;
}

struct stint_gpu_device stint_gpu_device_of(const struct stint_snapshot *snapshot, uint32_t id)
{
    for (size_t i = 0; i < snapshot->gpu_device_count; i++)
        if (snapshot->gpu_devices[i].id == id)
            return snapshot->gpu_devices[i];
    return (struct stint_gpu_device){.id = id, .name = ""};
}

double stint_gpu_peak(const struct stint_gpu_activity *copy, const struct stint_gpu_device *device)
{
    if (copy->kind == STINT_GPU_SET)
        return (double)device->memory_bytes_per_s;
    switch (copy->direction) {
    case STINT_GPU_HTOD:
    case STINT_GPU_DTOH:
    case STINT_GPU_HTOA:
    case STINT_GPU_ATOH:
        return (double)device->link_bytes_per_s;
    case STINT_GPU_DTOD:
    case STINT_GPU_DTOA:
    case STINT_GPU_ATOD:
    case STINT_GPU_ATOA:
        return (double)device->memory_bytes_per_s / 2;
    case STINT_GPU_HTOH:
    case STINT_GPU_PTOP:
    case STINT_GPU_DIRECTION_UNKNOWN:
        break;
    }
    return 0;
}

void stint_gpu_add_numbers(struct stint_numbers *to, const struct stint_numbers *from)
{
    if (!from->count)
        return;
    if (!to->count || from->min_ns < to->min_ns)
        to->min_ns = from->min_ns;
    if (from->max_ns > to->max_ns)
        to->max_ns = from->max_ns;
    stint_sum_up(&to->count, from->count);
    stint_sum_up(&to->total_ns, from->total_ns);
}

uint64_t stint_gpu_unmeasured(const struct stint_snapshot *snapshot)
{
    uint64_t count = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (snapshot->gpu_activities[i].kind == STINT_GPU_UNMEASURED)
            stint_sum_up(&count, snapshot->gpu_activities[i].numbers.count);
    return count;
}

/* ----------------------------------------------------------------------------------------------------------- costs */

static uint64_t launches_of(const struct stint_snapshot *snapshot)
{
    uint64_t launches = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind == STINT_GPU_KERNEL || activity->kind == STINT_GPU_COPY || activity->kind == STINT_GPU_SET)
            stint_sum_up(&launches, activity->numbers.count);
    }
    return launches;
}

/* A launch costs what a call does, also where calls are not recorded. */
static void count_launches(struct stint_summary *summary, const struct stint_snapshot *snapshot, uint64_t launches)
{
    if (!summary->recorded[STINT_COST_CALL])
        summary->recorded[STINT_COST_CALL] = launches;
    if (snapshot->process.call.whole_ns <= 0) /* neither is known to cost anything */
        summary->recorded[STINT_COST_CALL] = 0;
}

/* A call of the runtime that is no query makes one of the driver's, which CUPTI reports, too. */
static uint64_t reported_calls(const struct stint_snapshot *snapshot)
{
    uint64_t reported = 0;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        if (!stint_gpu_is_call(stat))
            continue;
        int has_another = !stint_call_is_driver(stat->name) && stint_call_kind(stat->name) != STINT_CALL_OTHER;
        for (int times = 1 + has_another; times--;)
            stint_sum_up(&reported, stat->numbers.count);
    }
    return reported;
}

/* The report of the call that launched something is part of what its record costs. */
static double cupti_ns(const struct stint_snapshot *snapshot, uint64_t launches)
{
    uint64_t reported = snapshot->gpu.cupti_call_ns > 0 ? reported_calls(snapshot) : 0;
    uint64_t others = reported > launches ? reported - launches : 0;
    return snapshot->gpu.cupti_kernel_ns * (double)launches + snapshot->gpu.cupti_call_ns * (double)others;
}

void stint_gpu_add_costs(struct stint_summary *summary, const struct stint_snapshot *snapshot)
{
    uint64_t launches = launches_of(snapshot);
    count_launches(summary, snapshot, launches);
    summary->cupti_ns = cupti_ns(snapshot, launches);
}

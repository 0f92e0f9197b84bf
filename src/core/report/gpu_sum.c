/* Adds a snapshot's GPU activity up by calling context and in total, for columns, titles and notes. */
#include "report/gpu_sum.h"

#include "stint/gpu.h"

uint64_t stint_gpu_shown_ns(const struct stint_gpu_sum *sum, const struct stint_gpu_use *use)
{
    return sum->spans ? use->span_ns : stint_gpu_use_ns(use);
}

int stint_gpu_is_used(const struct stint_gpu_use *use)
{
    return use->kernels || use->copies || use->sets || use->spans;
}

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
            sum.total_ns += activity->numbers.total_ns;
            sum.kernels += activity->kind == STINT_GPU_KERNEL ? activity->numbers.count : 0;
        } else if (activity->kind == STINT_GPU_SPAN) {
            spans = 1;
            span_ns += activity->numbers.total_ns;
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
    to->count += from->count;
    to->total_ns += from->total_ns;
}

void stint_gpu_note_left_out(struct stint_line *line, const struct stint_gpu_info *info)
{
    static const struct {
        unsigned what;
        char name[56];
    } parts[] = {{STINT_GPU_API, "calls of CUDA"},
                 {STINT_GPU_EVERY_CALL, "queries and other short calls of CUDA"},
                 {STINT_GPU_FEWER_QUERIES, "some queries that the program made of the driver"},
                 {STINT_GPU_SYNCS, "waits"},
                 {STINT_GPU_MEMORY, "allocations"},
                 {STINT_GPU_UNIFIED_MEMORY, "moves of managed memory"},
                 {STINT_GPU_OVERHEADS, "CUPTI's own cost"}};
    unsigned missing = (STINT_GPU_EVERYTHING & ~info->what) | (info->what & STINT_GPU_FEWER_QUERIES);
    if (!info->collected || !info->cupti_version || !missing)
        return;
    if (missing & STINT_GPU_API)
        missing &= ~(unsigned)STINT_GPU_EVERY_CALL;
    stint_line_string(line, "GPU: not recorded: ");
    for (size_t i = 0, named = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (missing & parts[i].what) {
            stint_line_string(line, named++ ? ", " : "");
            stint_line_string(line, parts[i].name);
        }
    stint_line_string(line, " (STINT_GPU=all records all that CUPTI offers)");
}

uint64_t stint_gpu_unmeasured(const struct stint_snapshot *snapshot)
{
    uint64_t count = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (snapshot->gpu_activities[i].kind == STINT_GPU_UNMEASURED)
            count += snapshot->gpu_activities[i].numbers.count;
    return count;
}

void stint_gpu_note_unmeasured(struct stint_line *line, const struct stint_snapshot *snapshot)
{
    enum { NAMES = 4, NAME_MOST = 80 };
    uint64_t left = stint_gpu_unmeasured(snapshot);
    if (!left)
        return;
    stint_line_string(line, "GPU: ");
    stint_line_count(line, left, "launch was", "launches were");
    stint_line_string(line, " not measured");
    for (size_t i = 0, named = 0; i < snapshot->gpu_activity_count && named < NAMES; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind != STINT_GPU_UNMEASURED)
            continue;
        stint_line_string(line, named++ ? ", " : ": ");
        stint_line_u64(line, activity->numbers.count);
        stint_line_string(line, " ");
        stint_line_escaped(line, activity->name, NAME_MOST);
        left -= activity->numbers.count;
    }
    if (left) {
        stint_line_string(line, ", and ");
        stint_line_count(line, left, "other", "others");
    }
}

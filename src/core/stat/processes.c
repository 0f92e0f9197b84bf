#include "stat/processes.h"

#include <string.h>

#include "stat/gpu_rows.h"
#include "stat/order.h"

struct stint_merged_process stint_process_sum(const struct stint_snapshot *snapshot)
{
    const struct stint_process *process = &snapshot->process;
    struct stint_merged_process sum = {.pid = process->pid,
                                       .command = process->command,
                                       .start_unix_ns = process->start_unix_ns,
                                       .wall_ns = process->wall_ns};

    memcpy(sum.rank, process->rank, sizeof sum.rank);
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];

        sum.gpu_ns += stint_gpu_occupies(activity->kind) ? activity->numbers.total_ns : 0;
        sum.kernels += activity->kind == STINT_GPU_KERNEL ? activity->numbers.count : 0;
    }
#define ADD(name, ...) +snapshot->dropped.name
    sum.dropped = STINT_I_DROPPED(ADD);
#undef ADD
    return sum;
}

void stint_builder_process(struct stint_builder *builder, const struct stint_merged_process *like)
{
    struct stint_merged_process *row = stint_builder_row(builder, &builder->processes, sizeof *row);

    if (!row)
        return;
    *row = *like;
    row->command = stint_builder_text(builder, like->command);
}

void stint_builder_processes_of(struct stint_builder *builder, const struct stint_snapshot *snapshot)
{
    struct stint_merged_process only = stint_process_sum(snapshot);

    for (size_t i = 0; i < snapshot->process_count; i++)
        stint_builder_process(builder, &snapshot->processes[i]);
    if (!snapshot->process_count && (only.pid || only.start_unix_ns))
        stint_builder_process(builder, &only);
}

static int before(const void *array, size_t a, size_t b)
{
    const struct stint_merged_process *x = (const struct stint_merged_process *)array + a;
    const struct stint_merged_process *y = (const struct stint_merged_process *)array + b;

    if (x->start_unix_ns != y->start_unix_ns)
        return x->start_unix_ns < y->start_unix_ns;
    return x->pid != y->pid ? x->pid < y->pid : a < b;
}

int stint_processes_order(struct stint_snapshot *snapshot, struct stint_builder *builder)
{
    struct stint_array *rows = &builder->processes;

    if (rows->count < 2)
        return 0;
    snapshot->processes =
        stint_order_rows(builder, rows, sizeof(struct stint_merged_process), before, rows->items, NULL);
    snapshot->process_count = rows->count;
    return snapshot->processes ? 0 : -1;
}

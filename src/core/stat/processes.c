/* The processes that a merged snapshot is of. */
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

static int before(const void *array, size_t a, size_t b)
{
    const struct stint_merged_process *x = (const struct stint_merged_process *)array + a;
    const struct stint_merged_process *y = (const struct stint_merged_process *)array + b;

    if (x->start_unix_ns != y->start_unix_ns)
        return x->start_unix_ns < y->start_unix_ns;
    return x->pid != y->pid ? x->pid < y->pid : a < b;
}

int stint_order_processes(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    const struct stint_array *rows = &ordering->builder->rows[kind];
    return rows->count < 2 ? 0 : stint_order_rows(ordering, kind, before, rows->items);
}

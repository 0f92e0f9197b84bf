/* Asks processes for snapshots, and subtracts those of the look before, to tell what happened in between. */
#include "cli/top_sample.h"

#include <string.h>

#include "cli/control_folder.h"
#include "cli/listener.h"
#include "stat/processes.h"

void stint_top_watch(struct stint_top *top, long long pid, const char *folder)
{
    for (size_t i = 0; i < top->processes.count; i++)
        if (stint_top_process(top, i)->pid == pid && strcmp(stint_top_process(top, i)->folder, folder) == 0)
            return;
    struct stint_top_process *process = stint_array_add(&top->processes, &top->arena, sizeof *process);
    char *copy = process ? stint_arena_copy(&top->arena, folder, strlen(folder)) : NULL;
    if (copy)
        *process = (struct stint_top_process){.pid = pid, .folder = copy};
    else if (process)
        top->processes.count--;
}

static uint64_t scopes_in(const struct stint_snapshot *snapshot)
{
    uint64_t count = 0;
    for (size_t i = 0; i < snapshot->stat_count; i++)
        count += snapshot->stats[i].numbers.count;
    return count;
}

static uint64_t since(uint64_t now, uint64_t before)
{
    return now < before ? now : now - before;
}

/* After exec a process is another one, which has begun later. */
static void compare(struct stint_top_process *process, const struct stint_snapshot *snapshot)
{
    const struct stint_snapshot *last = process->last;
    struct stint_merged_process now = stint_process_sum(snapshot), before = {0};
    if (last && last->process.start_unix_ns == snapshot->process.start_unix_ns)
        before = stint_process_sum(last);
    else
        stint_live_rows_free(&process->rows);
    process->wall_ns = since(now.wall_ns, before.wall_ns);
    process->gpu_ns = since(now.gpu_ns, before.gpu_ns);
    process->kernels = since(now.kernels, before.kernels);
    process->scopes = since(scopes_in(snapshot), before.wall_ns ? scopes_in(last) : 0);
}

static void look_at(struct stint_top *top, struct stint_top_process *process)
{
    struct stint_live_rows now = {0};
    struct stint_snapshot *snapshot = stint_ask_snapshot(process->folder, process->pid);
    process->is_there = snapshot != NULL;
    if (!snapshot)
        return;
    compare(process, snapshot);
    stint_live_rows_add(&now, snapshot);
    stint_live_rows_since(&top->rows, &now, &process->rows);
    stint_live_rows_free(&process->rows);
    process->rows = now;
    stint_snapshot_free(process->last);
    process->last = snapshot;
    if (process->wall_ns > top->wall_ns)
        top->wall_ns = process->wall_ns;
}

static void watch(void *context, long long pid, const char *folder)
{
    stint_top_watch(context, pid, folder);
}

/* What has ended is not watched any longer. */
static void forget_ended(struct stint_top *top)
{
    size_t kept = 0;
    for (size_t i = 0; i < top->processes.count; i++) {
        struct stint_top_process *process = stint_top_process(top, i);
        if (process->is_there) {
            *stint_top_process(top, kept++) = *process;
            continue;
        }
        stint_live_rows_free(&process->rows);
        stint_snapshot_free(process->last);
    }
    top->processes.count = kept;
}

size_t stint_top_look(struct stint_top *top)
{
    stint_live_rows_free(&top->rows);
    top->wall_ns = 0;
    if (top->wants_all)
        stint_each_listener(watch, top);
    for (size_t i = 0; i < top->processes.count; i++)
        look_at(top, stint_top_process(top, i));
    forget_ended(top);
    return top->processes.count;
}

void stint_top_free(struct stint_top *top)
{
    for (size_t i = 0; i < top->processes.count; i++)
        stint_top_process(top, i)->is_there = 0;
    forget_ended(top);
    stint_live_rows_free(&top->rows);
    stint_arena_free(&top->arena);
}

/* Puts several recordings together: aligns them, and merges snapshots and events, after giving each process a number of
 * its own. */
#include "stat/numbers.h"
#include "transform/transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "support/keyed_table.h"

/* The order of those that began at the same time matters to the last digits of sums only. */
static int compare(const void *a, const void *b)
{
    const struct stint_process *left = &((const struct stint_recorded *)a)->snapshot->process;
    const struct stint_process *right = &((const struct stint_recorded *)b)->snapshot->process;
    if (left->start_unix_ns != right->start_unix_ns)
        return left->start_unix_ns < right->start_unix_ns ? -1 : 1;
    if (left->pid != right->pid)
        return left->pid < right->pid ? -1 : 1;
    return strcmp(left->host, right->host);
}

static void sort(struct stint_recorded *parts, size_t count)
{
    qsort(parts, count, sizeof *parts, compare);
}

/* -------------------------------------------------------------------------------------------------------- processes */

/* The ids that are taken. */
struct pids {
    struct stint_table table; /* int64_t */
    struct stint_arena arena;
};

static const struct stint_table_key s_pid = STINT_TABLE_KEY_WHOLE(int64_t);

/* Returns whether it was still to be had. Without memory it is. */
static int take_pid(struct pids *pids, int64_t pid)
{
    size_t known = pids->table.count;
    return !stint_table_take(&pids->table, &s_pid, &pids->arena, &pid) || pids->table.count > known;
}

/* Rows of a snapshot are for reading; these are this program's own. */
static void rename_process(struct stint_snapshot *snapshot, int64_t pid)
{
    struct stint_thread *threads = (struct stint_thread *)(uintptr_t)snapshot->threads;
    struct stint_nvtx_name *names = (struct stint_nvtx_name *)(uintptr_t)snapshot->nvtx_names;
    snapshot->process.pid = pid;
    for (size_t i = 0; i < snapshot->thread_count; i++)
        threads[i].pid = pid;
    for (size_t i = 0; i < snapshot->nvtx_name_count; i++)
        names[i].pid = pid;
}

/* A call and what it launched have the same correlation and process, which two processes must not share. A sum of
 * processes has none itself. */
static void keep_apart(struct stint_joined_input *inputs, const struct stint_recorded *parts, size_t count)
{
    struct pids pids = {.arena = {0}};
    int64_t next = STINT_COMBINED_PID;
    for (size_t i = 0; i < count; i++) {
        struct stint_snapshot *snapshot = parts[i].snapshot;
        inputs[i] = (struct stint_joined_input){.snapshot = snapshot, .events = parts[i].events};
        if (!snapshot->process.pid || take_pid(&pids, snapshot->process.pid))
            continue;
        while (!take_pid(&pids, next))
            next++;
        rename_process(snapshot, next);
        inputs[i].pid = next;
    }
    stint_arena_free(&pids.arena);
}

/* -------------------------------------------------------------------------------------------------------------- sum */

/* The time in which any of them ran: times of concurrent processes do not add up, those of successive runs do. */
static uint64_t wall_ns(const struct stint_recorded *parts, size_t count)
{
    uint64_t wall = 0, end = 0;
    for (size_t i = 0; i < count; i++) {
        const struct stint_process *process = &parts[i].snapshot->process;
        uint64_t begins = process->start_unix_ns > end ? process->start_unix_ns : end;
        uint64_t ends = stint_sum_of(process->start_unix_ns, process->wall_ns);
        if (ends <= begins)
            continue;
        wall += ends - begins;
        end = ends;
    }
    return wall;
}

static struct stint_snapshot *add_up(const struct stint_recorded *parts, size_t count)
{
    struct stint_merging merging;
    stint_merging_begin(&merging, parts[0].snapshot);
    for (size_t i = 1; i < count; i++)
        stint_merging_add(&merging, parts[i].snapshot);
    return stint_merging_end(&merging);
}

static void describe(struct stint_combined *combined, const struct stint_recorded *parts, size_t count)
{
    struct stint_process *process = &combined->sum->process;
    if (count == 1)
        return;
    (void)snprintf(combined->command, sizeof combined->command, "%zu recordings: %s", count, process->command);
    process->command = combined->command;
    process->pid = 0;
    process->rank[0] = '\0';
    process->wall_ns = wall_ns(parts, count);
}

int stint_combine(struct stint_combined *combined, struct stint_recorded *parts, size_t count, stint_alignment_fn *tell)
{
    *combined = (struct stint_combined){.inputs = calloc(count, sizeof *combined->inputs)};
    if (!combined->inputs)
        return -1;
    sort(parts, count);
    stint_align(parts, count, tell);
    sort(parts, count);
    keep_apart(combined->inputs, parts, count);
    combined->sum = add_up(parts, count);
    if (!combined->sum)
        return -1;
    describe(combined, parts, count);
    return stint_joined_events_begin(&combined->events, combined->sum, combined->inputs, count);
}

/* -------------------------------------------------------------------------------------------------- one at a time */

/* What is known of recordings that are not open: their processes, in snapshots with nothing else. */
struct closed {
    struct stint_snapshot *snapshots;
    struct stint_recorded *parts;
    struct stint_joined_input *inputs;
};

/* Reads the process of each. Returns 1 if one is of another host than the first; -1 without a sum. */
static int read_processes(const struct closed *all, const struct stint_rank_files *files, char *host, size_t size)
{
    int is_other = 0;
    for (size_t i = 0; i < files->count && !is_other; i++) {
        struct stint_recorded file;
        if (files->look(files->context, i, &file))
            return -1;
        struct stint_process *process = &all->snapshots[i].process;
        *process = file.snapshot->process;
        if (!i)
            (void)snprintf(host, size, "%s", process->host);
        is_other = strcmp(process->host, host) != 0;
        process->host = process->command = process->clock = "";
        all->parts[i].snapshot = &all->snapshots[i];
        files->close(files->context, i);
    }
    return is_other;
}

static struct stint_snapshot *add_files(const struct closed *all, const struct stint_rank_files *files)
{
    struct stint_merging merging;
    for (size_t i = 0; i < files->count; i++) {
        struct stint_recorded file;
        size_t at = (size_t)(all->parts[i].snapshot - all->snapshots);
        if (files->open(files->context, at, &file)) {
            if (i)
                stint_snapshot_free(stint_merging_end(&merging));
            return NULL;
        }
        if (all->inputs[i].pid)
            rename_process(file.snapshot, all->inputs[i].pid);
        if (i)
            stint_merging_add(&merging, file.snapshot);
        else
            stint_merging_begin(&merging, file.snapshot);
        files->close(files->context, at);
    }
    return stint_merging_end(&merging);
}

int stint_combine_files(struct stint_combined *combined, const struct stint_rank_files *files)
{
    struct closed all = {calloc(files->count, sizeof *all.snapshots), calloc(files->count, sizeof *all.parts),
                         calloc(files->count, sizeof *all.inputs)};
    char host[256];
    int result = all.snapshots && all.parts && all.inputs ? read_processes(&all, files, host, sizeof host) : -1;
    *combined = (struct stint_combined){0};
    if (!result) {
        sort(all.parts, files->count);
        keep_apart(all.inputs, all.parts, files->count);
        combined->sum = add_files(&all, files);
        result = combined->sum ? 0 : -1;
    }
    if (!result)
        describe(combined, all.parts, files->count);
    free(all.snapshots);
    free(all.parts);
    free(all.inputs);
    return result;
}

void stint_combined_free(struct stint_combined *combined)
{
    stint_joined_events_free(&combined->events);
    stint_snapshot_free(combined->sum);
    free(combined->inputs);
}

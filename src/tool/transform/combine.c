/* Puts several recordings together: aligns them, and merges snapshots and events, after giving each process a number of
 * its own. */
#include "stat/numbers.h"
#include "transform/transform.h"

#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    uint64_t left = ((const struct stint_recorded *)a)->snapshot->process.start_unix_ns;
    uint64_t right = ((const struct stint_recorded *)b)->snapshot->process.start_unix_ns;
    return (left > right) - (left < right);
}

static void sort(struct stint_recorded *parts, size_t count)
{
    qsort(parts, count, sizeof *parts, compare);
}

/* -------------------------------------------------------------------------------------------------------- processes */

static int is_taken(const struct stint_recorded *parts, size_t before, int64_t pid)
{
    for (size_t i = 0; i < before; i++)
        if (parts[i].snapshot->process.pid == pid)
            return 1;
    return 0;
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
    int64_t next = STINT_COMBINED_PID;
    for (size_t i = 0; i < count; i++) {
        struct stint_snapshot *snapshot = parts[i].snapshot;
        inputs[i] = (struct stint_joined_input){.snapshot = snapshot, .events = parts[i].events};
        if (!snapshot->process.pid || !is_taken(parts, i, snapshot->process.pid))
            continue;
        while (is_taken(parts, i, next))
            next++;
        rename_process(snapshot, next);
        inputs[i].pid = next;
    }
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

/* Merging with nothing copies the first. */
static struct stint_snapshot *add_up(const struct stint_recorded *parts, size_t count)
{
    static const struct stint_snapshot nothing = {.process = {.command = "", .host = "", .clock = ""},
                                                  .gpu = {.reason = ""}};
    struct stint_snapshot *sum = NULL;
    for (size_t i = 0; i < count; i++) {
        struct stint_snapshot *next = NULL;
        enum stint_status status = i ? stint_snapshot_merge(sum, parts[i].snapshot, &next)
                                     : stint_snapshot_merge(parts[0].snapshot, &nothing, &next);
        stint_snapshot_free(sum);
        sum = next;
        if (status)
            return NULL;
    }
    return sum;
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

void stint_combined_free(struct stint_combined *combined)
{
    stint_joined_events_free(&combined->events);
    stint_snapshot_free(combined->sum);
    free(combined->inputs);
}

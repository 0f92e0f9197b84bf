/* Opens several recordings, aligns them, and merges snapshots and events, after giving each process a number of its
 * own. */
#include "cli/combined.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/align.h"
#include "cli/command.h"

static int say_no_memory(void)
{
    stint_cli_say("not enough memory to add the recordings up");
    return -1;
}

static struct stint_snapshot *snapshot_at(const struct stint_combined *combined, size_t i)
{
    return combined->order[i]->snapshot;
}

/* ---------------------------------------------------------------------------------------------------------- opening */

static int compare(const void *a, const void *b)
{
    uint64_t left = (*(struct stint_profile *const *)a)->snapshot->process.start_unix_ns;
    uint64_t right = (*(struct stint_profile *const *)b)->snapshot->process.start_unix_ns;
    return (left > right) - (left < right);
}

static int open_profiles(struct stint_combined *combined, const struct stint_place *places, size_t count)
{
    combined->profiles = calloc(count, sizeof *combined->profiles);
    combined->order = calloc(count, sizeof *combined->order);
    combined->inputs = calloc(count, sizeof *combined->inputs);
    if (!combined->profiles || !combined->order || !combined->inputs)
        return say_no_memory();
    for (; combined->count < count; combined->count++) {
        if (stint_profile_open_place(&combined->profiles[combined->count], &places[combined->count]))
            return -1;
        combined->order[combined->count] = &combined->profiles[combined->count];
    }
    qsort(combined->order, count, sizeof(struct stint_profile *), compare);
    stint_align(combined->order, count);
    qsort(combined->order, count, sizeof(struct stint_profile *), compare);
    return 0;
}

/* -------------------------------------------------------------------------------------------------------- processes */

static int is_taken(const struct stint_combined *combined, size_t before, int64_t pid)
{
    for (size_t i = 0; i < before; i++)
        if (snapshot_at(combined, i)->process.pid == pid)
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
static void keep_apart(struct stint_combined *combined)
{
    int64_t next = STINT_COMBINED_PID;
    for (size_t i = 0; i < combined->count; i++) {
        struct stint_snapshot *snapshot = snapshot_at(combined, i);
        combined->inputs[i] = (struct stint_joined_input){.snapshot = snapshot, .events = combined->order[i]->events};
        if (!snapshot->process.pid || !is_taken(combined, i, snapshot->process.pid))
            continue;
        while (is_taken(combined, i, next))
            next++;
        rename_process(snapshot, next);
        combined->inputs[i].pid = next;
    }
}

/* -------------------------------------------------------------------------------------------------------------- sum */

/* The time in which any of them ran: times of concurrent processes do not add up, those of successive runs do. */
static uint64_t wall_ns(const struct stint_combined *combined)
{
    uint64_t wall = 0, end = 0;
    for (size_t i = 0; i < combined->count; i++) {
        const struct stint_process *process = &snapshot_at(combined, i)->process;
        uint64_t begins = process->start_unix_ns > end ? process->start_unix_ns : end;
        uint64_t ends = process->start_unix_ns + process->wall_ns;
        if (ends <= begins)
            continue;
        wall += ends - begins;
        end = ends;
    }
    return wall;
}

/* Merging with nothing copies the first. */
static int add_up(struct stint_combined *combined)
{
    static const struct stint_snapshot nothing = {.process = {.command = "", .host = "", .clock = ""},
                                                  .gpu = {.reason = ""}};
    for (size_t i = 0; i < combined->count; i++) {
        const struct stint_snapshot *so_far = i ? combined->sum : snapshot_at(combined, 0);
        const struct stint_snapshot *added = i ? snapshot_at(combined, i) : &nothing;
        struct stint_snapshot *next = NULL;
        enum stint_status status = stint_snapshot_merge(so_far, added, &next);
        stint_snapshot_free(combined->sum);
        combined->sum = next;
        if (status)
            return say_no_memory();
    }
    return 0;
}

static void describe(struct stint_combined *combined)
{
    struct stint_process *process = &combined->sum->process;
    if (combined->count == 1)
        return;
    (void)snprintf(combined->command, sizeof combined->command, "%zu recordings: %s", combined->count,
                   process->command);
    process->command = combined->command;
    process->pid = 0;
    process->rank[0] = '\0';
    process->wall_ns = wall_ns(combined);
}

static int combine(struct stint_combined *combined, const struct stint_place *places, size_t count)
{
    if (open_profiles(combined, places, count))
        return -1;
    keep_apart(combined);
    if (add_up(combined))
        return -1;
    describe(combined);
    return stint_joined_events_begin(&combined->events, combined->sum, combined->inputs, count) ? say_no_memory() : 0;
}

struct stint_combined *stint_combined_open(const struct stint_place *places, size_t count)
{
    struct stint_combined *combined = calloc(1, sizeof *combined);
    if (!combined)
        (void)say_no_memory();
    else if (combine(combined, places, count) == 0)
        return combined;
    else
        stint_combined_close(combined);
    return NULL;
}

void stint_combined_close(struct stint_combined *combined)
{
    stint_joined_events_free(&combined->events);
    stint_snapshot_free(combined->sum);
    while (combined->count)
        stint_profile_close(&combined->profiles[--combined->count]);
    free(combined->profiles);
    free(combined->order);
    free(combined->inputs);
    free(combined);
}

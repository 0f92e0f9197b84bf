/* Samples GPUs while a program runs, and adds the result to its snapshot and recordings when it has ended. */
#include "cli/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "cli/command.h"
#include "ctf_writer/ctf_format.h"
#include "ctf_writer/ctf_writer.h"
#include "stat/builder.h"

static uint64_t unix_ns(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static struct stint_event_writer *open_writer(const struct stint_system_profile *profile,
                                              const struct stint_stores *stores)
{
    char path[2 * PATH_MAX], host[256], reason[256];
    struct stint_event_process process = {getpid(), profile->command, host, profile->start_unix_ns};
    stint_process_host(host, sizeof host);
    (void)snprintf(path, sizeof path, "%s/%ld" STINT_CTF_ENDING, stores->folder.path, (long)getpid());
    struct stint_event_writer *writer = stint_ctf_writer_open(path, &process, reason, sizeof reason);
    if (!writer)
        stint_cli_say("--system-profiling: samples are not in the recording: %s", reason);
    return writer;
}

void stint_system_profile_begin(struct stint_system_profile *profile, const struct stint_stores *stores,
                                const char *program)
{
    char reason[200];
    const char *slash = strrchr(program, '/');
    (void)snprintf(profile->command, sizeof profile->command, "GPUs while %s runs", slash ? slash + 1 : program);
    profile->start_unix_ns = unix_ns();
    profile->writer = stores ? open_writer(profile, stores) : NULL;
    profile->view =
        stint_system_view_begin(profile->writer, profile->start_unix_ns, &profile->arena, reason, sizeof reason);
    if (!profile->view)
        stint_cli_say("--system-profiling: power, clocks and temperatures are not sampled: %s", reason);
}

/* --------------------------------------------------------------------------------------------------------- results */

static struct stint_snapshot *make_snapshot(const struct stint_system_profile *profile,
                                            const struct stint_array *values)
{
    struct stint_builder builder;
    char host[256];
    static const struct stint_dropped none;
    stint_builder_begin(&builder);
    stint_process_host(host, sizeof host);
    for (size_t i = 0; i < values->count; i++)
        stint_builder_add(&builder, STINT_ROWS_NVTX_VALUES, (const struct stint_nvtx_value *)values->items + i);
    struct stint_process process = {.pid = getpid(),
                                    .command = stint_builder_text(&builder, profile->command),
                                    .host = stint_builder_text(&builder, host),
                                    .start_unix_ns = profile->start_unix_ns,
                                    .wall_ns = unix_ns() - profile->start_unix_ns,
                                    .clock = "monotonic",
                                    .clock_hz = 1e9};
    return stint_builder_end(&builder, &process, &none);
}

static void finish_recording(struct stint_event_writer *writer, const struct stint_snapshot *snapshot)
{
    size_t length = 0;
    char *report = stint_results_json(snapshot, &length);
    if (writer->finish(writer, report ? report : "", length))
        stint_cli_say("--system-profiling: samples are missing in the recording: %s", writer->reason);
    free(report);
}

static struct stint_snapshot *snapshot_of(const struct stint_results *results, int64_t pid)
{
    for (size_t i = 0; i < results->all.count; i++)
        if (stint_results_at(results, i)->process.pid == pid)
            return stint_results_at(results, i);
    return results->all.count ? stint_results_at(results, 0) : NULL;
}

/* The set is behind those of NVTX in order, so that its rows come last. */
static void give(struct stint_snapshot *snapshot, const struct stint_array *values, struct stint_arena *arena)
{
    size_t before = snapshot->nvtx_value_count, size = sizeof(struct stint_nvtx_value);
    struct stint_nvtx_value *all = stint_arena_alloc(arena, (before + values->count + 1) * size);
    if (!all)
        return;
    if (before)
        memcpy(all, snapshot->nvtx_values, before * size);
    if (values->count)
        memcpy(all + before, values->items, values->count * size);
    snapshot->nvtx_values = all;
    snapshot->nvtx_value_count = before + values->count;
}

void stint_system_profile_end(struct stint_system_profile *profile, struct stint_results *results, int64_t pid)
{
    struct stint_array values = {0};
    struct stint_snapshot *own, *first = snapshot_of(results, pid);
    if (profile->view)
        stint_system_view_end(profile->view, &values);
    profile->view = NULL;
    own = make_snapshot(profile, &values);
    if (profile->writer && own)
        finish_recording(profile->writer, own);
    profile->writer = NULL;
    if (first || !values.count)
        stint_snapshot_free(own);
    else if (own)
        (void)stint_results_add(results, own, NULL);
    if (first)
        give(first, &values, &profile->arena);
}

void stint_system_profile_free(struct stint_system_profile *profile)
{
    stint_arena_free(&profile->arena);
}

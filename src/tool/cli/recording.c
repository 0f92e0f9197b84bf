/* A recorded run, from the folder that is made for its reports to its removal. */
#include "cli/recording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "cli/command.h"
#include "cli/cupti_cost.h"
#include "cli/live.h"
#include "cli/orphans.h"
#include "cli/progress.h"
#include "cli/temporary.h"

static void prepare(void *context)
{
    stint_recording_set_environment(context);
}

static void started(void *context, long long pid)
{
    struct stint_recording *recording = context;
    if (recording->system)
        stint_system_profile_begin(&recording->system_profile, recording->stores, recording->program);
    if (recording->started)
        recording->started(context, pid);
}

static void warn_of_library(const struct stint_recording *recording)
{
    if (recording->quiet)
        return;
    if (!recording->inject.path[0])
        stint_cli_say("libstint_inject.so was not found: only programs that are linked with stint are recorded; name "
                      "it in STINT_INJECT_LIBRARY");
    else if (strpbrk(recording->inject.path, " :"))
        stint_cli_say(
            "%s cannot be preloaded, because its path has a blank or a colon: programs that use neither NVTX nor "
            "CUDA are not recorded",
            recording->inject.path);
}

/* Writes "process 4711 and 2 others", of an array of long that is not empty. */
static void name_processes(const struct stint_array *all, char *out, size_t size)
{
    char others[64] = "";
    if (all->count > 1)
        (void)snprintf(others, sizeof others, " and %zu other%s", all->count - 1, all->count > 2 ? "s" : "");
    (void)snprintf(out, size, "process %ld%s", *(const long *)all->items, others);
}

/* A process that SIGKILL ends, as the kernel does for want of memory, cannot report. */
static void say_lost(const struct stint_results *results)
{
    char names[128];
    if (results->lost.count) {
        name_processes(&results->lost, names, sizeof names);
        stint_cli_say("%s ended without a report, as processes do that are killed; what they record is kept with "
                      "--store FILE or STINT_CHECKPOINT=SECONDS",
                      names);
    }
    if (results->cut.count && stint_env_text("STINT_CHECKPOINT")) {
        name_processes(&results->cut, names, sizeof names);
        stint_cli_say("%s ended without taking leave, as processes do that are killed: what is printed may be the last "
                      "checkpoint",
                      names);
    }
}

/* Removes the folders, or has them removed after the end of processes that may yet write to them. */
static void leave_folders(const struct stint_recording *recording, const struct stint_launch *launch)
{
    const struct stint_stores *stores = recording->stores;
    if (!launch->survivors) {
        if (stores)
            stint_stores_end(stores);
        stint_folder_remove(&recording->folder);
        return;
    }
    if (!recording->quiet && stint_folder_is_awaited(&recording->folder)) {
        stint_cli_say("processes that %s started still run; their reports will be in %s, as JSON", launch->arguments[0],
                      recording->folder.path);
        if (stores)
            stint_cli_say("their recordings will be in %s", stores->folder.path);
    }
    stint_orphans_leave(&recording->folder, stores ? &stores->folder : NULL);
}

int stint_record(struct stint_recording *recording, char **arguments, stint_report_results *report, void *context)
{
    struct stint_launch launch = {.arguments = arguments, .prepare = prepare, .started = started, .context = recording};
    struct stint_live live = {.seconds = recording->live, .folder = &recording->folder, .arguments = arguments};
    struct stint_results results = {0};
    recording->program = arguments[0];
    if (!recording->inject.path[0])
        recording->inject = stint_locate_inject();
    if (stint_folder_make(&recording->folder)) {
        stint_cli_say("a folder for reports cannot be made in %s: %s", stint_temporary_folder(), strerror(errno));
        return STINT_CLI_NO;
    }
    if (recording->stores && stint_stores_begin(recording->stores)) {
        stint_folder_remove(&recording->folder);
        return STINT_CLI_NO;
    }
    warn_of_library(recording);
    stint_live_begin(&live);
    stint_launch(&launch);
    if (recording->stores) /* before recordings have their names, so that none is left without one */
        stint_progress_catch();
    stint_live_end(&live);
    if (launch.error) {
        stint_cli_say("cannot run %s: %s", arguments[0], strerror(launch.error));
    } else {
        stint_results_read(&results, &recording->folder);
        if (recording->system)
            stint_system_profile_end(&recording->system_profile, &results, launch.pid);
        if (!recording->stores && !recording->quiet)
            say_lost(&results);
        if (recording->stores)
            stint_stores_recover(recording->stores, &results, &launch, recording->quiet);
        for (size_t i = 0; i < results.all.count; i++)
            stint_cupti_cost_fill(stint_results_at(&results, i));
        report(context, &results, &launch);
        stint_results_free(&results);
        stint_system_profile_free(&recording->system_profile);
    }
    leave_folders(recording, &launch);
    stint_progress_release();
    return recording->counter_run > 1 ? 0 : stint_launch_end(&launch);
}

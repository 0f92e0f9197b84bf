/* A recorded run, from the folder that is made for its reports to its removal: the environment that makes programs
 * record, the run, and what is said of processes that left nothing. */
#include "cli/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/process.h"
#include "ceiling/ceilings.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/live.h"
#include "ctf_writer/ctf_format.h"
#include "model/sampler.h"

/* ------------------------------------------------------------------------------------------------------ environment */

/* Sets a variable to a file in the folder. Percent signs in the folder's name are escaped, so they are no patterns. */
static void set_path(const char *variable, const struct stint_folder *folder, const char *name)
{
    char path[2 * PATH_MAX + 16];
    size_t used = 0;
    for (const char *at = folder->path; *at; at++) {
        if (*at == '%')
            path[used++] = '%';
        path[used++] = *at;
    }
    (void)snprintf(path + used, sizeof path - used, "/%s", name);
    (void)setenv(variable, path, 1);
}

/* If the variable names another tool's library, that is passed on, to be called as well. */
static void set_injection(const char *variable, const char *chain, const char *library)
{
    const char *before = stint_env_text(variable);
    if (before && strcmp(before, library) != 0)
        (void)setenv(chain, before, 1);
    (void)setenv(variable, library, 1);
}

/* Scopes of a program that is linked with stint are recorded as scopes; recorded as ranges as well, they would count
 * twice. Another tool that is passed on gets them if it would have got them without stint run. */
static void keep_scopes_apart(void)
{
    if (!getenv("STINT_CHAIN_NVTX"))
        (void)setenv("STINT_NVTX", "off", 0);
}

/* Python looks into the folder for what it imports at its start (src/python). An empty name in the list is the current
 * folder. */
static void set_python(const struct stint_recording *recording)
{
    char options[96];
    const char *before = stint_env_text("PYTHONPATH"), *folder = recording->python.path;
    size_t size = strlen(folder) + (before ? strlen(before) : 0) + 2;
    char *value = malloc(size);
    if (!value)
        return;
    (void)snprintf(value, size, "%s%s%s", folder, before ? ":" : "", before ? before : "");
    (void)setenv("PYTHONPATH", value, 1);
    free(value);
    (void)snprintf(options, sizeof options, "iterations=%llu,calls=%llu,quiet=%d", recording->ops_iterations,
                   recording->trace_calls, recording->quiet);
    (void)setenv("STINT_OPS", options, 1);
}

/* The dynamic linker separates names by blanks and colons, which cannot be escaped. */
static void set_preload(const char *library)
{
    const char *before = stint_env_text("LD_PRELOAD");
    size_t size = strlen(library) + (before ? strlen(before) : 0) + 2;
    char *value = strpbrk(library, " :") ? NULL : malloc(size);
    if (!value)
        return;
    (void)snprintf(value, size, "%s%s%s", library, before ? ":" : "", before ? before : "");
    (void)setenv("LD_PRELOAD", value, 1);
    free(value);
}

/* AddressSanitizer ends programs when a library is in front of its own, unless it is told that this is intended. What
 * the user has set comes last, and so stays. */
static void pacify_sanitizer(void)
{
    char options[4096];
    const char *before = stint_env_text("ASAN_OPTIONS");
    int length =
        snprintf(options, sizeof options, "verify_asan_link_order=0%s%s", before ? ":" : "", before ? before : "");
    if (length < (int)sizeof options)
        (void)setenv("ASAN_OPTIONS", options, 1);
}

/* A program that could not start with the libraries runs without them. */
static void set_preloads(const struct stint_recording *recording)
{
    const char *before = stint_env_text("LD_PRELOAD");
    struct stint_obstacle obstacle;
    if (stint_obstacle_find(&obstacle, recording->program) == 0 && obstacle.is_fatal)
        return;
    if (recording->functions)
        set_preload(recording->functions_library.path);
    if (recording->mpi_library.path[0])
        set_preload(recording->mpi_library.path);
    if (recording->inject.path[0])
        set_preload(recording->inject.path);
    if (recording->sample_library.path[0] && recording->inject.path[0] && !strpbrk(recording->inject.path, " :"))
        set_preload(recording->sample_library.path);
    if (stint_env_text("LD_PRELOAD") != before)
        pacify_sanitizer();
}

static void set_seconds(const char *variable, double seconds)
{
    char number[40];
    (void)snprintf(number, sizeof number, "%.9f", seconds);
    (void)setenv(variable, number, 1);
}

/* What is not given stays as the environment has it. */
static void set_times(const struct stint_recording *recording)
{
    if (recording->from_start >= 0)
        (void)setenv("STINT_FROM_START", recording->from_start ? "on" : "off", 1);
    if (recording->delay > 0)
        set_seconds("STINT_DELAY", recording->delay);
    if (recording->duration > 0)
        set_seconds("STINT_DURATION", recording->duration);
    (void)setenv("STINT_CONTROL", recording->folder.path, 1);
}

/* Many short processes have no sample. */
static void set_unsampled(const struct stint_recording *recording)
{
    char path[sizeof recording->folder.path + sizeof STINT_RECORDING_UNSAMPLED];
    (void)snprintf(path, sizeof path, "%s/%s", recording->folder.path, STINT_RECORDING_UNSAMPLED);
    if (recording->sample && strcmp(recording->sample, STINT_SAMPLER_ALONE) != 0)
        (void)setenv(STINT_SAMPLER_UNSAMPLED, path, 1);
}

/* What the user has set stays. */
static void set_mpi(const struct stint_recording *recording)
{
    (void)setenv("STINT_MPI", recording->adds_ranks_up ? "on" : "timers", 0);
    if (!recording->adds_ranks_up)
        return;
    set_path("STINT_MPI_OUTPUT", &recording->folder, STINT_RECORDING_RANKS);
    (void)setenv("STINT_MPI_REPORT", "json", 1);
    (void)setenv("STINT_MPI_MARK", "on", 1);
}

/* Recordings are in a folder that is removed; dumps of them go to that of the file, unless it is said where. */
static void set_dump_folder(const char *file)
{
    const char *slash = strrchr(file, '/');
    char folder[PATH_MAX], path[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%.*s.", slash ? (int)(slash + 1 - file) : 0, file);
    if (realpath(folder, path))
        (void)setenv("STINT_DUMP_FOLDER", path, 0);
}

#define AT(member) offsetof(struct stint_recording, member)

/* Members that are the value of a variable, unless they are NULL. */
static const struct {
    const char *variable;
    size_t at;
} s_texts[] = {
    {"STINT_GPU", AT(gpu)},
    {"STINT_GPU_UNIFIED_MEMORY", AT(unified_memory)},
    {"STINT_ADOPT", AT(adopt)},
    {"STINT_WINDOW", AT(window)},
    {"STINT_SAMPLE", AT(sample)},
    {"STINT_FUNCTIONS", AT(functions)},
    {"STINT_BUDGET", AT(budget)},
    {"STINT_OSRT_THRESHOLD", AT(osrt_threshold)},
    {"STINT_TRACE_MAX", AT(store_max)},
    {"STINT_TRACE_RING", AT(store_ring)},
    {"STINT_COUNTERS", AT(counters)},
    {"STINT_COUNTERS_KERNELS", AT(counter_kernels)},
    {"STINT_COUNTERS_LAUNCHES", AT(counter_launches)},
    {"STINT_COUNTERS_SCOPES", AT(counter_scopes)},
};

static void set_texts(const struct stint_recording *recording)
{
    for (size_t i = 0; i < sizeof s_texts / sizeof s_texts[0]; i++) {
        const char *const *text = (const char *const *)(const void *)((const char *)recording + s_texts[i].at);
        if (*text)
            (void)setenv(s_texts[i].variable, *text, 1);
    }
}

static void set_number(const char *variable, unsigned long long number)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", number);
    if (number)
        (void)setenv(variable, text, 1);
}

static void set_switch(const char *variable, int is_on)
{
    if (is_on)
        (void)setenv(variable, "on", 1);
}

/* Sets the variables that make programs record, and write reports in JSON into the folder. */
static void set_environment(void *context)
{
    const struct stint_recording *recording = context;
    set_path("STINT_OUTPUT", &recording->folder, "%i.json");
    (void)setenv("STINT_REPORT", "json", 1);
    if (recording->stores) {
        set_dump_folder(recording->stores->path);
        set_path("STINT_TRACE", &recording->stores->folder, "%i" STINT_CTF_ENDING);
    }
    set_texts(recording);
    set_times(recording);
    set_unsampled(recording);
    set_switch("STINT_TRACE_WAIT", recording->store_wait);
    set_switch("STINT_CPU", recording->cpu);
    set_number("STINT_GPU_TRACE", recording->trace);
    set_number("STINT_COUNTERS_RUN", recording->counter_run);
    if (recording->counters)
        (void)setenv("STINT_COUNTERS_TIMEOUT", "120", 0);
    if (recording->ops)
        set_python(recording);
    if (recording->mpi_library.path[0])
        set_mpi(recording);
    set_preloads(recording);
    if (!recording->inject.path[0])
        return;
    const char *gpu = stint_env_text("STINT_GPU");
    if (!gpu || strcmp(gpu, "off") != 0)
        set_injection("CUDA_INJECTION64_PATH", "STINT_CHAIN_CUDA", recording->inject.path);
    if (recording->nvtx) {
        set_injection("NVTX_INJECTION64_PATH", "STINT_CHAIN_NVTX", recording->inject.path);
        keep_scopes_apart();
    }
}

/* -------------------------------------------------------------------------------------------------------- recording */

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
        stint_cli_say("libstint_inject.so was not found, so only programs that are linked with stint are recorded; set "
                      "STINT_INJECT_LIBRARY to its path");
    else if (strpbrk(recording->inject.path, " :"))
        stint_cli_say("%s cannot be preloaded, because its path contains a space or a colon: only programs that use "
                      "NVTX or CUDA are recorded",
                      recording->inject.path);
}

/* Writes "process 4711 and 2 others", of an array of struct stint_silent that is not empty. */
static void name_processes(const struct stint_array *all, char *out, size_t size)
{
    char others[64] = "";
    if (all->count > 1)
        (void)snprintf(others, sizeof others, " and %zu other%s", all->count - 1, all->count > 2 ? "s" : "");
    (void)snprintf(out, size, "process %ld%s", ((const struct stint_silent *)all->items)->pid, others);
}

/* A process that SIGKILL ends, as the kernel does for want of memory, cannot report. */
static void say_lost(const struct stint_results *results)
{
    char names[128];
    if (results->lost.count) {
        name_processes(&results->lost, names, sizeof names);
        stint_cli_say("%s ended without a report: killed, or unable to write it. --store FILE or "
                      "STINT_CHECKPOINT=SECONDS keeps what killed processes have recorded",
                      names);
    }
    if (results->cut.count && stint_env_text("STINT_CHECKPOINT")) {
        name_processes(&results->cut, names, sizeof names);
        stint_cli_say("%s did not end normally: what is printed may be its last checkpoint", names);
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
        stint_cli_say("processes that %s started are still running; their reports will be in %s, as JSON",
                      launch->arguments[0], recording->folder.path);
        if (stores)
            stint_cli_say("their recordings will be in %s", stores->folder.path);
    }
    stint_orphans_leave(&recording->folder, stores ? &stores->folder : NULL);
}

/* A shell, too, looks for names without a slash in PATH only. */
static void say_error(const char *program, int error)
{
    struct stat status;
    if (error == ENOENT && !strchr(program, '/') && stat(program, &status) == 0 && S_ISREG(status.st_mode))
        stint_cli_say("there is no program %s in PATH; the one in this folder is ./%s", program, program);
    else
        stint_cli_say("cannot run %s: %s", program, strerror(error));
}

int stint_record(struct stint_recording *recording, char **arguments, stint_report_results *report, void *context)
{
    struct stint_launch launch = {
        .arguments = arguments, .prepare = set_environment, .started = started, .context = recording};
    struct stint_live live = {.seconds = recording->live, .folder = &recording->folder, .arguments = arguments};
    struct stint_results results = {0};
    recording->program = arguments[0];
    if (!recording->inject.path[0])
        recording->inject = stint_locate_inject();
    if (stint_folder_make(&recording->folder)) {
        stint_cli_say("cannot create a folder for reports in %s: %s", stint_temporary_folder(), strerror(errno));
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
    recording->folder.is_over = !launch.survivors;
    if (recording->stores)
        recording->stores->folder.is_over = !launch.survivors;
    if (launch.error) {
        say_error(arguments[0], launch.error);
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

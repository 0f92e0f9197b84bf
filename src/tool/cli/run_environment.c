/* The environment of a program that is run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "cli/mpi_run.h"
#include "cli/recording.h"
#include "ctf_writer/ctf_format.h"

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
    if (recording->window)
        (void)setenv("STINT_WINDOW", recording->window, 1);
    (void)setenv("STINT_CONTROL", recording->folder.path, 1);
}

/* What the user has set stays. */
static void set_mpi(const struct stint_recording *recording)
{
    set_preload(recording->mpi_library.path);
    (void)setenv("STINT_MPI", recording->adds_ranks_up ? "on" : "timers", 0);
    if (!recording->adds_ranks_up)
        return;
    set_path("STINT_MPI_OUTPUT", &recording->folder, STINT_MPI_RUN_FILE);
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

static void set_counters(const struct stint_recording *recording)
{
    if (recording->counters) {
        (void)setenv("STINT_COUNTERS", recording->counters, 1);
        (void)setenv("STINT_COUNTERS_TIMEOUT", "120", 0);
    }
    if (recording->counter_kernels)
        (void)setenv("STINT_COUNTERS_KERNELS", recording->counter_kernels, 1);
    if (recording->counter_launches)
        (void)setenv("STINT_COUNTERS_LAUNCHES", recording->counter_launches, 1);
    if (recording->counter_run) {
        char number[24];
        (void)snprintf(number, sizeof number, "%zu", recording->counter_run);
        (void)setenv("STINT_COUNTERS_RUN", number, 1);
    }
    if (recording->counter_scopes)
        (void)setenv("STINT_COUNTERS_SCOPES", recording->counter_scopes, 1);
}

void stint_recording_set_environment(const struct stint_recording *recording)
{
    char number[24];
    set_path("STINT_OUTPUT", &recording->folder, "%p.json");
    (void)setenv("STINT_REPORT", "json", 1);
    if (recording->stores)
        set_dump_folder(recording->stores->path);
    if (recording->stores)
        set_path("STINT_TRACE", &recording->stores->folder, "%p" STINT_CTF_ENDING);
    if (recording->store_max)
        (void)setenv("STINT_TRACE_MAX", recording->store_max, 1);
    if (recording->store_ring)
        (void)setenv("STINT_TRACE_RING", recording->store_ring, 1);
    if (recording->store_wait)
        (void)setenv("STINT_TRACE_WAIT", "on", 1);
    set_times(recording);
    if (recording->gpu)
        (void)setenv("STINT_GPU", recording->gpu, 1);
    if (recording->adopt)
        (void)setenv("STINT_ADOPT", recording->adopt, 1);
    if (recording->cpu)
        (void)setenv("STINT_CPU", "on", 1);
    if (recording->trace) {
        (void)snprintf(number, sizeof number, "%llu", recording->trace);
        (void)setenv("STINT_GPU_TRACE", number, 1);
    }
    set_counters(recording);
    if (recording->osrt_threshold)
        (void)setenv("STINT_OSRT_THRESHOLD", recording->osrt_threshold, 1);
    if (recording->functions) {
        (void)setenv("STINT_FUNCTIONS", recording->functions, 1);
        set_preload(recording->functions_library.path);
    }
    if (recording->ops)
        set_python(recording);
    if (recording->sample)
        (void)setenv("STINT_SAMPLE", recording->sample, 1);
    if (recording->mpi_library.path[0])
        set_mpi(recording);
    if (!recording->inject.path[0])
        return;
    const char *gpu = stint_env_text("STINT_GPU");
    if (!gpu || strcmp(gpu, "off") != 0)
        set_injection("CUDA_INJECTION64_PATH", "STINT_CHAIN_CUDA", recording->inject.path);
    if (recording->nvtx) {
        set_injection("NVTX_INJECTION64_PATH", "STINT_CHAIN_NVTX", recording->inject.path);
        keep_scopes_apart();
    }
    set_preload(recording->inject.path);
    if (recording->sample)
        set_preload(recording->sample_library.path);
}

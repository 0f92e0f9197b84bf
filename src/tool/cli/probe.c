/* Loads driver, CUPTI and libstint in a process of its own, and notes how far each gets, for stint doctor. */
#include "cli/probe.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "cli/trial.h"
#include "stint/gpu.h"
#include "stint/report.h"
#include "stint/snapshot.h"

/* Fills *function, a pointer to a function; returns whether there is one. */
static int find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void copy(char *out, size_t size, const char *text)
{
    (void)snprintf(out, size, "%s", text ? text : "");
}

/* ----------------------------------------------------------------------------------------------------------- driver */

static void ask_driver(struct stint_probe *probe)
{
    int (*init)(unsigned flags), (*version)(int *version), (*count)(int *count);
    int (*name)(char *name, int length, int device);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver) {
        copy(probe->no_driver, sizeof probe->no_driver, dlerror());
        return;
    }
    if (!find(driver, "cuInit", &init) || !find(driver, "cuDriverGetVersion", &version) ||
        !find(driver, "cuDeviceGetCount", &count) || !find(driver, "cuDeviceGetName", &name)) {
        copy(probe->no_driver, sizeof probe->no_driver, "libcuda.so.1 lacks functions that every driver has");
        return;
    }
    (void)version(&probe->driver_version);
    int error = init(0);
    if (error)
        (void)snprintf(probe->no_driver, sizeof probe->no_driver, "cuInit failed with error %d", error);
    else if (!count(&probe->devices) && probe->devices)
        (void)name(probe->device, sizeof probe->device, 0);
}

/* -------------------------------------------------------------------------------------------------------- recording */

static void swallow(void *context, enum stint_log_level level, const char *file, int line, const char *message)
{
    (void)context;
    (void)level;
    (void)file;
    (void)line;
    (void)message;
}

static int note_cupti(struct dl_phdr_info *info, size_t size, void *context)
{
    struct stint_probe *probe = context;
    (void)size;
    if (strstr(info->dlpi_name, "/libcupti.so"))
        copy(probe->cupti, sizeof probe->cupti, info->dlpi_name);
    return probe->cupti[0] != '\0';
}

static void note_version(struct stint_probe *probe, void *library)
{
    enum stint_status (*take)(struct stint_snapshot * *snapshot);
    struct stint_snapshot *snapshot;
    if (find(library, "stint_snapshot_take", &take) && !take(&snapshot))
        probe->cupti_version = snapshot->gpu.cupti_version;
}

static void try_recording(struct stint_probe *probe, const char *path)
{
    enum stint_status (*start)(const struct stint_gpu_options *options);
    const char *(*reason)(void);
    void (*set_sink)(stint_log_fn * log, void *context);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        copy(probe->library, sizeof probe->library, dlerror());
        return;
    }
    if (!find(library, "stint_gpu_start", &start) || !find(library, "stint_gpu_reason", &reason) ||
        !find(library, "stint_log_set_sink", &set_sink)) {
        copy(probe->library, sizeof probe->library, "it has another version");
        return;
    }
    set_sink(swallow, NULL);
    probe->status = start(NULL);
    copy(probe->reason, sizeof probe->reason, reason());
    (void)dl_iterate_phdr(note_cupti, probe);
    note_version(probe, library);
}

static void run_probe(void *result, const char *library)
{
    struct stint_probe *probe = result;
    ask_driver(probe);
    try_recording(probe, library);
}

int stint_probe(struct stint_probe *probe, const char *library)
{
    return stint_trial(run_probe, library, probe, sizeof *probe);
}

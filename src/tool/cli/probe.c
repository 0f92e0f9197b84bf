/* Tries dangerous things in a process of its own, waits for it no longer than a minute, and reads its result from a
 * pipe: loads driver, CUPTI and libstint, notes how far each gets, and measures what CUPTI takes. */
#include "cli/probe.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stint/gpu.h"
#include "stint/report.h"
#include "stint/snapshot.h"

enum { PATIENCE_S = 60 };

/* Its environment is this one's, without the variables that would make libstint start or report by itself. */
static void run_trial(stint_trial_fn *try, const char *path, void *result, size_t size, int pipe)
{
    (void)alarm(PATIENCE_S);
    (void)unsetenv("STINT_GPU");
    (void)setenv("STINT_REPORT", "off", 1);
    try(result, path);
    (void)!write(pipe, result, size);
    _exit(0);
}

/* Returns whether all of it was read. */
static int receive(void *result, size_t size, int pipe)
{
    size_t used = 0;
    while (used < size) {
        ssize_t length = read(pipe, (char *)result + used, size - used);
        if (length < 0 && errno == EINTR)
            continue;
        if (length <= 0)
            return 0;
        used += (size_t)length;
    }
    return 1;
}

int stint_trial(stint_trial_fn *try, const char *path, void *result, size_t size)
{
    int ends[2], status = 0;
    memset(result, 0, size);
    if (pipe(ends))
        return -1;
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_trial(try, path, result, size, ends[1]);
    (void)close(ends[1]);
    int received = child > 0 && receive(result, size, ends[0]);
    (void)close(ends[0]);
    int ended = child > 0 && waitpid(child, &status, 0) == child;
    if (received)
        return 0;
    memset(result, 0, size);
    return ended && WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

void stint_trial_reason(int ended, char *out, size_t size)
{
    if (ended == SIGALRM)
        (void)snprintf(out, size, "the trial did not end within a minute");
    else if (ended > 0)
        (void)snprintf(out, size, "the trial was ended by: %s", strsignal(ended));
    else
        (void)snprintf(out, size, "no process could be started for the trial");
}

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

/* ------------------------------------------------------------------------------------------------------------ CUPTI */

enum { TRIALS = 9 }; /* a process may be a third faster than the next one */

struct trial {
    char failed[64];
    struct stint_cupti_cost cost;
};

static void try_cupti(void *result, const char *cupti)
{
    struct trial *trial = result;
    const char *failed = stint_cupti_measure(&trial->cost, cupti);
    (void)snprintf(trial->failed, sizeof trial->failed, "%s", failed ? failed : "");
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Returns 0, or -1 with the cause. */
static int run_cupti_trial(struct trial *trial, const char *cupti, char *reason, size_t size)
{
    int ended = stint_trial(try_cupti, cupti, trial, sizeof *trial);
    if (ended)
        stint_trial_reason(ended, reason, size);
    else if (trial->failed[0])
        (void)snprintf(reason, size, "%s failed", trial->failed);
    return ended || trial->failed[0] ? -1 : 0;
}

int stint_probe_cupti(struct stint_cupti_cost *cost, const char *cupti, char *reason, size_t size)
{
    double kernel_ns[TRIALS], call_ns[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
        struct trial trial;
        if (run_cupti_trial(&trial, cupti, reason, size))
            return -1;
        kernel_ns[i] = trial.cost.kernel_ns;
        call_ns[i] = trial.cost.call_ns;
    }
    qsort(kernel_ns, TRIALS, sizeof kernel_ns[0], compare);
    qsort(call_ns, TRIALS, sizeof call_ns[0], compare);
    *cost = (struct stint_cupti_cost){.kernel_ns = kernel_ns[TRIALS / 2], .call_ns = call_ns[TRIALS / 2]};
    (void)snprintf(reason, size,
                   "launches and queries were no slower with it: other work may have disturbed the measurement");
    return cost->kernel_ns > 0 && cost->call_ns > 0 ? 0 : -1;
}

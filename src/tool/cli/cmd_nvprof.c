/* stint nvprof - accepts the command lines of NVIDIA's nvprof, and prints the same reports and messages. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "base/whole_file.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/profile.h"
#include "cli/recording.h"
#include "cli/results.h"

enum { MOST_EVENTS = 1 << 20 };

/* Where lines and reports go: --log-file. Zeroed: to stderr. */
struct log {
    int standard;        /* 1: to stdout */
    int begun;           /* the file of all processes has been written to */
    int is_import;       /* 1: all lines are about one process, whose profile is read */
    long long imported;  /* its id; 0: not known */
    char path[PATH_MAX]; /* prepared (base/whole_file.h); "": to one of the two */
    int error;           /* errno of the first line that could not be written */
};

struct nvprof {
    struct stint_recording recording; /* first: `started` gets a pointer to it, and casts that to the whole */
    struct stint_nvprof_asked asked;
    struct log log;
    struct stint_stores stores; /* of --export-profile */
    char **program;
    int failed;    /* to write a log, a report or a profile */
    int uncounted; /* counters were asked for, but not read */
    char hz[16];   /* of samples */
};

/* ------------------------------------------------------------------------------------------------------------ files */

static int prepare(char *path, const char *option, const char *pattern)
{
    if (*pattern && stint_path_prepare(path, PATH_MAX, pattern) == STINT_OK)
        return 0;
    stint_cli_say("--%s %.256s: expected a path with %%p, %%h, %%q{NAME} or %%%%", option, pattern);
    return -1;
}

/* Reads what --log-file says. Returns 0, or -1 after saying what is wrong. */
static int read_log(struct log *log, const char *pattern)
{
    *log = (struct log){.standard = strcmp(pattern, "%1") == 0};
    if (log->standard || strcmp(pattern, "%2") == 0)
        return 0;
    return prepare(log->path, "log-file", pattern);
}

/* Opens it for messages about this process, 0: about none. With `first`, truncates it if each process has its own file.
 * Returns a descriptor; that of stderr, after saying so, if the file cannot be written. */
static int open_log(struct nvprof *nvprof, long long pid, int first)
{
    struct log *log = &nvprof->log;
    char path[PATH_MAX];
    int own = stint_path_has_pid(log->path), file = -1;
    if (log->is_import)
        pid = log->imported;
    if (!log->path[0] || (own && !pid && !log->is_import))
        return log->standard ? STDOUT_FILENO : STDERR_FILENO;
    errno = ENAMETOOLONG;
    if (stint_print_path(path, sizeof path, log->path, &(struct stint_process){.pid = pid}) == 0)
        file = stint_print_open(path, (own ? first : !log->begun) ? O_TRUNC : O_APPEND);
    log->begun = 1;
    if (file >= 0)
        return file;
    stint_cli_say("%s cannot be written: %s", path, strerror(errno));
    nvprof->failed = 1;
    return STDERR_FILENO;
}

static void close_log(int file)
{
    if (file != STDOUT_FILENO && file != STDERR_FILENO)
        (void)close(file);
}

static int say_exists(const char *path)
{
    stint_cli_say("%s exists; --force-overwrite replaces it", path);
    return -1;
}

/* Reads the value of --export-profile into `path`, PATH_MAX bytes, prepared. With `several` processes each needs
 * its own name; an existing file needs `force`. Returns 0, or -1 after saying what is wrong. */
static int read_export(char *path, const char *pattern, int several, int force)
{
    char name[PATH_MAX];
    if (prepare(path, "export-profile", pattern))
        return -1;
    if (stint_path_has_pid(path))
        return 0;
    if (several) {
        stint_cli_say("--export-profile %.256s: with --profile-child-processes the name needs %%p, for the process id",
                      pattern);
        return -1;
    }
    if (!force && stint_print_path(name, sizeof name, path, NULL) == 0 && access(name, F_OK) == 0)
        return say_exists(name);
    return 0;
}

/* Writes the profile of the process whose snapshot this is, with its events. Returns 0, with the file's name in `name`,
 * PATH_MAX bytes; or -1 after saying why not, or that it is not complete. */
static int export_profile(char *name, struct stint_stores *stores, int force, const struct stint_snapshot *snapshot)
{
    char reason[256];
    if (stint_print_path(name, PATH_MAX, stores->path, &snapshot->process)) {
        stint_cli_say("the name of the profile of process %lld is too long", (long long)snapshot->process.pid);
        return -1;
    }
    if (!force && access(name, F_OK) == 0)
        return say_exists(name);
    int failed = stint_stores_take_process(stores, snapshot, name, reason, sizeof reason);
    if (failed < 0)
        stint_cli_say("%s cannot be written: %s", name, reason);
    if (failed > 0)
        stint_cli_say("%s is incomplete: some of what was recorded could not be written", name);
    return failed ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------------------------ lines */

__attribute__((format(printf, 3, 4))) static void put(struct nvprof *nvprof, int file, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if ((length < 0 || stint_write_fd(&file, text, (size_t)length)) && !nvprof->log.error)
        nvprof->log.error = length < 0 ? ENOMEM : errno;
    free(length < 0 ? NULL : text);
}

/* Not before the program has ended, which this process may do now. */
static void check_lines(struct nvprof *nvprof)
{
    const struct log *log = &nvprof->log;
    if (!log->error || nvprof->failed)
        return;
    nvprof->failed = 1;
    if (log->standard)
        stint_cli_end_if_unread(STDOUT_FILENO, log->error);
    stint_cli_say("the log cannot be written: %s", strerror(log->error));
}

/* Warns once of each option that has no meaning here. */
static void warn_of_unmet(struct nvprof *nvprof)
{
    const char *name, *why;
    int file = open_log(nvprof, 0, 1);
    for (size_t i = 0; (name = stint_nvprof_option_at(i, &why)); i++)
        if (nvprof->asked.unmet[i])
            put(nvprof, file, "======== Warning: --%s: %s\n", name, why);
    close_log(file);
}

static void started(void *recording, long long pid)
{
    struct nvprof *nvprof = recording;
    if (nvprof->asked.quiet)
        return;
    int file = open_log(nvprof, pid, 1);
    put(nvprof, file, "==%lld== NVPROF is profiling process %lld, command:", pid, pid);
    for (char **words = nvprof->program; *words; words++)
        put(nvprof, file, " %s", *words);
    put(nvprof, file, "\n");
    close_log(file);
}

static void put_end(struct nvprof *nvprof, int file, int status)
{
    if (WIFSIGNALED(status))
        put(nvprof, file, "======== Error: Application received signal %d\n", 128 + WTERMSIG(status));
    else if (WEXITSTATUS(status))
        put(nvprof, file, "======== Error: Application returned non-zero code %d\n", WEXITSTATUS(status));
}

/* ---------------------------------------------------------------------------------------------------------- reports */

/* A profile that is written to a file is printed only on request. */
static unsigned modes_of(const struct stint_nvprof_asked *asked)
{
    if (asked->modes || asked->export_file)
        return asked->modes;
    return asked->otherwise;
}

static void print_process(struct nvprof *nvprof, const struct stint_snapshot *snapshot, int is_child)
{
    const struct stint_process *process = &snapshot->process;
    int file = open_log(nvprof, process->pid, is_child);
    if (is_child)
        put(nvprof, file, "==%lld== NVPROF is profiling process %lld, command: %s\n", (long long)process->pid,
            (long long)process->pid, process->command);
    if (*nvprof->asked.counters.words)
        nvprof->failed |= stint_nvprof_counters_print(&nvprof->asked.counters, snapshot, nvprof->asked.csv, file);
    if (!*nvprof->asked.counters.words || nvprof->asked.modes)
        nvprof->failed |= stint_nvprof_print(&nvprof->asked, modes_of(&nvprof->asked), snapshot, file);
    close_log(file);
}

static void export_process(struct nvprof *nvprof, const struct stint_snapshot *snapshot)
{
    char name[PATH_MAX];
    int failed = export_profile(name, &nvprof->stores, nvprof->asked.force, snapshot);
    nvprof->failed |= failed;
    if (failed || nvprof->asked.quiet)
        return;
    int file = open_log(nvprof, snapshot->process.pid, 0);
    put(nvprof, file, "==%lld== Generated result file: %s\n", (long long)snapshot->process.pid, name);
    close_log(file);
}

static void finish(struct nvprof *nvprof, const struct stint_launch *launch, size_t shown, size_t children)
{
    int file = open_log(nvprof, launch->pid, 0);
    if (!shown)
        put(nvprof, file, "======== Warning: No CUDA application was profiled, exiting\n");
    if (children)
        put(nvprof, file,
            "======== Warning: %zu more %s CUDA: add --profile-child-processes to profile processes that the "
            "program starts\n",
            children, children == 1 ? "process used" : "processes used");
    put_end(nvprof, file, launch->status);
    close_log(file);
}

static void report(void *context, struct stint_results *results, const struct stint_launch *launch)
{
    struct nvprof *nvprof = context;
    size_t shown = 0, children = 0;
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_snapshot *snapshot = stint_results_at(results, i);
        int is_child = snapshot->process.pid != launch->pid;
        if (!stint_nvprof_has_profile(snapshot))
            continue;
        if (is_child && !nvprof->asked.children) {
            children++;
            continue;
        }
        shown++;
        if (!nvprof->asked.quiet)
            print_process(nvprof, snapshot, is_child);
        if (nvprof->asked.export_file)
            export_process(nvprof, snapshot);
    }
    if (!nvprof->asked.quiet)
        finish(nvprof, launch, shown, children);
    check_lines(nvprof);
    if (*nvprof->asked.counters.words)
        nvprof->uncounted = stint_counted_check(results) != 0;
}

/* -------------------------------------------------------------------------------------------------------------- run */

static void settle(struct nvprof *nvprof)
{
    const struct stint_nvprof_asked *asked = &nvprof->asked;
    (void)snprintf(nvprof->hz, sizeof nvprof->hz, "%u", asked->cpu.hz);
    nvprof->recording = (struct stint_recording){
        .counters = *asked->counters.words ? asked->counters.metrics : NULL,
        .counter_kernels = *asked->counters.kernels ? asked->counters.kernels : NULL,
        .counter_launches = *asked->counters.launches ? asked->counters.launches
                            : *asked->counters.words  ? "all"
                                                      : NULL,
        .gpu = asked->gpu || stint_env_text("STINT_GPU") ? asked->gpu : "all", /* as nvprof did */
        .unified_memory = asked->unified_memory,
        .nvtx = 1,
        .from_start = asked->from_start,
        .duration = (double)asked->duration,
        .quiet = asked->quiet,
        .system = asked->system,
        .sample = asked->cpu.on ? nvprof->hz : NULL,
        .sample_library = stint_locate("libstint_sample.so"),
        .started = started,
        .stores = asked->export_file ? &nvprof->stores : NULL,
    };
    if (asked->modes & STINT_NVPROF_TRACES && !stint_env_text("STINT_GPU_TRACE"))
        nvprof->recording.trace = MOST_EVENTS;
}

static int read_files(struct nvprof *nvprof)
{
    const struct stint_nvprof_asked *asked = &nvprof->asked;
    if (asked->log_file && read_log(&nvprof->log, asked->log_file))
        return -1;
    if (!asked->export_file)
        return 0;
    return read_export(nvprof->stores.path, asked->export_file, asked->children, asked->force);
}

/* Prints with a trace of the file's events if one is asked for and the profile's statistics have none. */
static void print_import(struct nvprof *nvprof, const struct stint_profile *profile)
{
    struct stint_snapshot *traced = NULL;
    profile->snapshot->process.pid = 0; /* as for an unknown process: "======== " */
    if (!*nvprof->asked.counters.words && !nvprof->asked.modes && stint_nvprof_has_counters(profile->snapshot))
        (void)stint_nvprof_counters_add(&nvprof->asked.counters, "metrics", "all");
    if (nvprof->asked.modes & STINT_NVPROF_TRACES && !profile->snapshot->gpu_event_count)
        traced = stint_subset_trace(profile, nvprof->asked.import_file, MOST_EVENTS);
    print_process(nvprof, traced ? traced : profile->snapshot, 0);
    stint_snapshot_free(traced);
}

static int import(struct nvprof *nvprof)
{
    struct stint_profile profile;
    if (stint_profile_open(&profile, nvprof->asked.import_file))
        return STINT_CLI_NO;
    nvprof->log.is_import = 1;
    nvprof->log.imported = profile.snapshot->process.pid;
    if (!nvprof->asked.quiet) {
        warn_of_unmet(nvprof);
        print_import(nvprof, &profile);
        check_lines(nvprof);
    }
    stint_profile_close(&profile);
    return nvprof->failed ? STINT_CLI_NO : STINT_CLI_OK;
}

static int run(struct nvprof *nvprof)
{
    settle(nvprof);
    if (!nvprof->asked.quiet)
        warn_of_unmet(nvprof);
    stint_cli_speak("======== ");
    int code = stint_record(&nvprof->recording, nvprof->program, report, nvprof);
    if (code || !nvprof->failed)
        return code || !nvprof->uncounted ? code : STINT_CLI_UNCOUNTED;
    return STINT_CLI_NO;
}

/* Options that nvprof took without a program have their warnings, too. */
static int is_usable(struct nvprof *nvprof, int count)
{
    int has_program = nvprof->asked.program < count;
    if (nvprof->asked.import_file && (has_program || nvprof->asked.export_file)) {
        stint_cli_say("--import-profile cannot be combined with a program or with --export-profile");
        return 0;
    }
    if (nvprof->asked.import_file || has_program)
        return 1;
    warn_of_unmet(nvprof);
    stint_cli_say("no program was given: stint nvprof [OPTIONS] [--] PROGRAM [ARGUMENTS]");
    return 0;
}

int stint_cli_nvprof(int count, char **arguments)
{
    static char name[] = "nvprof"; /* even if the program was started through a link of another name */
    struct nvprof nvprof = {.program = NULL};
    arguments[0] = name;
    stint_cli_speak("======== Error: ");
    if (stint_nvprof_read(&nvprof.asked, count, arguments))
        return STINT_CLI_USAGE;
    if (nvprof.asked.queries)
        stint_device_metrics_list();
    if (nvprof.asked.answered)
        return STINT_CLI_OK;
    if (!is_usable(&nvprof, count) || read_files(&nvprof))
        return STINT_CLI_USAGE;
    nvprof.program = arguments + nvprof.asked.program;
    return nvprof.asked.import_file ? import(&nvprof) : run(&nvprof);
}

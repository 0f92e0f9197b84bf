/* Reads names of files as nvprof's options have them, and writes messages and profiles there. */
#include "cli/nvprof_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file_name.h"
#include "cli/command.h"
#include "cli/print_reports.h"

static int prepare(char *path, const char *option, const char *pattern)
{
    if (*pattern && stint_path_prepare(path, PATH_MAX, pattern) == STINT_OK)
        return 0;
    stint_cli_say("--%s %.256s: expected a path with %%p, %%h, %%q{NAME} or %%%%", option, pattern);
    return -1;
}

/* -------------------------------------------------------------------------------------------------------------- log */

int stint_nvprof_log_read(struct stint_nvprof_log *log, const char *pattern)
{
    *log = (struct stint_nvprof_log){.standard = strcmp(pattern, "%1") == 0};
    if (log->standard || strcmp(pattern, "%2") == 0)
        return 0;
    return prepare(log->path, "log-file", pattern);
}

int stint_nvprof_log_open(struct stint_nvprof_log *log, long long pid, int first)
{
    char path[PATH_MAX];
    int own = stint_path_has_pid(log->path), file = -1;
    if (!log->path[0] || (own && !pid))
        return log->standard ? STDOUT_FILENO : STDERR_FILENO;
    errno = ENAMETOOLONG;
    if (stint_print_path(path, sizeof path, log->path, pid) == 0)
        file = stint_print_open(path, (own ? first : !log->begun) ? O_TRUNC : O_APPEND);
    log->begun = 1;
    if (file >= 0)
        return file;
    stint_cli_say("%s cannot be written: %s", path, strerror(errno));
    return STDERR_FILENO;
}

void stint_nvprof_log_close(int file)
{
    if (file != STDOUT_FILENO && file != STDERR_FILENO)
        (void)close(file);
}

/* --------------------------------------------------------------------------------------------------------- profiles */

static int say_exists(const char *path)
{
    stint_cli_say("%s exists; --force-overwrite replaces it", path);
    return -1;
}

int stint_nvprof_export_read(char *path, const char *pattern, int several, int force)
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
    if (!force && stint_print_path(name, sizeof name, path, 0) == 0 && access(name, F_OK) == 0)
        return say_exists(name);
    return 0;
}

int stint_nvprof_export(char *name, const struct stint_stores *stores, int force, const struct stint_snapshot *snapshot)
{
    char reason[256];
    if (stint_print_path(name, PATH_MAX, stores->path, snapshot->process.pid)) {
        stint_cli_say("the name of the profile of process %lld is too long", (long long)snapshot->process.pid);
        return -1;
    }
    if (!force && access(name, F_OK) == 0)
        return say_exists(name);
    int failed = stint_stores_take_process(stores, snapshot, name, reason, sizeof reason);
    if (failed < 0)
        stint_cli_say("%s cannot be written: %s", name, reason);
    if (failed > 0)
        stint_cli_say("%s is incomplete: not all that was recorded could be written", name);
    return failed ? -1 : 0;
}

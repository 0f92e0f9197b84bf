/* The files of stint nvprof: where its messages go, and profiles that are written to files. */
#ifndef STINT_CLI_NVPROF_FILES_H
#define STINT_CLI_NVPROF_FILES_H

#include <limits.h>

#include "cli/stores.h"

/* Where lines and reports go: --log-file. Zeroed: to stderr. */
struct stint_nvprof_log {
    int standard;        /* 1: to stdout */
    int begun;           /* the file of all processes has been written to */
    char path[PATH_MAX]; /* prepared (base/file_name.h); "": to one of the two */
};

/* Reads what --log-file says. Returns 0, or -1 after saying what is wrong. */
int stint_nvprof_log_read(struct stint_nvprof_log *log, const char *pattern);

/* Opens it for messages about this process, 0: about none. With `first`, truncates it if each process has its own file.
 * Returns a descriptor; that of stderr, after saying so, if the file cannot be written. */
int stint_nvprof_log_open(struct stint_nvprof_log *log, long long pid, int first);
void stint_nvprof_log_close(int file);

/* Reads the value of --export-profile into `path`, PATH_MAX bytes, prepared. With `several` processes each needs
 * its own name; an existing file needs `force`. Returns 0, or -1 after saying what is wrong. */
int stint_nvprof_export_read(char *path, const char *pattern, int several, int force);

/* Writes the profile of the process whose snapshot this is, with its events. Returns 0, with the file's name in `name`,
 * PATH_MAX bytes; or -1 after saying why not, or that it is not complete. */
int stint_nvprof_export(char *name, const struct stint_stores *stores, int force,
                        const struct stint_snapshot *snapshot);

#endif

/* Makes, lists and empties the folder that a run's processes write to. The names of files say whose they are, and which
 * process has not reported yet. A small process stays behind until the last one has ended. */
#include "cli/files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cli/live.h"
#include "ctf_writer/ctf_output.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* on all processors */
#endif

static const char s_report[] = ".json";

int stint_folder_make(struct stint_folder *folder)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/stint-XXXXXX", stint_temporary_folder());
    return mkdtemp(path) && realpath(path, folder->path) ? 0 : -1;
}

static int ends_with(const char *name, const char *end)
{
    size_t length = strlen(name);
    return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

static int add_path(const struct stint_folder *folder, const char *name, struct stint_array *paths,
                    struct stint_arena *arena)
{
    char path[PATH_MAX + NAME_MAX + 2];
    int length = snprintf(path, sizeof path, "%s/%s", folder->path, name);
    const char *copy = stint_arena_copy(arena, path, (size_t)length);
    const char **row = copy ? stint_array_add(paths, arena, sizeof *row) : NULL;
    if (row)
        *row = copy;
    else
        errno = ENOMEM;
    return row ? 0 : -1;
}

int stint_folder_list(const struct stint_folder *folder, struct stint_array *paths, struct stint_arena *arena)
{
    DIR *all = opendir(folder->path);
    int result = 0;
    if (!all)
        return -1;
    for (struct dirent *entry; result == 0 && (entry = readdir(all));)
        if (ends_with(entry->d_name, s_report))
            result = add_path(folder, entry->d_name, paths, arena);
    (void)closedir(all);
    return result;
}

int stint_folder_whose(struct stint_silent *whose, const char *name, const char *ending)
{
    char *end;
    whose->pid = strtol(name, &end, 10);
    whose->start_unix_ns = *end == '.' && isdigit((unsigned char)end[1]) ? strtoull(end + 1, &end, 10) : 0;
    return whose->pid > 0 && strcmp(end, ending) == 0;
}

/* Whether somebody listens there; who does not can only be found out if it can be asked. */
static int listens(const struct stint_folder *folder, const char *name)
{
    int fd = folder->is_over ? -1 : stint_socket_connect(folder->path, name);
    int is_gone = folder->is_over || (fd < 0 && (errno == ECONNREFUSED || errno == ENOENT));
    if (fd >= 0)
        (void)close(fd);
    return !is_gone;
}

/* Returns a process that was started with the folder for its requests, or 0 if there is none. The first one is usually
 * the one that began first, and so lasts longer than those that it starts. */
static long look_for_process(const struct stint_folder *folder)
{
    DIR *all = opendir("/proc");
    long found = 0;
    for (struct dirent *entry; all && !found && (entry = readdir(all));) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        char *path = pid > 0 && !*end ? stint_control_folder(pid) : NULL;
        if (path && strcmp(path, folder->path) == 0)
            found = pid;
        free(path);
    }
    if (all)
        (void)closedir(all);
    return found;
}

/* One that has just begun, and whose parent has just ended, may be missed. */
static long find_process(const struct stint_folder *folder)
{
    static const struct timespec moment = {0, 20000000};
    long found = look_for_process(folder);
    if (found)
        return found;
    (void)nanosleep(&moment, NULL);
    return look_for_process(folder);
}

int stint_folder_is_awaited(const struct stint_folder *folder)
{
    struct stint_arena arena = {0};
    struct stint_array paths = {0};
    int result = stint_folder_list(folder, &paths, &arena) == 0 && (paths.count || find_process(folder));
    stint_arena_free(&arena);
    return result;
}

void stint_folder_silent(const struct stint_folder *folder, struct stint_array *silent, struct stint_arena *arena)
{
    DIR *all = opendir(folder->path);
    for (struct dirent *entry; all && (entry = readdir(all));) {
        struct stint_silent whose, *row;
        if (!stint_folder_whose(&whose, entry->d_name, ".sock") || listens(folder, entry->d_name))
            continue;
        row = stint_array_add(silent, arena, sizeof *row);
        if (row)
            *row = whose;
    }
    if (all)
        (void)closedir(all);
}

static void remove_entry(const struct stint_folder *folder, const char *name)
{
    char path[2 * PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
    if (unlink(path) != 0 && errno == EISDIR)
        stint_ctf_remove(path);
}

static void empty(const struct stint_folder *folder, int keeps_reports)
{
    DIR *all = opendir(folder->path);
    for (struct dirent *entry; all && (entry = readdir(all));)
        if (!keeps_reports || !ends_with(entry->d_name, s_report))
            remove_entry(folder, entry->d_name);
    if (all)
        (void)closedir(all);
}

void stint_folder_leave(const struct stint_folder *folder)
{
    empty(folder, 1);
    (void)rmdir(folder->path);
}

void stint_folder_remove(const struct stint_folder *folder)
{
    empty(folder, 0);
    (void)rmdir(folder->path);
}

/* ---------------------------------------------------------------------------------------------------------- orphans */

/* Waits for the end of a process; without pidfd_open, which Linux has since 5.3, for a second. */
static void wait_for_end(long pid)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd end = {.fd = fd, .events = POLLIN};
    (void)poll(&end, fd >= 0, fd >= 0 ? -1 : 1000);
    if (fd >= 0)
        (void)close(fd);
}

/* Leaves the terminal, and the folder and files that the program had. */
static void detach(void)
{
    DIR *all = opendir("/proc/self/fd");
    (void)setsid();
    (void)!chdir("/");
    for (struct dirent *entry; all && (entry = readdir(all));) {
        int fd = (int)strtol(entry->d_name, NULL, 10);
        if (fd != dirfd(all))
            (void)close(fd);
    }
    if (all)
        (void)closedir(all);
}

static void leave_both(const struct stint_folder *reports, const struct stint_folder *stores)
{
    stint_folder_leave(reports);
    if (stores)
        (void)rmdir(stores->path);
}

void stint_orphans_leave(const struct stint_folder *reports, const struct stint_folder *stores)
{
    if (!find_process(reports)) {
        leave_both(reports, stores);
        return;
    }
    if (fork() != 0)
        return;
    detach();
    for (long pid; (pid = find_process(reports));)
        wait_for_end(pid);
    leave_both(reports, stores);
    _exit(0);
}

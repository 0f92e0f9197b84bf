/* Leaves a small process behind that removes a run's folders when its last process has ended. */
#include "cli/orphans.h"

#include <dirent.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/control_folder.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* on all processors */
#endif

/* -------------------------------------------------------------------------------------------------------- processes */

/* Waits for the end of a process; without pidfd_open, which Linux has since 5.3, for a second. */
static void wait_for(long pid)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd end = {.fd = fd, .events = POLLIN};
    (void)poll(&end, fd >= 0, fd >= 0 ? -1 : 1000);
    if (fd >= 0)
        (void)close(fd);
}

/* Returns a process that was started with the folder for its requests, or 0 if there is none. The first one is usually
 * the one that began first, and so lasts longer than those that it starts. */
static long find(const struct stint_folder *folder)
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

/* ------------------------------------------------------------------------------------------------------- background */

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

static void leave(const struct stint_folder *reports, const struct stint_folder *stores)
{
    stint_folder_leave(reports);
    if (stores)
        (void)rmdir(stores->path);
}

void stint_orphans_leave(const struct stint_folder *reports, const struct stint_folder *stores)
{
    if (!find(reports)) {
        leave(reports, stores);
        return;
    }
    if (fork() != 0)
        return;
    detach();
    for (long pid; (pid = find(reports));)
        wait_for(pid);
    leave(reports, stores);
    _exit(0);
}

/* Finds processes by their numbers, and says why one cannot be asked. */
#include "cli/find_listener.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/control_folder.h"

int stint_read_pid(const char *text, long long *pid)
{
    char *end;
    errno = 0;
    *pid = strtoll(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end && !errno && *pid > 0 && *pid <= INT_MAX)
        return 0;
    stint_cli_say("%.60s is not a process id", text);
    return -1;
}

static int say_no_process(long long pid, int error)
{
    if (error == ENOENT || error == ESRCH)
        stint_cli_say("there is no process %lld", pid);
    else if (error == EACCES || error == EPERM)
        stint_cli_say("process %lld belongs to somebody else, or runs with raised privileges", pid);
    else
        stint_cli_say("the environment of process %lld cannot be read: %s", pid, strerror(error));
    return -1;
}

int stint_find_listener(char *folder, size_t size, long long pid)
{
    char *path = stint_control_folder(pid);
    if (!path && errno)
        return say_no_process(pid, errno);
    if (!path)
        path = stint_socket_folder(pid);
    if (!path) {
        stint_cli_say("process %lld was not started by stint run, and STINT_CONTROL is not set for it", pid);
        return -1;
    }
    if (path[0] == '/')
        (void)snprintf(folder, size, "%s", path);
    else
        (void)snprintf(folder, size, "/proc/%lld/cwd/%s", pid, path);
    free(path);
    return 0;
}

int stint_find_listeners(int count, char **arguments, int *wants_all,
                         void (*tell)(void *context, long long pid, const char *folder), void *context)
{
    if (optind < count && *wants_all) {
        stint_cli_say("give processes or --all, not both");
        return STINT_CLI_USAGE;
    }
    *wants_all = optind == count;
    for (int i = optind; i < count; i++) {
        char folder[PATH_MAX + 64];
        long long pid;
        if (stint_read_pid(arguments[i], &pid))
            return STINT_CLI_USAGE;
        if (stint_find_listener(folder, sizeof folder, pid))
            return STINT_CLI_NO;
        tell(context, pid, folder);
    }
    return STINT_CLI_OK;
}

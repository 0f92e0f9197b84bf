/* Forks a process for something dangerous, waits for it no longer than a minute, and reads its result from a pipe. */
#include "cli/trial.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_S = 60 };

/* Its environment is this one's, without the variables that would make libstint start or report by itself. */
static void run(stint_trial_fn *try, const char *path, void *result, size_t size, int pipe)
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
        run(try, path, result, size, ends[1]);
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

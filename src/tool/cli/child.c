/* Starts a program, and behaves towards the shell and the terminal as the program itself would: it passes signals on,
 * stops and continues with it, and ends as it ended. */
#include "cli/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"

/* ---------------------------------------------------------------------------------------------------------- signals */

static const int s_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

enum { SIGNALS = sizeof s_signals / sizeof s_signals[0] };

static struct sigaction s_before[SIGNALS], s_child_before;
static volatile sig_atomic_t s_child; /* 0: none */
static volatile sig_atomic_t s_watch; /* while this process is stopped: who wakes it up; 0: nobody */

/* A terminal signals the whole process group, which includes the program: only signals from processes are forwarded. */
static void forward(int signal, siginfo_t *info, void *context)
{
    int error = errno;
    (void)context;
    if (s_child && info->si_code <= 0 && info->si_pid != (pid_t)s_child && info->si_pid != (pid_t)s_watch)
        (void)kill((pid_t)s_child, signal);
    errno = error;
}

/* Signals that are ignored, for example by nohup, remain ignored in the program. */
static void watch_signals(void)
{
    struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO};
    struct sigaction otherwise = {.sa_handler = SIG_DFL};
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++)
        (void)sigaction(s_signals[i], &action, &s_before[i]);
    (void)sigaction(SIGCHLD, &otherwise, &s_child_before); /* if it were ignored, there would be no exit status */
}

static void restore_signals(void)
{
    for (size_t i = 0; i < SIGNALS; i++)
        (void)sigaction(s_signals[i], &s_before[i], NULL);
    (void)sigaction(SIGCHLD, &s_child_before, NULL);
}

/* -------------------------------------------------------------------------------------------------------- processes */

/* In the new process. If the program cannot be run, sends errno through the pipe; exec closes it otherwise. */
static void become(const struct stint_launch *launch, int pipe, const sigset_t *mask)
{
    restore_signals();
    (void)sigprocmask(SIG_SETMASK, mask, NULL);
    launch->prepare(launch->context);
    (void)execvp(launch->arguments[0], launch->arguments);
    int error = errno;
    (void)!write(pipe, &error, sizeof error);
    _exit(STINT_CLI_NOT_FOUND);
}

/* Reads /proc/PID/stat. Returns what is behind the process's name, which may contain anything: its state first. */
static const char *read_state(pid_t pid, char *text, size_t size)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        (void)close(fd);
    text[length > 0 ? length : 0] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] ? name_end + 2 : "";
}

static int is_stopped(pid_t pid)
{
    char text[512];
    const char *state = read_state(pid, text, sizeof text);
    return *state == 'T' || *state == 't';
}

static uint64_t ns_of(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_usec * 1000;
}

/* What processes used that this one has waited for. */
static uint64_t reaped_cpu_ns(pid_t pid)
{
    enum { BEFORE = 13 }; /* numbers between the state and these */
    char text[512], *end;
    const char *at = read_state(pid, text, sizeof text);
    for (int i = 0; i < BEFORE; i++) {
        at = strchr(at, ' ');
        if (!at++)
            return 0;
    }
    uint64_t ticks = strtoull(at, &end, 10);
    ticks += strtoull(end, NULL, 10);
    return ticks * (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* In a process of its own: wakes the other when the program goes on, or has ended, while that is stopped. */
static void watch(pid_t child, pid_t stopped)
{
    static const struct timespec pause = {0, 50000000};
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    while (getppid() == stopped) {
        if (!is_stopped(child) && is_stopped(stopped))
            (void)kill(stopped, SIGCONT);
        (void)nanosleep(&pause, NULL);
    }
    _exit(0);
}

/* A shell expects a job to be stopped as a whole. Whoever continues this process continues the program (SIGCONT is
 * forwarded); but the program may be continued, or killed, alone. */
static void stop_with(pid_t child)
{
    pid_t self = getpid(), watcher = fork();
    if (watcher == 0)
        watch(child, self);
    s_watch = watcher;
    (void)kill(self, SIGSTOP);
    if (watcher > 0) {
        (void)kill(watcher, SIGKILL);
        (void)waitpid(watcher, NULL, 0);
    }
    s_watch = 0;
}

/* Also waits for orphans, because stint_launch made this process their reaper. */
static void wait_for(struct stint_launch *launch, pid_t child)
{
    struct rusage used;
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOWAIT) && errno != EINTR)
            return;
        uint64_t reaped_ns = info.si_pid == child ? reaped_cpu_ns(child) : 0;
        pid_t pid = info.si_pid ? wait4(info.si_pid, &launch->status, WUNTRACED | WNOHANG, &used) : 0;
        if (pid > 0 && !WIFSTOPPED(launch->status))
            launch->children_cpu_ns += pid == child ? reaped_ns : ns_of(&used.ru_utime) + ns_of(&used.ru_stime);
        if (pid == child && !WIFSTOPPED(launch->status))
            return;
        if (pid == child)
            stop_with(child);
    }
}

static int any_left(void)
{
    pid_t pid;
    do
        pid = waitpid(-1, NULL, WNOHANG);
    while (pid > 0);
    return pid == 0;
}

/* Returns the error that the new process met, or 0. */
static int read_error(int pipe)
{
    int error = 0;
    ssize_t length;
    do
        length = read(pipe, &error, sizeof error);
    while (length < 0 && errno == EINTR);
    return length == (ssize_t)sizeof error ? error : 0;
}

static void launch_with(struct stint_launch *launch, const int pipe[2])
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, &before); /* signals that arrive now are for the program */
    pid_t child = fork();
    if (child == 0)
        become(launch, pipe[1], &before);
    launch->error = child < 0 ? errno : 0;
    s_child = child < 0 ? 0 : child;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    (void)close(pipe[1]);
    if (launch->error)
        return;
    launch->error = read_error(pipe[0]);
    launch->pid = child;
    if (!launch->error && launch->started)
        launch->started(launch->context, child);
    wait_for(launch, child);
    s_child = 0;
    launch->survivors = any_left();
}

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t children_cpu_ns(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_CHILDREN, &usage) ? 0 : ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime);
}

void stint_launch(struct stint_launch *launch)
{
    int pipe[2];
    uint64_t began_ns = now_ns(), cpu_ns = children_cpu_ns();
    launch->error = launch->status = launch->survivors = 0;
    launch->children_cpu_ns = 0;
    if (pipe2(pipe, O_CLOEXEC)) {
        launch->error = errno;
        return;
    }
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    watch_signals();
    launch_with(launch, pipe);
    restore_signals();
    launch->wall_ns = now_ns() - began_ns;
    launch->cpu_ns = children_cpu_ns() - cpu_ns;
    (void)close(pipe[0]);
}

/* -------------------------------------------------------------------------------------------------------------- end */

/* One core file is enough. */
static void die_of(int signal)
{
    static const struct rlimit none = {0, 0};
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)sigaction(signal, &action, NULL);
    (void)sigemptyset(&set);
    (void)sigaddset(&set, signal);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
    (void)kill(getpid(), signal);
}

int stint_launch_end(const struct stint_launch *launch)
{
    if (launch->error)
        return launch->error == ENOENT ? STINT_CLI_NOT_FOUND : STINT_CLI_NOT_EXECUTABLE;
    if (!WIFSIGNALED(launch->status))
        return WEXITSTATUS(launch->status);
    die_of(WTERMSIG(launch->status));
    return 128 + WTERMSIG(launch->status);
}

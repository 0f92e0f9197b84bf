/* Uses signals as programs do, each in a way that a sampler's own signal must not disturb. Usage: signals WAY */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned s_sink;
static volatile int s_handled;

static void spin(unsigned ms)
{
    struct timespec now;
    long long end = 0;
    do {
        for (unsigned i = 0; i < 5000; i++)
            s_sink += i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        if (!end)
            end = now.tv_sec * 1000000000LL + now.tv_nsec + ms * 1000000LL;
    } while (now.tv_sec * 1000000000LL + now.tv_nsec < end);
}

static sigset_t block_all(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    return all;
}

static void expect(const char *what, long actual, long expected)
{
    if (actual == expected)
        return;
    fprintf(stderr, "signals: %s is %ld, not %ld\n", what, actual, expected);
    exit(1);
}

/* What the thread sends itself. */
static const int s_own[] = {SIGUSR1, SIGTERM, SIGHUP};

static void waits(void)
{
    sigset_t all = block_all();
    struct timespec moment = {0, 30000000};
    siginfo_t info;
    int number = 0;
    expect("a wait for nothing", sigtimedwait(&all, NULL, &moment), -1);
    expect("its error", errno, EAGAIN);
    for (size_t i = 0; i < sizeof s_own / sizeof s_own[0]; i++) {
        spin(10);
        raise(s_own[i]);
        expect("sigwait()", sigwait(&all, &number), 0);
        expect("its signal", number, s_own[i]);
    }
    raise(SIGRTMAX - 1);
    expect("sigwaitinfo()", sigwaitinfo(&all, &info), SIGRTMAX - 1);
    expect("its sender", info.si_pid, getpid());
}

static void reads(void)
{
    sigset_t all = block_all();
    struct signalfd_siginfo info;
    struct pollfd file = {.fd = signalfd(-1, &all, 0), .events = POLLIN};
    spin(30);
    expect("what there is to read", poll(&file, 1, 30), 0);
    raise(SIGUSR1);
    expect("poll()", poll(&file, 1, 1000), 1);
    expect("what is read", read(file.fd, &info, sizeof info), sizeof info);
    expect("the signal", info.ssi_signo, SIGUSR1);
}

static void reads_one(void)
{
    sigset_t one;
    struct signalfd_siginfo info;
    sigemptyset(&one);
    sigaddset(&one, SIGRTMAX - 1);
    pthread_sigmask(SIG_BLOCK, &one, NULL);
    struct pollfd file = {.fd = signalfd(-1, &one, 0), .events = POLLIN};
    pthread_kill(pthread_self(), SIGRTMAX - 1);
    expect("what is read", read(file.fd, &info, sizeof info), sizeof info);
    expect("its sender", info.ssi_pid, getpid());
    spin(50);
    expect("what there is to read", poll(&file, 1, 0), 0);
}

static void handle(int number)
{
    expect("the handler's signal", number, SIGRTMAX - 1);
    s_handled++;
}

static void handles(void)
{
    struct sigaction before, action = {.sa_handler = handle};
    spin(50);
    expect("sigaction()", sigaction(SIGRTMAX - 1, &action, &before), 0);
    expect("the handler before", before.sa_handler == SIG_DFL, 1);
    spin(50);
    raise(SIGRTMAX - 1);
    spin(50);
    expect("how often the handler ran", s_handled, 1);
    expect("the handler before", signal(SIGRTMAX - 1, SIG_DFL) == handle, 1);
    spin(50);
}

static const char *name_of(const struct sigaction *action)
{
    return action->sa_handler == SIG_DFL ? "default" : action->sa_handler == SIG_IGN ? "ignored" : "handled";
}

static void show(const char *where)
{
    sigset_t mask, pending;
    struct sigaction action;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    sigpending(&pending);
    for (int number = 1; number < NSIG; number++)
        if (!sigaction(number, NULL, &action))
            printf("%s: %d is %s, flags %#x%s%s\n", where, number, name_of(&action), (unsigned)action.sa_flags,
                   sigismember(&mask, number) == 1 ? ", blocked" : "",
                   sigismember(&pending, number) == 1 ? ", pending" : "");
}

__attribute__((constructor)) static void see_before_main(int count, char **arguments)
{
    if (count > 1 && !strcmp(arguments[1], "sees"))
        show("before main");
}

/* What it prints is to be as without stint. */
static void sees(void)
{
    sigset_t all;
    spin(20);
    show("in main");
    all = block_all();
    spin(20);
    show("blocked");
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    fflush(stdout);
    if (fork() == 0) {
        spin(20);
        show("in a child");
        exit(0);
    }
    wait(NULL);
    for (int number = 1; number < NSIG; number++)
        printf("%d was default: %d\n", number, signal(number, SIG_DFL) == SIG_DFL);
    show("at the end");
}

/* As daemons, and those that begin other programs. */
static void resets(void)
{
    for (int number = 1; number <= SIGRTMAX; number++)
        if (number != SIGKILL && number != SIGSTOP)
            signal(number, SIG_DFL);
    spin(100);
}

static void ends(void)
{
    spin(20);
    raise(SIGRTMAX - 1);
    exit(1);
}

static void *block_and_spin(void *unused)
{
    sigset_t all = block_all();
    spin(150);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    return unused;
}

static void blocks(void)
{
    pthread_t thread;
    if (!pthread_create(&thread, NULL, block_and_spin, NULL))
        pthread_join(thread, NULL);
    spin(50);
}

static void *write_later(void *files)
{
    struct timespec moment = {0, 50000000};
    while (nanosleep(&moment, &moment))
        continue;
    expect("write()", write(((int *)files)[1], "x", 1), 1);
    return NULL;
}

static void restarts(void)
{
    pthread_t thread;
    int files[2];
    char byte;
    if (pipe(files) || pthread_create(&thread, NULL, write_later, files))
        exit(1);
    expect("read()", read(files[0], &byte, 1), 1);
    pthread_join(thread, NULL);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"waits", waits},     {"reads", reads},       {"reads-one", reads_one},
                {"handles", handles}, {"resets", resets},     {"ends", ends},
                {"blocks", blocks},   {"restarts", restarts}, {"sees", sees}};

    for (size_t i = 0; count > 1 && i < sizeof ways / sizeof ways[0]; i++)
        if (!strcmp(arguments[1], ways[i].name)) {
            ways[i].run();
            puts("undisturbed");
            return 0;
        }
    return 2;
}

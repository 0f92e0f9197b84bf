/* Uses signals as programs do, each in a way that a sampler's own signal must not disturb. Usage: signals WAY */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
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
    stack_t stack;
    if (!sigaltstack(NULL, &stack))
        printf("%s: flags of the signal stack: %#x\n", where, (unsigned)stack.ss_flags);
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
    spin(20);
    show("in main");
    sigset_t all = block_all();
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

enum { LIMIT_MS = 30 };

static const struct timespec s_limit = {0, LIMIT_MS * 1000000};
static double s_began_ms;

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct timespec limit_of(clockid_t clock)
{
    struct timespec at;
    clock_gettime(clock, &at);
    at.tv_nsec += s_limit.tv_nsec;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

/* A call that waits ends when its time is over, with the error that says so, or 0. */
static void lasts(const char *what, long result, int error)
{
    int now = result < 0 ? errno : 0;
    double took_ms = now_ms() - s_began_ms;
    if (now != error || took_ms < LIMIT_MS - 0.1) {
        fprintf(stderr, "signals: %s: %s after %.1f ms\n", what, strerror(now), took_ms);
        exit(1);
    }
    s_began_ms = now_ms();
}

#define LASTS(call, error) lasts(#call, call, error)

static void waits_on_time(void)
{
    struct timespec rest;
    struct timeval time = {0, LIMIT_MS * 1000};
    LASTS(nanosleep(&s_limit, &rest), 0);
    LASTS(clock_nanosleep(CLOCK_MONOTONIC, 0, &s_limit, NULL), 0);
    LASTS(usleep(LIMIT_MS * 1000), 0);
    LASTS(thrd_sleep(&s_limit, NULL), 0);
    LASTS(select(0, NULL, NULL, NULL, &time), 0);
}

static void waits_for_files(const sigset_t *mask)
{
    int files[2], epoll = epoll_create1(0);
    struct epoll_event event;
    expect("pipe()", pipe(files), 0);
    struct pollfd file = {.fd = files[0], .events = POLLIN};
    LASTS(poll(&file, 1, LIMIT_MS), 0);
    LASTS(ppoll(&file, 1, &s_limit, NULL), 0);
    LASTS(ppoll(&file, 1, &s_limit, mask), 0);
    LASTS(pselect(0, NULL, NULL, NULL, &s_limit, mask), 0);
    LASTS(epoll_wait(epoll, &event, 1, LIMIT_MS), 0);
    LASTS(epoll_pwait(epoll, &event, 1, LIMIT_MS, mask), 0);
}

static void waits_for_others(const sigset_t *mask)
{
    sem_t semaphore;
    int queue = msgget(IPC_PRIVATE, 0600), set = semget(IPC_PRIVATE, 1, 0600), word = 0;
    struct sembuf down = {0, -1, 0};
    sem_init(&semaphore, 0, 0);
    struct timespec at = limit_of(CLOCK_REALTIME);
    LASTS(sem_timedwait(&semaphore, &at), ETIMEDOUT);
    at = limit_of(CLOCK_MONOTONIC);
    LASTS(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &at), ETIMEDOUT);
    LASTS(semtimedop(set, &down, 1, &s_limit), EAGAIN);
    LASTS(sigtimedwait(mask, NULL, &s_limit), EAGAIN);
    LASTS(syscall(SYS_futex, &word, 0, 0, &s_limit), ETIMEDOUT);
    msgctl(queue, IPC_RMID, NULL);
    semctl(set, 0, IPC_RMID);
}

static void *transfer_later(void *file)
{
    nanosleep(&s_limit, NULL);
    expect("what a thread writes", write(*(int *)file, "!", 1), 1);
    return NULL;
}

static void waits_for_transfers(void)
{
    char byte;
    int files[2];
    pthread_t thread;
    expect("pipe()", pipe(files), 0);
    struct aiocb request = {.aio_fildes = files[0], .aio_buf = &byte, .aio_nbytes = 1, .aio_lio_opcode = LIO_READ};
    struct aiocb *requests[] = {&request};
    expect("aio_read()", aio_read(&request), 0);
    s_began_ms = now_ms();
    LASTS(aio_suspend((const struct aiocb *const *)requests, 1, &s_limit), EAGAIN);
    expect("what the program writes", write(files[1], "!", 1), 1);
    while (aio_error(&request) == EINPROGRESS)
        spin(1);
    expect("pthread_create()", pthread_create(&thread, NULL, transfer_later, &files[1]), 0);
    s_began_ms = now_ms();
    LASTS(lio_listio(LIO_WAIT, requests, 1, NULL), 0);
    pthread_join(thread, NULL);
}

static void *read_slowly(void *files)
{
    char bytes[4096];
    nanosleep(&s_limit, NULL);
    while (read(((int *)files)[0], bytes, sizeof bytes) > 0)
        continue;
    return NULL;
}

/* A part of what was asked for is no less a sign that somebody has interrupted. */
static void transfers_all(void)
{
    static char bytes[1 << 24];
    struct timeval time = {0, LIMIT_MS * 1000};
    struct iovec parts = {bytes, sizeof bytes};
    pthread_t thread;
    int files[2], pair[2];
    expect("pipe()", pipe(files), 0);
    expect("pthread_create()", pthread_create(&thread, NULL, read_slowly, files), 0);
    expect("what write() writes", write(files[1], bytes, sizeof bytes), sizeof bytes);
    expect("what writev() writes", writev(files[1], &parts, 1), sizeof bytes);
    close(files[1]);
    pthread_join(thread, NULL);
    files[0] = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    expect("what read() reads", read(files[0], bytes, sizeof bytes), sizeof bytes);
    expect("what readv() reads", readv(files[0], &parts, 1), sizeof bytes);
    expect("getrandom()", getrandom(bytes, 1 << 20, 0), 1 << 20);
    expect("socketpair()", socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    s_began_ms = now_ms();
    LASTS(recv(pair[0], bytes, 1, 0), EAGAIN);
    LASTS(read(pair[0], bytes, 1), EAGAIN);
}

static void note_signal(int number)
{
    s_handled++;
}

int x_open_sigpause(int number) __asm__("__xpg_sigpause"); /* which headers call deprecated */

/* The program's own handlers interrupt what they always have. */
static void is_interrupted(void)
{
    struct itimerval soon = {{0, 0}, {0, LIMIT_MS * 1000}};
    sigset_t none;
    sigemptyset(&none);
    signal(SIGALRM, note_signal);
    setitimer(ITIMER_REAL, &soon, NULL);
    LASTS(poll(NULL, 0, 10000), EINTR);
    setitimer(ITIMER_REAL, &soon, NULL);
    LASTS(pause(), EINTR);
    setitimer(ITIMER_REAL, &soon, NULL);
    LASTS(sigsuspend(&none), EINTR);
    setitimer(ITIMER_REAL, &soon, NULL);
    LASTS(x_open_sigpause(SIGUSR1), EINTR);
    expect("how often the handler ran", s_handled, 4);
}

static void lasts_as_long(void)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    s_began_ms = now_ms();
    waits_on_time();
    waits_for_files(&mask);
    waits_for_others(&mask);
    waits_for_transfers();
    transfers_all();
    is_interrupted();
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

static sem_t s_turns, s_begun;
static int s_woken;
static long s_tid;

static void *wait_for_turn(void *number)
{
    s_tid = syscall(SYS_gettid);
    sem_post(&s_begun);
    sem_wait(&s_turns);
    *(int *)number = __atomic_fetch_add(&s_woken, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static int sleeps(long tid)
{
    char path[64], state = '\0';
    (void)snprintf(path, sizeof path, "/proc/self/task/%ld/stat", tid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d %*s %c", &state) != 1)
        state = '\0';
    if (file)
        fclose(file);
    return state == 'S';
}

/* Who waits first goes on first. */
static void queues(void)
{
    enum { THREADS = 8 };
    static const struct timespec moment = {0, 5000000};
    pthread_t threads[THREADS];
    int turns[THREADS];
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, wait_for_turn, &turns[i]);
        sem_wait(&s_begun);
        while (!sleeps(s_tid))
            continue;
        nanosleep(&moment, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        sem_post(&s_turns);
        while (__atomic_load_n(&s_woken, __ATOMIC_SEQ_CST) == i)
            continue;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        expect("the turn of a thread", turns[i], i);
    }
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"waits", waits},   {"reads", reads},         {"reads-one", reads_one}, {"handles", handles},
                {"resets", resets}, {"ends", ends},           {"blocks", blocks},       {"restarts", restarts},
                {"sees", sees},     {"lasts", lasts_as_long}, {"queues", queues}};

    for (size_t i = 0; count > 1 && i < sizeof ways / sizeof ways[0]; i++)
        if (!strcmp(arguments[1], ways[i].name)) {
            ways[i].run();
            puts("undisturbed");
            return 0;
        }
    return 2;
}

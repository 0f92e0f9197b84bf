/* A program that waits in the C library, as its argument says. It exits with 0, or with the line of what went wrong.
 * With WITH_STINT it is linked with stint and has a scope. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#ifdef WITH_STINT
#include "stint/stint.h"
#define SCOPE(name) STINT_SCOPE(name)
#else
#define SCOPE(name) (void)0
#endif

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            _exit(__LINE__ % 200 + 50);                                                                                \
    } while (0)

static const struct timespec s_moment = {0, 2000000};
static const char *s_self;

static struct timespec soon(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += s_moment.tv_nsec;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

/* ----------------------------------------------------------------------------------------------------------- counts */

static void *return_at_once(void *argument)
{
    return argument;
}

static int count_files(void)
{
    char byte = 'x', path[] = "/tmp/osrt_XXXXXX";
    int ends[2], file = mkstemp(path);
    REQUIRE(file >= 0 && !unlink(path) && !pipe(ends));
    for (int i = 0; i < 5; ++i)
        REQUIRE(write(ends[1], &byte, 1) == 1);
    for (int i = 0; i < 5; ++i)
        REQUIRE(read(ends[0], &byte, 1) == 1);
    for (int i = 0; i < 3; ++i)
        REQUIRE(pwrite(file, "abc", 3, 3 * i) == 3);
    REQUIRE(fsync(file) == 0);
    FILE *stream = fopen("/dev/null", "r");
    REQUIRE(stream && fgets(path, sizeof path, stream) == NULL && fread(path, 1, 1, stream) == 0 && !fclose(stream));
    return 0;
}

static int count_waits(void)
{
    pthread_t threads[4];
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec limit;
    struct pollfd none;
    sem_t semaphore;
    for (int i = 0; i < 4; ++i)
        REQUIRE(!pthread_create(&threads[i], NULL, return_at_once, NULL));
    for (int i = 0; i < 4; ++i)
        REQUIRE(!pthread_join(threads[i], NULL));
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 3; ++i) {
        limit = soon();
        REQUIRE(pthread_cond_timedwait(&condition, &lock, &limit) == ETIMEDOUT);
    }
    pthread_mutex_unlock(&lock);
    limit = soon();
    REQUIRE(!sem_init(&semaphore, 0, 0) && sem_timedwait(&semaphore, &limit) == -1 && errno == ETIMEDOUT);
    REQUIRE(poll(&none, 0, 2) == 0 && poll(&none, 0, 2) == 0);
    for (int i = 0; i < 6; ++i)
        REQUIRE(!nanosleep(&s_moment, NULL));
    return 0;
}

static int count_others(void)
{
    int word = 0, left = 0, status;
    pid_t child = fork();
    if (!child)
        _exit(7);
    REQUIRE(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
    REQUIRE(syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, &s_moment, NULL, 0) == -1);
    REQUIRE(errno == ETIMEDOUT && syscall(SYS_getpid) == getpid());
    REQUIRE(ioctl(0, FIONREAD, &left) == 0 || errno);
    return 0;
}

static int counts(void)
{
    SCOPE("counts");

    return count_files() || count_waits() || count_others();
}

/* ------------------------------------------------------------------------------------------------------------ locks */

static pthread_mutex_t s_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t s_held;

static void *hold_for_a_moment(void *argument)
{
    pthread_mutex_lock(&s_lock);
    sem_post(&s_held);
    nanosleep(&(struct timespec){0, 30000000}, NULL);
    pthread_mutex_unlock(&s_lock);
    return argument;
}

static int wait_for_a_lock(void)
{
    pthread_t thread;
    for (int i = 0; i < 1000; ++i) {
        REQUIRE(!pthread_mutex_lock(&s_lock));
        REQUIRE(!pthread_mutex_unlock(&s_lock));
    }
    REQUIRE(!sem_init(&s_held, 0, 0) && !pthread_create(&thread, NULL, hold_for_a_moment, NULL));
    while (sem_wait(&s_held))
        continue;
    REQUIRE(!pthread_mutex_lock(&s_lock) && !pthread_mutex_unlock(&s_lock));
    return pthread_join(thread, NULL);
}

/* What locks say must not change because the wrapper tries them first. */
static int locks(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t checked, again;
    pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
    pthread_spinlock_t spin;
    mtx_t mutex;
    REQUIRE(!pthread_mutexattr_init(&attributes));
    REQUIRE(!pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK));
    REQUIRE(!pthread_mutex_init(&checked, &attributes) && !pthread_mutex_lock(&checked));
    REQUIRE(pthread_mutex_lock(&checked) == EDEADLK);
    REQUIRE(!pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE));
    REQUIRE(!pthread_mutex_init(&again, &attributes));
    REQUIRE(!pthread_mutex_lock(&again) && !pthread_mutex_lock(&again));
    REQUIRE(!pthread_rwlock_rdlock(&shared) && !pthread_rwlock_rdlock(&shared));
    REQUIRE(!pthread_rwlock_unlock(&shared) && !pthread_rwlock_unlock(&shared));
    REQUIRE(!pthread_rwlock_wrlock(&shared) && pthread_rwlock_wrlock(&shared) == EDEADLK);
    REQUIRE(!pthread_spin_init(&spin, 0) && !pthread_spin_lock(&spin) && !pthread_spin_unlock(&spin));
    REQUIRE(mtx_init(&mutex, mtx_plain) == thrd_success && mtx_lock(&mutex) == thrd_success);
    return wait_for_a_lock();
}

/* ----------------------------------------------------------------------------------------------------------- errors */

static int errors(void)
{
    struct stat about;
    char path[] = "/tmp/osrt_XXXXXX", byte;
    sem_t semaphore;
    REQUIRE(read(-1, &byte, 1) == -1 && errno == EBADF);
    REQUIRE(open("/no/such/file", O_RDONLY) == -1 && errno == ENOENT);
    errno = 0;
    REQUIRE(!sem_init(&semaphore, 0, 1) && !sem_wait(&semaphore) && errno == 0);
    int file = mkstemp(path);
    REQUIRE(file >= 0 && !unlink(path) && !close(file));
    file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0640);
    REQUIRE(file >= 0 && !fstat(file, &about) && (about.st_mode & 0777) == 0640 && !unlink(path));
    REQUIRE(fcntl(file, F_DUPFD, 40) == 40 && fcntl(40, F_GETFD) == 0);
    return close(40);
}

/* ---------------------------------------------------------------------------------------------------------- signals */

static sigjmp_buf s_back;
static volatile sig_atomic_t s_handled;

static void write_in_handler(int signal)
{
    int error = errno;
    struct timespec time = {0, 5000000};
    (void)signal;
    nanosleep(&time, NULL);
    s_handled++;
    errno = error;
}

static void jump(int signal)
{
    (void)signal;
    siglongjmp(s_back, 1);
}

static void alarm_in(long us, void (*handler)(int signal))
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, us}}, NULL);
}

static int handler(void)
{
    int ends[2];
    char byte;
    REQUIRE(!pipe(ends));
    alarm_in(20000, write_in_handler);
    REQUIRE(read(ends[0], &byte, 1) == -1 && errno == EINTR && s_handled == 1);
    return 0;
}

/* Nobody has installed handlers: that is what the program is to be told. */
static int handlers(void)
{
    struct sigaction before;
    REQUIRE(!sigaction(SIGINT, NULL, &before) && before.sa_handler == SIG_DFL && !before.sa_flags);
    REQUIRE(signal(SIGTERM, write_in_handler) == SIG_DFL && signal(SIGTERM, SIG_IGN) == write_in_handler);
    REQUIRE(!sigaction(SIGTERM, NULL, &before) && before.sa_handler == SIG_IGN);
    REQUIRE(!nanosleep(&s_moment, NULL));
    return raise(SIGINT);
}

static int jumps(void)
{
    for (volatile int i = 0; i < 50; ++i)
        if (!sigsetjmp(s_back, 1)) {
            alarm_in(2000, jump);
            for (;;)
                pause();
        }
    return nanosleep(&s_moment, NULL);
}

/* ---------------------------------------------------------------------------------------------- threads, processes */

static int s_ends[2];

static void *read_forever(void *argument)
{
    char byte;
    (void)argument;
    (void)!read(s_ends[0], &byte, 1);
    return NULL;
}

static int cancelled(void)
{
    pthread_t thread;
    void *result = NULL;
    REQUIRE(!pipe(s_ends) && !pthread_create(&thread, NULL, read_forever, NULL));
    nanosleep(&s_moment, NULL);
    REQUIRE(!pthread_cancel(thread) && !pthread_join(thread, &result) && result == PTHREAD_CANCELED);
    return 0;
}

static int forks(void)
{
    int status;
    pid_t child = fork();
    REQUIRE(!nanosleep(&s_moment, NULL));
    if (!child)
        exit(0);
    return waitpid(child, &status, 0) != child || status;
}

/* With vfork, the child's calls are the parent's. */
static int spawns(void)
{
    char mode[] = "nothing", *arguments[] = {(char *)s_self, mode, NULL};
    extern char **environ;
    int status;
    pid_t child = vfork();
    if (!child) {
        execve(s_self, arguments, environ);
        _exit(1);
    }
    REQUIRE(waitpid(child, &status, 0) == child && !status);
    REQUIRE(!posix_spawn(&child, s_self, NULL, NULL, arguments, environ));
    REQUIRE(waitpid(child, &status, 0) == child && !status);
    REQUIRE(!system("true"));
    return 0;
}

/* Threads that wait, allocate, and come and go, while signals come whose handler waits, too. */
enum { WORKERS = 3, WAITS = 1500 };

static void *wait_and_allocate(void *argument)
{
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    for (int i = 0; i < WAITS; ++i) {
        char *memory = malloc(100 + (size_t)i);
        struct timespec limit;
        clock_gettime(CLOCK_REALTIME, &limit);
        pthread_mutex_lock(&s_lock);
        REQUIRE(memory && pthread_cond_timedwait(&condition, &s_lock, &limit) == ETIMEDOUT);
        pthread_mutex_unlock(&s_lock);
        free(memory);
    }
    return argument;
}

static void wait_shortly(int signal)
{
    int error = errno;
    (void)signal;
    nanosleep(&(struct timespec){0, 2000}, NULL);
    errno = error;
}

static int storm(void)
{
    struct sigaction action = {.sa_handler = wait_shortly, .sa_flags = SA_RESTART};
    pthread_t workers[WORKERS], thread;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 2000}, {0, 2000}}, NULL);
    for (int i = 0; i < WORKERS; ++i)
        REQUIRE(!pthread_create(&workers[i], NULL, wait_and_allocate, NULL));
    for (int i = 0; i < 200; ++i)
        REQUIRE(!pthread_create(&thread, NULL, return_at_once, NULL) && !pthread_join(thread, NULL));
    for (int i = 0; i < WORKERS; ++i)
        REQUIRE(!pthread_join(workers[i], NULL));
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    return 0;
}

static int nothing(void)
{
    return 0;
}

static const struct {
    const char *name;
    int (*run)(void);
} s_modes[] = {
    {"counts", counts},     {"locks", locks}, {"errors", errors},   {"handler", handler},
    {"handlers", handlers}, {"jumps", jumps}, {"forks", forks},     {"cancelled", cancelled},
    {"spawns", spawns},     {"storm", storm}, {"nothing", nothing},
};

int main(int count, char **arguments)
{
    s_self = arguments[0];
    for (size_t i = 0; count == 2 && i < sizeof s_modes / sizeof s_modes[0]; ++i)
        if (strcmp(s_modes[i].name, arguments[1]) == 0)
            return s_modes[i].run();
    return 2;
}

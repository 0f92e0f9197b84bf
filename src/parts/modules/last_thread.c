/* Ends the process where nobody else does after main has ended. The C library takes stint's threads for the program's,
 * and so does the kernel, if main has ended by a bare system call. Starts those that a short process does without. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "base/text.h"
#include "modules/module.h"
#include "record/part.h"
#include "runtime/runtime.h"
#include "support/own_thread.h"

#define NAME "stint-last"
enum { FIRST_NS = 8000000, MOST_NS = 999999999 }; /* between two looks */
enum { YOUNG_NS = 20000000 };                     /* for how long other threads are delayed */

static pthread_key_t s_key;
static int s_has_key;
static int s_runs;      /* main has not ended by pthread_exit */
static int *s_word;     /* what the kernel clears and wakes as main ends, if it tells which */
static int s_value;     /* until then */
static sigset_t s_mask; /* main's */

/* ---------------------------------------------------------------------------------------------------------- threads */

struct threads {
    int programs; /* how many are the program's */
    int64_t last; /* the least id of those that wait here, of several stints in the process */
};

/* Reads what the kernel tells of a thread; "" if it has ended. */
static void read_state(int64_t tid, char *text, size_t size)
{
    char path[48];
    (void)snprintf(path, sizeof path, "/proc/self/task/%lld/stat", (long long)tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        (void)close(fd);
    text[length > 0 ? length : 0] = '\0';
}

/* Stint's threads are known by their names, the kernel's for io_uring, too. Main stays as a zombie. */
static void count_thread(void *context, int64_t tid)
{
    struct threads *threads = context;
    char text[128];
    read_state(tid, text, sizeof text);
    const char *name = strchr(text, '('), *end = strrchr(text, ')');
    if (!name++ || !end)
        return; /* it has ended */
    if (stint_begins_with(name, NAME ")") && (!threads->last || tid < threads->last))
        threads->last = tid;
    threads->programs += !stint_begins_with(name, "stint-") && !stint_begins_with(name, "stint ") &&
                         !stint_begins_with(name, "iou-") && !stint_begins_with(end, ") Z");
}

/* ------------------------------------------------------------------------------------------------------------- ends */

static int is_alone(void)
{
    struct threads threads = {0};
    return !stint_each_thread(count_thread, &threads) && !threads.programs && threads.last == syscall(SYS_gettid);
}

/* Main's as wait(2) has it, of which the system still knows: the last number. */
static int status(void)
{
    char text[1024];
    read_state(getpid(), text, sizeof text);
    const char *last = strrchr(text, ' ');
    return last ? (int)strtol(last, NULL, 10) : 0;
}

/* As the last thread of the program would, which signals reach. */
static void exit_like_last(void)
{
    (void)pthread_sigmask(SIG_SETMASK, &s_mask, NULL);
    exit(0);
}

/* As the kernel would, with main's status. A sandbox may have ended it by a signal, as a thread among others. */
static void exit_like_main(void)
{
    static const sigset_t s_none;
    int ended = status(), number = ended & SCHAR_MAX;
    if (number) {
        stint_exit_report(0);
        (void)signal(number, SIG_DFL);
        (void)pthread_sigmask(SIG_SETMASK, &s_none, NULL);
        (void)raise(number);
    }
    _exit(ended >> CHAR_BIT);
}

static void end_process(void)
{
    stint_is_own_work = 0;
    if (__atomic_load_n(&s_runs, __ATOMIC_ACQUIRE))
        exit_like_main();
    else
        exit_like_last();
}

static long wake_waiting(void)
{
    return syscall(SYS_futex, s_word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Returns 0 if main has ended. The word may no longer be there. */
static int wait_for_main(const struct timespec *most)
{
    if (!__atomic_load_n(&s_runs, __ATOMIC_ACQUIRE))
        return 0;
    if (!syscall(SYS_futex, s_word, FUTEX_WAIT, s_value, most, NULL, 0) || errno == EINTR || errno == ETIMEDOUT)
        return 1;
    (void)wake_waiting(); /* who joins main waits for the same, and the kernel wakes one */
    return 0;
}

static struct stint_resting s_watch;

static void *watch(void *unused)
{
    struct timespec young = {0, YOUNG_NS};
    const struct timespec *most = &young;
    long ns = FIRST_NS;
    stint_own_thread(NAME);
    while (!stint_must_rest(&s_watch)) {
        int runs = wait_for_main(most);
        if (!runs && is_alone())
            end_process();
        if (!stint_process_is_confined())
            stint_threads_are_due();
        most = NULL;
        if (runs)
            continue;
        (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, ns}, NULL);
        ns = ns < MOST_NS / 2 ? 2 * ns : MOST_NS;
    }
    return unused;
}

/* It may be about to wait. */
static int wake(void)
{
    enum { TRIES = 100, PAUSE_NS = 100000 };
    for (int i = 0; i < TRIES && !wake_waiting(); i++)
        (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, PAUSE_NS}, NULL);
    return 0;
}

static struct stint_resting s_watch = {.run = watch, .wake = wake};

/* ------------------------------------------------------------------------------------------------------------ start */

static void begin_watch(void)
{
    if (stint_detach_resting(&s_watch))
        stint_threads_are_due();
}

static void main_ends(void *unused)
{
    (void)unused;
    (void)pthread_sigmask(SIG_SETMASK, NULL, &s_mask);
    __atomic_store_n(&s_runs, 0, __ATOMIC_RELEASE);
    (void)wake_waiting();
}

/* The calling thread is main: it is the one that the process, or the forked child, began with. */
static void know_main(void)
{
    int *word = NULL;
    int may_ask = !stint_process_was_confined() && !stint_process_is_confined();
    int is_told = may_ask && !prctl(PR_GET_TID_ADDRESS, &word, 0, 0, 0) && word;
    s_runs = 1;
    s_word = is_told ? word : &s_runs;
    s_value = is_told ? getpid() : 1;
    s_has_key = s_has_key || !pthread_key_create(&s_key, main_ends);
    if (s_has_key && !pthread_setspecific(s_key, &s_key))
        stint_with_first_thread(begin_watch);
}

/* Who begins to record first may be another thread. */
__attribute__((constructor(102))) static void begin(void)
{
    if (!s_value && syscall(SYS_gettid) == getpid())
        know_main();
}

static int rest(const void *offer)
{
    enum stint_rest_how how = ((const struct stint_rest_offer *)offer)->how;
    if (how == STINT_REST_IS_OVER)
        stint_threads_go_on();
    else
        stint_threads_rest();
    if (how == STINT_REST_FOR_GOOD)
        stint_exit_seal();
    return 1;
}

/* There if the program runs under ThreadSanitizer, which waits at the end for threads that are left. */
extern void __tsan_init(void) __attribute__((weak)); // NOLINT(bugprone-reserved-identifier)

static void end_threads(const struct stint_snapshot *snapshot, int is_news, int emergency, int is_exec)
{
    (void)snapshot;
    (void)is_news;
    if (__tsan_init && !emergency && !is_exec)
        stint_threads_rest();
}

STINT_PART(modules) = {
    .name = "modules",
    .at[STINT_AT_START] = begin,
    .at[STINT_IN_CHILD] = know_main,
    .report = end_threads,
    .attach = rest,
};

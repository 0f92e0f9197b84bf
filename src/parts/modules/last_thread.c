/* Ends the process where the C library cannot: it does so when the program's last thread ends, and takes stint's
 * threads for the program's. This matters only after main has ended by pthread_exit. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "modules/module.h"
#include "record/part.h"
#include "runtime/runtime.h"
#include "support/own_thread.h"

#define NAME "stint-last"
enum { MOST_NS = 999999999 }; /* between two looks */

static pthread_key_t s_key;
static int s_has_key;
static sigset_t s_mask; /* main's */

/* ---------------------------------------------------------------------------------------------------------- threads */

struct threads {
    int programs; /* how many are the program's */
    int64_t last; /* the least id of those that wait here, of several stints in the process */
};

static int begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Stint's threads are known by their names, the kernel's for io_uring, too. Main stays as a zombie. */
static void count_thread(void *context, int64_t tid)
{
    struct threads *threads = context;
    char path[48], text[128];
    (void)snprintf(path, sizeof path, "/proc/self/task/%lld/stat", (long long)tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        (void)close(fd);
    text[length > 0 ? length : 0] = '\0';
    const char *name = strchr(text, '('), *end = strrchr(text, ')');
    if (!name++ || !end)
        return; /* it has ended */
    if (begins_with(name, NAME ")") && (!threads->last || tid < threads->last))
        threads->last = tid;
    threads->programs += !begins_with(name, "stint-") && !begins_with(name, "stint ") && !begins_with(name, "iou-") &&
                         !begins_with(end, ") Z");
}

/* ------------------------------------------------------------------------------------------------------------- ends */

static int is_alone(void)
{
    struct threads threads = {0};
    return !stint_each_thread(count_thread, &threads) && !threads.programs && threads.last == syscall(SYS_gettid);
}

/* As the last thread of the program would, which signals reach. */
static void *end_process(void *unused)
{
    stint_own_thread(NAME);
    for (long ns = 8000000; !is_alone(); ns = ns < MOST_NS / 2 ? 2 * ns : MOST_NS) {
        struct timespec time = {0, ns};
        (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
    }
    stint_is_own_work = 0;
    (void)pthread_sigmask(SIG_SETMASK, &s_mask, NULL);
    exit(0);
    return unused;
}

static void wait_for_end(void)
{
    (void)stint_detach(end_process, NULL, NULL);
}

static void main_ends(void *unused)
{
    (void)unused;
    (void)pthread_sigmask(SIG_SETMASK, NULL, &s_mask);
    stint_once_detached(wait_for_end);
}

/* The calling thread is main: it is the one that the process, or the forked child, began with. */
static void watch_main(void)
{
    if (s_has_key)
        (void)pthread_setspecific(s_key, &s_key);
}

__attribute__((constructor)) static void begin(void)
{
    s_has_key = pthread_key_create(&s_key, main_ends) == 0;
    if (syscall(SYS_gettid) == getpid())
        watch_main();
}

static int rest(const void *offer)
{
    if (((const struct stint_rest_offer *)offer)->is_over)
        stint_threads_go_on();
    else
        stint_threads_rest();
    return 1;
}

STINT_PART(modules) = {.name = "modules", .at[STINT_IN_CHILD] = watch_main, .attach = rest};

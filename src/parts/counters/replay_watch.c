/* A thread with a deadline for each counted kernel: a replay that waits for another kernel would never end, and nothing
 * else could say why. */
#include "counters/replay_watch.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "base/log.h"
#include "base/threads.h"

enum { MOST_SECONDS = 1000000 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int started;
    long seconds;     /* 0: nothing is watched */
    const char *name; /* of the kernel that is counted; NULL: none is */
    struct timespec until;
} s_watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* Nothing that waits for the device may run any more, so there is no report. */
static void give_up(const char *name)
{
    size_t space = strcspn(name, "(<");
    STINT_LOG(STINT_LOG_ERROR,
              "the kernel %.300s has not ended in %ld s of being counted, so the program is ended: it may wait for the "
              "host, or for a kernel that is launched later; leave it out by stint run --counters ... --kernels "
              "'!%.*s*' (STINT_COUNTERS_KERNELS), or give it more time (STINT_COUNTERS_TIMEOUT)",
              name, s_watch.seconds, (int)(space < 200 ? space : 200), name);
    (void)syscall(SYS_exit_group, STINT_REPLAY_TIMEOUT);
}

static int is_over(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec > s_watch.until.tv_sec ||
           (now.tv_sec == s_watch.until.tv_sec && now.tv_nsec >= s_watch.until.tv_nsec);
}

static void *watch(void *unused)
{
    stint_own_thread("stint watch");
    pthread_mutex_lock(&s_watch.lock);
    for (;;) {
        if (!s_watch.name)
            pthread_cond_wait(&s_watch.changed, &s_watch.lock);
        else
            (void)pthread_cond_timedwait(&s_watch.changed, &s_watch.lock, &s_watch.until);
        if (s_watch.name && is_over())
            give_up(s_watch.name);
    }
    return unused;
}

static void start(void)
{
    s_watch.seconds = (long)stint_env_number("STINT_COUNTERS_TIMEOUT", 0, 1, MOST_SECONDS);
    s_watch.started = !s_watch.seconds || !stint_detach(watch, NULL, NULL);
}

void stint_replay_watch_begin(const char *name)
{
    if (!s_watch.started)
        start();
    if (!s_watch.seconds)
        return;
    pthread_mutex_lock(&s_watch.lock);
    (void)clock_gettime(CLOCK_REALTIME, &s_watch.until);
    s_watch.until.tv_sec += s_watch.seconds;
    s_watch.name = name;
    pthread_cond_signal(&s_watch.changed);
    pthread_mutex_unlock(&s_watch.lock);
}

void stint_replay_watch_end(void)
{
    if (!s_watch.seconds)
        return;
    pthread_mutex_lock(&s_watch.lock);
    s_watch.name = NULL;
    pthread_mutex_unlock(&s_watch.lock);
}

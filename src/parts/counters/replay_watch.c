/* A thread with a deadline for each counted kernel: a replay that waits for another kernel would never end, and nothing
 * else could say why. Before a replay CUPTI saves what the kernel may write, that is, the whole memory of the device
 * that is in use: its size is compared with what device, host and container have free. */
#include "counters/counted_device.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "counters/counter_plan.h"
#include "support/own_thread.h"

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

static int device_memory(size_t *free_bytes, size_t *all_bytes)
{
    static int (*get)(size_t * free_bytes, size_t * all_bytes);
    if (!get)
        stint_driver_function("cuMemGetInfo_v2", &get);
    return get ? get(free_bytes, all_bytes) : -1;
}

/* Returns the number behind `key` in a small file, or UINT64_MAX, as for the word "max". */
static uint64_t number_in(const char *path, const char *key)
{
    char text[4096];
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        (void)fclose(file);
    text[length] = '\0';
    const char *at = strstr(text, key);
    at = at ? at + strlen(key) : "";
    at += strspn(at, " \t");
    return *at >= '0' && *at <= '9' ? strtoull(at, NULL, 10) : UINT64_MAX;
}

/* A container may have less than the machine. */
static uint64_t host_memory(void)
{
    uint64_t free_kib = number_in("/proc/meminfo", "MemAvailable:");
    uint64_t most = number_in("/sys/fs/cgroup/memory.max", ""), used = number_in("/sys/fs/cgroup/memory.current", "");
    uint64_t bytes = free_kib < UINT64_MAX >> 10 ? free_kib << 10 : UINT64_MAX;
    if (most == UINT64_MAX || used == UINT64_MAX)
        return bytes;
    uint64_t left = most > used ? most - used : 0;
    return left < bytes ? left : bytes;
}

int stint_replay_room(char *why, size_t size)
{
    size_t free_bytes, all_bytes;
    if (device_memory(&free_bytes, &all_bytes) || all_bytes - free_bytes <= free_bytes)
        return 0;
    uint64_t beyond = all_bytes - 2 * (uint64_t)free_bytes, host = host_memory();
    if (beyond <= host)
        return 0;
    (void)snprintf(
        why, size,
        "a replay may have to save the %.1f GB of the device that are in use, and only %.1f GB are free there "
        "and %.1f GB on the host; --replay-mode application saves nothing",
        (double)(all_bytes - free_bytes) / 1e9, (double)free_bytes / 1e9, (double)host / 1e9);
    return -1;
}

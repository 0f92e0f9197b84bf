/* The thread that shuts CUPTI down at the end, and that does in between what a callback must not do. It is made in
 * advance, since a process that crashes cannot make one, and asked by a semaphore, which a signal handler may post.
 * Waits never take longer than they are allowed to: for devices, on another thread, which is left behind if they do not
 * finish. */
#include "gpu/collector.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "gpu/callback.h"
#include "support/own_thread.h"

enum { LOOK_MS = 100 };

static struct {
    int made;
    sem_t wanted;
    pthread_t thread;
    void (*finish)(void);
    void (*look)(void); /* NULL: there is nothing to look at */
    int asked;
    int done;
} s_finisher;

static int is_asked(void)
{
    return __atomic_load_n(&s_finisher.asked, __ATOMIC_ACQUIRE);
}

static void *finish_when_asked(void *unused)
{
    stint_own_thread("stint-gpu");
    while (!is_asked()) {
        void (*look)(void) = __atomic_load_n(&s_finisher.look, __ATOMIC_ACQUIRE);
        if (look) {
            look();
            (void)stint_wait_for_post(&s_finisher.wanted, LOOK_MS);
        } else {
            (void)sem_wait(&s_finisher.wanted);
        }
    }
    s_finisher.finish();
    __atomic_store_n(&s_finisher.done, 1, __ATOMIC_RELEASE);
    return unused;
}

int stint_finisher_make(void (*finish)(void))
{
    if (s_finisher.made)
        return 0;
    s_finisher.finish = finish;
    if (sem_init(&s_finisher.wanted, 0, 0) || stint_detach(finish_when_asked, NULL, &s_finisher.thread))
        return -1;
    s_finisher.made = 1;
    return 0;
}

void stint_finisher_look(void (*look)(void))
{
    __atomic_store_n(&s_finisher.look, look, __ATOMIC_RELEASE);
    (void)sem_post(&s_finisher.wanted);
}

int stint_finisher_ask(uint64_t limit_ns)
{
    if (!__atomic_exchange_n(&s_finisher.asked, 1, __ATOMIC_ACQ_REL))
        (void)sem_post(&s_finisher.wanted);
    return stint_wait_for_flag(&s_finisher.done, limit_ns);
}

int stint_finisher_is_self(void)
{
    return s_finisher.made && pthread_equal(pthread_self(), s_finisher.thread);
}

void stint_finisher_give_up(void)
{
    __atomic_store_n(&s_finisher.done, 1, __ATOMIC_RELEASE);
    for (;;)
        pause();
}

struct waiting {
    const struct stint_driver *driver;
    int (*count)(int *devices);
    int (*synchronize)(void); /* waits for the current context */
    int failure;              /* of a device; 0: none */
    int done;
};

/* Contexts that a program created itself are not waited for, because it is unknown whether they still exist. */
static void wait_for_device(struct waiting *waiting, int device)
{
    unsigned flags;
    void *context;
    int active = 0;
    if (waiting->driver->primary_state(device, &flags, &active) || !active ||
        waiting->driver->retain_primary(&context, device))
        return;
    if (!waiting->driver->push(context)) {
        int failure = waiting->synchronize();
        if (failure)
            waiting->failure = failure;
        (void)waiting->driver->pop(&context);
    }
    (void)waiting->driver->release_primary(device);
}

static void *wait_for_all(void *argument)
{
    struct waiting *waiting = argument;
    int devices = 0;
    stint_own_thread("stint-gpu");
    stint_driver_own = 1;
    if (waiting->count(&devices))
        devices = 0;
    for (int device = 0; device < devices; device++)
        wait_for_device(waiting, device);
    __atomic_store_n(&waiting->done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static int find(struct waiting *waiting)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD); /* never closed, as in gpu/driver.c */
    void *count = library ? dlsym(library, "cuDeviceGetCount") : NULL;
    void *synchronize = library ? dlsym(library, "cuCtxSynchronize") : NULL;
    waiting->driver = stint_driver_find();
    if (!waiting->driver || !count || !synchronize)
        return -1;
    memcpy(&waiting->count, &count, sizeof count); /* ISO C has no such conversion */
    memcpy(&waiting->synchronize, &synchronize, sizeof synchronize);
    return 0;
}

/* Each pause is an eighth of the time so far, so that nobody waits much longer than necessary. */
int stint_wait_for_flag(const int *flag, uint64_t limit_ns)
{
    enum { SHORTEST_NS = 20000, LONGEST_NS = 2000000 };
    uint64_t begin = stint_clock_now_ns();

    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) {
        uint64_t waited = stint_clock_now_ns() - begin, pause = waited / 8 + SHORTEST_NS;
        if (waited > limit_ns)
            return -1;
        nanosleep(&(struct timespec){0, pause < LONGEST_NS ? (long)pause : LONGEST_NS}, NULL);
    }
    return 0;
}

int stint_wait_for_devices(uint64_t limit_ns)
{
    static struct waiting waiting; /* static because the thread may outlive the call; there is only one call, at exit */
    if (find(&waiting) || stint_detach(wait_for_all, &waiting, NULL))
        return 0;
    return stint_wait_for_flag(&waiting.done, limit_ns) ? -1 : waiting.failure;
}

/* Waits, but never for longer than it is allowed to: for devices, on a thread that is left behind if they do not
 * finish, and for a flag that another thread sets. */
#include "gpu/wait.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/threads.h"
#include "gpu/driver.h"

struct waiting {
    const struct stint_driver *driver;
    int (*count)(int *devices);
    int (*synchronize)(void); /* waits for the current context */
    int done;
};

/* Contexts that a program created itself are not waited for, because it is unknown whether they still exist. */
static void wait_for_device(const struct waiting *waiting, int device)
{
    unsigned flags;
    void *context;
    int active = 0;

    if (waiting->driver->primary_state(device, &flags, &active) || !active ||
        waiting->driver->retain_primary(&context, device))
        return;
    if (!waiting->driver->push(context)) {
        (void)waiting->synchronize();
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
    return stint_wait_for_flag(&waiting.done, limit_ns);
}

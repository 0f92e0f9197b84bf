/* Looks up functions of the CUDA driver in a program that may load it at any time, or never. Looking in vain is
 * expensive, so it is done again only when something has been loaded since. */
#include "gpu/driver.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

STINT_I_THREAD_LOCAL int stint_driver_own __attribute__((tls_model("initial-exec")));

enum { UNKNOWN, LOOKING, FOUND };

static struct stint_driver s_driver;

/* Where each function is stored, and its name. Of two for the same place, the first that exists is used. */
static const struct {
    uint16_t field;
    char name[34];
    uint8_t optional;
} s_functions[] = {
    {offsetof(struct stint_driver, context), "cuCtxGetCurrent", 0},
    {offsetof(struct stint_driver, push), "cuCtxPushCurrent_v2", 0},
    {offsetof(struct stint_driver, pop), "cuCtxPopCurrent_v2", 0},
    {offsetof(struct stint_driver, device), "cuCtxGetDevice", 0},
    {offsetof(struct stint_driver, primary_state), "cuDevicePrimaryCtxGetState", 0},
    {offsetof(struct stint_driver, retain_primary), "cuDevicePrimaryCtxRetain", 0},
    {offsetof(struct stint_driver, release_primary), "cuDevicePrimaryCtxRelease_v2", 1},
    {offsetof(struct stint_driver, release_primary), "cuDevicePrimaryCtxRelease", 0},
    {offsetof(struct stint_driver, create), "cuEventCreate", 0},
    {offsetof(struct stint_driver, record), "cuEventRecord", 0},
    {offsetof(struct stint_driver, elapsed), "cuEventElapsedTime_v2", 1},
    {offsetof(struct stint_driver, elapsed), "cuEventElapsedTime", 0},
    {offsetof(struct stint_driver, is_capturing), "cuStreamIsCapturing", 0},
    {offsetof(struct stint_driver, exchange_capture_mode), "cuThreadExchangeStreamCaptureMode", 1},
    {offsetof(struct stint_driver, context_id), "cuCtxGetId", 1},
    {offsetof(struct stint_driver, stream_id), "cuStreamGetId", 1},
};

/* The handle is not closed. It keeps the driver loaded, which the driver does anyway. */
static int look_up(struct stint_driver *driver)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return -1;
    for (size_t i = 0; i < sizeof s_functions / sizeof *s_functions; i++) {
        char *field = (char *)driver + s_functions[i].field;
        void *function; /* ISO C has no conversion to a pointer to a function */
        memcpy(&function, field, sizeof function);
        if (!function)
            function = dlsym(library, s_functions[i].name);
        if (!function && !s_functions[i].optional)
            return -1;
        memcpy(field, &function, sizeof function);
    }
    return 0;
}

static int take_adds(struct dl_phdr_info *info, size_t size, void *adds)
{
    (void)size;
    memcpy(adds, &info->dlpi_adds, sizeof info->dlpi_adds);
    return 1; /* stop after the first object: the count is the same in all */
}

/* How many objects the dynamic linker has ever loaded. Looking for a library that is not loaded costs it about 20
 * us. */
static unsigned long long loads(void)
{
    unsigned long long adds = 0;
    (void)dl_iterate_phdr(take_adds, &adds);
    return adds;
}

/* No lock is used: constructors run inside dlopen, and a thread that looks up a symbol while it holds a lock would wait
 * for the dynamic linker. If another thread is looking, this call finds nothing. */
static const struct stint_driver *look(int *state)
{
    static unsigned long long s_looked; /* the number of loads at the last look that found nothing */
    unsigned long long now = loads();
    int unknown = UNKNOWN;
    if (now == __atomic_load_n(&s_looked, __ATOMIC_RELAXED) ||
        !__atomic_compare_exchange_n(state, &unknown, LOOKING, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return NULL;
    if (!look_up(&s_driver)) {
        __atomic_store_n(state, FOUND, __ATOMIC_RELEASE);
        return &s_driver;
    }
    __atomic_store_n(&s_looked, now, __ATOMIC_RELAXED);
    __atomic_store_n(state, UNKNOWN, __ATOMIC_RELEASE);
    return NULL;
}

const struct stint_driver *stint_driver_find(void)
{
    static int s_state = UNKNOWN;
    int state = __atomic_load_n(&s_state, __ATOMIC_ACQUIRE);
    if (STINT_I_LIKELY(state == FOUND))
        return &s_driver;
    return state == UNKNOWN ? look(&s_state) : NULL;
}

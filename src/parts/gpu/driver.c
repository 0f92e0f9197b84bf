/* Looks up functions of the CUDA driver in a program that may load it at any time, or never. Looking in vain is
 * expensive, so it is done again only when something has been loaded since. */
#include "gpu/callback.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

STINT_I_THREAD_LOCAL int stint_driver_own __attribute__((tls_model("initial-exec")));

enum { MOST_FINDERS = 16 };

static const struct stint_driver *s_driver; /* NULL until it was found */
static STINT_I_THREAD_LOCAL int tl_looks __attribute__((tls_model("initial-exec")));

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

/* Of threads that found the functions at the same time, each has room for them, and the first one's are used. */
static void store(const struct stint_driver *driver)
{
    static struct stint_driver s_found[MOST_FINDERS];
    static uint32_t s_finders;
    const struct stint_driver *none = NULL;
    uint32_t at = __atomic_fetch_add(&s_finders, 1, __ATOMIC_RELAXED);
    if (at >= MOST_FINDERS)
        return;
    s_found[at] = *driver;
    (void)__atomic_compare_exchange_n(&s_driver, &none, &s_found[at], 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* No lock is held while functions are looked up: constructors run inside dlopen, and a thread that looks up a symbol
 * while it holds a lock would wait for the dynamic linker. So each thread looks by itself. */
static void look(void)
{
    static unsigned long long s_looked; /* the number of loads at the last look that found nothing */
    unsigned long long now = loads();
    struct stint_driver driver = {0};
    if (now == __atomic_load_n(&s_looked, __ATOMIC_RELAXED))
        return;
    if (look_up(&driver))
        __atomic_store_n(&s_looked, now, __ATOMIC_RELAXED);
    else if (!__atomic_load_n(&s_driver, __ATOMIC_RELAXED))
        store(&driver);
}

/* A signal handler that interrupted this function finds nothing. */
static const struct stint_driver *find(void)
{
    if (tl_looks)
        return NULL;
    tl_looks = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    look();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tl_looks = 0;
    return __atomic_load_n(&s_driver, __ATOMIC_ACQUIRE);
}

const struct stint_driver *stint_driver_find(void)
{
    const struct stint_driver *driver = __atomic_load_n(&s_driver, __ATOMIC_ACQUIRE);
    return STINT_I_LIKELY(driver != NULL) ? driver : find();
}

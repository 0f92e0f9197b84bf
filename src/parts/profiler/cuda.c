/* Finds cudaProfilerStart and cudaProfilerStop in the program: in a static runtime that it offers, in a shared one, or
 * else in the driver. */
#include "profiler/profiler.h"

#include <dlfcn.h>
#include <string.h>

typedef int cuda_function(void);

/* The first runtime that was offered and is still loaded. A program's own comes before those of libraries that it opens
 * later. */
static const struct stint_i_cuda_runtime *s_offered;

/* Takes no lock: constructors run inside dlopen, and a thread that looks up a symbol under a lock would wait for it. */
void stint_i_cuda_offer(const struct stint_i_cuda_runtime *runtime)
{
    const struct stint_i_cuda_runtime *none = NULL;
    (void)__atomic_compare_exchange_n(&s_offered, &none, runtime, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void stint_i_cuda_withdraw(const struct stint_i_cuda_runtime *runtime)
{
    (void)__atomic_compare_exchange_n(&s_offered, &runtime, NULL, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* ISO C has no conversion from an object pointer to a function pointer, but POSIX needs one for dlsym. */
static cuda_function *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    cuda_function *function;
    memcpy(&function, &found, sizeof function);
    return function;
}

static int find_offered(struct stint_i_cuda_runtime *runtime)
{
    const struct stint_i_cuda_runtime *offered = __atomic_load_n(&s_offered, __ATOMIC_ACQUIRE);
    if (!offered)
        return -1;
    *runtime = *offered;
    return 0;
}

static int find_shared(struct stint_i_cuda_runtime *runtime)
{
    *runtime = (struct stint_i_cuda_runtime){
        .start = symbol(RTLD_DEFAULT, "cudaProfilerStart"),
        .stop = symbol(RTLD_DEFAULT, "cudaProfilerStop"),
        .peek = symbol(RTLD_DEFAULT, "cudaPeekAtLastError"),
        .clear = symbol(RTLD_DEFAULT, "cudaGetLastError"),
    };
    return runtime->start && runtime->stop ? 0 : -1;
}

/* For programs whose static runtime is in files that did not include profiler.h, or that have no runtime at all: both
 * have the driver. The handle from dlopen keeps the driver in memory, but the driver stays there anyway. */
static int find_driver(struct stint_i_cuda_runtime *runtime)
{
    static void *s_driver;
    if (!s_driver)
        s_driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!s_driver)
        return -1;
    *runtime = (struct stint_i_cuda_runtime){
        .start = symbol(s_driver, "cuProfilerStart"),
        .stop = symbol(s_driver, "cuProfilerStop"),
    };
    return runtime->start && runtime->stop ? 0 : -1;
}

int stint_cuda_find(struct stint_i_cuda_runtime *runtime)
{
    return find_offered(runtime) && find_shared(runtime) && find_driver(runtime) ? -1 : 0;
}

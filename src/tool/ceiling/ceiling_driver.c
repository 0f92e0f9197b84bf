/* Opens libraries at run time: lists the functions of the CUDA driver that measuring calls, under the names that
 * libcuda has for them. */
#include "ceiling/ceiling_driver.h"

#include <dlfcn.h>
#include <string.h>

const char *stint_ceiling_library_open(const char *library, const struct stint_ceiling_function *functions,
                                       size_t count, void *structure)
{
    void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        return library;
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(opened, functions[i].name);
        if (!function)
            return functions[i].name;
        memcpy((char *)structure + functions[i].place, &function, sizeof function);
    }
    return NULL;
}

#define LIBRARY "libcuda.so.1"

static const struct stint_ceiling_function s_functions[] = {
    {offsetof(struct stint_cuda, init), "cuInit"},
    {offsetof(struct stint_cuda, version), "cuDriverGetVersion"},
    {offsetof(struct stint_cuda, count), "cuDeviceGetCount"},
    {offsetof(struct stint_cuda, name), "cuDeviceGetName"},
    {offsetof(struct stint_cuda, attribute), "cuDeviceGetAttribute"},
    {offsetof(struct stint_cuda, retain), "cuDevicePrimaryCtxRetain"},
    {offsetof(struct stint_cuda, release), "cuDevicePrimaryCtxRelease_v2"},
    {offsetof(struct stint_cuda, push), "cuCtxPushCurrent_v2"},
    {offsetof(struct stint_cuda, pop), "cuCtxPopCurrent_v2"},
    {offsetof(struct stint_cuda, allocate), "cuMemAlloc_v2"},
    {offsetof(struct stint_cuda, free), "cuMemFree_v2"},
    {offsetof(struct stint_cuda, set), "cuMemsetD32_v2"},
    {offsetof(struct stint_cuda, load), "cuModuleLoadData"},
    {offsetof(struct stint_cuda, unload), "cuModuleUnload"},
    {offsetof(struct stint_cuda, function), "cuModuleGetFunction"},
    {offsetof(struct stint_cuda, launch), "cuLaunchKernel"},
    {offsetof(struct stint_cuda, make_event), "cuEventCreate"},
    {offsetof(struct stint_cuda, record), "cuEventRecord"},
    {offsetof(struct stint_cuda, wait), "cuEventSynchronize"},
    {offsetof(struct stint_cuda, elapsed), "cuEventElapsedTime"},
    {offsetof(struct stint_cuda, destroy_event), "cuEventDestroy_v2"},
    {offsetof(struct stint_cuda, device), "cuCtxGetDevice"},
};

const char *stint_cuda_open(struct stint_cuda *cuda)
{
    return stint_ceiling_library_open(LIBRARY, s_functions, sizeof s_functions / sizeof s_functions[0], cuda);
}

#include "stat/call_names.h"

#include <stddef.h>
#include <string.h>

static int begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static int begins_any(const char *name, const char *const *with, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (begins(name, with[i]))
            return 1;
    return 0;
}

/* Returns "LaunchKernel" for cudaLaunchKernel, cuLaunchKernel and __cudaLaunchKernel, which compiled launches call
 * since CUDA 13; "" if it is not a function of CUDA. */
static const char *without_prefix(const char *name)
{
    name += strspn(name, "_");
    if (!begins(name, "cu"))
        return "";
    return name + (begins(name, "cuda") ? 4 : 2);
}

int stint_call_is_launch(const char *name)
{
    static const char *const launching[] = {"Launch", "GraphLaunch"};
    name = without_prefix(name);
    if (begins(name, "LaunchHostFunc"))
        return 0; /* queued on a stream like a kernel, but runs on the host */
    return begins_any(name, launching, sizeof launching / sizeof launching[0]);
}

int stint_call_is_driver(const char *name)
{
    name += strspn(name, "_");
    return begins(name, "cu") && !begins(name, "cuda");
}

int stint_call_is_work(const char *name)
{
    static const char *const working[] = {"GraphUpload",           "Memcpy",   "Memset",  "MemPrefetch",
                                          "MemDiscardAndPrefetch", "64Memcpy", "64Memset"};
    return stint_call_is_launch(name) || begins_any(without_prefix(name), working, sizeof working / sizeof working[0]);
}

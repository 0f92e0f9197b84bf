/* Opens NVIDIA's management library, and looks up the functions that exist under different names in its versions. */
#include "system/system_view.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libnvidia-ml.so.1"

/* Of two names for the same place, the first that exists is used. */
static const struct {
    size_t place;
    const char *name;
    int optional;
} s_functions[] = {
    {offsetof(struct stint_nvml, init), "nvmlInit_v2", 0},
    {offsetof(struct stint_nvml, shutdown), "nvmlShutdown", 0},
    {offsetof(struct stint_nvml, error), "nvmlErrorString", 0},
    {offsetof(struct stint_nvml, count), "nvmlDeviceGetCount_v2", 0},
    {offsetof(struct stint_nvml, device), "nvmlDeviceGetHandleByIndex_v2", 0},
    {offsetof(struct stint_nvml, power), "nvmlDeviceGetPowerUsage", 0},
    {offsetof(struct stint_nvml, clock), "nvmlDeviceGetClockInfo", 0},
    {offsetof(struct stint_nvml, temperature), "nvmlDeviceGetTemperature", 0},
    {offsetof(struct stint_nvml, fan), "nvmlDeviceGetFanSpeed", 0},
    {offsetof(struct stint_nvml, memory), "nvmlDeviceGetMemoryInfo", 0},
    {offsetof(struct stint_nvml, utilization), "nvmlDeviceGetUtilizationRates", 0},
    {offsetof(struct stint_nvml, slowdowns), "nvmlDeviceGetCurrentClocksEventReasons", 1},
    {offsetof(struct stint_nvml, slowdowns), "nvmlDeviceGetCurrentClocksThrottleReasons", 1},
    {offsetof(struct stint_nvml, fields), "nvmlDeviceGetFieldValues", 1},
};

/* Returns the name of a function that is missing, or NULL. ISO C has no conversion to a pointer to a function. */
static const char *look_up(struct stint_nvml *nvml, void *library)
{
    for (size_t i = 0; i < sizeof s_functions / sizeof s_functions[0]; i++) {
        char *place = (char *)nvml + s_functions[i].place;
        void *function;
        memcpy(&function, place, sizeof function);
        if (!function)
            function = dlsym(library, s_functions[i].name);
        if (!function && !s_functions[i].optional)
            return s_functions[i].name;
        memcpy(place, &function, sizeof function);
    }
    return NULL;
}

int stint_nvml_open(struct stint_nvml *nvml, char *reason, size_t size)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    *nvml = (struct stint_nvml){0};
    if (!library) {
        (void)snprintf(reason, size, "%s, which comes with NVIDIA's driver, cannot be loaded", LIBRARY);
        return -1;
    }
    const char *missing = look_up(nvml, library);
    if (missing) {
        (void)snprintf(reason, size, "%s has no %s", LIBRARY, missing);
        return -1;
    }
    int result = nvml->init();
    if (result == STINT_NVML_OK)
        return 0;
    (void)snprintf(reason, size, "nvmlInit: %s", nvml->error(result));
    return -1;
}

void stint_nvml_close(const struct stint_nvml *nvml)
{
    (void)nvml->shutdown();
}

/* libnvidia-ml.so.1 of a machine with two GPUs, whose numbers tests can predict. NVML_MOCK says what goes wrong:
 * "init" fails, "none": there is no GPU, "bare": only power and clocks are known. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "system/system_view.h"

#define API __attribute__((visibility("default")))

enum { DEVICES = 2, NOT_SUPPORTED = 3, DRIVER_NOT_LOADED = 9 };

/* The bytes of each device grow by so much in a second. */
#define PCIE_BYTES_PER_S 250000000.0
#define NVLINK_KIB_PER_S 1000000.0

static int s_devices[DEVICES], s_open, s_reads;

static int is_broken(const char *how)
{
    const char *wanted = getenv("NVML_MOCK");
    return wanted && strcmp(wanted, how) == 0;
}

static unsigned index_of(const void *device)
{
    return (unsigned)((const int *)device - s_devices);
}

static double seconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

API int nvmlInit_v2(void);
int nvmlInit_v2(void)
{
    s_open = !is_broken("init");
    return s_open ? STINT_NVML_OK : DRIVER_NOT_LOADED;
}

API int nvmlShutdown(void);
int nvmlShutdown(void)
{
    s_open = 0;
    return STINT_NVML_OK;
}

API const char *nvmlErrorString(int result);
const char *nvmlErrorString(int result)
{
    return result == DRIVER_NOT_LOADED ? "Driver Not Loaded" : "Not Supported";
}

API int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = is_broken("none") ? 0 : DEVICES;
    return s_open ? STINT_NVML_OK : NOT_SUPPORTED;
}

API int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    *device = &s_devices[index];
    return STINT_NVML_OK;
}

/* 100 and 300 W by turns, the second device 10 W more. */
API int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    *milliwatts = (s_reads++ / DEVICES % 2 ? 300000 : 100000) + 10000 * index_of(device);
    return STINT_NVML_OK;
}

API int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz);
int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz)
{
    *mhz = type == STINT_NVML_CLOCK_SM ? 1980 : 2619;
    return STINT_NVML_OK;
}

API int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius);
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius)
{
    *celsius = 45 + index_of(device);
    return sensor == 0 && !is_broken("bare") ? STINT_NVML_OK : NOT_SUPPORTED;
}

/* These GPUs have none, as those in servers. */
API int nvmlDeviceGetFanSpeed(void *device, unsigned *percent);
int nvmlDeviceGetFanSpeed(void *device, unsigned *percent)
{
    *percent = 77;
    return NOT_SUPPORTED;
}

API int nvmlDeviceGetMemoryInfo(void *device, struct stint_nvml_memory *memory);
int nvmlDeviceGetMemoryInfo(void *device, struct stint_nvml_memory *memory)
{
    *memory = (struct stint_nvml_memory){.total = 1 << 30, .used = 512 << 20};
    return is_broken("bare") ? NOT_SUPPORTED : STINT_NVML_OK;
}

API int nvmlDeviceGetUtilizationRates(void *device, struct stint_nvml_utilization *utilization);
int nvmlDeviceGetUtilizationRates(void *device, struct stint_nvml_utilization *utilization)
{
    *utilization = (struct stint_nvml_utilization){.gpu = 90, .memory = 30};
    return is_broken("bare") ? NOT_SUPPORTED : STINT_NVML_OK;
}

/* The first device is held back by its power cap. */
API int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    *reasons = index_of(device) == 0 ? STINT_NVML_POWER_CAP : 0;
    return is_broken("bare") ? NOT_SUPPORTED : STINT_NVML_OK;
}

API int nvmlDeviceGetFieldValues(void *device, int count, struct stint_nvml_field *fields);
int nvmlDeviceGetFieldValues(void *device, int count, struct stint_nvml_field *fields)
{
    for (int i = 0; i < count; i++) {
        int is_link = fields[i].field < STINT_NVML_PCIE_SENT;
        fields[i].type = 3;
        fields[i].result = is_broken("bare") || (is_link && fields[i].scope != STINT_NVML_ALL_LINKS);
        fields[i].value.large = (unsigned long long)(seconds() * (is_link ? NVLINK_KIB_PER_S : PCIE_BYTES_PER_S));
    }
    return STINT_NVML_OK;
}

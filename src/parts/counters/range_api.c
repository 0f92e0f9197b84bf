/* Looks up CUPTI's profiling functions, calls them, and remembers the last call and its result, so that its callers
 * need only "it failed". Functions of the CUDA driver are found for the module, too, which links none of them. */
#include "counters/range_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char *const s_names[STINT_RANGE_FUNCTIONS] = {
    [STINT_RANGE_INITIALIZE] = "cuptiProfilerInitialize",
    [STINT_RANGE_SUPPORTED] = "cuptiProfilerDeviceSupported",
    [STINT_RANGE_CHIP] = "cuptiDeviceGetChipName",
    [STINT_RANGE_HOST_INITIALIZE] = "cuptiProfilerHostInitialize",
    [STINT_RANGE_HOST_END] = "cuptiProfilerHostDeinitialize",
    [STINT_RANGE_BASE_METRICS] = "cuptiProfilerHostGetBaseMetrics",
    [STINT_RANGE_PROPERTIES] = "cuptiProfilerHostGetMetricProperties",
    [STINT_RANGE_ADD_METRICS] = "cuptiProfilerHostConfigAddMetrics",
    [STINT_RANGE_IMAGE_SIZE] = "cuptiProfilerHostGetConfigImageSize",
    [STINT_RANGE_IMAGE] = "cuptiProfilerHostGetConfigImage",
    [STINT_RANGE_PASSES] = "cuptiProfilerHostGetNumOfPasses",
    [STINT_RANGE_EVALUATE] = "cuptiProfilerHostEvaluateToGpuValues",
    [STINT_RANGE_ENABLE] = "cuptiRangeProfilerEnable",
    [STINT_RANGE_DISABLE] = "cuptiRangeProfilerDisable",
    [STINT_RANGE_START] = "cuptiRangeProfilerStart",
    [STINT_RANGE_PUSH] = "cuptiRangeProfilerPushRange",
    [STINT_RANGE_POP] = "cuptiRangeProfilerPopRange",
    [STINT_RANGE_STOP] = "cuptiRangeProfilerStop",
    [STINT_RANGE_DATA_SIZE] = "cuptiRangeProfilerGetCounterDataSize",
    [STINT_RANGE_DATA_INITIALIZE] = "cuptiRangeProfilerCounterDataImageInitialize",
    [STINT_RANGE_DATA_INFO] = "cuptiRangeProfilerGetCounterDataInfo",
    [STINT_RANGE_CONFIG] = "cuptiRangeProfilerSetConfig",
    [STINT_RANGE_DECODE] = "cuptiRangeProfilerDecodeData",
};

const char *stint_range_open(struct stint_range_api *api, void *cupti)
{
    void *found = dlsym(cupti, "cuptiGetResultString");
    memcpy(&api->result_string, &found, sizeof found);
    for (size_t i = 0; i < STINT_RANGE_FUNCTIONS; i++) {
        found = dlsym(cupti, s_names[i]);
        if (!found)
            return s_names[i];
        memcpy(&api->functions[i], &found, sizeof found);
    }
    return NULL;
}

int stint_range_call(struct stint_range_api *api, enum stint_range_function function, void *parameters)
{
    api->last_call = function;
    api->result = api->functions[function](parameters);
    return api->result ? -1 : 0;
}

void stint_range_explain(const struct stint_range_api *api, char *text, size_t size)
{
    const char *said = NULL;
    if (api->result == STINT_RANGE_INSUFFICIENT_PRIVILEGES) {
        (void)snprintf(text, size,
                       "the NVIDIA driver lets only administrators read hardware counters: run as root or with "
                       "CAP_SYS_ADMIN (a container: --cap-add=SYS_ADMIN), or load its module with "
                       "NVreg_RestrictProfilingToAdminUsers=0");
        return;
    }
    if (api->result_string)
        (void)api->result_string(api->result, &said);
    (void)snprintf(text, size, "%s failed with %d%s%s", s_names[api->last_call], api->result, said ? ", " : "",
                   said ? said : "");
}

void stint_driver_function(const char *name, void *pointer)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(pointer, &found, sizeof found);
}

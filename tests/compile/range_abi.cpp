// Checks src/parts/counters/range_abi.h against NVIDIA's own headers, of which one is C++: values, sizes and offsets.
// There is nothing to run.
#include <cuda.h>

#include <cupti_version.h>

#if CUPTI_API_VERSION >= 130000
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include "counters/range_abi.h"

#pragma GCC diagnostic ignored "-Wold-style-cast" // of macros, which are C
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"

#define SAME(ours, theirs)                                                                                             \
    static_assert(static_cast<long long>(ours) == static_cast<long long>(theirs), #ours " is not " #theirs)
#define AT(ours, member, theirs, their_member)                                                                         \
    SAME(offsetof(ours, member), offsetof(theirs, their_member));                                                      \
    SAME(sizeof(ours::member), sizeof(theirs::their_member))
#define END(ours, last, theirs) SAME(STINT_RANGE_SIZE(ours, last), theirs##_STRUCT_SIZE)

SAME(STINT_RANGE_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
SAME(STINT_RANGE_INVALID_METRIC_NAME, CUPTI_ERROR_INVALID_METRIC_NAME);
SAME(STINT_RANGE_AUTO, CUPTI_AutoRange);
SAME(STINT_RANGE_USER, CUPTI_UserRange);
SAME(STINT_RANGE_KERNEL_REPLAY, CUPTI_KernelReplay);
SAME(STINT_RANGE_USER_REPLAY, CUPTI_UserReplay);
SAME(STINT_RANGE_PROFILING, CUPTI_PROFILER_RANGE_PROFILING);
SAME(STINT_RANGE_IS_SUPPORTED, CUPTI_PROFILER_CONFIGURATION_SUPPORTED);
SAME(0, CUPTI_PROFILER_TYPE_RANGE_PROFILER);

END(stint_range_initialize, reserved, CUpti_Profiler_Initialize_Params);

END(stint_range_supported, api, CUpti_Profiler_DeviceSupported_Params);
AT(stint_range_supported, device, CUpti_Profiler_DeviceSupported_Params, cuDevice);
AT(stint_range_supported, supported, CUpti_Profiler_DeviceSupported_Params, isSupported);
AT(stint_range_supported, architecture, CUpti_Profiler_DeviceSupported_Params, architecture);
AT(stint_range_supported, virtual_gpu, CUpti_Profiler_DeviceSupported_Params, vGpu);
AT(stint_range_supported, confidential, CUpti_Profiler_DeviceSupported_Params, confidentialCompute);
AT(stint_range_supported, wsl, CUpti_Profiler_DeviceSupported_Params, wsl);

END(stint_range_chip, name, CUpti_Device_GetChipName_Params);
AT(stint_range_chip, device, CUpti_Device_GetChipName_Params, deviceIndex);

END(stint_range_host_initialize, host, CUpti_Profiler_Host_Initialize_Params);
AT(stint_range_host_initialize, chip, CUpti_Profiler_Host_Initialize_Params, pChipName);

END(stint_range_host_end, host, CUpti_Profiler_Host_Deinitialize_Params);

END(stint_range_base_metrics, count, CUpti_Profiler_Host_GetBaseMetrics_Params);
AT(stint_range_base_metrics, type, CUpti_Profiler_Host_GetBaseMetrics_Params, metricType);
AT(stint_range_base_metrics, names, CUpti_Profiler_Host_GetBaseMetrics_Params, ppMetricNames);

END(stint_range_properties, type, CUpti_Profiler_Host_GetMetricProperties_Params);
AT(stint_range_properties, name, CUpti_Profiler_Host_GetMetricProperties_Params, pMetricName);
AT(stint_range_properties, description, CUpti_Profiler_Host_GetMetricProperties_Params, pDescription);

END(stint_range_add_metrics, count, CUpti_Profiler_Host_ConfigAddMetrics_Params);
AT(stint_range_add_metrics, names, CUpti_Profiler_Host_ConfigAddMetrics_Params, ppMetricNames);

END(stint_range_image_size, bytes, CUpti_Profiler_Host_GetConfigImageSize_Params);
END(stint_range_image, image, CUpti_Profiler_Host_GetConfigImage_Params);
AT(stint_range_image, bytes, CUpti_Profiler_Host_GetConfigImage_Params, configImageSize);

END(stint_range_passes, passes, CUpti_Profiler_Host_GetNumOfPasses_Params);
AT(stint_range_passes, image, CUpti_Profiler_Host_GetNumOfPasses_Params, pConfigImage);

END(stint_range_evaluate, values, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
AT(stint_range_evaluate, data, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pCounterDataImage);
AT(stint_range_evaluate, range, CUpti_Profiler_Host_EvaluateToGpuValues_Params, rangeIndex);
AT(stint_range_evaluate, names, CUpti_Profiler_Host_EvaluateToGpuValues_Params, ppMetricNames);
AT(stint_range_evaluate, count, CUpti_Profiler_Host_EvaluateToGpuValues_Params, numMetrics);

END(stint_range_enable, profiler, CUpti_RangeProfiler_Enable_Params);
AT(stint_range_enable, context, CUpti_RangeProfiler_Enable_Params, ctx);
END(stint_range_profiler, profiler, CUpti_RangeProfiler_Start_Params);
END(stint_range_profiler, profiler, CUpti_RangeProfiler_Disable_Params);
END(stint_range_profiler, profiler, CUpti_RangeProfiler_PopRange_Params);
END(stint_range_push, name, CUpti_RangeProfiler_PushRange_Params);
AT(stint_range_push, name, CUpti_RangeProfiler_PushRange_Params, pRangeName);

END(stint_range_data_size, bytes, CUpti_RangeProfiler_GetCounterDataSize_Params);
AT(stint_range_data_size, names, CUpti_RangeProfiler_GetCounterDataSize_Params, pMetricNames);
AT(stint_range_data_size, ranges, CUpti_RangeProfiler_GetCounterDataSize_Params, maxNumOfRanges);
AT(stint_range_data_size, nodes, CUpti_RangeProfiler_GetCounterDataSize_Params, maxNumRangeTreeNodes);

END(stint_range_data_initialize, data, CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
AT(stint_range_data_initialize, bytes, CUpti_RangeProfiler_CounterDataImage_Initialize_Params, counterDataSize);

END(stint_range_config, level, CUpti_RangeProfiler_SetConfig_Params);
AT(stint_range_config, image, CUpti_RangeProfiler_SetConfig_Params, pConfig);
AT(stint_range_config, data, CUpti_RangeProfiler_SetConfig_Params, pCounterDataImage);
AT(stint_range_config, range, CUpti_RangeProfiler_SetConfig_Params, range);
AT(stint_range_config, replay, CUpti_RangeProfiler_SetConfig_Params, replayMode);
AT(stint_range_config, ranges, CUpti_RangeProfiler_SetConfig_Params, maxRangesPerPass);
AT(stint_range_config, levels, CUpti_RangeProfiler_SetConfig_Params, numNestingLevels);
AT(stint_range_config, first_level, CUpti_RangeProfiler_SetConfig_Params, minNestingLevel);
AT(stint_range_config, pass, CUpti_RangeProfiler_SetConfig_Params, passIndex);

END(stint_range_stop, all_passes, CUpti_RangeProfiler_Stop_Params);
END(stint_range_decode, dropped, CUpti_RangeProfiler_DecodeData_Params);
END(stint_range_data_info, ranges, CUpti_RangeProfiler_GetCounterDataInfo_Params);

#endif

int main()
{
    return 0;
}

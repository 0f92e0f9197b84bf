/* Checks src/parts/gpu/cupti.h against NVIDIA's own headers: every value, size and offset. There is nothing to run.
 * From 13.0 on, those headers also have the records of all versions since 11.0; older headers use other names for them,
 * so the records are not checked there. */
#include <cupti.h>

#include "gpu/activity.h"
#include "gpu/cupti.h"

#if CUPTI_API_VERSION >= 130000

#define SAME(ours, theirs) _Static_assert((long long)(ours) == (long long)(theirs), #ours " is not " #theirs)
#define SIZE(type, member) sizeof(((type *)0)->member)
#define AT(ours, member, theirs, their_member)                                                                         \
    SAME(offsetof(ours, member), offsetof(theirs, their_member));                                                      \
    SAME(SIZE(ours, member), SIZE(theirs, their_member))
#define RECORD(ours, theirs)                                                                                           \
    AT(ours, kind, theirs, kind);                                                                                      \
    SAME(_Alignof(theirs), 8);                                                                                         \
    SAME(_Alignof(ours) <= 8, 1)
#define PREFIX(ours, last, theirs)                                                                                     \
    _Static_assert(offsetof(ours, last) + SIZE(ours, last) <= sizeof(theirs), #ours " is longer than " #theirs)

/* -------------------------------------------------------------------------------------------------------- constants */

SAME(STINT_CUPTI_SUCCESS, CUPTI_SUCCESS);
SAME(STINT_CUPTI_INVALID_PARAMETER, CUPTI_ERROR_INVALID_PARAMETER);
SAME(STINT_CUPTI_OUT_OF_MEMORY, CUPTI_ERROR_OUT_OF_MEMORY);
SAME(STINT_CUPTI_MAX_LIMIT_REACHED, CUPTI_ERROR_MAX_LIMIT_REACHED);
SAME(STINT_CUPTI_NOT_INITIALIZED, CUPTI_ERROR_NOT_INITIALIZED);
SAME(STINT_CUPTI_INVALID_KIND, CUPTI_ERROR_INVALID_KIND);
SAME(STINT_CUPTI_DISABLED, CUPTI_ERROR_DISABLED);
SAME(STINT_CUPTI_HARDWARE_BUSY, CUPTI_ERROR_HARDWARE_BUSY);
SAME(STINT_CUPTI_NOT_SUPPORTED, CUPTI_ERROR_NOT_SUPPORTED);
SAME(STINT_CUPTI_UM_NOT_SUPPORTED, CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED);
SAME(STINT_CUPTI_UM_NOT_SUPPORTED_ON_DEVICE, CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE);
SAME(STINT_CUPTI_UM_NOT_SUPPORTED_ON_NON_P2P_DEVICES, CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_NON_P2P_DEVICES);
SAME(STINT_CUPTI_UM_NOT_SUPPORTED_WITH_MPS, CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_WITH_MPS);
SAME(STINT_CUPTI_VIRTUALIZED_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
SAME(STINT_CUPTI_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
SAME(STINT_CUPTI_OLD_PROFILER_API_INITIALIZED, CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED);
SAME(STINT_CUPTI_LEGACY_PROFILER_NOT_SUPPORTED, CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
SAME(STINT_CUPTI_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
SAME(STINT_CUPTI_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
SAME(STINT_CUPTI_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
SAME(STINT_CUPTI_CMP_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED);
SAME(STINT_CUPTI_MIG_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED);
SAME(STINT_CUPTI_SLI_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED);
SAME(STINT_CUPTI_WSL_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED);
SAME(STINT_CUPTI_UNKNOWN, CUPTI_ERROR_UNKNOWN);

SAME(STINT_CUPTI_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY);
SAME(STINT_CUPTI_KIND_MEMSET, CUPTI_ACTIVITY_KIND_MEMSET);
SAME(STINT_CUPTI_KIND_KERNEL, CUPTI_ACTIVITY_KIND_KERNEL);
SAME(STINT_CUPTI_KIND_DRIVER, CUPTI_ACTIVITY_KIND_DRIVER);
SAME(STINT_CUPTI_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_RUNTIME);
SAME(STINT_CUPTI_KIND_DEVICE, CUPTI_ACTIVITY_KIND_DEVICE);
SAME(STINT_CUPTI_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_CONTEXT);
SAME(STINT_CUPTI_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
SAME(STINT_CUPTI_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_OVERHEAD);
SAME(STINT_CUPTI_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMCPY2);
SAME(STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER, CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
SAME(STINT_CUPTI_KIND_STREAM, CUPTI_ACTIVITY_KIND_STREAM);
SAME(STINT_CUPTI_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
SAME(STINT_CUPTI_KIND_INTERNAL_LAUNCH_API, CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API);

SAME(STINT_CUPTI_ATTR_DEVICE_BUFFER_SIZE, CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE);
SAME(STINT_CUPTI_ATTR_DEVICE_BUFFER_POOL_LIMIT, CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT);
SAME(STINT_CUPTI_ATTR_PROFILING_SEMAPHORE_POOL_SIZE, CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_SIZE);
SAME(STINT_CUPTI_ATTR_PROFILING_SEMAPHORE_POOL_LIMIT, CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_LIMIT);
SAME(STINT_CUPTI_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER);
SAME(STINT_CUPTI_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE);
SAME(STINT_CUPTI_ATTR_PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE,
     CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE);
SAME(STINT_CUPTI_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED);
SAME(STINT_CUPTI_ATTR_PER_THREAD_ACTIVITY_BUFFER, CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER);
SAME(STINT_CUPTI_FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);

SAME(STINT_CUPTI_DOMAIN_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API);
SAME(STINT_CUPTI_DOMAIN_RUNTIME, CUPTI_CB_DOMAIN_RUNTIME_API);
SAME(STINT_CUPTI_DOMAIN_RESOURCE, CUPTI_CB_DOMAIN_RESOURCE);
SAME(STINT_CUPTI_DOMAIN_SYNCHRONIZE, CUPTI_CB_DOMAIN_SYNCHRONIZE);
SAME(STINT_CUPTI_DOMAIN_NVTX, CUPTI_CB_DOMAIN_NVTX);
SAME(STINT_CUPTI_DOMAIN_STATE, CUPTI_CB_DOMAIN_STATE);
SAME(STINT_CUPTI_ENTER, CUPTI_API_ENTER);
SAME(STINT_CUPTI_EXIT, CUPTI_API_EXIT);
SAME(STINT_CUPTI_CONTEXT_CREATED, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
SAME(STINT_CUPTI_GRAPH_NODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
SAME(STINT_CUPTI_GRAPH_NODE_CLONED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
SAME(STINT_CUPTI_CONTEXT_DESTROY_STARTING, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
SAME(STINT_CUPTI_STREAM_CREATED, CUPTI_CBID_RESOURCE_STREAM_CREATED);
SAME(STINT_CUPTI_STREAM_DESTROY_STARTING, CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING);
SAME(STINT_CUPTI_STATE_FATAL_ERROR, CUPTI_CBID_STATE_FATAL_ERROR);

SAME(STINT_CUPTI_UM_ONE_DEVICE, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE);
SAME(STINT_CUPTI_UM_ALL_DEVICES, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES);
SAME(STINT_CUPTI_UM_HTOD, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD);
SAME(STINT_CUPTI_UM_DTOH, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH);
SAME(STINT_CUPTI_UM_CPU_PAGE_FAULT, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT);
SAME(STINT_CUPTI_UM_GPU_PAGE_FAULT, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT);
SAME(STINT_CUPTI_UM_THRASHING, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING);
SAME(STINT_CUPTI_UM_THROTTLING, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING);
SAME(STINT_CUPTI_UM_REMOTE_MAP, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP);
SAME(STINT_CUPTI_UM_DTOD, CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD);
SAME(STINT_CUPTI_CPU, CUPTI_UNIFIED_MEMORY_CPU_DEVICE_ID);

SAME(STINT_CUPTI_OBJECT_DEVICE, CUPTI_ACTIVITY_OBJECT_DEVICE);
SAME(STINT_CUPTI_OBJECT_STREAM, CUPTI_ACTIVITY_OBJECT_STREAM);

/* Values that gpu/activity.h and stint/gpu_stats.h take over unchanged. */
SAME(STINT_GPU_DIRECTION_UNKNOWN, CUPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN);
SAME(STINT_GPU_HTOD, CUPTI_ACTIVITY_MEMCPY_KIND_HTOD);
SAME(STINT_GPU_DTOH, CUPTI_ACTIVITY_MEMCPY_KIND_DTOH);
SAME(STINT_GPU_HTOA, CUPTI_ACTIVITY_MEMCPY_KIND_HTOA);
SAME(STINT_GPU_ATOH, CUPTI_ACTIVITY_MEMCPY_KIND_ATOH);
SAME(STINT_GPU_ATOA, CUPTI_ACTIVITY_MEMCPY_KIND_ATOA);
SAME(STINT_GPU_ATOD, CUPTI_ACTIVITY_MEMCPY_KIND_ATOD);
SAME(STINT_GPU_DTOA, CUPTI_ACTIVITY_MEMCPY_KIND_DTOA);
SAME(STINT_GPU_DTOD, CUPTI_ACTIVITY_MEMCPY_KIND_DTOD);
SAME(STINT_GPU_HTOH, CUPTI_ACTIVITY_MEMCPY_KIND_HTOH);
SAME(STINT_GPU_PTOP, CUPTI_ACTIVITY_MEMCPY_KIND_PTOP);
SAME(STINT_GPU_WAIT_UNKNOWN, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN);
SAME(STINT_GPU_WAIT_EVENT, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE);
SAME(STINT_GPU_WAIT_STREAM_EVENT, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT);
SAME(STINT_GPU_WAIT_STREAM, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE);
SAME(STINT_GPU_WAIT_CONTEXT, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE);
SAME(STINT_GPU_MEMORY_UNKNOWN, CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN);
SAME(STINT_GPU_MEMORY_PAGEABLE, CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE);
SAME(STINT_GPU_MEMORY_PINNED, CUPTI_ACTIVITY_MEMORY_KIND_PINNED);
SAME(STINT_GPU_MEMORY_DEVICE, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE);
SAME(STINT_GPU_MEMORY_ARRAY, CUPTI_ACTIVITY_MEMORY_KIND_ARRAY);
SAME(STINT_GPU_MEMORY_MANAGED, CUPTI_ACTIVITY_MEMORY_KIND_MANAGED);
SAME(STINT_GPU_MEMORY_DEVICE_STATIC, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC);
SAME(STINT_GPU_MEMORY_MANAGED_STATIC, CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC);
SAME(STINT_CUPTI_OVERHEAD_COMPILER, CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER);
SAME(STINT_CUPTI_OVERHEAD_BUFFER_FLUSH, CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH);
SAME(STINT_CUPTI_OVERHEAD_INSTRUMENTATION, CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION);
SAME(STINT_CUPTI_OVERHEAD_RESOURCE, CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE);
SAME(STINT_CUPTI_OVERHEAD_RUNTIME_LOADING, CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING);
SAME(STINT_CUPTI_OVERHEAD_LAZY_LOADING, CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING);
SAME(STINT_CUPTI_OVERHEAD_COMMAND_BUFFER_FULL, CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL);
SAME(STINT_CUPTI_OVERHEAD_BUFFER_REQUEST, CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST);
SAME(STINT_CUPTI_OVERHEAD_INITIALIZATION, CUPTI_ACTIVITY_OVERHEAD_UVM_ACTIVITY_INIT);

/* -------------------------------------------------------------------------------------------------------- callbacks */

SAME(sizeof(struct stint_cupti_call), sizeof(CUpti_CallbackData));
AT(struct stint_cupti_call, site, CUpti_CallbackData, callbackSite);
AT(struct stint_cupti_call, function, CUpti_CallbackData, functionName);
AT(struct stint_cupti_call, parameters, CUpti_CallbackData, functionParams);
AT(struct stint_cupti_call, result, CUpti_CallbackData, functionReturnValue);
AT(struct stint_cupti_call, symbol, CUpti_CallbackData, symbolName);
AT(struct stint_cupti_call, context, CUpti_CallbackData, context);
AT(struct stint_cupti_call, context_id, CUpti_CallbackData, contextUid);
AT(struct stint_cupti_call, shared, CUpti_CallbackData, correlationData);
AT(struct stint_cupti_call, correlation, CUpti_CallbackData, correlationId);

SAME(sizeof(struct stint_cupti_resource), sizeof(CUpti_ResourceData));
AT(struct stint_cupti_resource, context, CUpti_ResourceData, context);
AT(struct stint_cupti_resource, stream, CUpti_ResourceData, resourceHandle);
AT(struct stint_cupti_resource, descriptor, CUpti_ResourceData, resourceDescriptor);
AT(struct stint_cupti_graph, node, CUpti_GraphData, node);
AT(struct stint_cupti_graph, original_node, CUpti_GraphData, originalNode);

AT(struct stint_cupti_state, result, CUpti_StateData, notification.result);
AT(struct stint_cupti_state, message, CUpti_StateData, notification.message);

SAME(sizeof(struct stint_cupti_unified_memory_config), sizeof(CUpti_ActivityUnifiedMemoryCounterConfig));
AT(struct stint_cupti_unified_memory_config, scope, CUpti_ActivityUnifiedMemoryCounterConfig, scope);
AT(struct stint_cupti_unified_memory_config, counter, CUpti_ActivityUnifiedMemoryCounterConfig, kind);
AT(struct stint_cupti_unified_memory_config, device, CUpti_ActivityUnifiedMemoryCounterConfig, deviceId);
AT(struct stint_cupti_unified_memory_config, enable, CUpti_ActivityUnifiedMemoryCounterConfig, enable);

AT(struct stint_cupti_subscription, size, CUpti_SubscriberParams, structSize);
AT(struct stint_cupti_subscription, name, CUpti_SubscriberParams, subscriberName);
AT(struct stint_cupti_subscription, other_name, CUpti_SubscriberParams, oldSubscriberName);
AT(struct stint_cupti_subscription, other_size, CUpti_SubscriberParams, oldSubscriberSize);
_Static_assert(sizeof(struct stint_cupti_subscription) <= sizeof(CUpti_SubscriberParams), "longer than any version's");

/* ---------------------------------------------------------------------------------------------------------- records */

SAME(sizeof(struct stint_cupti_record), SIZE(CUpti_Activity, kind));

#define COMMON_OF_A_KERNEL(theirs)                                                                                     \
    RECORD(struct stint_cupti_kernel, theirs);                                                                         \
    AT(struct stint_cupti_kernel, registers, theirs, registersPerThread);                                              \
    AT(struct stint_cupti_kernel, start, theirs, start);                                                               \
    AT(struct stint_cupti_kernel, end, theirs, end);                                                                   \
    AT(struct stint_cupti_kernel, device, theirs, deviceId);                                                           \
    AT(struct stint_cupti_kernel, context, theirs, contextId);                                                         \
    AT(struct stint_cupti_kernel, stream, theirs, streamId);                                                           \
    AT(struct stint_cupti_kernel, grid[0], theirs, gridX);                                                             \
    AT(struct stint_cupti_kernel, grid[1], theirs, gridY);                                                             \
    AT(struct stint_cupti_kernel, grid[2], theirs, gridZ);                                                             \
    AT(struct stint_cupti_kernel, block[0], theirs, blockX);                                                           \
    AT(struct stint_cupti_kernel, block[1], theirs, blockY);                                                           \
    AT(struct stint_cupti_kernel, block[2], theirs, blockZ);                                                           \
    AT(struct stint_cupti_kernel, static_shared, theirs, staticSharedMemory);                                          \
    AT(struct stint_cupti_kernel, dynamic_shared, theirs, dynamicSharedMemory);                                        \
    AT(struct stint_cupti_kernel, correlation, theirs, correlationId);                                                 \
    AT(struct stint_cupti_kernel, name, theirs, name);                                                                 \
    AT(struct stint_cupti_kernel, graph_node, theirs, graphNodeId);                                                    \
    AT(struct stint_cupti_kernel, graph, theirs, graphId);                                                             \
    PREFIX(struct stint_cupti_kernel, graph, theirs)

COMMON_OF_A_KERNEL(CUpti_ActivityKernel5);
COMMON_OF_A_KERNEL(CUpti_ActivityKernel6);
COMMON_OF_A_KERNEL(CUpti_ActivityKernel7);
COMMON_OF_A_KERNEL(CUpti_ActivityKernel8);
COMMON_OF_A_KERNEL(CUpti_ActivityKernel9);
COMMON_OF_A_KERNEL(CUpti_ActivityKernel10);

#define COMMON_OF_A_COPY(theirs)                                                                                       \
    RECORD(struct stint_cupti_memcpy, theirs);                                                                         \
    AT(struct stint_cupti_memcpy, copy, theirs, copyKind);                                                             \
    AT(struct stint_cupti_memcpy, source, theirs, srcKind);                                                            \
    AT(struct stint_cupti_memcpy, destination, theirs, dstKind);                                                       \
    AT(struct stint_cupti_memcpy, bytes, theirs, bytes);                                                               \
    AT(struct stint_cupti_memcpy, start, theirs, start);                                                               \
    AT(struct stint_cupti_memcpy, end, theirs, end);                                                                   \
    AT(struct stint_cupti_memcpy, device, theirs, deviceId);                                                           \
    AT(struct stint_cupti_memcpy, context, theirs, contextId);                                                         \
    AT(struct stint_cupti_memcpy, stream, theirs, streamId);                                                           \
    AT(struct stint_cupti_memcpy, correlation, theirs, correlationId);                                                 \
    AT(struct stint_cupti_memcpy, graph_node, theirs, graphNodeId)
#define GRAPH_OF(ours, theirs)                                                                                         \
    AT(ours, graph, theirs, graphId);                                                                                  \
    PREFIX(ours, graph, theirs)

COMMON_OF_A_COPY(CUpti_ActivityMemcpy3);
SAME(sizeof(CUpti_ActivityMemcpy3), offsetof(struct stint_cupti_memcpy, graph));
COMMON_OF_A_COPY(CUpti_ActivityMemcpy4);
COMMON_OF_A_COPY(CUpti_ActivityMemcpy5);
COMMON_OF_A_COPY(CUpti_ActivityMemcpy6);
GRAPH_OF(struct stint_cupti_memcpy, CUpti_ActivityMemcpy4);
GRAPH_OF(struct stint_cupti_memcpy, CUpti_ActivityMemcpy5);
GRAPH_OF(struct stint_cupti_memcpy, CUpti_ActivityMemcpy6);

#define COMMON_OF_A_PEER_COPY(theirs)                                                                                  \
    RECORD(struct stint_cupti_memcpy_peer, theirs);                                                                    \
    AT(struct stint_cupti_memcpy_peer, copy, theirs, copyKind);                                                        \
    AT(struct stint_cupti_memcpy_peer, source, theirs, srcKind);                                                       \
    AT(struct stint_cupti_memcpy_peer, destination, theirs, dstKind);                                                  \
    AT(struct stint_cupti_memcpy_peer, bytes, theirs, bytes);                                                          \
    AT(struct stint_cupti_memcpy_peer, start, theirs, start);                                                          \
    AT(struct stint_cupti_memcpy_peer, end, theirs, end);                                                              \
    AT(struct stint_cupti_memcpy_peer, device, theirs, deviceId);                                                      \
    AT(struct stint_cupti_memcpy_peer, context, theirs, contextId);                                                    \
    AT(struct stint_cupti_memcpy_peer, stream, theirs, streamId);                                                      \
    AT(struct stint_cupti_memcpy_peer, source_device, theirs, srcDeviceId);                                            \
    AT(struct stint_cupti_memcpy_peer, source_context, theirs, srcContextId);                                          \
    AT(struct stint_cupti_memcpy_peer, destination_device, theirs, dstDeviceId);                                       \
    AT(struct stint_cupti_memcpy_peer, destination_context, theirs, dstContextId);                                     \
    AT(struct stint_cupti_memcpy_peer, correlation, theirs, correlationId);                                            \
    AT(struct stint_cupti_memcpy_peer, graph_node, theirs, graphNodeId)

COMMON_OF_A_PEER_COPY(CUpti_ActivityMemcpyPtoP2);
SAME(sizeof(CUpti_ActivityMemcpyPtoP2), offsetof(struct stint_cupti_memcpy_peer, graph));
COMMON_OF_A_PEER_COPY(CUpti_ActivityMemcpyPtoP3);
COMMON_OF_A_PEER_COPY(CUpti_ActivityMemcpyPtoP4);
GRAPH_OF(struct stint_cupti_memcpy_peer, CUpti_ActivityMemcpyPtoP3);
GRAPH_OF(struct stint_cupti_memcpy_peer, CUpti_ActivityMemcpyPtoP4);

#define COMMON_OF_A_SET(theirs)                                                                                        \
    RECORD(struct stint_cupti_memset, theirs);                                                                         \
    AT(struct stint_cupti_memset, bytes, theirs, bytes);                                                               \
    AT(struct stint_cupti_memset, start, theirs, start);                                                               \
    AT(struct stint_cupti_memset, end, theirs, end);                                                                   \
    AT(struct stint_cupti_memset, device, theirs, deviceId);                                                           \
    AT(struct stint_cupti_memset, context, theirs, contextId);                                                         \
    AT(struct stint_cupti_memset, stream, theirs, streamId);                                                           \
    AT(struct stint_cupti_memset, correlation, theirs, correlationId);                                                 \
    AT(struct stint_cupti_memset, memory, theirs, memoryKind);                                                         \
    AT(struct stint_cupti_memset, graph_node, theirs, graphNodeId)

COMMON_OF_A_SET(CUpti_ActivityMemset2);
SAME(sizeof(CUpti_ActivityMemset2), offsetof(struct stint_cupti_memset, graph));
COMMON_OF_A_SET(CUpti_ActivityMemset3);
COMMON_OF_A_SET(CUpti_ActivityMemset4);
GRAPH_OF(struct stint_cupti_memset, CUpti_ActivityMemset3);
GRAPH_OF(struct stint_cupti_memset, CUpti_ActivityMemset4);

#define COMMON_OF_UNIFIED_MEMORY(theirs)                                                                               \
    RECORD(struct stint_cupti_unified_memory_counter, theirs);                                                         \
    AT(struct stint_cupti_unified_memory_counter, counter, theirs, counterKind);                                       \
    AT(struct stint_cupti_unified_memory_counter, value, theirs, value);                                               \
    AT(struct stint_cupti_unified_memory_counter, start, theirs, start);                                               \
    AT(struct stint_cupti_unified_memory_counter, end, theirs, end);                                                   \
    AT(struct stint_cupti_unified_memory_counter, source, theirs, srcId);                                              \
    AT(struct stint_cupti_unified_memory_counter, destination, theirs, dstId);                                         \
    PREFIX(struct stint_cupti_unified_memory_counter, destination, theirs)

COMMON_OF_UNIFIED_MEMORY(CUpti_ActivityUnifiedMemoryCounter2);
COMMON_OF_UNIFIED_MEMORY(CUpti_ActivityUnifiedMemoryCounter3);

#define COMMON_OF_AN_OVERHEAD(theirs)                                                                                  \
    RECORD(struct stint_cupti_overhead, theirs);                                                                       \
    AT(struct stint_cupti_overhead, overhead, theirs, overheadKind);                                                   \
    AT(struct stint_cupti_overhead, object_kind, theirs, objectKind);                                                  \
    AT(struct stint_cupti_overhead, object[0], theirs, objectId.dcs.deviceId);                                         \
    AT(struct stint_cupti_overhead, object[1], theirs, objectId.dcs.contextId);                                        \
    AT(struct stint_cupti_overhead, object[2], theirs, objectId.dcs.streamId);                                         \
    AT(struct stint_cupti_overhead, start, theirs, start);                                                             \
    AT(struct stint_cupti_overhead, end, theirs, end)

COMMON_OF_AN_OVERHEAD(CUpti_ActivityOverhead);
SAME(sizeof(CUpti_ActivityOverhead), offsetof(struct stint_cupti_overhead, correlation));
COMMON_OF_AN_OVERHEAD(CUpti_ActivityOverhead2);
COMMON_OF_AN_OVERHEAD(CUpti_ActivityOverhead3);
AT(struct stint_cupti_overhead, correlation, CUpti_ActivityOverhead2, correlationId);
AT(struct stint_cupti_overhead, correlation, CUpti_ActivityOverhead3, correlationId);

#define COMMON_OF_A_DEVICE(theirs)                                                                                     \
    RECORD(struct stint_cupti_device, theirs);                                                                         \
    AT(struct stint_cupti_device, memory_kb_per_s, theirs, globalMemoryBandwidth);                                     \
    AT(struct stint_cupti_device, memory_bytes, theirs, globalMemorySize);                                             \
    AT(struct stint_cupti_device, core_khz, theirs, coreClockRate);                                                    \
    AT(struct stint_cupti_device, multiprocessors, theirs, numMultiprocessors);                                        \
    AT(struct stint_cupti_device, compute_major, theirs, computeCapabilityMajor);                                      \
    AT(struct stint_cupti_device, compute_minor, theirs, computeCapabilityMinor);                                      \
    AT(struct stint_cupti_device, id, theirs, id);                                                                     \
    AT(struct stint_cupti_device, name, theirs, name)

COMMON_OF_A_DEVICE(CUpti_ActivityDevice2);
SAME(sizeof(CUpti_ActivityDevice2), offsetof(struct stint_cupti_device, visible));
COMMON_OF_A_DEVICE(CUpti_ActivityDevice3);
COMMON_OF_A_DEVICE(CUpti_ActivityDevice4);
COMMON_OF_A_DEVICE(CUpti_ActivityDevice5);
AT(struct stint_cupti_device, visible, CUpti_ActivityDevice3, isCudaVisible);
AT(struct stint_cupti_device, visible, CUpti_ActivityDevice4, isCudaVisible);
AT(struct stint_cupti_device, visible, CUpti_ActivityDevice5, isCudaVisible);

/* ----------------------------------------------------------------------------------------------------- parameters */

/* gpu/noted_calls.c reads these parameters by their position. */
#define WORD(type, member, number)                                                                                     \
    SAME(offsetof(type, member), 8 * (number));                                                                        \
    SAME(SIZE(type, member), 8)

WORD(cuMemAlloc_v2_params, dptr, 0);
WORD(cuMemAlloc_v2_params, bytesize, 1);
WORD(cuMemAllocPitch_v2_params, dptr, 0);
WORD(cuMemAllocPitch_v2_params, pPitch, 1);
WORD(cuMemAllocPitch_v2_params, Height, 3);
WORD(cuMemAllocManaged_params, dptr, 0);
WORD(cuMemAllocManaged_params, bytesize, 1);
WORD(cuMemAllocHost_v2_params, pp, 0);
WORD(cuMemAllocHost_v2_params, bytesize, 1);
WORD(cuMemHostAlloc_params, pp, 0);
WORD(cuMemHostAlloc_params, bytesize, 1);
WORD(cuMemAllocAsync_params, dptr, 0);
WORD(cuMemAllocAsync_params, bytesize, 1);
WORD(cuMemAllocFromPoolAsync_params, dptr, 0);
WORD(cuMemAllocFromPoolAsync_params, bytesize, 1);
WORD(cuMemMap_params, ptr, 0);
WORD(cuMemMap_params, size, 1);
WORD(cuMemFree_v2_params, dptr, 0);
WORD(cuMemFreeHost_params, p, 0);
WORD(cuMemFreeAsync_params, dptr, 0);
WORD(cuMemUnmap_params, ptr, 0);
WORD(cuMemUnmap_params, size, 1);
WORD(cudaMalloc_v3020_params, devPtr, 0);
WORD(cudaMalloc_v3020_params, size, 1);
WORD(cudaMallocPitch_v3020_params, pitch, 1);
WORD(cudaMallocPitch_v3020_params, height, 3);
WORD(cudaMallocManaged_v6000_params, size, 1);
WORD(cudaMallocHost_v3020_params, size, 1);
WORD(cudaHostAlloc_v3020_params, size, 1);
WORD(cudaMallocAsync_v11020_params, size, 1);
WORD(cudaMallocFromPoolAsync_v11020_params, size, 1);
WORD(cudaFree_v3020_params, devPtr, 0);
WORD(cudaFreeHost_v3020_params, ptr, 0);
WORD(cudaFreeAsync_v11020_params, devPtr, 0);

/* -------------------------------------------------------------------------------------------------------- functions */

/* A function of ours can be called in place of CUPTI's if each parameter has the same size; what CUPTI declares as an
 * enumeration is a number here. */
SAME(sizeof(CUptiResult), sizeof(int));
SAME(sizeof(CUpti_ActivityKind), sizeof(uint32_t));
SAME(sizeof(CUpti_ActivityAttribute), sizeof(uint32_t));
SAME(sizeof(CUpti_CallbackDomain), sizeof(uint32_t));
SAME(sizeof(CUpti_CallbackId), sizeof(uint32_t));

#define LIKE(function, type) _Static_assert(_Generic((function), type : 1, default : 0), #function " has changed")

LIKE(&cuptiSubscribe, CUptiResult (*)(CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *));
LIKE(&cuptiSubscribe_v2,
     CUptiResult (*)(CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *, CUpti_SubscriberParams *));
LIKE(&cuptiUnsubscribe, CUptiResult (*)(CUpti_SubscriberHandle));
LIKE(&cuptiEnableCallback, CUptiResult (*)(uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId));
LIKE(&cuptiEnableDomain, CUptiResult (*)(uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain));
LIKE(&cuptiActivityEnable, CUptiResult (*)(CUpti_ActivityKind));
LIKE(&cuptiActivityDisable, CUptiResult (*)(CUpti_ActivityKind));
LIKE(&cuptiActivityRegisterCallbacks,
     CUptiResult (*)(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc));
LIKE(&cuptiActivityFlushAll, CUptiResult (*)(uint32_t));
LIKE(&cuptiActivityFlushPeriod, CUptiResult (*)(uint32_t));
LIKE(&cuptiActivityGetNextRecord, CUptiResult (*)(uint8_t *, size_t, CUpti_Activity **));
LIKE(&cuptiActivityGetNumDroppedRecords, CUptiResult (*)(CUcontext, uint32_t, size_t *));
LIKE(&cuptiActivitySetAttribute, CUptiResult (*)(CUpti_ActivityAttribute, size_t *, void *));
LIKE(&cuptiActivityConfigureUnifiedMemoryCounter,
     CUptiResult (*)(CUpti_ActivityUnifiedMemoryCounterConfig *, uint32_t));
LIKE(&cuptiGetTimestamp, CUptiResult (*)(uint64_t *));
LIKE(&cuptiGetVersion, CUptiResult (*)(uint32_t *));
LIKE(&cuptiGetResultString, CUptiResult (*)(CUptiResult, const char **));
LIKE(&cuptiGetCallbackName, CUptiResult (*)(CUpti_CallbackDomain, uint32_t, const char **));
LIKE((CUpti_BuffersCallbackRequestFunc)0, void (*)(uint8_t **, size_t *, size_t *));
LIKE((CUpti_BuffersCallbackCompleteFunc)0, void (*)(CUcontext, uint32_t, uint8_t *, size_t, size_t));
LIKE((CUpti_CallbackFunc)0, void (*)(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *));

#endif

extern int stint_cupti_abi;

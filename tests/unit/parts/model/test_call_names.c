/* What calls of CUDA do, by their names. */
#include "model/model.h"

#include "stint_test.h"

struct named {
    const char *name;
    enum stint_call_kind kind;
};

static void check(const struct named *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (stint_call_kind(rows[i].name) != rows[i].kind)
            fail_msg("%s is of kind %d", rows[i].name, (int)stint_call_kind(rows[i].name));
}

TEST(calls_that_matter_are_told_by_their_names)
{
    static const struct named rows[] = {
        {"cuLaunch", STINT_CALL_LAUNCH},
        {"cuLaunchKernel_ptsz", STINT_CALL_LAUNCH},
        {"cuLaunchKernelEx", STINT_CALL_LAUNCH},
        {"cuLaunchCooperativeKernelMultiDevice", STINT_CALL_LAUNCH},
        {"cudaLaunchKernelExC_v11060", STINT_CALL_LAUNCH},
        {"__cudaLaunchKernel_v13000", STINT_CALL_LAUNCH},
        {"cuMemcpyHtoDAsync_v2", STINT_CALL_COPY},
        {"cudaMemcpyAsync_v3020", STINT_CALL_COPY},
        {"cuMemPrefetchAsync_v2_ptsz", STINT_CALL_COPY},
        {"cuMemsetD8Async", STINT_CALL_SET},
        {"cudaMemset_v3020", STINT_CALL_SET},
        {"cuMemAlloc_v2", STINT_CALL_ALLOCATE},
        {"cuMemFreeAsync_ptsz", STINT_CALL_ALLOCATE},
        {"cuMemUnmap", STINT_CALL_ALLOCATE},
        {"cudaMalloc_v3020", STINT_CALL_ALLOCATE},
        {"cudaFreeHost_v3020", STINT_CALL_ALLOCATE},
        {"cudaHostRegister_v4000", STINT_CALL_ALLOCATE},
        {"cuCtxSynchronize_v2", STINT_CALL_WAIT},
        {"cuStreamSynchronize_ptsz", STINT_CALL_WAIT},
        {"cudaEventSynchronize_v3020", STINT_CALL_WAIT},
        {"cudaStreamWaitEvent_v3020", STINT_CALL_WAIT},
        {"cuModuleLoadDataEx", STINT_CALL_LOAD},
        {"cuLibraryLoadData", STINT_CALL_LOAD},
        {"cuDevicePrimaryCtxRetain", STINT_CALL_LOAD},
        {"cuDevicePrimaryCtxReset_v2", STINT_CALL_LOAD},
        {"cuGraphLaunch_ptsz", STINT_CALL_GRAPH},
        {"cudaGraphInstantiateWithFlags_v11040", STINT_CALL_GRAPH},
        {"cuGraphExecUpdate_v2", STINT_CALL_GRAPH},
        {"cuGraphAddKernelNode_v2", STINT_CALL_GRAPH},
        {"cuStreamBeginCaptureToGraph", STINT_CALL_GRAPH},
        {"cudaStreamEndCapture_v10000", STINT_CALL_GRAPH},
    };
    check(rows, TEST_COUNT(rows));
}

TEST(queries_and_calls_that_only_prepare_are_others)
{
    static const struct named rows[] = {
        {"", STINT_CALL_OTHER},
        {"LaunchKernel", STINT_CALL_OTHER},
        {"cuLaunchHostFunc_ptsz", STINT_CALL_OTHER},
        {"cudaGetDevice_v3020", STINT_CALL_OTHER},
        {"cudaMemGetInfo_v3020", STINT_CALL_OTHER},
        {"cudaMemAdvise_v8000", STINT_CALL_OTHER},
        {"cuMemGetAddressRange_v2", STINT_CALL_OTHER},
        {"cuMemHostGetDevicePointer_v2", STINT_CALL_OTHER},
        {"cuMemAddressReserve", STINT_CALL_OTHER},
        {"cuDevicePrimaryCtxGetState", STINT_CALL_OTHER},
        {"cuCtxGetCurrent", STINT_CALL_OTHER},
        {"cuStreamIsCapturing", STINT_CALL_OTHER},
        {"cuStreamWaitValue32", STINT_CALL_OTHER},
        {"cuEventQuery", STINT_CALL_OTHER},
        {"cudaEventRecord_v3020", STINT_CALL_OTHER},
        {"cuModuleGetFunction", STINT_CALL_OTHER},
        {"cuGraphKernelNodeGetParams", STINT_CALL_OTHER},
        {"cuGraphDestroy", STINT_CALL_OTHER},
    };
    check(rows, TEST_COUNT(rows));
}

TEST(launches_are_those_of_kernels_and_of_graphs)
{
    assert_true(stint_call_is_launch("cuLaunchKernelEx"));
    assert_true(stint_call_is_launch("cudaGraphLaunch_v10000"));
    assert_false(stint_call_is_launch("cuGraphInstantiateWithFlags"));
    assert_false(stint_call_is_launch("cuLaunchHostFunc"));
    assert_false(stint_call_is_launch("cuMemcpyAsync"));
}

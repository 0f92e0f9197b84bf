/* What names of CUDA's functions say. The names are those of cuptiGetCallbackName in CUDA 13.0. */
#include "gpu/cupti_names.h"

#include <string.h>

#include "stat/call_names.h"
#include "stint_test.h"

static void calls_that_launch_are_known(void **state)
{
    static const char *const names[] = {
        "cudaLaunch_v3020",
        "cudaLaunchKernel_v7000",
        "cudaLaunchKernel_ptsz_v7000",
        "__cudaLaunchKernel_v13000",
        "__cudaLaunchKernel_ptsz_v13000",
        "cudaLaunchKernelExC_v11060",
        "cudaLaunchCooperativeKernel_ptsz_v9000",
        "cudaLaunchCooperativeKernelMultiDevice_v9000",
        "cudaGraphLaunch_v10000",
        "cudaGraphLaunch_ptsz_v10000",
        "cudaGraphUpload_v10000",
        "cudaMemcpy_v3020",
        "cudaMemcpy2DToArrayAsync_ptsz_v7000",
        "cudaMemcpyToSymbol_v3020",
        "cudaMemcpy3DPeerAsync_v4000",
        "cudaMemcpyBatchAsync_v13000",
        "cudaMemset_v3020",
        "cudaMemset3DAsync_ptsz_v7000",
        "cudaMemPrefetchAsync_v12020",
        "cudaMemPrefetchBatchAsync_v13000",
        "cudaMemDiscardAndPrefetchBatchAsync_v13000",
        "cuLaunch",
        "cuLaunchGridAsync",
        "cuLaunchKernel",
        "cuLaunchKernel_ptsz",
        "cuLaunchKernelEx_ptsz",
        "cuLaunchCooperativeKernelMultiDevice",
        "cuGraphLaunch_ptsz",
        "cuMemcpyHtoD_v2",
        "cu64MemcpyHtoD",
        "cuMemcpyBatchAsync_v2_ptsz",
        "cuMemsetD8Async_ptsz",
        "cu64MemsetD2D32Async",
        "cuMemPrefetchAsync_v2_ptsz",
    };

    (void)state;
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        if (!stint_call_is_work(names[i]))
            fail_msg("%s launches something", names[i]);
}

static void calls_that_launch_nothing_are_left_alone(void **state)
{
    static const char *const names[] = {
        "",
        "cudaLaunchHostFunc_v10000",
        "cuLaunchHostFunc_ptsz",
        "cudaMalloc_v3020",
        "cudaMallocAsync_v11020",
        "cudaMemGetInfo_v3020",
        "cudaMemAdvise_v8000",
        "cudaMemDiscardBatchAsync_v13000",
        "cudaGraphInstantiate_v12000",
        "cudaGraphAddMemcpyNode_v10000",
        "cudaGraphExecMemcpyNodeSetParams_v10020",
        "cudaStreamBeginCapture_v10000",
        "cudaDeviceSynchronize_v3020",
        "cuMemAlloc_v2",
        "cuKernelGetName",
        "cuCtxGetCurrent",
        "Launch",
        "MemcpyAsync",
    };

    (void)state;
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        if (stint_call_is_work(names[i]))
            fail_msg("%s launches nothing", names[i]);
}

static void calls_of_the_driver_are_told_from_those_of_the_runtime(void **state)
{
    (void)state;
    assert_true(stint_call_is_driver("cuLaunchKernelEx"));
    assert_false(stint_call_is_driver("cudaLaunchKernel"));
    assert_false(stint_call_is_driver("__cudaLaunchKernel"));
    assert_false(stint_call_is_driver("other"));
}

static void names_are_shown_without_their_variants(void **state)
{
    static const struct {
        const char *name;
        const char *shown;
    } names[] = {
        {"cuMemAlloc_v2", "cuMemAlloc"},
        {"cuMemcpyHtoDAsync_v2_ptsz", "cuMemcpyHtoDAsync"},
        {"cudaMemcpy_ptds_v7000", "cudaMemcpy"},
        {"cudaLaunchKernel_ptsz", "cudaLaunchKernel"},
        {"cudaStreamGetCaptureInfo_v2_ptsz_v11030", "cudaStreamGetCaptureInfo"},
        {"__cudaLaunchKernel_ptsz_v13000", "__cudaLaunchKernel"},
        {"cudaMalloc_v3020", "cudaMalloc"},
    };
    char out[64];

    (void)state;
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        assert_string_equal(stint_cupti_shown_name(names[i].name, out, sizeof out), names[i].shown);
}

static void names_without_variants_are_shown_as_they_are(void **state)
{
    static const char *const names[] = {"cudaMalloc", "cuda_v", "cuda_v2x", "cuda_vx", "cuda_ptsy",
                                        "cuda_ptszx", "v2",     "_v2",      ""};
    char out[64];

    (void)state;
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        assert_ptr_equal(stint_cupti_shown_name(names[i], out, sizeof out), names[i]);
}

static void shown_name_is_cut_to_its_room(void **state)
{
    char out[8] = "1234567";

    (void)state;
    assert_string_equal(stint_cupti_shown_name("cuMemAlloc_v2", out, 6), "cuMem");
    assert_int_equal(out[6], '7');
    assert_string_equal(stint_cupti_shown_name("cuInit_v2", out, 6), "cuIni");
    assert_string_equal(stint_cupti_shown_name("cuInit_v2", out, 7), "cuInit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_launch_are_known),
        cmocka_unit_test(calls_that_launch_nothing_are_left_alone),
        cmocka_unit_test(calls_of_the_driver_are_told_from_those_of_the_runtime),
        cmocka_unit_test(names_are_shown_without_their_variants),
        cmocka_unit_test(names_without_variants_are_shown_as_they_are),
        cmocka_unit_test(shown_name_is_cut_to_its_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which calls CUPTI is asked to report, in each mode. */
#include "gpu/call_table.h"

#include <string.h>

#include "model/model.h"
#include "stint_test.h"

enum { DRIVER = STINT_CUPTI_DOMAIN_DRIVER, RUNTIME = STINT_CUPTI_DOMAIN_RUNTIME, IDS = 16, DOMAINS = 8 };

/* A few functions by id, as cuptiGetCallbackName spells them; ids begin at 1. */
static const char *const s_names[DOMAINS][IDS] = {
    [DRIVER] = {[1] = "cuLaunchKernel",
                [2] = "cuLaunchKernelEx_ptsz",
                [3] = "cuMemcpyHtoDAsync_v2",
                [4] = "cuMemAlloc_v2",
                [5] = "cuMemHostRegister_v2",
                [6] = "cuCtxSynchronize",
                [7] = "cuLibraryLoadData",
                [8] = "cuGraphLaunch",
                [9] = "cuGraphInstantiateWithFlags",
                [10] = "cuStreamBeginCapture_v2",
                [11] = "cuProfilerStart",
                [12] = "cuCtxGetCurrent",
                [13] = "cuDevicePrimaryCtxGetState"},
    [RUNTIME] = {[1] = "cudaLaunchKernel_v7000",
                 [2] = "cudaLaunchKernelExC_v11060",
                 [3] = "cudaMemcpyAsync_v3020",
                 [4] = "cudaMalloc_v3020",
                 [5] = "cudaHostRegister_v4000",
                 [6] = "cudaDeviceSynchronize_v3020",
                 [7] = "cudaLibraryLoadData_v12080",
                 [8] = "cudaGraphLaunch_v10000",
                 [9] = "cudaGraphInstantiate_v12000",
                 [10] = "cudaStreamBeginCapture_v10000",
                 [11] = "cudaProfilerStart_v4000",
                 [12] = "cudaGetDevice_v3020",
                 [13] = "cudaGetLastError_v3020"},
};

static uint8_t s_told[DOMAINS][IDS], s_domains[DOMAINS];
static unsigned s_asked;

static int get_callback_name(uint32_t domain, uint32_t id, const char **name)
{
    *name = domain < DOMAINS && id < IDS ? s_names[domain][id] : NULL;
    return *name ? 0 : STINT_CUPTI_INVALID_PARAMETER;
}

static int enable_callback(uint32_t enable, struct stint_cupti_subscriber *subscriber, uint32_t domain, uint32_t id)
{
    if (domain <= RUNTIME)
        s_told[domain][id] = (uint8_t)enable;
    s_asked++;
    return 0;
}

static int enable_domain(uint32_t enable, struct stint_cupti_subscriber *subscriber, uint32_t domain)
{
    s_domains[domain] = (uint8_t)enable;
    return 0;
}

static struct stint_cupti s_cupti = {
    .get_callback_name = get_callback_name, .enable_callback = enable_callback, .enable_domain = enable_domain};

static void start(unsigned wanted, uint32_t version)
{
    const char *failed;
    memset(s_told, 0, sizeof s_told);
    memset(s_domains, 0, sizeof s_domains);
    s_cupti.version = version;
    assert_int_equal(stint_call_table_start(&s_cupti, NULL, wanted, &failed), 0);
    s_asked = 0;
}

/* `told` has a digit or letter for each id in hexadecimal, in order. */
static void assert_told(uint32_t domain, const char *told)
{
    char got[IDS + 1] = "";
    size_t length = 0;
    for (uint32_t id = 0; id < IDS; id++)
        if (s_told[domain][id])
            got[length++] = "0123456789abcdef"[id];
    assert_string_equal(got, told);
    assert_int_equal(s_domains[domain], 0);
}

enum { NOW = 130000, BEFORE = 120090 };

TEST(for_kernels_alone_what_leaves_records_is_told)
{
    start(0, NOW);
    assert_told(DRIVER, "1238ab");
    assert_told(RUNTIME, "3ab");
}

TEST(by_default_all_but_queries_is_told_where_it_is_cheap)
{
    start(STINT_CALLBACK_API | STINT_CALLBACK_MEMORY, NOW);
    assert_told(DRIVER, "123456789ab");
    assert_told(RUNTIME, "35679ab");
}

TEST(older_cupti_is_asked_for_both_calls)
{
    start(0, BEFORE);
    assert_told(DRIVER, "1238ab");
    assert_told(RUNTIME, "1238ab");
    start(STINT_CALLBACK_API | STINT_CALLBACK_MEMORY, BEFORE);
    assert_told(DRIVER, "123456789ab");
    assert_told(RUNTIME, "123456789ab");
}

TEST(allocations_are_told_without_other_calls)
{
    start(STINT_CALLBACK_MEMORY, NOW);
    assert_told(DRIVER, "12348ab");
    assert_told(RUNTIME, "3ab");
}

TEST(waits_are_told_without_other_calls)
{
    start(STINT_CALLBACK_WAITS, NOW);
    assert_told(DRIVER, "12368ab");
    assert_told(RUNTIME, "36ab");
}

TEST(every_call_is_both_domains)
{
    start(STINT_CALLBACK_API | STINT_CALLBACK_EVERY_CALL, NOW);
    assert_int_equal(s_domains[DRIVER], 1);
    assert_int_equal(s_domains[RUNTIME], 1);
}

enum { EVERY = STINT_CALLBACK_API | STINT_CALLBACK_EVERY_CALL, GET_CURRENT = 12 };

static void call_within(uint32_t id, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        stint_called_within(stint_called_at(DRIVER, id));
}

static int is_told_of_the_query(void)
{
    return s_told[DRIVER][GET_CURRENT];
}

/* Begins when a query has become silent. */
static void look_until_told(void)
{
    for (unsigned looks = 1; looks < 20; looks++) {
        assert_int_equal(is_told_of_the_query(), 0);
        stint_call_table_look();
    }
    assert_int_equal(is_told_of_the_query(), 1);
}

TEST(a_query_that_only_the_runtime_makes_is_silent_between_looks)
{
    start(EVERY | STINT_CALLBACK_FEWER, NOW);
    assert_int_equal(stint_call_table_may_be_silent(), 1);
    call_within(GET_CURRENT, STINT_CALLED_OFTEN - 1);
    stint_call_table_look();
    assert_int_equal(stint_call_table_was_silent(), 0);
    assert_int_equal(s_asked, 0);
    s_told[DRIVER][GET_CURRENT] = 1;
    call_within(GET_CURRENT, STINT_CALLED_OFTEN);
    stint_call_table_look();
    assert_int_equal(stint_call_table_was_silent(), 1);
    for (int looks = 2; looks < 20 - 1; looks++) {
        assert_int_equal(is_told_of_the_query(), 0);
        stint_call_table_look();
    }
    assert_int_equal(is_told_of_the_query(), 0);
    stint_call_table_look();
    assert_int_equal(is_told_of_the_query(), 1);
    stint_call_table_look();
    look_until_told();
    stint_called_alone(stint_called_at(DRIVER, GET_CURRENT));
    call_within(GET_CURRENT, STINT_CALLED_OFTEN);
    stint_call_table_look();
    assert_int_equal(is_told_of_the_query(), 1);
    call_within(GET_CURRENT, STINT_CALLED_OFTEN - 1);
    stint_call_table_look();
    assert_int_equal(is_told_of_the_query(), 1);
    stint_call_table_stop(&s_cupti, NULL);
    call_within(GET_CURRENT, STINT_CALLED_OFTEN);
    stint_call_table_look();
    assert_int_equal(is_told_of_the_query(), 1);
}

TEST(a_query_that_the_program_makes_too_is_told)
{
    start(EVERY | STINT_CALLBACK_FEWER, NOW);
    for (unsigned i = 0; i < 30; i++) {
        call_within(GET_CURRENT, STINT_CALLED_OFTEN);
        stint_called_alone(stint_called_at(DRIVER, GET_CURRENT));
        call_within(GET_CURRENT, STINT_CALLED_OFTEN);
        stint_call_table_look();
    }
    assert_int_equal(s_asked, 0);
    stint_call_table_stop(&s_cupti, NULL);
}

TEST(calls_that_matter_are_never_silent)
{
    start(EVERY | STINT_CALLBACK_FEWER, NOW);
    for (uint32_t id = 1; id < GET_CURRENT; id++)
        call_within(id, STINT_CALLED_OFTEN);
    stint_call_table_look();
    assert_int_equal(s_asked, 0);
    stint_call_table_stop(&s_cupti, NULL);
}

TEST(no_call_is_silent_unless_fewer_queries_are_wanted)
{
    start(EVERY, NOW);
    assert_int_equal(stint_call_table_may_be_silent(), 0);
    call_within(GET_CURRENT, STINT_CALLED_OFTEN);
    stint_call_table_look();
    assert_int_equal(s_asked, 0);
    stint_call_table_stop(&s_cupti, NULL);
}

TEST(calls_that_launch_are_known)
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
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        if (!stint_call_is_work(names[i]))
            fail_msg("%s launches something", names[i]);
}

TEST(calls_that_launch_nothing_are_left_alone)
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
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        if (stint_call_is_work(names[i]))
            fail_msg("%s launches nothing", names[i]);
}

TEST(calls_of_the_driver_are_told_from_those_of_the_runtime)
{
    assert_true(stint_call_is_driver("cuLaunchKernelEx"));
    assert_false(stint_call_is_driver("cudaLaunchKernel"));
    assert_false(stint_call_is_driver("__cudaLaunchKernel"));
    assert_false(stint_call_is_driver("other"));
}

TEST(names_are_shown_without_their_variants)
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

    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        assert_string_equal(stint_cupti_shown_name(names[i].name, out, sizeof out), names[i].shown);
}

TEST(names_without_variants_are_shown_as_they_are)
{
    static const char *const names[] = {"cudaMalloc", "cuda_v", "cuda_v2x", "cuda_vx", "cuda_ptsy",
                                        "cuda_ptszx", "v2",     "_v2",      ""};
    char out[64];
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        assert_ptr_equal(stint_cupti_shown_name(names[i], out, sizeof out), names[i]);
}

TEST(shown_name_is_cut_to_its_room)
{
    char out[8] = "1234567";
    assert_string_equal(stint_cupti_shown_name("cuMemAlloc_v2", out, 6), "cuMem");
    assert_int_equal(out[6], '7');
    assert_string_equal(stint_cupti_shown_name("cuInit_v2", out, 6), "cuIni");
    assert_string_equal(stint_cupti_shown_name("cuInit_v2", out, 7), "cuInit");
}

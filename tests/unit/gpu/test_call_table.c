/* Which calls CUPTI is asked to report, in each mode. */
#include "gpu/call_table.h"

#include <string.h>

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

static int get_callback_name(uint32_t domain, uint32_t id, const char **name)
{
    *name = domain < DOMAINS && id < IDS ? s_names[domain][id] : NULL;
    return *name ? 0 : STINT_CUPTI_INVALID_PARAMETER;
}

static int enable_callback(uint32_t enable, struct stint_cupti_subscriber *subscriber, uint32_t domain, uint32_t id)
{
    (void)subscriber;
    if (domain <= RUNTIME)
        s_told[domain][id] = (uint8_t)enable;
    return 0;
}

static int enable_domain(uint32_t enable, struct stint_cupti_subscriber *subscriber, uint32_t domain)
{
    (void)subscriber;
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

static void for_kernels_alone_what_leaves_records_is_told(void **state)
{
    (void)state;
    start(0, NOW);
    assert_told(DRIVER, "1238ab");
    assert_told(RUNTIME, "3ab");
}

static void by_default_all_but_queries_is_told_where_it_is_cheap(void **state)
{
    (void)state;
    start(STINT_CALLBACK_API | STINT_CALLBACK_MEMORY, NOW);
    assert_told(DRIVER, "123456789ab");
    assert_told(RUNTIME, "35679ab");
}

static void older_cupti_is_asked_for_both_calls(void **state)
{
    (void)state;
    start(0, BEFORE);
    assert_told(DRIVER, "1238ab");
    assert_told(RUNTIME, "1238ab");
    start(STINT_CALLBACK_API | STINT_CALLBACK_MEMORY, BEFORE);
    assert_told(DRIVER, "123456789ab");
    assert_told(RUNTIME, "123456789ab");
}

static void allocations_are_told_without_other_calls(void **state)
{
    (void)state;
    start(STINT_CALLBACK_MEMORY, NOW);
    assert_told(DRIVER, "12348ab");
    assert_told(RUNTIME, "3ab");
}

static void waits_are_told_without_other_calls(void **state)
{
    (void)state;
    start(STINT_CALLBACK_WAITS, NOW);
    assert_told(DRIVER, "12368ab");
    assert_told(RUNTIME, "36ab");
}

static void every_call_is_both_domains(void **state)
{
    (void)state;
    start(STINT_CALLBACK_API | STINT_CALLBACK_EVERY_CALL, NOW);
    assert_int_equal(s_domains[DRIVER], 1);
    assert_int_equal(s_domains[RUNTIME], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(for_kernels_alone_what_leaves_records_is_told),
        cmocka_unit_test(by_default_all_but_queries_is_told_where_it_is_cheap),
        cmocka_unit_test(older_cupti_is_asked_for_both_calls),
        cmocka_unit_test(allocations_are_told_without_other_calls),
        cmocka_unit_test(waits_are_told_without_other_calls),
        cmocka_unit_test(every_call_is_both_domains),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

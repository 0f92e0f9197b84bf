#include "store/foreign_dialect.h"

#include <string.h>

#include "foreign_fixture.h"
#include "stint_test.h"

TEST_TEARDOWN(calls_of_unknown_functions_have_their_number, foreign_close)
{
    const struct stint_snapshot *snapshot = foreign_open("nvprof.sql", NULL);
    assert_int_equal(foreign_stat(snapshot, STINT_API_SET, "cudaApi_9999")->numbers.count, 1);
    assert_int_equal(foreign_stat(snapshot, STINT_API_SET, "cuLaunchKernel")->numbers.count, 1);
}

TEST(all_calls_of_cuda_13_have_names)
{
    enum { RUNTIME = 522, DRIVER = 806 };
    for (int64_t number = 1; number <= RUNTIME; number++)
        assert_non_null(strstr(stint_foreign_call_name(0, number), "cuda"));
    for (int64_t number = 1; number <= DRIVER; number++)
        assert_memory_equal(stint_foreign_call_name(1, number), "cu", 2);
    assert_null(stint_foreign_call_name(0, 0));
    assert_null(stint_foreign_call_name(0, -1));
    assert_null(stint_foreign_call_name(0, RUNTIME + 1));
    assert_null(stint_foreign_call_name(1, DRIVER + 1));
    assert_string_equal(stint_foreign_call_name(0, 13), "cudaLaunch");
    assert_string_equal(stint_foreign_call_name(0, 31), "cudaMemcpy");
    assert_string_equal(stint_foreign_call_name(0, RUNTIME), "cudaDeviceGetP2PAtomicCapabilities");
    assert_string_equal(stint_foreign_call_name(1, 243), "cuMemAlloc");
    assert_string_equal(stint_foreign_call_name(1, 307), "cuLaunchKernel");
}

TEST(versions_of_cuda_are_not_shown_but_those_of_functions)
{
    char name[64];
    assert_string_equal(stint_foreign_shown_call("cudaLaunchKernel_v7000", name, sizeof name), "cudaLaunchKernel");
    assert_string_equal(stint_foreign_shown_call("cudaMemcpyAsync_ptsz_v7000", name, sizeof name), "cudaMemcpyAsync");
    assert_string_equal(stint_foreign_shown_call("cudaGraphInstantiate_v12000", name, sizeof name),
                        "cudaGraphInstantiate");
    assert_string_equal(stint_foreign_shown_call("cuMemAlloc_v2", name, sizeof name), "cuMemAlloc_v2");
    assert_string_equal(stint_foreign_shown_call("cuMemcpyHtoD_v2_ptds", name, sizeof name), "cuMemcpyHtoD_v2");
}

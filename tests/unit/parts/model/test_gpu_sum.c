#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/summary.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(overhead_has_the_time_in_which_records_were_read)
{
    struct stint_snapshot snapshot = *fixture_training();
    double without = stint_summarize(&snapshot).overhead_ns;
    snapshot.gpu.reading_ns = 1200000;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, " per scope, 1.200 ms for GPU records, at least "));
    assert_non_null(strstr(
        out.text,
        " of the run; CUPTI's cost is not included: stint run and stint stats add it after stint doctor --measure\n"));
    assert_true(stint_summarize(&snapshot).overhead_ns == without + 1200000);
}

/* 3 kernels, and 10 calls: 4 launches by the runtime, which the driver's are reported with, and 6 queries. */
TEST(overhead_has_what_cupti_takes_if_that_was_measured)
{
    const struct stint_gpu_activity kernel = {.kind = STINT_GPU_KERNEL, .name = "k", .numbers.count = 3};
    const struct stint_stat calls[] = {
        {.set = STINT_API_SET, .name = "cudaLaunchKernel", .file = "", .function = "", .numbers.count = 4},
        {.set = STINT_API_SET, .name = "cudaGetDevice", .file = "", .function = "", .numbers.count = 5},
        {.set = STINT_API_SET, .name = "cuCtxGetDevice", .file = "", .function = "", .numbers.count = 1},
    };
    struct stint_snapshot snapshot = *fixture_training();
    snapshot.stats = calls;
    snapshot.stat_count = sizeof calls / sizeof calls[0];
    snapshot.contexts = NULL;
    snapshot.context_count = 0;
    snapshot.gpu_activities = &kernel;
    snapshot.gpu_activity_count = 1;
    snapshot.gpu.reading_ns = 1000;
    snapshot.process.call = (struct stint_cost){50, 10};
    snapshot.process.inside_ns = 5;
    snapshot.gpu.cupti_kernel_ns = 2000;
    snapshot.gpu.cupti_call_ns = 100;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\noverhead: 50.0 ns per call, 1.000 us for GPU records, 7.100 us in CUPTI, "
                                     "at least 8.600 us in all"));
    assert_non_null(strstr(out.text, " subtracted from the times above except for GPU records and CUPTI\n"));
    snapshot.stat_count = 0; /* calls are not recorded */
    assert_true(stint_summarize(&snapshot).cupti_ns == 6000);
}

TEST(launches_outside_of_scopes_have_an_overhead)
{
    struct stint_snapshot snapshot = *fixture_gpu();
    snapshot.context_count = snapshot.stat_count = snapshot.gpu_charge_count = 0;
    snapshot.process.call = (struct stint_cost){100, 50};
    assert_non_null(strstr(write_table(&snapshot, 120, 0).text, "\noverhead: "));
    snapshot.process.call = (struct stint_cost){0, 0};
    assert_null(strstr(write_table(&snapshot, 120, 0).text, "\noverhead: "));
}

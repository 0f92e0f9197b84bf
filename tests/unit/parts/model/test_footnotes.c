#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/summary.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(what_nvtx_did_not_get_recorded_or_swallows_the_rest_is_told)
{
    struct stint_snapshot snapshot = *fixture_running();
    snapshot.nvtx.refused = 2;
    snapshot.nvtx.outlived = 1;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(
        strstr(out.text, "NVTX: 2 extensions of an unknown kind or version not recorded (use a newer stint)"));
    assert_non_null(strstr(out.text, "NVTX: 1 range is still open although the range around has ended: "));
    snapshot.nvtx.outlived_set = "NVTX:NCCL";
    snapshot.nvtx.outlived_name = "init";
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "NVTX: NVTX:NCCL/init is still open although the range around has ended: "));
    snapshot.nvtx.outlived = 3;
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "NVTX: NVTX:NCCL/init and 2 other ranges are still open although the range "));
}

TEST(footer_says_which_calls_of_functions_were_left_out)
{
    struct stint_snapshot snapshot = *fixture_training();
    snapshot.process.tiny_calls = 1000;
    snapshot.process.tiny_functions = 37;
    snapshot.process.left_out_ns = 5;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\nfunctions: 1000 calls of 37 functions left out: recording takes longer "
                                     "(STINT_FUNCTIONS=all)\n"));
    snapshot.process.excluded_calls = 1;
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "(STINT_FUNCTIONS=all); 1 call of functions excluded by name\n"));
    snapshot.process.tiny_functions = 0;
    assert_non_null(strstr(write_table(&snapshot, 0, 0).text, "\nfunctions: 1 call of functions excluded by name\n"));
    uint64_t ns = (uint64_t)stint_summarize(&snapshot).overhead_ns;
    snapshot.process.left_out_ns = 0;
    assert_int_equal(ns - (uint64_t)stint_summarize(&snapshot).overhead_ns, 1001 * 5);
}

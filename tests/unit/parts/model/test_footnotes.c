#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
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
    assert_non_null(strstr(out.text, "NVTX: 1 range is still open although what was around has ended: "));
    snapshot.nvtx.outlived_set = "NVTX:NCCL";
    snapshot.nvtx.outlived_name = "init";
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "NVTX: NVTX:NCCL/init is still open although what was around has ended: "));
    snapshot.nvtx.outlived = 3;
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "NVTX: NVTX:NCCL/init and 2 other ranges are still open although what was "));
}

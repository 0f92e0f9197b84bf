#include <string.h>

#include "nsys/nsys_fixture.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST(reports_without_data_are_skipped)
{
    nsys_check(fixture_empty(), 0, 0, "report_nsys_empty.txt");
    nsys_check(fixture_empty(), 1, 0, "report_nsys_empty.csv");
    nsys_check(fixture_gpu_calls(), 0, 0, "report_nsys_calls.txt");
    nsys_check(fixture_gpu_spans(), 0, 0, "report_nsys_spans.txt");
}

TEST(reason_for_nothing_is_named)
{
    struct stint_snapshot snapshot = nsys_of_stats(NULL, 0);
    struct capture out = nsys_write(&snapshot, "cuda_gpu_kern_sum", 0, 0);
    assert_string_equal(out.text, "Processing [./program] with [cuda_gpu_kern_sum]...\n"
                                  "SKIPPED: ./program does not contain CUDA kernel data.\n"
                                  "GPU: activity was not collected; set STINT_GPU=on, or call stint_gpu_start()\n\n");
    snapshot.gpu.collected = 1;
    snapshot.gpu.what = 1;
    out = nsys_write(&snapshot, "cuda_api_sum", 0, 0);
    assert_non_null(strstr(out.text, "\nGPU: CUDA API calls were not collected; set STINT_GPU=on\n"));
    snapshot.gpu.what = 2;
    assert_null(strstr(nsys_write(&snapshot, "cuda_api_sum", 0, 0).text, "GPU: "));
}

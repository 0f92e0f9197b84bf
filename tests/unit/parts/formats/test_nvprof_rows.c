/* The lines around nvprof's tables, and the rows in them. */
#include <stdlib.h>
#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint/gpu.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(group_without_rows_says_so)
{
    assert_report(fixture_gpu_calls(), STINT_FORMAT_NVPROF, 0, "report_nvprof_calls.txt");
    assert_report(fixture_gpu_calls(), STINT_FORMAT_NVPROF_CSV, 0, "report_nvprof_calls.csv");
}

TEST(without_a_collector_it_says_how_to_get_one)
{
    struct capture out = capture_report(fixture_empty(), STINT_FORMAT_NVPROF, NULL);
    assert_string_equal(out.text, "==4711== Profiling application: ./idle\n"
                                  "==4711== Warning: GPU activity was not collected. Set STINT_GPU=on, or call "
                                  "stint_gpu_start().\n"
                                  "==4711== Profiling result:\n"
                                  "No kernels were profiled.\n"
                                  "No API activities were profiled.\n");
}

TEST(collector_that_failed_says_why)
{
    struct capture out = capture_report(fixture_gpu_spans(), STINT_FORMAT_NVPROF, NULL);
    assert_non_null(strstr(out.text, "== Warning: CUPTI is in use by another profiler: stop it, or collect without\n"));
    assert_null(strstr(out.text, "was not collected"));
}

TEST(head_names_what_is_missing)
{
    struct stint_gpu_activity lost = {
        .kind = STINT_GPU_UNMEASURED, .name = "forward(float *)", .mangled = "", .numbers = {.count = 2}};
    struct stint_snapshot snapshot = *fixture_gpu_calls();
    snapshot.gpu_activities = &lost;
    snapshot.gpu_activity_count = 1;
    struct capture out = capture_report(&snapshot, STINT_FORMAT_NVPROF, NULL);
    assert_non_null(strstr(out.text, "== Warning: GPU: 2 launches were not measured: 2 forward(float *)\n"));
    assert_null(strstr(out.text, "not recorded"));
    snapshot.gpu.what = STINT_GPU_DEFAULT;
    out = capture_report(&snapshot, STINT_FORMAT_NVPROF, NULL);
    assert_non_null(strstr(out.text, "== Warning: GPU: not recorded: queries and other short calls of CUDA ("));
    snapshot.gpu.what = STINT_GPU_ACTIVITIES; /* as with --profile-api-trace none */
    assert_null(strstr(capture_report(&snapshot, STINT_FORMAT_NVPROF, NULL).text, "not recorded"));
}

TEST(each_group_adds_up_to_100_percent)
{
    struct capture out = capture_report(fixture_gpu(), STINT_FORMAT_NVPROF_CSV, NULL);
    static const char *const groups[] = {"\n\"GPU activities\",", "\n\"API calls\","};
    for (size_t i = 0; i < 2; i++) {
        double sum = 0;
        for (const char *at = out.text; (at = strstr(at, groups[i])); at++)
            sum += strtod(at + strlen(groups[i]), NULL);
        assert_true(sum > 99.9999 && sum < 100.0001);
    }
}

TEST(streams_and_devices_of_a_name_are_one_row)
{
    struct capture out = capture_report(fixture_gpu(), STINT_FORMAT_NVPROF, NULL);
    const char *row = strstr(out.text, "void convolve");
    assert_non_null(row);
    assert_null(strstr(row + 1, "void convolve"));
    assert_non_null(strstr(out.text, "  644.44ms       800  805.55us  798.76us  812.35us  void convolve"));
}

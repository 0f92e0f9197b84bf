#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(processes_are_listed_by_rank)
{
    assert_report(fixture_gpu_processes(), STINT_FORMAT_PROCESSES, 80, "report_processes_80.txt");
    assert_report(fixture_gpu_processes(), STINT_FORMAT_PROCESSES_CSV, 0, "report_processes.csv");
}

TEST(only_process_is_a_row_too)
{
    struct capture out = capture_report(fixture_training(), STINT_FORMAT_PROCESSES_CSV, NULL);
    assert_string_equal(out.text, "pid,rank,start_unix_ns,wall_ns,gpu_ns,kernels,dropped,command\n"
                                  "4711,,1735689600000000000,12040123456,0,0,0,./train --batch-size 32\n");
}

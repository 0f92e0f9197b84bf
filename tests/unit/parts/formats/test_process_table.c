#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static void processes_are_listed_by_rank(void **state)
{
    assert_report(fixture_gpu_processes(), STINT_FORMAT_PROCESSES, 80, "report_processes_80.txt");
    assert_report(fixture_gpu_processes(), STINT_FORMAT_PROCESSES_CSV, 0, "report_processes.csv");
}

static void only_process_is_a_row_too(void **state)
{
    struct capture out = capture_report(fixture_training(), STINT_FORMAT_PROCESSES_CSV, NULL);
    assert_string_equal(out.text, "pid,rank,start_unix_ns,wall_ns,gpu_ns,kernels,dropped,command\n"
                                  "4711,,1735689600000000000,12040123456,0,0,0,./train --batch-size 32\n");
    capture_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_listed_by_rank),
        cmocka_unit_test(only_process_is_a_row_too),
    };
    return cmocka_run_group_tests(tests, NULL, fixture_gpu_teardown);
}

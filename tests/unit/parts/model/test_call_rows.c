#include <string.h>

#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(calls_of_cuda_are_no_scopes)
{
    struct capture out = write_table(fixture_gpu_calls(), 0, 0);
    assert_golden(out, "report_table_gpu_calls.txt");
    assert_non_null(strstr(out.text, ", 2 scopes, "));            /* main, and one that a call made */
    assert_non_null(strstr(out.text, "\n  99.90   1000.000 "));   /* of these two */
    assert_non_null(strstr(out.text, " about 38.4 ns in all, ")); /* likewise */
    assert_null(strstr(out.text, "GPU"));
}

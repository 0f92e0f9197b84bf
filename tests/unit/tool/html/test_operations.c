#include "html/page_fixture.h"
#include "op/op_recording.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static void data_of_operations(void **state)
{
    op_example();
    assert_page_data(fixture_empty(), "html_operations.json");
    assert_int_equal(op_forget(state), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_of_operations),
    };
    return cmocka_run_group_tests(tests, NULL, fixture_gpu_teardown);
}

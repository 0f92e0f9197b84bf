#include "html/page_fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static void data_of_a_gpu_program(void **state)
{
    assert_page_data(fixture_gpu(), "html_gpu.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_of_a_gpu_program),
    };
    return cmocka_run_group_tests(tests, NULL, fixture_gpu_teardown);
}

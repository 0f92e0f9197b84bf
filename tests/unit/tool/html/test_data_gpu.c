#include "html/page_fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(data_of_a_gpu_program)
{
    assert_page_data(fixture_gpu(), "html_gpu.json");
}

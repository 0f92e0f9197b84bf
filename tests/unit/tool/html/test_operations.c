#include "html/page_fixture.h"
#include "op/op_recording.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(data_of_operations)
{
    op_example();
    assert_page_data(fixture_empty(), "html_operations.json");
    assert_int_equal(op_forget(state), 0);
}

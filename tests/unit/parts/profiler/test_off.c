/* The stage in a library configured with WITH_PROFILER=OFF. */
#include "profiler/profiler.h"

#include "stint_test.h"

TEST(every_function_says_unavailable)
{
    const struct stint_activation activation = {"file.c", 1, "name", NULL, ""};
    stint_activation_set_window(0, 1);
    assert_int_equal(stint_activation_begin(&activation), STINT_ERROR_UNAVAILABLE);
    assert_int_equal(stint_activation_step(), STINT_ERROR_UNAVAILABLE);
    assert_int_equal(stint_activation_end(), STINT_ERROR_UNAVAILABLE);
    assert_int_equal(stint_activation_status(), STINT_ERROR_UNAVAILABLE);
    assert_int_equal(stint_activation_cuda_code(), 0);
}

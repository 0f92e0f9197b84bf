/* The stage in a library configured with WITH_PROFILER=OFF. */
#include "profiler/profiler.h"

#include "stint_test.h"

static void every_function_says_unavailable(void **state)
{
    const struct stint_activation activation = {"file.c", 1, "name", NULL, ""};
    stint_activation_set_window(0, 1);
    assert_int_equal(stint_activation_begin(&activation), STINT_ERROR_UNAVAILABLE);
    assert_int_equal(stint_activation_step(), STINT_ERROR_UNAVAILABLE);
    assert_int_equal(stint_activation_end(), STINT_ERROR_UNAVAILABLE);
    assert_int_equal(stint_activation_status(), STINT_ERROR_UNAVAILABLE);
    assert_int_equal(stint_activation_cuda_code(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_function_says_unavailable)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

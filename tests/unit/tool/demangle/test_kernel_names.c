#include "demangle/kernel_names.h"

#include "stint_test.h"

static void kernels_of_numba_and_static_ones_are_named(void **state)
{
    struct stint_kernel_names kernels = {0};
    const char *name = stint_kernel_name(&kernels, "__nv_static_4__1_f__Z5scalePfi");
    assert_string_equal(name, "scale(float*, int)");
    assert_ptr_equal(stint_kernel_name(&kernels, "__nv_static_4__1_f__Z5scalePfi"), name);
    assert_string_equal(stint_kernel_name(&kernels, "_Z3addB2v1B4cw51i"), "add(int)");
    assert_string_equal(stint_kernel_name(&kernels, "sgemm_128x128"), "sgemm_128x128");
    stint_kernel_names_free(&kernels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_numba_and_static_ones_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

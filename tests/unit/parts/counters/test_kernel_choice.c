#include "counters/kernel_choice.h"

#include <stdlib.h>

#include "stint_test.h"

TEST(patterns_choose_names)
{
    static const char name[] = "void gemm<float, 4>(float*, int)";
    assert_true(stint_kernel_is_among(NULL, name));
    assert_true(stint_kernel_is_among("", name));
    assert_true(stint_kernel_is_among("gemm*", name));
    assert_false(stint_kernel_is_among("gemv*", name));
    assert_true(stint_kernel_is_among("gemv*,gemm*", name));
    assert_true(stint_kernel_is_among("gemm<float, 4>", name)); /* a comma within brackets separates nothing */
    assert_false(stint_kernel_is_among("gemm<float, 8>", name));
}

TEST(patterns_choose_names_without_their_namespaces)
{
    static const char local[] = "(anonymous namespace)::scale(float*, float)";
    static const char inner[] = "void a::b<c::d>::gemm<e::f, (g::h)4>(i::j<float>*)";
    assert_true(stint_kernel_is_among("scale", local));
    assert_true(stint_kernel_is_among("scale*", local));
    assert_true(stint_kernel_is_among("(anonymous namespace)::scale", local));
    assert_false(stint_kernel_is_among("scale_by_mistake", local));
    assert_false(stint_kernel_is_among("!scale", local));
    assert_true(stint_kernel_is_among("gemm", inner));
    assert_true(stint_kernel_is_among("gemm<e::f, (g::h)4>", inner));
    assert_true(stint_kernel_is_among("gemm<*", inner));
    assert_true(stint_kernel_is_among("a::b*", inner));
    assert_false(stint_kernel_is_among("f*", inner));
    assert_false(stint_kernel_is_among("d>*", inner));
    assert_false(stint_kernel_is_among("b", inner));
    assert_true(stint_kernel_is_among("operator<*", "void a::operator< <int>(int)"));
    assert_true(stint_kernel_is_among("gemm", "gemm<4>(float*)"));
    assert_false(stint_scope_name_is_among("mm", "aten::mm")); /* names of scopes are taken as they are */
    assert_true(stint_scope_name_is_among("aten::*", "aten::mm"));
}

TEST(patterns_behind_an_exclamation_mark_exclude)
{
    assert_false(stint_kernel_is_among("!copy*", "copy_all"));
    assert_true(stint_kernel_is_among("!copy*", "add"));
    assert_true(stint_kernel_is_among("*,!copy*", "add"));
    assert_false(stint_kernel_is_among("*,!copy*", "copy_all"));
    assert_true(stint_kernel_is_among("!copy*,copy_all", "copy_all"));
}

TEST(launches_are_a_number_a_range_or_all)
{
    static const char *const mistakes[] = {"", "0", "x", "3-", "3-2", "-3", "3x", "1-2-3"};
    struct stint_kernel_choice choice;
    assert_int_equal(stint_kernel_launches(&choice, "3"), 0);
    assert_true(choice.first == 3 && choice.last == 3);
    assert_int_equal(stint_kernel_launches(&choice, "2-10"), 0);
    assert_true(choice.first == 2 && choice.last == 10);
    assert_int_equal(stint_kernel_launches(&choice, "all"), 0);
    assert_true(choice.first == 1 && choice.last == UINT64_MAX);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i)
        assert_int_equal(stint_kernel_launches(&choice, mistakes[i]), -1);
}

TEST(kernels_that_wait_for_other_devices_are_known)
{
    assert_non_null(stint_kernel_waits("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"));
    assert_non_null(stint_kernel_waits("nvshmemi_barrier"));
    assert_null(stint_kernel_waits("my_nccl_like_kernel"));
}

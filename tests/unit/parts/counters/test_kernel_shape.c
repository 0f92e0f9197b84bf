#include "counters/kernel_choice.h"

#include <stdlib.h>

#include "stint_test.h"

/* An H100. */
static const struct stint_multiprocessor s_h100 = {
    .count = 132, .threads = 2048, .shared = 233472, .registers = 65536, .blocks = 32, .reserved = 1024};

static struct stint_shape_limits limits(unsigned threads, int registers, int shared)
{
    const struct stint_shape_need need = {.threads = threads, .registers = registers, .shared = shared};
    return stint_shape_limits(&s_h100, &need);
}

/* What Nsight Compute 2025.3 says of the kernels of tests/gpu/counted.cu. */
TEST(limits_are_those_of_nsight_compute)
{
    assert_int_equal(limits(256, 16, 0).registers, 16);
    assert_int_equal(limits(256, 8, 0).registers, 16);
    assert_int_equal(limits(256, 24, 0).registers, 10);
    assert_int_equal(limits(1024, 32, 8192).registers, 2);
    assert_int_equal(limits(128, 32, 0).registers, 16);
    assert_int_equal(limits(1, 22, 0).registers, 84);
    assert_int_equal(limits(32, 4, 0).registers, 128);
    assert_int_equal(limits(256, 16, 0).warps, 8);
    assert_int_equal(limits(1024, 32, 0).warps, 2);
    assert_int_equal(limits(1, 32, 0).warps, 64);
}

TEST(shared_memory_is_allocated_with_what_the_driver_needs)
{
    assert_int_equal(limits(256, 16, 233472 / 2 - 1024).shared, 2);
    assert_int_equal(limits(256, 16, 233472 / 2 - 1023).shared, 1);
    assert_int_equal(limits(256, 16, 0).shared, 228);
}

TEST(unknown_calls_have_no_shape)
{
    const struct stint_counted_call graph = {.function = "cuGraphLaunch", .parameters = &graph};
    const struct stint_counted_call nothing = {.function = "cuLaunchKernel"};
    struct stint_kernel_shape shape = {.count = 1};
    stint_kernel_shape(&shape, &graph);
    assert_int_equal(shape.count, 0);
    stint_kernel_shape(&shape, &nothing);
    assert_int_equal(shape.count, 0);
}

/* Without a driver only what the call says is known. */
TEST(parameters_of_both_kinds_of_launches_are_read)
{
    const struct {
        unsigned grid[3], block[3], shared;
    } config = {{5, 6, 7}, {8, 4, 2}, 100};
    const struct {
        const void *function;
        unsigned grid[3], block[3], shared;
    } plain = {NULL, {5, 6, 7}, {8, 4, 2}, 100};
    const struct {
        const void *config, *function;
    } extended = {&config, NULL};
    const struct stint_counted_call calls[] = {{.function = "cuLaunchKernel", .parameters = &plain},
                                               {.function = "cuLaunchCooperativeKernel", .parameters = &plain},
                                               {.function = "cuLaunchKernelEx", .parameters = &extended}};

    for (size_t i = 0; i < 3; ++i) {
        struct stint_kernel_shape shape;
        stint_kernel_shape(&shape, &calls[i]);
        assert_string_equal(shape.values[0].metric, "launch__grid_size");
        assert_true(shape.values[0].value == 210);
        assert_string_equal(shape.values[1].metric, "launch__block_size");
        assert_true(shape.values[1].value == 64);
        assert_string_equal(shape.values[4].metric, "launch__shared_mem_per_block_dynamic");
        assert_true(shape.values[4].value == 100);
    }
}

#include <stdio.h>

#include "op/op_recording.h"
#include "op/op_sum.h"
#include "op/op_table.h"
#include "stint_test.h"

/* ------------------------------------------------------------------------------------------------------------- cost */

TEST_EACH(NULL, op_forget)

TEST(an_operation_has_its_cost_once_on_its_main_kernel)
{
    op_range(7, 0, 100, "aten::mm, op_id = 1, sizes = [[64, 128], [128, 32]]");
    op_call(7, 20, 1);
    op_call(7, 30, 2);
    op_call(7, 40, 3);
    op_range(7, 110, 120, "aten::mm, op_id = 2, sizes = [[64, 128], [128, 32]]");
    op_call(7, 115, 4);
    op_kernel(200, 900, 1, "void cublasLt::splitKreduce_kernel<32>(int)");
    op_kernel(1200, 100, 2, "ampere_sgemm_128x128_nn");
    op_kernel(1400, 300, 3, "ampere_sgemm_128x128_nn");
    op_kernel(1800, 100, 4, "ampere_sgemm_128x128_nn");
    op_joined();
    static const uint64_t flops[] = {0, 0, 524288, 524288};
    static const uint32_t subs[] = {0, 1, 2, 0};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(op_rows.rows[i].cost.flops.state, STINT_OP_IS_KNOWN);
        assert_int_equal(op_rows.rows[i].cost.flops.value, flops[i]);
        assert_int_equal(op_rows.rows[i].sub, subs[i]);
        assert_int_equal(op_rows.rows[i].is_main, i >= 2);
    }
    assert_string_equal(op_rows.rows[0].name, "cublasLt::splitKreduce_kernel");
}

/* Padding is not in the text. */
TEST(operations_of_one_text_may_have_different_costs)
{
    static const uint64_t sides[] = {30, 32, 30};
    char texts[3][128], uses[3][128];
    for (unsigned i = 0; i < 3; i++) {
        uint64_t at = 100 * i;
        (void)snprintf(texts[i], sizeof texts[i],
                       "aten::cudnn_convolution, op_id = %u, sizes = [[8, 3, 32, 32], [16, 3, 3, 3], [], []]",
                       2 * i + 1);
        op_range(7, at, at + 50, texts[i]);
        op_call(7, at + 10, i + 1);
        (void)snprintf(uses[i], sizeof uses[i],
                       "aten::relu, op_id = %u, sizes = [[8, 16, %u, %u]], input_op_ids = [(%u,0)]", 2 * i + 2,
                       (unsigned)sides[i], (unsigned)sides[i], 2 * i + 1);
        op_range(7, at + 60, at + 70, uses[i]);
        op_kernel(1000 + at, 10, i + 1, "a");
    }
    op_joined();
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(op_rows.rows[i].cost.flops.value, 2 * 8 * 16 * sides[i] * sides[i] * 27);
}

/* 2 * 2 * 8 * 64 * 32, and the scores again: 2 * 8 * 64 * 16. */
TEST(what_is_computed_again_is_executed_and_not_needed)
{
    struct stint_op_cell cell = {0};
#define TENSOR "{'name': '', 'type': 'tensor', 'shape': (2, 4, 8, 16), 'dtype': 'bfloat16'}"
    op_range(7, 10, 90,
             "{'mod': 'm', 'op': 'scaled_dot_product_attention', 'args': [" TENSOR ", " TENSOR ", " TENSOR "]}");
    op_range(7, 20, 80, "attention, seq = 4");
    op_call(7, 30, 1);
    op_range(9, 200, 300, "AttentionBackward, seq = 4");
    op_call(9, 210, 2);
    op_kernel(1000, 10, 1, "a");
    op_kernel(1010, 10, 2, "b");
    op_joined();
    assert_string_equal(stint_op_cell_fill(&cell, &op_rows, 0, STINT_OP_FLOPS), "32768");
    assert_string_equal(stint_op_cell_fill(&cell, &op_rows, 0, STINT_OP_EXECUTED), "32768");
    assert_string_equal(stint_op_cell_fill(&cell, &op_rows, 1, STINT_OP_FLOPS), "65536");
    assert_string_equal(stint_op_cell_fill(&cell, &op_rows, 1, STINT_OP_EXECUTED), "81920");
    assert_int_equal(op_rows.rows[1].type, STINT_OP_BF16);
    stint_op_cell_free(&cell);
}

/* A device that waits waits for the next kernel; one that began before another one ended is not waited for. */
TEST(a_device_is_idle_until_the_kernel_that_is_late)
{
    static const uint64_t idle[] = {0, 0, 50, 0, 70};
    op_kernel(100, 50, 1, "a");
    op_kernel(120, 100, 2, "b");
    op_kernel(270, 10, 3, "c");
    op_kernel(300, 10, 4, "other device");
    op_last_gpu()->device = 1;
    op_kernel(350, 10, 5, "d");
    op_joined();
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(op_rows.rows[i].idle_ns, idle[i]);
}

TEST(costs_without_room_are_counted)
{
    op_range(7, 0, 100, "aten::mm, op_id = 1, sizes = [[1000000000000000000, 128], [128, 1000000000000000000]]");
    op_call(7, 20, 1);
    op_kernel(200, 10, 1, "a");
    op_joined();
    assert_int_equal(op_rows.too_large, 1);
    assert_int_equal(op_rows.rows[0].cost.flops.state, STINT_OP_IS_TOO_LARGE);
}

/* ------------------------------------------------------------------------------------------------------------ names */

TEST(names_of_kernels_are_those_of_their_functions)
{
    static const char *const names[][2] = {
        {"void at::native::(anonymous namespace)::f<4, at::g<int>>(int)", "f"},
        {"void cudnn::ops::nchwToNhwcKernel<float>(cudnn::p)", "cudnn::ops::nchwToNhwcKernel"},
        {"axpy(float, float*)", "axpy"},
        {"_Z4axpyfPf", "axpy"},
        {"volta_sgemm_128x64_nn", "volta_sgemm_128x64_nn"},
        {"", ""},
    };
    struct stint_arena arena = {0};
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_string_equal(stint_op_kernel_name(&arena, names[i][0]), names[i][1]);
    stint_arena_free(&arena);
}

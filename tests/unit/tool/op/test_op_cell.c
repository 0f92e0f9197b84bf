/* What the columns of stint ops say of a kernel. */
#include <string.h>

#include "op/op_recording.h"
#include "op/op_table.h"
#include "stint_test.h"

static struct stint_op_cell s_cell;

static int forget(void **state)
{
    stint_op_cell_free(&s_cell);
    memset(&s_cell, 0, sizeof s_cell);
    return op_forget(state);
}

static void assert_cell(size_t row, enum stint_op_column column, const char *text)
{
    assert_string_equal(stint_op_cell_fill(&s_cell, &op_rows, row, column), text);
}

TEST_EACH(NULL, forget)

TEST(kernel_has_its_operation_and_what_that_says)
{
    op_range(7, 10, 50, "aten::mm, seq = 54, op_id = 2, sizes = [[64, 128], [128, 32]]");
    op_call(7, 20, 1);
    op_kernel(200, 10, 1, "gemm");
    op_last_gpu()->grid[0] = 4;
    op_joined();
    assert_cell(0, STINT_OP_IDX, "1");
    assert_cell(0, STINT_OP_SEQ, "54");
    assert_cell(0, STINT_OP_ALTSEQ, "-");
    assert_cell(0, STINT_OP_TID, "7");
    assert_cell(0, STINT_OP_DIR, "fprop");
    assert_cell(0, STINT_OP_NAME, "aten::mm");
    assert_cell(0, STINT_OP_KERNEL, "gemm");
    assert_cell(0, STINT_OP_PARAMS, "[64,128];[128,32]");
    assert_cell(0, STINT_OP_SIL, "10");
    assert_cell(0, STINT_OP_FLOPS, "524288");
    assert_cell(0, STINT_OP_LAYER_NAME, "-");
    assert_cell(0, STINT_OP_TRACE_LINES, "-");
}

TEST(kernel_without_an_operation_has_nothing_of_one)
{
    op_kernel(200, 10, 1, "gemm");
    op_joined();
    assert_cell(0, STINT_OP_NAME, "na");
    assert_cell(0, STINT_OP_MOD, "na");
    assert_cell(0, STINT_OP_PARAMS, "na");
    assert_cell(0, STINT_OP_DIR, "na");
    assert_cell(0, STINT_OP_FLOPS, "na");
}

TEST(call_stacks_are_without_lines_of_pytorch)
{
    op_range(7, 5, 60, "{'traceMarker': ['train.py:12', '/usr/lib/torch/nn/functional.py:1', 'model.py:30']}");
    op_range(7, 10, 50, "aten::relu, op_id = 2, sizes = [[5]]");
    op_call(7, 20, 1);
    op_kernel(200, 10, 1, "relu");
    op_joined();
    assert_cell(0, STINT_OP_TRACE_LINES, "train.py:12,model.py:30");
}

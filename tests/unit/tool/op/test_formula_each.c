#include "op/op_cost.h"
#include "op_fixture.h"
#include "stint_test.h"

TEST(operations_on_elements_read_and_write_each_once)
{
    static const struct op_expected expected[] = {
        /* PyProf's README: relu of 51380224 elements in fp16 */
        {"relu", "float16", "[32,128,112,112]", 51380224, 205520896},
        {"relu_", "float32", "[10]", 10, 80},
        {"tanh_backward", "float32", "[10] [10]", 30, 120},
        {"gelu_backward", "float32", "[10] [10]", 200, 120},
        {"silu", "float32", "[10]", 200, 80},
        {"abs", "float32", "[10]", 10, 80},
        {"maximum", "float32", "[10] [10]", 10, 120},
        {"logsumexp", "float32", "[4,5] 1", 22 * 20 + 20 * 4, 4 * 24},
        {"byte", "float32", "[10]", 0, 50},
        {"long", "float32", "[10]", 0, 120},
        {"double", "float32", "[10]", 0, 120},
        {"bfloat16", "float32", "[10]", 0, 60},
        {"gelu", "float32", "[10]", 200, 80},
        {"sigmoid", "float32", "[10]", 200, 80},
        {"aten::threshold_backward", "float32", "[10] [10] 0", 10, 120},
        {"add", "float32", "[4,1,3] [5,3]", 60, 4 * (12 + 15 + 60)},
        {"add_", "float32", "[10] 3", 10, 80},
        {"aten::add.Tensor", "float32", "[10] [1]", 10, 4 * 21},
        {"__mul__", "float16", "[10] [10]", 10, 60},
        {"eq", "float32", "[10] [10]", 10, 90},
        {"pow", "float32", "[10] 2", 200, 80},
        {"addcmul", "float32", "[10] [10] [10]", 30, 160},
        {"masked_fill", "float32", "[10] [10]", 0, 120},
        {"dropout", "float16", "[10]", 50, 40},
        {"native_dropout", "float16", "[10]", 50, 50},
        {"clone", "float32", "[18,4,416,640]", 0, 153354240}, /* as PyProf prints it */
        {"float", "bool", "[18,104,160]", 0, 1497600},        /* the same */
        {"half", "float32", "[10]", 0, 60},
        {"copy_", "float32", "[10] [10]", 0, 80},
        {"cat", "float32", "[10] [6]", 0, 128},
        {"view", "float32", "[10] (2,5)", 0, 0},
        {"zero_", "float16", "[10]", 0, 20},
        {"ones", NULL, "(2,5)", 0, 40},
        {"zeros", NULL, "2 5", 0, 40},
        {"full", NULL, "(2,5) 3", 0, 40},
        {"sum", "float32", "[4,5]", 20, 84},
        {"sum", "float32", "[4,5] 1", 20, 4 * (20 + 4)},
        {"sum", "float32", "[4,5,6] (0,-1)", 120, 4 * (120 + 5)},
        {"mean", "float32", "[4,5]", 21, 84},
        {"norm", "float32", "[20]", 41, 84},
        {"var", "float32", "[4,5] 0", 80 + 10, 4 * 25},
        {"any", "bool", "[20]", 0, 21},
    };
    assert_op_costs(expected, TEST_COUNT(expected), 0);
}

TEST(gradients_of_elements_are_read_too)
{
    static const struct op_expected expected[] = {
        {"relu", "float16", "[10]", 10, 60},      {"add", "float32", "[10] [10]", 0, 80},
        {"mul", "float32", "[10] [10]", 10, 120}, {"exp", "float32", "[10]", 200, 80},
        {"eq", "float32", "[10] [10]", 0, 0},
    };
    assert_op_costs(expected, TEST_COUNT(expected), 1);
}

TEST(tensors_without_dimensions_are_single_elements)
{
    struct stint_op_cost cost = op_cost("aten::mul, op_id = 3, sizes = [[], []]", STINT_OP_FP32, 0);
    assert_op_amount(cost.flops, 1, "mul", "flops");
    cost = op_cost("aten::mul, op_id = 3", STINT_OP_FP32, 0);
    assert_op_amount(cost.flops, OP_SOME, "mul", "flops");
}

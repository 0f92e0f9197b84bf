#include <string.h>

#include "op/op_cost.h"
#include "op_fixture.h"
#include "stint_test.h"

/* --------------------------------------------------------------------------------------------------------- elements */

TEST(operations_without_sizes_are_not_known)
{
    struct stint_op_cost cost = op_cost("aten::copy_, op_id = 3", STINT_OP_FP32, 0);
    assert_op_amount(cost.flops, OP_SOME, "copy_", "flops");
    assert_op_amount(cost.bytes, OP_SOME, "copy_", "bytes");
    cost = op_cost("aten::cat, op_id = 3, sizes = [[], []]", STINT_OP_FP32, 0);
    assert_op_amount(cost.bytes, OP_SOME, "cat", "bytes");
}

/* ----------------------------------------------------------------------------------------------------------- others */

TEST(what_is_too_large_or_not_known_is_said)
{
    static const struct op_expected expected[] = {
        {"mm", "float32", "[1000000000000000000,2] [2,1000000000000000000]", OP_FULL, OP_FULL},
        {"relu", "float32", "[4000000000,4000000000]", UINT64_C(16000000000000000000), OP_FULL},
        {"relu", "float32", "[5000000000,5000000000]", OP_FULL, OP_FULL},
        {"mm", "", "[2,3] [3,4]", 48, OP_SOME},
        {"mm", "float32", "[2,-3] [3,4]", OP_SOME, OP_SOME},
        {"mm", "float32", "3 [3,4]", OP_SOME, OP_SOME},
        {"mm", "float32", "", OP_SOME, OP_SOME},
        {"sum", "float32", "[4,5] 2", 20, OP_SOME},
        {"sum", "float32", "[4,5] -3", 20, OP_SOME},
        {"sum", "float32", "[4,5] 1e300", 20, OP_SOME},
        {"sum", "float32", "[4,5] (9223372036854775807,)", 20, OP_SOME},
        {"topk", "float32", "[3,16] 1e300", 48, OP_SOME},
        {"conv2d", "float32", "[1,3,16,16] [8,3,3,3] - 0", OP_SOME, OP_SOME},
        {"conv2d", "float32", "[1,3,2,2] [8,3,3,3]", OP_SOME, OP_SOME},
        {"conv2d", "float32", "[1] [8,3,3,3]", OP_SOME, OP_SOME},
        {"max_pool2d", "float32", "[8] 2", OP_SOME, OP_SOME},
    };
    assert_op_costs(expected, TEST_COUNT(expected), 0);
}

TEST(operations_without_a_formula_have_no_rule)
{
    static const char *const names[] = {"", "_", ".", "aten::", "mmm", "mylib::mm", "ConvolutionBackward0", "x y"};
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_null(stint_op_rule_of((struct stint_piece){names[i], strlen(names[i])}));
}

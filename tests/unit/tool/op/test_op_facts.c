#include "op/operation.h"
#include "op_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, op_read_forget)

TEST(texts_of_torch_profiler_have_types_and_values)
{
    assert_int_equal(
        op_read_text(
            "aten::conv2d, seq = 0, op_id = 12, sizes = [[8, 3, 14, 14], [16, 3, 3, 3], [], [], [], [], []], "
            "types = [\"c10::Half\", \"c10::Half\", \"\", \"ScalarList\", \"\", \"Scalar\", \"float\"], strides = "
            "[[588, 1, 42, 3], [27, 1, 9, 3], [], [], [], [], []], inputs = [\"\", \"\", \"\", \"[2, 1]\", \"same\", "
            "\"False\", \"\"]"),
        STINT_OP_CALL);
    assert_string_equal(op_values(), "[8 3 14 14]fp16 [16 3 3 3]fp16 ? (2 1) 'same' !0 []fp32");
    assert_false(op_read.is_cut);
    assert_int_equal(op_read_text("aten::cat, op_id = 3, sizes = [[[2, 3], [4, 3]], []], types = [\"TensorList\", "
                                  "\"Scalar\"], inputs = [\"\", \"-1\"]"),
                     STINT_OP_CALL);
    assert_string_equal(op_values(), "[2 3] [4 3] -1");
    assert_int_equal(op_read_text("autograd::engine::evaluate_function: MulBackward0, seq = 7, op_id = 20, "
                                  "forward_thread = 1, sizes = [[2]], types = [\"double\"]"),
                     STINT_OP_CALL);
    assert_int_equal(op_read.forward_thread, 1);
    assert_string_equal(op_values(), "[2]fp64");
}

TEST(facts_that_are_cut_are_told)
{
    static const char whole[] = "aten::mm, op_id = 783, sizes = [[64, 16], [16, 10]], types = [\"float\", \"float\"], "
                                "strides = [[16, 1], [1, 16]], inputs = [\"\", \"\"]";
    for (size_t length = sizeof "aten::mm, op_id = 783, sizes = " - 1; length < sizeof whole - 1; length++) {
        assert_int_equal(stint_operation_read(&op_read, whole, length), STINT_OP_CALL);
        if (whole[length - 1] != ']' || whole[length] != ',' || whole[length + 2] == '[')
            assert_true(op_read.is_cut);
    }
    assert_int_equal(op_read_text(whole), STINT_OP_CALL);
    assert_string_equal(op_values(), "[64 16]fp32 [16 10]fp32");
}

static void assert_is(const char *schema, size_t argument, const char *expected)
{
    struct stint_piece name = stint_op_facts_name((struct stint_piece){schema, strlen(schema)}, argument);
    if (name.length != strlen(expected) || memcmp(name.text, expected, name.length) != 0)
        fail_msg("%.*s, not %s", (int)name.length, name.text, expected);
}

TEST(declarations_name_arguments)
{
    static const char backward[] =
        "aten::convolution_backward(Tensor grad_output, SymInt[]? bias_sizes, int[2] stride=1, "
        "bool[3] output_mask) -> (Tensor, Tensor, Tensor)";
    static const char uniform[] =
        "aten::uniform_(Tensor(a!) self, float from=0., *, Generator? generator=None) -> Tensor(a!)";
    assert_is(backward, 0, "grad_output");
    assert_is(backward, 1, "bias_sizes");
    assert_is(backward, 2, "stride");
    assert_is(backward, 3, "output_mask");
    assert_is(backward, 4, "");
    assert_is(uniform, 0, "self");
    assert_is(uniform, 1, "from");
    assert_is(uniform, 2, "generator");
    assert_is(uniform, 3, "");
    assert_is("aten::x()", 0, "");
    assert_is("aten::x(", 0, "");
    assert_is("aten::x(int", 0, "int");
    assert_is("", 0, "");
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/operation.h"
#include "op_fixture.h"
#include "stint_test.h"

/* ------------------------------------------------------------------------------------------------------- emit_nvtx */

TEST_ONCE(NULL, op_read_forget)

TEST(operations_of_pytorch_have_numbers_sizes_and_producers)
{
    assert_int_equal(
        op_read_text("aten::convolution_backward, op_id = 783, sizes = [[64, 16, 10, 10], [64, 6, 14, 14], "
                     "[16, 6, 5, 5], [], []], input_op_ids = [(780,0), (712,1), (0,-1), (0,-1), (0,-1)]"),
        STINT_OP_CALL);
    assert_op_name("aten::convolution_backward");
    assert_int_equal(op_read.op_id, 783);
    assert_false(op_read.has_seq);
    assert_false(op_read.is_cut);
    assert_string_equal(op_values(), "[64 16 10 10]<780.0 [64 6 14 14]<712.1 [16 6 5 5] ? ?");
}

TEST(operations_run_by_autograd_have_the_forward_one_s_number)
{
    assert_int_equal(op_read_text("ConvolutionBackward0, seq = 54, op_id = 782, sizes = [[64, 16, 10, 10]], "
                                  "input_op_ids = [(779,0)]"),
                     STINT_OP_CALL);
    assert_op_name("ConvolutionBackward0");
    assert_true(op_read.has_seq);
    assert_int_equal(op_read.seq, 54);
    assert_int_equal(op_read.op_id, 782);
    assert_string_equal(op_values(), "[64 16 10 10]<779.0");
}

TEST(texts_of_all_versions_of_pytorch_are_read)
{
    assert_int_equal(op_read_text("conv2d, seq = 5"), STINT_OP_CALL); /* before 1.9 */
    assert_op_name("conv2d");
    assert_int_equal(op_read.seq, 5);
    assert_int_equal(op_read_text("addmm, seq = 0, sizes = [[10], [4, 3], [3, 10]]"), STINT_OP_CALL);
    assert_true(op_read.has_seq);
    assert_string_equal(op_values(), "[10] [4 3] [3 10]");
    assert_int_equal(op_read_text("aten::to, op_id = 3"), STINT_OP_CALL);
    assert_int_equal(op_read.op_id, 3);
    assert_int_equal(op_read_text("detach_, sizes = [[7]]"), STINT_OP_CALL);
    assert_int_equal(op_read_text("f(a, b), op_id = 7"), STINT_OP_CALL);
    assert_op_name("f(a, b)");
    assert_int_equal(op_read_text("autograd::engine::evaluate_function: AddmmBackward0, op_id = 9"), STINT_OP_CALL);
    assert_op_name("autograd::engine::evaluate_function: AddmmBackward0");
}

TEST(steps_of_optimizers_are_operations_without_data)
{
    assert_int_equal(op_read_text("Optimizer.step#SGD.step"), STINT_OP_CALL);
    assert_op_name("Optimizer.step#SGD.step");
    assert_int_equal(op_read.op_id, 0);
    assert_int_equal(op_read_text("Optimizer.step#SGD.step, op_id = 7"), STINT_OP_CALL);
    assert_op_name("Optimizer.step#SGD.step");
    assert_int_equal(op_read_text("Optimizer.step"), STINT_OP_PLAIN);
    assert_int_equal(op_read_text("step#3"), STINT_OP_PLAIN);
}

TEST(tensors_of_lists_follow_each_other)
{
    (void)op_read_text("aten::cat, op_id = 4, sizes = [[[2, 3], [2, 5]], []], input_op_ids = [(1,0), (2,0), (0,-1)]");
    assert_false(op_read.is_cut);
    assert_string_equal(op_values(), "[2 3]<1.0 [2 5]<2.0 ?");
    (void)op_read_text("aten::cat, op_id = 4, sizes = [[2, 3], [2, 5], []], input_op_ids = [(1,0), (2,0), (0,-1)]");
    assert_string_equal(op_values(), "[2 3]<1.0 [2 5]<2.0 ?");
}

TEST(producers_that_do_not_belong_to_sizes_are_not_known)
{
    (void)op_read_text("aten::index, op_id = 4, sizes = [[2], [3]], input_op_ids = [(1,0), (0,-1), (2,0)]");
    assert_string_equal(op_values(), "[2] [3]");
    (void)op_read_text("aten::index, op_id = 4, sizes = [[2], [3]], input_op_ids = [(1,0), (9,70000)]");
    assert_string_equal(op_values(), "[2]<1.0 [3]");
}

TEST(operations_of_op_h_have_a_direction_and_a_layer)
{
    assert_int_equal(
        op_read_text("conv2d, seq = 7, sizes = [[64, 6], [16, 6], [], []], types = [\"fp16\", \"fp8e5m2\", "
                     "\"\", \"\"], inputs = [\"\", \"\", \"None\", \"[1, 2]\"], direction = \"bprop\", "
                     "layer = \"net.conv1\""),
        STINT_OP_CALL);
    assert_false(op_read.is_cut);
    assert_int_equal(op_read.seq, 7);
    assert_int_equal(op_read.pass, STINT_OP_BACKWARD);
    assert_int_equal(op_read.layer.length, 9);
    assert_memory_equal(op_read.layer.text, "net.conv1", 9);
    assert_string_equal(op_values(), "[64 6]fp16 [16 6]fp8e5m2 None (1 2)");
    assert_int_equal(op_read_text("step, direction = \"optim\""), STINT_OP_CALL);
    assert_false(op_read.is_cut || op_read.has_seq || op_read.layer.length);
    assert_int_equal(op_read.pass, STINT_OP_UPDATE);
    assert_int_equal(op_read_text("aten::mm, op_id = 5"), STINT_OP_CALL);
    assert_int_equal(op_read.pass, -1);
}

TEST(collectives_have_a_size)
{
    assert_int_equal(op_read_text("record_param_comms, op_id = 30, collective = \"allreduce\", dtype = \"BFloat16\", "
                                  "group_size = 8, in_elements = 4096, out_elements = 4097"),
                     STINT_OP_CALL);
    assert_int_equal(op_read.collective.length, 9);
    assert_memory_equal(op_read.collective.text, "allreduce", 9);
    assert_int_equal(op_read.type, STINT_OP_BF16);
    assert_int_equal(op_read.group_size, 8);
    assert_int_equal(op_read.in_elements, 4096);
    assert_int_equal(op_read.out_elements, 4097);
    assert_int_equal(op_read_text("aten::mm, op_id = 1"), STINT_OP_CALL);
    assert_int_equal(op_read.collective.length + op_read.group_size + op_read.type, 0);
}

TEST(what_is_cut_keeps_its_name_and_number)
{
    static const char *const texts[] = {"aten::mm, op_id = 783, sizes = [[64, 16], [16",
                                        "aten::mm, op_id = 783, sizes = [[64, ",
                                        "aten::mm, op_id = 783, sizes = [[64, 16]",
                                        "aten::mm, op_id = 783, sizes = [[64, 16]], input_op_ids = [(780,",
                                        "aten::mm, op_id = 783, siz",
                                        "aten::mm, op_id = 783, sizes = [[9223372036854775808]]"};
    for (size_t i = 0; i < TEST_COUNT(texts); i++) {
        assert_int_equal(op_read_text(texts[i]), STINT_OP_CALL);
        assert_op_name("aten::mm");
        assert_int_equal(op_read.op_id, 783);
        assert_true(op_read.is_cut);
        assert_int_equal(op_read.values.count, 0);
    }
}

TEST(sizes_may_be_as_large_as_numbers_are)
{
    (void)op_read_text("a, op_id = 1, sizes = [[1000000000000000000, 9223372036854775807, -1]]");
    assert_string_equal(op_values(), "[1000000000000000000 9223372036854775807 -1]");
}

/* ------------------------------------------------------------------------------------------------------ pyprof.init */

TEST(layers_have_names)
{
    assert_int_equal(op_read_text("layer:net.layer1.0.conv2"), STINT_OP_LAYER);
    assert_op_name("net.layer1.0.conv2");
    assert_int_equal(op_read_text("layer: a:b, op_id = 3"), STINT_OP_LAYER);
    assert_op_name("a:b, op_id = 3");
    assert_int_equal(op_read_text("layer:"), STINT_OP_PLAIN);
}

/* ----------------------------------------------------------------------------------------------------------- others */

TEST(other_texts_are_plain)
{
    static const char *const texts[] = {"",
                                        "step 12",
                                        "a, b, 12",
                                        "loss, sizes = 3",
                                        "x, seq = a1",
                                        "x, seq = 1a",
                                        "x, seq = -1",
                                        "x, op_id = ",
                                        "x, op_id = 99999999999999999999",
                                        "a,op_id = 7",
                                        "op_id = 7",
                                        ", op_id = 7",
                                        "{",
                                        "{}",
                                        "{}}",
                                        "{'mod': 'm', 'op': 'o'}",
                                        "{'mod': 'm', 'op': 'o', 'args': [}",
                                        "{'mod': 'm', 'op': 'o', 'args': [{'shape': (1, 2]}]}",
                                        "{'mod': 'm', 'op': 'o', 'args': [{'shape': (1, 'a')}]}",
                                        "{'mod': 'm', 'op': 'o', 'args': []} ",
                                        "{'mod': 'm', 'op': 'o', 'args': [",
                                        "{'mod': 'm', 'op': 'o",
                                        "{'mod': 'm', 'op': 'o\\",
                                        "{'mod': __import__('os').system('true'), 'op': 'o', 'args': []}",
                                        "{'traceMarker': 3}"};
    for (size_t i = 0; i < TEST_COUNT(texts); i++) {
        if (op_read_text(texts[i]) != STINT_OP_PLAIN)
            fail_msg("%s is not plain", texts[i]);
        assert_op_name("");
        assert_int_equal(op_read.values.count, 0);
    }
}

TEST(more_values_than_are_kept_are_cut)
{
    size_t size = 4 * ((size_t)STINT_OP_MOST + 1) + 32, used;
    char *text = malloc(size);
    assert_non_null(text);
    used = (size_t)snprintf(text, size, "a, op_id = 1, sizes = [[1]");
    for (size_t i = 1; i <= STINT_OP_MOST; i++, used += 3)
        memcpy(text + used, ",[]", 4);
    memcpy(text + used, "]", 2);
    (void)op_read_text(text);
    assert_true(op_read.is_cut);
    free(text);
}

TEST(what_was_read_before_is_forgotten)
{
    (void)op_read_text("ConvolutionBackward0, seq = 54, op_id = 782, sizes = [[64, 16]], input_op_ids = [(779,0)]");
    (void)op_read_text(
        "{'mod': 'm', 'op': 'o', 'args': [{'name': 'n', 'type': 'tensor', 'shape': (), 'dtype': 'int8'}]}");
    assert_false(op_read.has_seq);
    assert_int_equal(op_read.op_id, 0);
    assert_string_equal(op_values(), "n:[]int8");
    size_t mapped = op_read.arena.mapped;
    for (int i = 0; i < 10000; i++)
        (void)op_read_text("ConvolutionBackward0, seq = 54, op_id = 782, sizes = [[64, 16]], input_op_ids = [(779,0)]");
    assert_int_equal(op_read.arena.mapped, mapped);
}

#include "op/op_recording.h"
#include "op/op_sum.h"
#include "stint_test.h"

TEST_EACH(NULL, op_forget)

/* The one that uses a result knows the outer operation, by its number on the same thread. */
TEST(shapes_of_results_come_from_the_next_operation)
{
    static const char conv[] = "aten::conv2d, op_id = 5, sizes = [[8, 3, 32, 32], [16, 3, 3, 3], [], []]";
    static const char inner[] = "aten::cudnn_convolution, op_id = 6, sizes = [[8, 3, 32, 32], [16, 3, 3, 3], [], []]";
    op_range(7, 0, 50, conv);
    op_range(7, 10, 40, inner);
    op_call(7, 20, 1);
    op_range(8, 55, 58, "aten::relu, op_id = 9, sizes = [[1, 1, 1, 1]], input_op_ids = [(5,0)]");
    op_range(7, 60, 62, "aten::relu, op_id = 7, sizes = [[2, 2, 2, 2]], input_op_ids = [(5,1)]");
    op_range(7, 70, 80, "aten::relu, op_id = 8, sizes = [[8, 16, 30, 30]], input_op_ids = [(5,0)]");
    op_kernel(200, 10, 1, "a");
    op_joined();
    assert_string_equal(op_name_of(0), "aten::cudnn_convolution");
    assert_int_equal(op_rows.rows[0].cost.flops.value, 2 * 8 * 16 * 30 * 30 * 27);
}

TEST(backward_kernels_have_what_the_forward_operation_has)
{
    op_range(7, 0, 100, "layer:fc");
    op_range(7, 10, 90,
             "{'mod': 'm', 'op': 'mm', 'args': [{'name': '', 'type': 'tensor', 'shape': (64, 128), 'dtype': "
             "'float16'}, {'name': '', 'type': 'tensor', 'shape': (128, 32), 'dtype': 'float16'}]}");
    op_range(7, 20, 80, "mm, seq = 4");
    op_call(7, 30, 1);
    op_range(7, 110, 120, "mul, seq = 5");
    op_range(9, 200, 300, "MmBackward, seq = 4");
    op_call(9, 210, 2);
    op_range(9, 310, 400, "MulBackward0, seq = 5, op_id = 3");
    op_call(9, 320, 3);
    op_range(7, 500, 600, "Optimizer.step#SGD.step");
    op_range(7, 510, 590, "aten::add_, op_id = 78, sizes = [[5], [5], []]");
    op_call(7, 520, 4);
    op_kernel(1000, 10, 1, "a");
    op_kernel(1010, 10, 2, "b");
    op_kernel(1020, 10, 3, "c");
    op_kernel(1030, 10, 4, "d");
    op_joined();
    static const char *const words[] = {"fprop", "bprop", "bprop", "optim"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(stint_op_direction_word((enum stint_op_direction)op_rows.rows[i].frame->direction),
                            words[i]);
    assert_string_equal(op_layer_of(0), "fc");
    assert_string_equal(op_layer_of(1), "fc");
    assert_string_equal(op_layer_of(2), "");
    assert_string_equal(op_name_of(1), "mm");
    assert_int_equal(op_rows.rows[0].cost.flops.value, 524288);
    assert_int_equal(op_rows.rows[1].cost.flops.value, 2 * 524288);
    assert_string_equal(op_name_of(2), "mul");
}

TEST(a_number_that_repeats_means_the_last_forward_operation)
{
    op_range(7, 0, 10, "layer:old");
    op_range(7, 1, 9, "mm, seq = 4");
    op_range(7, 20, 30, "layer:new");
    op_range(7, 21, 29, "mm, seq = 4");
    op_range(9, 40, 50, "MmBackward, seq = 4");
    op_call(9, 45, 1);
    op_kernel(100, 10, 1, "a");
    op_joined();
    assert_string_equal(op_layer_of(0), "new");
}

TEST(what_a_compiler_tries_is_in_a_layer_of_its_own)
{
    op_range(7, 0, 100, "layer:net");
    op_range(7, 1, 50, "CachingAutotuner.benchmark_all_configs, op_id = 3, sizes = []");
    op_range(7, 2, 40, "triton_poi_fused_gelu_0, op_id = 4, sizes = []");
    op_call(7, 10, 1);
    op_call(7, 60, 2);
    op_kernel(200, 10, 1, "triton_poi_fused_gelu_0");
    op_kernel(300, 10, 2, "triton_poi_fused_gelu_0");
    op_joined();
    assert_string_equal(op_layer_of(0), "net:(autotuning)");
    assert_string_equal(op_layer_of(1), "net");
}

#include <string.h>

#include "op/op_cost.h"
#include "op_fixture.h"
#include "stint_test.h"

TEST(products_of_matrices_cost_two_for_each_pair)
{
    static const struct op_expected expected[] = {
        /* PyProf prints the first pair */
        {"mm", "float16", "[64,128] [128,32]", 524288, 28672},
        {"aten::mm", "c10::Half", "[64,128] [128,32]", 524288, 28672},
        {"mm", "float32", "[1,1] [1,1]", 2, 12},
        {"mv", "float32", "[5,7] [7]", 2 * 5 * 7, 4 * (35 + 7 + 5)},
        {"dot", "float64", "[9] [9]", 18, 8 * (9 + 9 + 1)},
        {"bmm", "bfloat16", "[8,64,16] [8,16,32]", 2 * 8 * 64 * 32 * 16, 2 * 8 * (64 * 16 + 16 * 32 + 64 * 32)},
        {"addmm", "float32", "[32] [64,128] [128,32]", 524288, 4 * (32 + 64 * 128 + 128 * 32 + 64 * 32)},
        {"baddbmm", "float16", "[2,3,5] [2,3,4] [2,4,5]", 2 * 2 * 3 * 5 * 4, 2 * (30 + 24 + 40 + 30)},
        /* PyProf prints 57344 bytes, without the batch */
        {"matmul", "float32", "[4,1,64,128] [5,128,32]", 10485760, 4 * (4 * 64 * 128 + 5 * 128 * 32 + 4 * 5 * 64 * 32)},
        {"__matmul__", "float32", "[3,64,128] [128]", 2 * 3 * 64 * 128, 4 * (3 * 64 * 128 + 128 + 3 * 64)},
        {"matmul", "float32", "[128] [128,32]", 2 * 128 * 32, 4 * (128 + 128 * 32 + 32)},
        {"_scaled_mm", "float8_e4m3fn", "[64,128] [128,32]", 524288, 64 * 128 + 128 * 32 + 2 * 64 * 32},
        {"_int_mm", "int8", "[64,128] [128,32]", 524288, 64 * 128 + 128 * 32 + 4 * 64 * 32},
        /* PyProf prints 609536 bytes, with a wrong precedence */
        {"linear", "float32", "[32,512] [1000,512]", 32768000, 4 * (32 * 512 + 1000 * 512 + 32 * 1000)},
        {"linear", "float32", "[4,8,512] [1000,512] [1000]", 32768000, 4 * (32 * 512 + 1000 * 512 + 32 * 1000 + 1000)},
        /* experts: 100 tokens, shared among 4; and the gradient of their weights */
        {"_grouped_mm", "bfloat16", "[100,64] [4,64,32] [4]", 2 * 100 * 64 * 32,
         2 * (100 * 64 + 4 * 64 * 32 + 100 * 32)},
        {"_grouped_mm", "bfloat16", "[4,32,64] [64,100] [4]", 2 * 100 * 64 * 32,
         2 * (4 * 32 * 64 + 64 * 100 + 32 * 100)},
        {"_grouped_mm", "bfloat16", "[64,100] [100,32] [4]", 2 * 100 * 64 * 32,
         2 * (64 * 100 + 100 * 32 + 4 * 64 * 32)},
        {"_grouped_mm", "bfloat16", "[4,32,64] [4,64,8]", 2 * 4 * 32 * 64 * 8, 2 * 4 * (32 * 64 + 64 * 8 + 32 * 8)},
    };
    assert_op_costs(expected, TEST_COUNT(expected), 0);
}

TEST(gradients_of_products_are_two_products)
{
    static const struct op_expected expected[] = {
        {"linear", "float32", "[32,512] [1000,512]", 2 * 32768000, 2 * 4 * (32 * 512 + 1000 * 512 + 32 * 1000)},
        {"mm", "float16", "[64,128] [128,32]", 2 * 524288, 2 * 28672},
        {"conv2d", "float16", "[32,64,56,56] [64,64,3,3] - 1 1", UINT64_C(2) * 7398752256, 2 * 25763840},
    };
    assert_op_costs(expected, TEST_COUNT(expected), 1);
}

TEST(convolutions_cost_the_products_of_each_output)
{
    static const struct op_expected expected[] = {
        /* as PyProf prints it */
        {"conv2d", "float16", "[32,64,56,56] [64,64,3,3] - 1 1", UINT64_C(7398752256), 25763840},
        /* P = (224 + 6 - 7) / 2 + 1 = 112 */
        {"conv2d", "float32", "[1,3,224,224] [64,3,7,7] - (2,2) (3,3) (1,1) 1", 2 * 64 * 112 * 112 * 3 * 7 * 7,
         4 * (3 * 224 * 224 + 64 * 3 * 7 * 7 + 64 * 112 * 112)},
        /* with a bias, as keywords; dilated: P = (20 - (2 * 2 + 1)) / 1 + 1 = 16 */
        {"conv1d", "float32", "[2,4,20] [8,4,3] bias=[8] dilation=2", 2 * 2 * 8 * 16 * 4 * 3,
         4 * (2 * 4 * 20 + 8 * 4 * 3 + 2 * 8 * 16 + 8)},
        /* depthwise: the weights have one channel */
        {"conv2d", "float32", "[1,32,16,16] [32,1,3,3] - 1 1 1 32", 2 * 32 * 16 * 16 * 9,
         4 * (2 * 32 * 16 * 16 + 32 * 9)},
        {"conv2d", "float32", "[1,32,16,16] [32,1,3,3] - 1 'same' 1 32", 2 * 32 * 16 * 16 * 9,
         4 * (2 * 32 * 16 * 16 + 32 * 9)},
        {"conv2d", "float32", "[1,3,16,16] [8,3,3,3] - 1 'valid'", 2 * 8 * 14 * 14 * 27,
         4 * (3 * 256 + 8 * 27 + 8 * 196)},
        {"conv3d", "float16", "[1,2,8,8,8] [4,2,3,3,3]", 2 * 4 * 216 * 2 * 27, 2 * (2 * 512 + 4 * 2 * 27 + 4 * 216)},
        /* not a batch */
        {"conv2d", "float32", "[3,16,16] [8,3,3,3]", 2 * 8 * 14 * 14 * 27, 4 * (3 * 256 + 8 * 27 + 8 * 196)},
        {"convolution", "float32", "[1,3,16,16] [8,3,3,3] - (1,1) (0,0) (1,1) False (0,0) 1", 2 * 8 * 14 * 14 * 27,
         4 * (3 * 256 + 8 * 27 + 8 * 196)},
        /* transposed: each input element meets K R S weights. P = (4 - 1) 2 - 2 + 2 + 1 + 1 = 8 */
        {"conv_transpose2d", "float32", "[1,6,4,4] [6,5,3,3] - 2 1 1", 2 * 6 * 16 * 5 * 9,
         4 * (6 * 16 + 6 * 5 * 9 + 5 * 64)},
        {"convolution", "float32", "[1,6,4,4] [6,5,3,3] - (2,2) (1,1) (1,1) True (1,1) 1", 2 * 6 * 16 * 5 * 9,
         4 * (6 * 16 + 6 * 5 * 9 + 5 * 64)},
        {"cudnn_convolution", "float32", "[1,3,224,224] [64,3,7,7] (3,3) (2,2) (1,1) 1", 2 * 64 * 112 * 112 * 3 * 7 * 7,
         4 * (3 * 224 * 224 + 64 * 3 * 7 * 7 + 64 * 112 * 112)},
    };
    assert_op_costs(expected, TEST_COUNT(expected), 0);
}

TEST(masks_say_which_gradients_a_convolution_has)
{
#define BACKWARD "[1,8,14,14] [1,3,16,16] [8,3,3,3] (8,) (1,1) (0,0) (1,1) False (0,0) 1 "
#define PASS (2 * 8 * 14 * 14 * 27)
#define MOVED (4 * (3 * 256 + 8 * 27 + 8 * 196))
    static const struct {
        const char *mask;
        uint64_t flops, bytes;
    } masks[] = {
        {"(True,True,False)", 2 * PASS, 2 * MOVED},
        {"(False,True,False)", PASS, MOVED},
        {"(True,False,False)", PASS, MOVED},
        {"(False,True,True)", PASS + 8 * 196, MOVED + 4 * (8 * 196 + 8)},
        {"(False,False,False)", 0, 0},
    };
    for (size_t i = 0; i < TEST_COUNT(masks); i++) {
        char arguments[256];
        strcpy(arguments, BACKWARD);
        strcat(arguments, masks[i].mask);
        struct stint_op_cost cost = op_cost(op_marker("aten::convolution_backward", "float32", arguments), 0, 0);
        assert_op_amount(cost.flops, masks[i].flops, masks[i].mask, "flops");
        assert_op_amount(cost.bytes, masks[i].bytes, masks[i].mask, "bytes");
    }
#undef BACKWARD
#undef PASS
#undef MOVED
}

TEST(what_emit_nvtx_leaves_out_comes_from_the_shape_of_the_result)
{
    static const int64_t output[] = {1, 64, 112, 112}, larger[] = {1, 5, 8, 8};
    const char *text =
        "aten::convolution, op_id = 3, sizes = [[1, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], [], [], []]";
    struct stint_op_cost cost = op_cost(text, STINT_OP_FP32, 0);
    assert_op_amount(cost.flops, OP_SOME, "convolution", "flops");
    cost = op_cost_with(text, STINT_OP_FP32, output, 4);
    assert_op_amount(cost.flops, 2 * 64 * 112 * 112 * 3 * 7 * 7, "convolution", "flops");
    text = "aten::convolution, op_id = 3, sizes = [[1, 6, 4, 4], [6, 5, 3, 3], [], [], [], [], [], [], []]";
    cost = op_cost_with(text, STINT_OP_FP32, larger, 4);
    assert_op_amount(cost.flops, 2 * 6 * 16 * 5 * 9, "transposed convolution", "flops");
    text =
        "aten::convolution_backward, op_id = 783, sizes = [[64, 16, 10, 10], [64, 6, 14, 14], [16, 6, 5, 5], [], [], "
        "[], [], [], [], [], []], input_op_ids = [(780,0), (712,1), (0,-1)]";
    cost = op_cost(text, 0, 0);
    assert_op_amount(cost.flops, UINT64_C(2) * 2 * 64 * 16 * 100 * 6 * 25, "convolution_backward", "flops");
    assert_op_amount(cost.bytes, OP_SOME, "convolution_backward", "bytes");
    cost = op_cost("aten::_scaled_dot_product_flash_attention, op_id = 3, sizes = [[2, 4, 8, 16], [2, 4, 8, 16], "
                   "[2, 4, 8, 16], [], [], [], []]",
                   STINT_OP_BF16, 0);
    assert_op_amount(cost.flops, OP_SOME, "attention", "flops");
    assert_op_amount(cost.bytes, 2 * 4 * 1024, "attention", "bytes");
}

TEST(attention_costs_its_pairs)
{
    /* B 2, H 4, S 8, D 16; 36 of 64 pairs are below the diagonal or on it */
    static const struct op_expected forward[] = {
        {"scaled_dot_product_attention", "bfloat16", "[2,4,8,16] [2,4,8,16] [2,4,8,16]", 2 * 8 * 64 * 32, 2 * 4 * 1024},
        {"scaled_dot_product_attention", "bfloat16", "[2,4,8,16] [2,4,8,16] [2,4,8,16] - 0 True", 2 * 8 * 36 * 32,
         2 * 4 * 1024},
        /* fewer heads of keys and values; they are longer, or shorter, than queries: 5 keys for the 4 last queries */
        {"scaled_dot_product_attention", "bfloat16", "[2,4,8,16] [2,1,8,16] [2,1,8,16] is_causal=True", 2 * 8 * 36 * 32,
         2 * (2 * 1024 + 2 * 256)},
        {"scaled_dot_product_attention", "bfloat16", "[2,4,8,16] [2,4,5,16] [2,4,5,16] is_causal=True",
         2 * 8 * (15 + 3 * 5) * 32, 2 * (2 * 1024 + 2 * 640)},
        {"scaled_dot_product_attention", "bfloat16", "[2,4,5,16] [2,4,8,16] [2,4,8,16] is_causal=True", 2 * 8 * 15 * 32,
         2 * (2 * 1024 + 2 * 640)},
        /* from the last: the first of 5 queries sees 4 of 8 keys; 3 of 8 queries see none of 5 */
        {"_efficient_attention_forward", "bfloat16", "[2,5,4,16] [2,8,4,16] [2,8,4,16] - - - - - 0 2",
         2 * 8 * (15 + 5 * 3) * 32, 2 * (2 * 1024 + 2 * 640)},
        {"_efficient_attention_forward", "bfloat16", "[2,8,4,16] [2,5,4,16] [2,5,4,16] - - - - - 0 2", 2 * 8 * 15 * 32,
         2 * (2 * 1024 + 2 * 640)},
        {"_flash_attention_forward", "bfloat16", "[2,8,4,16] [2,8,4,16] [2,8,4,16] - - 8 8 0 True", 2 * 8 * 36 * 32,
         2 * 4 * 1024},
        /* packed: 2 sequences of 8; and of lengths that are not known */
        {"_flash_attention_forward", "bfloat16", "[16,4,16] [16,4,16] [16,4,16] [3] [3] 8 8 0 True", 2 * 8 * 36 * 32,
         2 * 4 * 1024},
        {"_flash_attention_forward", "bfloat16", "[16,4,16] [16,4,16] [16,4,16] [3] [3] 10 10 0 True", OP_SOME,
         2 * 4 * 1024},
    };
    static const struct op_expected backward[] = {
        {"scaled_dot_product_attention", "bfloat16", "[2,4,8,16] [2,4,8,16] [2,4,8,16]", 2 * 2 * 8 * 64 * 32,
         2 * 2 * 4 * 1024},
    };
    assert_op_costs(forward, TEST_COUNT(forward), 0);
    assert_op_costs(backward, TEST_COUNT(backward), 1);
    struct stint_op_cost cost =
        op_cost(op_marker("_scaled_dot_product_flash_attention_backward", "bfloat16",
                          "[2,4,8,16] [2,4,8,16] [2,4,8,16] [2,4,8,16] [2,4,8,16] [2,4,8] - - 8 8 0 True"),
                0, 0);
    assert_op_amount(cost.flops, 2 * 2 * 8 * 36 * 32, "attention", "flops");
    assert_op_amount(cost.executed_flops, 2 * 8 * 36 * (2 * 32 + 16), "attention", "executed flops");
}

TEST(recurrent_networks_use_their_weights_at_each_step)
{
    static const int64_t output[] = {7, 3, 20};
    struct stint_op_cost cost = op_cost_with(
        op_marker("lstm", "float32", "[7,3,10] [1,3,20] [1,3,20] [80,10] [80,20] [80] [80]"), 0, output, 3);
    assert_op_amount(cost.flops, 2 * 21 * (80 * 10 + 80 * 20), "lstm", "flops");
    assert_op_amount(cost.bytes, 4 * (210 + 60 + 60 + 800 + 1600 + 160 + 420), "lstm", "bytes");
    /* three gates; two layers in both directions, of which the second has both results of the first as its input */
    cost = op_cost(op_marker("gru", "float32", "[7,3,10] [1,3,20] [60,10] [60,20] [60] [60]"), 0, 0);
    assert_op_amount(cost.flops, 2 * 21 * (60 * 10 + 60 * 20), "gru", "flops");
    cost = op_cost(op_marker("_cudnn_rnn", "float16",
                             "[7,3,10] [80,10] [80,20] [80] [80] [80,10] [80,20] [80] [80] [80,40] [80,20] [80] [80] "
                             "[80,40] [80,20] [80] [80] 4 - [4,3,20] [4,3,20]"),
                   0, 0);
    assert_op_amount(cost.flops, 2 * 21 * 2 * (800 + 1600 + 3200 + 1600), "_cudnn_rnn", "flops");
    cost = op_cost(op_marker("_cudnn_rnn_backward", "float32",
                             "[7,3,10] [80,10] [80,20] [80] [80] 4 [2560] [1,3,20] [1,3,20] [7,3,20] [7,3,20] - -"),
                   0, 0);
    assert_op_amount(cost.flops, 4 * 21 * 2400, "_cudnn_rnn_backward", "flops");
    assert_op_amount(cost.bytes, 4 * ((210 + 2400 + 160 + 2560 + 120 + 840) + 210 + 2400), "_cudnn_rnn_backward",
                     "bytes");
    cost = op_cost(op_marker("_cudnn_rnn_backward", "float32", "[21,10] [80,10] [80,20] [21,20] [21,20]"), 0, 0);
    assert_op_amount(cost.flops, OP_SOME, "packed", "flops");
}

/* Strides, padding and groups are known, so the output is: 2 · 8·16·7·7 · 3·3·3. */
TEST(what_torch_profiler_says_is_enough_for_a_convolution)
{
    struct stint_op_cost cost = op_cost(
        "aten::conv2d, op_id = 12, sizes = [[8, 3, 14, 14], [16, 3, 3, 3], [], [], [], [], []], types = "
        "[\"c10::Half\", \"c10::Half\", \"\", \"ScalarList\", \"ScalarList\", \"ScalarList\", \"Scalar\"], inputs = "
        "[\"\", \"\", \"\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"1\"]",
        0, 0);
    assert_int_equal(cost.flops.value, 2 * 8 * 16 * 7 * 7 * 3 * 3 * 3);
    assert_int_equal(cost.bytes.value, 2 * (8 * 3 * 14 * 14 + 16 * 3 * 3 * 3 + 8 * 16 * 7 * 7));
}

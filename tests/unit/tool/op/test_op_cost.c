#include "op/op_cost.h"

#include <stdio.h>
#include <string.h>

#include "op_fixture.h"
#include "stint_test.h"

/* What an operation costs, worked out by hand; SOME stands for "not known", FULL for "no room in 64 bits". */
#define SOME UINT64_MAX
#define FULL (UINT64_MAX - 1)

struct expected {
    const char *name, *type, *arguments;
    uint64_t flops, bytes;
};

static void assert_amount(struct stint_op_amount amount, uint64_t expected, const char *name, const char *what)
{
    uint64_t is = amount.state == STINT_OP_IS_UNKNOWN     ? SOME
                  : amount.state == STINT_OP_IS_TOO_LARGE ? FULL
                                                          : amount.value;
    if (is != expected)
        fail_msg("%s of %s: %llu instead of %llu", what, name, (unsigned long long)is, (unsigned long long)expected);
}

static void assert_costs(const struct expected *expected, size_t count, int is_backward)
{
    for (size_t i = 0; i < count; i++) {
        const struct expected *each = &expected[i];
        struct stint_op_cost cost = op_cost(op_marker(each->name, each->type, each->arguments), 0, is_backward);
        assert_amount(cost.flops, each->flops, each->name, "flops");
        assert_amount(cost.bytes, each->bytes, each->name, "bytes");
    }
}

/* --------------------------------------------------------------------------------------------------------- matrices */

static void products_of_matrices_cost_two_for_each_pair(void **state)
{
    static const struct expected expected[] = {
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
    assert_costs(expected, TEST_COUNT(expected), 0);
}

static void gradients_of_products_are_two_products(void **state)
{
    static const struct expected expected[] = {
        {"linear", "float32", "[32,512] [1000,512]", 2 * 32768000, 2 * 4 * (32 * 512 + 1000 * 512 + 32 * 1000)},
        {"mm", "float16", "[64,128] [128,32]", 2 * 524288, 2 * 28672},
        {"conv2d", "float16", "[32,64,56,56] [64,64,3,3] - 1 1", UINT64_C(2) * 7398752256, 2 * 25763840},
    };
    assert_costs(expected, TEST_COUNT(expected), 1);
}

static void convolutions_cost_the_products_of_each_output(void **state)
{
    static const struct expected expected[] = {
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
    assert_costs(expected, TEST_COUNT(expected), 0);
}

static void masks_say_which_gradients_a_convolution_has(void **state)
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
        assert_amount(cost.flops, masks[i].flops, masks[i].mask, "flops");
        assert_amount(cost.bytes, masks[i].bytes, masks[i].mask, "bytes");
    }
#undef BACKWARD
#undef PASS
#undef MOVED
}

static void what_emit_nvtx_leaves_out_comes_from_the_shape_of_the_result(void **state)
{
    static const int64_t output[] = {1, 64, 112, 112}, larger[] = {1, 5, 8, 8};
    const char *text =
        "aten::convolution, op_id = 3, sizes = [[1, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], [], [], []]";
    struct stint_op_cost cost = op_cost(text, STINT_OP_FP32, 0);
    assert_amount(cost.flops, SOME, "convolution", "flops");
    cost = op_cost_with(text, STINT_OP_FP32, output, 4);
    assert_amount(cost.flops, 2 * 64 * 112 * 112 * 3 * 7 * 7, "convolution", "flops");
    text = "aten::convolution, op_id = 3, sizes = [[1, 6, 4, 4], [6, 5, 3, 3], [], [], [], [], [], [], []]";
    cost = op_cost_with(text, STINT_OP_FP32, larger, 4);
    assert_amount(cost.flops, 2 * 6 * 16 * 5 * 9, "transposed convolution", "flops");
    text =
        "aten::convolution_backward, op_id = 783, sizes = [[64, 16, 10, 10], [64, 6, 14, 14], [16, 6, 5, 5], [], [], "
        "[], [], [], [], [], []], input_op_ids = [(780,0), (712,1), (0,-1)]";
    cost = op_cost(text, 0, 0);
    assert_amount(cost.flops, UINT64_C(2) * 2 * 64 * 16 * 100 * 6 * 25, "convolution_backward", "flops");
    assert_amount(cost.bytes, SOME, "convolution_backward", "bytes");
    cost = op_cost("aten::_scaled_dot_product_flash_attention, op_id = 3, sizes = [[2, 4, 8, 16], [2, 4, 8, 16], "
                   "[2, 4, 8, 16], [], [], [], []]",
                   STINT_OP_BF16, 0);
    assert_amount(cost.flops, SOME, "attention", "flops");
    assert_amount(cost.bytes, 2 * 4 * 1024, "attention", "bytes");
}

static void attention_costs_its_pairs(void **state)
{
    /* B 2, H 4, S 8, D 16; 36 of 64 pairs are below the diagonal or on it */
    static const struct expected forward[] = {
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
        {"_flash_attention_forward", "bfloat16", "[16,4,16] [16,4,16] [16,4,16] [3] [3] 10 10 0 True", SOME,
         2 * 4 * 1024},
    };
    static const struct expected backward[] = {
        {"scaled_dot_product_attention", "bfloat16", "[2,4,8,16] [2,4,8,16] [2,4,8,16]", 2 * 2 * 8 * 64 * 32,
         2 * 2 * 4 * 1024},
    };
    assert_costs(forward, TEST_COUNT(forward), 0);
    assert_costs(backward, TEST_COUNT(backward), 1);
    struct stint_op_cost cost =
        op_cost(op_marker("_scaled_dot_product_flash_attention_backward", "bfloat16",
                          "[2,4,8,16] [2,4,8,16] [2,4,8,16] [2,4,8,16] [2,4,8,16] [2,4,8] - - 8 8 0 True"),
                0, 0);
    assert_amount(cost.flops, 2 * 2 * 8 * 36 * 32, "attention", "flops");
    assert_amount(cost.executed_flops, 2 * 8 * 36 * (2 * 32 + 16), "attention", "executed flops");
}

static void recurrent_networks_use_their_weights_at_each_step(void **state)
{
    static const int64_t output[] = {7, 3, 20};
    struct stint_op_cost cost = op_cost_with(
        op_marker("lstm", "float32", "[7,3,10] [1,3,20] [1,3,20] [80,10] [80,20] [80] [80]"), 0, output, 3);
    assert_amount(cost.flops, 2 * 21 * (80 * 10 + 80 * 20), "lstm", "flops");
    assert_amount(cost.bytes, 4 * (210 + 60 + 60 + 800 + 1600 + 160 + 420), "lstm", "bytes");
    /* three gates; two layers in both directions, of which the second has both results of the first as its input */
    cost = op_cost(op_marker("gru", "float32", "[7,3,10] [1,3,20] [60,10] [60,20] [60] [60]"), 0, 0);
    assert_amount(cost.flops, 2 * 21 * (60 * 10 + 60 * 20), "gru", "flops");
    cost = op_cost(op_marker("_cudnn_rnn", "float16",
                             "[7,3,10] [80,10] [80,20] [80] [80] [80,10] [80,20] [80] [80] [80,40] [80,20] [80] [80] "
                             "[80,40] [80,20] [80] [80] 4 - [4,3,20] [4,3,20]"),
                   0, 0);
    assert_amount(cost.flops, 2 * 21 * 2 * (800 + 1600 + 3200 + 1600), "_cudnn_rnn", "flops");
    cost = op_cost(op_marker("_cudnn_rnn_backward", "float32",
                             "[7,3,10] [80,10] [80,20] [80] [80] 4 [2560] [1,3,20] [1,3,20] [7,3,20] [7,3,20] - -"),
                   0, 0);
    assert_amount(cost.flops, 4 * 21 * 2400, "_cudnn_rnn_backward", "flops");
    assert_amount(cost.bytes, 4 * ((210 + 2400 + 160 + 2560 + 120 + 840) + 210 + 2400), "_cudnn_rnn_backward", "bytes");
    cost = op_cost(op_marker("_cudnn_rnn_backward", "float32", "[21,10] [80,10] [80,20] [21,20] [21,20]"), 0, 0);
    assert_amount(cost.flops, SOME, "packed", "flops");
}

/* --------------------------------------------------------------------------------------------------------- elements */

static void operations_on_elements_read_and_write_each_once(void **state)
{
    static const struct expected expected[] = {
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
    assert_costs(expected, TEST_COUNT(expected), 0);
}

static void gradients_of_elements_are_read_too(void **state)
{
    static const struct expected expected[] = {
        {"relu", "float16", "[10]", 10, 60},      {"add", "float32", "[10] [10]", 0, 80},
        {"mul", "float32", "[10] [10]", 10, 120}, {"exp", "float32", "[10]", 200, 80},
        {"eq", "float32", "[10] [10]", 0, 0},
    };
    assert_costs(expected, TEST_COUNT(expected), 1);
}

static void tensors_without_dimensions_are_single_elements(void **state)
{
    struct stint_op_cost cost = op_cost("aten::mul, op_id = 3, sizes = [[], []]", STINT_OP_FP32, 0);
    assert_amount(cost.flops, 1, "mul", "flops");
    cost = op_cost("aten::mul, op_id = 3", STINT_OP_FP32, 0);
    assert_amount(cost.flops, SOME, "mul", "flops");
}

static void collectives_say_what_they_read_and_write(void **state)
{
    struct stint_op_cost cost =
        op_cost("record_param_comms, op_id = 30, collective = \"allreduce\", dtype = \"BFloat16\", "
                "group_size = 8, in_elements = 1000, out_elements = 1000",
                0, 0);
    assert_amount(cost.bytes, 4000, "allreduce", "bytes");
    assert_amount(cost.bus_bytes, 3500, "allreduce", "bus"); /* 2 * 7 / 8 * 2000 */
    cost = op_cost("record_param_comms, op_id = 30, sizes = [[5]]", STINT_OP_FP32, 0);
    assert_amount(cost.bytes, SOME, "allreduce", "bytes");
}

/* Of fp32, on 4 ranks, with in and out elements. */
static void collectives_have_bytes_on_the_bus(void **state)
{
    static const struct {
        const char *name;
        unsigned in, out;
        uint64_t bus;
    } all[] = {
        {"allreduce_coalesced", 100, 100, 600},   /* 2 * 3 / 4 * 400 */
        {"_allgather_base", 100, 400, 1200},      /* 3 / 4 * 1600 */
        {"_reduce_scatter_base", 400, 100, 1200}, /* the same way back */
        {"reduce_scatter_tensor", 400, 100, 1200},
        {"all_to_allv", 100, 100, 300},
        {"broadcast", 100, 100, 400},
        {"reduce", 100, 100, 400},
        {"send", 100, 0, 400},
        {"gather", 100, 400, 1200},
        {"barrier", 0, 0, 0},
        {"something new", 100, 100, SOME},
    };
    for (size_t i = 0; i < TEST_COUNT(all); i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "record_param_comms, op_id = 30, collective = \"%s\", dtype = \"Float\", group_size = 4, "
                       "in_elements = %u, out_elements = %u",
                       all[i].name, all[i].in, all[i].out);
        assert_amount(op_cost(text, 0, 0).bus_bytes, all[i].bus, all[i].name, "bus");
    }
    assert_amount(
        op_cost("record_param_comms, op_id = 30, collective = \"allreduce\", dtype = \"Float\", in_elements = 5, "
                "out_elements = 5",
                0, 0)
            .bus_bytes,
        SOME, "without a size", "bus");
}

static void operations_without_sizes_are_not_known(void **state)
{
    struct stint_op_cost cost = op_cost("aten::copy_, op_id = 3", STINT_OP_FP32, 0);
    assert_amount(cost.flops, SOME, "copy_", "flops");
    assert_amount(cost.bytes, SOME, "copy_", "bytes");
    cost = op_cost("aten::cat, op_id = 3, sizes = [[], []]", STINT_OP_FP32, 0);
    assert_amount(cost.bytes, SOME, "cat", "bytes");
}

/* ----------------------------------------------------------------------------------------------------------- others */

static void normalisations_and_losses_have_formulas(void **state)
{
    static const struct expected forward[] = {
        {"batch_norm", "float16", "[2,3,4,5]", 960, 960},
        {"layer_norm", "float32", "[8,16] (16,) [16] [16]", 1024, 4 * (2 * 128 + 32)},
        {"native_layer_norm_backward", "float32", "[8,16] [8,16] (16,) [8,1] [8,1] [16] [16]", 13 * 128,
         4 * (3 * 128 + 2 * 32)},
        {"group_norm", "float32", "[2,4,8] 2 [4] [4]", 512, 4 * (2 * 64 + 8)},
        {"rms_norm", "float32", "[8,16] (16,) [16]", 512, 4 * (2 * 128 + 16)},
        {"_fused_rms_norm_backward", "float32", "[8,16] [8,16] (16,) [8,1] [16]", 9 * 128, 4 * (3 * 128 + 2 * 16)},
        {"native_group_norm", "float32", "[2,4,8] [4] [4]", 512, 4 * (2 * 64 + 8)},
        {"native_group_norm_backward", "float32", "[2,4,8] [2,4,8] [2,2] [2,2] [4]", 13 * 64, 4 * (3 * 64 + 2 * 4)},
        {"native_batch_norm_backward", "float32", "[2,3,4,5] [2,3,4,5]", 960, 2400},
        {"_log_softmax_backward_data", "float32", "[8,16] [8,16]", 21 * 128, 5 * 512},
        {"native_dropout_backward", "float16", "[10] [10]", 20, 50},
        {"softmax", "float32", "[8,16]", 5120, 3 * 512},
        {"aten::_softmax_backward_data", "float32", "[8,16] [8,16]", 5120, 5 * 512},
        {"log_softmax", "float32", "[8,16]", 21 * 128, 3 * 512},
        {"mse_loss", "float32", "[10] [10]", 31, 84},
        {"mse_loss", "float32", "[10] [10] reduction='none'", 20, 120},
        {"aten::mse_loss", "float32", "[10] [10] 0", 20, 120},
        {"binary_cross_entropy_with_logits", "float32", "[10] [10]", 461, 84},
        {"kl_div", "float32", "[10] [10]", 231, 84},
        {"nll_loss", "float32", "[8,16] [8]", 8, 8 * 12},
        {"aten::nll_loss_backward", "float32", "[1] [8,16] [8]", 8, 8 * 12 + 512},
        {"cross_entropy", "float32", "[8,16] [8]", 21 * 128 + 8, 3 * 512 + 96},
    };
    static const struct expected backward[] = {
        {"batch_norm", "float16", "[2,3,4,5]", 960, 1200},
        {"softmax", "float32", "[8,16]", 5120, 5 * 512},
        {"mse_loss", "float32", "[10] [10]", 30, 120},
        {"mse_loss", "float32", "[10] [10] reduction='none'", 30, 160},
    };
    assert_costs(forward, TEST_COUNT(forward), 0);
    assert_costs(backward, TEST_COUNT(backward), 1);
}

static void what_is_looked_up_or_sorted_moves(void **state)
{
    static const struct expected expected[] = {
        {"embedding", "float32", "[4,6] [100,8]", 0, 24 * 8 + 2 * 24 * 8 * 4},
        {"aten::embedding", "float32", "[100,8] [4,6]", 0, 24 * 8 + 2 * 24 * 8 * 4},
        {"embedding_dense_backward", "float32", "[4,6,8] [4,6] 100", 0, 3 * 24 * 8 * 4},
        {"gather", "float32", "[100] 0 [10]", 0, 10 * (8 + 8)},
        {"scatter_add_", "float32", "[100] 0 [10] [10]", 10, 10 * (8 + 12)},
        {"index_select", "float32", "[100,8] 0 [10]", 0, 2 * 80 * 4 + 80},
        {"index_put_", "float32", "[100,8] [10,8]", 0, 2 * 80 * 4},
        {"index_add", "float32", "[100,8] 0 [10,8]", 80, 3 * 80 * 4},
        {"masked_select", "float32", "[10] [10]", 0, 90},
        {"masked_scatter_", "float32", "[10] [10] [10]", 0, 90},
        {"nonzero", "float32", "[4,5]", 0, 80 + 8 * 20 * 2},
        {"sort", "float32", "[3,5]", 15 * 3, 15 * (4 + 4 + 8)},
        {"topk", "float32", "[3,16] 2", 48, 4 * 48 + 6 * 12},
        {"cumsum", "float32", "[10] 0", 10, 80},
        {"randperm", NULL, "10", 30, 80},
        {"max_pool2d", "float32", "[1,2,8,8] 2", 2 * 16 * 4, 4 * (128 + 32)},
        {"max_pool2d_with_indices", "float32", "[1,2,8,8] (3,3) (2,2) (1,1)", 2 * 16 * 9, 4 * 128 + 12 * 32},
        {"max_pool2d", "float32", "[1,2,7,7] 2 2 0 1 True", 2 * 16 * 4, 4 * (98 + 32)},
        {"avg_pool2d", "float32", "[1,2,8,8] 2 ()", 2 * 16 * 4, 4 * (128 + 32)},
        {"max_pool2d_with_indices_backward", "float32", "[1,2,4,4] [1,2,8,8]", 32, 4 * (32 + 128) + 8 * 32},
        {"adaptive_avg_pool2d", "float32", "[1,2,8,8] (1,1)", 128, 4 * 130},
        {"upsample_nearest2d", "float32", "[1,2,4,4] (8,8)", 0, 4 * (32 + 128)},
        {"upsample_linear1d", "float32", "[2,4] (8,)", 4 * 16, 4 * (8 + 16)},
        {"upsample_trilinear3d", "float32", "[2,2,2,2] (4,4,4)", 16 * 128, 4 * (16 + 128)},
        {"upsample_bicubic2d", "float32", "[1,2,4,4] (8,8)", 32 * 128, 4 * (32 + 128)},
        {"avg_pool2d_backward", "float32", "[1,2,4,4] [1,2,8,8]", 32, 4 * (32 + 128)},
        {"avg_pool1d", "float32", "[2,8] 4 2", 2 * 3 * 4, 4 * (16 + 6)},
        {"max_pool3d_with_indices", "float32", "[2,4,4,4] 2", 16 * 8, 4 * 128 + 12 * 16},
        {"adaptive_avg_pool1d", "float32", "[2,8] 4", 16, 4 * (16 + 8)},
        {"adaptive_avg_pool3d", "float32", "[2,4,4,4] 2", 128, 4 * (128 + 16)},
        {"logcumsumexp", "float32", "[10] 0", 200, 80},
        {"scatter", "float32", "[100] 0 [10] [10]", 0, 10 * (8 + 8)},
        {"upsample_bilinear2d", "float32", "[1,2,4,4] (8,8)", 8 * 128, 4 * (32 + 128)},
    };
    assert_costs(expected, TEST_COUNT(expected), 0);
}

static void optimizers_read_and_write_their_state(void **state)
{
    static const struct expected expected[] = {
        /* two parameters of 10 and 6, as lists: p, g, m, v, and steps without dimensions */
        {"_fused_adam_", "float32", "[10] [6] [10] [6] [10] [6] [10] [6]", 13 * 16, 4 * 7 * 16},
        {"_fused_adamw_", "float32", "[10] [10] [10] [10]", 140, 4 * 7 * 10},
        {"_fused_sgd_", "float32", "[10] [10] [10]", 40, 4 * 5 * 10},
        {"adam", "float32", "[10] [0] [10] [10] [10]", 130, 280}, /* bytes as PyProf has them */
        {"_fused_adagrad_", "float32", "[10] [10] [10]", 80, 4 * 5 * 10},
        {"_foreach_neg", "float32", "[10] [10]", 20, 160},
        {"_foreach_sqrt", "float32", "[10] [6]", 320, 128},
        {"_foreach_lerp_", "float32", "[10] [10]", 30, 120},
        {"_foreach_copy_", "float32", "[10] [10]", 0, 80},
        {"_foreach_norm", "float32", "[10] [6]", 2 * 16 + 2, 4 * (16 + 2)},
        {"_amp_foreach_non_finite_check_and_unscale_", "float32", "[10] [6]", 32, 2 * 64},
        {"_amp_foreach_non_finite_check_and_unscale_", "float32", "[0]", SOME, SOME},
        {"triton_poi_fused_add_gelu_view_4", "bfloat16", "[64,256] [4,16,256]", SOME, 2 * 2 * 16384},
        {"triton_red_fused_sum_1", "float32", "[16,10] [10]", SOME, 4 * 170},
        {"c10d::broadcast_", "float32", "[10]", 0, 40},
        {"c10d::_allgather_base_", "float32", "[40] [10]", 0, 200},
        {"_foreach_add_", "float32", "[10] [6] [10] [6] 1", 16, 4 * 48},
        {"_foreach_mul_", "float32", "[10] [6] 2", 16, 4 * 32},
        {"_foreach_addcdiv_", "float32", "[10] [10] [10]", 30, 160},
        {"_foreach_zero_", "float32", "[10] [6]", 0, 64},
        {"c10d::allreduce_", "float32", "[10]", 0, 80},
    };
    assert_costs(expected, TEST_COUNT(expected), 0);
}

/* Gradients are read in their own type, and not written. */
static void gradients_may_have_another_type(void **state)
{
#define TENSOR(type) "{'name': '', 'type': 'tensor', 'shape': (10,), 'dtype': '" type "'}, "
    struct stint_op_cost cost = op_cost("{'mod': 'm', 'op': '_fused_adam_', 'args': [" TENSOR("float32")
                                            TENSOR("bfloat16") TENSOR("float32") TENSOR("float32") "]}",
                                        0, 0);
    assert_amount(cost.bytes, 40 + 20 + 40 + 40 + 3 * 40, "_fused_adam_", "bytes");
    cost = op_cost("{'mod': 'm', 'op': 'adam', 'args': [" TENSOR("float32") TENSOR("float16") TENSOR("float32")
                       TENSOR("float32") TENSOR("float16") "]}",
                   0, 0);
    assert_amount(cost.bytes, 6 * 40 + 2 * 20, "adam", "bytes");
#undef TENSOR
}

static void what_is_too_large_or_not_known_is_said(void **state)
{
    static const struct expected expected[] = {
        {"mm", "float32", "[1000000000000000000,2] [2,1000000000000000000]", FULL, FULL},
        {"relu", "float32", "[4000000000,4000000000]", UINT64_C(16000000000000000000), FULL},
        {"relu", "float32", "[5000000000,5000000000]", FULL, FULL},
        {"mm", "", "[2,3] [3,4]", 48, SOME},
        {"mm", "float32", "[2,-3] [3,4]", SOME, SOME},
        {"mm", "float32", "3 [3,4]", SOME, SOME},
        {"mm", "float32", "", SOME, SOME},
        {"sum", "float32", "[4,5] 2", 20, SOME},
        {"sum", "float32", "[4,5] -3", 20, SOME},
        {"sum", "float32", "[4,5] 1e300", 20, SOME},
        {"sum", "float32", "[4,5] (9223372036854775807,)", 20, SOME},
        {"topk", "float32", "[3,16] 1e300", 48, SOME},
        {"conv2d", "float32", "[1,3,16,16] [8,3,3,3] - 0", SOME, SOME},
        {"conv2d", "float32", "[1,3,2,2] [8,3,3,3]", SOME, SOME},
        {"conv2d", "float32", "[1] [8,3,3,3]", SOME, SOME},
        {"max_pool2d", "float32", "[8] 2", SOME, SOME},
    };
    assert_costs(expected, TEST_COUNT(expected), 0);
}

static void operations_without_a_formula_have_no_rule(void **state)
{
    static const char *const names[] = {"", "_", ".", "aten::", "mmm", "mylib::mm", "ConvolutionBackward0", "x y"};
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_null(stint_op_rule_of((struct stint_piece){names[i], strlen(names[i])}));
}

/* Strides, padding and groups are known, so the output is: 2 · 8·16·7·7 · 3·3·3. */
static void what_torch_profiler_says_is_enough_for_a_convolution(void **state)
{
    struct stint_op_cost cost = op_cost(
        "aten::conv2d, op_id = 12, sizes = [[8, 3, 14, 14], [16, 3, 3, 3], [], [], [], [], []], types = "
        "[\"c10::Half\", \"c10::Half\", \"\", \"ScalarList\", \"ScalarList\", \"ScalarList\", \"Scalar\"], inputs = "
        "[\"\", \"\", \"\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"1\"]",
        0, 0);
    assert_int_equal(cost.flops.value, 2 * 8 * 16 * 7 * 7 * 3 * 3 * 3);
    assert_int_equal(cost.bytes.value, 2 * (8 * 3 * 14 * 14 + 16 * 3 * 3 * 3 + 8 * 16 * 7 * 7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_matrices_cost_two_for_each_pair),
        cmocka_unit_test(gradients_of_products_are_two_products),
        cmocka_unit_test(convolutions_cost_the_products_of_each_output),
        cmocka_unit_test(masks_say_which_gradients_a_convolution_has),
        cmocka_unit_test(what_emit_nvtx_leaves_out_comes_from_the_shape_of_the_result),
        cmocka_unit_test(attention_costs_its_pairs),
        cmocka_unit_test(recurrent_networks_use_their_weights_at_each_step),
        cmocka_unit_test(operations_on_elements_read_and_write_each_once),
        cmocka_unit_test(gradients_of_elements_are_read_too),
        cmocka_unit_test(tensors_without_dimensions_are_single_elements),
        cmocka_unit_test(collectives_say_what_they_read_and_write),
        cmocka_unit_test(collectives_have_bytes_on_the_bus),
        cmocka_unit_test(operations_without_sizes_are_not_known),
        cmocka_unit_test(normalisations_and_losses_have_formulas),
        cmocka_unit_test(what_is_looked_up_or_sorted_moves),
        cmocka_unit_test(optimizers_read_and_write_their_state),
        cmocka_unit_test(gradients_may_have_another_type),
        cmocka_unit_test(what_is_too_large_or_not_known_is_said),
        cmocka_unit_test(operations_without_a_formula_have_no_rule),
        cmocka_unit_test(what_torch_profiler_says_is_enough_for_a_convolution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

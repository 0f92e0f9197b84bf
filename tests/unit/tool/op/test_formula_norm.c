#include "op_fixture.h"
#include "stint_test.h"

TEST(normalisations_and_losses_have_formulas)
{
    static const struct op_expected forward[] = {
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
    static const struct op_expected backward[] = {
        {"batch_norm", "float16", "[2,3,4,5]", 960, 1200},
        {"softmax", "float32", "[8,16]", 5120, 5 * 512},
        {"mse_loss", "float32", "[10] [10]", 30, 120},
        {"mse_loss", "float32", "[10] [10] reduction='none'", 30, 160},
    };
    assert_op_costs(forward, TEST_COUNT(forward), 0);
    assert_op_costs(backward, TEST_COUNT(backward), 1);
}

/* Whole networks, whose cost is known from elsewhere. */
#include <math.h>
#include <stdio.h>

#include "op/op_cost.h"
#include "op_fixture.h"
#include "stint_test.h"

/* What matrix multiplications of a training step cost. */
struct step {
    uint64_t forward, backward;
};

static uint64_t flops_of(const char *name, const char *arguments)
{
    struct stint_op_cost cost = op_cost(op_marker(name, "float32", arguments), 0, 0);
    assert_int_equal(cost.flops.state, STINT_OP_IS_KNOWN);
    assert_int_equal(cost.bytes.state, STINT_OP_IS_KNOWN);
    return cost.flops.value;
}

/* -------------------------------------------------------------------------------------------------------- ResNet-50 */

/* Adds a convolution of an image of c channels and h rows and columns; returns the rows of its output. */
static int convolve(struct step *step, int c, int h, int k, int r, int stride, int is_first)
{
    char arguments[256];
    int padding = r / 2, p = (h + 2 * padding - r) / stride + 1;
    (void)snprintf(arguments, sizeof arguments, "[1,%d,%d,%d] [%d,%d,%d,%d] - (%d,%d) (%d,%d) (1,1) 1", c, h, h, k, c,
                   r, r, stride, stride, padding, padding);
    step->forward += flops_of("conv2d", arguments);
    (void)snprintf(arguments, sizeof arguments,
                   "[1,%d,%d,%d] [1,%d,%d,%d] [%d,%d,%d,%d] - (%d,%d) (%d,%d) (1,1) False (0,0) 1 (%s,True,False)", k,
                   p, p, c, h, h, k, c, r, r, stride, stride, padding, padding, is_first ? "False" : "True");
    step->backward += flops_of("convolution_backward", arguments);
    return p;
}

/* He et al., Deep Residual Learning, table 1, with the stride in the convolution of 3 x 3, as torchvision has it. */
static struct step resnet_50(void)
{
    static const int blocks[] = {3, 4, 6, 3};
    struct step step = {0};
    int h = convolve(&step, 3, 224, 64, 7, 2, 1) / 2, c = 64; /* and then a pool */
    for (int stage = 0; stage < 4; stage++) {
        int width = 64 << stage;
        for (int block = 0; block < blocks[stage]; block++) {
            int stride = stage && !block ? 2 : 1;
            (void)convolve(&step, c, h, width, 1, 1, 0);
            int p = convolve(&step, width, h, width, 3, stride, 0);
            (void)convolve(&step, width, p, 4 * width, 1, 1, 0);
            if (!block)
                (void)convolve(&step, c, h, 4 * width, 1, stride, 0);
            c = 4 * width;
            h = p;
        }
    }
    assert_int_equal(h, 7);
    step.forward += flops_of("addmm", "[1000] [1,2048] [2048,1000]");
    step.backward += flops_of("mm", "[1,1000] [1000,2048]") + flops_of("mm", "[1000,1] [1,2048]");
    return step;
}

TEST(resnet_50_costs_what_is_published)
{
    struct step step = resnet_50();
    double forward = (double)step.forward / 1e9, all = (double)(step.forward + step.backward) / 1e9;
    assert_true(fabs(forward - 8.178) < 8.178 * 0.005);
    assert_true(fabs(all - 24.30) < 24.30 * 0.005);
}

/* ------------------------------------------------------------------------------------------------------------ GPT-2 */

/* 124M parameters: 12 layers of width 768, 1024 tokens, 50257 words. 2 FLOPs for each weight and token, but for weights
 * that are only looked up; and 4 for each pair of tokens and element of the width. */
TEST(gpt_2_costs_its_parameters_and_its_attention)
{
    enum { LAYERS = 12, WIDTH = 768, TOKENS = 1024, WORDS = 50257 };
    const uint64_t weights = UINT64_C(12) * WIDTH * WIDTH, layers = LAYERS * weights;
    const uint64_t parameters = layers + LAYERS * UINT64_C(13) * WIDTH /* biases, and norms */ + 2 * WIDTH +
                                (uint64_t)WORDS * WIDTH + (uint64_t)TOKENS * WIDTH;
    uint64_t flops = 0;
    for (int layer = 0; layer < LAYERS; layer++)
        flops += flops_of("addmm", "[2304] [1024,768] [768,2304]") +
                 flops_of("scaled_dot_product_attention", "[1,12,1024,64] [1,12,1024,64] [1,12,1024,64]") +
                 flops_of("addmm", "[768] [1024,768] [768,768]") + flops_of("addmm", "[3072] [1024,768] [768,3072]") +
                 flops_of("addmm", "[768] [1024,3072] [3072,768]");
    flops += flops_of("linear", "[1,1024,768] [50257,768]");
    assert_int_equal(parameters, 124439808); /* Radford et al. call it 117M; the checkpoint has these */
    uint64_t attention = UINT64_C(4) * LAYERS * TOKENS * TOKENS * WIDTH;
    assert_int_equal(flops, 2 * TOKENS * (layers + (uint64_t)WORDS * WIDTH) + attention);
    double estimate = 2.0 * TOKENS * (double)parameters + (double)attention;
    assert_true(fabs((double)flops - estimate) < estimate * 0.01); /* positions, biases and norms multiply nothing */
}

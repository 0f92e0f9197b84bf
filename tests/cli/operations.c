/* A program that launches kernels of a CUDA that is none, within operations of stint/op.h; with a number, one kernel
 * within so many. */
#include <stdlib.h>

#include <stint/op.h>
#include <stint/timer.h>

#include "gpu_mock/mock.h"

static void launch(const char *name, uint64_t ns)
{
    struct mock_kernel kernel = {name, ns};
    const struct mock_dim one = {1, 1, 1};
    (void)cudaLaunchKernel(&kernel, one, one, NULL, 0, NULL);
    (void)cudaDeviceSynchronize();
}

static void nest(long depth)
{
    STINT_OP("mm", STINT_FPROP, NULL, 0, STINT_TENSOR(STINT_FP32, 4, 4));
    if (depth > 1)
        nest(depth - 1);
    else
        launch("nested", 10);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        nest(strtol(argv[1], NULL, 10));
        return 0;
    }
    STINT_SCOPE("step");
    for (uint64_t step = 1; step <= 2; step++) {
        {
            STINT_OP("conv2d", STINT_FPROP, "conv1", step, STINT_TENSOR(STINT_FP16, 64, 6, 14, 14),
                     STINT_TENSOR(STINT_FP16, 16, 6, 5, 5), STINT_TENSOR(STINT_FP16, 16));
            launch("nchwToNhwcKernel", 100);
            launch("sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32", 5000);
        }
        {
            STINT_OP("mm", STINT_FPROP, NULL, 0, STINT_TENSOR(STINT_FP8_E4M3, 64, 16),
                     STINT_TENSOR(STINT_FP8_E5M2, 16, 8));
            launch("nvjet_qqtst", 2000);
        }
        {
            STINT_OP_BACKWARD("conv2d_backward", step);
            launch("sm80_xmma_dgrad_implicit_gemm_f16f16_f16f32_f32", 6000);
            launch("sm80_xmma_wgrad_implicit_gemm_f16f16_f16f32_f32", 4000);
        }
    }
    launch("elsewhere", 10);
    return 0;
}

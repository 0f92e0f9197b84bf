#include "op/op_peak.h"

#include <stddef.h>

/* FLOPs of a multiprocessor for each cycle, without Tensor Cores, and with them. The former are twice the results in
 * the table of arithmetic throughput in the CUDA C++ Programming Guide, the latter those of NVIDIA's white papers on
 * V100, A100 and H100: 125 TFLOP/s = 80 * 1.53 GHz * 1024. */
static const struct {
    unsigned capability;
    enum stint_op_type type;
    unsigned without, with;
} s_rates[] = {
    {70, STINT_OP_FP64, 64, 0},     {70, STINT_OP_FP32, 128, 0},      {70, STINT_OP_FP16, 256, 1024},
    {80, STINT_OP_FP64, 64, 128},   {80, STINT_OP_FP32, 128, 1024},   {80, STINT_OP_TF32, 0, 1024},
    {80, STINT_OP_FP16, 512, 2048}, {80, STINT_OP_BF16, 256, 2048},   {90, STINT_OP_FP64, 128, 256},
    {90, STINT_OP_FP32, 256, 2048}, {90, STINT_OP_TF32, 0, 2048},     {90, STINT_OP_FP16, 512, 4096},
    {90, STINT_OP_BF16, 512, 4096}, {90, STINT_OP_FP8_E4M3, 0, 8192}, {90, STINT_OP_FP8_E5M2, 0, 8192},
};

double stint_op_peak(const struct stint_gpu_device *device, enum stint_op_type type, enum stint_op_tensor_cores use)
{
    unsigned capability = 10 * device->compute_major + device->compute_minor;
    if (use == STINT_OP_TC_UNKNOWN)
        return 0;
    for (size_t i = 0; i < sizeof s_rates / sizeof s_rates[0]; i++)
        if (s_rates[i].capability == capability && s_rates[i].type == type)
            return (double)(use == STINT_OP_TC_USED ? s_rates[i].with : s_rates[i].without) * device->multiprocessors *
                   device->core_clock_khz * 1e3;
    return 0;
}

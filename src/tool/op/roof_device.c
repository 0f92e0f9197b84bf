/* The roofs of a device: what NVIDIA's tables say of its units, and what was measured. */
#include "op/op_roofline.h"

#include <math.h>
#include <string.h>

#include "ceiling/ceilings.h"

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

struct stint_roof_device stint_roof_device(const struct stint_gpu_device *device)
{
    struct stint_roof_device known = {.device = *device};
    (void)stint_ceilings_read(&known.ceilings, device->name);
    return known;
}

/* Returns how fast such numbers were computed with; 0: not measured. */
static double measured(const struct stint_ceilings *ceilings, enum stint_op_type type, int is_tensor)
{
    switch (type) {
    case STINT_OP_FP64:
        return ceilings->per_s[is_tensor ? STINT_CEILING_TENSOR_FP64 : STINT_CEILING_FP64];
    case STINT_OP_FP32:
        return ceilings->per_s[is_tensor ? STINT_CEILING_TENSOR_TF32 : STINT_CEILING_FP32];
    case STINT_OP_TF32:
        return is_tensor ? ceilings->per_s[STINT_CEILING_TENSOR_TF32] : 0;
    case STINT_OP_FP16:
        return ceilings->per_s[is_tensor ? STINT_CEILING_TENSOR_FP16 : STINT_CEILING_FP16];
    case STINT_OP_BF16:
        return ceilings->per_s[is_tensor ? STINT_CEILING_TENSOR_BF16 : STINT_CEILING_BF16];
    default:
        return 0;
    }
}

struct stint_roof stint_roof_of(const struct stint_roof_device *device, enum stint_op_type type,
                                enum stint_op_tensor_cores use)
{
    int is_tensor = use == STINT_OP_TC_USED;
    struct stint_roof roof = {.type = stint_op_type_name(type), .is_tensor = is_tensor};
    roof.flops_per_s = use == STINT_OP_TC_UNKNOWN ? 0 : measured(&device->ceilings, type, is_tensor);
    roof.is_measured = roof.flops_per_s > 0;
    if (!roof.is_measured) /* without Tensor Cores: the same units, whether they could have been used or not */
        roof.flops_per_s = stint_op_peak(&device->device, type, use == STINT_OP_TC_NONE ? STINT_OP_TC_UNUSED : use);
    return roof;
}

void stint_roof_add(struct stint_roof_plot *plot, const struct stint_roof *roof)
{
    for (size_t i = 0; i < plot->roof_count; i++)
        if (strcmp(plot->roofs[i].type, roof->type) == 0 && plot->roofs[i].is_tensor == roof->is_tensor)
            return;
    if (roof->flops_per_s > 0 && plot->roof_count < STINT_ROOFS)
        plot->roofs[plot->roof_count++] = *roof;
}

void stint_roof_memory(struct stint_roof_plot *plot, const struct stint_roof_device *device)
{
    const double *per_s = device->ceilings.per_s;
    double best = fmax(per_s[STINT_CEILING_COPY], per_s[STINT_CEILING_READ]);
    plot->is_bandwidth_measured = best > 0;
    plot->bandwidth = best > 0 ? best : (double)device->device.memory_bytes_per_s;
}

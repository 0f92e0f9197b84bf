/* Puts together how a kernel was launched, from its event and its device. Recordings come from files, too, so what no
 * device could take is refused. */
#include "report/launch_shape.h"

#include "report/gpu_sum.h"

static double product(const uint32_t dimensions[3])
{
    return (double)dimensions[0] * dimensions[1] * dimensions[2];
}

int stint_kernel_launch_of(struct stint_kernel_launch *launch, const struct stint_snapshot *snapshot,
                           const struct stint_gpu_event *kernel)
{
    struct stint_gpu_device device = stint_gpu_device_of(snapshot, kernel->device);
    double blocks = product(kernel->grid), threads = product(kernel->block);
    if (blocks > 0x1p62 || threads > 0x1p31)
        return -1;
    *launch = (struct stint_kernel_launch){
        .compute_major = device.compute_major,
        .compute_minor = device.compute_minor,
        .multiprocessors = device.multiprocessors,
        .blocks = (uint64_t)blocks,
        .threads = (uint64_t)threads,
        .registers = kernel->registers,
        .shared_bytes = (uint64_t)kernel->static_shared + kernel->dynamic_shared,
    };
    return 0;
}

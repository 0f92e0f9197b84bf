/* Compares with cuda_occupancy.h of CUDA's toolkit, which is what cudaOccupancyMaxActiveBlocksPerMultiprocessor
 * computes. */

#include "stint_test.h"
#include "verdict/verdict.h"
#include <cuda_occupancy.h>

/* What cudaGetDeviceProperties tells of such devices. */
static const struct device {
    int major, minor, threads;
    size_t shared, shared_by_request, reserved;
} s_devices[] = {
    {7, 0, 2048, 98304, 98304, 0},       {7, 5, 1024, 65536, 65536, 0},       {8, 0, 2048, 167936, 166912, 1024},
    {8, 6, 1536, 102400, 101376, 1024},  {8, 9, 1536, 102400, 101376, 1024},  {9, 0, 2048, 233472, 232448, 1024},
    {10, 0, 2048, 233472, 232448, 1024}, {12, 0, 1536, 102400, 101376, 1024},
};

static int blocks_by_cuda(const struct device *device, int threads, int registers, size_t shared)
{
    cudaOccDeviceProp properties = {.computeMajor = device->major,
                                    .computeMinor = device->minor,
                                    .maxThreadsPerBlock = 1024,
                                    .maxThreadsPerMultiprocessor = device->threads,
                                    .regsPerBlock = 65536,
                                    .regsPerMultiprocessor = 65536,
                                    .warpSize = 32,
                                    .sharedMemPerBlock = 49152,
                                    .sharedMemPerMultiprocessor = device->shared,
                                    .numSms = 1,
                                    .sharedMemPerBlockOptin = device->shared_by_request,
                                    .reservedSharedMemPerBlock = device->reserved};
    cudaOccFuncAttributes attributes = {.maxThreadsPerBlock = 1024,
                                        .numRegs = registers,
                                        .partitionedGCConfig = PARTITIONED_GC_OFF,
                                        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                        .maxDynamicSharedSizeBytes = shared};
    cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    cudaOccResult result = {0};
    assert_int_equal(
        cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, threads, shared),
        CUDA_OCC_SUCCESS);
    return result.activeBlocksPerMultiprocessor;
}

static void compare(const struct device *device, int threads, int registers)
{
    for (size_t shared = 0; shared <= device->shared_by_request; shared += shared < 2048 ? 100 : 3777) {
        struct stint_kernel_launch launch = {.compute_major = (uint32_t)device->major,
                                             .compute_minor = (uint32_t)device->minor,
                                             .threads = (uint64_t)threads,
                                             .registers = (uint32_t)registers,
                                             .shared_bytes = shared};
        if ((int)stint_occupancy_of(&launch).blocks != blocks_by_cuda(device, threads, registers, shared))
            fail_msg("%d.%d: %d threads, %d registers, %zu bytes", device->major, device->minor, threads, registers,
                     shared);
    }
}

TEST(blocks_are_as_many_as_cuda_computes)
{
    for (size_t i = 0; i < sizeof s_devices / sizeof s_devices[0]; i++)
        for (int threads = 1; threads <= 1024; threads += threads < 64 ? 7 : 31)
            for (int registers = 1; registers <= 255; registers += 3)
                compare(&s_devices[i], threads, registers);
}

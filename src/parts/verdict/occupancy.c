/* Sources: "Technical Specifications per Compute Capability" in NVIDIA's CUDA C++ Programming Guide, and the rules of
 * allocation in cuda_occupancy.h of CUDA's toolkit, with which the results agree for launches with the default
 * configuration. Registers are allocated to warps in units of 256, in each quarter of a multiprocessor (half, for 6.0).
 * Shared memory is allocated to blocks in units of 256 bytes; from 8.0 on, in units of 128 bytes with 1 KiB more for
 * the system. */
#include "verdict/verdict.h"

#include <stddef.h>

#include "model/model.h"

/* The limits of one multiprocessor. */
struct room {
    uint32_t capability; /* 10 * major + minor: applies to this one and those below the next in the table */
    uint32_t warps;
    uint32_t blocks;
    uint32_t shared_kib;
};

/* The last row is for devices that are not known yet. */
static const struct room s_rooms[] = {
    {50, 64, 32, 64},   {52, 64, 32, 96},   {53, 64, 32, 64},   {60, 64, 32, 64},   {61, 64, 32, 96},
    {62, 64, 32, 64},   {70, 64, 32, 96},   {75, 32, 16, 64},   {80, 64, 32, 164},  {86, 48, 16, 100},
    {87, 48, 16, 164},  {89, 48, 24, 100},  {90, 64, 32, 228},  {100, 64, 32, 228}, {101, 48, 24, 228},
    {103, 64, 32, 228}, {110, 48, 24, 228}, {120, 48, 24, 100}, {130, 0, 0, 0},
};

enum { ROOMS = sizeof s_rooms / sizeof s_rooms[0], WARP = 32, REGISTERS = 65536, REGISTER_UNIT = 256 };

static const struct room *find_room(uint32_t capability)
{
    for (size_t i = 1; i < ROOMS; i++)
        if (capability < s_rooms[i].capability)
            return capability < s_rooms[0].capability ? NULL : &s_rooms[i - 1];
    return NULL;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static uint64_t blocks_by_registers(uint32_t capability, uint32_t registers, uint64_t warps)
{
    uint64_t parts = capability == 60 ? 2 : 4;
    uint64_t per_warp = round_up((uint64_t)registers * WARP, REGISTER_UNIT);
    return REGISTERS / parts / per_warp * parts / warps;
}

static uint64_t blocks_by_shared(uint32_t capability, uint32_t kib, uint64_t bytes)
{
    uint64_t unit = capability < 80 ? 256 : 128;
    uint64_t per_block = round_up(bytes + (capability < 80 ? 0 : 1024), unit);
    return per_block ? (uint64_t)kib * 1024 / per_block : UINT64_MAX;
}

static void bound(uint64_t *blocks, enum stint_occupancy_limit *limit, uint64_t most, enum stint_occupancy_limit by)
{
    if (most >= *blocks)
        return;
    *blocks = most;
    *limit = by;
}

struct stint_occupancy stint_occupancy_of(const struct stint_kernel_launch *launch)
{
    uint32_t capability = 10 * launch->compute_major + launch->compute_minor;
    const struct room *room = find_room(capability);
    uint64_t warps = (launch->threads + WARP - 1) / WARP;
    if (!room || !warps || !launch->registers)
        return (struct stint_occupancy){STINT_OCCUPANCY_UNKNOWN, 0, 0, 0};
    enum stint_occupancy_limit limit = STINT_OCCUPANCY_WARPS;
    uint64_t blocks = room->warps / warps;
    bound(&blocks, &limit, room->blocks, STINT_OCCUPANCY_BLOCKS);
    bound(&blocks, &limit, blocks_by_registers(capability, launch->registers, warps), STINT_OCCUPANCY_REGISTERS);
    bound(&blocks, &limit, blocks_by_shared(capability, room->shared_kib, launch->shared_bytes),
          STINT_OCCUPANCY_SHARED);
    if (launch->multiprocessors && launch->blocks)
        bound(&blocks, &limit, (launch->blocks + launch->multiprocessors - 1) / launch->multiprocessors,
              STINT_OCCUPANCY_GRID);
    return (struct stint_occupancy){limit, (uint32_t)blocks, (uint32_t)(blocks * warps), room->warps};
}

const char *stint_occupancy_word(enum stint_occupancy_limit limit)
{
    static const char words[][16] = {
        [STINT_OCCUPANCY_WARPS] = "warps",         [STINT_OCCUPANCY_BLOCKS] = "blocks",
        [STINT_OCCUPANCY_REGISTERS] = "registers", [STINT_OCCUPANCY_SHARED] = "shared memory",
        [STINT_OCCUPANCY_GRID] = "grid",
    };
    return words[limit];
}

/* -------------------------------------------------------------------------------------------------------- launches */

/* Recordings come from files, too, so what no device could take is refused. */
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

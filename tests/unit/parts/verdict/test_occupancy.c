#include "stint_test.h"
#include "verdict/verdict.h"

/* On compute capability 9.0: 64 warps, 32 blocks, 65536 registers, 228 KiB. */
static struct stint_kernel_launch launch_of(uint64_t threads, uint32_t registers, uint64_t shared_bytes)
{
    return (struct stint_kernel_launch){
        .compute_major = 9, .threads = threads, .registers = registers, .shared_bytes = shared_bytes};
}

static void assert_occupancy(struct stint_kernel_launch launch, enum stint_occupancy_limit limit, uint32_t blocks,
                             uint32_t warps, uint32_t most)
{
    struct stint_occupancy occupancy = stint_occupancy_of(&launch);
    assert_int_equal(occupancy.limit, limit);
    assert_int_equal(occupancy.blocks, blocks);
    assert_int_equal(occupancy.warps, warps);
    assert_int_equal(occupancy.most, most);
}

TEST(warps_are_the_limit_of_large_blocks)
{
    assert_occupancy(launch_of(1024, 32, 0), STINT_OCCUPANCY_WARPS, 2, 64, 64);
}

TEST(blocks_are_the_limit_of_small_ones)
{
    assert_occupancy(launch_of(32, 16, 0), STINT_OCCUPANCY_BLOCKS, 32, 32, 64);
}

/* 90 registers of 32 threads are 2880, which take 3072: 5 warps in each quarter, 20 in all. */
TEST(registers_are_given_in_units_in_each_quarter)
{
    assert_occupancy(launch_of(64, 90, 0), STINT_OCCUPANCY_REGISTERS, 10, 20, 64);
}

TEST(part_of_a_warp_is_a_warp)
{
    assert_occupancy(launch_of(33, 32, 0), STINT_OCCUPANCY_WARPS, 32, 64, 64);
}

/* 48 KiB and 1 KiB for the system: 4 times in 228 KiB. */
TEST(shared_memory_has_room_for_the_system)
{
    assert_occupancy(launch_of(128, 32, 49152), STINT_OCCUPANCY_SHARED, 4, 16, 64);
}

TEST(launch_that_does_not_fit_has_no_block)
{
    assert_occupancy(launch_of(128, 32, 300000), STINT_OCCUPANCY_SHARED, 0, 0, 64);
}

TEST(grid_that_is_too_small_is_the_limit)
{
    struct stint_kernel_launch launch = launch_of(256, 32, 0);
    launch.multiprocessors = 132;
    launch.blocks = 200;
    assert_occupancy(launch, STINT_OCCUPANCY_GRID, 2, 16, 64);
}

TEST(generations_differ)
{
    struct stint_kernel_launch launch = launch_of(128, 32, 0);
    launch.compute_major = 7;
    launch.compute_minor = 5;
    assert_occupancy(launch, STINT_OCCUPANCY_WARPS, 8, 32, 32);
    launch.compute_major = 8;
    launch.compute_minor = 6;
    assert_occupancy(launch, STINT_OCCUPANCY_WARPS, 12, 48, 48);
}

TEST(unknown_device_or_launch_is_unknown)
{
    struct stint_kernel_launch launch = launch_of(128, 32, 0);
    launch.compute_major = 3;
    assert_occupancy(launch, STINT_OCCUPANCY_UNKNOWN, 0, 0, 0);
    launch.compute_major = 42;
    assert_occupancy(launch, STINT_OCCUPANCY_UNKNOWN, 0, 0, 0);
    assert_occupancy(launch_of(0, 32, 0), STINT_OCCUPANCY_UNKNOWN, 0, 0, 0);
    assert_occupancy(launch_of(128, 0, 0), STINT_OCCUPANCY_UNKNOWN, 0, 0, 0);
}

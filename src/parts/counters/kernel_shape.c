/* Numbers about a launch that need no counters: grid and block, registers, shared memory, and the occupancy that they
 * allow. Which resource limits the blocks on a multiprocessor follows from a few rules of CUDA. */
#include "counters/kernel_choice.h"

#include <string.h>

#include "counters/counter_plan.h"

/* CUDA's structures: cuLaunchKernel_params and, with a prefix of the same members, cuLaunchCooperativeKernel_params. */
struct plain_launch {
    void *function;
    unsigned grid[3];
    unsigned block[3];
    unsigned shared;
};

/* CUlaunchConfig, and cuLaunchKernelEx_params. */
struct launch_config {
    unsigned grid[3];
    unsigned block[3];
    unsigned shared;
};

struct extended_launch {
    const struct launch_config *config;
    void *function;
};

enum { STATIC_SHARED = 1, REGISTERS = 4 }; /* CUfunction_attribute */
enum { WARP = 32 };

static struct {
    int looked;
    int (*function_attribute)(int *value, int attribute, void *function);
    int (*function_of)(void **function, void *kernel);
    int (*device)(int *device);
    int (*device_attribute)(int *value, int attribute, int device);
    int (*most_blocks)(int *blocks, void *function, int threads, size_t shared);
} s_driver;

static void find_driver(void)
{
    if (s_driver.looked)
        return;
    stint_driver_function("cuFuncGetAttribute", &s_driver.function_attribute);
    stint_driver_function("cuKernelGetFunction", &s_driver.function_of);
    stint_driver_function("cuCtxGetDevice", &s_driver.device);
    stint_driver_function("cuDeviceGetAttribute", &s_driver.device_attribute);
    stint_driver_function("cuOccupancyMaxActiveBlocksPerMultiprocessor", &s_driver.most_blocks);
    s_driver.looked = 1;
}

/* ------------------------------------------------------------------------------------------------------- parameters */

static int read_parameters(struct plain_launch *launch, const struct stint_counted_call *call)
{
    if (!call->parameters)
        return -1;
    if (strncmp(call->function, "cuLaunchKernelEx", 16) == 0) {
        const struct extended_launch *extended = call->parameters;
        launch->function = extended->function;
        memcpy(launch->grid, extended->config, sizeof *extended->config);
        return 0;
    }
    if (strncmp(call->function, "cuLaunchKernel", 14) != 0 &&
        strncmp(call->function, "cuLaunchCooperativeKernel", 25) != 0)
        return -1;
    memcpy(launch, call->parameters, sizeof *launch);
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- limits */

static int round_up(int value, int to)
{
    return (value + to - 1) / to * to;
}

/* A thread has at least 16 registers; a warp's are allocated in units of 256, on one of four parts of the
 * multiprocessor; a block's shared memory in units of 128 bytes. */
struct stint_shape_limits stint_shape_limits(const struct stint_multiprocessor *has,
                                             const struct stint_shape_need *needs)
{
    int warps = (int)((needs->threads + WARP - 1) / WARP);
    int registers = round_up((needs->registers < 16 ? 16 : needs->registers) * WARP, 256),
        shared = round_up(needs->shared + has->reserved, 128);
    return (struct stint_shape_limits){
        .registers = registers && warps ? has->registers / 4 / registers * 4 / warps : has->blocks,
        .shared = shared ? has->shared / shared : has->blocks,
        .warps = warps ? has->threads / WARP / warps : has->blocks,
    };
}

/* ------------------------------------------------------------------------------------------------------------ shape */

static void put(struct stint_kernel_shape *shape, const char *metric, double value)
{
    shape->values[shape->count++] = (struct stint_shape_value){metric, value};
}

static int attribute_of_device(int attribute, int device)
{
    int value = 0;
    return s_driver.device_attribute && !s_driver.device_attribute(&value, attribute, device) ? value : 0;
}

static struct stint_multiprocessor ask_device(void)
{
    int device = 0;
    if (s_driver.device)
        (void)s_driver.device(&device);
    return (struct stint_multiprocessor){
        .count = attribute_of_device(16, device),
        .threads = attribute_of_device(39, device),
        .shared = attribute_of_device(81, device),
        .registers = attribute_of_device(82, device),
        .blocks = attribute_of_device(106, device),
        .reserved = attribute_of_device(111, device),
    };
}

/* The runtime passes handles of kernels as well as of functions. */
static int attribute_of_function(int attribute, void **function)
{
    int value = 0;
    void *other;
    if (s_driver.function_attribute && !s_driver.function_attribute(&value, attribute, *function))
        return value;
    if (s_driver.function_of && !s_driver.function_of(&other, *function)) {
        *function = other;
        if (!s_driver.function_attribute(&value, attribute, other))
            return value;
    }
    return 0;
}

static void put_limits(struct stint_kernel_shape *shape, const struct plain_launch *launch,
                       const struct stint_shape_need *needs, double blocks)
{
    struct stint_multiprocessor has = ask_device();
    struct stint_shape_limits limits = stint_shape_limits(&has, needs);
    int resident = 0;
    if (!has.threads || !needs->threads)
        return;
    put(shape, "launch__occupancy_limit_blocks", has.blocks);
    put(shape, "launch__occupancy_limit_registers", limits.registers);
    put(shape, "launch__occupancy_limit_shared_mem", limits.shared);
    put(shape, "launch__occupancy_limit_warps", limits.warps);
    if (!s_driver.most_blocks ||
        s_driver.most_blocks(&resident, launch->function, (int)needs->threads, launch->shared) || !resident)
        return;
    int warps = resident * (int)((needs->threads + WARP - 1) / WARP);
    put(shape, "sm__maximum_warps_per_active_cycle_pct", 100.0 * warps * WARP / has.threads);
    if (has.count)
        put(shape, "launch__waves_per_multiprocessor", blocks / resident / has.count);
}

void stint_kernel_shape(struct stint_kernel_shape *shape, const struct stint_counted_call *call)
{
    struct plain_launch launch;
    shape->count = 0;
    if (read_parameters(&launch, call))
        return;
    find_driver();
    double blocks = (double)launch.grid[0] * launch.grid[1] * launch.grid[2];
    struct stint_shape_need needs = {.threads = launch.block[0] * launch.block[1] * launch.block[2],
                                     .registers = attribute_of_function(REGISTERS, &launch.function)};
    int shared = attribute_of_function(STATIC_SHARED, &launch.function);
    needs.shared = shared + (int)launch.shared;
    put(shape, "launch__grid_size", blocks);
    put(shape, "launch__block_size", needs.threads);
    put(shape, "launch__registers_per_thread", needs.registers);
    put(shape, "launch__shared_mem_per_block_static", shared);
    put(shape, "launch__shared_mem_per_block_dynamic", launch.shared);
    put_limits(shape, &launch, &needs, blocks);
}

/* Walks the paths whose cost is checked, for cost.sh, which counts instructions with valgrind. Every path is walked
 * three times, with FEW, FEW and MANY steps: the first walk warms up, and the difference between the others does not
 * contain the fixed cost of a walk. The paths' names are printed in the order in which they are walked.
 *
 *     cost_paths scopes     scopes, and NVTX's ranges without a tool and with stint as the tool
 *     cost_paths noted      scopes while there is a trace
 *     cost_paths launches   what stint does when CUPTI reports a launch, by one call or by both, or a query
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cost/cost_range.h"
#include "gpu_mock/mock.h"
#include "notes/note.h"
#include "nvtx/handler.h"
#include "runtime/runtime.h"
#include "stint/stint.h"

enum { SKIPPED = 77, FEW = 1000, MANY = 10000, CHUNKS = 1024 };

/* Keeps the compiler from moving work across a scope, or out of a loop. */
#define FENCE() __asm__ volatile("" ::: "memory")

#define DEFINE_PATH(name, step)                                                                                        \
    static void name(int steps)                                                                                        \
    {                                                                                                                  \
        for (int i = 0; i < steps; i++) {                                                                              \
            step;                                                                                                      \
            FENCE();                                                                                                   \
        }                                                                                                              \
    }

/* ------------------------------------------------------------------------------------------------------------ walks */

/* The function in which cost.sh counts; callgrind writes the count when it returns. */
__attribute__((noinline)) void stint_cost_walk(void (*path)(int steps), int steps)
{
    path(steps);
    FENCE();
}

static void walk(const char *name, void (*path)(int steps))
{
    path(FEW);
    printf("%s\n", name);
    stint_cost_walk(path, FEW);
    stint_cost_walk(path, FEW + MANY);
}

/* ----------------------------------------------------------------------------------------------------------- scopes */

static struct stint_token s_token; /* of a scope within another */

DEFINE_PATH(scope, STINT_SCOPE("scope"))
DEFINE_PATH(operation, STINT_OP("conv2d", STINT_FPROP, "conv1", 7, STINT_TENSOR(STINT_FP32, 64, 6, 14, 14),
                                STINT_TENSOR(STINT_FP32, 16, 6, 5, 5), STINT_TENSOR(STINT_FP32, 16)))
DEFINE_PATH(scope_without_histogram, STINT_SCOPE("scope without histogram"))
DEFINE_PATH(scope_with_info, STINT_SCOPE_INFO("scope with info", "info"))
DEFINE_PATH(dynamic_scope, STINT_SCOPE_DYNAMIC("dynamic scope"))
DEFINE_PATH(adoption, STINT_ADOPT(s_token))

static void take_token(void)
{
    STINT_SCOPE("outer");
    STINT_SCOPE("hands over");
    s_token = stint_token_take();
}

static void walk_scopes(void)
{
    take_token();
    walk("scope", scope);
    walk("operation", operation);
    stint_set_percentiles(0);
    walk("scope without histogram", scope_without_histogram);
    stint_set_percentiles(1);
    walk("scope with info", scope_with_info);
    walk("dynamic scope", dynamic_scope);
    walk("adoption below two scopes", adoption);

    stint_set_enabled(0);
    walk("scope, off", scope);
    walk("scope with info, off", scope_with_info);
    walk("dynamic scope, off", dynamic_scope);
    walk("adoption, off", adoption);
    stint_set_enabled(1);
}

/* Threads that begin to record from then on note what they do for the trace. */
static int walk_noted(void)
{
    if (stint_chunks_start(CHUNKS))
        return -1;
    stint_notes_start();
    walk("scope, noted", scope);
    stint_nvtx_op_start();
    walk("operation, noted", operation);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- NVTX */

/* As in a program, every call goes through a pointer that the tool has set. */
static struct {
    int (*push)(const char *text);
    int (*pop)(void);
} s_nvtx;

static int get_module(int module, stint_nvtx_any_fn ***(*table), unsigned *count)
{
    static stint_nvtx_any_fn **core[16];
    core[STINT_NVTX_RANGE_PUSH_A] = (stint_nvtx_any_fn **)&s_nvtx.push;
    core[STINT_NVTX_RANGE_POP] = (stint_nvtx_any_fn **)&s_nvtx.pop;
    *table = core;
    *count = module == STINT_NVTX_CORE ? sizeof core / sizeof core[0] : 0;
    return *count != 0;
}

static const void *get_table(uint32_t table)
{
    static const struct stint_nvtx_callbacks callbacks = {sizeof callbacks, get_module};
    return table == STINT_NVTX_TABLE_CALLBACKS ? &callbacks : NULL;
}

static void pushed_range(int steps)
{
    for (int i = 0; i < steps; i++) {
        s_nvtx.push("pushed range");
        FENCE();
        s_nvtx.pop();
    }
}

static void pushed_operation(int steps)
{
    for (int i = 0; i < steps; i++) {
        s_nvtx.push("aten::mm, op_id = 783, sizes = [[64, 16], [16, 10]], input_op_ids = [(780,0), (781,0)]");
        FENCE();
        s_nvtx.pop();
    }
}

static int walk_ranges(void)
{
    if (stint_cost_has_nvtx())
        walk("NVTX push and pop, no tool", stint_cost_range);
    if (stint_runtime_start() || !stint_nvtx_attach(get_table))
        return -1;
    walk("NVTX push and pop, stint is the tool", pushed_range);
    walk("NVTX push and pop, text with data", pushed_operation);
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- launches */

static void launch(int steps)
{
    static const struct mock_kernel kernel = {"kernel", 1};
    const struct mock_dim one = {1, 1, 1};
    for (int i = 0; i < steps; i++)
        (void)cudaLaunchKernel(&kernel, one, one, NULL, 0, NULL);
    (void)cudaDeviceSynchronize();
}

static void query(int steps)
{
    int device;
    for (int i = 0; i < steps; i++)
        (void)cudaGetDevice(&device);
}

static int walk_launches(void)
{
    static const struct stint_gpu_options everything = {.what = STINT_GPU_EVERYTHING};
    if (stint_gpu_start(NULL))
        return -1;
    STINT_SCOPE("launching");
    walk("CUPTI tells of a launch", launch);
    if (stint_gpu_stop() || stint_gpu_start(&everything))
        return -1;
    walk("CUPTI tells of both calls of a launch", launch);
    walk("CUPTI tells of a query", query);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    if (stint_runtime_start())
        return 1;
    if (!stint_clock_is_inline())
        return SKIPPED;
    if (strcmp(argv[1], "launches") == 0)
        return walk_launches() != 0;
    if (strcmp(argv[1], "noted") == 0)
        return walk_noted() != 0;
    walk_scopes();
    return walk_ranges() != 0;
}

/* A library configured with WITH_PROFILER=OFF, used by call sites that are compiled in: all functions exist, and do
 * nothing. */
#define STINT_WITH_PROFILER 1

#include <stdio.h>

#include "process/harness.h"
#include "stint/stint.h"

MODE(does_nothing)
{
    REGISTER_GPU_PROFILER("work", "batch = 64");
    stint_profiler_set_window(0, 1);
    return !(stint_profiler_start("work", "") == STINT_ERROR_UNAVAILABLE &&
             stint_profiler_step() == STINT_ERROR_UNAVAILABLE && stint_profiler_stop() == STINT_ERROR_UNAVAILABLE &&
             stint_profiler_status() == STINT_ERROR_UNAVAILABLE && stint_profiler_cuda_code() == 0);
}

TEST(configured_off_every_call_is_unavailable_and_quiet)
{
    const struct result result = run("does_nothing", NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
}

/* The stage of a library configured with WITH_PROFILER=OFF: nothing is looked up or called. */
#include "profiler/profiler.h"

#include "base/log.h"

enum stint_status stint_activation_begin(const struct stint_activation *activation)
{
    (void)activation;
    return STINT_ERROR_UNAVAILABLE;
}

enum stint_status stint_activation_end(void)
{
    return STINT_ERROR_UNAVAILABLE;
}

enum stint_status stint_activation_step(void)
{
    return STINT_ERROR_UNAVAILABLE;
}

void stint_activation_set_window(uint64_t first, uint64_t count)
{
    (void)first;
    (void)count;
}

/* No iteration would ever begin, so a window would exclude everything. */
void stint_activation_record_window(const struct stint_window *window)
{
    (void)window;
    STINT_LOG(STINT_LOG_WARNING,
              "STINT_WINDOW is ignored: this stint was built with WITH_PROFILER=OFF and does not count "
              "iterations; everything is recorded");
}

enum stint_status stint_activation_status(void)
{
    return STINT_ERROR_UNAVAILABLE;
}

int stint_activation_cuda_code(void)
{
    return 0;
}

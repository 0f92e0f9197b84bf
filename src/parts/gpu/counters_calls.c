/* The public functions of counters.h, which libstint_module.so implements. */
#include "gpu/call_table.h"
#include "gpu/counted_launch.h"
#include "gpu/driver.h"
#include "record/thread.h"
#include "stint/gpu.h"

/* Inside the guard. What the module asks of CUDA is none of the program's calls. */
static enum stint_status start(const struct stint_counters_options *options)
{
    const struct stint_counting *counting = stint_counting_load();

    if (!counting)
        return STINT_ERROR_UNAVAILABLE;
    stint_driver_own++;
    enum stint_status status = counting->start(options);
    stint_driver_own--;
    if (!status)
        stint_call_table_count(1);
    return status;
}

enum stint_status stint_counters_start(const struct stint_counters_options *options)
{
    if (!options || !options->metrics || !*options->metrics)
        return STINT_ERROR_INVALID_ARGUMENT;
    enum stint_status status = stint_gpu_start(NULL);
    if (status)
        return status;
    if (!stint_guard_begin())
        return STINT_ERROR_BUSY;
    status = start(options);
    stint_guard_end();
    return status;
}

enum stint_status stint_counters_stop(void)
{
    const struct stint_counting *counting = stint_counting();

    if (!counting)
        return STINT_ERROR_NOT_STARTED;
    stint_driver_own++;
    enum stint_status status = counting->stop();
    stint_driver_own--;
    if (counting->status() == STINT_ERROR_NOT_STARTED) /* not if STINT_COUNTERS asks for them */
        stint_call_table_count(0);
    return status;
}

/* Without GPU activity nothing is counted, whatever the module says. */
static const struct stint_counting *usable(void)
{
    return stint_gpu_status() ? NULL : stint_counting();
}

enum stint_status stint_counters_status(void)
{
    const struct stint_counting *counting = usable();

    if (counting)
        return counting->status();
    if (stint_gpu_status())
        return stint_gpu_status();
    return *stint_counting_reason() ? STINT_ERROR_UNAVAILABLE : STINT_ERROR_NOT_STARTED;
}

const char *stint_counters_reason(void)
{
    const struct stint_counting *counting = usable();

    if (counting)
        return counting->reason();
    return stint_gpu_status() ? stint_gpu_reason() : stint_counting_reason();
}

enum stint_status stint_counters_read(enum stint_counters_of of, const char *names, const char *metric,
                                      struct stint_counter *counter)
{
    const struct stint_counting *counting = stint_counting();

    if (!counter || !metric || !*metric || (of != STINT_COUNTERS_OF_KERNELS && of != STINT_COUNTERS_OF_SCOPES))
        return STINT_ERROR_INVALID_ARGUMENT;
    *counter = (struct stint_counter){.launches = 0};
    return counting ? counting->read(of, names, metric, counter) : STINT_ERROR_NOT_FOUND;
}

/* Finds out once whether and what can be counted in a process: the device's chip, CUPTI's functions, permission, the
 * metrics it has. Every "no" becomes a reason that the user can act on. */
#include "counters/counted_device.h"

#include <stdio.h>

/* Without a reason, a function of CUPTI has failed. */
static int give_up(struct stint_counted_device *device, const char *why)
{
    device->status = why                                                         ? STINT_ERROR_UNAVAILABLE
                     : device->api.result == STINT_RANGE_INSUFFICIENT_PRIVILEGES ? STINT_ERROR_PERMISSION
                                                                                 : STINT_ERROR_CUDA;
    if (why)
        (void)snprintf(device->reason, sizeof device->reason, "%s", why);
    else
        stint_range_explain(&device->api, device->reason, sizeof device->reason);
    return -1;
}

static int check_device(struct stint_counted_device *device)
{
    struct stint_range_supported told = {.size = STINT_RANGE_SIZE(stint_range_supported, api),
                                         .api = STINT_RANGE_PROFILING};
    if (stint_range_call(&device->api, STINT_RANGE_SUPPORTED, &told))
        return give_up(device, NULL);
    if (told.supported == STINT_RANGE_IS_SUPPORTED)
        return 0;
    return give_up(device, told.architecture != STINT_RANGE_IS_SUPPORTED
                               ? "the device is too old for CUPTI's range profiler: it needs compute "
                                 "capability 7.0"
                           : told.virtual_gpu != STINT_RANGE_IS_SUPPORTED
                               ? "the device is virtual, and counters are not enabled for it"
                           : told.confidential != STINT_RANGE_IS_SUPPORTED
                               ? "the device computes confidentially, which hides its counters"
                           : told.wsl != STINT_RANGE_IS_SUPPORTED ? "WSL does not pass counters on"
                                                                  : "CUPTI does not support counters of this device");
}

static const char *why_no_metric(const struct stint_counted_device *device)
{
    return !device->run || !device->plan.runs ? "the device has none of the metrics that were asked for, or each "
                                                "needs several passes"
                                              : "all metrics were counted in earlier runs";
}

static int open_profiler(struct stint_counted_device *device)
{
    struct stint_range_initialize begin = {.size = STINT_RANGE_SIZE(stint_range_initialize, reserved)};
    if (device->is_open)
        return 0;
    if (stint_range_open(&device->api, device->cupti))
        return give_up(device, "this CUPTI has no range profiler: counters need CUPTI 12.6 or later");
    if (stint_range_call(&device->api, STINT_RANGE_INITIALIZE, &begin))
        return give_up(device, NULL);
    device->is_open = !check_device(device);
    return device->is_open ? 0 : -1;
}

/* Names what the device does not have, if that matters. */
static int check_metrics(struct stint_counted_device *device)
{
    const char *const *absent = device->plan.absent.items;
    if (!device->is_strict || !device->plan.absent.count)
        return 0;
    (void)snprintf(device->reason, sizeof device->reason,
                   "the device has no metric %.200s; stint nvprof --query-metrics lists those that it has", *absent);
    device->status = STINT_ERROR_INVALID_ARGUMENT;
    return -1;
}

static int make_plan(struct stint_counted_device *device)
{
    struct stint_range_chip chip = {.size = STINT_RANGE_SIZE(stint_range_chip, name)};
    if (device->is_planned)
        return device->values ? 0 : -1;
    device->is_planned = 1;
    if (open_profiler(device))
        return -1;
    if (stint_range_call(&device->api, STINT_RANGE_CHIP, &chip))
        return give_up(device, NULL);
    int failed = stint_counter_plan(&device->plan, &device->api, chip.name, device->wanted, device->run);
    if (check_metrics(device))
        return -1;
    if (failed)
        return give_up(device, device->api.result ? NULL : why_no_metric(device));
    device->values = stint_arena_alloc(&device->plan.arena, device->plan.names.count * sizeof *device->values);
    return device->values ? 0 : give_up(device, "there is no memory");
}

struct stint_range_session *stint_counted_session(struct stint_counted_device *device, void *context)
{
    for (size_t i = 0; i < device->session_count; i++)
        if (device->sessions[i].context == context)
            return device->sessions[i].profiler ? &device->sessions[i] : NULL;
    if (make_plan(device))
        return NULL;
    if (device->session_count == STINT_COUNTED_CONTEXTS) {
        (void)give_up(device, "there are too many contexts");
        return NULL;
    }
    struct stint_range_session *session = &device->sessions[device->session_count++];
    if (stint_range_session(session, &device->plan, context) == 0)
        return session;
    (void)give_up(device, NULL);
    return NULL;
}

void stint_counted_close(struct stint_counted_device *device, struct stint_range_session *session)
{
    if (session->profiler)
        stint_range_close(session, &device->plan);
}

void stint_counted_forget(struct stint_counted_device *device)
{
    struct stint_range_host_end end = {.size = STINT_RANGE_SIZE(stint_range_host_end, host), .host = device->plan.host};
    if (end.host)
        (void)stint_range_call(&device->api, STINT_RANGE_HOST_END, &end);
    stint_arena_free(&device->plan.arena);
    device->plan = (struct stint_counter_plan){0};
    device->values = NULL;
    device->session_count = 0;
    device->is_planned = 0;
    device->status = STINT_OK;
    *device->reason = '\0';
}

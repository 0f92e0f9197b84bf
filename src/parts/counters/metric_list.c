/* Asks CUPTI for all metrics of a chip with their descriptions, for a user who looks for one. */
#include "counters/metric_list.h"

#include <stdio.h>

#include "counters/counter_plan.h"

static const char *description_of(struct stint_range_api *api, void *host, const char *name)
{
    struct stint_range_properties properties = {
        .size = STINT_RANGE_SIZE(stint_range_properties, type), .host = host, .name = name};
    int failed = stint_range_call(api, STINT_RANGE_PROPERTIES, &properties);
    return failed || !properties.description ? "" : properties.description;
}

static int put_kind(struct stint_range_api *api, void *host, enum stint_metric_kind kind, stint_metric_list_fn *put)
{
    struct stint_range_base_metrics metrics = {
        .size = STINT_RANGE_SIZE(stint_range_base_metrics, count), .host = host, .type = (int)kind};
    if (stint_range_call(api, STINT_RANGE_BASE_METRICS, &metrics))
        return -1;
    for (size_t i = 0; i < metrics.count; i++)
        put(kind, metrics.names[i], description_of(api, host, metrics.names[i]));
    return 0;
}

static int put_all(struct stint_range_api *api, stint_metric_list_fn *put)
{
    struct stint_range_initialize begin = {.size = STINT_RANGE_SIZE(stint_range_initialize, reserved)};
    struct stint_range_chip chip = {.size = STINT_RANGE_SIZE(stint_range_chip, name)};
    if (stint_range_call(api, STINT_RANGE_INITIALIZE, &begin) || stint_range_call(api, STINT_RANGE_CHIP, &chip))
        return -1;
    void *host = stint_counter_host(api, chip.name);
    for (int kind = 0; host && kind < STINT_METRIC_KINDS; kind++)
        if (put_kind(api, host, (enum stint_metric_kind)kind, put))
            return -1;
    return host ? 0 : -1;
}

int stint_metric_list(void *cupti, stint_metric_list_fn *put, char *why, size_t size)
{
    struct stint_range_api api = {.result = 0};
    if (stint_range_open(&api, cupti)) {
        (void)snprintf(why, size, "this CUPTI has no range profiler: counters need CUPTI 12.6 or later");
        return -1;
    }
    if (put_all(&api, put) == 0)
        return 0;
    stint_range_explain(&api, why, size);
    return -1;
}

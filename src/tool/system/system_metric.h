/* What is measured of a GPU, one number after the other. */
#ifndef STINT_SYSTEM_SYSTEM_METRIC_H
#define STINT_SYSTEM_SYSTEM_METRIC_H

#include "stat/system_words.h"
#include "system/nvml.h"

/* What counters of a device showed last: of those that count bytes, only differences are told. */
struct stint_system_counters {
    uint64_t bytes[STINT_SYSTEM_METRICS];
    uint64_t ns[STINT_SYSTEM_METRICS];
};

const char *stint_system_metric_name(enum stint_system_metric metric);

/* Reads a metric of a device, at the time `ns` of a steady clock. Returns 0, or -1 if the device does not tell, or a
 * counter is read for the first time. */
int stint_system_metric_read(const struct stint_nvml *nvml, void *device, enum stint_system_metric metric, uint64_t ns,
                             struct stint_system_counters *counters, double *value);

#endif

/* The metrics of the device itself: stint nvprof --query-metrics. */
#ifndef STINT_CLI_DEVICE_METRICS_H
#define STINT_CLI_DEVICE_METRICS_H

/* Prints them, or why there are none and what to do. */
void stint_device_metrics_list(void);

#endif

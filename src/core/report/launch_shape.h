/* The launch configuration of a kernel. */
#ifndef STINT_REPORT_LAUNCH_SHAPE_H
#define STINT_REPORT_LAUNCH_SHAPE_H

#include "stat/occupancy.h"
#include "stint/snapshot.h"

/* Returns 0, or -1 if there are more blocks or threads than any device takes. */
int stint_kernel_launch_of(struct stint_kernel_launch *launch, const struct stint_snapshot *snapshot,
                           const struct stint_gpu_event *kernel);

#endif

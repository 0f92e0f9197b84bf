/* Kernels on a roofline by what counters say that they did, beside what the operations that launched them had to do. */
#ifndef STINT_OP_KERNEL_POINTS_H
#define STINT_OP_KERNEL_POINTS_H

#include "op/op_row.h"
#include "op/roof_device.h"

/* Whether FLOPs and bytes of a kernel were counted. */
int stint_kernel_points_any(const struct stint_snapshot *snapshot);

/* Adds a point for each such kernel with a thousandth of the time, and the roofs of the types that it used. Points have
 * their time by counters, since that of a replayed kernel's record is another one. Returns 0, or -1 without memory. */
int stint_kernel_points_add(struct stint_roof_plot *plot, struct stint_arena *arena, const struct stint_op_rows *rows,
                            const struct stint_roof_device *device);

#endif

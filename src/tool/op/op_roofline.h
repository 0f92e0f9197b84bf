/* A recording as a roofline (roof_plot.h). */
#ifndef STINT_OP_OP_ROOFLINE_H
#define STINT_OP_OP_ROOFLINE_H

#include "base/text.h"
#include "op/op_row.h"

/* Writes an SVG image with the roofs of the first kernel's device for each type that was used, measured ones if there
 * are any: a circle for each kernel by its counters, if FLOPs and bytes were counted; else for each operation by its
 * cost. Returns 0, or -1 without memory. */
int stint_op_roofline_put(const struct stint_op_rows *rows, struct stint_text *text);

/* Whether FLOPs and bytes of a kernel were counted. */
int stint_kernel_points_any(const struct stint_snapshot *snapshot);

/* Whether the circles are kernels. */
int stint_op_roofline_has_kernels(const struct stint_op_rows *rows);

#endif

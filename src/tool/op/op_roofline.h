/* Operations on a roofline: how many FLOPs they did each second, by how many they do for each byte, below what memory
 * and the units that compute allow (Williams et al., Roofline: an insightful visual performance model, 2009). */
#ifndef STINT_OP_OP_ROOFLINE_H
#define STINT_OP_OP_ROOFLINE_H

#include "base/text.h"
#include "op/op_row.h"

/* Writes an SVG image: a circle for each operation with FLOPs and bytes, whose area is its time, and the roofs of the
 * first kernel's device, for each type that was used. Returns 0, or -1 without memory. */
int stint_op_roofline_put(const struct stint_op_rows *rows, struct stint_text *text);

#endif

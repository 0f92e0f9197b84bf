/* Kernels added up: by operation, module, layer, direction or kernel. */
#ifndef STINT_OP_OP_SUM_H
#define STINT_OP_OP_SUM_H

#include "base/text.h"
#include "op/op_row.h"
#include "stint/report.h"

enum stint_op_by { STINT_OP_BY_OP, STINT_OP_BY_MODULE, STINT_OP_BY_LAYER, STINT_OP_BY_DIRECTION, STINT_OP_BY_KERNEL };

/* The words for these, and NULL. */
extern const char *const stint_op_by_words[];

/* Writes a table, by falling time. With `csv`, the layout does not matter. Returns 0, or -1 without memory. */
int stint_op_sums_put(const struct stint_op_rows *rows, enum stint_op_by by, int csv, const struct stint_layout *layout,
                      struct stint_text *text);

#endif

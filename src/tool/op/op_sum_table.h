/* Sums of kernels as a table. */
#ifndef STINT_OP_OP_SUM_TABLE_H
#define STINT_OP_OP_SUM_TABLE_H

#include "base/text.h"
#include "op/op_sum.h"
#include "stint/report.h"

/* Writes a table, by falling time. With `csv`, the layout does not matter. Returns 0, or -1 without memory. */
int stint_op_sum_table_put(const struct stint_op_rows *rows, enum stint_op_by by, int csv,
                           const struct stint_layout *layout, struct stint_text *text);

#endif

/* The text of one cell, which may be of any length. */
#ifndef STINT_OP_OP_CELL_H
#define STINT_OP_OP_CELL_H

#include "op/op_table.h"

/* Zero it to begin. */
struct stint_op_cell {
    struct stint_op_buffer text;
    struct stint_arena arena;
    struct stint_operation operation; /* that `params` are of */
    const char **params;              /* of each text as soon as they were asked for; many rows have the same */
    int failed;                       /* there was no memory */
};

/* Writes what the column says of row `at`, with a NUL behind it. Returns it; "" without memory. */
const char *stint_op_cell_fill(struct stint_op_cell *cell, const struct stint_op_rows *rows, size_t at,
                               enum stint_op_column column);

void stint_op_cell_free(struct stint_op_cell *cell);

#endif

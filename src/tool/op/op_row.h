/* What is said about each kernel: its operation, and the part of the operation's cost that is its own. */
#ifndef STINT_OP_OP_ROW_H
#define STINT_OP_OP_ROW_H

#include "op/op_join.h"
#include "op/op_scan.h"

struct stint_op_row {
    const struct stint_op_kernel *kernel;
    const char *name;                   /* of the kernel, short: "vectorized_elementwise_kernel" */
    const struct stint_op_frame *frame; /* the innermost one; NULL: no range is known to have been open */
    uint32_t op;     /* frame of the operation, or STINT_OP_NO_FRAME; of a backward one, its forward one may be it */
    uint32_t owner;  /* frame that is this one time that it ran; a number for it that no other time has */
    uint32_t sub;    /* how many kernels it had launched before */
    uint8_t is_main; /* of the operation's kernels the one that has its cost, if it is known */
    uint8_t tensor_cores; /* enum stint_op_tensor_cores */
    uint8_t type;    /* enum stint_op_type: of the operation's first tensor, on the main one; else what its name says */
    uint64_t all_ns; /* on the main one: how long all kernels of the operation ran, that one time */
    uint64_t idle_ns;          /* how long its device had run no kernel when it began; 0 for the first one */
    struct stint_op_cost cost; /* 0 unless it is the main one; unknown without an operation or its formula */
};

/* Zero it to begin. */
struct stint_op_rows {
    const struct stint_op_join *join;
    struct stint_op_row *rows; /* as many as kernels, in their order */
    size_t count;
    uint64_t too_large; /* operations whose cost has no room in 64 bits */

    /* Internal state. */
    struct stint_arena arena;
    struct stint_operation operation;
};

/* Makes the rows of all kernels. Returns 0, or -1 without memory. The join has to outlive them. Free them in either
 * case. */
int stint_op_rows_make(struct stint_op_rows *rows, const struct stint_op_join *join);

void stint_op_rows_free(struct stint_op_rows *rows);

/* Returns whether an operation, or a layer, is known of any kernel. */
int stint_op_rows_have_operations(const struct stint_op_rows *rows);

/* Returns "fprop", "bprop" or "optim". */
const char *stint_op_direction_word(enum stint_op_direction direction);

/* Returns the text of the row's operation, or NULL. */
static inline const struct stint_op_text *stint_op_row_text(const struct stint_op_rows *rows,
                                                            const struct stint_op_row *row)
{
    return row->op == STINT_OP_NO_FRAME
               ? NULL
               : stint_op_text_at(&rows->join->texts, stint_op_frame_at(rows->join, row->op)->text);
}

/* Returns the short name of a kernel, as PyProf prints it: the function's own, without its namespaces of PyTorch, its
 * parameters and its template arguments; in `arena`. NULL without memory. */
const char *stint_op_kernel_name(struct stint_arena *arena, const char *name);

#endif

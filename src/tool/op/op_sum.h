/* Kernels with their operations, one by one and added up. */
#ifndef STINT_OP_OP_SUM_H
#define STINT_OP_OP_SUM_H

#include "base/text.h"
#include "op/op_join.h"
#include "op/op_scan.h"
#include "stint/report.h"

/* --------------------------------------------------------------------------------------------------------- op_row.c */

/* What is said about each kernel: its operation, and the part of the operation's cost that is its own. */

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

/* --------------------------------------------------------------------------------------------------------- op_sum.c */

/* Kernels added up: by operation, module, layer, direction or kernel. */

enum stint_op_by {
    STINT_OP_BY_OP,
    STINT_OP_BY_MODULE,
    STINT_OP_BY_LAYER,
    STINT_OP_BY_DIRECTION,
    STINT_OP_BY_KERNEL,
    STINT_OP_BY_ALL /* layers, in each its operations, in each of these its kernels */
};

/* The words for all but the last of these, and NULL. */
extern const char *const stint_op_by_words[];

enum stint_op_level { STINT_OP_LEVEL_LAYER, STINT_OP_LEVEL_OPERATION, STINT_OP_LEVEL_KERNEL };

struct stint_op_sum {
    struct stint_piece name;    /* of a layer with those around it: "net.layer1" */
    size_t parent, first, next; /* the sum around it, the first one within, the next one beside; plus 1; 0: none */
    size_t depth;
    enum stint_op_level level; /* by all: what is added up */
    uint64_t ns;
    uint64_t idle_ns;
    uint64_t kernels;
    uint64_t times; /* that operations ran */
    double flops, bytes, executed;
    double both_flops, both_bytes;         /* of operations of which both are known */
    uint64_t flops_ns, bytes_ns, both_ns;  /* time of all kernels of the operations whose numbers these are */
    double flops_best_ns, bytes_best_ns;   /* how long it would take the device at its best */
    uint64_t flops_peak_ns, bytes_peak_ns; /* time of all kernels of the operations that have one */
    double bus_bytes;                      /* of collectives */
    uint64_t bus_ns;                       /* time of their kernels */
    uint64_t used_ns, unused_ns;           /* time of kernels that multiply matrices with Tensor Cores, and without */
};

/* Zero it to begin. */
struct stint_op_sums {
    struct stint_table all; /* struct stint_op_sum */
    size_t first;           /* the first one of the outermost, plus 1; 0: there is none */
    uint64_t ns;            /* of all kernels */

    /* Internal state. */
    struct stint_arena arena;
    const struct stint_snapshot *snapshot;
};

/* Adds the rows up. Sums beside each other are by falling time. Returns 0, or -1 without memory. The rows have to
 * outlive the sums. Free them in either case. */
int stint_op_sums_make(struct stint_op_sums *sums, const struct stint_op_rows *rows, enum stint_op_by by);

void stint_op_sums_free(struct stint_op_sums *sums);

/* Returns the sum at a position plus 1. */
static inline const struct stint_op_sum *stint_op_sum_at(const struct stint_op_sums *sums, size_t at)
{
    return (const struct stint_op_sum *)sums->all.items + at - 1;
}

/* Returns the sum that follows, those within a sum behind it; at 0 the first one. Plus 1; 0: there is none. */
size_t stint_op_sum_after(const struct stint_op_sums *sums, size_t at);

/* Shares of what the device can do at its best, from 0 to 1; below 0 if they are not known of all operations whose
 * numbers are. */
double stint_op_sum_flops_share(const struct stint_op_sum *sum);
double stint_op_sum_bytes_share(const struct stint_op_sum *sum);

/* Returns what bounds the sum's kernels, "launch", "memory" or "compute", or NULL if that is not known. */
const char *stint_op_sum_bound(const struct stint_op_sum *sum);

/* Writes a table, by falling time. With `csv`, the layout does not matter. Returns 0, or -1 without memory. */
int stint_op_sum_table_put(const struct stint_op_rows *rows, enum stint_op_by by, int csv,
                           const struct stint_layout *layout, struct stint_text *text);

#endif

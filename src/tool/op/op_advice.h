/* What may be made faster, by rules that docs/operations.md lists. */
#ifndef STINT_OP_OP_ADVICE_H
#define STINT_OP_OP_ADVICE_H

#include "base/text.h"
#include "op/op_row.h"

enum stint_op_advice_rule {
    STINT_OP_ADVICE_ALIGNMENT, /* a dimension of a matrix is no multiple of 16 bytes */
    STINT_OP_ADVICE_PRECISION, /* matrices are multiplied without Tensor Cores, where most are with them */
    STINT_OP_ADVICE_GRID,      /* a kernel has fewer blocks than half as many as the device has multiprocessors */
    STINT_OP_ADVICE_LAUNCH     /* short kernels that a device waits for, one after the other */
};

struct stint_op_advice {
    enum stint_op_advice_rule rule;
    const struct stint_op_text *operation; /* advice by one rule, on one operation and kernel, is one */
    uint32_t kernel;                       /* its name, in the texts; by the first rule, 0: any */
    uint64_t ns;                           /* of these kernels; by the last rule, how long the device waited for them */
    uint64_t kernels;                      /* how many they are */
    uint32_t row;                          /* the first of them */
    int has_layers;                        /* they are in more than one */
    char dimension;                        /* by the first rule, its letter */
    uint64_t is;                           /* this dimension; number of blocks; length of the longest sequence */
    uint64_t wanted;                       /* what it has to be divisible by; multiprocessors; number of sequences */
};

/* Zero it to begin. */
struct stint_op_advices {
    struct stint_op_advice *all; /* by falling time */
    size_t count;
    uint64_t ns; /* of all kernels */

    /* Internal state. */
    struct stint_arena arena;
    struct stint_table found; /* struct stint_op_advice */
    struct stint_operation operation;
};

/* Looks for advice on the rows. Returns 0, or -1 without memory. Free them in either case. */
int stint_op_advices_make(struct stint_op_advices *advices, const struct stint_op_rows *rows);

void stint_op_advices_free(struct stint_op_advices *advices);

/* Writes a sentence, without a full stop. */
void stint_op_advice_say(const struct stint_op_advice *advice, const struct stint_op_rows *rows,
                         struct stint_text *text);

/* Writes a line for each. Returns 0, or -1 without memory. */
int stint_op_advices_put(const struct stint_op_rows *rows, int csv, struct stint_text *text);

#endif

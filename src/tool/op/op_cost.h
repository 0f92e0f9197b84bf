/* What an operation has to compute and to move at least, by its shapes, types and arguments. */
#ifndef STINT_OP_OP_COST_H
#define STINT_OP_OP_COST_H

#include "op/op_amount.h"
#include "op/operation.h"

/* Formulas for the operations of a kind. */
struct stint_op_rule;

/* Returns the rule for an operation of that name, "aten::mm", "conv2d", "add_"; NULL if there is none. Rules live as
 * long as the program. */
const struct stint_op_rule *stint_op_rule_of(struct stint_piece name);

/* Dimensions of matrices that Tensor Cores multiply, by the letters that they have in formulas. */
enum { STINT_OP_MOST_DIMENSIONS = 4 };

struct stint_op_dimensions {
    size_t count;
    struct {
        char letter;
        uint64_t size;
    } all[STINT_OP_MOST_DIMENSIONS];
};

struct stint_op_ask {
    const struct stint_operation *operation; /* with what stint_op_rule_of was asked for */
    enum stint_op_type type;                 /* of tensors that do not say which they have */
    const int64_t *output;                   /* shape of the first result, if it is known; else NULL */
    size_t output_dims;
    int is_backward; /* the operation is the forward one, and what is wanted is its backward pass */
    struct stint_op_dimensions *dimensions; /* formulas add to it; NULL: not wanted */
};

struct stint_op_cost {
    struct stint_op_amount flops; /* additions, multiplications and so on; a fused multiply-add is 2 */
    /* What is known to be computed in fact, if that is more, because something is computed again rather than kept. */
    struct stint_op_amount executed_flops;
    /* Over the links between devices, as NCCL's tests count them: a ring needs so many. 0: it is no collective. */
    struct stint_op_amount bus_bytes;
    struct stint_op_amount bytes; /* read from and written to memory, if each tensor is read or written once per pass */
};

void stint_op_cost(const struct stint_op_rule *rule, const struct stint_op_ask *ask, struct stint_op_cost *cost);

/* Returns whether rules have the same formula, so that one operation may be what another one does. */
int stint_op_rules_agree(const struct stint_op_rule *a, const struct stint_op_rule *b);

/* Returns whether matrix multiplications are what the operation's time is spent for, so that Tensor Cores may help. */
int stint_op_rule_is_matrix(const struct stint_op_rule *rule);

#endif

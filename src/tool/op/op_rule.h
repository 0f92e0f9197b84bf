/* What formulas are made of: the arguments of an operation by their names, and amounts. */
#ifndef STINT_OP_OP_RULE_H
#define STINT_OP_OP_RULE_H

#include "op/op_cost.h"

typedef void stint_op_formula(const struct stint_op_ask *ask, const struct stint_op_rule *rule,
                              struct stint_op_cost *cost);

struct stint_op_rule {
    const char *names;         /* of operations, with a blank between */
    stint_op_formula *formula; /* sets members of the cost, which begin as 0 */
    const char *arguments;     /* their names in order, with a blank between; NULL: the formula asks for none */
    unsigned flops;            /* for each element; what exactly, the formula says */
    unsigned backward_flops;
    int is_matrix;
};

/* The tables of rules, one per file; each ends with a rule without names. */
extern const struct stint_op_rule stint_op_rules_matrix[];
extern const struct stint_op_rule stint_op_rules_each[];
extern const struct stint_op_rule stint_op_rules_norm[];
extern const struct stint_op_rule stint_op_rules_index[];
extern const struct stint_op_rule stint_op_rules_update[];

/* ------------------------------------------------------------------------------------------------------- arguments */

/* What `stint_op_argument` and others return, with its numbers. */
struct stint_op_tensor {
    const int64_t *shape;
    size_t dims;
    enum stint_op_type type;
};

/* Returns the argument, or NULL if there is none, also if it is None. */
const struct stint_op_value *stint_op_argument(const struct stint_op_ask *ask, const struct stint_op_rule *rule,
                                               const char *name);

/* Takes the argument if it is a tensor with dimensions. Returns whether it is. */
int stint_op_tensor(const struct stint_op_ask *ask, const struct stint_op_rule *rule, const char *name,
                    struct stint_op_tensor *tensor);

/* Takes the next tensor among the arguments from *at on. Returns whether there is one. */
int stint_op_next_tensor(const struct stint_op_ask *ask, size_t *at, struct stint_op_tensor *tensor);

/* Takes the shape of the result if it is known; its type is that of the first tensor. */
int stint_op_result(const struct stint_op_ask *ask, struct stint_op_tensor *tensor);

/* Returns number `index` of the argument, a number or a list, of which the last one stands for further ones; `standard`
 * if there is no such argument. Unknown if it is not known whether there is. */
struct stint_op_amount stint_op_argument_number(const struct stint_op_ask *ask, const struct stint_op_rule *rule,
                                                const char *name, size_t index, uint64_t standard);

/* Returns a number as a dimension; one that no tensor has if it is not whole, or too large. */
int64_t stint_op_dim_number(double number);

/* --------------------------------------------------------------------------------------------------------- tensors */

/* Returns the dimension, counted from the front; from the back if it is below 0. A dimension that is not there is
 * unknown. */
struct stint_op_amount stint_op_dim(const struct stint_op_tensor *tensor, int64_t dim);

/* Returns the number of elements of the dimensions from `first` on; all elements if that is 0. */
struct stint_op_amount stint_op_elements_from(const struct stint_op_tensor *tensor, size_t first);

static inline struct stint_op_amount stint_op_elements(const struct stint_op_tensor *tensor)
{
    return stint_op_elements_from(tensor, 0);
}

/* Returns the bytes of one element, and of all. */
struct stint_op_amount stint_op_item_bytes(enum stint_op_type type);
struct stint_op_amount stint_op_bytes(const struct stint_op_tensor *tensor);

/* Returns the bytes of all tensors among the arguments. */
struct stint_op_amount stint_op_all_bytes(const struct stint_op_ask *ask);

/* Returns the number of elements of tensors after broadcasting. */
struct stint_op_amount stint_op_broadcast(const struct stint_op_tensor *tensors, size_t count);

#endif

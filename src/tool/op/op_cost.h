/* What an operation has to compute and to move at least, by its shapes, types and arguments; and what formulas for that
 * are made of. */
#ifndef STINT_OP_OP_COST_H
#define STINT_OP_OP_COST_H

#include <stddef.h>
#include <stdint.h>

#include "op/operation.h"

/* -------------------------------------------------------------------------------------------------------- op_cost.c */

/* What an operation has to compute and to move at least, by its shapes, types and arguments. */

/* Numbers of operations and bytes: what has no room in 64 bits, or depends on something that is not known, is not a
 * number. */
enum stint_op_state { STINT_OP_IS_KNOWN, STINT_OP_IS_TOO_LARGE, STINT_OP_IS_UNKNOWN };

struct stint_op_amount {
    uint64_t value; /* 0 unless it is known */
    enum stint_op_state state;
};

static inline struct stint_op_amount stint_op_amount(uint64_t value)
{
    return (struct stint_op_amount){value, STINT_OP_IS_KNOWN};
}

static inline struct stint_op_amount stint_op_unknown(void)
{
    return (struct stint_op_amount){0, STINT_OP_IS_UNKNOWN};
}

/* Return the product, and the sum; 0 times something unknown is unknown, too. */
struct stint_op_amount stint_op_product(const struct stint_op_amount *factors, size_t count);
struct stint_op_amount stint_op_sum(const struct stint_op_amount *summands, size_t count);

/* Returns a - b, which must not be more than a. */
struct stint_op_amount stint_op_minus(struct stint_op_amount a, struct stint_op_amount b);

/* Returns a / b, rounded down; unknown if b is 0. */
struct stint_op_amount stint_op_quotient(struct stint_op_amount a, struct stint_op_amount b);

#define STINT_OP_AMOUNTS(...)                                                                                          \
    (const struct stint_op_amount[])                                                                                   \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define STINT_OP_APPLY(apply, ...)                                                                                     \
    apply(STINT_OP_AMOUNTS(__VA_ARGS__), sizeof(STINT_OP_AMOUNTS(__VA_ARGS__)) / sizeof(struct stint_op_amount))

/* The same for amounts that are written out: PRODUCT(a, b, c). */
#define STINT_OP_PRODUCT(...) STINT_OP_APPLY(stint_op_product, __VA_ARGS__)
#define STINT_OP_SUM(...) STINT_OP_APPLY(stint_op_sum, __VA_ARGS__)

/* Formulas for the operations of a kind. */
struct stint_op_rule;

/* Returns the rule for an operation of that name, "aten::mm", "conv2d", "add_"; NULL if there is none. Rules live as
 * long as the program. */
const struct stint_op_rule *stint_op_rule_of(struct stint_piece name);

/* Returns the rule of operations whose texts say what they cost. */
const struct stint_op_rule *stint_op_rule_counted(int is_matrix);

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

/* ----------------------------------------------------------------------------------------------------- for formulas */

/* What formulas are made of: the arguments of an operation by their names, and amounts. */

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

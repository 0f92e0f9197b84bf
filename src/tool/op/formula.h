/* Short words for files that consist of formulas, which are read better with them. Nothing else includes this. */
#ifndef STINT_OP_FORMULA_H
#define STINT_OP_FORMULA_H

#include "op/op_cost.h"

typedef struct stint_op_amount amount;
typedef struct stint_op_tensor tensor;

/* Begins a stint_op_formula. */
#define FORMULA(name)                                                                                                  \
    static void name(const struct stint_op_ask *ask, const struct stint_op_rule *rule, struct stint_op_cost *cost)

#define PRODUCT STINT_OP_PRODUCT
#define SUM STINT_OP_SUM

static inline amount of(uint64_t value)
{
    return stint_op_amount(value);
}

static inline void set_flops(struct stint_op_cost *cost, amount flops)
{
    cost->flops = cost->executed_flops = flops;
}

static inline void set(struct stint_op_cost *cost, amount flops, amount bytes)
{
    set_flops(cost, flops);
    cost->bytes = bytes;
}

static inline void nothing_known(struct stint_op_cost *cost)
{
    set(cost, stint_op_unknown(), stint_op_unknown());
}

/* Take the first tensor, and an argument. Without it, nothing is known. */
static inline int first_tensor(const struct stint_op_ask *ask, tensor *first, struct stint_op_cost *cost)
{
    size_t at = 0;
    if (stint_op_next_tensor(ask, &at, first))
        return 1;
    nothing_known(cost);
    return 0;
}

static inline int has(const struct stint_op_ask *ask, const struct stint_op_rule *rule, const char *name,
                      tensor *argument, struct stint_op_cost *cost)
{
    if (stint_op_tensor(ask, rule, name, argument))
        return 1;
    nothing_known(cost);
    return 0;
}

static inline amount item_bytes(const tensor *of_which)
{
    return stint_op_item_bytes(of_which->type);
}

#endif

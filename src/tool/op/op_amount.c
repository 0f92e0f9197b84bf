#include "op/op_amount.h"

static struct stint_op_amount of_state(enum stint_op_state a, enum stint_op_state b)
{
    return (struct stint_op_amount){0, a > b ? a : b};
}

static struct stint_op_amount times(struct stint_op_amount a, struct stint_op_amount b)
{
    struct stint_op_amount product = of_state(a.state, b.state);
    if (!product.state && __builtin_mul_overflow(a.value, b.value, &product.value))
        return (struct stint_op_amount){0, STINT_OP_IS_TOO_LARGE};
    return product;
}

static struct stint_op_amount plus(struct stint_op_amount a, struct stint_op_amount b)
{
    struct stint_op_amount sum = of_state(a.state, b.state);
    if (!sum.state && __builtin_add_overflow(a.value, b.value, &sum.value))
        return (struct stint_op_amount){0, STINT_OP_IS_TOO_LARGE};
    return sum;
}

struct stint_op_amount stint_op_product(const struct stint_op_amount *factors, size_t count)
{
    struct stint_op_amount product = stint_op_amount(1);
    for (size_t i = 0; i < count; i++)
        product = times(product, factors[i]);
    return product;
}

struct stint_op_amount stint_op_sum(const struct stint_op_amount *summands, size_t count)
{
    struct stint_op_amount sum = stint_op_amount(0);
    for (size_t i = 0; i < count; i++)
        sum = plus(sum, summands[i]);
    return sum;
}

struct stint_op_amount stint_op_minus(struct stint_op_amount a, struct stint_op_amount b)
{
    struct stint_op_amount difference = of_state(a.state, b.state);
    if (difference.state)
        return difference;
    return a.value < b.value ? stint_op_unknown() : stint_op_amount(a.value - b.value);
}

struct stint_op_amount stint_op_quotient(struct stint_op_amount a, struct stint_op_amount b)
{
    struct stint_op_amount quotient = of_state(a.state, b.state);
    if (quotient.state)
        return quotient;
    return b.value ? stint_op_amount(a.value / b.value) : stint_op_unknown();
}

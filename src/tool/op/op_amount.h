/* Numbers of operations and bytes: what has no room in 64 bits, or depends on something that is not known, is not a
 * number. */
#ifndef STINT_OP_OP_AMOUNT_H
#define STINT_OP_OP_AMOUNT_H

#include <stddef.h>
#include <stdint.h>

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

#endif

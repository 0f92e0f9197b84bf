/* What operations cost: numbers that may be unknown, and the rules that give them. */
#include "op/op_cost.h"

#include <string.h>

#include "op/op_rule.h"

/* ---------------------------------------------------------------------------------------------------------- amounts */

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

/* ------------------------------------------------------------------------------------------------------------ rules */

static const struct stint_op_rule *const s_tables[] = {stint_op_rules_matrix, stint_op_rules_each, stint_op_rules_norm,
                                                       stint_op_rules_index, stint_op_rules_update};

enum { TABLES = sizeof s_tables / sizeof s_tables[0] };

static int has_name(const char *names, struct stint_piece name)
{
    while (*names) {
        size_t length = strcspn(names, " ");
        if (length == name.length && memcmp(names, name.text, length) == 0)
            return 1;
        names += length + (names[length] == ' ');
    }
    return 0;
}

static const struct stint_op_rule *find_rule(struct stint_piece name)
{
    for (size_t table = 0; table < TABLES; table++)
        for (const struct stint_op_rule *rule = s_tables[table]; rule->names; rule++)
            if (has_name(rule->names, name))
                return rule;
    return NULL;
}

static struct stint_piece without(struct stint_piece name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (name.length > length && memcmp(name.text, prefix, length) == 0)
        return (struct stint_piece){name.text + length, name.length - length};
    return name;
}

/* Inductor names a kernel after all that it has fused: "triton_poi_fused_add_gelu_4". Templates, "triton_tem_",
 * multiply matrices, and are not known. */
static struct stint_piece without_fused(struct stint_piece name)
{
    static const char *const kinds[] = {"triton_poi", "triton_red", "triton_per"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (name.length > strlen(kinds[i]) && memcmp(name.text, kinds[i], strlen(kinds[i])) == 0)
            name.length = strlen(kinds[i]);
    return name;
}

/* Names may have a library before and an overload behind them: "aten::add.Tensor". What works in place has the formula
 * of what does not: "add_". */
const struct stint_op_rule *stint_op_rule_of(struct stint_piece name)
{
    const char *dot = name.length ? memchr(name.text, '.', name.length) : NULL;
    if (dot)
        name.length = (size_t)(dot - name.text);
    name = without_fused(name);
    const struct stint_op_rule *rule = find_rule(name);
    struct stint_piece bare = without(without(name, "aten::"), "c10d::");
    if (!rule)
        rule = find_rule(bare);
    if (!rule && bare.length > 1 && bare.text[bare.length - 1] == '_') {
        bare.length--;
        rule = find_rule(bare);
    }
    return rule;
}

/* Without sizes in its text, nothing is known of an operation. */
void stint_op_cost(const struct stint_op_rule *rule, const struct stint_op_ask *ask, struct stint_op_cost *cost)
{
    *cost = (struct stint_op_cost){0};
    if (ask->operation->is_cut ||
        (ask->operation->kind == STINT_OP_CALL && !ask->operation->values.count && !ask->operation->collective.length))
        cost->flops = cost->executed_flops = cost->bytes = stint_op_unknown();
    else
        rule->formula(ask, rule, cost);
}

int stint_op_rules_agree(const struct stint_op_rule *a, const struct stint_op_rule *b)
{
    return a->formula == b->formula;
}

int stint_op_rule_is_matrix(const struct stint_op_rule *rule)
{
    return rule->is_matrix;
}

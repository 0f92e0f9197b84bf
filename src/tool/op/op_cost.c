/* What operations cost: numbers that may be unknown, the rules that give them, and the arguments that these find by
 * their names. */
#include "op/op_cost.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------- arguments */

static int is(struct stint_piece piece, const char *text, size_t length)
{
    return piece.length == length && memcmp(piece.text, text, length) == 0;
}

/* Returns the position of a name in the rule's list; SIZE_MAX if it is not there. */
static size_t position_of(const char *list, const char *name)
{
    size_t length = strlen(name), at = 0;
    while (list && *list) {
        size_t word = strcspn(list, " ");
        if (word == length && memcmp(list, name, length) == 0)
            return at;
        list += word + (list[word] == ' ');
        at++;
    }
    return SIZE_MAX;
}

/* Returns the value, whatever it is; NULL if none has this name or position. */
static const struct stint_op_value *value_of(const struct stint_op_ask *ask, const struct stint_op_rule *rule,
                                             const char *name)
{
    const struct stint_op_value *values = stint_op_values(ask->operation);
    size_t count = ask->operation->values.count, position = position_of(rule->arguments, name), length = strlen(name);
    for (size_t i = 0; i < count; i++)
        if (is(values[i].name, name, length))
            return &values[i];
    return position < count && !values[position].name.length ? &values[position] : NULL;
}

const struct stint_op_value *stint_op_argument(const struct stint_op_ask *ask, const struct stint_op_rule *rule,
                                               const char *name)
{
    const struct stint_op_value *value = value_of(ask, rule, name);
    return value && value->kind != STINT_OP_NONE ? value : NULL;
}

static struct stint_op_tensor tensor_of(const struct stint_op_ask *ask, const struct stint_op_value *value)
{
    return (struct stint_op_tensor){stint_op_numbers(ask->operation, value), value->count,
                                    value->type ? value->type : ask->type};
}

int stint_op_tensor(const struct stint_op_ask *ask, const struct stint_op_rule *rule, const char *name,
                    struct stint_op_tensor *tensor)
{
    const struct stint_op_value *value = value_of(ask, rule, name);
    if (!value || value->kind != STINT_OP_TENSOR)
        return 0;
    *tensor = tensor_of(ask, value);
    return 1;
}

int stint_op_next_tensor(const struct stint_op_ask *ask, size_t *at, struct stint_op_tensor *tensor)
{
    const struct stint_op_value *values = stint_op_values(ask->operation);
    while (*at < ask->operation->values.count) {
        const struct stint_op_value *value = &values[(*at)++];
        if (value->kind == STINT_OP_TENSOR) {
            *tensor = tensor_of(ask, value);
            return 1;
        }
    }
    return 0;
}

int stint_op_result(const struct stint_op_ask *ask, struct stint_op_tensor *tensor)
{
    size_t at = 0;
    struct stint_op_tensor first = {.type = ask->type};
    if (!ask->output)
        return 0;
    (void)stint_op_next_tensor(ask, &at, &first);
    *tensor = (struct stint_op_tensor){ask->output, ask->output_dims, first.type};
    return 1;
}

static struct stint_op_amount of_number(double number)
{
    return number >= 0 && number < 9e15 ? stint_op_amount((uint64_t)number) : stint_op_unknown();
}

struct stint_op_amount stint_op_argument_number(const struct stint_op_ask *ask, const struct stint_op_rule *rule,
                                                const char *name, size_t index, uint64_t standard)
{
    const struct stint_op_value *value = value_of(ask, rule, name);
    if (!value || value->kind == STINT_OP_NONE)
        return ask->operation->is_cut ? stint_op_unknown() : stint_op_amount(standard);
    if (value->kind == STINT_OP_NUMBER || value->kind == STINT_OP_SWITCH)
        return of_number(value->number);
    if (value->kind != STINT_OP_NUMBERS || !value->count)
        return stint_op_unknown();
    int64_t number = stint_op_numbers(ask->operation, value)[index < value->count ? index : value->count - 1];
    return number >= 0 ? stint_op_amount((uint64_t)number) : stint_op_unknown();
}

int64_t stint_op_dim_number(double number)
{
    return number > -1e9 && number < 1e9 && number == (double)(int64_t)number ? (int64_t)number : INT64_MAX;
}

/* --------------------------------------------------------------------------------------------------------- tensors */

struct stint_op_amount stint_op_dim(const struct stint_op_tensor *tensor, int64_t dim)
{
    int64_t dims = (int64_t)tensor->dims, at = dim < 0 && dim >= -dims ? dim + dims : dim;
    return at >= 0 && at < dims && tensor->shape[at] >= 0 ? stint_op_amount((uint64_t)tensor->shape[at])
                                                          : stint_op_unknown();
}

struct stint_op_amount stint_op_elements_from(const struct stint_op_tensor *tensor, size_t first)
{
    struct stint_op_amount elements = stint_op_amount(1);
    for (size_t i = first; i < tensor->dims; i++)
        elements = STINT_OP_PRODUCT(elements, stint_op_dim(tensor, (int64_t)i));
    return elements;
}

struct stint_op_amount stint_op_item_bytes(enum stint_op_type type)
{
    return type ? stint_op_amount(stint_op_type_bytes(type)) : stint_op_unknown();
}

struct stint_op_amount stint_op_bytes(const struct stint_op_tensor *tensor)
{
    return STINT_OP_PRODUCT(stint_op_elements(tensor), stint_op_item_bytes(tensor->type));
}

struct stint_op_amount stint_op_all_bytes(const struct stint_op_ask *ask)
{
    struct stint_op_amount bytes = stint_op_amount(0);
    struct stint_op_tensor tensor;
    for (size_t at = 0; stint_op_next_tensor(ask, &at, &tensor);)
        bytes = STINT_OP_SUM(bytes, stint_op_bytes(&tensor));
    return bytes;
}

/* The largest dimension of the tensors, `back` from the last one. */
static struct stint_op_amount widest(const struct stint_op_tensor *tensors, size_t count, size_t back)
{
    struct stint_op_amount most = stint_op_amount(1);
    for (size_t i = 0; i < count; i++) {
        if (back > tensors[i].dims)
            continue;
        struct stint_op_amount dim = stint_op_dim(&tensors[i], -(int64_t)back);
        if (dim.state)
            return dim;
        if (dim.value != 1)
            most = dim;
    }
    return most;
}

struct stint_op_amount stint_op_broadcast(const struct stint_op_tensor *tensors, size_t count)
{
    struct stint_op_amount elements = stint_op_amount(1);
    size_t dims = 0;
    for (size_t i = 0; i < count; i++)
        if (tensors[i].dims > dims)
            dims = tensors[i].dims;
    for (size_t back = 1; back <= dims; back++)
        elements = STINT_OP_PRODUCT(elements, widest(tensors, count, back));
    return elements;
}

/* ------------------------------------------------------------------------------------------------------------- cost */

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
    if (ask->operation->is_cut || (ask->operation->kind == STINT_OP_CALL && !ask->operation->values.count &&
                                   !ask->operation->collective.length && !ask->operation->is_counted))
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

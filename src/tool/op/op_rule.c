/* Finds the arguments of an operation by their names, for the formulas of its cost. */
#include "op/op_rule.h"

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

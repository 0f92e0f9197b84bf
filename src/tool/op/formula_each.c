/* Operations that do the same for each element: activations, arithmetic, copies, reductions. What a processor has an
 * instruction for counts 1, and functions like exp count 20, as in PyProf. */
#include "op/formula.h"

enum { MOST_TENSORS = 16, FUNCTION = 20 };

/* ----------------------------------------------------------------------------------------------- element by element */

/* What an operation on broadcast tensors reads and makes. */
struct elements {
    amount count; /* of results */
    amount read_bytes;
    enum stint_op_type type; /* of the first one */
};

/* PyTorch's own text has no dimensions for a tensor that has none: then it is a single element. */
static int read_elements(const struct stint_op_ask *ask, struct elements *elements)
{
    tensor tensors[MOST_TENSORS];
    size_t count = 0, at = 0;
    while (count < MOST_TENSORS && stint_op_next_tensor(ask, &at, &tensors[count]))
        count++;
    if (count == MOST_TENSORS || (!count && ask->operation->kind != STINT_OP_CALL) || !ask->operation->values.count)
        return 0;
    elements->count = stint_op_broadcast(tensors, count);
    elements->type = count ? tensors[0].type : ask->type;
    elements->read_bytes = stint_op_all_bytes(ask);
    return 1;
}

/* Reads each tensor, and writes results, of the first one's type or of type bool. */
static void each(const struct stint_op_ask *ask, const struct stint_op_rule *rule, int is_bool,
                 struct stint_op_cost *cost)
{
    struct elements elements;
    if (!read_elements(ask, &elements)) {
        nothing_known(cost);
        return;
    }
    amount bytes = stint_op_item_bytes(is_bool ? STINT_OP_BOOL : elements.type);
    set(cost, PRODUCT(of(rule->flops), elements.count), SUM(elements.read_bytes, PRODUCT(elements.count, bytes)));
}

/* The backward pass does as much. */
FORMULA(function)
{
    each(ask, rule, 0, cost);
}

/* Backward, reads the gradient, too. */
FORMULA(activation)
{
    struct elements elements;
    each(ask, rule, 0, cost);
    if (ask->is_backward && read_elements(ask, &elements))
        cost->bytes = PRODUCT(of(3), elements.count, stint_op_item_bytes(elements.type));
}

/* Backward, the gradient is written once for the other one of two; of a product, it is multiplied by it. */
FORMULA(arithmetic)
{
    struct elements elements;
    each(ask, rule, 0, cost);
    if (ask->is_backward && read_elements(ask, &elements))
        set(cost, PRODUCT(of(rule->backward_flops), elements.count),
            PRODUCT(of(2 + rule->backward_flops), elements.count, stint_op_item_bytes(elements.type)));
}

/* Results are of type bool, and have no gradient. */
FORMULA(comparison)
{
    if (!ask->is_backward)
        each(ask, rule, 1, cost);
}

/* ------------------------------------------------------------------------------------------------------------- move */

/* Views, and memory that is not yet used. */
FORMULA(nothing)
{
    (void)ask;
    (void)rule;
    (void)cost;
}

/* The rule's `flops` is how often each tensor moves. */
FORMULA(move)
{
    tensor any;
    size_t at = 0;
    cost->bytes =
        stint_op_next_tensor(ask, &at, &any) ? PRODUCT(of(rule->flops), stint_op_all_bytes(ask)) : stint_op_unknown();
}

/* Writes another type, which the rule's `flops` says. */
FORMULA(convert)
{
    tensor input;
    size_t at = 0;
    cost->bytes = stint_op_unknown();
    if (stint_op_next_tensor(ask, &at, &input))
        cost->bytes = SUM(stint_op_bytes(&input),
                          PRODUCT(stint_op_elements(&input), stint_op_item_bytes((enum stint_op_type)rule->flops)));
}

/* Writes as many elements as the arguments say: a tensor like it, a list, or single numbers. Without a type they are of
 * PyTorch's usual one, fp32. */
FORMULA(fill)
{
    const struct stint_op_value *values = stint_op_values(ask->operation);
    tensor made;
    size_t at = 0;
    amount elements = of(1);
    if (stint_op_next_tensor(ask, &at, &made) || stint_op_result(ask, &made)) {
        cost->bytes = stint_op_bytes(&made);
        return;
    }
    if (!ask->operation->values.count || values[0].kind == STINT_OP_UNKNOWN || values[0].kind == STINT_OP_TEXT) {
        cost->bytes = stint_op_unknown();
        return;
    }
    for (size_t i = 0; i < ask->operation->values.count && values[i].kind == STINT_OP_NUMBER && !rule->flops; i++)
        elements = values[i].number >= 0 && values[i].number < 9e15 ? PRODUCT(elements, of((uint64_t)values[i].number))
                                                                    : stint_op_unknown();
    if (values[0].kind == STINT_OP_NUMBERS)
        elements =
            stint_op_elements(&(tensor){stint_op_numbers(ask->operation, &values[0]), values[0].count, STINT_OP_FP32});
    cost->bytes = PRODUCT(elements, stint_op_item_bytes(ask->type ? ask->type : STINT_OP_FP32));
}

/* ----------------------------------------------------------------------------------------------------------- reduce */

/* How many results a reduction has: of all dimensions one. */
static amount results_of(const struct stint_op_ask *ask, const struct stint_op_rule *rule, const tensor *input)
{
    const struct stint_op_value *dim = stint_op_argument(ask, rule, "dim");
    tensor result;
    amount reduced = of(1);
    if (stint_op_result(ask, &result))
        return stint_op_elements(&result);
    if (!dim)
        return of(1);
    if (dim->kind == STINT_OP_NUMBER)
        reduced = stint_op_dim(input, stint_op_dim_number(dim->number));
    else if (dim->kind != STINT_OP_NUMBERS)
        return stint_op_unknown();
    for (size_t i = 0; i < dim->count; i++)
        reduced = PRODUCT(reduced, stint_op_dim(input, stint_op_numbers(ask->operation, dim)[i]));
    return dim->kind == STINT_OP_NUMBERS && !dim->count ? of(1) : stint_op_quotient(stint_op_elements(input), reduced);
}

/* Reads all and writes the results: the rule's flops for each element, and its second number for each result. */
FORMULA(reduction)
{
    tensor input;
    if (!first_tensor(ask, &input, cost))
        return;
    amount results = results_of(ask, rule, &input);
    set(cost,
        SUM(PRODUCT(of(rule->flops), stint_op_elements(&input)),
            rule->backward_flops ? PRODUCT(of(rule->backward_flops), results) : of(0)),
        SUM(stint_op_bytes(&input), PRODUCT(results, item_bytes(&input))));
}

/* ---------------------------------------------------------------------------------------------------------- counted */

/* What the text says itself. */
FORMULA(counted)
{
    uint64_t flops = ask->operation->flops, bytes = ask->operation->bytes;
    (void)rule;
    set(cost, flops == UINT64_MAX ? stint_op_unknown() : of(flops),
        bytes == UINT64_MAX ? stint_op_unknown() : of(bytes));
}

const struct stint_op_rule *stint_op_rule_counted(int is_matrix)
{
    static const struct stint_op_rule rules[] = {{"", counted, NULL, 0, 0, 0}, {"", counted, NULL, 0, 0, 1}};
    return &rules[is_matrix != 0];
}

/* ------------------------------------------------------------------------------------------------------------ rules */

const struct stint_op_rule stint_op_rules_each[] = {
    {"celu elu hardshrink hardsigmoid hardswish hardtanh leaky_relu logsigmoid log_sigmoid log_sigmoid_forward prelu "
     "_prelu_kernel relu relu6 rrelu rrelu_with_noise selu softplus softshrink softsign tanhshrink threshold",
     activation, NULL, 1, 0, 0},
    {"gelu silu mish swish", activation, NULL, FUNCTION, 0, 0},
    {"threshold_backward hardtanh_backward leaky_relu_backward elu_backward softplus_backward softshrink_backward "
     "hardshrink_backward hardswish_backward hardsigmoid_backward log_sigmoid_backward rrelu_with_noise_backward",
     function, NULL, 1, 0, 0},
    {"sigmoid_backward tanh_backward", function, NULL, 3, 0, 0}, /* g y (1 - y), g (1 - y y) */
    {"gelu_backward silu_backward mish_backward", function, NULL, FUNCTION, 0, 0},
    {"abs neg reciprocal ceil clamp clamp_min clamp_max clip floor frac round sign sgn trunc square positive invert "
     "bitwise_not __abs__ __neg__ __pos__ __invert__",
     function, NULL, 1, 0, 0},
    {"exp exp2 expm1 log log10 log1p log2 sqrt rsqrt sin cos tan asin acos atan atan2 sinh cosh asinh acosh atanh "
     "sigmoid tanh erf erfc erfinv lgamma digamma hypot logaddexp xlogy sinc logit pow float_power __pow__ __ipow__ "
     "__rpow__",
     function, NULL, FUNCTION, 0, 0},
    {"add sub subtract rsub __add__ __sub__ __radd__ __rsub__ __iadd__ __isub__", arithmetic, NULL, 1, 0, 0},
    {"mul multiply div divide true_divide __mul__ __rmul__ __imul__ __truediv__ __rtruediv__ __itruediv__ __div__ "
     "__rdiv__ __idiv__",
     arithmetic, NULL, 1, 1, 0},
    {"remainder fmod floor_divide maximum minimum fmax fmin bitwise_and bitwise_or bitwise_xor bitwise_left_shift "
     "bitwise_right_shift __floordiv__ __ifloordiv__ __rfloordiv__ __mod__ __imod__ __rmod__ __and__ __or__ __xor__ "
     "__iand__ __ior__ __ixor__ __lshift__ __rshift__",
     function, NULL, 1, 0, 0},
    {"eq ne lt le gt ge isnan isinf isfinite logical_and logical_or logical_xor logical_not __eq__ __ne__ __lt__ "
     "__le__ __gt__ __ge__",
     comparison, NULL, 1, 0, 0},
    {"addcdiv addcmul lerp", function, NULL, 3, 0, 0},
    {"where masked_fill", function, NULL, 0, 0, 0},
    {"view reshape _unsafe_view _reshape_alias reshape_as view_as t T transpose permute movedim swapaxes expand "
     "expand_as "
     "squeeze unsqueeze flatten unflatten ravel detach alias slice select as_strided narrow split split_with_sizes "
     "chunk tensor_split unbind unfold diagonal empty empty_like empty_strided new_empty new_empty_strided resize set "
     "size stride numel dim lift_fresh requires_grad is_nonzero",
     nothing, NULL, 0, 0, 0},
    {"copy", move, NULL, 1, 0, 0},
    {"clone contiguous to _to_copy type type_as cuda cpu cat concat concatenate stack hstack vstack flip roll tril "
     "triu "
     "rot90 pixel_shuffle pixel_unshuffle channel_shuffle",
     move, NULL, 2, 0, 0},
    {"byte", convert, NULL, STINT_OP_UINT8, 0, 0},
    {"char", convert, NULL, STINT_OP_INT8, 0, 0},
    {"short", convert, NULL, STINT_OP_INT16, 0, 0},
    {"int", convert, NULL, STINT_OP_INT32, 0, 0},
    {"long", convert, NULL, STINT_OP_INT64, 0, 0},
    {"half", convert, NULL, STINT_OP_FP16, 0, 0},
    {"bfloat16", convert, NULL, STINT_OP_BF16, 0, 0},
    {"float", convert, NULL, STINT_OP_FP32, 0, 0},
    {"double", convert, NULL, STINT_OP_FP64, 0, 0},
    {"bool", convert, NULL, STINT_OP_BOOL, 0, 0},
    {"zero fill zeros ones zeros_like ones_like full_like new_zeros new_ones new_full rand randn rand_like randn_like "
     "normal uniform bernoulli random exponential",
     fill, NULL, 0, 0, 0},
    {"full", fill, NULL, 1, 0, 0}, /* numbers behind the size are no dimensions */
    {"sum nansum prod max min amax amin aminmax argmax argmin", reduction, "self dim", 1, 0, 0},
    {"mean nanmean", reduction, "self dim", 1, 1, 0},
    {"norm linalg_vector_norm", reduction, "self p dim", 2, 1, 0},
    {"var std var_mean std_mean", reduction, "self dim", 4, 2, 0}, /* a sum; a difference, its square, a sum */
    {"logsumexp", reduction, "self dim", FUNCTION + 2, FUNCTION, 0},
    {"any all count_nonzero", reduction, "self dim", 0, 0, 0},
    {NULL, NULL, NULL, 0, 0, 0},
};

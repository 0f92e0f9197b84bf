/* PyProf's own rules (NVIDIA/PyProf 3.11, the folder pyprof/prof), also where they are wrong: what it prints is what
 * people have in their notes. E is the number of elements of a tensor, B its bytes. */
#include "op/formula_pyprof.h"

/* ----------------------------------------------------------------------------------------------- element by element */

enum { MOST_OPERANDS = 4 };

static int read_operands(pyprof_ask *ask, tensor *read, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < ask->operation->values.count; i++) {
        if (argument(ask, i)->name.length)
            continue;
        if (*count == MOST_OPERANDS || read_operand(ask, argument(ask, i), &read[(*count)++]))
            return -1;
    }
    return 0;
}

static void put_operands(output *text, const tensor *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        stint_text_string(text, i ? ";" : "");
        put_tensor(text, &all[i]);
    }
}

static amount sum_bytes(const tensor *all, size_t count)
{
    amount bytes = of(0);
    for (size_t i = 0; i < count; i++)
        bytes = SUM(bytes, stint_op_bytes(&all[i]));
    return bytes;
}

/* Reads and writes its first tensor; what is estimated has nothing else. */
static int unary(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor all[MOST_OPERANDS];
    size_t count;
    if (read_operands(ask, all, &count) || !count || (rule->flops > 1 && count != 1))
        return -1;
    put_operands(text, all, count);
    cost(found, PRODUCT(of(rule->flops), stint_op_elements(&all[0])), PRODUCT(of(2), stint_op_bytes(&all[0])));
    return 0;
}

/* Backward passes of sums pass the gradient on; those of products multiply. */
static int backward_of_two(pyprof_ask *ask, pyprof *found, amount elements, amount bytes)
{
    if (is_one_of(ask->operation->name, "add __add__ sub __sub__ __isub__"))
        cost(found, of(0), PRODUCT(of(2), bytes));
    else if (is_one_of(ask->operation->name, "__mul__ __imul__ __rmul__ div __truediv__"))
        cost(found, elements, PRODUCT(of(3), bytes));
    else
        return -1;
    return 0;
}

/* The result has the first one's type; the rule's `back` is 1 for comparisons, whose results have one byte. */
static int binary(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor all[MOST_OPERANDS];
    size_t count;
    if (read_operands(ask, all, &count) || count != 2)
        return -1;
    amount elements = stint_op_broadcast(all, count);
    amount bytes = PRODUCT(elements, rule->back ? of(1) : item_bytes(&all[0]));
    put_operands(text, all, count);
    if (ask->is_backward && rule->flops == 1)
        return backward_of_two(ask, found, elements, PRODUCT(elements, item_bytes(&all[0])));
    cost(found, PRODUCT(of(rule->flops), elements), SUM(sum_bytes(all, count), bytes));
    return 0;
}

static int ternary(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor all[MOST_OPERANDS], tensors[MOST_OPERANDS];
    size_t count, kept = 0;
    (void)rule;
    if (read_operands(ask, all, &count))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (all[i].dims)
            tensors[kept++] = all[i];
    if (kept != 3)
        return -1;
    amount elements = stint_op_broadcast(tensors, kept);
    put_operands(text, all, count);
    cost(found, PRODUCT(of(3), elements), SUM(sum_bytes(tensors, kept), PRODUCT(elements, item_bytes(&tensors[0]))));
    return 0;
}

/* "digamma", "lerp" and such. */
static int refused(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    (void)ask;
    (void)found;
    (void)text;
    (void)rule;
    return -1;
}

/* The function is called as the type. */
static int convert(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor input;
    value *first = argument(ask, 0);
    (void)rule;
    if (ask->operation->values.count != 1 || read_operand(ask, first, &input))
        return -1;
    amount bytes = is_one_of(ask->operation->name, "to")
                       ? item_bytes(&input)
                       : of(stint_op_type_bytes(stint_op_type_of(ask->operation->name)));
    put_tensor(text, &input);
    cost(found, of(0), SUM(stint_op_bytes(&input), PRODUCT(stint_op_elements(&input), bytes)));
    return 0;
}

/* ----------------------------------------------------------------------------------------------------- one tensor */

/* A multiple of E and of B, which is another one in the backward pass; the tensor as "[2,3]fp32". */
static int multiple(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor input;
    if (tensor_at(ask, 0, &input))
        return -1;
    put_tensor(text, &input);
    cost(found, PRODUCT(of(rule->flops), stint_op_elements(&input)),
         PRODUCT(of(ask->is_backward ? rule->back : rule->forward), stint_op_bytes(&input)));
    return 0;
}

/* Further kernels have no bytes. */
static int batch_norm(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    int failed = multiple(ask, found, text, rule);
    if (ask->sub)
        found->bytes = of(0);
    return failed;
}

/* The tensor as "T=(2,3),fp32,". */
static int shaped(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor input;
    if (tensor_at(ask, 0, &input))
        return -1;
    put_shape_and_type(text, &input);
    cost(found, PRODUCT(of(rule->flops), stint_op_elements(&input)),
         PRODUCT(of(rule->forward), stint_op_bytes(&input)));
    return 0;
}

static int sum(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    int failed = shaped(ask, found, text, rule);
    if (ask->sub)
        found->bytes = of(0);
    return failed;
}

static int norm(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    int failed = shaped(ask, found, text, rule);
    found->flops = SUM(found->flops, of(1));
    if (ask->sub)
        cost(found, of(0), of(0));
    return failed;
}

static int mean(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor input;
    (void)rule;
    if (!argument(ask, 0) || read_operand(ask, argument(ask, 0), &input))
        return -1;
    put_tensor(text, &input);
    if (!ask->sub)
        cost(found, SUM(stint_op_elements(&input), of(1)), SUM(stint_op_bytes(&input), item_bytes(&input)));
    return 0;
}

static int nonzero(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor input;
    (void)rule;
    if (tensor_at(ask, 0, &input))
        return -1;
    put_shape_and_type(text, &input);
    if (!ask->sub)
        cost(found, of(0), SUM(stint_op_bytes(&input), PRODUCT(of(8 * input.dims), stint_op_elements(&input))));
    return 0;
}

/* A shape of numbers; what has no type is fp32. */
static int filled(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    int64_t dims[16];
    tensor made = {dims, 0, STINT_OP_FP32};
    value *first = argument(ask, 0), *second = argument(ask, 1);
    if (first && first->kind == STINT_OP_NUMBERS)
        made = (tensor){stint_op_numbers(ask->operation, first), first->count, STINT_OP_FP32};
    else
        for (size_t i = 0; i < ask->operation->values.count && made.dims < 16; i++)
            if (argument(ask, i)->kind == STINT_OP_NUMBER && !argument(ask, i)->name.length)
                dims[made.dims++] = (int64_t)argument(ask, i)->number;
    if (!first || (rule->back && (!second || second->kind != STINT_OP_NUMBER)))
        return -1;
    if (rule->back && !is_float_text(second->text))
        made.type = STINT_OP_INT32;
    put_tensor(text, &made);
    cost(found, of(0), stint_op_bytes(&made));
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ other */

static int embedding(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor input, weight;
    (void)rule;
    if (tensor_at(ask, 0, &input) || tensor_at(ask, 1, &weight) || weight.dims != 2)
        return -1;
    put_tensor(text, &input);
    stint_text_string(text, ";");
    put_tensor(text, &weight);
    amount rows = PRODUCT(stint_op_elements(&input), stint_op_dim(&weight, 1), item_bytes(&weight));
    if (!ask->is_backward)
        cost(found, of(0), SUM(stint_op_bytes(&input), PRODUCT(of(2), rows)));
    else if (!ask->sub)
        cost(found, of(0), PRODUCT(of(3), rows));
    return 0;
}

static int cat(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    amount bytes = of(0);
    size_t count = 0;
    (void)rule;
    for (size_t i = 0; i < ask->operation->values.count; i++) {
        tensor each;
        if (argument(ask, i)->kind != STINT_OP_TENSOR)
            continue;
        if (tensor_at(ask, i, &each))
            return -1;
        stint_text_string(text, count++ ? ";" : "");
        put_tensor(text, &each);
        bytes = SUM(bytes, stint_op_bytes(&each));
    }
    cost(found, of(0), ask->sub ? of(0) : PRODUCT(of(2), bytes));
    return count ? 0 : -1;
}

/* masked_scatter_ and masked_select; the latter's mask has a shape of its own. */
static int masked(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor input, mask;
    if (tensor_at(ask, 0, &input) || tensor_at(ask, 1, &mask) || mask.type != STINT_OP_UINT8)
        return -1;
    put_key_shape(text, "T=", &input);
    if (rule->back)
        put_key_shape(text, "M=", &mask);
    put_type(text, input.type);
    if (!ask->sub || rule->back)
        cost(found, of(0), SUM(PRODUCT(of(2), stint_op_bytes(&input)), stint_op_elements(&mask)));
    return 0;
}

static int index_select(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor input, index;
    value *dim = argument(ask, 1);
    (void)rule;
    if (tensor_at(ask, 0, &input) || tensor_at(ask, 2, &index) || index.dims != 1 || !dim ||
        dim->kind != STINT_OP_NUMBER)
        return -1;
    amount along = stint_op_dim(&input, stint_op_dim_number(dim->number)), count = stint_op_dim(&index, 0);
    put_key_shape(text, "T=", &input);
    stint_text_string(text, "D=");
    stint_text_put(text, dim->text.text, dim->text.length);
    stint_text_string(text, ",");
    put_u64(text, "I=", count);
    put_type(text, input.type);
    amount made = PRODUCT(stint_op_quotient(stint_op_elements(&input), along), count);
    cost(found, of(0), SUM(PRODUCT(of(2), made, item_bytes(&input)), PRODUCT(of(8), count)));
    return 0;
}

static int mse_loss(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor input;
    value *reduction = argument_named(ask, "reduction");
    (void)rule;
    if (!reduction)
        reduction = argument(ask, 2);
    if (tensor_at(ask, 0, &input) || !reduction || reduction->kind != STINT_OP_TEXT)
        return -1;
    int is_all = is_one_of(reduction->text, "none");
    amount elements = PRODUCT(of((uint64_t)(2 + is_all + ask->is_backward)), stint_op_elements(&input));
    put_shape_and_type(text, &input);
    stint_text_string(text, "red=");
    stint_text_put(text, reduction->text.text, reduction->text.length);
    stint_text_string(text, ",");
    cost(found, SUM(PRODUCT(of(2), elements), of(1)), PRODUCT(elements, item_bytes(&input)));
    return 0;
}

static int adam(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor weight, gradient;
    size_t count = ask->operation->values.count;
    (void)rule;
    if ((count != 12 && count != 14) || tensor_at(ask, 0, &weight) || tensor_at(ask, 4, &gradient) ||
        weight.type != STINT_OP_FP32)
        return -1;
    put_key_shape(text, "T=", &weight);
    put_type(text, weight.type);
    put_type(text, gradient.type);
    amount copies = of(gradient.type == weight.type ? 1 : 2);
    if (!ask->sub)
        cost(found, of(0), SUM(PRODUCT(of(6), stint_op_bytes(&weight)), PRODUCT(copies, stint_op_bytes(&gradient))));
    return 0;
}

static int copy(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor to, from;
    (void)rule;
    if (tensor_at(ask, 0, &to) || tensor_at(ask, 1, &from))
        return -1;
    put_key_shape(text, "T=", &from);
    put_type(text, from.type);
    put_type(text, to.type);
    cost(found, of(0), PRODUCT(stint_op_elements(&from), SUM(item_bytes(&from), item_bytes(&to))));
    return 0;
}

static int permutation(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    value *n = argument(ask, 0);
    (void)rule;
    if (!n || n->kind != STINT_OP_NUMBER || n->number < 0)
        return -1;
    amount count = of((uint64_t)n->number);
    put_u64(text, "N=", count);
    cost(found, PRODUCT(of(3), count), PRODUCT(of(8), count));
    return 0;
}

/* Functions that it does not know: shapes, and types as Python writes a list of words. */
static int put_unknown(pyprof_ask *ask, output *text)
{
    static const char *const python[] = {
        [STINT_OP_FP64] = "float64",  [STINT_OP_FP32] = "float32", [STINT_OP_FP16] = "float16",
        [STINT_OP_BF16] = "bfloat16", [STINT_OP_BOOL] = "bool",    [STINT_OP_INT64] = "int64",
        [STINT_OP_INT32] = "int32",   [STINT_OP_INT16] = "int16",  [STINT_OP_INT8] = "int8",
        [STINT_OP_UINT8] = "uint8",   [STINT_OP_COMPLEX128] = NULL};
    for (int types = 0; types < 2; types++) {
        size_t count = 0;
        stint_text_string(text, types ? "],[" : "T=[");
        for (size_t i = 0; i < ask->operation->values.count; i++) {
            value *each = argument(ask, i);
            if (each->kind != STINT_OP_TENSOR)
                continue;
            stint_text_string(text, count++ ? "," : "");
            if (types)
                stint_text_string(text, "'");
            if (types)
                stint_text_string(text, python[each->type] ? python[each->type] : stint_op_type_name(each->type));
            if (types)
                stint_text_string(text, "'");
            else
                put_shape(text, &(tensor){stint_op_numbers(ask->operation, each), each->count, each->type}, "()");
        }
    }
    stint_text_string(text, "]");
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ rules */

/* The first one that has the name counts. */
static const struct stint_op_pyprof_rule s_rules[] = {
    {"abs abs_ neg neg_ reciprocal reciprocal_ __abs__ __neg__ __invert__ ceil ceil_ clamp clamp_ floor floor_ frac "
     "frac_ round round_ sign sign_ trunc trunc_",
     unary, 1, 0, 0},
    {"exp exp_ exp1m exp1m_ log log_ log10 log10_ log1p log1p_ log2 log2_ rsqrt rsqrt_ sqrt sqrt_ acos acos_ asin "
     "asin_ atan atan_ atan2 atan2_ cos cos_ cosh cosh_ sin sin_ sinh sinh_ tan tan_ sigmoid sigmoid_ tanh tanh_ erf "
     "erf_ erfc erfc_ erfinv erfinv_",
     unary, 20, 0, 0},
    {"add add_ div div_ mul mul_ remainder remainder_ sub sub_ __add__ __sub__ __mul__ __floordiv__ __truediv__ "
     "__mod__ __radd__ __rsub__ __rmul__ __rdiv__ __rtruediv__ __rfloordiv__ fmod fmod_ __iadd__ __isub__ __imul__ "
     "__itruediv__ __and__ __or__ __xor__ __lshift__ __rshift__ __iand__ __ior__ __ixor__ __ilshift__ __irshift__",
     binary, 1, 0, 0},
    {"lt lt_ gt gt_ ge ge_ le le_ eq eq_ ne ne_ __lt__ __gt__ __ge__ __le__ __eq__ __ne__", binary, 1, 0, 1},
    {"pow pow_ __pow__ __rpow__", binary, 20, 0, 0},
    {"addcdiv addcdiv_ addcmul addcmul_", ternary, 3, 0, 0},
    {"digamma lerp lerp_ mvlgamma", refused, 0, 0, 0},
    {"byte char double float half int long short to", convert, 0, 0, 0},
    {"embedding", embedding, 0, 0, 0},
    {"sum", sum, 1, 1, 1},
    {"mean", mean, 0, 0, 0},
    {"norm", norm, 2, 1, 1},
    {"dropout", multiple, 5, 2, 2},
    {"cat", cat, 0, 0, 0},
    {"reshape", shaped, 0, 0, 0},
    {"masked_scatter_", masked, 0, 0, 0},
    {"masked_select", masked, 0, 0, 1},
    {"gather clone contiguous", shaped, 0, 2, 2},
    {"any", shaped, 0, 1, 1},
    {"nonzero", nonzero, 0, 0, 0},
    {"index_select", index_select, 0, 0, 0},
    {"softmax", multiple, 40, 3, 5},
    {"log_softmax", multiple, 21, 3, 5},
    {"mse_loss", mse_loss, 0, 0, 0},
    {"adam", adam, 0, 0, 0},
    {"batch_norm", batch_norm, 8, 4, 5},
    {"randperm", permutation, 0, 0, 0},
    {"ones zeros", filled, 0, 0, 0},
    {"full", filled, 0, 0, 1},
    {"ones_like zero_ zeros_like fill_", multiple, 0, 1, 1},
    {"copy_", copy, 0, 0, 0},
    {"celu elu elu_ hardshrink hardtanh hardtanh_ leaky_relu leaky_relu_ logsigmoid prelu relu relu_ relu6 rrelu "
     "rrelu_ selu softplus softshrink softsign tanhshrink threshold threshold_",
     multiple, 1, 2, 3},
    {NULL, NULL, 0, 0, 0},
};

static const struct stint_op_pyprof_rule *find(const struct stint_op_pyprof_rule *rules, struct stint_piece name)
{
    while (rules->names && !is_one_of(name, rules->names))
        rules++;
    return rules->names ? rules : NULL;
}

int stint_op_pyprof_apply(const struct stint_op_pyprof_ask *ask, struct stint_op_pyprof *found, struct stint_text *text)
{
    const struct stint_op_pyprof_rule *rule = NULL;
    if (is_one_of(ask->operation->module, "LSTMCell GRUCell"))
        rule = find(stint_op_pyprof_cells_forward, ask->operation->name);
    if (!rule)
        rule = find(stint_op_pyprof_matrix, ask->operation->name);
    if (!rule)
        rule = find(s_rules, ask->operation->name);
    *found = (struct stint_op_pyprof){.tc = "-"};
    return rule ? rule->apply(ask, found, text, rule) : put_unknown(ask, text);
}

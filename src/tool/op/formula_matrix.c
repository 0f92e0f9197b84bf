/* Operations whose work is multiplying matrices. FLOPs are those of the multiplications alone, 2 for each product that
 * is added up, as PyProf and vendors count them; adding a bias is not among them. */
#include <string.h>

#include "op/formula.h"

/* The backward pass of C = A B computes A's gradient and B's from C's: as much again for each. */
static void double_cost(struct stint_op_cost *cost)
{
    set_flops(cost, PRODUCT(of(2), cost->flops));
    cost->bytes = PRODUCT(of(2), cost->bytes);
}

/* What Tensor Cores multiply in pieces of 16 bytes. */
static void tell(const struct stint_op_ask *ask, char letter, amount size)
{
    struct stint_op_dimensions *dimensions = ask->dimensions;
    if (!dimensions || size.state || dimensions->count == STINT_OP_MOST_DIMENSIONS)
        return;
    dimensions->all[dimensions->count].letter = letter;
    dimensions->all[dimensions->count++].size = size.value;
}

/* -------------------------------------------------------------------------------------------------------- products */

/* Results are of the factors' type. Those of 8 bits have wider ones, by default bf16 and int32. */
static amount result_item_bytes(enum stint_op_type type)
{
    switch (type) {
    case STINT_OP_FP8_E4M3:
    case STINT_OP_FP8_E5M2:
        return of(2);
    case STINT_OP_INT8:
    case STINT_OP_UINT8:
        return of(4);
    default:
        return stint_op_item_bytes(type);
    }
}

static tensor leading(const tensor *all)
{
    return (tensor){all->shape, all->dims > 2 ? all->dims - 2 : 0, all->type};
}

/* torch.matmul: (…, m, k) times (…, k, n), where m or n may be missing and the rest is broadcast: 2 b m n k. */
FORMULA(matmul)
{
    tensor left, right, add;
    if (!has(ask, rule, "left", &left, cost) || !has(ask, rule, "right", &right, cost))
        return;
    tensor batches[] = {leading(&left), leading(&right)};
    amount m = left.dims > 1 ? stint_op_dim(&left, -2) : of(1);
    amount n = right.dims > 1 ? stint_op_dim(&right, -1) : of(1);
    amount result = PRODUCT(stint_op_broadcast(batches, 2), m, n);
    set_flops(cost, PRODUCT(of(2), result, stint_op_dim(&left, -1)));
    tell(ask, 'M', m);
    tell(ask, 'N', n);
    tell(ask, 'K', stint_op_dim(&left, -1));
    cost->bytes = SUM(stint_op_bytes(&left), stint_op_bytes(&right), PRODUCT(result, result_item_bytes(left.type)));
    if (ask->is_backward)
        double_cost(cost);
    else if (stint_op_tensor(ask, rule, "add", &add))
        cost->bytes = SUM(cost->bytes, stint_op_bytes(&add));
}

/* Groups share the rows or the columns of a matrix of two dimensions: their products add up to one of all. Between two
 * of three dimensions it is matmul; (m, K) times (K, n) has a product for each group, which is m n large. */
FORMULA(grouped)
{
    tensor left, right, ends;
    matmul(ask, rule, cost);
    if (!stint_op_tensor(ask, rule, "left", &left) || !stint_op_tensor(ask, rule, "right", &right) ||
        left.dims + right.dims > 5)
        return;
    amount k = stint_op_dim(&left, -1), rows = stint_op_dim(&left, -2), columns = stint_op_dim(&right, -1);
    amount groups = left.dims + right.dims == 5                 ? of(1)
                    : stint_op_tensor(ask, rule, "ends", &ends) ? stint_op_dim(&ends, 0)
                                                                : stint_op_unknown();
    set_flops(cost, PRODUCT(of(2), k, rows, columns));
    cost->bytes = SUM(stint_op_bytes(&left), stint_op_bytes(&right),
                      PRODUCT(groups, rows, columns, result_item_bytes(left.type)));
}

/* (…, k) times (n, k) transposed: 2 E(input) n. */
FORMULA(linear)
{
    tensor input, weight, bias;
    if (!has(ask, rule, "input", &input, cost) || !has(ask, rule, "weight", &weight, cost))
        return;
    amount n = weight.dims > 1 ? stint_op_dim(&weight, 0) : of(1), elements = stint_op_elements(&input);
    amount rows = stint_op_quotient(elements, stint_op_dim(&input, -1));
    set_flops(cost, PRODUCT(of(2), elements, n));
    tell(ask, 'M', rows);
    tell(ask, 'N', n);
    tell(ask, 'K', stint_op_dim(&input, -1));
    cost->bytes = SUM(stint_op_bytes(&input), stint_op_bytes(&weight), PRODUCT(rows, n, result_item_bytes(input.type)));
    if (ask->is_backward)
        double_cost(cost);
    else if (stint_op_tensor(ask, rule, "bias", &bias))
        cost->bytes = SUM(cost->bytes, stint_op_bytes(&bias));
}

/* ---------------------------------------------------------------------------------------------------- convolutions */

/* An input (N, C, H, …) or (C, H, …), weights (K, C / groups, R, …), an output (N, K, P, …). Transposed, weights are
 * (C, K / groups, R, …), and each element of the input takes part in K / groups R … products rather than each of the
 * output in C / groups R … of them. */
struct convolution {
    tensor input, weight;
    amount output; /* elements */
    int is_transposed;
};

/* The padding may be a word: with "same", the output is as large as the input; "valid" is none. */
static struct stint_piece padding_word(const struct stint_op_ask *ask, const struct stint_op_rule *rule)
{
    const struct stint_op_value *value = stint_op_argument(ask, rule, "padding");
    return value && value->kind == STINT_OP_TEXT ? value->text : (struct stint_piece){"", 0};
}

/* P = (H + 2 p - ((R - 1) d + 1)) / s + 1; transposed, P = (H - 1) s - 2 p + (R - 1) d + q + 1. */
static amount output_dim(const struct stint_op_ask *ask, const struct stint_op_rule *rule,
                         const struct convolution *convolution, size_t at)
{
    size_t from = convolution->input.dims - (convolution->weight.dims - 2);
    amount h = stint_op_dim(&convolution->input, (int64_t)(from + at)), one = of(1);
    amount r = stint_op_minus(stint_op_dim(&convolution->weight, (int64_t)at + 2), one);
    amount d = stint_op_argument_number(ask, rule, "dilation", at, 1);
    amount s = stint_op_argument_number(ask, rule, "stride", at, 1);
    struct stint_piece word = padding_word(ask, rule);
    amount p = word.length ? of(0) : PRODUCT(of(2), stint_op_argument_number(ask, rule, "padding", at, 0));
    amount reach = PRODUCT(r, d);
    if (word.length == strlen("same"))
        return h;
    if (!convolution->is_transposed)
        return SUM(stint_op_quotient(stint_op_minus(SUM(h, p), SUM(reach, one)), s), one);
    amount q = stint_op_argument_number(ask, rule, "output_padding", at, 0);
    return stint_op_minus(SUM(PRODUCT(stint_op_minus(h, one), s), reach, q, one), p);
}

static amount output_elements(const struct stint_op_ask *ask, const struct stint_op_rule *rule,
                              const struct convolution *convolution)
{
    const tensor *input = &convolution->input, *weight = &convolution->weight;
    amount groups = stint_op_argument_number(ask, rule, "groups", 0, 1);
    amount elements = convolution->is_transposed ? PRODUCT(stint_op_dim(weight, 1), groups) : stint_op_dim(weight, 0);
    if (input->dims == weight->dims)
        elements = PRODUCT(elements, stint_op_dim(input, 0));
    for (size_t i = 0; i + 2 < weight->dims; i++)
        elements = PRODUCT(elements, output_dim(ask, rule, convolution, i));
    return elements;
}

/* Whether shapes are those of a transposed one: where the number of channels does not tell, the output is larger. */
static int looks_transposed(const struct convolution *convolution, const tensor *output)
{
    amount k = stint_op_dim(&convolution->weight, 0), c = stint_op_dim(&convolution->input, 1);
    amount produced = stint_op_dim(output, 1);
    if (k.value != c.value || k.value != produced.value)
        return k.value == c.value;
    return stint_op_elements(output).value > stint_op_elements(&convolution->input).value;
}

/* Fewer than 8 are those of an image, or of groups, for which libraries have kernels of their own. */
static void tell_channels(const struct stint_op_ask *ask, const tensor *weight)
{
    amount k = stint_op_dim(weight, 0), c = stint_op_dim(weight, 1);
    tell(ask, 'K', k);
    if (c.value >= 8)
        tell(ask, 'C', c);
}

/* Returns whether the operation is one. */
static int read_convolution(const struct stint_op_ask *ask, const struct stint_op_rule *rule, const tensor *output,
                            struct convolution *convolution)
{
    amount transposed = stint_op_argument_number(ask, rule, "transposed", 0, 0);
    if (!stint_op_tensor(ask, rule, "input", &convolution->input) ||
        !stint_op_tensor(ask, rule, "weight", &convolution->weight) || convolution->weight.dims < 2 ||
        convolution->input.dims + 1 < convolution->weight.dims || convolution->input.dims > convolution->weight.dims)
        return 0;
    convolution->is_transposed = transposed.value != 0;
    if (transposed.state && output)
        convolution->is_transposed = looks_transposed(convolution, output);
    if (rule->flops)
        convolution->is_transposed = 1;
    convolution->output = output ? stint_op_elements(output) : output_elements(ask, rule, convolution);
    tell_channels(ask, &convolution->weight);
    return 1;
}

static amount convolution_flops(const struct convolution *convolution)
{
    amount elements = convolution->is_transposed ? stint_op_elements(&convolution->input) : convolution->output;
    return PRODUCT(of(2), elements, stint_op_elements_from(&convolution->weight, 1));
}

static amount convolution_bytes(const struct convolution *convolution)
{
    return SUM(stint_op_bytes(&convolution->input), stint_op_bytes(&convolution->weight),
               PRODUCT(convolution->output, stint_op_item_bytes(convolution->input.type)));
}

/* 2 N K P Q C R S / groups. The rule's `flops` says that it is transposed whatever the arguments. */
FORMULA(convolution)
{
    struct convolution convolution;
    tensor output, bias;
    if (!read_convolution(ask, rule, stint_op_result(ask, &output) ? &output : NULL, &convolution)) {
        nothing_known(cost);
        return;
    }
    set_flops(cost, convolution_flops(&convolution));
    cost->bytes = convolution_bytes(&convolution);
    if (ask->is_backward)
        double_cost(cost);
    else if (stint_op_tensor(ask, rule, "bias", &bias))
        cost->bytes = SUM(cost->bytes, stint_op_bytes(&bias));
}

/* The gradients that the mask asks for: of the input and of the weights each cost as much as the forward pass; that of
 * the bias adds the output's up. Where the mask is not known, the first two are meant. */
FORMULA(convolution_backward)
{
    struct convolution convolution;
    tensor gradient;
    int has_gradient = stint_op_tensor(ask, rule, "grad_output", &gradient);
    if (!read_convolution(ask, rule, has_gradient ? &gradient : NULL, &convolution)) {
        nothing_known(cost);
        return;
    }
    amount data = stint_op_argument_number(ask, rule, "output_mask", 0, 1);
    amount weights = stint_op_argument_number(ask, rule, "output_mask", 1, 1);
    amount bias = stint_op_argument_number(ask, rule, "output_mask", 2, 0);
    amount passes = of((data.state || data.value) + (uint64_t)(weights.state || weights.value));
    amount sums = of(bias.value != 0);
    set_flops(cost, SUM(PRODUCT(passes, convolution_flops(&convolution)), PRODUCT(sums, convolution.output)));
    cost->bytes = SUM(PRODUCT(passes, convolution_bytes(&convolution)),
                      PRODUCT(sums, stint_op_item_bytes(convolution.input.type),
                              SUM(convolution.output, stint_op_dim(&convolution.weight, 0))));
}

/* ------------------------------------------------------------------------------------------------------- attention */

/* Queries (B, H, S, D), keys (B, h, T, D), values (B, h, T, E), where h may be less than H; or with S and H exchanged,
 * which the rule's `flops` says; or (all S, H, D), where the ends of sequences are in a tensor. */
struct attention {
    tensor query, key, value;
    amount heads, queries, keys; /* in all; of each sequence */
};

static void read_packed(const struct stint_op_ask *ask, const struct stint_op_rule *rule, const tensor *ends,
                        struct attention *attention)
{
    amount sequences = stint_op_minus(stint_op_dim(ends, 0), of(1));
    amount most = stint_op_argument_number(ask, rule, "max_q", 0, 0);
    amount most_keys = stint_op_argument_number(ask, rule, "max_k", 0, 0);
    int are_equal = PRODUCT(sequences, most).value == stint_op_dim(&attention->query, -3).value &&
                    PRODUCT(sequences, most_keys).value == stint_op_dim(&attention->key, -3).value;
    attention->queries = are_equal ? most : stint_op_unknown();
    attention->keys = are_equal ? most_keys : stint_op_unknown();
    attention->heads = PRODUCT(sequences, stint_op_dim(&attention->query, -2));
}

static int read_attention(const struct stint_op_ask *ask, const struct stint_op_rule *rule, struct attention *attention)
{
    int sequence = rule->flops ? -3 : -2, head = rule->flops ? -2 : -3;
    tensor *query = &attention->query, ends;
    if (!stint_op_tensor(ask, rule, "query", query) || !stint_op_tensor(ask, rule, "key", &attention->key) ||
        !stint_op_tensor(ask, rule, "value", &attention->value))
        return 0;
    if (stint_op_tensor(ask, rule, "ends", &ends)) {
        read_packed(ask, rule, &ends, attention);
        return 1;
    }
    tensor batch = {query->shape, query->dims > 3 ? query->dims - 3 : 0, query->type};
    attention->queries = stint_op_dim(query, sequence);
    attention->keys = stint_op_dim(&attention->key, sequence);
    attention->heads = PRODUCT(stint_op_elements(&batch), query->dims > 2 ? stint_op_dim(query, head) : of(1));
    return 1;
}

/* 1 + 2 + … + n */
static amount triangle(amount n)
{
    return stint_op_quotient(PRODUCT(n, SUM(n, of(1))), of(2));
}

/* How many keys queries look at: all; those that are not behind the query, counted from the first (1) or from the last
 * of both (2). */
static amount pairs_of(const struct attention *attention, amount mask)
{
    amount s = attention->queries, t = attention->keys, all = PRODUCT(s, t);
    if (mask.state || all.state)
        return mask.state ? mask : all;
    if (!mask.value)
        return all;
    if (s.value > t.value)
        return mask.value == 2 ? triangle(t) : SUM(triangle(t), PRODUCT(stint_op_minus(s, t), t));
    return mask.value == 2 ? SUM(triangle(s), PRODUCT(s, stint_op_minus(t, s))) : triangle(s);
}

/* Forward: scores and their products with values, 2 pairs (D + E) (Dao et al., FlashAttention, 2022). Backward: two
 * products for each of these, and the scores again, which are not kept (section 3.1 there): executed, not needed. */
static void attention_cost(const struct stint_op_ask *ask, const struct stint_op_rule *rule, int is_backward,
                           struct stint_op_cost *cost)
{
    struct attention attention;
    if (!read_attention(ask, rule, &attention)) {
        nothing_known(cost);
        return;
    }
    amount d = stint_op_dim(&attention.query, -1), e = stint_op_dim(&attention.value, -1);
    amount pairs = pairs_of(&attention, stint_op_argument_number(ask, rule, "is_causal", 0, 0));
    amount products = PRODUCT(of(2), attention.heads, pairs), passes = of(is_backward ? 2 : 1);
    amount rows = stint_op_quotient(stint_op_elements(&attention.query), d);
    amount result = PRODUCT(rows, e, stint_op_item_bytes(attention.query.type));
    set_flops(cost, PRODUCT(passes, products, SUM(d, e)));
    tell(ask, 'D', d);
    tell(ask, 'E', e);
    if (is_backward)
        cost->executed_flops = SUM(cost->flops, PRODUCT(products, d));
    cost->bytes = PRODUCT(passes, SUM(stint_op_bytes(&attention.query), stint_op_bytes(&attention.key),
                                      stint_op_bytes(&attention.value), result));
}

FORMULA(attention)
{
    attention_cost(ask, rule, ask->is_backward, cost);
}

FORMULA(attention_backward)
{
    attention_cost(ask, rule, 1, cost);
}

/* ------------------------------------------------------------------------------------------------------------- RNN */

/* An input (…, X), and for each layer and direction weights (gates H, X) and (gates H, H), which are the only tensors
 * of two dimensions, and are used at each step: 2 |W| for each row of the input; backward twice that, for the gradients
 * of the input and of the weights. What is done to each element of a gate is not counted: it is less than a hundredth.
 * The rule's flops say that it is the backward pass: it reads all, and writes the gradients of input and weights. Of
 * packed sequences, whose results have two dimensions as well, it is not known. */
FORMULA(recurrent)
{
    tensor input, each, output;
    size_t at = 0;
    amount weights = of(0);
    if (!stint_op_tensor(ask, rule, "input", &input) || !stint_op_next_tensor(ask, &at, &each) ||
        (rule->flops && input.dims != 3)) {
        nothing_known(cost);
        return;
    }
    amount rows = stint_op_quotient(stint_op_elements(&input), stint_op_dim(&input, -1));
    while (stint_op_next_tensor(ask, &at, &each))
        if (each.dims == 2)
            weights = SUM(weights, stint_op_elements(&each));
    set_flops(cost, PRODUCT(of(ask->is_backward || rule->flops ? 4 : 2), rows, weights));
    tell(ask, 'X', stint_op_dim(&input, -1));
    if (rule->flops) {
        cost->bytes = SUM(stint_op_all_bytes(ask), stint_op_bytes(&input), PRODUCT(weights, item_bytes(&input)));
        return;
    }
    cost->bytes =
        SUM(stint_op_all_bytes(ask), stint_op_result(ask, &output) ? stint_op_bytes(&output) : stint_op_unknown());
    if (ask->is_backward)
        cost->bytes = PRODUCT(of(2), cost->bytes);
}

/* ----------------------------------------------------------------------------------------------------------- rules */

#define MATRIX(names, formula, arguments)                                                                              \
    {                                                                                                                  \
        names, formula, arguments, 0, 0, 1                                                                             \
    }
#define MATRIX_OTHER(names, formula, arguments)                                                                        \
    {                                                                                                                  \
        names, formula, arguments, 1, 0, 1                                                                             \
    }

const struct stint_op_rule stint_op_rules_matrix[] = {
    MATRIX("mm bmm mv dot vdot inner matmul __matmul__ _int_mm _scaled_mm", matmul, "left right"),
    MATRIX("addmm baddbmm addmv _addmm_activation", matmul, "add left right"),
    MATRIX("_grouped_mm", grouped, "left right ends"),
    MATRIX("_scaled_grouped_mm", grouped, "left right scale_left scale_right ends"),
    MATRIX("linear", linear, "input weight bias"),
    MATRIX("conv1d conv2d conv3d cudnn_convolution_relu", convolution,
           "input weight bias stride padding dilation groups"),
    MATRIX("convolution _convolution convolution_overrideable", convolution,
           "input weight bias stride padding dilation transposed output_padding groups"),
    MATRIX("cudnn_convolution", convolution, "input weight padding stride dilation groups"),
    MATRIX("cudnn_convolution_add_relu", convolution, "input weight z alpha bias stride padding dilation groups"),
    MATRIX("mkldnn_convolution miopen_convolution", convolution, "input weight bias padding stride dilation groups"),
    MATRIX(
        "_conv_depthwise2d conv_depthwise3d _slow_conv2d_forward slow_conv3d_forward slow_conv_dilated2d thnn_conv2d",
        convolution, "input weight kernel_size bias stride padding dilation"),
    MATRIX_OTHER("conv_transpose1d conv_transpose2d conv_transpose3d", convolution,
                 "input weight bias stride padding output_padding groups dilation"),
    MATRIX_OTHER("cudnn_convolution_transpose", convolution,
                 "input weight padding output_padding stride dilation groups"),
    MATRIX_OTHER("slow_conv_transpose2d slow_conv_transpose3d", convolution,
                 "input weight kernel_size bias stride padding output_padding dilation"),
    MATRIX("convolution_backward convolution_backward_overrideable", convolution_backward,
           "grad_output input weight bias_sizes stride padding dilation transposed output_padding groups output_mask"),
    MATRIX("scaled_dot_product_attention _scaled_dot_product_attention_math", attention,
           "query key value mask dropout_p is_causal"),
    MATRIX("_scaled_dot_product_flash_attention", attention, "query key value dropout_p is_causal"),
    MATRIX("_scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention", attention,
           "query key value bias with_sums dropout_p is_causal"),
    MATRIX_OTHER("_flash_attention_forward", attention, "query key value ends ends_k max_q max_k dropout_p is_causal"),
    MATRIX_OTHER("_efficient_attention_forward", attention,
                 "query key value bias ends ends_k max_q max_k dropout_p is_causal"),
    MATRIX("_scaled_dot_product_flash_attention_backward", attention_backward,
           "grad_out query key value out sums ends ends_k max_q max_k dropout_p is_causal"),
    MATRIX("_scaled_dot_product_efficient_attention_backward", attention_backward,
           "grad_out query key value bias out sums seed offset dropout_p mask is_causal"),
    MATRIX("_scaled_dot_product_cudnn_attention_backward", attention_backward,
           "grad_out query key value out sums seed offset bias ends ends_k max_q max_k dropout_p is_causal"),
    MATRIX_OTHER("_flash_attention_backward", attention_backward,
                 "grad_out query key value out sums ends ends_k max_q max_k dropout_p is_causal"),
    MATRIX_OTHER("_efficient_attention_backward", attention_backward,
                 "grad_out query key value bias out ends ends_k max_q max_k sums dropout_p seed offset is_causal"),
    MATRIX("_cudnn_rnn miopen_rnn lstm gru rnn_tanh rnn_relu", recurrent, "input"),
    MATRIX_OTHER("_cudnn_rnn_backward miopen_rnn_backward", recurrent, "input"),
    {NULL, NULL, NULL, 0, 0, 0},
};

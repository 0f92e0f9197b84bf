/* Operations that look up, sort, or combine neighbors. Indices have 8 bytes. */
#include "op/formula.h"

enum { INDEX_BYTES = 8 };

/* Returns an index, for tensors with this many dimensions, as C has it. */
static amount dim_of(const struct stint_op_ask *ask, const struct stint_op_rule *rule, const tensor *input,
                     int standard)
{
    const struct stint_op_value *value = stint_op_argument(ask, rule, "dim");
    if (!value)
        return stint_op_dim(input, standard);
    return value->kind == STINT_OP_NUMBER ? stint_op_dim(input, stint_op_dim_number(value->number))
                                          : stint_op_unknown();
}

/* ---------------------------------------------------------------------------------------------------------- look up */

/* Reads a row of the weights for each index, and writes it; backward, reads the gradient, and reads and writes the
 * row's. As in PyProf. */
FORMULA(embedding)
{
    tensor weight, indices;
    if (!has(ask, rule, "weight", &weight, cost) || !has(ask, rule, "indices", &indices, cost))
        return;
    amount count = stint_op_elements(&indices);
    amount rows = PRODUCT(count, stint_op_dim(&weight, -1), item_bytes(&weight));
    cost->bytes = ask->is_backward ? PRODUCT(of(3), rows) : SUM(PRODUCT(of(INDEX_BYTES), count), PRODUCT(of(2), rows));
}

FORMULA(embedding_backward)
{
    tensor gradient;
    cost->bytes = stint_op_tensor(ask, rule, "grad_output", &gradient) ? PRODUCT(of(3), stint_op_bytes(&gradient))
                                                                       : stint_op_unknown();
}

/* Adds rows of the weights up, one for each index, to one for each bag, and divides those if `mode` says that they are
 * means (1); weights of samples multiply each row before. */
FORMULA(embedding_bag)
{
    tensor weight, indices, offsets, samples;
    if (!has(ask, rule, "weight", &weight, cost) || !has(ask, rule, "indices", &indices, cost) ||
        !has(ask, rule, "offsets", &offsets, cost))
        return;
    amount width = stint_op_dim(&weight, -1), count = stint_op_elements(&indices);
    amount last = stint_op_argument_number(ask, rule, "include_last_offset", 0, 0);
    amount bags = stint_op_minus(stint_op_elements(&offsets), last);
    amount mode = stint_op_argument_number(ask, rule, "mode", 0, 0);
    amount for_each = of(stint_op_tensor(ask, rule, "samples", &samples) ? 2 : 1);
    set(cost, PRODUCT(width, SUM(PRODUCT(for_each, count), PRODUCT(of(mode.value == 1), bags))),
        SUM(PRODUCT(of(INDEX_BYTES), SUM(count, stint_op_elements(&offsets))),
            PRODUCT(SUM(count, bags), width, item_bytes(&weight))));
}

/* Adds each bag's gradient to the row of each of its indices, which is read and written. */
FORMULA(embedding_bag_backward)
{
    tensor gradient, indices;
    if (!has(ask, rule, "grad", &gradient, cost) || !has(ask, rule, "indices", &indices, cost))
        return;
    amount rows = PRODUCT(stint_op_elements(&indices), stint_op_dim(&gradient, -1));
    set(cost, rows, SUM(stint_op_all_bytes(ask), PRODUCT(of(2), rows, item_bytes(&gradient))));
}

/* Moves as many elements as there are indices. The rule's `flops` are additions to what is there, which is read. */
FORMULA(gather)
{
    tensor input, index;
    if (!has(ask, rule, "self", &input, cost) || !has(ask, rule, "index", &index, cost))
        return;
    amount count = stint_op_elements(&index), adds = of(ask->is_backward ? 1 : rule->flops);
    set(cost, PRODUCT(adds, count),
        PRODUCT(count, SUM(of(INDEX_BYTES), PRODUCT(SUM(of(2), adds), item_bytes(&input)))));
}

/* Moves slices: as PyProf, what it makes is read and written, and so are indices. */
FORMULA(index_select)
{
    tensor input, index, result;
    if (!has(ask, rule, "self", &input, cost) || !has(ask, rule, "index", &index, cost))
        return;
    amount count = stint_op_elements(&index), made;
    if (stint_op_result(ask, &result))
        made = stint_op_elements(&result);
    else
        made = PRODUCT(stint_op_quotient(stint_op_elements(&input), dim_of(ask, rule, &input, 0)), count);
    cost->bytes = SUM(PRODUCT(of(2), made, item_bytes(&input)), PRODUCT(of(INDEX_BYTES), count));
}

/* The result tells how many elements move: indices may be broadcast, or be left out. */
FORMULA(index_any)
{
    tensor input, result;
    cost->bytes = stint_op_unknown();
    if (stint_op_tensor(ask, rule, "self", &input) && stint_op_result(ask, &result))
        cost->bytes = SUM(PRODUCT(of(2), stint_op_elements(&result), item_bytes(&input)),
                          stint_op_minus(stint_op_all_bytes(ask), stint_op_bytes(&input)));
}

/* Writes what the last tensor has to places that the tensors between say. */
FORMULA(index_write)
{
    tensor first, last;
    size_t at = 0;
    if (!stint_op_next_tensor(ask, &at, &first) || !stint_op_next_tensor(ask, &at, &last)) {
        nothing_known(cost);
        return;
    }
    while (stint_op_next_tensor(ask, &at, &last))
        ;
    set(cost, PRODUCT(of(rule->flops), stint_op_elements(&last)),
        SUM(stint_op_minus(stint_op_all_bytes(ask), stint_op_bytes(&first)),
            PRODUCT(of(1 + rule->flops), stint_op_bytes(&last))));
}

/* Reads and writes as much as the input has, at worst, and reads a mask: as in PyProf. */
FORMULA(masked)
{
    tensor input, mask;
    if (!stint_op_tensor(ask, rule, "self", &input) || !stint_op_tensor(ask, rule, "mask", &mask))
        cost->bytes = stint_op_unknown();
    else
        cost->bytes = SUM(PRODUCT(of(2), stint_op_bytes(&input)), stint_op_elements(&mask));
}

/* The indices of all elements, at worst. */
FORMULA(nonzero)
{
    tensor input;
    cost->bytes = stint_op_unknown();
    if (stint_op_tensor(ask, rule, "self", &input))
        cost->bytes = SUM(stint_op_bytes(&input), PRODUCT(of(INDEX_BYTES * input.dims), stint_op_elements(&input)));
}

/* ------------------------------------------------------------------------------------------------------------- sort */

static amount logarithm(amount count)
{
    unsigned bits = 0;
    while (!count.state && bits < 63 && (UINT64_C(1) << bits) < count.value)
        bits++;
    return count.state ? count : of(bits);
}

/* n log2 n comparisons of n elements, rounded up; reads them, and writes them and their indices. */
FORMULA(sort)
{
    tensor input;
    if (!has(ask, rule, "self", &input, cost))
        return;
    amount elements = stint_op_elements(&input), length = dim_of(ask, rule, &input, -1);
    set(cost, PRODUCT(elements, logarithm(length)),
        PRODUCT(elements, SUM(PRODUCT(of(2), item_bytes(&input)), of(INDEX_BYTES))));
}

/* Compares each element once, and writes k of each row with their indices. */
FORMULA(topk)
{
    tensor input;
    if (!has(ask, rule, "self", &input, cost))
        return;
    amount elements = stint_op_elements(&input);
    amount rows = stint_op_quotient(elements, dim_of(ask, rule, &input, -1));
    amount kept = PRODUCT(rows, stint_op_argument_number(ask, rule, "k", 0, 1));
    set(cost, elements, SUM(stint_op_bytes(&input), PRODUCT(kept, SUM(item_bytes(&input), of(INDEX_BYTES)))));
}

FORMULA(scan)
{
    tensor input;
    if (first_tensor(ask, &input, cost))
        set(cost, PRODUCT(of(rule->flops), stint_op_elements(&input)), PRODUCT(of(2), stint_op_bytes(&input)));
}

/* randperm(n): as in PyProf. */
FORMULA(permutation)
{
    amount count = stint_op_argument_number(ask, rule, "n", 0, 0);
    set(cost, PRODUCT(of(3), count), PRODUCT(of(INDEX_BYTES), count));
}

/* ------------------------------------------------------------------------------------------------------- neighbors */

/* P = (H + 2 p - d (R - 1) - 1) / s + 1, where s is R unless it is given; rounded up if ceil_mode says so. */
static amount pooled_dim(const struct stint_op_ask *ask, const struct stint_op_rule *rule, amount h, size_t at)
{
    const struct stint_op_value *stride = stint_op_argument(ask, rule, "stride");
    amount one = of(1), r = stint_op_argument_number(ask, rule, "kernel_size", at, 1), s = r;
    amount p = stint_op_argument_number(ask, rule, "padding", at, 0);
    amount d = stint_op_argument_number(ask, rule, "dilation", at, 1);
    amount up = stint_op_argument_number(ask, rule, "ceil_mode", 0, 0);
    if (stride && (stride->kind != STINT_OP_NUMBERS || stride->count))
        s = stint_op_argument_number(ask, rule, "stride", at, 1);
    amount free = stint_op_minus(SUM(h, PRODUCT(of(2), p)), SUM(PRODUCT(d, stint_op_minus(r, one)), one));
    amount rounding = up.state ? up : up.value ? stint_op_minus(s, one) : of(0);
    return SUM(stint_op_quotient(SUM(free, rounding), s), one);
}

/* How many windows there are, and how many elements each has. The rule's second number says how many dimensions the
 * windows have. */
static void windows(const struct stint_op_ask *ask, const struct stint_op_rule *rule, const tensor *input,
                    amount *count, amount *size)
{
    size_t dims = rule->backward_flops, first = input->dims - dims;
    tensor rest = {input->shape, first, input->type}, result;
    *count = stint_op_elements(&rest);
    *size = of(1);
    for (size_t i = 0; i < dims; i++) {
        *count = PRODUCT(*count, pooled_dim(ask, rule, stint_op_dim(input, (int64_t)(first + i)), i));
        *size = PRODUCT(*size, stint_op_argument_number(ask, rule, "kernel_size", i, 1));
    }
    if (stint_op_result(ask, &result))
        *count = stint_op_elements(&result);
}

/* Reads the input, and combines the elements of each window to one, which is written, with its index if the rule's
 * `flops` says so; backward, the same way round. */
FORMULA(pool)
{
    tensor input;
    amount count, size;
    if (!stint_op_tensor(ask, rule, "input", &input) || input.dims < rule->backward_flops) {
        nothing_known(cost);
        return;
    }
    windows(ask, rule, &input, &count, &size);
    set(cost, PRODUCT(count, size),
        SUM(stint_op_bytes(&input), PRODUCT(count, SUM(item_bytes(&input), of(rule->flops)))));
}

/* An element for each window's gradient; the rule's second number says how many bytes indices have. */
FORMULA(pool_backward)
{
    tensor gradient, input;
    if (!has(ask, rule, "grad_output", &gradient, cost) || !has(ask, rule, "input", &input, cost))
        return;
    amount count = stint_op_elements(&gradient);
    set(cost, count, SUM(stint_op_bytes(&gradient), stint_op_bytes(&input), PRODUCT(of(rule->backward_flops), count)));
}

/* Each element of the input belongs to one window. */
FORMULA(adaptive_pool)
{
    tensor input, result;
    if (!stint_op_tensor(ask, rule, "input", &input) || input.dims < rule->backward_flops) {
        nothing_known(cost);
        return;
    }
    tensor rest = {input.shape, input.dims - rule->backward_flops, input.type};
    amount count = stint_op_elements(&rest);
    for (size_t i = 0; i < rule->backward_flops; i++)
        count = PRODUCT(count, stint_op_argument_number(ask, rule, "output_size", i, 1));
    if (stint_op_result(ask, &result))
        count = stint_op_elements(&result);
    set(cost, stint_op_elements(&input), SUM(stint_op_bytes(&input), PRODUCT(count, item_bytes(&input))));
}

/* Each element is a weighted sum of as many neighbors as the rule's flops are, but for the factor of 2. */
FORMULA(interpolate)
{
    const struct stint_op_value *size = stint_op_argument(ask, rule, "output_size");
    tensor input, result;
    amount count = stint_op_unknown();
    if (!has(ask, rule, "input", &input, cost))
        return;
    if (stint_op_result(ask, &result))
        count = stint_op_elements(&result);
    else if (size && size->kind == STINT_OP_NUMBERS && size->count < input.dims) {
        tensor rest = {input.shape, input.dims - size->count, input.type};
        count = PRODUCT(stint_op_elements(&rest),
                        stint_op_elements(&(tensor){stint_op_numbers(ask->operation, size), size->count, input.type}));
    }
    set(cost, PRODUCT(of(rule->flops), count), SUM(stint_op_bytes(&input), PRODUCT(count, item_bytes(&input))));
}

/* ------------------------------------------------------------------------------------------------------------ rules */

#define POOL "input kernel_size stride padding dilation ceil_mode"
#define AVERAGE "input kernel_size stride padding ceil_mode"

const struct stint_op_rule stint_op_rules_index[] = {
    {"aten::embedding", embedding, "weight indices", 0, 0, 0},
    {"embedding", embedding, "indices weight", 0, 0, 0},
    {"embedding_dense_backward embedding_backward", embedding_backward, "grad_output indices", 0, 0, 0},
    {"_embedding_bag _embedding_bag_forward_only aten::embedding_bag", embedding_bag,
     "weight indices offsets scale_grad_by_freq mode sparse samples include_last_offset", 0, 0, 0},
    {"_embedding_bag_dense_backward", embedding_bag_backward, "grad indices", 0, 0, 0},
    {"gather take_along_dim", gather, "self dim index", 0, 0, 0},
    {"scatter", gather, "self dim index src", 0, 0, 0},
    {"scatter_add scatter_reduce", gather, "self dim index src", 1, 0, 0},
    {"index_select", index_select, "self dim index", 0, 0, 0},
    {"index", index_any, "self", 0, 0, 0},
    {"index_put _index_put_impl index_copy", index_write, NULL, 0, 0, 0},
    {"index_add", index_write, NULL, 1, 0, 0},
    {"masked_select masked_scatter", masked, "self mask", 0, 0, 0},
    {"nonzero", nonzero, "self", 0, 0, 0},
    {"sort argsort msort", sort, "self dim", 0, 0, 0},
    {"topk", topk, "self k dim", 0, 0, 0},
    {"cumsum cumprod cummax cummin", scan, NULL, 1, 0, 0},
    {"logcumsumexp", scan, NULL, 20, 0, 0},
    {"randperm", permutation, "n", 0, 0, 0},
    {"max_pool1d", pool, POOL, 0, 1, 0},
    {"max_pool2d", pool, POOL, 0, 2, 0},
    {"max_pool3d", pool, POOL, 0, 3, 0},
    {"max_pool2d_with_indices", pool, POOL, INDEX_BYTES, 2, 0},
    {"max_pool3d_with_indices", pool, POOL, INDEX_BYTES, 3, 0},
    {"avg_pool1d", pool, AVERAGE, 0, 1, 0},
    {"avg_pool2d", pool, AVERAGE, 0, 2, 0},
    {"avg_pool3d", pool, AVERAGE, 0, 3, 0},
    {"max_pool2d_with_indices_backward max_pool3d_with_indices_backward", pool_backward, "grad_output input", 0,
     INDEX_BYTES, 0},
    {"avg_pool2d_backward avg_pool3d_backward _adaptive_avg_pool2d_backward _adaptive_avg_pool3d_backward",
     pool_backward, "grad_output input", 0, 0, 0},
    {"adaptive_avg_pool1d adaptive_max_pool1d", adaptive_pool, "input output_size", 0, 1, 0},
    {"adaptive_avg_pool2d adaptive_max_pool2d _adaptive_avg_pool2d", adaptive_pool, "input output_size", 0, 2, 0},
    {"adaptive_avg_pool3d adaptive_max_pool3d _adaptive_avg_pool3d", adaptive_pool, "input output_size", 0, 3, 0},
    {"upsample_nearest1d upsample_nearest2d upsample_nearest3d", interpolate, "input output_size", 0, 0, 0},
    {"upsample_linear1d", interpolate, "input output_size", 4, 0, 0},
    {"upsample_bilinear2d _upsample_bilinear2d_aa", interpolate, "input output_size", 8, 0, 0},
    {"upsample_trilinear3d", interpolate, "input output_size", 16, 0, 0},
    {"upsample_bicubic2d _upsample_bicubic2d_aa", interpolate, "input output_size", 32, 0, 0},
    {NULL, NULL, NULL, 0, 0, 0},
};

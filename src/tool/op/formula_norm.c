/* Normalizations, softmax, losses, dropout. */
#include "op/formula.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------- normalization */

/* Reads the input for the mean, for the variance and to normalize it, and writes; backward, reads input and gradient
 * twice and writes once. 8 FLOPs as PyProf has them: a sum; a difference, its square, a sum; a difference and a
 * product; a product and a sum. */
FORMULA(batch_norm)
{
    tensor input;
    int is_backward = ask->is_backward || rule->backward_flops;
    if (first_tensor(ask, &input, cost))
        set(cost, PRODUCT(of(rule->flops), stint_op_elements(&input)),
            PRODUCT(of(is_backward ? 5 : 4), stint_op_bytes(&input)));
}

static amount bytes_of(const struct stint_op_ask *ask, const struct stint_op_rule *rule, const char *name)
{
    tensor argument;
    return stint_op_tensor(ask, rule, name, &argument) ? stint_op_bytes(&argument) : of(0);
}

/* A row fits into registers, so the input is read once, as are weights and biases; backward, the gradients of all three
 * are written. Numbers for each row are left out. Forward the same 8 FLOPs as above, or for RMS norm 4: a square, a
 * sum, two products. Backward 13: the normalized input 2, the gradient times the weight 1, its sum 1, its sum with that
 * input 2, the gradient of the input 4, of weight and bias 3; for RMS norm 9: 1, 1, 0, 2, 3, 2. */
FORMULA(row_norm)
{
    tensor input;
    if (!first_tensor(ask, &input, cost))
        return;
    amount parameters = SUM(bytes_of(ask, rule, "weight"), bytes_of(ask, rule, "bias"));
    amount passes = of(ask->is_backward ? 3 : 2), readings = of(ask->is_backward ? 2 : 1);
    set(cost, PRODUCT(of(ask->is_backward ? rule->backward_flops : rule->flops), stint_op_elements(&input)),
        SUM(PRODUCT(passes, stint_op_bytes(&input)), PRODUCT(readings, parameters)));
}

/* The operation that is the backward pass; its first tensor is the gradient. */
FORMULA(row_norm_backward)
{
    struct stint_op_ask backward = *ask;
    backward.is_backward = 1;
    row_norm(&backward, rule, cost);
}

/* FLOPs as PyProf has them: for softmax 40, exp and a division; for its logarithm 21. It reads the input for the
 * largest, and for the sum of the row, and writes; backward as batch norm. */
FORMULA(softmax)
{
    tensor input;
    int is_backward = ask->is_backward || rule->backward_flops;
    if (first_tensor(ask, &input, cost))
        set(cost, PRODUCT(of(rule->flops), stint_op_elements(&input)),
            PRODUCT(of(is_backward ? 5 : 3), stint_op_bytes(&input)));
}

/* ----------------------------------------------------------------------------------------------------------- losses */

/* Whether each element keeps its loss: in Python the reduction is a word, in C++ a number. */
static int is_reduced(const struct stint_op_ask *ask, const struct stint_op_rule *rule)
{
    const struct stint_op_value *value = stint_op_argument(ask, rule, "reduction");
    if (value && value->kind == STINT_OP_TEXT)
        return value->text.length != 4 || memcmp(value->text.text, "none", 4) != 0;
    return !value || value->kind != STINT_OP_NUMBER || value->number != 0;
}

/* Reads both, for the rule's flops and a sum, and writes a number, or one for each element; backward, reads both, and
 * in the latter case gradients, and writes gradients. */
FORMULA(pair_loss)
{
    tensor input;
    if (!first_tensor(ask, &input, cost))
        return;
    int is_sum = is_reduced(ask, rule);
    amount elements = stint_op_elements(&input);
    if (ask->is_backward)
        set(cost, PRODUCT(of(rule->backward_flops), elements), PRODUCT(of(is_sum ? 3 : 4), stint_op_bytes(&input)));
    else
        set(cost, SUM(PRODUCT(of(rule->flops + (unsigned)is_sum), elements), of((uint64_t)is_sum)),
            SUM(PRODUCT(of(is_sum ? 2 : 3), stint_op_bytes(&input)),
                PRODUCT(of((uint64_t)is_sum), item_bytes(&input))));
}

/* Inputs (N, C, …) or (C), and N … classes of 8 bytes. One number of each row is read. */
FORMULA(class_loss)
{
    tensor input;
    if (!has(ask, rule, "input", &input, cost))
        return;
    amount classes = stint_op_dim(&input, input.dims > 1 ? 1 : 0);
    amount rows = stint_op_quotient(stint_op_elements(&input), classes);
    amount moved = PRODUCT(rows, SUM(of(8), item_bytes(&input)));
    if (ask->is_backward || rule->backward_flops) /* all other gradients are 0, and are written as well */
        set(cost, rows, SUM(moved, stint_op_bytes(&input)));
    else
        set(cost, rows, moved);
}

/* The logarithm of a softmax, and then the loss of classes. */
FORMULA(cross_entropy)
{
    struct stint_op_cost loss = {0};
    softmax(ask, rule, cost);
    class_loss(ask, rule, &loss);
    set(cost, SUM(cost->flops, loss.flops), SUM(cost->bytes, loss.bytes));
}

/* ---------------------------------------------------------------------------------------------------------- dropout */

/* 5 FLOPs as PyProf has them, for random numbers, too. The rule's second number is the bytes of an element's mask,
 * written and, backward, read. */
FORMULA(dropout)
{
    tensor input;
    if (first_tensor(ask, &input, cost))
        set(cost, PRODUCT(of(rule->flops), stint_op_elements(&input)),
            SUM(PRODUCT(of(2), stint_op_bytes(&input)), PRODUCT(of(rule->backward_flops), stint_op_elements(&input))));
}

/* ------------------------------------------------------------------------------------------------------------ rules */

const struct stint_op_rule stint_op_rules_norm[] = {
    {"batch_norm native_batch_norm cudnn_batch_norm _native_batch_norm_legit _batch_norm_with_update "
     "_batch_norm_impl_index miopen_batch_norm instance_norm",
     batch_norm, NULL, 8, 0, 0},
    {"native_batch_norm_backward cudnn_batch_norm_backward batch_norm_backward _batch_norm_impl_index_backward",
     batch_norm, NULL, 8, 1, 0},
    {"layer_norm native_layer_norm", row_norm, "input normalized_shape weight bias", 8, 13, 0},
    {"native_layer_norm_backward", row_norm_backward, "grad_out input normalized_shape mean rstd weight bias", 8, 13,
     0},
    {"group_norm", row_norm, "input num_groups weight bias", 8, 13, 0},
    {"native_group_norm", row_norm, "input weight bias", 8, 13, 0},
    {"native_group_norm_backward", row_norm_backward, "grad_out input mean rstd weight", 8, 13, 0},
    {"rms_norm _fused_rms_norm", row_norm, "input normalized_shape weight", 4, 9, 0},
    {"_fused_rms_norm_backward", row_norm_backward, "grad_out input normalized_shape rstd weight", 4, 9, 0},
    {"softmax _softmax _safe_softmax softmin", softmax, NULL, 40, 0, 0},
    {"_softmax_backward_data", softmax, NULL, 40, 1, 0},
    {"log_softmax _log_softmax", softmax, NULL, 21, 0, 0},
    {"_log_softmax_backward_data", softmax, NULL, 21, 1, 0},
    {"aten::mse_loss", pair_loss, "self target reduction", 2, 3, 0}, /* a difference and its square */
    {"mse_loss", pair_loss, "input target size_average reduce reduction", 2, 3, 0},
    {"aten::l1_loss aten::smooth_l1_loss aten::huber_loss", pair_loss, "self target reduction", 2, 3, 0},
    /* y log x + (1 - y) log (1 - x); max(x, 0) - x y + log (1 + exp -|x|) */
    {"binary_cross_entropy", pair_loss, "self target weight reduction", 45, 5, 0},
    {"binary_cross_entropy_with_logits", pair_loss, "self target weight pos_weight reduction", 45, 22, 0},
    {"kl_div", pair_loss, "self target reduction", 22, 1, 0}, /* a logarithm, a difference, a product */
    {"l1_loss", pair_loss, "input target size_average reduce reduction", 2, 3, 0},
    {"nll_loss nll_loss_nd nll_loss_forward nll_loss2d nll_loss2d_forward", class_loss, "input target", 0, 0, 0},
    {"nll_loss_backward nll_loss2d_backward", class_loss, "grad_output input target", 0, 1, 0},
    {"cross_entropy cross_entropy_loss", cross_entropy, "input target", 21, 0, 0},
    {"dropout alpha_dropout feature_dropout dropout1d dropout2d dropout3d", dropout, NULL, 5, 0, 0},
    {"native_dropout _fused_dropout", dropout, NULL, 5, 1, 0},
    {"native_dropout_backward _masked_scale", dropout, NULL, 2, 1, 0},
    {NULL, NULL, NULL, 0, 0, 0},
};

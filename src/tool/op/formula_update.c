/* Optimizers, operations on lists of tensors, and collectives. */
#include <string.h>

#include "op/formula.h"

static size_t count_tensors(const struct stint_op_ask *ask)
{
    tensor each;
    size_t count = 0;
    for (size_t at = 0; stint_op_next_tensor(ask, &at, &each);)
        count++;
    return count;
}

/* ------------------------------------------------------------------------------------------------------- optimizers */

/* Lists of as many tensors each, one behind the other: parameters, gradients, and the rest, which the rule's second
 * number counts with these two. All are read; all but gradients are written. */
FORMULA(fused)
{
    size_t lists = rule->backward_flops, count = count_tensors(ask) / lists, at = 0;
    amount elements = of(0), read = of(0), written = of(0);
    tensor each;
    for (size_t i = 0; i < count * lists && stint_op_next_tensor(ask, &at, &each); i++) {
        amount bytes = stint_op_bytes(&each);
        read = SUM(read, bytes);
        if (i / count != 1)
            written = SUM(written, bytes);
        if (i < count)
            elements = SUM(elements, stint_op_elements(&each));
    }
    if (count)
        set(cost, PRODUCT(of(rule->flops), elements), SUM(read, written));
    else
        nothing_known(cost);
}

/* Apex' adam(p, copy of p, m, v, g, …): as in PyProf, parameters and both moments are read and written, and gradients
 * read. A copy in the gradients' type is written. */
FORMULA(apex_adam)
{
    tensor parameter, gradient;
    if (!has(ask, rule, "p", &parameter, cost) || !has(ask, rule, "g", &gradient, cost))
        return;
    amount copies = of(parameter.type == gradient.type ? 1 : 2);
    set(cost, PRODUCT(of(rule->flops), stint_op_elements(&parameter)),
        SUM(PRODUCT(of(6), stint_op_bytes(&parameter)), PRODUCT(copies, stint_op_bytes(&gradient))));
}

/* ------------------------------------------------------------------------------------------------------------ lists */

static int is_same_shape(const tensor *a, const tensor *b)
{
    for (size_t i = 0; i < a->dims && a->dims == b->dims; i++)
        if (a->shape[i] != b->shape[i])
            return 0;
    return a->dims == b->dims;
}

/* Whether the second half of the tensors has the shapes of the first one, so that there are two lists. */
static int are_two_lists(const struct stint_op_ask *ask, size_t count)
{
    size_t first = 0, second = 0;
    tensor a, b;
    for (size_t i = 0; i < count / 2; i++)
        (void)stint_op_next_tensor(ask, &second, &b);
    for (size_t i = 0; i < count / 2; i++)
        if (!stint_op_next_tensor(ask, &first, &a) || !stint_op_next_tensor(ask, &second, &b) || !is_same_shape(&a, &b))
            return 0;
    return count % 2 == 0;
}

/* Lists of tensors of the same shapes: element by element, all are read, and the first one is written. The rule's
 * second number says how many lists there are; 0: one or two. */
static void foreach (const struct stint_op_ask *ask, const struct stint_op_rule *rule, struct stint_op_cost * cost)
{
    size_t count = count_tensors(ask), lists = rule->backward_flops, at = 0;
    amount elements = of(0), written = of(0);
    tensor each;
    if (!count) {
        nothing_known(cost);
        return;
    }
    if (!lists)
        lists = are_two_lists(ask, count) ? 2 : 1;
    for (size_t i = 0; i < count / lists && stint_op_next_tensor(ask, &at, &each); i++) {
        elements = SUM(elements, stint_op_elements(&each));
        written = SUM(written, stint_op_bytes(&each));
    }
    set(cost, PRODUCT(of(rule->flops), elements), SUM(stint_op_all_bytes(ask), written));
}

/* Numbers of each tensor: reads all, for the rule's flops and one more each. */
FORMULA(foreach_reduction)
{
    amount elements = of(0), bytes = of(0), results = of(count_tensors(ask));
    tensor each;
    for (size_t at = 0; stint_op_next_tensor(ask, &at, &each);) {
        elements = SUM(elements, stint_op_elements(&each));
        bytes = SUM(bytes, stint_op_bytes(&each), item_bytes(&each));
    }
    if (results.value)
        set(cost, SUM(PRODUCT(of(rule->flops), elements), results), bytes);
    else
        nothing_known(cost);
}

/* Each tensor is either read or written: zeroes, and copies. */
FORMULA(once)
{
    (void)rule;
    cost->bytes = stint_op_all_bytes(ask);
}

/* What a compiler has fused: its arguments are what is read and written, and nothing between is. What it computes, its
 * name does not say. */
FORMULA(fusion)
{
    (void)rule;
    set(cost, stint_op_unknown(), stint_op_all_bytes(ask));
}

/* Gradients, and then what was found, and the factor: they are looked at, multiplied, and written. Traces leave long
 * lists of gradients out, but not the two numbers. */
FORMULA(unscale)
{
    size_t count = count_tensors(ask);
    amount elements = of(0), bytes = of(0);
    tensor each;
    for (size_t i = 0, at = 0; i < count && stint_op_next_tensor(ask, &at, &each); i++) {
        if (!each.dims)
            continue;
        elements = SUM(elements, stint_op_elements(&each));
        bytes = SUM(bytes, PRODUCT(of(2), stint_op_bytes(&each)));
    }
    if (elements.value)
        set(cost, PRODUCT(of(rule->flops), elements), bytes);
    else
        nothing_known(cost);
}

/* ------------------------------------------------------------------------------------------------------ collectives */

/* Each tensor is read or written by its own device; the rule's `flops` says how often. What is added up on the way, and
 * what goes over the bus, depends on the number of ranks. */
FORMULA(collective)
{
    cost->bytes = PRODUCT(of(rule->flops), stint_op_all_bytes(ask));
}

/* What each of n ranks sends at least (NVIDIA/nccl-tests, doc/PERFORMANCE.md): for each byte, of an all-reduce
 * 2 (n - 1) / n, of what gathers, scatters or exchanges (n - 1) / n, otherwise 1. `all` is the larger one of input and
 * output. The first word that is in the name decides. */
static amount bus_bytes(const struct stint_operation *operation, amount all)
{
    static const struct {
        const char *word;
        unsigned parts; /* of n - 1; 0: all of n */
    } kinds[] = {{"barrier", 0},   {"allreduce", 2}, {"all_reduce", 2}, {"reduce_scatter", 1},
                 {"gather", 1},    {"scatter", 1},   {"alltoall", 1},   {"all_to_all", 1},
                 {"broadcast", 0}, {"reduce", 0},    {"send", 0},       {"recv", 0}};
    struct stint_piece name = operation->collective;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        amount n = of(operation->group_size), parts = of(kinds[i].parts);
        if (!memmem(name.text, name.length, kinds[i].word, strlen(kinds[i].word)))
            continue;
        if (!kinds[i].parts)
            return all;
        return n.value ? stint_op_quotient(PRODUCT(parts, all, stint_op_minus(n, of(1))), n) : stint_op_unknown();
    }
    return stint_op_unknown();
}

/* Of torch.profiler's ranges around collectives, which say how much this device reads and writes. */
FORMULA(communication)
{
    const struct stint_operation *operation = ask->operation;
    (void)rule;
    cost->bytes = stint_op_unknown();
    if (!operation->collective.length)
        return;
    uint64_t in = operation->in_elements, out = operation->out_elements;
    amount item = stint_op_item_bytes(operation->type);
    cost->bytes = PRODUCT(SUM(of(in), of(out)), item);
    cost->bus_bytes = bus_bytes(operation, PRODUCT(of(in > out ? in : out), item));
}

/* ------------------------------------------------------------------------------------------------------------ rules */

/* Adam: m = b m + (1 - b) g: 3; v = b v + (1 - b) g g: 4; sqrt(v) / c + e: 3; p -= a m / that: 3. AdamW decays p: 1.
 * SGD: p -= a g; with momentum, m = b m + g before. */
const struct stint_op_rule stint_op_rules_update[] = {
    {"_fused_adam", fused, NULL, 13, 4, 0},
    {"_fused_adamw", fused, NULL, 14, 4, 0},
    {"_fused_sgd", fused, NULL, 4, 3, 0},
    {"_fused_adagrad", fused, NULL, 8, 3, 0},
    {"adam", apex_adam, "p copy m v g", 13, 0, 0},
    {"_foreach_add _foreach_sub _foreach_mul _foreach_div _foreach_maximum _foreach_minimum", foreach, NULL, 1, 0, 0},
    {"_foreach_neg _foreach_abs _foreach_reciprocal _foreach_sign", foreach, NULL, 1, 1, 0},
    {"_foreach_sqrt _foreach_exp _foreach_log _foreach_pow _foreach_rsqrt", foreach, NULL, 20, 1, 0},
    {"_foreach_lerp", foreach, NULL, 3, 2, 0},
    {"_foreach_addcmul _foreach_addcdiv", foreach, NULL, 3, 3, 0},
    {"_foreach_norm", foreach_reduction, NULL, 2, 0, 0}, /* a square and a sum; a root */
    {"_foreach_max", foreach_reduction, NULL, 1, 0, 0},
    {"_amp_foreach_non_finite_check_and_unscale", unscale, NULL, 2, 0, 0},
    {"triton_poi triton_red triton_per", fusion, NULL, 0, 0, 0},
    {"_foreach_copy _foreach_zero", once, NULL, 0, 0, 0},
    {"allreduce all_reduce", collective, NULL, 2, 0, 0},
    {"broadcast reduce send recv", collective, NULL, 1, 0, 0},
    {"allgather _allgather_base alltoall alltoall_base reduce_scatter _reduce_scatter_base", collective, NULL, 1, 0, 0},
    {"record_param_comms", communication, NULL, 0, 0, 0},
    {NULL, NULL, NULL, 0, 0, 0},
};

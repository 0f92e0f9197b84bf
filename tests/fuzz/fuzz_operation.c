/* Takes any text, as a program may give it to NVTX. What it says about an operation is part of the text, values have
 * their numbers, and what is not known to cost something has no number. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "op/op_cost.h"
#include "op/operation.h"

static void require_within(struct stint_piece piece, const char *text, size_t size)
{
    if (piece.length)
        require(piece.text >= text && (size_t)(piece.text - text) + piece.length <= size, "a part is not in the text");
}

static void check(const struct stint_operation *operation, const char *text, size_t size)
{
    const struct stint_piece *lines = operation->trace.items;
    require_within(operation->name, text, size);
    require_within(operation->module, text, size);
    require_within(operation->kernel_file, text, size);
    for (size_t i = 0; i < 5; i++)
        require_within(stint_op_facts_name(operation->schema, i), text, size);
    for (size_t i = 0; i < operation->trace.count; i++)
        require_within(lines[i], text, size);
    for (size_t i = 0; i < operation->values.count; i++) {
        const struct stint_op_value *value = stint_op_values(operation) + i;
        require_within(value->name, text, size);
        require_within(value->text, text, size);
        require(value->first + value->count <= operation->numbers.count, "numbers are missing");
        require(value->kind == STINT_OP_TENSOR || value->kind == STINT_OP_NUMBERS || !value->count,
                "something else has numbers");
    }
    require(!operation->is_cut || !operation->values.count, "something is cut, and has values");
    require(operation->kind != STINT_OP_PLAIN || (!operation->values.count && !operation->name.length),
            "a plain text says something");
}

static void check_amount(struct stint_op_amount amount)
{
    require(!amount.state || !amount.value, "a number is not known, and there is one");
}

static void check_cost(const struct stint_operation *operation)
{
    static const int64_t output[] = {2, 3, 5, 7};
    const struct stint_op_rule *rule = stint_op_rule_of(operation->name);
    for (int i = 0; rule && i < 4; i++) {
        struct stint_op_ask ask = {.operation = operation, .type = STINT_OP_FP16, .is_backward = i & 1};
        struct stint_op_cost cost;
        ask.output = i & 2 ? output : NULL;
        ask.output_dims = i & 2 ? sizeof output / sizeof output[0] : 0;
        stint_op_cost(rule, &ask, &cost);
        check_amount(cost.flops);
        check_amount(cost.executed_flops);
        check_amount(cost.bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct stint_operation s_operation; /* of the text before: it is forgotten */
    char *text = malloc(size ? size : 1);      /* no larger, so that a read beyond it is noticed */
    require(text != NULL, "no memory");
    if (size)
        memcpy(text, data, size);
    enum stint_op_kind kind = stint_operation_read(&s_operation, text, size);
    require(kind == s_operation.kind, "two kinds");
    check(&s_operation, text, size);
    check_cost(&s_operation);
    free(text);
    return 0;
}

#include "op_fixture.h"

#include <stdio.h>
#include <string.h>

#include "stint_test.h"

static char s_text[4096];

/* Appends the dictionary of an argument. */
static size_t put_argument(size_t used, const char *type, const char *word, size_t length)
{
    const char *equals = memchr(word, '=', length);
    size_t name = equals ? (size_t)(equals - word) : 0;
    const char *value = equals ? equals + 1 : word;
    size_t rest = length - (size_t)(value - word);
    char *out = s_text + used;
    size_t size = sizeof s_text - used;
    int put = snprintf(out, size, "{'name': '%.*s', ", (int)name, word);
    out += put;
    size -= (size_t)put;
    if (value[0] == '[')
        put += snprintf(out, size, "'type': 'tensor', 'shape': (%.*s,), 'dtype': '%s'}, ", (int)rest - 2, value + 1,
                        type ? type : "");
    else if (value[0] == '(')
        put += snprintf(out, size, "'type': 'tuple', 'value': %.*s}, ", (int)rest, value);
    else if (rest == 1 && value[0] == '-')
        put += snprintf(out, size, "'type': 'NoneType', 'value': None}, ");
    else if (value[0] == '\'')
        put += snprintf(out, size, "'type': 'str', 'value': %.*s}, ", (int)rest, value);
    else
        put += snprintf(out, size, "'type': 'int', 'value': %.*s}, ", (int)rest, value);
    return used + (size_t)put;
}

const char *op_marker(const char *name, const char *type, const char *arguments)
{
    size_t used = (size_t)snprintf(s_text, sizeof s_text, "{'mod': 'm', 'op': '%s', 'args': [", name);
    while (*arguments) {
        size_t length = strcspn(arguments, " ");
        used = put_argument(used, type, arguments, length);
        arguments += length + (arguments[length] == ' ');
    }
    (void)snprintf(s_text + used, sizeof s_text - used, "]}");
    return s_text;
}

static struct stint_op_cost cost_of(const char *text, struct stint_op_ask *ask)
{
    struct stint_operation operation = {0};
    struct stint_op_cost cost;
    assert_true(stint_operation_read(&operation, text, strlen(text)) != STINT_OP_PLAIN);
    const struct stint_op_rule *rule = stint_op_rule_of(operation.name);
    assert_non_null(rule);
    ask->operation = &operation;
    stint_op_cost(rule, ask, &cost);
    stint_operation_free(&operation);
    return cost;
}

struct stint_op_cost op_cost(const char *text, enum stint_op_type type, int is_backward)
{
    struct stint_op_ask ask = {.type = type, .is_backward = is_backward};
    return cost_of(text, &ask);
}

struct stint_op_cost op_cost_with(const char *text, enum stint_op_type type, const int64_t *output, size_t dims)
{
    struct stint_op_ask ask = {.type = type, .output = output, .output_dims = dims};
    return cost_of(text, &ask);
}

void assert_op_amount(struct stint_op_amount amount, uint64_t expected, const char *name, const char *what)
{
    uint64_t is = amount.state == STINT_OP_IS_UNKNOWN     ? OP_SOME
                  : amount.state == STINT_OP_IS_TOO_LARGE ? OP_FULL
                                                          : amount.value;
    if (is != expected)
        fail_msg("%s of %s: %llu instead of %llu", what, name, (unsigned long long)is, (unsigned long long)expected);
}

void assert_op_costs(const struct op_expected *expected, size_t count, int is_backward)
{
    for (size_t i = 0; i < count; i++) {
        const struct op_expected *each = &expected[i];
        struct stint_op_cost cost = op_cost(op_marker(each->name, each->type, each->arguments), 0, is_backward);
        assert_op_amount(cost.flops, each->flops, each->name, "flops");
        assert_op_amount(cost.bytes, each->bytes, each->name, "bytes");
    }
}

/* ------------------------------------------------------------------------------------------------- what was read */

struct stint_operation op_read;

enum stint_op_kind op_read_text(const char *text)
{
    return stint_operation_read(&op_read, text, strlen(text));
}

static int put_numbers(char *out, size_t size, const struct stint_op_value *value)
{
    int used = 0;
    for (size_t i = 0; i < value->count; i++)
        used += snprintf(out + used, size - (size_t)used, i ? " %lld" : "%lld",
                         (long long)stint_op_numbers(&op_read, value)[i]);
    return used;
}

/* Returns the op_values as text: "name:[64 16]fp16<783.0" for a tensor by output 0 of 783, "?" for what is unknown. */
const char *op_values(void)
{
    static char text[1024];
    int used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < op_read.values.count; i++) {
        const struct stint_op_value *value = stint_op_values(&op_read) + i;
#define PUT(...) used += snprintf(text + used, sizeof text - (size_t)used, __VA_ARGS__)
        PUT("%s%.*s%s", i ? " " : "", (int)value->name.length, value->name.text, value->name.length ? ":" : "");
        switch (value->kind) {
        case STINT_OP_TENSOR:
        case STINT_OP_NUMBERS:
            PUT(value->kind == STINT_OP_TENSOR ? "[" : "(");
            used += put_numbers(text + used, sizeof text - (size_t)used, value);
            PUT(value->kind == STINT_OP_TENSOR ? "]" : ")");
            if (value->type)
                PUT("%s", stint_op_type_name(value->type));
            break;
        case STINT_OP_NUMBER:
        case STINT_OP_SWITCH:
            PUT("%s%g", value->kind == STINT_OP_SWITCH ? "!" : "", value->number);
            break;
        case STINT_OP_TEXT:
            PUT("'%.*s'", (int)value->text.length, value->text.text);
            break;
        default:
            PUT(value->kind == STINT_OP_NONE ? "None" : "?");
        }
        if (value->producer)
            PUT("<%llu.%u", (unsigned long long)value->producer, value->producer_output);
#undef PUT
    }
    return text;
}

void assert_op_name(const char *name)
{
    assert_int_equal(op_read.name.length, strlen(name));
    assert_memory_equal(op_read.name.text, name, strlen(name));
}

void assert_op_module(const char *name)
{
    assert_int_equal(op_read.module.length, strlen(name));
    assert_memory_equal(op_read.module.text, name, strlen(name));
}

int op_read_forget(void **state)
{
    stint_operation_free(&op_read);
    return 0;
}

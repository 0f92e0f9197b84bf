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

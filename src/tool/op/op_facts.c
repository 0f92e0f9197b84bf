/* Reads what texts of traces by torch.profiler say about operations: types, values, strides. */
#include "op/operation.h"

typedef void fact_fn(struct stint_operation *operation, struct stint_op_value *value, struct stint_piece text);

/* Takes a list of texts, and passes each on with the values of the argument that it is about: a list of tensors has
 * several. Empty texts say nothing. */
static int read_texts(struct stint_operation *operation, struct stint_op_scan *scan, fact_fn *tell)
{
    struct stint_op_value *values = operation->values.items;
    struct stint_piece text;
    size_t value = 0;
    if (!stint_op_scan_sign(scan, '['))
        return -1;
    for (size_t argument = 0; !stint_op_scan_sign(scan, ']'); argument++) {
        if (stint_op_scan_text(scan, &text))
            return -1;
        for (; value < operation->values.count && values[value].argument == argument; value++)
            if (text.length)
                tell(operation, &values[value], text);
        (void)stint_op_scan_sign(scan, ',');
    }
    return 0;
}

/* A tensor without dimensions has a type, but no sizes. */
static void tell_type(struct stint_operation *operation, struct stint_op_value *value, struct stint_piece text)
{
    (void)operation;
    value->type = stint_op_type_of(text);
    if (value->type)
        value->kind = STINT_OP_TENSOR;
}

/* Takes "[1, 1]" or "[True, False]" as numbers of the value. Returns 0, or -1 if it is something else. */
static int read_list(struct stint_operation *operation, struct stint_op_value *value, struct stint_op_scan scan)
{
    struct stint_op_scan within = scan;
    if (!stint_op_scan_sign(&within, '[') || stint_operation_add_list(operation, value, &scan))
        return -1;
    value->kind = STINT_OP_NUMBERS;
    return 0;
}

static void tell_input(struct stint_operation *operation, struct stint_op_value *value, struct stint_piece text)
{
    struct stint_op_scan scan = {text.text, text.text + text.length};
    struct stint_piece whole;
    if (value->kind != STINT_OP_UNKNOWN || !read_list(operation, value, scan))
        return;
    value->text = text;
    value->kind = STINT_OP_TEXT;
    if (stint_op_is(text, "None"))
        value->kind = STINT_OP_NONE;
    else if (stint_op_is(text, "True") || stint_op_is(text, "False")) {
        value->kind = STINT_OP_SWITCH;
        value->number = stint_op_is(text, "True");
    } else if (!stint_op_scan_number(&scan, &value->number, &whole) && whole.length == text.length)
        value->kind = STINT_OP_NUMBER;
}

int stint_op_facts_types(struct stint_operation *operation, struct stint_op_scan *scan)
{
    return read_texts(operation, scan, tell_type);
}

int stint_op_facts_inputs(struct stint_operation *operation, struct stint_op_scan *scan)
{
    return read_texts(operation, scan, tell_input);
}

/* Takes the declaration of an argument: "int[2] stride=1", "Tensor(a!) self", or a star, behind which are those that
 * have to be named. */
static struct stint_piece take_declaration(struct stint_piece *rest)
{
    size_t length = 0, depth = 0;
    for (; length < rest->length; length++) {
        char c = rest->text[length];
        if (!depth && (c == ',' || c == ')'))
            break;
        depth += c == '(' || c == '[';
        depth -= depth && (c == ')' || c == ']');
    }
    struct stint_piece taken = {rest->text, length};
    size_t behind = length + (length < rest->length);
    *rest = (struct stint_piece){rest->text + behind, rest->length - behind};
    if (length && behind > length && taken.text[length] == ')')
        rest->length = 0;
    return taken;
}

static struct stint_piece last_word(struct stint_piece declaration)
{
    const char *equals = declaration.length ? memchr(declaration.text, '=', declaration.length) : NULL;
    if (equals)
        declaration.length = (size_t)(equals - declaration.text);
    const char *blank = declaration.length ? memrchr(declaration.text, ' ', declaration.length) : NULL;
    size_t before = blank ? (size_t)(blank + 1 - declaration.text) : 0;
    return (struct stint_piece){declaration.text + before, declaration.length - before};
}

struct stint_piece stint_op_facts_name(struct stint_piece schema, size_t argument)
{
    const char *opens = schema.length ? memchr(schema.text, '(', schema.length) : NULL;
    struct stint_piece rest = {"", 0};
    if (opens)
        rest = (struct stint_piece){opens + 1, schema.length - (size_t)(opens + 1 - schema.text)};
    while (rest.length) {
        struct stint_piece name = last_word(take_declaration(&rest));
        if (stint_op_is(name, "*"))
            continue;
        if (!argument--)
            return name;
    }
    return (struct stint_piece){"", 0};
}

int stint_op_facts_skip(struct stint_op_scan *scan)
{
    size_t depth = 0;
    do {
        if (scan->at == scan->end)
            return -1;
        depth += *scan->at == '[';
        depth -= depth && *scan->at == ']';
        scan->at++;
    } while (depth);
    return 0;
}

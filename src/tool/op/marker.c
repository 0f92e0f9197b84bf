/* Takes dictionaries of pyprof.init() apart. */
#include "op/operation.h"

#include "op/op_scan.h"

/* ------------------------------------------------------------------------------------------------------------ skip */

static int is_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("+-._", c));
}

/* Takes a number, or a word like None. */
static int skip_word(struct stint_op_scan *scan)
{
    const char *from = scan->at;
    while (scan->at < scan->end && is_of_word(*scan->at))
        scan->at++;
    return scan->at == from ? -1 : 0;
}

static int skip(struct stint_op_scan *scan, int depth);

/* Takes the values up to what ends them, of which the last may have a comma, too. Those of dictionaries have colons. */
static int skip_values(struct stint_op_scan *scan, char end, int depth)
{
    while (!stint_op_scan_sign(scan, end)) {
        if (skip(scan, depth))
            return -1;
        (void)(stint_op_scan_sign(scan, ',') || stint_op_scan_sign(scan, ':'));
    }
    return 0;
}

/* Takes any value. */
static int skip(struct stint_op_scan *scan, int depth)
{
    struct stint_piece text;
    if (depth == STINT_OP_MARKER_DEPTH)
        return -1;
    if (stint_op_scan_sign(scan, '['))
        return skip_values(scan, ']', depth + 1);
    if (stint_op_scan_sign(scan, '('))
        return skip_values(scan, ')', depth + 1);
    if (stint_op_scan_sign(scan, '{'))
        return skip_values(scan, '}', depth + 1);
    if (scan->at < scan->end && (*scan->at == '\'' || *scan->at == '"'))
        return stint_op_scan_text(scan, &text);
    return skip_word(scan);
}

/* Reads the value of a key, or skips it. */
typedef int read_fn(struct stint_operation *operation, struct stint_op_scan *scan, struct stint_piece key,
                    void *caller);

/* Takes a dictionary, calling `read` for each key. */
static int read_dictionary(struct stint_operation *operation, struct stint_op_scan *scan, read_fn *read, void *caller)
{
    struct stint_piece key;
    if (!stint_op_scan_sign(scan, '{'))
        return -1;
    while (!stint_op_scan_sign(scan, '}')) {
        if (stint_op_scan_text(scan, &key) || !stint_op_scan_sign(scan, ':') || read(operation, scan, key, caller))
            return -1;
        (void)stint_op_scan_sign(scan, ',');
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------- arguments */

/* What the dictionary of an argument says: {'name': '', 'type': 'tensor', 'shape': (64, 16), 'dtype': 'float16'}. */
struct argument {
    struct stint_op_value *value; /* the text that follows 'value' is its `text` */
    struct stint_piece type;
};

static int read_argument_key(struct stint_operation *operation, struct stint_op_scan *scan, struct stint_piece key,
                             void *caller)
{
    struct argument *argument = caller;
    struct stint_piece dtype;
    if (stint_op_is(key, "name"))
        return stint_op_scan_text(scan, &argument->value->name);
    if (stint_op_is(key, "type"))
        return stint_op_scan_text(scan, &argument->type);
    if (stint_op_is(key, "shape"))
        return stint_operation_add_list(operation, argument->value, scan);
    if (stint_op_is(key, "dtype")) {
        if (stint_op_scan_text(scan, &dtype))
            return -1;
        argument->value->type = stint_op_type_of(dtype);
        return 0;
    }
    stint_op_scan_blanks(scan);
    const char *from = scan->at;
    if (skip(scan, 0))
        return -1;
    if (stint_op_is(key, "value"))
        argument->value->text = (struct stint_piece){from, (size_t)(scan->at - from)};
    return 0;
}

/* A list that is not of whole numbers is a text. */
static void read_list(struct stint_operation *operation, struct stint_op_value *value, struct stint_op_scan scan)
{
    value->kind = stint_operation_add_list(operation, value, &scan) ? STINT_OP_TEXT : STINT_OP_NUMBERS;
}

/* Says what the value is, by its type and the text that follows 'value'. Booleans are written as Python does. */
static void settle(struct stint_operation *operation, const struct argument *argument)
{
    struct stint_op_value *value = argument->value;
    struct stint_op_scan scan = {value->text.text, value->text.text + value->text.length};
    struct stint_piece type = argument->type, text;
    if (stint_op_is(type, "tensor") || stint_op_is(type, "ndarray"))
        value->kind = STINT_OP_TENSOR;
    if (value->kind == STINT_OP_TENSOR)
        return;
    value->count = 0;
    if (stint_op_is(type, "NoneType"))
        value->kind = STINT_OP_NONE;
    else if (!value->text.length)
        value->kind = STINT_OP_UNKNOWN;
    else if (stint_op_is(value->text, "True") || stint_op_is(value->text, "False")) {
        value->kind = STINT_OP_SWITCH;
        value->number = stint_op_is(value->text, "True");
    } else if (stint_op_is(type, "list") || stint_op_is(type, "tuple"))
        read_list(operation, value, scan);
    else if (!stint_op_scan_text(&scan, &text)) { /* also numbers that are not finite: 'inf' */
        value->kind = STINT_OP_TEXT;
        value->text = text;
    } else if (!stint_op_scan_number(&scan, &value->number, &text))
        value->kind = STINT_OP_NUMBER;
    else
        value->kind = STINT_OP_TEXT;
}

static int read_arguments(struct stint_operation *operation, struct stint_op_scan *scan)
{
    if (!stint_op_scan_sign(scan, '['))
        return -1;
    while (!stint_op_scan_sign(scan, ']')) {
        struct argument argument = {.value = stint_operation_add_value(operation), .type = {"", 0}};
        if (!argument.value || read_dictionary(operation, scan, read_argument_key, &argument))
            return -1;
        settle(operation, &argument);
        (void)stint_op_scan_sign(scan, ',');
    }
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- marker */

static int read_trace(struct stint_operation *operation, struct stint_op_scan *scan)
{
    struct stint_piece line;
    if (!stint_op_scan_sign(scan, '['))
        return -1;
    while (!stint_op_scan_sign(scan, ']')) {
        if (stint_op_scan_text(scan, &line) || stint_operation_add_line(operation, line))
            return -1;
        (void)stint_op_scan_sign(scan, ',');
    }
    return 0;
}

/* Which keys there were. */
enum { HAS_MOD = 1, HAS_OP = 2, HAS_ARGS = 4, HAS_TRACE = 8, HAS_TEXT = 16 };

static int read_key(struct stint_operation *operation, struct stint_op_scan *scan, struct stint_piece key, void *caller)
{
    int *has = caller;
    if (stint_op_is(key, "mod")) {
        *has |= HAS_MOD;
        return stint_op_scan_text(scan, &operation->module);
    }
    if (stint_op_is(key, "op") || stint_op_is(key, "strRepr")) {
        *has |= stint_op_is(key, "op") ? HAS_OP : HAS_TEXT;
        return stint_op_scan_text(scan, &operation->name);
    }
    if (stint_op_is(key, "args")) {
        *has |= HAS_ARGS;
        return read_arguments(operation, scan);
    }
    if (stint_op_is(key, "traceMarker")) {
        *has |= HAS_TRACE;
        return read_trace(operation, scan);
    }
    return skip(scan, 0);
}

enum stint_op_kind stint_marker_read(struct stint_operation *operation, const char *text, size_t length)
{
    struct stint_op_scan scan = {text, text + length};
    int has = 0;
    if (read_dictionary(operation, &scan, read_key, &has) || scan.at != scan.end)
        return STINT_OP_PLAIN;
    if ((has & (HAS_MOD | HAS_OP | HAS_ARGS)) == (HAS_MOD | HAS_OP | HAS_ARGS))
        return STINT_OP_MARKER;
    if (has & HAS_TRACE)
        return STINT_OP_TRACE;
    return has & HAS_TEXT ? STINT_OP_MODULE : STINT_OP_PLAIN;
}

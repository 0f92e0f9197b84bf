/* Takes the texts of operations apart, as PyTorch's emit_nvtx of any version makes them. */
#include "op/operation.h"

#include "op/op_scan.h"

/* ------------------------------------------------------------------------------------------------------------- add */

/* What was added before is kept in the arena for the next operation, but not as zeroes. */
static void *add_item(struct stint_array *array, struct stint_operation *operation, size_t size)
{
    if (array->count == STINT_OP_MOST)
        return NULL;
    void *item = stint_array_add(array, &operation->arena, size);
    if (item)
        memset(item, 0, size);
    else
        operation->failed = 1;
    return item;
}

struct stint_op_value *stint_operation_add_value(struct stint_operation *operation)
{
    struct stint_op_value *value = add_item(&operation->values, operation, sizeof *value);
    if (value)
        *value = (struct stint_op_value){.name = {"", 0}, .text = {"", 0}, .first = operation->numbers.count};
    return value;
}

static int add_number(struct stint_operation *operation, int64_t number)
{
    int64_t *item = add_item(&operation->numbers, operation, sizeof *item);
    if (!item)
        return -1;
    *item = number;
    return 0;
}

int stint_operation_add_line(struct stint_operation *operation, struct stint_piece line)
{
    struct stint_piece *item = add_item(&operation->trace, operation, sizeof *item);
    if (!item)
        return -1;
    *item = line;
    return 0;
}

int stint_operation_add_list(struct stint_operation *operation, struct stint_op_value *value,
                             struct stint_op_scan *scan)
{
    char end = stint_op_scan_sign(scan, '(') ? ')' : stint_op_scan_sign(scan, '[') ? ']' : '\0';
    size_t first = operation->numbers.count;
    int64_t number;
    value->count = 0;
    if (!end)
        return -1;
    while (!stint_op_scan_sign(scan, end)) {
        if (stint_op_scan_switch(scan, &number) || add_number(operation, number)) {
            operation->numbers.count = first;
            return -1;
        }
        (void)stint_op_scan_sign(scan, ',');
    }
    value->first = first;
    value->count = operation->numbers.count - first;
    return 0;
}

static void forget_values(struct stint_operation *operation)
{
    operation->values.count = 0;
    operation->numbers.count = 0;
    operation->trace.count = 0;
}

static void forget(struct stint_operation *operation)
{
    forget_values(operation);
    operation->kind = STINT_OP_PLAIN;
    operation->name = operation->module = (struct stint_piece){"", 0};
    operation->has_seq = operation->is_cut = 0;
    operation->seq = operation->op_id = operation->forward_thread = 0;
    operation->collective = operation->schema = operation->kernel_file = operation->hlo_op =
        (struct stint_piece){"", 0};
    operation->group_size = operation->in_elements = operation->out_elements = 0;
    operation->type = STINT_OP_TYPE_UNKNOWN;
    operation->pass = -1;
    operation->program = -1;
    operation->is_counted = operation->is_matrix = 0;
    operation->flops = operation->bytes = UINT64_MAX;
    operation->layer = (struct stint_piece){"", 0};
}

/* ------------------------------------------------------------------------------------------------------- emit_nvtx */

/* Takes "[64, 16]" behind its bracket, as a shape; "[]" is of something that is no tensor, or of a tensor without
 * dimensions. */
static int read_shape(struct stint_operation *operation, struct stint_op_scan *scan, size_t argument)
{
    struct stint_op_value *value = stint_operation_add_value(operation);
    int64_t number;
    if (!value)
        return -1;
    value->argument = argument;
    if (stint_op_scan_sign(scan, ']'))
        return 0;
    do {
        if (stint_op_scan_whole(scan, &number) || add_number(operation, number))
            return -1;
        value->count++;
    } while (stint_op_scan_sign(scan, ','));
    value->kind = STINT_OP_TENSOR;
    return stint_op_scan_sign(scan, ']') ? 0 : -1;
}

/* Takes "[[64, 16], [], [[3], [4]]]": a list among the arguments has its tensors in brackets of their own, or, in most
 * versions of PyTorch, has none, and its tensors follow each other. */
static int read_sizes(struct stint_operation *operation, struct stint_op_scan *scan)
{
    int depth = 1;
    size_t argument = 0;
    if (!stint_op_scan_sign(scan, '['))
        return -1;
    while (depth) {
        if (stint_op_scan_sign(scan, ']')) {
            argument += --depth == 1;
        } else if (stint_op_scan_sign(scan, '[')) {
            struct stint_op_scan within = *scan;
            if (depth == 1 && stint_op_scan_sign(&within, '['))
                depth++;
            else if (read_shape(operation, scan, argument))
                return -1;
            else
                argument += depth == 1;
        } else {
            return -1;
        }
        (void)(depth && stint_op_scan_sign(scan, ','));
    }
    return 0;
}

/* Takes "(780,0)". */
static int read_producer(struct stint_op_scan *scan, int64_t *op_id, int64_t *output)
{
    return stint_op_scan_sign(scan, '(') && !stint_op_scan_whole(scan, op_id) && stint_op_scan_sign(scan, ',') &&
                   !stint_op_scan_whole(scan, output) && stint_op_scan_sign(scan, ')')
               ? 0
               : -1;
}

/* Takes "[(780,0), (0,-1)]". There is one for each size, unless a list has tensors that are not defined: then it cannot
 * be told which is whose. */
static int read_producers(struct stint_operation *operation, struct stint_op_scan *scan)
{
    struct stint_op_value *values = operation->values.items;
    size_t count = 0;
    if (!stint_op_scan_sign(scan, '['))
        return -1;
    while (!stint_op_scan_sign(scan, ']')) {
        int64_t op_id, output;
        if (read_producer(scan, &op_id, &output))
            return -1;
        if (count < operation->values.count && op_id > 0 && output >= 0 && output <= UINT16_MAX) {
            values[count].producer = (uint64_t)op_id;
            values[count].producer_output = (unsigned)output;
        }
        count++;
        (void)stint_op_scan_sign(scan, ',');
    }
    for (size_t i = 0; count != operation->values.count && i < operation->values.count; i++)
        values[i].producer = 0;
    return 0;
}

/* Takes ", KEY = " if it is next. */
static int take_key(struct stint_op_scan *scan, const char *key)
{
    struct stint_op_scan at = *scan;
    if (!stint_op_scan_word(&at, ", ") || !stint_op_scan_word(&at, key) || !stint_op_scan_word(&at, " = "))
        return 0;
    *scan = at;
    return 1;
}

static int take_count(struct stint_op_scan *scan, const char *key, uint64_t *count)
{
    struct stint_op_scan at = *scan;
    int64_t number;
    if (!take_key(&at, key) || stint_op_scan_whole(&at, &number) || number < 0)
        return 0;
    *scan = at;
    *count = (uint64_t)number;
    return 1;
}

/* Finds the first text of an operation's data: the name before it may contain commas. */
static int find_data(struct stint_op_scan *scan)
{
    while ((scan->at = memchr(scan->at, ',', (size_t)(scan->end - scan->at)))) {
        struct stint_op_scan at = *scan;
        uint64_t count;
        if (take_count(&at, "seq", &count) || take_count(&at, "op_id", &count) ||
            (take_key(&at, "sizes") && stint_op_scan_word(&at, "[")) || stint_op_scan_word(&at, ", direction = \""))
            return 1;
        scan->at++;
    }
    return 0;
}

static int take_text(struct stint_op_scan *scan, const char *key, struct stint_piece *text)
{
    struct stint_op_scan at = *scan;
    if (!take_key(&at, key) || stint_op_scan_text(&at, text))
        return 0;
    *scan = at;
    return 1;
}

static void read_collective(struct stint_operation *operation, struct stint_op_scan *scan)
{
    struct stint_piece type;
    (void)take_text(scan, "collective", &operation->collective);
    if (take_text(scan, "dtype", &type))
        operation->type = stint_op_type_of(type);
    (void)take_count(scan, "group_size", &operation->group_size);
    (void)take_count(scan, "in_elements", &operation->in_elements);
    (void)take_count(scan, "out_elements", &operation->out_elements);
}

/* What stint/op.h says about direction and layer. */
static void read_pass(struct stint_operation *operation, struct stint_op_scan *scan)
{
    struct stint_piece word;
    if (take_text(scan, "direction", &word))
        operation->pass = stint_op_is(word, "bprop")   ? STINT_OP_BACKWARD
                          : stint_op_is(word, "optim") ? STINT_OP_UPDATE
                                                       : STINT_OP_FORWARD;
    (void)take_text(scan, "layer", &operation->layer);
}

static void read_xla(struct stint_operation *operation, struct stint_op_scan *scan)
{
    uint64_t program, is_matrix = 0;
    (void)take_text(scan, "hlo_op", &operation->hlo_op);
    (void)take_count(scan, "flops", &operation->flops);
    (void)take_count(scan, "bytes", &operation->bytes);
    operation->is_counted = take_count(scan, "matrix", &is_matrix);
    operation->is_matrix = is_matrix != 0;
    if (take_count(scan, "program", &program) && program <= INT64_MAX)
        operation->program = (int64_t)program;
}

/* Returns 0, or -1 if the text ends too early, or is not as it should be. */
static int read_data(struct stint_operation *operation, struct stint_op_scan *scan)
{
    (void)take_count(scan, "forward_thread", &operation->forward_thread);
    (void)take_text(scan, "schema", &operation->schema);
    (void)take_text(scan, "kernel_file", &operation->kernel_file);
    (void)take_text(scan, "nodes", &operation->nodes);
    (void)take_text(scan, "aten", &operation->aten);
    read_xla(operation, scan);
    read_collective(operation, scan);
    if ((take_key(scan, "sizes") && read_sizes(operation, scan)) ||
        (take_key(scan, "input_op_ids") && read_producers(operation, scan)) ||
        (take_key(scan, "types") && stint_op_facts_types(operation, scan)) ||
        (take_key(scan, "strides") && stint_op_facts_skip(scan)) ||
        (take_key(scan, "inputs") && stint_op_facts_inputs(operation, scan)))
        return -1;
    read_pass(operation, scan);
    return scan->at != scan->end ? -1 : 0;
}

/* "Optimizer.step#SGD.step", which torch.profiler has without data. */
static enum stint_op_kind read_step(struct stint_operation *operation, const char *text, size_t length)
{
    struct stint_op_scan scan = {text, text + length};
    if (!stint_op_scan_word(&scan, "Optimizer.") || !memchr(text, '#', length))
        return STINT_OP_PLAIN;
    operation->name = (struct stint_piece){text, length};
    return STINT_OP_CALL;
}

static enum stint_op_kind read_call(struct stint_operation *operation, const char *text, size_t length)
{
    struct stint_op_scan scan = {text, text + length};
    if (!find_data(&scan) || scan.at == text)
        return read_step(operation, text, length);
    operation->name = (struct stint_piece){text, (size_t)(scan.at - text)};
    operation->has_seq = take_count(&scan, "seq", &operation->seq);
    (void)take_count(&scan, "op_id", &operation->op_id);
    if (scan.at != scan.end && *scan.at != ',')
        return STINT_OP_PLAIN;
    if (read_data(operation, &scan)) {
        operation->is_cut = 1;
        forget_values(operation);
    }
    return STINT_OP_CALL;
}

/* ------------------------------------------------------------------------------------------------------------ read */

static enum stint_op_kind read_layer(struct stint_operation *operation, struct stint_op_scan scan)
{
    stint_op_scan_blanks(&scan);
    operation->name = stint_op_scan_rest(&scan);
    return operation->name.length ? STINT_OP_LAYER : STINT_OP_PLAIN;
}

enum stint_op_kind stint_operation_read(struct stint_operation *operation, const char *text, size_t length)
{
    struct stint_op_scan scan = {text, text + length};
    forget(operation);
    if (length && text[0] == '{')
        operation->kind = stint_marker_read(operation, text, length);
    else if (stint_op_scan_word(&scan, "layer:"))
        operation->kind = read_layer(operation, scan);
    else
        operation->kind = read_call(operation, text, length);
    if (operation->kind == STINT_OP_PLAIN)
        forget(operation);
    return operation->kind;
}

const char *stint_operation_fact(const struct stint_operation *operation, size_t index, struct stint_piece *fact)
{
    const struct {
        const char *name;
        struct stint_piece fact;
    } facts[] = {{"kernel_file", operation->kernel_file},
                 {"nodes", operation->nodes},
                 {"aten", operation->aten},
                 {"hlo_op", operation->hlo_op}};
    if (index >= sizeof facts / sizeof facts[0])
        return NULL;
    *fact = facts[index].fact;
    return facts[index].name;
}

void stint_operation_free(struct stint_operation *operation)
{
    stint_arena_free(&operation->arena);
}

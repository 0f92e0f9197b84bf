/* Keeps the texts of ranges, without the numbers that are different at every push. */
#include "op/op_join.h"

#include <string.h>

static const struct stint_table_key s_text = STINT_TABLE_KEY_COPYING(struct stint_op_text, piece);

/* Returns the position of the text, and whether it is new. */
static uint32_t keep(struct stint_op_texts *texts, struct stint_piece text, int *is_new)
{
    size_t count = texts->rows.count;
    struct stint_op_text like = {
        .piece = text, .name = {"", 0}, .module = {"", 0}, .pass = -1, .layer = {"", 0}, .program = -1};
    const void *row = count < STINT_OP_NO_TEXT - 1 ? stint_table_take(&texts->rows, &s_text, &texts->arena, &like)
                                                   : stint_table_find(&texts->rows, &s_text, &like);
    *is_new = texts->rows.count > count;
    texts->failed |= !row;
    return row ? (uint32_t)stint_table_position(&texts->rows, &s_text, row) : STINT_OP_NO_TEXT;
}

/* ---------------------------------------------------------------------------------------------------------- calls */

enum { FIRST_ROOM = 256 };

int stint_op_buffer_put(struct stint_op_buffer *buffer, struct stint_arena *arena, const char *bytes, size_t length)
{
    if (!length)
        return 0;
    if (length > buffer->room - buffer->length) {
        size_t room = 2 * (buffer->length + length) + FIRST_ROOM;
        char *text = stint_arena_alloc(arena, room);
        if (!text)
            return -1;
        memcpy(text, buffer->length ? buffer->text : "", buffer->length);
        buffer->text = text;
        buffer->room = room;
    }
    memcpy(buffer->text + buffer->length, bytes, length);
    buffer->length += length;
    return 0;
}

static int put(struct stint_op_texts *texts, const char *bytes, size_t length)
{
    return stint_op_buffer_put(&texts->buffer, &texts->arena, bytes, length);
}

/* Returns what is behind ", KEY = NUMBER" if the text begins so. */
static struct stint_piece without_number(struct stint_piece text, const char *key)
{
    size_t length = strlen(key);
    if (text.length < length || memcmp(text.text, key, length) != 0)
        return text;
    while (length < text.length && text.text[length] >= '0' && text.text[length] <= '9')
        length++;
    return (struct stint_piece){text.text + length, text.length - length};
}

/* Takes a list of operations that made the inputs out of the text: returns where it begins, and in *behind what follows
 * it. */
static size_t find_inputs(struct stint_piece text, struct stint_piece *behind)
{
    static const char begins[] = ", input_op_ids = [";
    const char *from = text.length ? memmem(text.text, text.length, begins, sizeof begins - 1) : NULL;
    *behind = (struct stint_piece){"", 0};
    if (!from)
        return text.length;
    const char *end = text.text + text.length,
               *close = memchr(from + sizeof begins - 1, ']', (size_t)(end - from) - sizeof begins + 1);
    if (close)
        *behind = (struct stint_piece){close + 1, (size_t)(end - close) - 1};
    return (size_t)(from - text.text);
}

/* Makes "aten::mm, op_id = 0, sizes = [[64, 16], [16, 10]]". What is cut is a bare comma behind it. */
static struct stint_piece without_numbers(struct stint_op_texts *texts, const struct stint_operation *operation,
                                          const char *text, size_t length)
{
    static const char number[] = ", op_id = 0";
    struct stint_piece rest = {text + operation->name.length, length - operation->name.length}, behind;
    rest = without_number(without_number(without_number(rest, ", seq = "), ", op_id = "), ", forward_thread = ");
    if (operation->is_cut)
        rest = (struct stint_piece){",", 1};
    rest.length = find_inputs(rest, &behind);
    texts->buffer.length = 0;
    if (put(texts, operation->name.text, operation->name.length) || put(texts, number, sizeof number - 1) ||
        put(texts, rest.text, rest.length) || put(texts, behind.text, behind.length)) {
        texts->failed = 1;
        return (struct stint_piece){"", 0};
    }
    return (struct stint_piece){texts->buffer.text, texts->buffer.length};
}

/* ------------------------------------------------------------------------------------------------------------ add */

/* A part of the text, as a part of the copy of it; names of operations begin both. */
static struct stint_piece moved(struct stint_piece piece, const char *from, const char *to)
{
    return piece.length ? (struct stint_piece){to + (piece.text - from), piece.length} : piece;
}

/* With some type, so that it is the shape that is not known. */
static int wants_output(const struct stint_op_rule *rule, const struct stint_operation *operation)
{
    struct stint_op_ask ask = {.operation = operation, .type = STINT_OP_FP32};
    struct stint_op_cost cost;
    stint_op_cost(rule, &ask, &cost);
    return cost.flops.state == STINT_OP_IS_UNKNOWN || cost.bytes.state == STINT_OP_IS_UNKNOWN;
}

/* The layer ends the text, but for its quotation mark. */
static struct stint_piece layer_in(const struct stint_operation *operation, const struct stint_op_text *row)
{
    size_t length = operation->layer.length;
    return length ? (struct stint_piece){row->text + row->length - 1 - length, length} : operation->layer;
}

/* A backward operation of stint/op.h that leaves what it is to the forward one. */
static int is_without_operands(const struct stint_operation *operation)
{
    return operation->pass == STINT_OP_BACKWARD && !operation->values.count;
}

uint32_t stint_op_texts_add(struct stint_op_texts *texts, const struct stint_operation *operation, const char *text,
                            size_t length)
{
    int is_new;
    struct stint_piece kept = {text, length};
    if (operation->kind == STINT_OP_CALL)
        kept = without_numbers(texts, operation, text, length);
    uint32_t at = kept.length ? keep(texts, kept, &is_new) : STINT_OP_NO_TEXT;
    if (at == STINT_OP_NO_TEXT || !is_new)
        return at;
    struct stint_op_text *row = (struct stint_op_text *)texts->rows.items + at;
    row->kind = operation->kind;
    row->name = moved(operation->name, text, row->text);
    row->module = moved(operation->module, text, row->text);
    row->pass = operation->pass;
    row->program = operation->program;
    row->layer = layer_in(operation, row);
    if (operation->is_counted || operation->hlo_op.length) {
        row->rule = operation->is_counted ? stint_op_rule_counted(operation->is_matrix) : NULL;
        return at;
    }
    if (is_without_operands(operation))
        return at;
    if (operation->kind == STINT_OP_CALL || operation->kind == STINT_OP_MARKER)
        row->rule = stint_op_rule_of(row->name);
    if (row->rule && row->kind == STINT_OP_CALL)
        row->wants_output = wants_output(row->rule, operation);
    return at;
}

uint32_t stint_op_texts_add_plain(struct stint_op_texts *texts, const char *text, size_t length)
{
    int is_new;
    return keep(texts, (struct stint_piece){text, length}, &is_new);
}

uint32_t stint_op_texts_find(const struct stint_op_texts *texts, const char *text)
{
    struct stint_op_text like = {.piece = {text, strlen(text)}};
    const void *row = stint_table_find(&texts->rows, &s_text, &like);
    return row ? (uint32_t)stint_table_position(&texts->rows, &s_text, row) : STINT_OP_NO_TEXT;
}

void stint_op_texts_free(struct stint_op_texts *texts)
{
    stint_arena_free(&texts->arena);
}

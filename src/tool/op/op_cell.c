/* Cells of the lines of stint ops: what each column says of a kernel. */
#include "op/op_table.h"

#include <string.h>

#include "op/operation.h"

/* ------------------------------------------------------------------------------------------------------------ text */

static void put(struct stint_op_cell *cell, const char *bytes, size_t length)
{
    if (stint_op_buffer_put(&cell->text, &cell->arena, bytes, length))
        cell->failed = 1;
}

static void put_string(struct stint_op_cell *cell, const char *string)
{
    put(cell, string, strlen(string));
}

static void put_piece(struct stint_op_cell *cell, struct stint_piece piece)
{
    put(cell, piece.text, piece.length);
}

static void put_u64(struct stint_op_cell *cell, uint64_t value)
{
    char number[STINT_NUMBER_SIZE];
    put(cell, number, stint_number_u64(number, value));
}

static void put_i64(struct stint_op_cell *cell, int64_t value)
{
    char number[STINT_NUMBER_SIZE];
    put(cell, number, stint_number_i64(number, value));
}

/* ------------------------------------------------------------------------------------------------------- operation */

enum { MOST_SEQS = 8 };

/* Numbers of the operations around the kernel, each once: first the one that says when it ran. A backward operation may
 * run forward ones, whose numbers are younger. */
static size_t seqs_of(const struct stint_op_rows *rows, const struct stint_op_row *row, uint64_t *seqs)
{
    size_t count = 0;
    uint32_t at = row->kernel->frame;
    while (at != STINT_OP_NO_FRAME) {
        const struct stint_op_frame *frame = stint_op_frame_at(rows->join, at);
        size_t same = 0;
        while (same < count && seqs[same] != frame->seq)
            same++;
        if (frame->has_seq && same == count && count < MOST_SEQS)
            seqs[count++] = frame->seq;
        at = frame->parent;
    }
    if (count && row->frame->direction == STINT_OP_BACKWARD) {
        uint64_t outermost = seqs[count - 1];
        memmove(seqs + 1, seqs, (count - 1) * sizeof *seqs);
        seqs[0] = outermost;
    }
    return count;
}

static void put_seqs(struct stint_op_cell *cell, const struct stint_op_rows *rows, const struct stint_op_row *row,
                     int others)
{
    uint64_t seqs[MOST_SEQS];
    size_t count = seqs_of(rows, row, seqs), end = others ? count : count != 0;
    for (size_t i = others ? 1 : 0; i < end; i++) {
        put_string(cell, i > 1 ? "," : "");
        put_u64(cell, seqs[i]);
    }
    if (!cell->text.length)
        put_string(cell, "-");
}

/* Returns the innermost frame of that kind around a frame; then around its forward one. */
static uint32_t find_kind(const struct stint_op_rows *rows, uint32_t from, enum stint_op_kind kind)
{
    uint32_t forward = from == STINT_OP_NO_FRAME ? from : stint_op_frame_at(rows->join, from)->forward;
    for (int i = 0; i < 2; i++, from = forward)
        for (uint32_t at = from; at != STINT_OP_NO_FRAME; at = stint_op_frame_at(rows->join, at)->parent)
            if (stint_op_text_at(&rows->join->texts, stint_op_frame_at(rows->join, at)->text)->kind == kind)
                return at;
    return STINT_OP_NO_FRAME;
}

static void read_frame(struct stint_op_cell *cell, const struct stint_op_rows *rows, uint32_t frame)
{
    const struct stint_op_text *text = stint_op_text_at(&rows->join->texts, stint_op_frame_at(rows->join, frame)->text);
    (void)stint_operation_read(&cell->operation, text->text, text->length);
    cell->failed |= cell->operation.failed;
}

int stint_op_is_internal(struct stint_piece line)
{
    static const char *const folders[] = {"/torch/", "/apex/", "/pyprof/"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (memmem(line.text, line.length, folders[i], strlen(folders[i])))
            return 1;
    return 0;
}

int stint_op_cell_read(struct stint_op_cell *cell, const struct stint_op_rows *rows, size_t at, enum stint_op_kind kind)
{
    const struct stint_op_row *row = &rows->rows[at];
    uint32_t frame = kind == STINT_OP_TRACE ? find_kind(rows, row->kernel->frame, kind) : row->op;
    if (frame == STINT_OP_NO_FRAME)
        return -1;
    read_frame(cell, rows, frame);
    return 0;
}

static void put_trace(struct stint_op_cell *cell, const struct stint_op_rows *rows, size_t at)
{
    int failed = stint_op_cell_read(cell, rows, at, STINT_OP_TRACE);
    const struct stint_piece *lines = cell->operation.trace.items;
    for (size_t i = 0; !failed && i < cell->operation.trace.count; i++) {
        if (stint_op_is_internal(lines[i]))
            continue;
        put_string(cell, cell->text.length ? "," : "");
        put_piece(cell, lines[i]);
    }
    if (!cell->text.length)
        put_string(cell, "-");
}

/* ---------------------------------------------------------------------------------------------------------- params */

static void put_numbers(struct stint_op_cell *cell, const struct stint_op_value *value, const char *brackets)
{
    const int64_t *numbers = stint_op_numbers(&cell->operation, value);
    put(cell, brackets, 1);
    for (size_t i = 0; i < value->count; i++) {
        put_string(cell, i ? "," : "");
        put_i64(cell, numbers[i]);
    }
    put(cell, brackets + 1, 1);
}

static void put_value(struct stint_op_cell *cell, const struct stint_op_value *value)
{
    struct stint_piece name = value->name;
    if (!name.length && value->kind != STINT_OP_TENSOR)
        name = stint_op_facts_name(cell->operation.schema, value->argument);
    if (name.length) {
        put_piece(cell, name);
        put_string(cell, "=");
    }
    if (value->kind == STINT_OP_TENSOR) {
        put_numbers(cell, value, "[]");
        put_string(cell, value->type ? stint_op_type_name(value->type) : "");
    } else if (value->kind == STINT_OP_NUMBERS) {
        put_numbers(cell, value, "()");
    } else if (value->kind == STINT_OP_NONE) {
        put_string(cell, "None");
    } else {
        put_piece(cell, value->text);
    }
}

static void put_fact(struct stint_op_cell *cell, const char *name, struct stint_piece fact)
{
    if (!fact.length)
        return;
    put_string(cell, cell->text.length ? ";" : "");
    put_string(cell, name);
    put_string(cell, "=");
    put_piece(cell, fact);
}

/* "[32,64,56,56]fp16;[64,64,3,3]fp16;padding=(1,1)"; what is not known is left out. */
static void put_values(struct stint_op_cell *cell)
{
    for (size_t i = 0; i < cell->operation.values.count; i++) {
        const struct stint_op_value *value = stint_op_values(&cell->operation) + i;
        if (value->kind == STINT_OP_UNKNOWN)
            continue;
        put_string(cell, cell->text.length ? ";" : "");
        put_value(cell, value);
    }
    struct stint_piece fact;
    const char *name;
    for (size_t i = 0; (name = stint_operation_fact(&cell->operation, i, &fact)); i++)
        put_fact(cell, name, fact);
    if (!cell->text.length)
        put_string(cell, "na");
}

/* Writes them and, with memory, keeps them. */
static void put_params(struct stint_op_cell *cell, const struct stint_op_rows *rows, const struct stint_op_row *row)
{
    if (row->op == STINT_OP_NO_FRAME) {
        put_string(cell, "na");
        return;
    }
    if (!cell->params)
        cell->params = stint_arena_alloc(&cell->arena, rows->join->texts.rows.count * sizeof *cell->params);
    const char **kept = cell->params ? &cell->params[stint_op_frame_at(rows->join, row->op)->text] : NULL;
    if (kept && *kept) {
        put_string(cell, *kept);
        return;
    }
    read_frame(cell, rows, row->op);
    put_values(cell);
    if (kept)
        *kept = stint_arena_copy(&cell->arena, cell->text.text, cell->text.length);
}

/* ----------------------------------------------------------------------------------------------------------- cells */

static void put_dimensions(struct stint_op_cell *cell, const uint32_t *dimensions)
{
    for (int i = 0; i < 3; i++) {
        put_string(cell, i ? "," : "");
        put_u64(cell, dimensions[i]);
    }
}

static void put_amount(struct stint_op_cell *cell, struct stint_op_amount amount)
{
    if (amount.state)
        put_string(cell, "na");
    else
        put_u64(cell, amount.value);
}

static void put_direction(struct stint_op_cell *cell, const struct stint_op_row *row)
{
    put_string(cell, row->frame ? stint_op_direction_word((enum stint_op_direction)row->frame->direction) : "na");
}

/* Puts what is known of the operation, or "na". */
static void put_known(struct stint_op_cell *cell, struct stint_piece piece)
{
    if (piece.length)
        put_piece(cell, piece);
    else
        put_string(cell, "na");
}

static void put_layer(struct stint_op_cell *cell, const struct stint_op_rows *rows, const struct stint_op_row *row)
{
    if (row->frame && row->frame->layer != STINT_OP_NO_TEXT)
        put_string(cell, stint_op_text_at(&rows->join->texts, row->frame->layer)->text);
    else
        put_string(cell, "-");
}

/* What an operation on the host has not. */
static int is_of_device(enum stint_op_column column)
{
    return column == STINT_OP_DEVICE || column == STINT_OP_STREAM || column == STINT_OP_GRID ||
           column == STINT_OP_BLOCK;
}

static void put_cell(struct stint_op_cell *cell, const struct stint_op_rows *rows, size_t at,
                     enum stint_op_column column)
{
    static const struct stint_op_text none = {.name = {"", 0}, .module = {"", 0}};
    const struct stint_op_row *row = &rows->rows[at];
    const struct stint_op_text *text = row->op == STINT_OP_NO_FRAME ? &none : stint_op_row_text(rows, row);
    if (row->kernel->device == STINT_OP_HOST && is_of_device(column)) {
        put_string(cell, "-");
        return;
    }
    switch (column) {
    case STINT_OP_IDX:
        put_u64(cell, at + 1);
        break;
    case STINT_OP_SEQ:
    case STINT_OP_ALTSEQ:
        put_seqs(cell, rows, row, column == STINT_OP_ALTSEQ);
        break;
    case STINT_OP_TID:
        put_i64(cell, row->kernel->tid);
        break;
    case STINT_OP_LAYER_NAME:
        put_layer(cell, rows, row);
        break;
    case STINT_OP_TRACE_LINES:
        put_trace(cell, rows, at);
        break;
    case STINT_OP_DIR:
        put_direction(cell, row);
        break;
    case STINT_OP_SUB:
        put_u64(cell, row->sub);
        break;
    case STINT_OP_MOD:
        put_known(cell, text->module);
        break;
    case STINT_OP_NAME:
        put_known(cell, text->name);
        break;
    case STINT_OP_KERNEL:
        put_string(cell, row->name);
        break;
    case STINT_OP_PARAMS:
        put_params(cell, rows, row);
        break;
    case STINT_OP_SIL:
        put_u64(cell, row->kernel->ns);
        break;
    case STINT_OP_TC:
        put_string(cell, stint_op_tensor_cores_word((enum stint_op_tensor_cores)row->tensor_cores));
        break;
    case STINT_OP_DEVICE:
        put_u64(cell, row->kernel->device);
        break;
    case STINT_OP_STREAM:
        put_u64(cell, row->kernel->stream);
        break;
    case STINT_OP_GRID:
        put_dimensions(cell, row->kernel->grid);
        break;
    case STINT_OP_BLOCK:
        put_dimensions(cell, row->kernel->block);
        break;
    case STINT_OP_FLOPS:
        put_amount(cell, row->cost.flops);
        break;
    case STINT_OP_BUS:
        put_amount(cell, row->cost.bus_bytes);
        break;
    case STINT_OP_EXECUTED:
        put_amount(cell, row->cost.executed_flops);
        break;
    default:
        put_amount(cell, row->cost.bytes);
    }
}

const char *stint_op_cell_fill(struct stint_op_cell *cell, const struct stint_op_rows *rows, size_t at,
                               enum stint_op_column column)
{
    cell->text.length = 0;
    put_cell(cell, rows, at, column);
    put(cell, "", 1);
    return cell->failed ? "" : cell->text.text;
}

void stint_op_cell_free(struct stint_op_cell *cell)
{
    stint_arena_free(&cell->arena);
    stint_operation_free(&cell->operation);
}

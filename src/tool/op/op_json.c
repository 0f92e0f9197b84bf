/* Lines of stint ops --json: an object for each kernel, for scripts. What is not known, or does not apply, is null. */
#include "op/op_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/json.h"

static void put_piece(struct stint_json *json, struct stint_op_cell *cell, struct stint_piece piece)
{
    cell->text.length = 0;
    cell->failed |= stint_op_buffer_put(&cell->text, &cell->arena, piece.text, piece.length) ||
                    stint_op_buffer_put(&cell->text, &cell->arena, "", 1);
    stint_json_string(json, cell->failed ? "" : cell->text.text);
}

static void put_key_piece(struct stint_json *json, struct stint_op_cell *cell, const char *key,
                          struct stint_piece piece)
{
    if (!piece.length)
        return;
    stint_json_key(json, key);
    put_piece(json, cell, piece);
}

/* Writes numbers with commas between, as one number or as a list. */
static void put_digits(struct stint_json *json, const char *cell, int is_list)
{
    char number[STINT_NUMBER_SIZE];
    int is_known = strspn(cell, "-0123456789,") == strlen(cell) && strpbrk(cell, "0123456789");
    if (!is_list || !is_known) {
        stint_json_literal(json, is_known ? cell : is_list ? "[]" : "null");
        return;
    }
    stint_json_begin(json, "[");
    for (size_t length; *cell; cell += length + (cell[length] == ',')) {
        length = strcspn(cell, ",");
        (void)snprintf(number, sizeof number, "%.*s", (int)length, cell);
        stint_json_literal(json, number);
    }
    stint_json_end(json, "]");
}

/* ---------------------------------------------------------------------------------------------------------- params */

static void put_numbers(struct stint_json *json, const struct stint_operation *operation, const char *key,
                        const struct stint_op_value *value)
{
    const int64_t *numbers = stint_op_numbers(operation, value);
    stint_json_key(json, key);
    stint_json_begin(json, "[");
    for (size_t i = 0; i < value->count; i++)
        stint_json_i64(json, numbers[i]);
    stint_json_end(json, "]");
}

/* JSON has no infinity, and no NaN: these stay words, as the program wrote them. */
static enum stint_op_value_kind kind_of(const struct stint_op_value *value)
{
    return value->kind == STINT_OP_NUMBER && !isfinite(value->number) ? STINT_OP_TEXT : value->kind;
}

static void put_value(struct stint_json *json, struct stint_op_cell *cell, const struct stint_op_value *value)
{
    struct stint_piece name = value->name;
    if (!name.length)
        name = stint_op_facts_name(cell->operation.schema, value->argument);
    stint_json_begin(json, "{");
    put_key_piece(json, cell, "name", name);
    switch (kind_of(value)) {
    case STINT_OP_TENSOR:
        put_numbers(json, &cell->operation, "shape", value);
        if (value->type)
            stint_json_key_string(json, "type", stint_op_type_name(value->type));
        break;
    case STINT_OP_NUMBERS:
        put_numbers(json, &cell->operation, "value", value);
        break;
    case STINT_OP_NUMBER:
        stint_json_key(json, "value");
        stint_json_exact(json, value->number);
        break;
    case STINT_OP_SWITCH:
        stint_json_key_bool(json, "value", value->number != 0);
        break;
    case STINT_OP_TEXT:
        put_key_piece(json, cell, "value", value->text);
        break;
    default:
        stint_json_key_literal(json, "value", "null");
    }
    stint_json_end(json, "}");
}

static void put_fact(struct stint_json *json, struct stint_op_cell *cell, const char *name, struct stint_piece fact)
{
    if (!fact.length)
        return;
    stint_json_begin(json, "{");
    stint_json_key_string(json, "name", name);
    put_key_piece(json, cell, "value", fact);
    stint_json_end(json, "}");
}

static void put_params(struct stint_json *json, struct stint_op_cell *cell, const struct stint_op_rows *rows, size_t at)
{
    if (stint_op_cell_read(cell, rows, at, STINT_OP_CALL)) {
        stint_json_literal(json, "null");
        return;
    }
    stint_json_begin(json, "[");
    for (size_t i = 0; i < cell->operation.values.count; i++)
        if (stint_op_values(&cell->operation)[i].kind != STINT_OP_UNKNOWN)
            put_value(json, cell, &stint_op_values(&cell->operation)[i]);
    struct stint_piece fact;
    const char *name;
    for (size_t i = 0; (name = stint_operation_fact(&cell->operation, i, &fact)); i++)
        put_fact(json, cell, name, fact);
    stint_json_end(json, "]");
}

static void put_trace(struct stint_json *json, struct stint_op_cell *cell, const struct stint_op_rows *rows, size_t at)
{
    const struct stint_piece *lines = NULL;
    size_t count = 0;
    if (!stint_op_cell_read(cell, rows, at, STINT_OP_TRACE)) {
        lines = cell->operation.trace.items;
        count = cell->operation.trace.count;
    }
    stint_json_begin(json, "[");
    for (size_t i = 0; i < count; i++)
        if (!stint_op_is_internal(lines[i]))
            put_piece(json, cell, lines[i]);
    stint_json_end(json, "]");
}

/* ------------------------------------------------------------------------------------------------------------ lines */

static void put_member(struct stint_json *json, struct stint_op_cell *cell, const struct stint_op_rows *rows, size_t at,
                       enum stint_op_column column)
{
    const char *word;
    stint_json_key(json, stint_op_column_name(column));
    switch (column) {
    case STINT_OP_PARAMS:
        put_params(json, cell, rows, at);
        break;
    case STINT_OP_TRACE_LINES:
        put_trace(json, cell, rows, at);
        break;
    case STINT_OP_ALTSEQ:
    case STINT_OP_GRID:
    case STINT_OP_BLOCK:
        put_digits(json, stint_op_cell_fill(cell, rows, at, column), 1);
        break;
    case STINT_OP_LAYER_NAME:
    case STINT_OP_DIR:
    case STINT_OP_MOD:
    case STINT_OP_NAME:
    case STINT_OP_KERNEL:
        word = stint_op_cell_fill(cell, rows, at, column);
        if (strcmp(word, "-") == 0 || strcmp(word, "na") == 0)
            stint_json_literal(json, "null");
        else
            stint_json_string(json, word);
        break;
    default:
        put_digits(json, stint_op_cell_fill(cell, rows, at, column), 0);
    }
}

int stint_op_json_put(const struct stint_op_table *table, const struct stint_op_rows *rows, struct stint_text *text)
{
    struct stint_op_cell cell = {0};
    for (size_t row = 0; row < rows->count && !cell.failed && !text->failed; row++) {
        struct stint_json json = {.text = text};
        const struct stint_op_kernel *kernel = rows->rows[row].kernel;
        stint_json_begin(&json, "{");
        for (size_t i = 0; i < table->count; i++)
            put_member(&json, &cell, rows, row, table->columns[i]);
        stint_json_key_string(&json, "name", stint_op_text_at(&rows->join->texts, kernel->name)->text);
        stint_json_key_u64(&json, "start_ns", kernel->start_ns);
        stint_json_end(&json, "}");
        stint_text_string(text, "\n");
    }
    stint_op_cell_free(&cell);
    return cell.failed ? -1 : 0;
}

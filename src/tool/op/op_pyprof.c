#include "op/op_pyprof.h"

#include <string.h>

#include "op/op_frame.h"

/* ------------------------------------------------------------------------------------------------------------ names */

static const struct stint_op_text *text_of(const struct stint_op_rows *rows, uint32_t frame)
{
    return stint_op_text_at(&rows->join->texts, stint_op_frame_at(rows->join, frame)->text);
}

static int ends_with(struct stint_piece name, const char *end)
{
    size_t length = strlen(end);
    return name.length >= length && memcmp(name.text + name.length - length, end, length) == 0;
}

/* It takes no other names for those of backward passes. */
static int is_backward(struct stint_piece name)
{
    return ends_with(name, "Backward") || ends_with(name, "backward") || ends_with(name, "Backward0");
}

static int is_bprop(const struct stint_op_rows *rows, const struct stint_op_row *row)
{
    for (uint32_t at = row->kernel->frame; at != STINT_OP_NO_FRAME; at = stint_op_frame_at(rows->join, at)->parent)
        if (stint_op_frame_at(rows->join, at)->has_seq && is_backward(text_of(rows, at)->name))
            return 1;
    return 0;
}

/* Without a marker, the innermost backward operation without what makes it one, or the innermost operation. */
static void name_by_sequence(struct stint_op_pyprof_cells *cells, const struct stint_op_rows *rows,
                             const struct stint_op_row *row)
{
    cells->name = cells->module = (struct stint_piece){"", 0};
    for (uint32_t at = row->kernel->frame; at != STINT_OP_NO_FRAME; at = stint_op_frame_at(rows->join, at)->parent) {
        struct stint_piece name = text_of(rows, at)->name;
        if (!stint_op_frame_at(rows->join, at)->has_seq)
            continue;
        if (!cells->name.length)
            cells->name = name;
        if (!ends_with(name, "ackward"))
            continue;
        name.length -= ends_with(name, "_backward") ? strlen("_backward") : strlen("Backward");
        cells->name = name;
        return;
    }
}

/* ---------------------------------------------------------------------------------------------------------- markers */

/* The outermost marker with arguments around a frame. */
static uint32_t marker_around(const struct stint_op_rows *rows, uint32_t frame)
{
    uint32_t found = STINT_OP_NO_FRAME;
    for (; frame != STINT_OP_NO_FRAME; frame = stint_op_frame_at(rows->join, frame)->parent)
        if (text_of(rows, frame)->kind == STINT_OP_MARKER)
            found = frame;
    return found;
}

static int keep(void *context, const char *text, size_t length)
{
    struct stint_op_pyprof_cells *cells = context;
    return stint_op_buffer_put(&cells->params, &cells->arena, text, length);
}

static int apply(struct stint_op_pyprof_cells *cells, const struct stint_op_row *row)
{
    struct stint_op_pyprof_ask ask = {.operation = &cells->operation,
                                      .kernel = row->name,
                                      .grid = row->kernel->grid,
                                      .is_backward = cells->is_backward,
                                      .sub = row->sub};
    struct stint_text text;
    stint_text_begin(&text, keep, cells);
    int refused = stint_op_pyprof_apply(&ask, &cells->found, &text);
    if (refused)
        cells->params.length = 0;
    else if (stint_text_end(&text) || keep(cells, "", 1))
        return -1;
    cells->is_refused = refused;
    return 0;
}

int stint_op_pyprof_read(struct stint_op_pyprof_cells *cells, const struct stint_op_rows *rows, size_t at)
{
    const struct stint_op_row *row = &rows->rows[at];
    if (cells->row == at + 1)
        return 0;
    cells->row = at + 1;
    cells->params.length = 0;
    cells->is_refused = 0;
    cells->is_backward = is_bprop(rows, row);
    uint32_t marker = marker_around(rows, row->kernel->frame);
    if (marker == STINT_OP_NO_FRAME && cells->is_backward)
        marker = marker_around(rows, row->frame->forward);
    if (marker == STINT_OP_NO_FRAME) {
        name_by_sequence(cells, rows, row);
        cells->found = (struct stint_op_pyprof){.tc = "na"};
        return keep(cells, "na=na,", sizeof "na=na,");
    }
    const struct stint_op_text *text = text_of(rows, marker);
    cells->name = text->name;
    cells->module = text->module;
    (void)stint_operation_read(&cells->operation, text->text, text->length);
    return apply(cells, row);
}

void stint_op_pyprof_free(struct stint_op_pyprof_cells *cells)
{
    stint_operation_free(&cells->operation);
    stint_arena_free(&cells->arena);
}

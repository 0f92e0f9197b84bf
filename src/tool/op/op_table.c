/* The lines of stint ops: which columns there are, and how they are separated, padded or quoted. */
#include "op/op_table.h"

#include <string.h>

#include "base/text.h"
#include "report/sheet.h"

static const struct {
    const char *name;
    const char *title;
    size_t width; /* 0: shares what the others leave */
    int is_number;
} s_columns[STINT_OP_COLUMNS] = {
    [STINT_OP_IDX] = {"idx", "Idx", 7, 1},
    [STINT_OP_SEQ] = {"seq", "SeqId", 7, 0},
    [STINT_OP_ALTSEQ] = {"altseq", "AltSeqId", 7, 0},
    [STINT_OP_TID] = {"tid", "TId", 12, 1},
    [STINT_OP_LAYER_NAME] = {"layer", "Layer", 10, 0},
    [STINT_OP_TRACE_LINES] = {"trace", "Trace", 25, 0},
    [STINT_OP_DIR] = {"dir", "Direction", 5, 0},
    [STINT_OP_SUB] = {"sub", "Sub", 3, 1},
    [STINT_OP_MOD] = {"mod", "Module", 15, 0},
    [STINT_OP_NAME] = {"op", "Op", 15, 0},
    [STINT_OP_KERNEL] = {"kernel", "Kernel", 0, 0},
    [STINT_OP_PARAMS] = {"params", "Params", 0, 0},
    [STINT_OP_SIL] = {"sil", "Sil(ns)", 10, 1},
    [STINT_OP_TC] = {"tc", "TC", 2, 0},
    [STINT_OP_DEVICE] = {"device", "Device", 3, 1},
    [STINT_OP_STREAM] = {"stream", "Stream", 3, 1},
    [STINT_OP_GRID] = {"grid", "Grid", 12, 0},
    [STINT_OP_BLOCK] = {"block", "Block", 12, 0},
    [STINT_OP_FLOPS] = {"flops", "FLOPs", 12, 1},
    [STINT_OP_BYTES] = {"bytes", "Bytes", 12, 1},
    [STINT_OP_EXECUTED] = {"executed", "Executed", 12, 1},
    [STINT_OP_BUS] = {"bus", "Bus", 12, 1},
};

/* --------------------------------------------------------------------------------------------------------- columns */

static int column_of(const char *name, size_t length)
{
    for (int i = 0; i < STINT_OP_COLUMNS; i++)
        if (strlen(s_columns[i].name) == length && memcmp(s_columns[i].name, name, length) == 0)
            return i;
    return -1;
}

const char *stint_op_table_read(struct stint_op_table *table, const char *columns)
{
    table->count = 0;
    for (size_t length;; columns += length + 1) {
        length = strcspn(columns, ",");
        int column = column_of(columns, length);
        if (column < 0 || table->count == STINT_OP_MOST_COLUMNS)
            return columns;
        table->columns[table->count++] = (enum stint_op_column)column;
        if (!columns[length])
            return NULL;
    }
}

void stint_op_table_take_all(struct stint_op_table *table, enum stint_op_column last)
{
    for (table->count = 0; table->count <= (size_t)last; table->count++)
        table->columns[table->count] = (enum stint_op_column)table->count;
}

const char *stint_op_column_name(enum stint_op_column column)
{
    return s_columns[column].name;
}

const char *stint_op_table_names(char *out, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < STINT_OP_COLUMNS; i++) {
        size_t length = strlen(s_columns[i].name);
        if (used + length + 2 >= size)
            break;
        memcpy(out + used, i ? "," : "", i != 0);
        memcpy(out + used + (i != 0), s_columns[i].name, length);
        used += length + (i != 0);
    }
    out[used] = '\0';
    return out;
}

/* Counts the columns that share, and adds up the others and the blanks between. */
static size_t fixed_width(const struct stint_op_table *table, size_t *shares)
{
    size_t width = table->count ? table->count - 1 : 0;
    *shares = 0;
    for (size_t i = 0; i < table->count; i++) {
        width += s_columns[table->columns[i]].width;
        *shares += !s_columns[table->columns[i]].width;
    }
    return width;
}

size_t stint_op_table_least(const struct stint_op_table *table)
{
    size_t shares, width = fixed_width(table, &shares);
    return width + shares;
}

static size_t width_of(const struct stint_op_table *table, enum stint_op_column column)
{
    size_t shares, width = fixed_width(table, &shares);
    return s_columns[column].width || !table->width ? s_columns[column].width : (table->width - width) / shares;
}

/* ----------------------------------------------------------------------------------------------------------- cells */

/* Blanks would separate columns. Most words are of characters that no terminal takes for anything else. */
static void put_word(struct stint_text *text, const char *cell)
{
    for (size_t length; *cell; cell += length) {
        char word[256];
        int is_plain = 1;
        length = strlen(cell) < sizeof word ? strlen(cell) : sizeof word - 1;
        for (size_t i = 0; i < length; i++) {
            word[i] = cell[i] == ' ' ? '_' : cell[i];
            is_plain &= word[i] > ' ' && word[i] <= '~';
        }
        word[length] = '\0';
        if (is_plain)
            stint_text_put(text, word, length);
        else
            (void)stint_escape_put(text, stint_escape_terminal, word);
    }
}

static void put_padded(const struct stint_op_table *table, enum stint_op_column column, const char *cell, int is_title,
                       struct stint_text *text)
{
    char shown[1024];
    size_t width = width_of(table, column), length = strlen(cell), most = sizeof shown - 1;
    if (length > width || length > most)
        length = stint_utf8_cut(cell, width < most ? width : most);
    int is_right = s_columns[column].is_number && !is_title;
    memcpy(shown, cell, length);
    shown[length] = '\0';
    if (is_right)
        stint_text_fill(text, ' ', width - length);
    (void)stint_escape_put(text, stint_escape_terminal, shown);
    if (!is_right)
        stint_text_fill(text, ' ', width - length);
}

/* A wide call stack shows its last line, and that only with the file's name. */
static const char *last_line(const char *trace)
{
    const char *comma = strrchr(trace, ','), *line = comma ? comma + 1 : trace, *slash = strrchr(line, '/');
    return slash ? slash + 1 : line;
}

static void put_cell(const struct stint_op_table *table, size_t at, const char *cell, int is_title,
                     struct stint_text *text)
{
    enum stint_op_column column = table->columns[at];
    if (at)
        stint_text_string(text, table->csv ? "," : " ");
    if (table->csv) {
        stint_csv_quoted(text, cell);
    } else if (table->width) {
        put_padded(table, column, column == STINT_OP_TRACE_LINES ? last_line(cell) : cell, is_title, text);
    } else {
        put_word(text, cell);
    }
}

int stint_op_table_put(const struct stint_op_table *table, const struct stint_op_rows *rows, struct stint_text *text)
{
    struct stint_op_cell cell = {0};
    for (size_t i = 0; i < table->count; i++)
        put_cell(table, i, s_columns[table->columns[i]].title, 1, text);
    stint_text_string(text, "\n");
    for (size_t row = 0; row < rows->count && !cell.failed && !text->failed; row++) {
        for (size_t i = 0; i < table->count; i++)
            put_cell(table, i, stint_op_cell_fill(&cell, rows, row, table->columns[i]), 0, text);
        stint_text_string(text, "\n");
    }
    stint_op_cell_free(&cell);
    return cell.failed ? -1 : 0;
}

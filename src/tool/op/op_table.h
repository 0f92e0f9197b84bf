/* A line for each kernel, with PyProf's columns, and more. */
#ifndef STINT_OP_OP_TABLE_H
#define STINT_OP_OP_TABLE_H

#include "base/text.h"
#include "op/op_sum.h"

enum stint_op_column {
    STINT_OP_IDX,
    STINT_OP_SEQ,
    STINT_OP_ALTSEQ,
    STINT_OP_TID,
    STINT_OP_LAYER_NAME,
    STINT_OP_TRACE_LINES,
    STINT_OP_DIR,
    STINT_OP_SUB,
    STINT_OP_MOD,
    STINT_OP_NAME,
    STINT_OP_KERNEL,
    STINT_OP_PARAMS,
    STINT_OP_SIL,
    STINT_OP_TC,
    STINT_OP_DEVICE,
    STINT_OP_STREAM,
    STINT_OP_GRID,
    STINT_OP_BLOCK,
    STINT_OP_FLOPS,
    STINT_OP_BYTES, /* the last one of PyProf's */
    STINT_OP_EXECUTED,
    STINT_OP_BUS,
    STINT_OP_COLUMNS
};

enum { STINT_OP_MOST_COLUMNS = 64 };

struct stint_op_table {
    enum stint_op_column columns[STINT_OP_MOST_COLUMNS];
    size_t count;
    int csv, json;
    size_t width; /* of a line, if values are to be padded and cut; 0: they are separated by a blank */
};

/* The columns that PyProf shows unless it is told others. */
#define STINT_OP_USUAL_COLUMNS "idx,dir,sub,mod,op,kernel,params,sil"

/* Reads names of columns with commas between. Returns NULL, or the first one that is none, or is too much. */
const char *stint_op_table_read(struct stint_op_table *table, const char *columns);

/* Chooses all columns up to this one. */
void stint_op_table_take_all(struct stint_op_table *table, enum stint_op_column last);

const char *stint_op_column_name(enum stint_op_column column);

/* Writes the names of all columns, with commas between. */
const char *stint_op_table_names(char *out, size_t size);

/* Returns the least width that has room for the columns. */
size_t stint_op_table_least(const struct stint_op_table *table);

/* Writes titles and rows. Returns 0, or -1 without memory. */
int stint_op_table_put(const struct stint_op_table *table, const struct stint_op_rows *rows, struct stint_text *text);

/* Writes an object for each row (op_json.c). The same. */
int stint_op_json_put(const struct stint_op_table *table, const struct stint_op_rows *rows, struct stint_text *text);

/* ------------------------------------------------------------------------------------------------ cells (op_cell.c) */

/* Zero it to begin. */
struct stint_op_cell {
    struct stint_op_buffer text;
    struct stint_arena arena;
    struct stint_operation operation; /* that `params` are of */
    const char **params;              /* of each text as soon as they were asked for; many rows have the same */
    int failed;                       /* there was no memory */
};

/* Writes what the column says of row `at`, with a NUL behind it. Returns it; "" without memory. */
const char *stint_op_cell_fill(struct stint_op_cell *cell, const struct stint_op_rows *rows, size_t at,
                               enum stint_op_column column);

/* Reads into cell->operation what the operation of row `at` says or, by STINT_OP_TRACE, the call stack around it.
 * Returns 0, or -1 if there is none. */
int stint_op_cell_read(struct stint_op_cell *cell, const struct stint_op_rows *rows, size_t at,
                       enum stint_op_kind kind);

/* Whether a line of a call stack is within PyTorch, Apex or PyProf, and says nothing about the program. */
int stint_op_is_internal(struct stint_piece line);

void stint_op_cell_free(struct stint_op_cell *cell);

/* ----------------------------------------------------------------------------------------------------------- advice */

/* What may be made faster, by rules that docs/operations.md lists. */

enum stint_op_advice_rule {
    STINT_OP_ADVICE_ALIGNMENT, /* a dimension of a matrix is no multiple of 16 bytes */
    STINT_OP_ADVICE_PRECISION, /* matrices are multiplied without Tensor Cores, where most are with them */
    STINT_OP_ADVICE_GRID,      /* a kernel has fewer blocks than half as many as the device has multiprocessors */
    STINT_OP_ADVICE_LAUNCH     /* short kernels that a device waits for, one after the other */
};

struct stint_op_advice {
    enum stint_op_advice_rule rule;
    const struct stint_op_text *operation; /* advice by one rule, on one operation and kernel, is one */
    uint32_t kernel;                       /* its name, in the texts; by the first rule, 0: any */
    uint64_t ns;                           /* of these kernels; by the last rule, how long the device waited for them */
    uint64_t kernels;                      /* how many they are */
    uint32_t row;                          /* the first of them */
    int has_layers;                        /* they are in more than one */
    char dimension;                        /* by the first rule, its letter */
    uint64_t is;                           /* this dimension; number of blocks; length of the longest sequence */
    uint64_t wanted;                       /* what it has to be divisible by; multiprocessors; number of sequences */
};

/* Zero it to begin. */
struct stint_op_advices {
    struct stint_op_advice *all; /* by falling time */
    size_t count;
    uint64_t ns; /* of all kernels */

    /* Internal state. */
    struct stint_arena arena;
    struct stint_table found; /* struct stint_op_advice */
    struct stint_operation operation;
};

/* Looks for advice on the rows. Returns 0, or -1 without memory. Free them in either case. */
int stint_op_advices_make(struct stint_op_advices *advices, const struct stint_op_rows *rows);

void stint_op_advices_free(struct stint_op_advices *advices);

/* Writes a line for each. Returns 0, or -1 without memory. */
int stint_op_advices_put(const struct stint_op_rows *rows, int csv, struct stint_text *text);

#endif
